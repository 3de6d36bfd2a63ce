"""Tournament endpoints: finding, hosting and entering one, its page, the host's commands, and export. A page without a
server has none of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from blackpoker import Audience, View
from blackpoker.protocol import messages as p
from blackpoker.server.admission import BULK, COMPUTE, ENTRIES, HOST_COMMANDS, READ, TOURNAMENTS, WRITE
from blackpoker.server.http.api.context import app_state_of, current_guest
from blackpoker.server.http.api.previews import ID
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest, HttpResponse
from blackpoker.server.identity import Identity
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import MessageRefused
from blackpoker.server.tournaments import commands
from blackpoker.server.tournaments.events import AnyEvent, TournamentRules
from blackpoker.server.tournaments.service import Tournaments
from blackpoker.server.tournaments.standings import rank_entrants
from blackpoker.server.tournaments.state import Entrant, Tournament
from blackpoker.server.tournaments.views import TournamentHead, TournamentPage, make_page, standings_csv, summary_of

#: tables shown with their board
MOST_BOARDS: Final = 6
#: status codes of refusals; others are 409
REFUSAL_STATUS: Final = {
    "host": 403,
    "account": 403,
    "sent_away": 403,
    "table": 404,
    "entrant": 404,
    "deck": 422,
    "name": 422,
    "clock": 422,
    "starts": 422,
    "rated": 422,
}


class OpenedTournament(Struct):
    """The location of a tournament."""

    id: str
    path: str


class MyPart(Struct):
    """The caller's part in a tournament: ``id`` if entered, and the room to play in now. ``counts_at``: if that game is
    over, the time at which its result is published."""

    host: bool
    id: str = ""
    deck: str = ""
    away: str = ""
    room: str = ""
    may_enter: bool = False
    counts_at: float = 0.0


class EntryText(Struct, forbid_unknown_fields=True):
    """``deck``: the list, if the frame needs one; it can also be submitted later."""

    deck: p.DeckText = ""


class DeckHandedIn(Struct, forbid_unknown_fields=True):
    deck: p.DeckText


class TableFix(Struct, forbid_unknown_fields=True):
    """The result of a table set by the host: one of the two has won, it is drawn, or both have lost."""

    round: Annotated[int, Meta(ge=1, le=100_000)]
    table: Annotated[int, Meta(ge=1, le=1000)]
    outcome: Literal["one", "two", "draw", "lost"]


class SentAway(Struct, forbid_unknown_fields=True):
    """The entrant the host removes."""

    id: Annotated[str, Meta(min_length=16, max_length=16, pattern="^[0-9a-f]+$")]


class WatchTable(Struct):
    """A running table. ``view``: as a new spectator would see it now, None if hidden or delayed."""

    room: str
    round: int
    number: int
    one: str
    two: str
    watching: int
    turn: int = 0
    thrill: int = 0
    view: View | None = None


def tournament_service(request: HttpRequest) -> Tournaments:
    found: Tournaments = app_state_of(request).tournaments
    return found


def tournament_not_found() -> HttpProblem:
    return HttpProblem(404, "no_tournament", "there is no such tournament", "その大会はありません")


def to_http_problem(error: MessageRefused) -> HttpProblem:
    return HttpProblem(REFUSAL_STATUS.get(error.code, 409), error.code, error.en, error.ja)


def require_guest(request: HttpRequest) -> Identity:
    guest = current_guest(request)
    if guest is None:
        raise HttpProblem(403, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
    return guest


async def require_tournament(request: HttpRequest, id: str) -> Tournament:
    found = await tournament_service(request).find(id) if ID.fullmatch(id) else None
    if found is None:
        raise tournament_not_found()
    return found


async def apply_command(
    request: HttpRequest, id: str, command: Callable[[Tournament, float], list[AnyEvent]]
) -> Tournament:
    try:
        found = await tournament_service(request).submit(id, command) if ID.fullmatch(id) else None
    except MessageRefused as refused:
        raise to_http_problem(refused) from None
    if found is None:
        raise tournament_not_found()
    return found


def entry_of(tournament: Tournament, guest: Identity | None) -> MyPart:
    id = "" if guest is None else guest.id
    mine = tournament.find_guest(id)
    host = bool(id) and tournament.announced.host == id
    if mine is None:
        try:
            commands.check_may_enter(tournament)
        except MessageRefused:
            return MyPart(host)
        return MyPart(host, may_enter=len(tournament.active_entrants()) < tournament.rules.most)
    table = tournament.open_table_of(mine.id)
    return MyPart(host, mine.id, mine.deck, mine.absence, "" if table is None else table.room)


# -- finding and holding -----------------------------------------------------------------------------------------------


async def list_tournaments(request: HttpRequest) -> HttpResponse:
    """Return the public tournaments: running, upcoming and finished ones."""
    service = tournament_service(request)

    async def build() -> list[TournamentHead]:
        return [summary_of(tournament) for tournament in await service.public_tournaments()]

    return (await service.pages.cached("", -1, build)).response(request)


async def open_tournament(request: HttpRequest, body: TournamentRules) -> OpenedTournament:
    """Open a tournament."""
    guest = require_guest(request)
    service = tournament_service(request)
    if body.accounts and not guest.device:
        raise HttpProblem(
            403, "account", "such a one is held by who has an account", "アカウントのある人だけが開けます"
        )
    try:
        found = await service.announce(body, guest.id, guest.name, app_state_of(request).origin(request))
    except MessageRefused as refused:
        raise to_http_problem(refused) from None
    return OpenedTournament(found.id, f"/tournament/{found.id}")


async def read_tournament(request: HttpRequest, id: str) -> HttpResponse:
    """Return the page of a tournament."""
    found = await require_tournament(request, id)
    service = tournament_service(request)

    async def build() -> TournamentPage:
        return make_page(found, service.room_manager.clock())

    return (await service.pages.cached(id, found.seq, build)).response(request)


async def read_my_entry(request: HttpRequest, id: str) -> MyPart:
    """Return my part in a tournament. My own table ends for me at once, without the spectator delay."""
    found = await require_tournament(request, id)
    mine, delay = entry_of(found, current_guest(request)), found.rules.spectator_delay
    if mine.room and delay:
        head = (await tournament_service(request).room_manager.summaries([mine.room])).get(mine.room)
        if head is not None and head.phase == "over":
            mine.room, mine.counts_at = "", head.since + delay
    return mine


# -- taking part -------------------------------------------------------------------------------------------------------


async def enter_tournament(request: HttpRequest, id: str, body: EntryText) -> MyPart:
    """Enter, or return after a break."""
    guest = require_guest(request)
    has_account = bool(guest.device)
    crest = await app_state_of(request).accounts.record_use(guest) if has_account else ""
    origin = app_state_of(request).origin(request)
    entrant = Entrant("", guest.id, guest.name, guest.player, crest, deck=body.deck, origin=origin)
    found = await apply_command(
        request, id, lambda tournament, now: commands.enter(tournament, entrant, has_account, now)
    )
    return entry_of(found, guest)


async def submit_deck(request: HttpRequest, id: str, body: DeckHandedIn) -> MyPart:
    """Submit a deck list; it can be changed until the first round."""
    guest = require_guest(request)

    def command(tournament: Tournament, now: float) -> list[AnyEvent]:
        return commands.submit_deck(tournament, require_entrant(tournament, guest), body.deck, now)

    return entry_of(await apply_command(request, id, command), guest)


async def leave_tournament(request: HttpRequest, id: str) -> MyPart:
    """Take a break, or leave: I am not paired until I return."""
    guest = require_guest(request)

    def command(tournament: Tournament, now: float) -> list[AnyEvent]:
        return commands.withdraw(tournament, require_entrant(tournament, guest), now)

    return entry_of(await apply_command(request, id, command), guest)


def require_entrant(tournament: Tournament, guest: Identity) -> Entrant:
    mine = tournament.find_guest(guest.id)
    if mine is None:
        raise MessageRefused("entrant", "you are not in it", "参加していません")
    return mine


# -- the host ----------------------------------------------------------------------------------------------------------


async def pair_round(request: HttpRequest, id: str) -> MyPart:
    """Start the tournament, or pair the next round; for the host."""
    guest = require_guest(request)

    def check(tournament: Tournament) -> None:
        commands.check_host(tournament, guest.id)
        commands.check_may_pair(tournament)

    try:
        found = await tournament_service(request).pair_now(id, check) if ID.fullmatch(id) else None
    except MessageRefused as refused:
        raise to_http_problem(refused) from None
    if found is None:
        raise tournament_not_found()
    return entry_of(found, guest)


async def set_table_result(request: HttpRequest, id: str, body: TableFix) -> MyPart:
    """Set the result of a table; for the host."""
    guest = require_guest(request)

    def command(tournament: Tournament, now: float) -> list[AnyEvent]:
        commands.check_host(tournament, guest.id)
        return commands.set_result(tournament, body.round, body.table, body.outcome, now)

    return entry_of(await apply_command(request, id, command), guest)


async def remove_entrant(request: HttpRequest, id: str, body: SentAway) -> MyPart:
    """Remove an entrant; for the host."""
    guest = require_guest(request)

    def command(tournament: Tournament, now: float) -> list[AnyEvent]:
        commands.check_host(tournament, guest.id)
        return commands.remove_entrant(tournament, body.id, now)

    return entry_of(await apply_command(request, id, command), guest)


async def close_tournament(request: HttpRequest, id: str) -> MyPart:
    """End or cancel the tournament; for the host."""
    guest = require_guest(request)

    def command(tournament: Tournament, now: float) -> list[AnyEvent]:
        commands.check_host(tournament, guest.id)
        return commands.close(tournament, now)

    return entry_of(await apply_command(request, id, command), guest)


# -- watching and export -----------------------------------------------------------------------------------------------


async def list_running_tables(request: HttpRequest, id: str) -> HttpResponse:
    """Return the running tables, the most exciting first."""
    found = await require_tournament(request, id)
    service = tournament_service(request)

    async def build() -> list[WatchTable]:
        ranks = {row.id: row.rank for row in rank_entrants(found)}
        tables = []
        for key, open_table in list(found.open_tables.items()):
            tables.append(watch_table(found, *key, service.room_manager.rooms.get(open_table.room), ranks))
            await asyncio.sleep(0)  # others are served between two tables
        tables.sort(key=lambda table: -table.thrill)
        for table in tables[MOST_BOARDS:]:
            table.view = None
        return tables

    return (await service.pages.cached(f"{id}/watch", -1, build)).response(request)


def watch_table(
    tournament: Tournament, round: int, number: int, room: Room | None, ranks: dict[str, int]
) -> WatchTable:
    """Return a table with its excitement, computed from public information: the ranks of its players, and how near the
    end is."""
    table = tournament.tables[round, number]
    seat = table.pairing
    found = WatchTable(table.room, round, number, seat.one, seat.two, 0)
    found.thrill = 10 - 5 * (ranks[seat.one] + ranks[seat.two] - 2) // len(ranks)
    game = None if room is None else room.game_in_play()
    if room is None or game is None or not room.settings.spectators or room.settings.spectator_delay:
        return found
    found.watching = sum(client.seat is None for client in room.seats.clients.values())
    view = game.view(Audience.PUBLIC)
    first, second = (side.life if isinstance(side.life, int) else 10 for side in (view.p1, view.p2))
    found.turn, found.view = int(game.turn_number), view
    found.thrill += 20 - first - second - abs(first - second) + 2 * min(3, len(view.stage))
    return found


async def export_json(request: HttpRequest, id: str) -> HttpResponse:
    """Return all public data of a tournament as a file."""
    found = await require_tournament(request, id)
    data = msgspec.json.format(
        msgspec.json.encode(make_page(found, tournament_service(request).room_manager.clock())), indent=1
    )
    return file_response(data, "application/json", f"tournament-{id}.json")


async def export_csv(request: HttpRequest, id: str) -> HttpResponse:
    """Return the standings as CSV."""
    found = await require_tournament(request, id)
    return file_response(
        b"\xef\xbb\xbf" + standings_csv(found).encode(), "text/csv; charset=utf-8", f"tournament-{id}.csv"
    )


def file_response(data: bytes, media: str, name: str) -> HttpResponse:
    return HttpResponse(data, 200, {"content-disposition": f'attachment; filename="{name}"'}, media)


TOURNAMENT_ENDPOINTS: Final = [
    Endpoint("GET", "/api/tournaments", list_tournaments, list[TournamentHead], problems=(503,), cost=READ),
    Endpoint(
        "POST",
        "/api/tournaments",
        open_tournament,
        OpenedTournament,
        TournamentRules,
        status=201,
        problems=(503,),
        cost=WRITE,
        draws=(TOURNAMENTS,),
    ),
    Endpoint("GET", "/api/tournaments/{id}", read_tournament, TournamentPage, problems=(404, 503), cost=COMPUTE),
    Endpoint("GET", "/api/tournaments/{id}/mine", read_my_entry, MyPart, problems=(404, 503), cost=READ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/enter",
        enter_tournament,
        MyPart,
        EntryText,
        problems=(404, 409, 503),
        cost=WRITE,
        draws=(ENTRIES,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/deck",
        submit_deck,
        MyPart,
        DeckHandedIn,
        problems=(404, 409, 503),
        cost=WRITE,
        draws=(ENTRIES,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/leave",
        leave_tournament,
        MyPart,
        problems=(404, 409, 503),
        cost=WRITE,
        draws=(ENTRIES,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/pair",
        pair_round,
        MyPart,
        problems=(404, 409, 503),
        cost=BULK,
        draws=(HOST_COMMANDS,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/fix",
        set_table_result,
        MyPart,
        TableFix,
        problems=(404, 409, 503),
        cost=WRITE,
        draws=(HOST_COMMANDS,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/send-away",
        remove_entrant,
        MyPart,
        SentAway,
        problems=(404, 409, 503),
        cost=WRITE,
        draws=(HOST_COMMANDS,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id}/close",
        close_tournament,
        MyPart,
        problems=(404, 409, 503),
        cost=WRITE,
        draws=(HOST_COMMANDS,),
    ),
    Endpoint(
        "GET", "/api/tournaments/{id}/tables", list_running_tables, list[WatchTable], problems=(404, 503), cost=COMPUTE
    ),
    Endpoint(
        "GET", "/api/tournaments/{id}/export.json", export_json, TournamentPage, problems=(404, 503), cost=COMPUTE
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id}/export.csv",
        export_csv,
        bytes,
        media_type="text/csv",
        problems=(404, 503),
        cost=COMPUTE,
    ),
]
