"""Cards as people read them, in both languages."""

from __future__ import annotations

from blackpoker.rules.cards import JOKER, SIGNS, members


def sign(card: int) -> str:
    """Suit and number; both Jokers are called that."""
    return SIGNS[card] if card < JOKER else "Joker"


def cards_list(cards: int) -> str:
    return " ".join(sign(card) for card in members(cards))
