"""Scores of payments for a request."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.position_summary import PositionSummary
from blackpoker.engine.cards import VALUE
from blackpoker.engine.engine import Engine


def payment_score(here: PositionSummary, s: Engine, option: i64) -> i64:
    """Score driving this bulwark as payment; the poorest blocker scores best, as faces cost life when they fall."""
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    card: i64 = unit.lead
    if card >= 52:
        return -20
    value: i64 = VALUE[card]
    if value == 1 or value > 10:
        return 10
    theirs = s.sides[1 - here.me]
    for soldier in theirs.soldiers:
        if soldier.base == value:
            return -10
    return 0
