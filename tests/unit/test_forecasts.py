"""Forecasts at the edges of a game: certain losses are warned of on both sides, and nothing else is."""

from __future__ import annotations

import pytest

import blackpoker as bp
from blackpoker.assist import draft_text
from blackpoker.assist.autopass import AssistSettings
from blackpoker.assist.forecast import WORLDS, world_of
from blackpoker.engine.cards import NAMES
from blackpoker.game.assistant import Assistant

LANCE = """format = "master"
[p1]
life = {life}
hand = "S7 D5 S4 C9 C4"
field = "H10"
[p2]
life = {rival}
hand = "{hand}"
field = "D10"
"""


def lance(life: int = 20, rival: int = 20, hand: str = "C2 H4 D3") -> bp.Game:
    return bp.Game.from_position(LANCE.format(life=life, rival=rival, hand=hand))


def asked(game: bp.Game) -> bp.Decision:
    decision = game.decision
    assert decision is not None
    return decision


@pytest.mark.parametrize(("rival", "lethal"), [(6, ["p2"]), (7, [])])
def test_the_victim_of_a_lethal_lance_is_warned(rival: int, lethal: list[str]) -> None:
    """The soldier goes onto the life first, then seven cards are lost."""
    game = lance(rival=rival)
    draft = game.draft(game.parse("death_lance S7 D5 >p2.D10"))
    assert draft.forecast.lethal_for == lethal
    game.push_text("death_lance S7 D5 >p2.D10")
    game.push_text("pass")
    outlook = asked(game).outlook
    assert outlook.lethal_for == lethal
    found = {(one.kind, one.location): (one.number, one.previous, one.life) for one in outlook.results}
    assert found["damage", "player:p2"] == (7, rival, max(0, rival - 6))
    assert ("leaves", "unit:p2:D10") in found
    passes = next(option for option in asked(game).options if option.text == "pass")
    assert passes.warnings == (["lose"] if lethal else [])
    assert (Assistant(game).automatic(AssistSettings()).option is None) or not lethal


def test_a_lance_at_an_own_soldier_forecasts_the_life_left() -> None:
    game = lance(life=7)
    draft = game.draft(game.parse("death_lance S7 D5 >p1.H10"))
    texts = [one.text.text for one in draft_text.with_texts(draft, draft.results, "en")]
    assert "7 damage to you (life 7 → 1)" in texts
    assert "lose" not in draft.warnings
    assert {"life", "own_unit"} <= set(draft.warnings)


@pytest.mark.parametrize(("life", "warned"), [(4, True), (5, False)])
def test_ending_the_turn_into_a_certain_loss_is_warned(life: int, warned: bool) -> None:
    """Nine cards: two discards, and each deals two damage while the opponent's Civil War is open."""
    game = bp.Game.from_position(
        f'format = "extra"\n[p1]\nlife = {life}\nhand = "H2 H3 H4 H5 H6 H7 H8 H9 H10"\n[p2]\ntrumps = "T:C5"\n'
    )
    end = next(option for option in asked(game).options if option.text == "end")
    assert ("lose" in end.warnings) == warned


def test_a_forecast_depends_on_nothing_hidden() -> None:
    """The opponent's hand, and the number of cards in a life that is not counted, change no forecast."""
    one, other = lance(rival=20, hand="C2 H4 D3"), lance(rival=31, hand="SK JK DQ")
    for text in ("death_lance S7 D5 >p2.D10", "throw S4 C9", "throw S7 C4"):
        found = [game.draft(game.parse(text)).forecast for game in (one, other)]
        assert found[0].results == found[1].results
        assert found[0].lethal_for == found[1].lethal_for == []


def test_every_card_may_be_everywhere() -> None:
    """In the worlds of a forecast each hidden place has many different cards, and known ones stay."""
    engine = lance()._engine
    hands = [
        {name for name, at in zip(NAMES, range(54), strict=True) if world_of(engine, n).sides[1].hand >> at & 1}
        for n in range(WORLDS)
    ]
    assert len(set().union(*hands)) > 30
    assert {world_of(engine, n).sides[0].hand for n in range(WORLDS)} == {engine.sides[0].hand}
