"""A playing card as a Python value."""

from __future__ import annotations

from blackpoker.engine.cards import CARDS, JOKER, NAMES, SIGNS, parse_card
from blackpoker.errors import UnreadableText


class Card(int):
    """One of the 54 cards. It is an int from 0 to 53, so it can be used wherever a card number is expected.

    >>> from blackpoker import Card
    >>> card = Card("S5")
    >>> card == Card("♠5") == 4
    True
    >>> print(card, card.sign, card.suit, card.number)
    S5 ♠5 S 5
    >>> Card("JK").suit is None
    True
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Card:
        """Create a card from a name (``S5``, ``♠5``, ``H10``, ``DK``, ``JK``) or a number; raise `UnreadableText` for
        any other."""
        number = parse_card(card) if isinstance(card, str) else int(card)
        if not 0 <= number < CARDS:
            raise UnreadableText(f"{card!r} is no card", f"「{card}」というカードはありません")
        return super().__new__(cls, number)

    @property
    def suit(self) -> str | None:
        """Return ``S``, ``H``, ``D`` or ``C``; None for a Joker."""
        return None if self >= JOKER else "SHDC"[self // 13]

    @property
    def number(self) -> int:
        """Return 1 to 13, an ace is 1; 0 for a Joker."""
        return 0 if self >= JOKER else self % 13 + 1

    @property
    def sign(self) -> str:
        """Return the printed form: ``♠5``."""
        return SIGNS[self]

    def __str__(self) -> str:
        return NAMES[self]

    def __repr__(self) -> str:
        return f"Card({NAMES[self]!r})"
