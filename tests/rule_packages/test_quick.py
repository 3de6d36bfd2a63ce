"""Local rules that turn main actions into quick ones: R-25 and R-119 define the result."""

from __future__ import annotations

from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker.define import QUICK
from blackpoker.game.assistant import Assistant
from blackpoker.ruleset import Regulation, standard_edition
from tests.rule_packages.test_check import HEAD, findings
from tests.rule_packages.test_load import package


def game(position: str, *quick: str) -> bp.Game:
    """Return a game from a position of Extra in which these actions are quick."""
    edition = standard_edition()
    for id in quick:
        edition = edition.change(id, "actions", timing=QUICK)
    return bp.Game.from_position('format = "extra"\n' + position, seed=1, edition=edition.rename("quick"))


def named(step: bp.GameStep, name: str) -> list[bp.EventView]:
    return [event for event in step.event_views(bp.Audience.PUBLIC) if event.event == name]


PURSUIT = """
[p1]
hand = "H3 C9 C2 C3"
field = "S5(d)"
bulwarks = "D2"
trumps = "T:H5"
[p2]
field = "H6"
"""


def test_pursuit_answers_something_and_its_attack_is_discarded() -> None:
    played = game(PURSUIT, "pursuit")
    played.push_text("up H3 $C9 >p1.S5")
    step = played.push(played.parse("pursuit $b1 $C2 $C3"))
    assert [event.action for event in named(step, "raised")] == ["attack"]
    (dropped,) = named(step, "dropped")
    assert (dropped.action, dropped.player) == ("attack", "p1")
    assert "Your Attack is discarded: a main action needs an empty stage." in step.lines("en", bp.Player.P1)
    assert "P1's Attack is discarded: a main action needs an empty stage." in step.lines("en", bp.Player.P2)
    assert "あなたの「アタック」は、ステージが空でないので破棄された。" in step.lines("ja", bp.Player.P1)
    assert [request.action for request in played.view(bp.Player.P1).stage] == ["up"]
    assert not played.view(bp.Player.P1).p1.soldiers[0].driven, "the rest of its effect happened"
    assert played.player == bp.Player.P1
    assert Assistant(played).kind == "chance"
    again = bp.Game.from_record(played.record(), edition=played.regulation.edition)
    assert again.events(bp.Audience.PUBLIC) == played.events(bp.Audience.PUBLIC)


def test_pursuit_on_an_empty_stage_is_the_known_one() -> None:
    played = game(PURSUIT, "pursuit")
    played.push_text("pursuit $b1 $C2 $C3")
    assert [request.action for request in played.view(bp.Player.P1).stage] == ["attack"]


PHANTOM = """
[p1]
hand = "H3 C9 S7"
field = "S5"
bulwarks = "D2"
trumps = "T:H7"
[p2]
field = "H6"
"""


def test_phantom_is_a_response_and_discards_cause_no_pass() -> None:
    played = game(PHANTOM, "phantom")
    played.push_text("up H3 $C9 >p1.S5")
    step = played.push(played.parse("phantom $b1 >p1.b1"))
    reverse = next(plan for plan in played._engine.rules.plans if plan.id == "reverse")
    assert reverse.main
    assert [event.action for event in named(step, "dropped")] == ["reverse"]
    assert (played.player, Assistant(played).kind) == (bp.Player.P1, "chance"), (
        "R-105: nothing was put on the stage, so nobody passes"
    )
    assert played.view(bp.Player.P1).passed == []


def test_phantom_on_an_empty_stage_passes_as_ever() -> None:
    played = game(PHANTOM, "phantom")
    played.push_text("phantom $b1 >p1.b1")
    assert [request.action for request in played.view(bp.Player.P1).stage] == ["reverse"]
    assert played.player == bp.Player.P2
    assert played.view(bp.Player.P1).passed == ["p1"]


def test_the_key_of_what_is_discarded_goes_to_the_grave() -> None:
    played = game(
        """
[p1]
hand = "H3 C9"
field = "D5"
grave = "DQ S4"
trumps = "T:D8"
""",
        "repair",
    )
    played.push_text("up H3 $C9 >p1.D5")
    played.push_text("repair >p1.D5")
    step = played.push(played.parse("DQ"))
    assert [event.action for event in named(step, "dropped")] == ["equip"]
    assert [event.cards for event in named(step, "keys_spent")] == [["DQ"]]
    side = played.view(bp.Player.P1).p1
    assert "DQ" in (side.grave.cards or [])
    assert side.grave.top == "DQ"
    assert played.view(bp.Player.P1).passed == []


def test_a_quick_attack_above_something_is_no_fight() -> None:
    played = game(PURSUIT.replace("S5(d)", "S5 S9"), "attack")
    played.push_text("up H3 $C9 >p1.S5")
    for text in ("attack", "pass", "pass", "S9 done"):
        played.push_text(text)
    assert [soldier.role for soldier in played.view(bp.Player.P1).p1.soldiers] == [None, None]
    assert [request.action for request in played.view(bp.Player.P1).stage] == ["up"]


REANIMATOR = """
[p1]
hand = "H3 C9"
field = "SJ+H6 S5"
bulwarks = "D2"
trumps = "T:S2 t:S3"
[p2]
field = "H4"
bulwarks = "C4"
"""


def refused(played: bp.Game, action: str) -> str:
    why = Assistant(played).why_not(action)
    return "" if why is None else f"{why.ruling} {why.en}"


def test_drive_abilities_need_an_empty_stage_of_their_own() -> None:
    """R-119: the reanimator, the chariot, the ♠ soldiers under Slash, also if the action they raise is quick."""
    needs = "R-119 this ability needs an empty stage"
    played = game(REANIMATOR, "reanimate", "slash", "destroy_bulwark")
    assert {"reanimate@", "slash"} <= set(played.decision.words if played.decision else [])
    played.push_text("up H3 $C9 >p1.S5")
    assert refused(played, "reanimate@") == needs
    assert refused(played, "slash") == needs
    with pytest.raises(bp.IllegalMove, match="R-119") as caught:
        played.push_text("slash @S5 >p2.H4")
    assert "ステージが空" in caught.value.ja
    chariot = game(REANIMATOR.replace("SJ+H6", "HJ+D6"), "destroy_bulwark")
    assert "destroy_bulwark@" in (chariot.decision.words if chariot.decision else [])
    chariot.push_text("up H3 $C9 >p1.S5")
    assert refused(chariot, "destroy_bulwark@") == needs


def test_the_page_of_quick_slash_states_its_speed() -> None:
    edition = standard_edition().change("slash", "actions", timing=QUICK).rename("quick")
    from blackpoker.text.rulebook import Book

    assert "Only while the stage is empty." in Book(edition, "en").action(edition.find("slash", "actions")).notes
    assert (
        "Only while the stage is empty."
        not in Book(standard_edition(), "en").action(standard_edition().find("slash", "actions")).notes
    )


def test_whole_games_play_on(tmp_path: Path) -> None:
    """Trial games with such a package: no invariant fails, nothing hangs."""
    quick = ("pursuit", "phantom", "repair", "attack", "slash", "reanimate")
    rules = (
        HEAD
        + "edition = base\n"
        + "".join(f"edition = edition.change({id!r}, 'actions', timing=QUICK)\n" for id in quick)
    )
    found, edition = findings(package(tmp_path, "quick", rules), games=40)
    assert [one for one in found if one.kind != "never"] == []
    assert Regulation.parse("extra+full", edition)
