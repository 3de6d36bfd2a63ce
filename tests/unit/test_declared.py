"""A request that waits for triggers of its cost is visible, and so is a card that Repair has chosen (R-30, R-108)."""

import msgspec
import pytest

import blackpoker as bp
from blackpoker.game.assistant import Assistant

DEMON = """format = "extra"
[p1]
hand = "CK"
life = "HQ C2 DK +10"
field = "SJ+H5 DQ"
grave = "C4 H6 D7"
trumps = "T:SK"
"""
RIOT = """format = "extra"
[p1]
life = 2
hand = "H3 C9"
field = "H5"
[p2]
trumps = "T:C5"
"""
REPAIR = """format = "extra"
[p1]
life = 1
field = "D5"
grave = "DJ"
trumps = "T:D8"
"""


def test_a_request_is_seen_while_triggers_of_its_cost_are_carried_out() -> None:
    game = bp.Game.from_position(DEMON)
    game.push_text("summon_demon_lord CK $SJ $DQ")
    assert Assistant(game).kind != "chance"
    for audience in bp.Audience:
        shown = game.view(audience)
        assert [(request.action, request.keys) for request in shown.declared] == [("summon_demon_lord", ["CK"])]
        assert "summon_demon_lord" not in [request.action for request in shown.stage]
    assert "requested: P1 Summon Demon Lord ♣K" in game.board(bp.Player.P2)
    assert msgspec.to_builtins(game.view(bp.Player.P2))["declared"][0]["keys"] == ["CK"]
    while game.view(bp.Player.P2).declared:
        game.push(game.options[0])
    assert [request.action for request in game.view(bp.Player.P2).stage] == ["summon_demon_lord"]


@pytest.mark.parametrize(
    ("position", "move", "action", "key"),
    [(RIOT, "up H3 $C9 >p1.H5", "up", "H3"), (REPAIR, "repair >p1.D5", "equip", "DJ")],
)
def test_the_key_is_seen_when_the_game_ends_meanwhile(position: str, move: str, action: str, key: str) -> None:
    game = bp.Game.from_position(position)
    game.push_text(move)
    while game.options:
        game.push(game.options[-1])
    assert game.outcome() == bp.Outcome(bp.Player.P2, "life")
    for audience in bp.Audience:
        assert [(request.action, request.keys) for request in game.view(audience).declared] == [(action, [key])]
    assert bp.Game.from_json(game.to_json()).view(bp.Player.P2) == game.view(bp.Player.P2)


def test_nothing_is_declared_on_the_stage() -> None:
    game = bp.Game.from_position('stage = ["p1: up H3 >p1.S5"]\n[p1]\nfield = "S5"\n')
    assert game.view(bp.Player.P1).declared == []
