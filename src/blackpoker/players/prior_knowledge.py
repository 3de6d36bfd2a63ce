"""The players' knowledge of the decks before a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from blackpoker.determinization import PriorKnowledge
from blackpoker.ruleset import CONSTRUCTED, FIXED, Deck, Regulation
from blackpoker.ruleset.decks import fixed_cards

#: cards a player owns (R-190)
CARDS: Final = 54
ALL_CARDS: Final = 2**CARDS - 1


def pool_of(cards: Iterable[int]) -> int:
    """Return the cards as a bit set."""
    return sum(2**card for card in cards)


def prior_knowledge(regulation: Regulation, decks: Sequence[Deck | None] = (None, None)) -> PriorKnowledge:
    """Return the players' knowledge of both decks.

    Fixed decks are public, a constructed one is known to its owner, and of a random one only the size is known. If a
    player has two decks, even the size is unknown and assumed to be half of the cards.
    """
    frame = regulation.frame
    if frame.build == FIXED:
        cards = fixed_cards(frame)
        pool = pool_of(cards)
        return PriorKnowledge([pool, pool], [pool, pool], [len(cards)] * 2, len(cards))
    own = [ALL_CARDS if deck is None or frame.build != CONSTRUCTED else pool_of(deck.cards) for deck in decks]
    size = frame.exactly if frame.build != CONSTRUCTED and frame.decks == 1 else 0
    return PriorKnowledge([ALL_CARDS, ALL_CARDS], own, [size, size], min(frame.most, CARDS // frame.decks))
