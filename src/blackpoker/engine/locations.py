"""Locations: names of players, units, requests and trumps in the notation (docs/notation.md)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.cards import NAMES
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.state import ROW_CODE, SIDE_CODE, State, Unit
from blackpoker.engine.views import Location, Player

PLAYERS: Final[tuple[Player, ...]] = (Player.P1, Player.P2)


def unit_location(s: State, owner: i64, unit: Unit) -> str:
    """Return the name of a unit: a soldier's first card, or a bulwark's position in the row, never its face."""
    place = 0
    for other in s.sides[owner].bulwarks:
        place += 1
        if other is unit:
            return f"b{place}"
    return NAMES[unit.lead]


def option_location(code: i64) -> str:
    """Return the name of the unit that an option encodes, without its side."""
    rest = code % SIDE_CODE
    return f"b{rest - ROW_CODE + 1}" if rest >= ROW_CODE else NAMES[rest]


def location_of_unit(s: State, owner: i64, unit: Unit) -> Location:
    name = unit_location(s, owner, unit)
    return Location(f"{PLAYERS[owner]}.{name}", "unit", PLAYERS[owner], name)


def location_of_target(s: State, kind: i64, target: i64) -> Location | None:
    """Return the location of a request's target; None if it has none or the target is gone."""
    if kind == UNIT:
        unit = s.unit(target)
        return None if unit is None else location_of_unit(s, s.owner_of(target), unit)
    if kind == REQUEST:
        number = 0
        for staged in s.stage:
            number += 1
            if staged.id == target:
                return Location(f"#{number}", "request", PLAYERS[staged.controller], str(number))
        return None
    if kind == PLAYER:
        return Location(PLAYERS[target], "player", PLAYERS[target], PLAYERS[target])
    if kind == TRUMP:
        owner = target // 64
        number = 0
        for card in s.sides[owner].trumps:
            number += 1
            if card == target % 64:
                return Location(f"{PLAYERS[owner]}.t{number}", "trump", PLAYERS[owner], f"t{number}")
    return None


def target_text(s: State, request: Request) -> str:
    """Return the request's target in the notation; empty if it has none or the target is gone."""
    location = location_of_target(s, request.target_kind, request.target)
    return "" if location is None else location.text
