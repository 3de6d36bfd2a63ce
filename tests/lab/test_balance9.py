"""The balance report of edition 9: its pages are made from the results file, and its commands make a results file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from blackpoker.cli import run as command
from blackpoker.ruleset import edition_named

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "balance"
SCRIPT = FOLDER / "edition9.py"


def build(*words: str) -> None:
    subprocess.run([sys.executable, str(SCRIPT), *words], check=True)


def test_the_pages_are_made_from_the_results(tmp_path: Path) -> None:
    (tmp_path / "edition9.json").write_bytes((FOLDER / "edition9.json").read_bytes())
    build("pages", str(tmp_path))
    for name in ("edition9.md", "edition9.ja.md"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (FOLDER / name).read_text(encoding="utf-8")


def test_it_has_the_recommended_regulations_and_all_trumps() -> None:
    found = json.loads((FOLDER / "edition9.json").read_text(encoding="utf-8"))
    edition = edition_named("9")
    recommended = [f"9:{entry.id}+{frame}" for entry in edition.formats for frame in entry.recommended]
    assert [one["id"] for one in found["regulations"]] == recommended
    assert len(found["trumps"]["held"]) == len(edition.trumps) == 30
    assert len(found["trumps"]["pairs"]) == len(found["trumps"]["against"]) == 435
    for one in found["regulations"]:
        assert one["games"] == one["decided"] + one["none"]


def test_its_commands_make_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few deals and random players, who open and loop as they like."""
    monkeypatch.chdir(tmp_path)
    for name, deals in (("edition9", "2"), ("edition9-trumps", "60")):
        text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").replace('"master"', '"random"')
        Path(f"{name}.toml").write_text(text, encoding="utf-8")
        assert command(["lab", "run", f"{name}.toml", "--deals", deals, "--jobs", "1", "--output", f"{name}.lab"]) == 0
    build("results", "edition9.lab", "edition9-trumps.lab", ".")
    found = json.loads(Path("edition9.json").read_text(encoding="utf-8"))
    assert [one["games"] for one in found["regulations"]] == [2] * 9
    assert found["trumps"]["games"] == 60
    assert sum(n for n, _, _ in found["trumps"]["held"].values()) == 240
    assert all(card.startswith(tuple("SHDC")) for card in found["trumps"]["held"])
    build("pages", ".")
    assert "| Lite + Entry 16 | 2 |" in Path("edition9.md").read_text(encoding="utf-8")
