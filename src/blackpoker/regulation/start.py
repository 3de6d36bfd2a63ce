"""An engine about to be set up for a regulation."""

from __future__ import annotations

from collections.abc import Sequence

from blackpoker.regulation.decks import Deck, make_decks
from blackpoker.regulation.text import Regulation
from blackpoker.rules.engine import Engine, new_engine
from blackpoker.rules.shuffler import Shuffler


def new_game(regulation: Regulation, source: Shuffler, decks: Sequence[Deck | None] = (None, None)) -> Engine:
    """A game of these two decks, still to be set up by ``advance``. A deck that is not given is made: fixed, random or
    the built-in one; of two decks the first (a match chooses otherwise)."""
    chosen = [make_decks(regulation, source)[0] if deck is None else deck for deck in decks]
    engine = new_engine(regulation.rules(), [list(deck.cards) for deck in chosen], source, regulation.preset)
    if regulation.pack:
        for side, deck in zip(engine.sides, chosen, strict=True):
            side.pack = deck.left_out
    return engine
