"""Selections of attackers and blockers, tap by tap."""

from __future__ import annotations

from blackpoker.assist.block_previews import block_previews
from blackpoker.assist.fight_selection import FightSelection, select_attackers, select_blockers
from blackpoker.engine.engine import Engine
from blackpoker.game.game import Game

POSITION = """format = "lite"
turn = "p2"
chance = "p2"
turn_number = 6
[p1]
life = 14
hand = "H2"
field = "H3 D4"
bulwarks = "C5"
[p2]
life = 15
hand = "C2"
field = "S6 S9"
"""


def attack(kind: str) -> Engine:
    """Return the state in which attackers or blockers are chosen."""
    game = Game.from_position(POSITION)
    for move in ("attack", "pass", "pass"):
        game.push(game.parse(move))
    if kind == "blockers":
        for move in ("S6 S9", "pass", "pass"):
            game.push(game.parse(move))
    return game._engine


def block(engine: Engine, found: FightSelection, tap: str, attacker: str = "") -> FightSelection:
    return select_blockers(engine, found.blocks, attacker or found.attacker, tap)


def test_a_tap_adds_an_attacker_and_a_second_one_takes_it_back() -> None:
    engine = attack("attackers")
    found = select_attackers(engine, [], "S9")
    assert (found.draft.text, found.draft.complete, found.picks) == ("S9", True, ["unit:p2:S9"])
    found = select_attackers(engine, found.draft.words, "S6")
    assert found.draft.text == "S6 S9", "in the order of the field"
    found = select_attackers(engine, found.draft.words, "S9")
    assert (found.draft.text, found.refusal) == ("S6 done", None)
    assert select_attackers(engine, [], "").draft.text == "done"


def test_an_attacker_that_cannot_attack_is_refused_with_a_reason() -> None:
    engine = attack("attackers")
    found = select_attackers(engine, ["S6"], "H3")
    assert found.draft.text == "S6 done"
    assert found.reason("en")
    assert found.reason("ja") != found.reason("en")


def test_blockers_join_and_the_next_attacker_without_one_follows() -> None:
    engine = attack("blockers")
    found = block(engine, select_blockers(engine, {}, "", ""), "H3")
    assert (found.blocks, found.attacker) == ({"S6": ["H3"]}, "S9")
    found = block(engine, found, "D4", "S6")
    assert found.blocks == {"S6": ["H3", "D4"]}
    assert found.picks == ["unit:p1:H3", "unit:p1:D4"]
    found = block(engine, found, "H3", "S9")
    assert found.blocks == {"S6": ["D4"], "S9": ["H3"]}, "it blocks one attacker"
    assert block(engine, found, "H3", "S9").blocks == {"S6": ["D4"]}


def test_a_bulwark_replaces_the_soldiers_it_cannot_block_with() -> None:
    """R-62: one bulwark, or one or more soldiers."""
    engine = attack("blockers")
    found = block(engine, select_blockers(engine, {}, "", ""), "H3")
    found = block(engine, found, "b1", "S6")
    assert (found.blocks, found.refusal) == ({"S6": ["b1"]}, None)


def test_a_refused_blocker_changes_nothing() -> None:
    engine = attack("blockers")
    found = select_blockers(engine, {"S6": ["H3"]}, "S6", "S9")
    assert (found.blocks, found.attacker) == ({"S6": ["H3"]}, "S6")
    assert found.reason("ja")


def test_previews_agree_with_the_selection_they_lead_to() -> None:
    engine = attack("blockers")
    previews = block_previews(select_blockers(engine, {"S9": ["D4"]}, "S6", ""))
    assert (previews.attacker, previews.chosen) == ("S6", {"S9": ["D4"]})
    assert {one.token for one in previews.previews} == {"H3", "D4", "b1"}
    for one in previews.previews:
        after = select_blockers(engine, {"S9": ["D4"]}, "S6", one.token)
        assert one.clash in after.draft.forecast.clashes, one.token
