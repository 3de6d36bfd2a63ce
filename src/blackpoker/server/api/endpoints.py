"""Endpoints of guests, rooms, records, replays, positions and rules; ``ENDPOINTS`` lists all that a page without a
server has too."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

import blackpoker
from blackpoker import View
from blackpoker.errors import UnreadableText
from blackpoker.files.scenario import read_scenario, run_scenario
from blackpoker.game import P1, P2, Game
from blackpoker.players.levels import LEVELS
from blackpoker.regulation import read_regulation
from blackpoker.server.api import analysis, replay, rule_pages
from blackpoker.server.api.bots import BOTS
from blackpoker.server.api.caller import LangQuery, aside, elsewhere, from_here, guest_of, hub_of, server_of
from blackpoker.server.api.decks import DECKS
from blackpoker.server.api.links import ID, LINKS, fetch_record
from blackpoker.server.api.lobby import LOBBY
from blackpoker.server.api.paper import PAPER
from blackpoker.server.api.puzzles import PUZZLES
from blackpoker.server.api.records import RECORDS
from blackpoker.server.api.rule_boards import RULE_BOARDS
from blackpoker.server.api.school import SCHOOL
from blackpoker.server.net.exchange import Cookie, HttpRequest, HttpResponse
from blackpoker.server.net.guests import COOKIE, LASTS, MOST_NAME, Guest
from blackpoker.server.net.http import Endpoint, HttpProblem, Prepared, answer
from blackpoker.server.net.metrics import ServerFigures
from blackpoker.server.net.quick import kind_of
from blackpoker.server.net.thinkers import within
from blackpoker.server.rooms.seats import MessageRefused, player_id
from blackpoker.server.rooms.table import read_start
from blackpoker.wire import protocol as p
from blackpoker.wire import questions

T = TypeVar("T")
#: seconds a scenario may take
SCENARIO_SECONDS = 5.0


class Health(Struct):
    """``network``: the server's address on its network; sent only to a page on the server's own machine."""

    status: Literal["ok", "failing"]
    version: str
    rooms: int  # of all processes of this server, like the connections
    connections: int
    processes: int
    network: str = ""


class Myself(Struct):
    """A guest; the cookie is secret, ``id`` is not. For an account also ``crest``, a card, and ``player``, the public
    id of ``/api/players/{id}``."""

    id: str
    name: str
    account: bool = False
    crest: str = ""
    player: str = ""


class OpponentLevel(Struct):
    id: str
    ja: str
    en: str
    line_ja: str
    line_en: str
    thinks: bool  # searches ahead, and so supports playing styles


class NewName(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=MOST_NAME)]


class Created(Struct):
    """A room and its path."""

    room: p.RoomInfo
    path: str


class QuickMatch(Struct, forbid_unknown_fields=True):
    """``opponent``: people or bots. Matches between bots are rated, and so are those between people with accounts who
    both choose it."""

    regulation: p.RegulationText = "lite+entry"
    opponent: Literal["human", "bot"] = "human"
    rated: bool = False


class Paired(Struct):
    """The room to wait in. ``seconds``: the usual wait, None if unknown."""

    room: str
    path: str
    seconds: int | None = None


class Record(Struct):
    id: str
    text: str
    meta: dict[str, Any]


class PlayOn(Struct, forbid_unknown_fields=True):
    """``step``: the number of moves to keep; the other fields as for a room."""

    step: Annotated[int, Meta(ge=0, le=100_000)]
    opponent: p.Opponent = "human"
    first: Literal["p1", "p2"] = "p1"
    window_ms: Annotated[int, Meta(ge=0, le=5000)] | None = None


class PositionText(Struct, forbid_unknown_fields=True):
    """A position in TOML or a saved game in JSON."""

    position: Annotated[str, Meta(max_length=30_000)]


class PlayPosition(PositionText):
    """The same, with the opponent to continue it with."""

    opponent: p.Opponent = "human"
    first: Literal["p1", "p2"] = "p1"
    window_ms: Annotated[int, Meta(ge=0, le=5000)] | None = None


class ReasonGroup(Struct):
    """The reason why several actions cannot be requested."""

    ruling: str
    ja: str
    en: str
    actions: list[str]


class Seen(Struct):
    """A position as both seats see it, its options, and why the other actions are refused, also grouped as
    ``reasons``."""

    regulation: str
    views: dict[str, View]
    asked: str
    kind: str
    prompt: str
    options: list[p.OfferedWord]
    refused: list[p.Reason]
    reasons: list[ReasonGroup]
    text: str  # the position in the engine's notation


class RulesQuery(LangQuery):
    search: Annotated[str, Meta(max_length=2000)] = ""  # a whole question; only its beginning is used


class ReplayQuery(Struct):
    seat: replay.Seat = "none"
    lang: p.Lang = "ja"
    first: Annotated[int, Meta(ge=0, le=100_000)] = 0
    count: Annotated[int, Meta(ge=0, le=replay.MOST_FRAMES)] = 30


def with_cookie(request: HttpRequest, guest: Guest, value: Any) -> HttpResponse:
    response = answer(value)
    response.cookie = Cookie(COOKIE, server_of(request).guests.cookie(guest), LASTS, request.url.scheme == "https")
    return response


# -- the server --------------------------------------------------------------------------------------------------------


async def health(request: HttpRequest) -> HttpResponse:
    """Return whether the server can store moves."""
    hub = hub_of(request)
    good = not hub.stopping and await hub.store.writable()
    network = str(getattr(request.app.state, "network", "")) if from_here(request) else ""
    figures = ServerFigures(server_of(request).metrics)
    rooms, connections = figures.by_process("rooms"), figures.by_process("connections")
    body = Health(
        "ok" if good else "failing", blackpoker.__version__, sum(rooms.values()), sum(connections.values()),
        len(rooms), network,
    )  # fmt: skip
    return answer(body, 200 if good else 503)


async def read_metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics for Prometheus. With few players online they reveal when an opponent acts, so they are for the
    operator."""
    server = server_of(request)
    if not (server.open_metrics or from_here(request)):
        raise HttpProblem(
            403, "metrics", "the figures are told to the server's own machine; --open-metrics tells everybody",
            "数値はサーバーの機器だけに知らせます（--open-metrics ならすべてに）",
        )  # fmt: skip
    from blackpoker.server.net.exposition import TYPE, exposition

    return HttpResponse(exposition(ServerFigures(server.metrics)), media_type=TYPE)


async def levels(request: HttpRequest) -> list[OpponentLevel]:
    """Return the computer opponents with their descriptions, easiest first."""
    known = [LEVELS[name] for name in p.LEVELS]
    return [OpponentLevel(one.id, one.ja, one.en, one.line_ja, one.line_en, one.playouts > 0) for one in known]


@cache
def lasting(make: Callable[..., Any], *given: Any) -> Prepared:
    """Return a response that stays the same while the server runs."""
    return Prepared(msgspec.json.encode(make(*given)), kept="no-cache")


async def protocol_schema(request: HttpRequest) -> HttpResponse:
    """Return the JSON Schema of the WebSocket messages."""
    return lasting(p.schema).response(request)


# -- guests ------------------------------------------------------------------------------------------------------------


async def me(request: HttpRequest) -> HttpResponse:
    """Return the caller; a new guest gets a cookie."""
    guest = guest_of(request) or server_of(request).guests.new()
    if guest.device:
        return await signed_in_here(request, guest)
    return with_cookie(request, guest, Myself(guest.id, guest.name))


async def signed_in_here(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Return the signed-in account; its cookie stays unchanged."""
    crest = await server_of(request).accounts.seen(guest)
    return answer(Myself(guest.id, guest.name, True, crest, player_id(guest.id)))


async def rename(request: HttpRequest, body: NewName) -> HttpResponse:
    """Change my name."""
    guests = server_of(request).guests
    guest = guest_of(request)
    if guest is not None and guest.device:
        raise HttpProblem(409, "has_account", "change it in your account", "アカウントの画面で変えてください")
    people = server_of(request).people
    if people is not None:
        people.limit(people.named, server_of(request).network(request))
    if people is not None and people.directory.owned(body.name):
        raise HttpProblem(409, "name_taken", "somebody has that name", "その名前はほかの人のものです")
    renamed = guests.new(body.name) if guest is None else guests.named(guest.id, body.name)
    return with_cookie(request, renamed, Myself(renamed.id, renamed.name))


# -- rooms -------------------------------------------------------------------------------------------------------------


async def create_room(request: HttpRequest, body: p.RoomSettings) -> Created:
    """Open a room; any client with its path may join."""
    body.quick = body.rated = False
    return await new_room(request, body)


async def new_room(request: HttpRequest, settings: p.RoomSettings, start: str = "") -> Created:
    server = server_of(request)
    settings.regulation = read_regulation(settings.regulation).text
    if settings.opponent not in p.OPPONENTS:
        names = ", ".join(p.OPPONENTS)
        raise HttpProblem(422, "opponent", f"an opponent is one of {names}", f"対戦相手は {names} のどれかです")
    if not server.new_rooms.take(server.network(request), time.monotonic()):
        raise HttpProblem(429, "rate", "too many new rooms; wait a little", "部屋の作りすぎです。少し待ってください")
    try:
        room = await server.hub.create(settings, start)
    except MessageRefused as refused:
        raise HttpProblem(503, refused.code, refused.en, refused.ja) from None
    return Created(room.info(), f"/room/{room.id}")


async def read_room(request: HttpRequest, id: str) -> p.RoomInfo:
    """Return the public information about a room."""
    guest = guest_of(request)
    found = await hub_of(request).info(id, "" if guest is None else guest.id) if ID.fullmatch(id) else None
    if found is None:
        raise HttpProblem(404, "no_room", "there is no such room", "その部屋はありません")
    return found


async def quick_match(request: HttpRequest, body: QuickMatch) -> Paired:
    """Return a room to wait in; a player who joins it and is ready is paired with another who wants to play the
    same."""
    guest = guest_of(request)
    if body.rated and (guest is None or not guest.device or body.opponent == "bot"):
        raise HttpProblem(
            401, "no_account", "rated games are for people with an account", "レート戦にはアカウントが必要です"
        )
    settings = p.RoomSettings(body.regulation, body.opponent, p.ClockRules(bank=600), quick=True, rated=body.rated)
    settings.regulation = read_regulation(body.regulation).text
    settings.listed = body.opponent == "human"
    quick, kind = hub_of(request).quick, kind_of(settings)
    room = quick.room_of(kind, server_of(request).owner(request).guest)
    if not room:
        room = (await new_room(request, settings)).room.id
    return Paired(room, f"/room/{room}", quick.usual(kind))


# -- records -----------------------------------------------------------------------------------------------------------


async def read_record(request: HttpRequest, id: str) -> Record:
    """Return a finished game as text."""
    text, meta = await fetch_record(request, id)
    return Record(id, text, meta)


async def read_replay(request: HttpRequest, id: str, query: ReplayQuery) -> replay.Replay:
    """Return frames of a finished game, for one seat, both, or none."""
    text, meta = await fetch_record(request, id)
    shown = (id, text, meta, query.seat, query.lang, query.first, query.count)
    return await aside(request, replay.replay, *shown)  # replaying takes long and would block other requests


async def read_turning_points(request: HttpRequest, id: str) -> analysis.TurningPoints:
    """Return the turning points of a finished game; repeat the request until it is ready."""
    server = server_of(request)
    analyst = server.analyst
    if not analyst.known(id):
        text, _ = await fetch_record(request, id)
        owner = server.owner(request)
        if not server.analyses.take(owner.network, time.monotonic()):
            raise HttpProblem(
                429, "rate", "too many games to analyse; wait a little", "解析が多すぎます。少し待ってください"
            )
        if analyst.full(owner.network):
            raise HttpProblem(503, "busy", "too many games are waiting to be analysed", "解析を待つ対戦が多すぎます")
        analyst.begin(id, text, owner)
    found = analyst.state(id)
    if found is None:
        raise HttpProblem(422, "unanalysed", "this game could not be analysed", "この対戦は解析できませんでした")
    return found


async def play_on(request: HttpRequest, id: str, body: PlayOn) -> Created:
    """Open a room that continues from a step of a finished game."""
    text, _ = await fetch_record(request, id)
    game = await aside(request, replay.game_at, text, body.step)
    settings = p.RoomSettings(
        regulation=game.regulation.text, opponent=body.opponent, first=body.first, window_ms=body.window_ms
    )
    return await new_room(request, settings, game.to_json())


# -- positions and decks -----------------------------------------------------------------------------------------------


async def check_position(request: HttpRequest, body: PositionText, query: LangQuery) -> Seen:
    """Return the options of a position, and why other actions are refused."""
    game = read_start(body.position)
    return seen(game, query.lang)


def by_reason(refused: list[p.Reason]) -> list[ReasonGroup]:
    """Group the refusals by reason, those with the most actions first."""
    found: dict[tuple[str, str], ReasonGroup] = {}
    for one in refused:
        found.setdefault((one.ruling, one.en), ReasonGroup(one.ruling, one.ja, one.en, [])).actions.append(one.action)
    return sorted(found.values(), key=lambda reason: -len(reason.actions))


def seen(game: Game, lang: str) -> Seen:
    asked = game.player
    decision = game.decision
    refused = [] if decision is None else questions.refusals(decision.refused)
    return Seen(
        game.regulation.text,
        {"p1": game.view(P1), "p2": game.view(P2)},
        "" if asked < 0 else f"p{asked + 1}",
        "" if decision is None else decision.kind,
        "" if decision is None else decision.prompt_in(lang),
        [] if decision is None else questions.options(decision, lang, False),
        refused,
        by_reason(refused),
        game.position(),
    )


async def play_position(request: HttpRequest, body: PlayPosition) -> Created:
    """Open a room that continues from a position."""
    game = read_start(body.position)
    if game.outcome() is not None:
        raise UnreadableText("the game is over there", "そこではゲームが終わっています")
    settings = p.RoomSettings(
        regulation=game.regulation.text, opponent=body.opponent, first=body.first, window_ms=body.window_ms
    )
    return await new_room(request, settings, body.position)


class ScenarioText(Struct, forbid_unknown_fields=True):
    """A scenario file."""

    scenario: Annotated[str, Meta(max_length=30_000)]


class ScenarioResult(Struct):
    """The result of one variant; ``error`` is empty if all expectations held, else ``line`` and ``text`` locate the
    failure."""

    variant: str
    line: int
    text: str
    error: str


async def try_scenario(request: HttpRequest, body: ScenarioText) -> list[ScenarioResult]:
    """Run a scenario and return the result of each variant."""
    try:
        found = await elsewhere(request, within, SCENARIO_SECONDS, run_scenario_text, body.scenario)
    except TimeoutError:
        raise HttpProblem(
            422, "slow", f"the scenario takes more than {SCENARIO_SECONDS:.0f} seconds", "シナリオが長すぎます"
        ) from None
    return [ScenarioResult(*one) for one in found]


def run_scenario_text(text: str) -> list[tuple[str, int, str, str]]:
    """Run a scenario in a worker process."""
    return [(one.variant, one.line, one.text, one.error) for one in run_scenario(read_scenario(text))]


# -- rules -------------------------------------------------------------------------------------------------------------


async def rules(request: HttpRequest, query: RulesQuery) -> HttpResponse:
    """Return actions, characters and trumps; with ``search`` the entries of the whole rulebook that match."""
    if query.search.strip():
        return answer(rule_pages.search(query.lang, query.search))
    return lasting(rule_pages.rules, query.lang).response(request)


async def rule(request: HttpRequest, id: str, query: LangQuery) -> rule_pages.RulePage:
    """Return one page of the rulebook."""
    page = rule_pages.page(query.lang, id)
    if page is None:
        raise HttpProblem(404, "no_page", "there is no such page", "その項目はありません")
    return page


async def rulebook(request: HttpRequest, query: LangQuery) -> HttpResponse:
    """Return the chapters, rulings, formats, frames and options."""
    return lasting(rule_pages.rulebook, query.lang).response(request)


async def rule_example(request: HttpRequest, id: str) -> rule_pages.RuleExample:
    """Return a scenario that demonstrates a ruling."""
    example = rule_pages.example(id)
    if example is None:
        raise HttpProblem(404, "no_example", "there is no scenario for that", "その裁定のシナリオはありません")
    return example


async def regulations(request: HttpRequest) -> HttpResponse:
    """Return the playable regulations."""
    return lasting(rule_pages.regulations).response(request)


ENDPOINTS = [
    Endpoint("GET", "/api/health", health, Health, problems=(503,)),
    Endpoint("GET", "/metrics", read_metrics, bytes, media="text/plain", problems=(403,)),
    Endpoint("GET", "/api/levels", levels, list[OpponentLevel]),
    Endpoint("GET", "/api/protocol.json", protocol_schema, dict[str, Any]),
    Endpoint("GET", "/api/me", me, Myself, problems=(503,)),
    Endpoint("POST", "/api/me", rename, Myself, body=NewName, problems=(409,)),
    Endpoint("POST", "/api/rooms", create_room, Created, body=p.RoomSettings, status=201, problems=(503,)),
    Endpoint("GET", "/api/rooms/{id}", read_room, p.RoomInfo, problems=(404,)),
    Endpoint("POST", "/api/quick", quick_match, Paired, body=QuickMatch, problems=(401, 503)),
    Endpoint("GET", "/api/records/{id}", read_record, Record, problems=(404,)),
    Endpoint("GET", "/api/records/{id}/replay", read_replay, replay.Replay, query=ReplayQuery, problems=(404,)),
    Endpoint(
        "GET",
        "/api/records/{id}/turning-points",
        read_turning_points,
        analysis.TurningPoints,
        problems=(404, 422, 503),
    ),
    Endpoint("POST", "/api/records/{id}/play", play_on, Created, body=PlayOn, status=201, problems=(404, 503)),
    Endpoint("POST", "/api/positions/check", check_position, Seen, body=PositionText, query=LangQuery),
    Endpoint("POST", "/api/positions/play", play_position, Created, body=PlayPosition, status=201, problems=(503,)),
    Endpoint("POST", "/api/scenarios/run", try_scenario, list[ScenarioResult], body=ScenarioText, problems=(503,)),
    Endpoint("GET", "/api/rules", rules, list[rule_pages.RulePage], query=RulesQuery),
    Endpoint("GET", "/api/rules/{id}", rule, rule_pages.RulePage, query=LangQuery, problems=(404,)),
    Endpoint("GET", "/api/rules/{id}/example", rule_example, rule_pages.RuleExample, problems=(404,)),
    Endpoint("GET", "/api/rulebook", rulebook, list[rule_pages.RulePage], query=LangQuery),
    Endpoint("GET", "/api/regulations", regulations, rule_pages.Regulations),
    *LINKS,
    *LOBBY,
    *SCHOOL,
    *BOTS,
    *DECKS,
    *PUZZLES,
    *PAPER,
    *RULE_BOARDS,
    *RECORDS,
]
