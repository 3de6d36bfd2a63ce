"""Run docs/guide/bots.md as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from blackpoker import Game
from tests.bots.tools import ROOT, node
from tests.server.live import Live

GUIDE = (ROOT / "docs" / "guide" / "bots.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)?([^\n]*)\n(.*?)```", GUIDE, re.S)
COMMANDS = [(kind.strip(), text) for lang, kind, text in BLOCKS if lang == "sh"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the guide's files in a temporary folder and return its path."""
    path = tmp_path_factory.mktemp("guide")
    for lang, _, text in BLOCKS:
        name = re.match(r"(?:#|//) ([a-z]+\.(?:py|js))", text)
        if name is not None:
            assert lang in ("python", "js")
            (path / name[1]).write_text(text, encoding="utf-8")
    game = Game("lite+entry", seed=3)
    game.push_text("set_bulwark")
    (path / "game.txt").write_text(game.record(), encoding="utf-8")
    bin = path / "bin"
    bin.mkdir()
    (bin / "blackpoker").write_text(
        f"#!{sys.executable}\nimport sys\nfrom blackpoker.cli import main\nsys.exit(main())\n"
    )
    (bin / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for script in bin.iterdir():
        script.chmod(0o755)
    return path


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    lines = [line.removeprefix("$ ") for line in text.splitlines()]
    assert all(line.startswith("$ ") for line in text.splitlines())
    path = os.pathsep.join([str(folder / "bin"), str(Path(node() or sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-ec", "\n".join(lines) + "\nwait"],
        cwd=folder,
        input="quit\n" * 5,
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PATH": path, "XDG_DATA_HOME": str(folder / "data"), "BLACKPOKER_LANG": "en"},
    )


def test_the_page_has_what_is_run() -> None:
    assert len(COMMANDS) == 6
    assert {kind for kind, _ in COMMANDS} == {"", "node", "server"}


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_a_command_of_the_page(number: int, folder: Path, tmp_path: Path) -> None:
    kind, text = COMMANDS[number]
    if kind == "node" and not node():
        pytest.skip("Node is not here and cannot be fetched")
    if kind == "server":
        with Live(tmp_path / "games.db") as live:
            done = run(folder, text.replace("http://localhost:8080", live.url))
    else:
        done = run(folder, text)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if "bot join" in text:  # as the guide states: the thinker has no worlds there
        assert done.stderr.count("blackpoker: ") == 1
        assert "WorldUnavailable" in done.stderr
        assert done.stdout.count(" against ") == 2
    else:
        assert "mybot" in done.stdout or "thinker" in done.stdout or "bot.js" in done.stdout or done.stdout
        assert "played by default" not in done.stderr, done.stderr
