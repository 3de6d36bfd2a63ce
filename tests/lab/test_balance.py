"""docs/balance: nothing is missing, and its commands make it again."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from blackpoker.cli import run as command
from blackpoker.regulation import all_regulations, standard_edition

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "balance"


def check(text: str) -> None:
    edition = standard_edition()
    for regulation in all_regulations():
        assert f"| {regulation.text} | {regulation.text_ja} |" in text
    played = {plan.id.removesuffix("@") for regulation in all_regulations() for plan in regulation.rules().plans}
    for action in edition.actions:
        if action.id in played:
            assert f"| {action.en} | {action.ja} |" in text, action.id
    for trump in edition.trumps:
        assert f"{trump.card} {trump.en}" in text, trump.id


def test_the_balance_of_the_base_edition_is_whole() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    check(text)
    for name in re.findall(r"\]\(([\w.-]+)\)", text):
        assert (FOLDER / name).exists(), name


def test_its_commands_make_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few deals; Extra with enough that every trump lies somewhere."""
    monkeypatch.chdir(tmp_path)
    block = re.search(r"```sh\n(.*?)```", (FOLDER / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    for line in block[1].splitlines():
        words = shlex.split(line)
        if words[0] == "blackpoker":
            words[words.index("--deals") + 1] = "2" if "all" in words else "60"
            assert command([*words[1:], "--players", "random", "-j", "1"]) == 0
        else:
            assert words[0] == "python"
            subprocess.run([sys.executable, str(ROOT / words[1]), *words[2:], "."], check=True)
    made = (tmp_path / "README.md").read_text(encoding="utf-8")
    check(made)
