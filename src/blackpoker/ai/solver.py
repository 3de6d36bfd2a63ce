"""Proof by search: can a player force a win before the turn ends?

The solver knows all cards, as the author of a puzzle does, and searches the real position option by option. One of the
player's own choices must work; all of the opponent's must fail. A search beyond the budget is UNKNOWN, and nothing that
depends on an UNKNOWN is proven.
"""

from __future__ import annotations

from typing import Final

from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, UNDECIDED
from blackpoker.engine.state import Side

NO: Final = 0
YES: Final = 1
UNKNOWN: Final = 2


class Solver:
    """Proves whether ``seat`` can force a win in the current turn. ``banned``: an action ``mover`` may not request."""

    def __init__(self, seat: int, turn: int, budget: int, mover: int = -1, banned: int = -1) -> None:
        self.seat = seat
        self.turn = turn
        self.ledger = budget
        self.mover = mover
        self.banned = banned
        self.nodes: int = 0
        self.known: dict[tuple[object, ...], int] = {}

    def wins(self, s: Engine) -> int:
        """Return NO, YES or UNKNOWN. ``s`` is modified by forced decisions: pass a copy."""
        while True:
            if s.winner != UNDECIDED:
                return YES if s.winner == self.seat else NO
            if s.turn_number != self.turn:
                return NO
            options = s.options
            chance = s.kind == CHANCE_KIND and s.draft is None
            if chance and self.banned >= 0 and s.asked == self.mover:
                options = [option for option in options if option != self.banned + 1]
            if len(options) != 1:
                break
            s.push(options[0])
        self.nodes += 1
        if self.nodes > self.ledger:
            return UNKNOWN
        key: tuple[object, ...] = ()
        if chance:
            key = key_of(s)
            found = self.known.get(key)
            if found is not None:
                return found
        result = self.best(s, options)
        if chance and result != UNKNOWN:
            self.known[key] = result
        return result

    def best(self, s: Engine, options: list[int]) -> int:
        mine = s.asked == self.seat
        result = NO if mine else YES
        for option in options:
            child = s.copy()
            child.push(option)
            value = self.wins(child)
            if value == (YES if mine else NO):
                return value
            if value == UNKNOWN:
                result = UNKNOWN
                if self.nodes > self.ledger:
                    break
        return result


def key_of(s: Engine) -> tuple[object, ...]:
    """Return everything that determines what can follow from a chance."""
    stage = tuple(
        (r.id, r.action, r.controller, r.keys, r.virtual, r.target_kind, r.target, r.source, r.amount) for r in s.stage
    )
    return (s.chance, s.passed, s.stall, s.forced_pass, s.turn, s.next_id, stage, *map(_side, s.sides))


def _side(side: Side) -> tuple[object, ...]:
    return (
        tuple(side.life),
        side.hand,
        side.grave,
        tuple(side.trumps),
        side.open_trumps,
        side.pack,
        side.pack_open,
        side.fresh,
        side.bonus,
        side.used,
        side.used_game,
        side.requests,
        tuple((u.id, u.cards, u.driven, u.bonus, u.role, u.blocks) for u in side.soldiers),
        tuple((u.id, u.cards, u.driven, u.role, u.blocks) for u in side.bulwarks),
    )
