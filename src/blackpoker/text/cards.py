"""Readable names of cards, in both languages."""

from __future__ import annotations

from blackpoker.engine.cards import JOKER, SIGNS, members


def sign(card: int) -> str:
    """Return suit and number; both Jokers are "Joker"."""
    return SIGNS[card] if card < JOKER else "Joker"


def cards_list(cards: int) -> str:
    return " ".join(sign(card) for card in members(cards))
