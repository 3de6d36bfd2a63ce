"""Readable names of cards, in both languages, and the owner of offered cards."""

from __future__ import annotations

from blackpoker.engine.cards import JOKER, SIGNS, members
from blackpoker.engine.state import CARD_KIND, ORDER_KIND, State


def sign(card: int) -> str:
    """Return suit and number; both Jokers are "Joker"."""
    return SIGNS[card] if card < JOKER else "Joker"


def cards_list(cards: int) -> str:
    return " ".join(sign(card) for card in members(cards))


def owner_of_offered_cards(s: State) -> int:
    """Return the player who owns the cards among the current options; a card may exist on both sides of the table."""
    active = s.active
    if active is not None and s.kind in (CARD_KIND, ORDER_KIND):
        owner = s.rules.plans[active.action].program[s.pc].step.traits().offered_cards_owner
        if owner is not None:
            return int(owner.player(s, active))
    return int(s.asked)
