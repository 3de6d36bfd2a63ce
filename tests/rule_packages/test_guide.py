"""docs/guide/rules.md: its files equal the worked example, its commands and blocks run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker.ruleset.packages import load
from tests.rule_packages.test_load import HOUSE, package

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "rules.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
QUICK = {"rules check": ["--games", "40"]}  # the guide's numbers of games are run by `rules check` itself
SLOW = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder the guide assumes: a package ``house``, another one, a record of a game."""
    here = tmp_path_factory.mktemp("guide")
    shutil.copytree(HOUSE, here / "house")
    package(here, "other", "from blackpoker.define import base\n\nedition = base.change('up', cost='L')\n")
    game = bp.Game(bp.Regulation.parse("lite+house30", load([HOUSE])), seed=2)
    while game.turn_number < 3:
        game.push(game.options[-1])
    (here / "game.record").write_text(game.record(), encoding="utf-8")
    return here


def test_its_files_are_the_example() -> None:
    texts = {kind: text for kind, text in reversed(BLOCKS) if kind in ("toml", "python")}
    assert texts["toml"] == (HOUSE / "rules.toml").read_text(encoding="utf-8")
    assert texts["python"] == (HOUSE / "rules.py").read_text(encoding="utf-8")


def test_the_last_block_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    *_, (kind, text) = BLOCKS
    assert kind == "python"
    exec(compile(text, str(GUIDE), "exec"), {})


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "blackpoker.cli", *words],
        input="quit\nyes\n",
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=SLOW,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command: str, folder: Path) -> None:
    name, *words = shlex.split(command)
    assert name == "blackpoker"
    words += QUICK.get(" ".join(words[:2]), [])
    done = run(folder, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_that_plays_takes_rules(folder: Path) -> None:
    from blackpoker.cli.commands import COMMANDS as ALL
    from blackpoker.cli.commands import START

    takes = {
        name for name, command in {"": START, **ALL}.items() if any(p.flags == "--rules" for p in command.parameters)
    }
    plays = {"", "play", "scenario", "rules", "regulations", "simulate", "arena", "analyse", "serve", "verify", "bench"}
    assert plays | {"rules check", "rules docs"} <= takes


def test_the_message_of_another_hash_is_the_one_shown(folder: Path) -> None:
    done = run(folder, "analyse", "game.record")
    assert done.returncode == 2
    assert "house 1.0 is missing; name it with --rules" in done.stderr
    assert done.stderr.count("\n") == 1
    edition = load([HOUSE])
    name, _, hash = edition.text.rpartition(" ")
    shown = re.findall(rf"{re.escape(name)} ([0-9a-f]+)", GUIDE.read_text(encoding="utf-8"))
    assert len(shown) == 2
    assert {len(one) for one in shown} == {len(hash)}, "the guide shows a hash, of the definitions as they were"


def test_new_cards_can_be_played_at_once(folder: Path) -> None:
    assert run(folder, "rules", "new", "mine").returncode == 0
    assert run(folder, "scenario", "mine/scenarios", "--rules", "mine").returncode == 0
    again = run(folder, "rules", "new", "mine")
    assert again.returncode == 2
    assert "is there already" in again.stderr
    pages = folder / "pages"
    if pages.exists():
        assert "落雷" in (pages / "ja" / "README.md").read_text(encoding="utf-8")
        assert "Bolt" in (pages / "en" / "actions.md").read_text(encoding="utf-8")
