"""Endpoints of printable sheets, the same as those of ``blackpoker rules print``."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from blackpoker.printing import deck_list, quick_reference, trump_cards
from blackpoker.protocol import messages as p
from blackpoker.ruleset import DeckError, Edition, edition_named, parse_decks
from blackpoker.server.admission import COMPUTE, cached
from blackpoker.server.http.api.context import EditionId, edition_of_query
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest, HttpResponse

HTML: Final = "text/html"


class QuickQuery(Struct):
    format: Annotated[str, Meta(max_length=40)] = "lite"  # with the prefix of its edition: 9:lite
    lang: p.Lang = "ja"


class TrumpsQuery(Struct):
    lang: Literal["ja", "en", "both"] = "ja"
    edition: EditionId = ""


class PaperDeck(Struct, forbid_unknown_fields=True):
    deck: p.DeckText
    lang: p.Lang = "ja"


def html_response(text: str) -> HttpResponse:
    return HttpResponse(text, media_type=HTML)


@cached("quick references", 50, "known")
def quick_reference_html(format: str, lang: p.Lang, edition: Edition) -> str:
    return quick_reference(format, lang, edition)


@cached("trump cards", 6)
def trump_cards_html(lang: Literal["ja", "en", "both"], edition: Edition) -> str:
    return trump_cards(lang, edition)


async def read_quick_reference(request: HttpRequest, query: QuickQuery) -> HttpResponse:
    """Return the quick reference of a format, two pages."""
    id, _, format = query.format.rpartition(":")
    edition = edition_of_query(id)
    if format not in {one.id for one in edition.formats}:
        raise HttpProblem(404, "no_format", "there is no such format", "そのフォーマットはありません")
    return html_response(quick_reference_html(format, query.lang, edition))


async def read_trump_cards(request: HttpRequest, query: TrumpsQuery) -> HttpResponse:
    """Return the trumps as cards of 63 × 88 mm."""
    return html_response(trump_cards_html(query.lang, edition_of_query(query.edition)))


async def make_deck_list(request: HttpRequest, body: PaperDeck) -> HttpResponse:
    """Return a deck list."""
    try:
        return html_response(deck_list(parse_decks(body.deck), body.lang, edition_named()))
    except DeckError as error:
        raise HttpProblem(422, "deck", "; ".join(error.defects), "、".join(error.defects_ja)) from None


PRINT_ENDPOINTS: Final = [
    Endpoint(
        "GET",
        "/api/paper/quick",
        read_quick_reference,
        bytes,
        query=QuickQuery,
        media_type=HTML,
        problems=(404,),
        cost=COMPUTE,
    ),
    Endpoint(
        "GET",
        "/api/paper/trumps",
        read_trump_cards,
        bytes,
        query=TrumpsQuery,
        media_type=HTML,
        problems=(404,),
        cost=COMPUTE,
    ),
    Endpoint("POST", "/api/paper/deck", make_deck_list, bytes, body=PaperDeck, media_type=HTML, cost=COMPUTE),
]
