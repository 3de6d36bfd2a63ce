"""Names of players, units, requests and trumps in the notation (docs/notation.md)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.rules.cards import NAMES
from blackpoker.rules.state import ROW_CODE, SIDE_CODE, State, Unit
from blackpoker.rules.request import PLAYER, REQUEST, TRUMP, UNIT, Request

PLAYERS: Final[list[str]] = ["p1", "p2"]


def unit_place(s: State, owner: i64, unit: Unit) -> str:
    """A soldier by its first card, a bulwark by its place: never by its face."""
    place = 0
    for other in s.sides[owner].bulwarks:
        place += 1
        if other is unit:
            return f"b{place}"
    return NAMES[unit.lead]


def code_place(code: i64) -> str:
    """The unit an option names, without its side."""
    rest = code % SIDE_CODE
    return f"b{rest - ROW_CODE + 1}" if rest >= ROW_CODE else NAMES[rest]


def target_text(s: State, request: Request) -> str:
    """What the request is aimed at; empty if at nothing or at something that is gone."""
    kind = request.target_kind
    target = request.target
    if kind == UNIT:
        unit = s.unit(target)
        if unit is None:
            return ""
        owner = s.owner_of(target)
        return PLAYERS[owner] + "." + unit_place(s, owner, unit)
    if kind == REQUEST:
        place = 0
        for staged in s.stage:
            place += 1
            if staged.id == target:
                return f"#{place}"
        return ""
    if kind == PLAYER:
        return PLAYERS[target]
    if kind == TRUMP:
        owner = target // 64
        place = 0
        for card in s.sides[owner].trumps:
            place += 1
            if card == target % 64:
                return f"{PLAYERS[owner]}.t{place}"
    return ""
