"""The owner of the offered cards: the same card may exist on both sides of the table."""

from __future__ import annotations

from blackpoker.engine.state import CARD_KIND, ORDER_KIND, State


def owner_of_offered_cards(s: State) -> int:
    """Return the player who owns the cards among the current options."""
    active = s.active
    if active is not None and s.kind in (CARD_KIND, ORDER_KIND):
        owner = s.rules.plans[active.action].program[s.pc].step.traits().offered_cards_owner
        if owner is not None:
            return int(owner.player(s, active))
    return int(s.asked)
