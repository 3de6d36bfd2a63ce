"""docs/guide/lab.md: every block runs as written."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from blackpoker.cli import run as command
from blackpoker.lab.experiment import experiment_of

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "lab.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def words_of(line: str) -> list[str]:
    """Return the words of a command as bash splits them."""
    return subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, text=True, check=True
    ).stdout.split("\0")[:-1]


def test_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    table = tomllib.loads(blocks("toml")[0])
    (tmp_path / "experiment.toml").write_text(blocks("toml")[0].replace("deals = 400", "deals = 20"), encoding="utf-8")
    assert experiment_of(table, tmp_path, "x").deals == 400
    ran = []
    for line in "".join(blocks("sh")).splitlines():
        words = words_of(line)
        if words[0] == "blackpoker":
            words = ["20" if word == "200" else word for word in words]  # fewer deals than in the guide
            assert command([*words[1:], "--lang", "en"]) == 0, line
            ran.append(words[1:3])
        elif words[0] == "sqlite3":
            with closing(sqlite3.connect(words[1])) as base:
                assert len(base.execute(words[2]).fetchall()) == 2
            ran.append(["sqlite3", "read"])
        else:
            assert line == "pip install -e '.[lab]'"
    assert ran == [["lab", "run"], ["lab", "report"], ["lab", "run"], ["sqlite3", "read"]]
    assert "the first player" in capsys.readouterr().out
    for block in blocks("python"):
        subprocess.run([sys.executable, "-c", block], check=True, cwd=tmp_path)
