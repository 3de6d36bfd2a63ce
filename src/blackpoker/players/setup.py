"""What players know before a game begins, and random trumps for games that are about play, not about choosing them."""

from __future__ import annotations

from collections.abc import Sequence

from blackpoker.players.worlds import Briefing
from blackpoker.regulation import CONSTRUCTED, FIXED, Deck, Regulation
from blackpoker.regulation.decks import fixed_cards
from blackpoker.rules.cards import ALL, card_set
from blackpoker.rules.engine import Engine
from blackpoker.rules.shuffler import Shuffler
from blackpoker.rules.state import DONE, TRUMPS_KIND


def briefing_of(regulation: Regulation, decks: Sequence[Deck | None] = (None, None)) -> Briefing:
    """Fixed decks are known to everybody; a constructed one to its owner; of a random one only the size is known."""
    frame = regulation.frame
    if frame.build == FIXED:
        cards = fixed_cards(frame)
        pool = int(card_set(cards))
        return Briefing([pool, pool], [pool, pool], [len(cards)] * 2, len(cards))
    own = [ALL if deck is None or frame.build != CONSTRUCTED else int(card_set(list(deck.cards))) for deck in decks]
    # Of the two random halves the size of the one in play is not announced.
    size = frame.exactly if frame.build != CONSTRUCTED and frame.decks == 1 else 0
    return Briefing([ALL, ALL], own, [size, size], frame.most)


def random_trumps(engine: Engine, chance: Shuffler) -> list[int]:
    """Options that choose random trumps with an ability for both players, in the order set-up asks for them."""
    out: list[int] = []
    most = int(engine.rules.most_trumps)
    if engine.kind != TRUMPS_KIND or most == 0:
        return out
    for side in engine.sides:
        able = [card for card in sorted(side.life) if engine.rules.trumps[card] is not None]
        chance.mix(able)
        chosen = sorted(able[:most])
        out += chosen
        if len(chosen) < most:
            out.append(DONE)
    return out
