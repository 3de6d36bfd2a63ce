"""``rules check`` finds a package's errors in play and returns the shortest record that shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker.cli import run
from blackpoker.cli.package_check import Check
from blackpoker.ruleset.packages import load_all
from blackpoker.smoke.report import Finding, actions_of, run_trials, trials_of
from tests.rule_packages.test_load import HOUSE, package

HEAD = "from dataclasses import replace\n\nfrom blackpoker.define import *\n\n"


def action(id: str, fields: str, steps: str) -> str:
    return (
        f"NEW = Action('{id}', '新', 'New', since=LITE, {fields},\n"
        f"             effect=(Clause('何かする。', 'It does something.', ({steps})),))\n"
        "edition = base.add(NEW)\n"
    )


def findings(path: Path, games: int = 60, patience: float = 20.0) -> tuple[list[Finding], bp.Edition]:
    loaded = load_all([path])[-1]
    trials = trials_of(loaded.edition, loaded.changes, games, 1)
    report = run_trials(trials, loaded.edition, 2, lambda done: None, patience)
    assert report.games >= games - 1
    ids = actions_of(loaded.changes, loaded.edition)
    return [found for found in report.findings(ids) if found.serious], loaded.edition


def test_a_free_action_that_changes_nothing_is_an_endless_loop(tmp_path: Path) -> None:
    rules = HEAD + action("spin", "kind=NORMAL_MAGIC, timing=MAIN", "Look(),")
    found, edition = findings(package(tmp_path, "spin", rules))
    loop = next(one for one in found if one.kind == "loop")
    assert loop.id == "spin"
    assert "spin" in loop.en
    game = bp.Game.from_record(loop.record, edition=edition)
    assert 0 < len(game.history) <= 4, "the loop itself and nothing before it"


def test_a_choice_that_never_comes_back_is_found(tmp_path: Path) -> None:
    rules = HEAD + action(
        "loop", "kind=NORMAL_MAGIC, timing=MAIN, immediate=True, cost='L'", "Raise(ActionName('loop')),"
    )
    found, edition = findings(package(tmp_path, "loop", rules), games=2, patience=1.0)
    hang = next(one for one in found if one.kind in ("hang", "crash"))
    assert "loop" in hang.en or hang.kind == "crash"
    bp.Game.from_record(hang.record, edition=edition)


def test_dead_actions_are_named_with_a_record_and_the_reason(tmp_path: Path) -> None:
    rules = HEAD + action("far", "kind=NORMAL_MAGIC, timing=MAIN, cost='BBBBBBBB'", "Draw(1),")
    found, edition = findings(package(tmp_path, "far", rules), games=20)
    assert [(one.kind, one.id) for one in found] == [("never", "far")]
    assert "R-" in found[0].en or "because" in found[0].en
    assert bp.Game.from_record(found[0].record, edition=edition).outcome() is not None
    rules = HEAD + action("dud", "kind=NORMAL_MAGIC, timing=MAIN, cost='L'", "If(LifeOf(ME).at_least(60), (Draw(1),)),")
    found, edition = findings(package(tmp_path, "dud", rules), games=20)
    assert [(one.kind, one.id) for one in found] == [("vain", "dud")]
    assert "dud" in bp.Game.from_record(found[0].record, edition=edition).record()


def test_a_turn_that_cannot_end_is_found(tmp_path: Path) -> None:
    rules = HEAD + "edition = base.change('end', direct=False)\n"
    found, _ = findings(package(tmp_path, "stuck", rules), games=6)
    assert {one.kind for one in found} & {"still", "loop", "broken", "endless", "never"}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (
            "old = base.find('up').effect[0]\nedition = base.change('up', effect=(replace(old, steps=(Draw(1),)),))\n",
            ["steps of this sentence", "steps of this sentence"],
        ),
        (
            "edition = base.change('up', target=replace(base.find('up').target, whose=Whose.MINE))\n",
            ["target has changed", "target has changed"],
        ),
        (
            "edition = base.change('entry', cards='SA S2 S3 S4 S5 S6 S7 S8 S9 S10', exactly=10, most=10)\n",
            ["it has changed", "it has changed"],
        ),
        ("edition = base.change('up', ja='上げる', en='Raise')\n", []),
        ("edition = base.change('next_generation', ja='次の世代')\n", ["still speaks of"]),
        (
            "old = base.find('up').effect[0]\n"
            "edition = base.change('up', effect=(Clause('1枚引く。', 'Draw a card.', (Draw(1),)),))\n",
            [],
        ),
    ],
)
def test_texts_left_over_from_the_rule_before(rules: str, words: list[str], tmp_path: Path) -> None:
    found = load_all([package(tmp_path, "texts", HEAD + rules)])[-1].stale_texts()
    assert bool(found) == bool(words), found
    for error, word in zip(found, words, strict=False):
        assert word in str(error)
        assert error.file.name == "rules.py"
        assert error.line >= 5


def test_the_worked_example_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Check(HOUSE, [], tmp_path / "check", "en").run(100, 1, 2) == 0
    out = capsys.readouterr().out
    assert "scenarios: all 4 hold" in out
    assert "trial games: 100" in out
    assert "Nothing is wrong with it." in out
    assert not (tmp_path / "check").exists()


def test_findings_are_reported_and_their_records_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = HEAD + action("spin", "kind=NORMAL_MAGIC, timing=MAIN", "Look(),")
    path = package(tmp_path, "spin", rules)
    (path / "scenarios").mkdir()
    (path / "scenarios" / "bad.toml").write_text('id = "x"\n[position]\n[script]\nplay = """\nexpect p1.hand 9\n"""\n')
    assert Check(path, [], tmp_path / "check", "ja").run(20, 1, 2) == 1
    out = capsys.readouterr().out
    assert "bad.toml:5: expect p1.hand 9" in out, out
    assert "無限ループ" in out
    records = list((tmp_path / "check").glob("*-loop-spin.record"))
    assert len(records) == 1
    assert str(records[0]) in out


def test_a_package_that_ends_the_process_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unlike ``SystemExit``, which Python can catch, this ends the process without any output."""
    path = package(tmp_path, "gone", "import os\n\nfrom blackpoker.define import base\n\nos._exit(0)\nedition = base\n")
    assert run(["rules", "check", str(path), "--games", "2"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "ends the process that loads it (exit code 0)" in output.err
