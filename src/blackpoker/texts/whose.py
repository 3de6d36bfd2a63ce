"""Whose card a question offers: the same card may lie on both sides of the table."""

from __future__ import annotations

from blackpoker.rules.state import CARD_KIND, ORDER_KIND, State


def card_owner(s: State) -> int:
    """The player whose cards the present options are."""
    active = s.active
    if active is not None and s.kind in (CARD_KIND, ORDER_KIND):
        whose = s.rules.plans[active.action].program[s.place].step.facts().whose
        if whose is not None:
            return int(whose.player(s, active))
    return int(s.asked)
