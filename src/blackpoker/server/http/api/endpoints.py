"""Endpoints of guests, rooms, records, replays, positions and rules; ``ENDPOINTS`` lists all that a page without a
server has too."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

import blackpoker
from blackpoker import Player, View
from blackpoker.assist.decision import RefusedAction
from blackpoker.errors import UnreadableText
from blackpoker.game.game import Game
from blackpoker.players.engine_players import LEVELS
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions
from blackpoker.ruleset import read_regulation
from blackpoker.scenario.scenario import read_scenario, run_scenario
from blackpoker.server.admission import ANALYSES, COMPUTE, JOB, NAMES, PAGE, READ, ROOMS, WRITE, cached, declare_job
from blackpoker.server.http.api import analysis, replay, rule_pages
from blackpoker.server.http.api.bots import BOT_ENDPOINTS
from blackpoker.server.http.api.context import (
    EditionQuery,
    LangQuery,
    RegulationsQuery,
    app_state_of,
    current_guest,
    draw,
    edition_of_query,
    is_local,
    room_manager_of,
    run_in_process,
    run_in_thread,
)
from blackpoker.server.http.api.decks import DECK_ENDPOINTS
from blackpoker.server.http.api.lessons import SCHOOL_ENDPOINTS
from blackpoker.server.http.api.lobby import LOBBY_ENDPOINTS
from blackpoker.server.http.api.moments import MOMENT_ENDPOINTS
from blackpoker.server.http.api.previews import ID, LINK_ENDPOINTS, fetch_record
from blackpoker.server.http.api.printing import PRINT_ENDPOINTS
from blackpoker.server.http.api.puzzles import PUZZLE_ENDPOINTS
from blackpoker.server.http.api.records import RECORD_ENDPOINTS
from blackpoker.server.http.api.rule_examples import RULE_BOARD_ENDPOINTS
from blackpoker.server.http.endpoint import CachedResponse, Endpoint, HttpProblem, json_response
from blackpoker.server.http.sessions import COOKIE, COOKIE_MAX_AGE
from blackpoker.server.http.types import Cookie, HttpRequest, HttpResponse
from blackpoker.server.identity import MAX_NAME_LENGTH, Identity
from blackpoker.server.matchmaking import queue_name
from blackpoker.server.metrics import ServerMetrics
from blackpoker.server.rooms.game import parse_start
from blackpoker.server.rooms.seats import MessageRefused, player_id
from blackpoker.server.worker_pool import with_time_limit

T = TypeVar("T")
#: seconds a scenario may take
SCENARIO_SECONDS = 5.0


class Health(Struct):
    """``network``: the server's address on its network; sent only to a page on the server's own machine. ``database``,
    ``redis``: whether they answer; without Redis its part is true."""

    status: Literal["ok", "failing"]
    version: str
    rooms: int  # of all processes of this server, like the connections
    connections: int
    processes: int
    network: str = ""
    database: bool = True
    redis: bool = True


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
    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]


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
    options: list[p.Option]
    refused: list[RefusedAction]
    reasons: list[ReasonGroup]
    text: str  # the position in the engine's notation


class SearchQuery(EditionQuery):
    search: Annotated[str, Meta(max_length=2000)] = ""  # a whole question; only its beginning is used


class ReplayQuery(Struct):
    seat: replay.Seat = "none"
    lang: p.Lang = "ja"
    first: Annotated[int, Meta(ge=0, le=100_000)] = 0
    count: Annotated[int, Meta(ge=0, le=replay.MAX_FRAMES)] = 30


def with_cookie(request: HttpRequest, guest: Identity, value: Any) -> HttpResponse:
    response = json_response(value)
    response.cookie = Cookie(
        COOKIE, app_state_of(request).sessions.cookie(guest), COOKIE_MAX_AGE, request.url.scheme == "https"
    )
    return response


# -- the server --------------------------------------------------------------------------------------------------------


async def health(request: HttpRequest) -> HttpResponse:
    """Return whether the server can store moves and reach its other processes."""
    room_manager = room_manager_of(request)
    database, redis = await asyncio.gather(room_manager.store.is_writable(), room_manager.bus.is_reachable())
    healthy = not room_manager.stopping and database and redis
    network = str(getattr(request.app.state, "network", "")) if is_local(request) else ""
    metrics = ServerMetrics(app_state_of(request).metrics)
    rooms, connections = metrics.by_process("rooms"), metrics.by_process("connections")
    body = Health(
        "ok" if healthy else "failing",
        blackpoker.__version__,
        sum(rooms.values()),
        sum(connections.values()),
        len(rooms),
        network,
        database,
        redis,
    )
    return json_response(body, 200 if healthy else 503)


def has_token(request: HttpRequest, token: str) -> bool:
    """Return whether the request has the operator's token, compared in constant time."""
    given = request.headers.get("authorization", "")
    return token != "" and secrets.compare_digest(given.encode(), f"Bearer {token}".encode())


async def read_metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics for Prometheus. With few players online they reveal when an opponent acts, so they are for the
    operator."""
    server = app_state_of(request)
    if not (server.open_metrics or is_local(request) or has_token(request, server.metrics_token)):
        raise HttpProblem(
            403,
            "metrics",
            "the metrics are for the server's own machine, or for a reader with the token of --metrics-token-file",
            "数値はサーバーの機器か、--metrics-token-file の言葉を知る読み手だけのものです",
        )
    from blackpoker.server.http.prometheus import CONTENT_TYPE, render_metrics

    return HttpResponse(render_metrics(ServerMetrics(server.metrics)), media_type=CONTENT_TYPE)


async def list_levels(request: HttpRequest) -> list[OpponentLevel]:
    """Return the computer opponents with their descriptions, easiest first."""
    offered = [LEVELS[name] for name in p.LEVELS]
    return [
        OpponentLevel(level.id, level.ja, level.en, level.description_ja, level.description_en, level.playouts > 0)
        for level in offered
    ]


@cached("pages that stay the same", 32)
def static_response(build: Callable[..., Any], *args: Any) -> CachedResponse:
    """Return a response that stays the same while the server runs."""
    return CachedResponse(msgspec.json.encode(build(*args)), cache_control="no-cache")


async def protocol_schema(request: HttpRequest) -> HttpResponse:
    """Return the JSON Schema of the WebSocket messages."""
    return static_response(p.schema).response(request)


# -- guests ------------------------------------------------------------------------------------------------------------


async def read_me(request: HttpRequest) -> HttpResponse:
    """Return the caller; a new guest gets a cookie."""
    guest = current_guest(request) or app_state_of(request).sessions.new()
    if guest.device:
        return await read_account_me(request, guest)
    return with_cookie(request, guest, Myself(guest.id, guest.name))


async def read_account_me(request: HttpRequest, guest: Identity) -> HttpResponse:
    """Return the signed-in account; its cookie stays unchanged."""
    crest = await app_state_of(request).accounts.record_use(guest)
    return json_response(Myself(guest.id, guest.name, True, crest, player_id(guest.id)))


async def rename(request: HttpRequest, body: NewName) -> HttpResponse:
    """Change my name."""
    guests = app_state_of(request).sessions
    guest = current_guest(request)
    if guest is not None and guest.device:
        raise HttpProblem(409, "has_account", "change it in your account", "アカウントの画面で変えてください")
    accounts = app_state_of(request).maybe_accounts
    renamed = guests.new(body.name) if guest is None else guests.with_name(guest.id, body.name)
    if accounts is not None and accounts.directory.is_name_taken(renamed.name):
        raise HttpProblem(409, "name_taken", "another player has that name", "その名前はほかの人のものです")
    return with_cookie(request, renamed, Myself(renamed.id, renamed.name))


# -- rooms -------------------------------------------------------------------------------------------------------------


async def create_room(request: HttpRequest, body: p.RoomSettings) -> Created:
    """Open a room; any client with its path may join."""
    body.quick = body.rated = False
    return await open_room(request, body)


async def open_room(request: HttpRequest, settings: p.RoomSettings, start: str = "") -> Created:
    server = app_state_of(request)
    settings.regulation = read_regulation(settings.regulation).text
    if settings.opponent not in p.OPPONENTS:
        names = ", ".join(p.OPPONENTS)
        raise HttpProblem(422, "opponent", f"an opponent is one of {names}", f"対戦相手は {names} のどれかです")
    try:
        room = await server.room_manager.create(settings, start, server.origin(request))
    except MessageRefused as refused:
        raise HttpProblem(503, refused.code, refused.en, refused.ja) from None
    return Created(room.info(), f"/room/{room.id}")


async def read_room(request: HttpRequest, id: str) -> p.RoomInfo:
    """Return the public information about a room."""
    guest = current_guest(request)
    found = (
        await room_manager_of(request).room_info(id, "" if guest is None else guest.id) if ID.fullmatch(id) else None
    )
    if found is None:
        raise HttpProblem(404, "no_room", "there is no such room", "その部屋はありません")
    return found


async def quick_match(request: HttpRequest, body: QuickMatch) -> Paired:
    """Return a room to wait in; a player who joins it and is ready is paired with another who wants to play the
    same."""
    guest = current_guest(request)
    if body.rated and (guest is None or not guest.device or body.opponent == "bot"):
        raise HttpProblem(
            401, "no_account", "rated games are for people with an account", "レート戦にはアカウントが必要です"
        )
    settings = p.RoomSettings(body.regulation, body.opponent, p.ClockRules(bank=600), quick=True, rated=body.rated)
    settings.regulation = read_regulation(body.regulation).text
    settings.listed = body.opponent == "human"
    matchmaker, queue = room_manager_of(request).matchmaker, queue_name(settings)
    room = matchmaker.waiting_room(queue, app_state_of(request).job_owner(request).guest)
    if not room:
        room = (await open_room(request, settings)).room.id
    return Paired(room, f"/room/{room}", matchmaker.usual_wait(queue))


# -- records -----------------------------------------------------------------------------------------------------------


REPLAY: Final = declare_job("replay", JOB, replay.make_replay)
GAME_AT_STEP: Final = declare_job("game at a step", JOB, replay.game_at_step)
SCENARIO: Final = declare_job("scenario", JOB, with_time_limit)


async def read_record(request: HttpRequest, id: str) -> Record:
    """Return a finished game as text."""
    text, meta = await fetch_record(request, id)
    return Record(id, text, meta)


async def read_replay(request: HttpRequest, id: str, query: ReplayQuery) -> replay.Replay:
    """Return frames of a finished game, for one seat, both, or none."""
    text, meta = await fetch_record(request, id)
    return await run_in_thread(request, REPLAY, id, text, meta, query.seat, query.lang, query.first, query.count)


async def read_turning_points(request: HttpRequest, id: str) -> analysis.TurningPoints:
    """Return the turning points of a finished game; repeat the request until it is ready."""
    server = app_state_of(request)
    analyst = server.analysis_queue
    if not analyst.known(id):
        text, _ = await fetch_record(request, id)
        owner = server.job_owner(request)
        await draw(request, ANALYSES)
        if analyst.is_full(owner.network):
            raise HttpProblem(
                503, "busy", "too many games are waiting to be analysed", "解析を待つ対戦が多すぎます", 30.0
            )
        analyst.submit(id, text, owner)
    found = analyst.state(id)
    if found is None:
        raise HttpProblem(422, "unanalysed", "this game could not be analysed", "この対戦は解析できませんでした")
    return found


async def continue_record(request: HttpRequest, id: str, body: PlayOn) -> Created:
    """Open a room that continues from a step of a finished game."""
    text, _ = await fetch_record(request, id)
    game = await run_in_thread(request, GAME_AT_STEP, text, body.step)
    settings = p.RoomSettings(
        regulation=game.regulation.text, opponent=body.opponent, first=body.first, window_ms=body.window_ms
    )
    return await open_room(request, settings, game.to_json())


# -- positions and decks -----------------------------------------------------------------------------------------------


async def check_position(request: HttpRequest, body: PositionText, query: LangQuery) -> Seen:
    """Return the options of a position, and why other actions are refused."""
    game = parse_start(body.position)
    return position_check(game, query.lang)


def group_by_reason(refusals: list[RefusedAction]) -> list[ReasonGroup]:
    """Group the refusals by reason, those with the most actions first."""
    groups: dict[tuple[str, str], ReasonGroup] = {}
    for refusal in refusals:
        reason = refusal.reason
        group = groups.setdefault((reason.ruling, reason.en), ReasonGroup(reason.ruling, reason.ja, reason.en, []))
        group.actions.append(refusal.action)
    return sorted(groups.values(), key=lambda reason: -len(reason.actions))


def position_check(game: Game, lang: str) -> Seen:
    decision = game.decision
    refused = [] if decision is None else decision.refused
    return Seen(
        game.regulation.text,
        {"p1": game.view(Player.P1), "p2": game.view(Player.P2)},
        "" if decision is None else str(decision.player),
        "" if decision is None else decision.kind,
        "" if decision is None else decision.prompt_in(lang),
        [] if decision is None else questions.options(decision, lang, False),
        refused,
        group_by_reason(refused),
        game.position(),
    )


async def continue_position(request: HttpRequest, body: PlayPosition) -> Created:
    """Open a room that continues from a position."""
    game = parse_start(body.position)
    if game.outcome() is not None:
        raise UnreadableText("the game is over there", "そこではゲームが終わっています")
    settings = p.RoomSettings(
        regulation=game.regulation.text, opponent=body.opponent, first=body.first, window_ms=body.window_ms
    )
    return await open_room(request, settings, body.position)


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
        results = await run_in_process(request, SCENARIO, SCENARIO_SECONDS, run_scenario_text, body.scenario)
    except TimeoutError:
        raise HttpProblem(
            422, "slow", f"the scenario takes more than {SCENARIO_SECONDS:.0f} seconds", "シナリオが長すぎます"
        ) from None
    return [ScenarioResult(*result) for result in results]


def run_scenario_text(text: str) -> list[tuple[str, int, str, str]]:
    """Run a scenario in a worker process."""
    return [(result.variant, result.line, result.text, result.error) for result in run_scenario(read_scenario(text))]


# -- rules -------------------------------------------------------------------------------------------------------------


async def read_rules(request: HttpRequest, query: EditionQuery) -> HttpResponse:
    """Return actions, characters, trumps and fogs."""
    return static_response(rule_pages.rules, query.lang, edition_of_query(query.edition)).response(request)


async def search_rules(request: HttpRequest, query: SearchQuery) -> rule_pages.RuleSearch:
    """Return the pages of the whole rulebook that answer a question or have a name, a card or a number."""
    return rule_pages.search(query.lang, query.search, edition_of_query(query.edition))


async def read_rule(request: HttpRequest, id: str, query: EditionQuery) -> rule_pages.RulePage:
    """Return one page of the rulebook."""
    page = rule_pages.find_page(query.lang, id, edition_of_query(query.edition))
    if page is None:
        raise HttpProblem(404, "no_page", "there is no such page", "その項目はありません")
    return page


async def read_rulebook(request: HttpRequest, query: EditionQuery) -> HttpResponse:
    """Return the chapters, rulings, formats, frames and options."""
    return static_response(rule_pages.rulebook, query.lang, edition_of_query(query.edition)).response(request)


async def read_rule_example(request: HttpRequest, id: str, query: RegulationsQuery) -> rule_pages.RuleExample:
    """Return a scenario that demonstrates a ruling."""
    example = rule_pages.find_example(id, edition_of_query(query.edition))
    if example is None:
        raise HttpProblem(404, "no_example", "there is no scenario for that", "その裁定のシナリオはありません")
    return example


async def read_regulations(request: HttpRequest, query: RegulationsQuery) -> HttpResponse:
    """Return the playable regulations of an edition."""
    return static_response(rule_pages.regulations, edition_of_query(query.edition)).response(request)


ENDPOINTS = [
    Endpoint("GET", "/api/health", health, Health, problems=(503,), cost=READ),
    Endpoint("GET", "/metrics", read_metrics, bytes, media_type="text/plain", problems=(403,), cost=READ),
    Endpoint("GET", "/api/levels", list_levels, list[OpponentLevel], cost=PAGE),
    Endpoint("GET", "/api/protocol.json", protocol_schema, dict[str, Any], cost=PAGE),
    Endpoint("GET", "/api/me", read_me, Myself, problems=(503,), cost=READ),
    Endpoint("POST", "/api/me", rename, Myself, body=NewName, problems=(409,), cost=READ, draws=(NAMES,)),
    Endpoint(
        "POST",
        "/api/rooms",
        create_room,
        Created,
        body=p.RoomSettings,
        status=201,
        problems=(503,),
        cost=WRITE,
        draws=(ROOMS,),
    ),
    Endpoint("GET", "/api/rooms/{id}", read_room, p.RoomInfo, problems=(404,), cost=READ),
    Endpoint(
        "POST", "/api/quick", quick_match, Paired, body=QuickMatch, problems=(401, 503), cost=WRITE, draws=(ROOMS,)
    ),
    Endpoint("GET", "/api/records/{id}", read_record, Record, problems=(404,), cost=READ),
    Endpoint(
        "GET", "/api/records/{id}/replay", read_replay, replay.Replay, query=ReplayQuery, problems=(404,), cost=JOB
    ),
    Endpoint(
        "GET",
        "/api/records/{id}/turning-points",
        read_turning_points,
        analysis.TurningPoints,
        problems=(404, 422, 503),
        cost=READ,
        may_draw=(ANALYSES,),
    ),
    Endpoint(
        "POST",
        "/api/records/{id}/play",
        continue_record,
        Created,
        body=PlayOn,
        status=201,
        problems=(404, 503),
        cost=JOB,
        draws=(ROOMS,),
    ),
    Endpoint("POST", "/api/positions/check", check_position, Seen, body=PositionText, query=LangQuery, cost=COMPUTE),
    Endpoint(
        "POST",
        "/api/positions/play",
        continue_position,
        Created,
        body=PlayPosition,
        status=201,
        problems=(503,),
        cost=COMPUTE,
        draws=(ROOMS,),
    ),
    Endpoint(
        "POST", "/api/scenarios/run", try_scenario, list[ScenarioResult], body=ScenarioText, problems=(503,), cost=JOB
    ),
    Endpoint(
        "GET", "/api/rules", read_rules, list[rule_pages.RulePage], query=EditionQuery, problems=(404,), cost=PAGE
    ),
    Endpoint(
        "GET", "/api/rule-search", search_rules, rule_pages.RuleSearch, query=SearchQuery, problems=(404,), cost=COMPUTE
    ),
    Endpoint(
        "GET", "/api/rules/{id}", read_rule, rule_pages.RulePage, query=EditionQuery, problems=(404,), cost=COMPUTE
    ),
    Endpoint(
        "GET",
        "/api/rules/{id}/example",
        read_rule_example,
        rule_pages.RuleExample,
        query=RegulationsQuery,
        problems=(404,),
        cost=READ,
    ),
    Endpoint(
        "GET", "/api/rulebook", read_rulebook, list[rule_pages.RulePage], query=EditionQuery, problems=(404,), cost=PAGE
    ),
    Endpoint(
        "GET",
        "/api/regulations",
        read_regulations,
        rule_pages.Regulations,
        query=RegulationsQuery,
        problems=(404,),
        cost=PAGE,
    ),
    *LINK_ENDPOINTS,
    *LOBBY_ENDPOINTS,
    *SCHOOL_ENDPOINTS,
    *BOT_ENDPOINTS,
    *DECK_ENDPOINTS,
    *PUZZLE_ENDPOINTS,
    *MOMENT_ENDPOINTS,
    *PRINT_ENDPOINTS,
    *RULE_BOARD_ENDPOINTS,
    *RECORD_ENDPOINTS,
]
