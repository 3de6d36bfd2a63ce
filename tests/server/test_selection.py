"""A set can be entered in any order: every possible member is offered, and nothing else."""

from __future__ import annotations

from itertools import permutations

import pytest

from blackpoker.protocol import messages as p
from tests.server.test_planned_attacks import Table, last

#: nine cards at the end of a turn: two must go (R-51)
FULL = """format = "lite"
turn_number = 5
[p1]
life = 14
hand = "S2 S3 S4 S5 S6 S7 H8 D9 CK"
[p2]
life = 20
hand = "D9 D2"
"""


def ending() -> tuple[Table, p.Prompt]:
    table = Table(FULL)
    update = last(table.act("a", "end"), p.Update)
    assert isinstance(update, p.Update)
    assert update.prompt is not None
    return table, update.prompt


def drafted(table: Table, *words: str) -> p.PreviewResult:
    (answer,) = table.send("a", p.PreviewMove(3, table.room.room_game.seq, list(words)))
    assert isinstance(answer, p.PreviewResult), answer
    return answer


def test_all_cards_are_offered_whichever_is_named_first() -> None:
    """Including the last one: the rules list a set in ascending order and could not begin with it."""
    table, ask = ending()
    assert [option.token for option in ask.options] == ["S2", "S3", "S4", "S5", "S6", "S7", "H8", "D9", "CK"]
    part = drafted(table, "CK")
    assert (part.tokens, part.complete) == (["CK"], False)
    assert [option.token for option in part.options] == ["S2", "S3", "S4", "S5", "S6", "S7", "H8", "D9"]
    assert "1 to go" in part.prompt


@pytest.mark.parametrize("cards", list(permutations(("S2", "H8", "CK"), 2)))
def test_two_cards_in_any_order_are_the_same_two(cards: tuple[str, str]) -> None:
    """Afterwards the visible card is asked for (R-211); the whole move includes it."""
    table, _ = ending()
    shown = drafted(table, *cards)
    assert (shown.kind, {option.token for option in shown.options}) == ("shown", {f"^{card}" for card in cards})
    whole = drafted(table, *cards, f"^{cards[0]}")
    assert whole.complete
    assert [step.token for step in whole.steps] == whole.tokens
    table.act("a", *cards, f"^{cards[0]}")
    game = table.room.room_game.game
    assert game is not None
    hand = game.view(0).p1.hand.cards
    assert hand is not None
    assert not set(cards) & set(hand)
    assert len(hand) == 7


@pytest.mark.parametrize("words", [("CK", "CK"), ("D2",), ("CK", "S2", "S3"), ("CK", "^CK")])
def test_unknown_sets_are_refused(words: tuple[str, ...]) -> None:
    table, _ = ending()
    (answer,) = table.send("a", p.PreviewMove(3, table.room.room_game.seq, list(words)))
    assert isinstance(answer, p.Error)
    assert answer.code == "illegal"
