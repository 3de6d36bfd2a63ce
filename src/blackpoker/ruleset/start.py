"""The start of a game: reads and checks the caller's input and returns an engine before its set-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blackpoker.engine.cards import parse_card
from blackpoker.engine.engine import Engine, new_engine
from blackpoker.engine.shuffler import Shuffler
from blackpoker.errors import UnreadableText
from blackpoker.ruleset.decks import Deck, DeckList, deck_defects, make_decks
from blackpoker.ruleset.edition import Edition
from blackpoker.ruleset.regulation import Regulation, RegulationError

#: a deck from a caller: a deck, a text, or a list of its cards; None: the regulation's own deck
AnyDeck = Deck | DeckList | str | Iterable[int | str] | None


def new_game(regulation: Regulation, source: Shuffler, decks: Sequence[Deck | None] = (None, None)) -> Engine:
    """Return an engine with these two decks, to be set up by ``advance``. A missing deck is made: fixed, random or
    built-in; of a deck list the first one (a match lets the player choose)."""
    chosen = [make_decks(regulation, source)[0] if deck is None else deck for deck in decks]
    engine = new_engine(regulation.rules(), [list(deck.cards) for deck in chosen], source, regulation.preset)
    if regulation.pack:
        for side, deck in zip(engine.sides, chosen, strict=True):
            side.pack = deck.left_out
    return engine


def read_regulation(regulation: str | Regulation, edition: Edition | None = None) -> Regulation:
    if isinstance(regulation, Regulation):
        return regulation
    try:
        return Regulation.parse(regulation, edition)
    except RegulationError as error:
        raise UnreadableText(error.en, error.ja) from error


def read_decks(regulation: Regulation, decks: Sequence[AnyDeck] | None) -> list[Deck | None]:
    """Return the caller's decks; raise `UnreadableText` if one is not legal (R-190)."""
    if decks is None:
        return [None, None]
    if len(decks) != 2:
        raise UnreadableText("decks are two, one per player", "デッキは2つ（プレイヤーごとに1つ）です")
    out: list[Deck | None] = []
    for given in decks:
        deck = given.decks[0] if isinstance(given, DeckList) else given
        if deck is not None and not isinstance(deck, Deck):
            deck = Deck(tuple(sorted(read_card(card) for card in (deck.split() if isinstance(deck, str) else deck))))
        defects = [] if deck is None else deck_defects(deck.cards, regulation, deck.trumps)
        if defects:
            raise UnreadableText("; ".join(en for en, _ in defects), "、".join(ja for _, ja in defects))
        out.append(deck)
    return out


def read_card(card: int | str) -> int:
    if isinstance(card, int):
        return card
    found = parse_card(card) if isinstance(card, str) else -1
    if found < 0:
        raise UnreadableText(f"{card!r} is no card", f"「{card}」というカードはありません")
    return found
