"""The owner of the offered cards: the same card may exist on both sides of the table."""

from __future__ import annotations

from blackpoker.rules.state import CARD_KIND, ORDER_KIND, State


def card_owner(s: State) -> int:
    """Return the player who owns the cards among the current options."""
    active = s.active
    if active is not None and s.kind in (CARD_KIND, ORDER_KIND):
        whose = s.rules.plans[active.action].program[s.place].step.facts().whose
        if whose is not None:
            return int(whose.player(s, active))
    return int(s.asked)
