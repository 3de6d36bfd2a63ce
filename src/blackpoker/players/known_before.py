"""What players know before a game begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from blackpoker.regulation import CONSTRUCTED, FIXED, Deck, Regulation
from blackpoker.regulation.decks import fixed_cards
from blackpoker.thinking.worlds import Briefing

#: what a player owns (R-190)
CARDS: Final = 54
EVERY_CARD: Final = 2**CARDS - 1


def pool_of(cards: Iterable[int]) -> int:
    """These cards as a set: a bit for each."""
    return sum(2**card for card in cards)


def briefing_of(regulation: Regulation, decks: Sequence[Deck | None] = (None, None)) -> Briefing:
    """Fixed decks are known to everybody; a constructed one to its owner; of a random one only the size is known. Where
    a player has two decks, not even the size of the one in play is: it is taken for a half."""
    frame = regulation.frame
    if frame.build == FIXED:
        cards = fixed_cards(frame)
        pool = pool_of(cards)
        return Briefing([pool, pool], [pool, pool], [len(cards)] * 2, len(cards))
    own = [EVERY_CARD if deck is None or frame.build != CONSTRUCTED else pool_of(deck.cards) for deck in decks]
    size = frame.exactly if frame.build != CONSTRUCTED and frame.decks == 1 else 0
    return Briefing([EVERY_CARD, EVERY_CARD], own, [size, size], min(frame.most, CARDS // frame.decks))
