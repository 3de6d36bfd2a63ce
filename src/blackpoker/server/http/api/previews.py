"""Shared links: preview images of finished games and puzzles, and the preview text. A running game reveals only the
inviting player and the regulation."""

from __future__ import annotations

import re
from html import escape
from typing import Any, Final

from blackpoker import Audience, Game, View
from blackpoker.errors import BlackPokerError
from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, by_id
from blackpoker.learn.puzzles.text import title
from blackpoker.players.engine_players import LEVELS
from blackpoker.protocol import messages as p
from blackpoker.ruleset import read_regulation
from blackpoker.server.admission import JOB, cached, declare_job
from blackpoker.server.cluster.bus import BusError
from blackpoker.server.http.api.context import LangQuery, app_state_of, room_manager_of, run_in_thread
from blackpoker.server.http.api.lobby import sample_record
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest, HttpResponse
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.text.resources import text_of

#: id of a room or a record; other text never reaches the database
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,24}")
PNG: Final = "image/png"
#: a record's image never changes
CACHE_CONTROL: Final = "public, max-age=86400"
DEFAULT_NAMES: Final = ("P1", "P2")
#: the board of the default image
SAMPLE_POSITION: Final = """format = "master"
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
DESCRIPTION: Final[dict[p.Lang, str]] = {
    "ja": "ふつうのトランプで遊ぶ、駆け引きのカードゲーム。非公式・ファンメイド。",
    "en": "A duel of wits with ordinary playing cards. Unofficial, fan-made.",
}


async def fetch_record(request: HttpRequest, id: str) -> tuple[str, dict[str, Any]]:
    found = await sample_record(id) or (await room_manager_of(request).store.record(id) if ID.fullmatch(id) else None)
    if found is None:
        raise HttpProblem(404, "no_record", "there is no such record", "その棋譜はありません")
    tournaments = app_state_of(request).maybe_tournaments
    if tournaments is not None and not await tournaments.is_record_public(found[1]):
        raise HttpProblem(
            403, "hidden", "decks are shown when the tournament is over", "デッキは大会が終わってから公開されます"
        )
    return found


def player_names(meta: dict[str, Any], lang: p.Lang) -> tuple[str, str]:
    """Return the names of the players; computer players are named by their level."""
    found = list(DEFAULT_NAMES)
    for place, (name, level) in enumerate(
        zip(meta.get("names", DEFAULT_NAMES), meta.get("levels", ("", "")), strict=False)
    ):
        level_info = LEVELS.get(level)
        found[place] = (
            (level_info.ja if lang == "ja" else level_info.en)
            if level_info is not None
            else name or DEFAULT_NAMES[place]
        )
    return found[0], found[1]


# -- pictures ----------------------------------------------------------------------------------------------------------


def decisive_moment(game: Game) -> tuple[View, int]:
    """Return the board before the largest damage, and the damage; without any, the last board and 0."""
    before = next(game.steps(deal=True)).after.view(Audience.JUDGE)
    found, most_damage = before, 0
    for step in game.steps():
        damage = [0, 0]
        paying_cost = False  # life lost between a request and its placement on the stage is its cost
        for event in step.events(Audience.JUDGE):
            paying_cost = event.event == "declared" or (
                paying_cost and event.event not in ("staged", "resolving", "turn")
            )
            if event.event == "damaged" and not paying_cost:
                damage[event.player == "p2"] += event.count or 0
        if max(damage) > max(most_damage, 1):
            found, most_damage = before, max(damage)
        before = step.after.view(Audience.JUDGE)
    return (found, most_damage) if most_damage else (before, 0)


def life_totals(view: View) -> tuple[int, int]:
    """Return the life of both players, which a judge sees as numbers."""
    return int(view.p1.life), int(view.p2.life)


@cached("images of records", 32, "known")
def record_image(text: str, names: tuple[str, str], lang: p.Lang, address: str) -> bytes:
    from blackpoker.server.http.api.preview_image import ImageContent, draw_image

    game = Game.from_record(text)
    lives = life_totals(game.view(Audience.JUDGE))
    view, damage = decisive_moment(game)  # the board shows the life before the damage; the line shows the final score
    score = f"{names[0]} {lives[0]} – {lives[1]} {names[1]}"
    line = f"第{game.turn_number}ターン・{score}" if lang == "ja" else f"turn {game.turn_number} · {score}"
    return draw_image(ImageContent(view, life_totals(view), names, line, address, damage))


@cached("images of puzzles", 64, "known")
def puzzle_image(id: str, lang: p.Lang, address: str) -> bytes:
    from blackpoker.server.http.api.preview_image import ImageContent, draw_image

    puzzle = by_id()[id]
    view = puzzle.start().view(Audience.JUDGE)
    names = ("あなた", "相手") if lang == "ja" else ("You", "Opponent")
    return draw_image(
        ImageContent(
            view, life_totals(view), names, puzzle_title(puzzle, lang), address, 0, tuple(view.p1.hand.cards or ())
        )
    )


@cached("default images", 8, "known")
def default_image(address: str) -> bytes:
    """Return the image of links without a board of their own."""
    from blackpoker.server.http.api.preview_image import ImageContent, draw_image

    view = Game.from_position(SAMPLE_POSITION, seed=1).view(Audience.JUDGE)
    for unit in view.p1.soldiers[:3]:
        unit.role = "attacker"
    return draw_image(ImageContent(view, (20, 8), ("", ""), "", address, 19))


def puzzle_title(puzzle: Puzzle, lang: p.Lang) -> str:
    number = 1 + [one.id for one in all_puzzles()].index(puzzle.id)
    return f"第{number}問 {title(puzzle, lang)}" if lang == "ja" else f"No. {number}: {title(puzzle, lang)}"


DEFAULT_IMAGE: Final = declare_job("default image", JOB, default_image)
RECORD_IMAGE: Final = declare_job("image of a record", JOB, record_image)
PUZZLE_IMAGE: Final = declare_job("image of a puzzle", JOB, puzzle_image)


async def read_default_image(request: HttpRequest) -> HttpResponse:
    """Return a sample board, 1200 × 630."""
    drawn = await run_in_thread(request, DEFAULT_IMAGE, public_address(request))
    return HttpResponse(drawn, media_type=PNG, headers={"cache-control": CACHE_CONTROL})


async def read_record_image(request: HttpRequest, id: str, query: LangQuery) -> HttpResponse:
    """Return a finished game at its largest damage, 1200 × 630."""
    text, meta = await fetch_record(request, id)
    drawn = await run_in_thread(
        request, RECORD_IMAGE, text, player_names(meta, query.lang), query.lang, public_address(request)
    )
    return HttpResponse(drawn, media_type=PNG, headers={"cache-control": CACHE_CONTROL})


async def read_puzzle_image(request: HttpRequest, id: str, query: LangQuery) -> HttpResponse:
    """Return a puzzle's board, 1200 × 630."""
    if id not in by_id():
        raise HttpProblem(404, "no_puzzle", "there is no such puzzle", "その問題はありません")
    drawn = await run_in_thread(request, PUZZLE_IMAGE, id, query.lang, public_address(request))
    return HttpResponse(drawn, media_type=PNG, headers={"cache-control": CACHE_CONTROL})


# -- previews ----------------------------------------------------------------------------------------------------------


def public_address(request: HttpRequest) -> str:
    """Return the public address of the server; empty for an address of this machine only."""
    host = request.headers.get("host", "")
    return "" if re.match(r"(127\.|localhost|\[::1\]|testserver)", host) else host[:60]


async def link_preview(request: HttpRequest, path: str, root: str) -> bytes:
    """Return the preview of a link to this path, as tags of the page's head."""
    section, _, id = path.partition("/")
    lang: p.Lang = "en" if request.headers.get("accept-language", "ja").lower().startswith("en") else "ja"
    name = description = image = ""
    try:
        if section == "replay":
            _, meta = await fetch_record(request, id)
            first, second = player_names(meta, lang)
            name, description = f"{first} – {second}", result_text(meta, lang)
            image = f"/api/records/{id}/picture.png?lang={lang}"
        elif section == "puzzles" and id in by_id():
            name = puzzle_title(by_id()[id], lang)
            description = (
                "盤面から最善の手を見つけてください。" if lang == "ja" else "Find the best move on this board."
            )
            image = f"/api/puzzles/{id}/picture.png?lang={lang}"
        elif section == "room" and ID.fullmatch(id):
            name, description = invitation_text(await room_manager_of(request).room_info(id, ""), lang)
    except (BlackPokerError, HttpProblem, BusError, StoreUnavailable):
        name = image = ""  # the page itself reports the error
    if not name:
        name, description = "BlackPoker", DESCRIPTION[lang]
    return meta_tags(f"{request.url.scheme}://{request.headers.get('host', '')}{root}", name, description, image)


def rules_name(regulation: str, lang: p.Lang) -> str:
    found = read_regulation(regulation)
    return "+".join(text_of(one, lang) for one in (found.format, found.frame, *found.options))


def result_text(meta: dict[str, Any], lang: p.Lang) -> str:
    names = dict(zip(("p1", "p2"), player_names(meta, lang), strict=True))
    rules = rules_name(str(meta.get("regulation", "lite+entry")), lang)
    winner = names.get(str(meta.get("winner", "")))
    turns = meta.get("turns", 0)
    if lang == "ja":
        return f"{rules}・{turns}ターン・{winner + 'の勝ち' if winner else '引き分け'}"
    return f"{rules}, {turns} turns, {winner + ' won' if winner else 'a draw'}"


def invitation_text(info: p.RoomInfo | None, lang: p.Lang) -> tuple[str, str]:
    """Return title and text of an invitation; empty if the room is not waiting for a player."""
    if info is None or info.phase != "waiting" or info.game:
        return "", ""
    host = next((one.name for one in (info.p1, info.p2) if one.kind == "human"), "")
    rules = rules_name(info.settings.regulation, lang)
    if lang == "ja":
        text = f"BlackPoker（{rules}）で一局、いかがですか。登録はいりません。"
        return (f"{host}さんからの招待状" if host else "招待状"), text
    return (f"{host} invites you to a duel" if host else "An invitation"), f"BlackPoker, {rules}. No account needed."


def meta_tags(origin: str, name: str, description: str, image: str) -> bytes:
    """Return the meta tags; a link without an image of its own gets the default image."""
    large = f"{origin}{image or '/api/picture.png'}"
    properties = {
        "og:type": "website",
        "og:site_name": "BlackPoker",
        "og:title": name,
        "og:description": description,
        "og:image": large,
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
    }
    return "".join(
        f'<meta {"name" if key.startswith("twitter") else "property"}="{key}" content="{escape(value)}" />\n'
        for key, value in properties.items()
    ).encode()


LINK_ENDPOINTS: Final = [
    Endpoint("GET", "/api/picture.png", read_default_image, bytes, media_type=PNG, cost=JOB),
    Endpoint(
        "GET",
        "/api/records/{id}/picture.png",
        read_record_image,
        bytes,
        query=LangQuery,
        media_type=PNG,
        problems=(404,),
        cost=JOB,
    ),
    Endpoint(
        "GET",
        "/api/puzzles/{id}/picture.png",
        read_puzzle_image,
        bytes,
        query=LangQuery,
        media_type=PNG,
        problems=(404,),
        cost=JOB,
    ),
]
