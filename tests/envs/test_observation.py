"""An observation is the seat's view as bytes: it decodes to the view and hides what the view hides."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator

import pytest

from blackpoker.engine.cards import NAMES
from blackpoker.engine.engine import Engine
from blackpoker.engine.observation import STAGE_ROWS, encode
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import State
from blackpoker.engine.views import BulwarkView, SoldierView, View
from blackpoker.envs.layout import FIELD, FIELDS, SIZE, decode
from blackpoker.notation.options import view_of
from blackpoker.ruleset import Regulation, new_game
from tests.hidden_cards import permute_hidden

SIXTH = ("lite+entry", "master+full", "extra+full", "master+random40+pack", "extra+full+preset4")
REGULATIONS = (*SIXTH, "9:lite+entry16", "9:master+strategy", "9:master+extra", "9:pro+draft")


def observed(s: State, seat: int) -> list[int]:
    row = [0] * SIZE
    encode(s, seat, row)
    return row


def positions(regulation: str, games: int) -> Iterator[Engine]:
    """Yield every decision of some random games, and the final positions."""
    for seed in range(games):
        dice = random.Random(seed)
        engine = new_game(Regulation.parse(regulation), seeded(seed))
        engine.advance()
        while engine.options:
            yield engine
            engine.push(dice.choice(engine.options))
        yield engine


def renumbered(engine: Engine, seat: int) -> View:
    """Return the seat's view with units and requests numbered as ``decode`` numbers them."""
    shown = copy.deepcopy(view_of(engine, seat))
    units: dict[int, int] = {}
    for owner in range(2):
        for soldier in engine.sides[owner].soldiers:
            units[soldier.id] = int(engine.code_of(0 if owner == seat else 1, soldier)) + 1
        for place, bulwark in enumerate(engine.sides[owner].bulwarks):
            units[bulwark.id] = 1 + 64 + place + (0 if owner == seat else 128)
    for side in (shown.p1, shown.p2):
        side.fogs.sort(key=lambda fog: NAMES.index(fog.cards[0]))  # a row does not have their order
        both: tuple[SoldierView | BulwarkView, ...] = (*side.soldiers, *side.bulwarks)
        for unit in both:
            unit.id = units[unit.id]
            unit.blocks = None if unit.blocks is None else units[unit.blocks]
    staged = {request.id: place + 1 for place, request in enumerate(shown.stage)}
    for request in shown.stage:
        request.id = staged[request.id]
    del shown.stage[STAGE_ROWS:]  # further ones are only counted
    shown.declared.clear()  # a row has no request that waits for a trigger check
    if shown.resolving is not None:
        shown.resolving.id = 0
    decision = shown.decision
    if decision is not None:
        for place, word in enumerate(decision.chosen):
            if word.startswith("request "):
                decision.chosen[place] = f"request {staged.get(int(word[8:]), 0)}"
            elif word.startswith("unit "):
                decision.chosen[place] = "unit 0"
    return shown


def test_the_layout_has_no_gaps() -> None:
    end = 0
    for field in FIELDS:
        assert field.at == end, field.name
        end = field.end
    assert end == SIZE


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_row_reads_back_as_the_view(regulation: str) -> None:
    rules = Regulation.parse(regulation).rules()
    n = laid = 0
    for engine in positions(regulation, 12):
        for seat in range(2):
            options = engine.options if engine.asked == seat else []
            row = observed(engine, seat)
            assert all(0 <= each <= 255 for each in row)
            assert decode(row, rules, options) == renumbered(engine, seat)
            laid += len(engine.sides[seat].fogs)
            assert row[FIELD["theirs.life"].at] <= 10  # counts that the view hides are not in the bytes either
            assert row[FIELD["theirs.pack"].at + 1] == 0 or regulation not in SIXTH
            n += 1
    assert n > 1000
    assert (laid > 0) == (regulation not in SIXTH)


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_exchanged_hidden_cards_change_no_byte(regulation: str) -> None:
    source = seeded(5)
    changed = 0
    for engine in positions(regulation, 6):
        for seat in range(2):
            other = engine.copy()
            permute_hidden(other, seat, source)
            changed += other.sides[1 - seat].hand != engine.sides[1 - seat].hand
            assert observed(other, seat) == observed(engine, seat)
    assert changed > 100
