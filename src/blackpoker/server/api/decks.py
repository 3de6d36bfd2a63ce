"""The deck endpoint: checks a deck and reports its statistics."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from blackpoker.regulation import DeckError, check_brought, parse_decks, read_regulation, write_decks
from blackpoker.regulation.deck_figures import DeckFigures, figures
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint
from blackpoker.wire import protocol as p


class DeckCheck(Struct, forbid_unknown_fields=True):
    regulation: p.RegulationText
    deck: p.DeckText


class DeckAnswer(Struct):
    """``text``: the deck without the parts that could not be read; ``figures``: statistics, one entry for each deck."""

    legal: bool
    en: list[str]
    ja: list[str]
    text: str = ""
    figures: list[DeckFigures] = []


async def check_deck(request: HttpRequest, body: DeckCheck) -> DeckAnswer:
    """Return whether a deck is legal, all of its defects, and its statistics."""
    regulation = read_regulation(body.regulation)
    try:
        brought = parse_decks(body.deck)
    except DeckError as error:
        text = "" if error.rest is None else write_decks(error.rest)
        return DeckAnswer(False, error.defects, error.defects_ja, text)
    answer = DeckAnswer(True, [], [], write_decks(brought))
    answer.figures = [figures(deck, regulation) for deck in brought.decks if deck.cards]
    try:
        check_brought(brought, regulation)
    except DeckError as error:
        answer.legal, answer.en, answer.ja = False, error.defects, error.defects_ja
    return answer


DECKS: Final = [Endpoint("POST", "/api/decks/check", check_deck, DeckAnswer, body=DeckCheck)]
