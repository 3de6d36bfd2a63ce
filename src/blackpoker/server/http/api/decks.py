"""The deck endpoint: checks a deck and reports its statistics."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from blackpoker.protocol import messages as p
from blackpoker.ruleset import DeckError, check_player_decks, parse_decks, read_regulation, write_decks
from blackpoker.ruleset.deck_stats import DeckFigures, deck_stats
from blackpoker.server.admission import COMPUTE
from blackpoker.server.http.endpoint import Endpoint
from blackpoker.server.http.types import HttpRequest


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
        decks = parse_decks(body.deck)
    except DeckError as error:
        text = "" if error.partial is None else write_decks(error.partial)
        return DeckAnswer(False, error.defects, error.defects_ja, text)
    answer = DeckAnswer(True, [], [], write_decks(decks))
    answer.figures = [deck_stats(deck, regulation) for deck in decks.decks if deck.cards]
    try:
        check_player_decks(decks, regulation)
    except DeckError as error:
        answer.legal, answer.en, answer.ja = False, error.defects, error.defects_ja
    return answer


DECK_ENDPOINTS: Final = [Endpoint("POST", "/api/decks/check", check_deck, DeckAnswer, body=DeckCheck, cost=COMPUTE)]
