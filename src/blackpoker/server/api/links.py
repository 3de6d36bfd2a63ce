"""Shared links: preview images of finished games and puzzles, and the preview text. A running game reveals only the
inviting player and the regulation."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import Any, Final

from blackpoker import JUDGE, Game, View
from blackpoker.errors import BlackPokerError
from blackpoker.players.levels import LEVELS
from blackpoker.players.puzzle_texts import title
from blackpoker.players.puzzles import Puzzle, by_id, every
from blackpoker.regulation import read_regulation
from blackpoker.server.api.caller import LangQuery, aside, hub_of, server_of
from blackpoker.server.api.lobby import shown_record
from blackpoker.server.net.bus import BusError
from blackpoker.server.net.exchange import HttpRequest, HttpResponse
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.server.store.promises import Away
from blackpoker.texts.rulebook import of_pair
from blackpoker.wire import protocol as p

#: id of a room or a record; other text never reaches the database
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,24}")
PNG: Final = "image/png"
#: a record's image never changes
KEPT: Final = "public, max-age=86400"
NAMES: Final = ("P1", "P2")
#: the board of the default image
BOARD: Final = """format = "master"
turn_number = 12
[p1]
life = 20
field = "SK H9 S10 DA"
bulwarks = "D2 D3"
[p2]
life = 8
field = "H8 DJ C7"
bulwarks = "D4 D5 D6"
"""
ABOUT: Final[dict[p.Lang, str]] = {
    "ja": "ふつうのトランプで遊ぶ、駆け引きのカードゲーム。非公式・ファンメイド。",
    "en": "A duel of wits with ordinary playing cards. Unofficial, fan-made.",
}


async def fetch_record(request: HttpRequest, id: str) -> tuple[str, dict[str, Any]]:
    found = await shown_record(id) or (await hub_of(request).store.record(id) if ID.fullmatch(id) else None)
    if found is None:
        raise HttpProblem(404, "no_record", "there is no such record", "その棋譜はありません")
    contests = server_of(request).tournaments
    if contests is not None and not await contests.may_show(found[1]):
        raise HttpProblem(
            403, "hidden", "decks are shown when the tournament is over", "デッキは大会が終わってから公開されます"
        )
    return found


def names_of(meta: dict[str, Any], lang: p.Lang) -> tuple[str, str]:
    """Return the names of the players; computer players are named by their level."""
    found = list(NAMES)
    for place, (name, level) in enumerate(zip(meta.get("names", NAMES), meta.get("levels", ("", "")), strict=False)):
        known = LEVELS.get(level)
        found[place] = (known.ja if lang == "ja" else known.en) if known is not None else name or NAMES[place]
    return found[0], found[1]


# -- pictures ----------------------------------------------------------------------------------------------------------


def decisive(game: Game) -> tuple[View, int]:
    """Return the board before the largest damage, and the damage; without any, the last board and 0."""
    before = game.opening.after.view(JUDGE)
    found, blow = before, 0
    for step in game.steps():
        taken = [0, 0]
        price = False  # life lost between a request and its placement on the stage is its cost
        for event in step.events(JUDGE):
            price = event.event == "declared" or (price and event.event not in ("staged", "resolving", "turn"))
            if event.event == "damaged" and not price:
                taken[event.player == "p2"] += event.count or 0
        if max(taken) > max(blow, 1):
            found, blow = before, max(taken)
        before = step.after.view(JUDGE)
    return (found, blow) if blow else (before, 0)


def lives_of(view: View) -> tuple[int, int]:
    """Return the life of both players, which a judge sees as numbers."""
    return int(view.p1.life), int(view.p2.life)


@lru_cache(64)
def record_picture(text: str, names: tuple[str, str], lang: p.Lang, address: str) -> bytes:
    from blackpoker.server.api.picture import Shot, picture

    game = Game.from_record(text)
    left = lives_of(game.view(JUDGE))
    view, blow = decisive(game)  # the board shows the life before the damage; the line shows the final score
    score = f"{names[0]} {left[0]} – {left[1]} {names[1]}"
    line = f"第{game.turn_number}ターン・{score}" if lang == "ja" else f"turn {game.turn_number} · {score}"
    return picture(Shot(view, lives_of(view), names, line, address, blow))


@lru_cache(64)
def puzzle_picture(id: str, lang: p.Lang, address: str) -> bytes:
    from blackpoker.server.api.picture import Shot, picture

    puzzle = by_id()[id]
    view = puzzle.start().view(JUDGE)
    names = ("あなた", "相手") if lang == "ja" else ("You", "Opponent")
    return picture(
        Shot(view, lives_of(view), names, puzzle_title(puzzle, lang), address, 0, tuple(view.p1.hand.cards or ()))
    )


@lru_cache(8)
def page_picture(address: str) -> bytes:
    """Return the image of links without a board of their own."""
    from blackpoker.server.api.picture import Shot, picture

    view = Game.from_position(BOARD, seed=1).view(JUDGE)
    for unit in view.p1.soldiers[:3]:
        unit.role = "attacker"
    return picture(Shot(view, (20, 8), ("", ""), "", address, 19))


def puzzle_title(puzzle: Puzzle, lang: p.Lang) -> str:
    number = 1 + [one.id for one in every()].index(puzzle.id)
    return f"第{number}問 {title(puzzle, lang)}" if lang == "ja" else f"No. {number}: {title(puzzle, lang)}"


async def picture_of_page(request: HttpRequest) -> HttpResponse:
    """Return a sample board, 1200 × 630."""
    return HttpResponse(
        await aside(request, page_picture, host_of(request)), media_type=PNG, headers={"cache-control": KEPT}
    )


async def picture_of_record(request: HttpRequest, id: str, query: LangQuery) -> HttpResponse:
    """Return a finished game at its largest damage, 1200 × 630."""
    text, meta = await fetch_record(request, id)
    drawn = await aside(request, record_picture, text, names_of(meta, query.lang), query.lang, host_of(request))
    return HttpResponse(drawn, media_type=PNG, headers={"cache-control": KEPT})


async def picture_of_puzzle(request: HttpRequest, id: str, query: LangQuery) -> HttpResponse:
    """Return a puzzle's board, 1200 × 630."""
    if id not in by_id():
        raise HttpProblem(404, "no_puzzle", "there is no such puzzle", "その問題はありません")
    drawn = await aside(request, puzzle_picture, id, query.lang, host_of(request))
    return HttpResponse(drawn, media_type=PNG, headers={"cache-control": KEPT})


# -- previews ----------------------------------------------------------------------------------------------------------


def host_of(request: HttpRequest) -> str:
    """Return the public address of the server; empty for an address of this machine only."""
    host = request.headers.get("host", "")
    return "" if re.match(r"(127\.|localhost|\[::1\]|testserver)", host) else host[:60]


async def preview(request: HttpRequest, path: str, root: str) -> bytes:
    """Return the preview of a link to this path, as tags of the page's head."""
    place, _, id = path.partition("/")
    lang: p.Lang = "en" if request.headers.get("accept-language", "ja").lower().startswith("en") else "ja"
    name = said = image = ""
    try:
        if place == "replay":
            _, meta = await fetch_record(request, id)
            first, second = names_of(meta, lang)
            name, said = f"{first} – {second}", told_result(meta, lang)
            image = f"/api/records/{id}/picture.png?lang={lang}"
        elif place == "puzzles" and id in by_id():
            name = puzzle_title(by_id()[id], lang)
            said = "盤面から最善の手を見つけてください。" if lang == "ja" else "Find the best move on this board."
            image = f"/api/puzzles/{id}/picture.png?lang={lang}"
        elif place == "room" and ID.fullmatch(id):
            name, said = told_room(await hub_of(request).info(id, ""), lang)
    except (BlackPokerError, HttpProblem, BusError, Away):
        name = image = ""  # the page itself reports the error
    if not name:
        name, said = "BlackPoker", ABOUT[lang]
    return tags(f"{request.url.scheme}://{request.headers.get('host', '')}{root}", name, said, image)


def rules_name(regulation: str, lang: p.Lang) -> str:
    found = read_regulation(regulation)
    return "+".join(of_pair(one.ja, one.en, lang) for one in (found.format, found.frame, *found.options))


def told_result(meta: dict[str, Any], lang: p.Lang) -> str:
    names = dict(zip(("p1", "p2"), names_of(meta, lang), strict=True))
    rules = rules_name(str(meta.get("regulation", "lite+entry")), lang)
    winner = names.get(str(meta.get("winner", "")))
    turns = meta.get("turns", 0)
    if lang == "ja":
        return f"{rules}・{turns}ターン・{winner + 'の勝ち' if winner else '引き分け'}"
    return f"{rules}, {turns} turns, {winner + ' won' if winner else 'a draw'}"


def told_room(info: p.RoomInfo | None, lang: p.Lang) -> tuple[str, str]:
    """Return title and text of an invitation; empty if the room is not waiting for a player."""
    if info is None or info.phase != "waiting" or info.game:
        return "", ""
    host = next((one.name for one in (info.p1, info.p2) if one.kind == "human"), "")
    rules = rules_name(info.settings.regulation, lang)
    if lang == "ja":
        said = f"BlackPoker（{rules}）で一局、いかがですか。登録はいりません。"
        return (f"{host}さんからの招待状" if host else "招待状"), said
    return (f"{host} invites you to a duel" if host else "An invitation"), f"BlackPoker, {rules}. No account needed."


def tags(origin: str, name: str, said: str, image: str) -> bytes:
    """Return the meta tags; a link without an image of its own gets the default image."""
    large = f"{origin}{image or '/api/picture.png'}"
    named = {
        "og:type": "website", "og:site_name": "BlackPoker", "og:title": name, "og:description": said,
        "og:image": large, "og:image:width": "1200", "og:image:height": "630", "twitter:card": "summary_large_image",
    }  # fmt: skip
    return "".join(
        f'<meta {"name" if key.startswith("twitter") else "property"}="{key}" content="{escape(value)}" />\n'
        for key, value in named.items()
    ).encode()


LINKS: Final = [
    Endpoint("GET", "/api/picture.png", picture_of_page, bytes, media=PNG),
    Endpoint(
        "GET", "/api/records/{id}/picture.png", picture_of_record, bytes, query=LangQuery, media=PNG, problems=(404,)
    ),
    Endpoint(
        "GET", "/api/puzzles/{id}/picture.png", picture_of_puzzle, bytes, query=LangQuery, media=PNG, problems=(404,)
    ),
]
