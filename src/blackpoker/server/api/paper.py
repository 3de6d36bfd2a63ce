"""Endpoints of printable sheets, the same as those of ``blackpoker rules print``."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from blackpoker.paper import deck_list, quick_reference, trump_cards
from blackpoker.regulation import DeckError, default_edition, parse_decks
from blackpoker.server.net.exchange import HttpRequest, HttpResponse
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.wire import protocol as p

HTML: Final = "text/html"


class QuickQuery(Struct):
    format: Annotated[str, Meta(max_length=40)] = "lite"
    lang: p.Lang = "ja"


class TrumpsQuery(Struct):
    lang: Literal["ja", "en", "both"] = "ja"


class PaperDeck(Struct, forbid_unknown_fields=True):
    deck: p.DeckText
    lang: p.Lang = "ja"


def page(text: str) -> HttpResponse:
    return HttpResponse(text, media_type=HTML)


@cache
def quick_page(format: str, lang: p.Lang) -> str:
    return quick_reference(format, lang)


@cache
def trump_page(lang: Literal["ja", "en", "both"]) -> str:
    return trump_cards(lang)


async def quick(request: HttpRequest, query: QuickQuery) -> HttpResponse:
    """Return the quick reference of a format, two pages."""
    if query.format not in {one.id for one in default_edition().formats}:
        raise HttpProblem(404, "no_format", "there is no such format", "そのフォーマットはありません")
    return page(quick_page(query.format, query.lang))


async def trumps(request: HttpRequest, query: TrumpsQuery) -> HttpResponse:
    """Return the trumps as cards of 63 × 88 mm."""
    return page(trump_page(query.lang))


async def deck(request: HttpRequest, body: PaperDeck) -> HttpResponse:
    """Return a deck list."""
    try:
        return page(deck_list(parse_decks(body.deck), body.lang))
    except DeckError as error:
        raise HttpProblem(422, "deck", "; ".join(error.defects), "、".join(error.defects_ja)) from None


PAPER: Final = [
    Endpoint("GET", "/api/paper/quick", quick, bytes, query=QuickQuery, media=HTML, problems=(404,)),
    Endpoint("GET", "/api/paper/trumps", trumps, bytes, query=TrumpsQuery, media=HTML),
    Endpoint("POST", "/api/paper/deck", deck, bytes, body=PaperDeck, media=HTML),
]
