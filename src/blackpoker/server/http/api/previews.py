"""Shared links: preview images of finished games and puzzles, and the preview text. A running game reveals only the
inviting player and the regulation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import escape
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from blackpoker import Audience, Game, GameStep, View
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


WORDS: Final[dict[str, dict[p.Lang, str]]] = {
    "blow": {"ja": "一撃で{0}枚。", "en": "{0} cards in one blow."},
    "choice": {"ja": "この一手で、{0}%が{1}%に。", "en": "One choice: {0} % became {1} %."},
    "moment": {"ja": "勝負を分けたのは{0}ターン目。", "en": "Turn {0} decided it."},
    "life": {"ja": "山札が、命。", "en": "Your draw pile is your life."},
    "turn": {"ja": "{0}ターン目", "en": "Turn {0}"},
    "chance": {"ja": "{0}ターン目・勝率{1}% → {2}%", "en": "Turn {0} · win chance from {1} to {2} %"},
    "through": {"ja": "{0}が通った。", "en": "{0} got through."},
    "and": {"ja": "と", "en": " and "},
    "joker": {"ja": "Jokerを失った。", "en": "The Joker is gone."},
    "question": {"ja": "あなたならどうする？", "en": "What would you do?"},
    "solve": {"ja": "この盤面を解く", "en": "Solve this board"},
    "play": {"ja": "遊んでみる", "en": "Play now"},
}
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
#: more attackers are counted, not named
MOST_NAMED: Final = 3


def phrase(name: str, lang: p.Lang, *values: object) -> str:
    return WORDS[name][lang].format(*values)


def card_name(card: str) -> str:
    return "Joker" if card.startswith("JK") else SUIT_SIGNS[card[0]] + card[1:]


@dataclass(frozen=True)
class Moment:
    """A moment of a finished game. ``step``: the step of the replay whose board is ``view``; ``damage``: the largest
    damage from there on, 0 if there is none; ``lost``: its cards, None for a hidden one; ``struck``: the player it hit;
    ``strikers``: unblocked attackers."""

    step: int
    view: View
    damage: int
    lost: tuple[str | None, ...]
    struck: int
    strikers: tuple[str, ...]


def damage_of(step: GameStep) -> tuple[int, tuple[str | None, ...], int]:
    """Return the largest damage of a step that pays no cost: number, cards and player."""
    lost: list[list[str | None]] = [[], []]
    paying_cost = False  # life lost between a request and its placement on the stage is its cost
    for event in step.events(Audience.JUDGE):
        paying_cost = event.event == "declared" or (paying_cost and event.event not in ("staged", "resolving", "turn"))
        if event.event == "damaged" and not paying_cost:
            cards = event.cards or ()
            count = event.count or 0
            lost[event.player == "p2"] += [*cards, *[None] * (count - len(cards))][:count]
    struck = int(len(lost[1]) > len(lost[0]))
    return len(lost[struck]), tuple(lost[struck]), struck


def unblocked(view: View, player: int) -> tuple[str, ...]:
    """Return the attackers of a player that no unit blocks."""
    rival = view.side(1 - player)
    blocked = {unit.blocks for unit in rival.soldiers} | {unit.blocks for unit in rival.bulwarks}
    return tuple(
        unit.cards[0] for unit in view.side(player).soldiers if unit.role == "attacker" and unit.id not in blocked
    )


def decisive_moment(game: Game, step: int | None = None) -> Moment:
    """Return the largest damage of a game and the board before it; with a step, that board and the largest damage of
    its turn and the next one. Without any damage, the board is that of the step or the last."""
    start = next(game.steps(deal=True)).after.view(Audience.JUDGE)
    before, chosen = start, start if step == 0 else None
    found: Moment | None = None
    number = 0
    for number, move in enumerate(game.steps(), 1):
        if step is None or (chosen is not None and number > step and before.turn_number <= chosen.turn_number + 1):
            damage, lost, struck = damage_of(move)
            if damage > max(1, found.damage if found else 0):
                found = Moment(number - 1, before, damage, lost, struck, unblocked(before, 1 - struck))
        before = move.after.view(Audience.JUDGE)
        if number == step:
            chosen = before
    if chosen is not None and step is not None:
        return replace(found, step=step, view=chosen) if found else Moment(step, chosen, 0, (), 1, ())
    return found or Moment(number, before, 0, (), 1, ())


def life_totals(view: View) -> tuple[int, int]:
    """Return the life of both players, which a judge sees as numbers."""
    return int(view.p1.life), int(view.p2.life)


def caption_of(moment: Moment, lang: p.Lang) -> str:
    """Return what got through, and the loss of a Joker."""
    named = phrase("and", lang).join(card_name(card) for card in moment.strikers)
    many = len(moment.strikers)
    count = f"{many}体" if lang == "ja" else f"{many} attackers"
    parts = [phrase("through", lang, named if many <= MOST_NAMED else count)] if many else []
    if any(card is not None and card.startswith("JK") for card in moment.lost):
        parts.append(phrase("joker", lang))
    return ("" if lang == "ja" else " ").join(parts)


#: a turning point as percent: before and after, for the player who chose
Chances = tuple[int, int]


@cached("images of records", 32, "known")
def record_image(
    text: str,
    names: tuple[str, str],
    levels: tuple[str | None, str | None],
    lang: p.Lang,
    address: str,
    step: int | None,
    chances: Chances | None,
) -> bytes:
    from blackpoker.server.http.api.preview_image import LEAST_FAN, ImageContent, draw_image

    game = Game.from_record(text)
    moment = decisive_moment(game, step)
    turn = moment.view.turn_number
    if len(moment.lost) >= LEAST_FAN:
        headline, lines = phrase("blow", lang, moment.damage), [phrase("life", lang)]
    elif chances is not None:
        headline, lines = phrase("choice", lang, *chances), [phrase("life", lang)]
    else:
        headline, lines = phrase("moment", lang, turn), [phrase("life", lang)]
    lines.append(phrase("chance", lang, turn, *chances) if chances is not None else phrase("turn", lang, turn))
    return draw_image(
        ImageContent(
            moment.view,
            life_totals(moment.view),
            headline,
            tuple(lines),
            names,
            levels,
            life_totals(game.view(Audience.JUDGE)),
            moment.damage,
            moment.lost,
            moment.struck,
            caption_of(moment, lang),
            question=phrase("question", lang),
            address=address,
        )
    )


@cached("images of puzzles", 64, "known")
def puzzle_image(id: str, lang: p.Lang, address: str) -> bytes:
    from blackpoker.server.http.api.preview_image import ImageContent, draw_image

    puzzle = by_id()[id]
    view = puzzle.start().view(Audience.JUDGE)
    return draw_image(
        ImageContent(
            view,
            life_totals(view),
            puzzle_title(puzzle, lang),
            (puzzle_text(lang),),
            hand=tuple(view.p1.hand.cards or ()),
            question=phrase("solve", lang),
            address=address,
        )
    )


@cached("default images", 8, "known")
def default_image(address: str, lang: p.Lang) -> bytes:
    """Return the image of links without a board of their own."""
    from blackpoker.server.http.api.preview_image import ImageContent, draw_image

    view = Game.from_position(SAMPLE_POSITION, seed=1).view(Audience.JUDGE)
    for unit in view.p1.soldiers[:3]:
        unit.role = "attacker"
    return draw_image(
        ImageContent(
            view, (20, 8), phrase("life", lang), (DESCRIPTION[lang],), question=phrase("play", lang), address=address
        )
    )


def puzzle_title(puzzle: Puzzle, lang: p.Lang) -> str:
    number = 1 + [one.id for one in all_puzzles(puzzle.edition)].index(puzzle.id)
    return f"第{number}問 {title(puzzle, lang)}" if lang == "ja" else f"No. {number}: {title(puzzle, lang)}"


def puzzle_text(lang: p.Lang) -> str:
    return "盤面から最善の手を見つけてください。" if lang == "ja" else "Find the best move on this board."


def player_levels(meta: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return the levels of computer players; None for others."""
    first, second = (level or None for level in (*meta.get("levels", ()), "", "")[:2])
    return first, second


class PictureQuery(Struct):
    """``step``: of the replay; the picture shows its decision."""

    lang: p.Lang = "ja"
    step: Annotated[int, Meta(ge=0, le=100_000)] | None = None


def chances_at(request: HttpRequest, id: str, step: int | None) -> Chances | None:
    """Return the chances around a turning point, if the game has been analysed."""
    found = app_state_of(request).analysis_queue.results.get(id)
    if found is None or step is None:
        return None
    point = next((one for one in found.points if one.step == step), None)
    return None if point is None else (round(100 * point.before), round(100 * point.after))


DEFAULT_IMAGE: Final = declare_job("default image", JOB, default_image)
RECORD_IMAGE: Final = declare_job("image of a record", JOB, record_image)
PUZZLE_IMAGE: Final = declare_job("image of a puzzle", JOB, puzzle_image)


async def read_default_image(request: HttpRequest, query: LangQuery) -> HttpResponse:
    """Return a sample board, 1200 × 630."""
    drawn = await run_in_thread(request, DEFAULT_IMAGE, public_address(request), query.lang)
    return HttpResponse(drawn, media_type=PNG, headers={"cache-control": CACHE_CONTROL})


async def read_record_image(request: HttpRequest, id: str, query: PictureQuery) -> HttpResponse:
    """Return a finished game at its largest damage, or at a decision, 1200 × 630."""
    text, meta = await fetch_record(request, id)
    chances = chances_at(request, id, query.step)
    drawn = await run_in_thread(
        request,
        RECORD_IMAGE,
        text,
        player_names(meta, query.lang),
        player_levels(meta),
        query.lang,
        public_address(request),
        query.step,
        chances,
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
            step = request.query_params.get("step", "")
            if re.fullmatch(r"\d{1,5}", step) and "ask" in request.query_params:
                image += f"&step={step}"
                name, description = phrase("question", lang), f"{name} · {description}"
        elif section == "puzzles" and id in by_id():
            name = puzzle_title(by_id()[id], lang)
            description = puzzle_text(lang)
            image = f"/api/puzzles/{id}/picture.png?lang={lang}"
        elif section == "room" and ID.fullmatch(id):
            name, description = invitation_text(await room_manager_of(request).room_info(id, ""), lang)
    except (BlackPokerError, HttpProblem, BusError, StoreUnavailable):
        name = image = ""  # the page itself reports the error
    if not name:
        name, description = "BlackPoker", DESCRIPTION[lang]
    image = image or f"/api/picture.png?lang={lang}"
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
    """Return the meta tags; ``image`` is the path of the picture."""
    large = f"{origin}{image}"
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
    Endpoint("GET", "/api/picture.png", read_default_image, bytes, query=LangQuery, media_type=PNG, cost=JOB),
    Endpoint(
        "GET",
        "/api/records/{id}/picture.png",
        read_record_image,
        bytes,
        query=PictureQuery,
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
