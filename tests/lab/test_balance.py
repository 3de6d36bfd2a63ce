"""docs/balance is complete and its commands reproduce it."""

from __future__ import annotations

import csv
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from blackpoker.cli import run as command
from blackpoker.ruleset import all_regulations, standard_edition

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "balance"


def missing(folder: Path) -> list[str]:
    """Return the names of the edition that the tables of a report lack."""
    edition = standard_edition()
    played = {plan.id.removesuffix("@") for regulation in all_regulations() for plan in regulation.rules().plans}
    expected = {
        ("regulations.csv", "arm"): [regulation.text for regulation in all_regulations()],
        ("actions.csv", "action"): [action.en for action in edition.actions if action.id in played],
        ("trumps.csv", "trump"): [trump.en for trump in edition.trumps],
    }
    found = []
    for (file, column), names in expected.items():
        with (folder / file).open(encoding="utf-8", newline="") as table:
            rows = {
                row[column].lstrip("♠♡♢♣0123456789AJQK").strip() if column == "trump" else row[column]
                for row in csv.DictReader(table)
            }
        found += [name for name in names if name not in rows]
    return found


def test_the_balance_of_the_base_edition_is_whole() -> None:
    """A report measured before an addition to the edition names the edition it was measured with."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\(([\w.-]+)\)", text):
        assert (FOLDER / name).exists(), name
    measured = re.search(r"Edition `(\S+) (\w{16})`", text)
    assert measured is not None
    edition = standard_edition()
    assert measured[1] == edition.name
    new = missing(FOLDER)
    if new and measured[2] != edition.hash:
        pytest.skip(f"docs/balance is of {measured[0]}, without {', '.join(new)}: measure it again with its commands")
    assert not new


def test_its_commands_make_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few deals; Extra with enough deals that every trump occurs."""
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
    assert not missing(tmp_path)
    made = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert made.splitlines()[0] == (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()[0]
