"""Tournament endpoints: finding, hosting and entering one, its page, the host's commands, and export. A page without a
server has none of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from blackpoker import Audience, View
from blackpoker.server.api.caller import guest_of, server_of
from blackpoker.server.api.links import ID
from blackpoker.server.net.exchange import HttpRequest, HttpResponse
from blackpoker.server.net.guests import Guest
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import MessageRefused, player_id
from blackpoker.server.tournaments import permits
from blackpoker.server.tournaments.acts import AnyAct, TournamentRules
from blackpoker.server.tournaments.contests import Tournaments
from blackpoker.server.tournaments.course import Entrant, Tournament
from blackpoker.server.tournaments.pages import TournamentHead, TournamentPage, head_of, page_of, standings_csv
from blackpoker.server.tournaments.placing import placed
from blackpoker.wire import protocol as p

#: tables shown with their board
MOST_BOARDS: Final = 6
#: status codes of refusals; others are 409
STATUS: Final = {"host": 403, "account": 403, "sent_away": 403, "table": 404, "entrant": 404, "deck": 422, "name": 422,
                 "clock": 422, "starts": 422, "rated": 422}  # fmt: skip


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


def tournaments_of(request: HttpRequest) -> Tournaments:
    found: Tournaments = server_of(request).contests
    return found


def no_tournament() -> HttpProblem:
    return HttpProblem(404, "no_tournament", "there is no such tournament", "その大会はありません")


def refusal(refused: MessageRefused) -> HttpProblem:
    return HttpProblem(STATUS.get(refused.code, 409), refused.code, refused.en, refused.ja)


def known_guest(request: HttpRequest) -> Guest:
    guest = guest_of(request)
    if guest is None:
        raise HttpProblem(403, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
    return guest


async def found_tournament(request: HttpRequest, id: str) -> Tournament:
    found = await tournaments_of(request).find(id) if ID.fullmatch(id) else None
    if found is None:
        raise no_tournament()
    return found


async def acted(request: HttpRequest, id: str, make: Callable[[Tournament, float], list[AnyAct]]) -> Tournament:
    try:
        found = await tournaments_of(request).act(id, make) if ID.fullmatch(id) else None
    except MessageRefused as refused:
        raise refusal(refused) from None
    if found is None:
        raise no_tournament()
    return found


def part_of(tournament: Tournament, guest: Guest | None) -> MyPart:
    id = "" if guest is None else guest.id
    mine = tournament.of_guest(id)
    host = bool(id) and tournament.announced.host == id
    if mine is None:
        try:
            permits.may_enter(tournament)
        except MessageRefused:
            return MyPart(host)
        return MyPart(host, may_enter=len(tournament.entrants) < tournament.rules.most)
    table = tournament.table_of(mine.id)
    return MyPart(host, mine.id, mine.deck, mine.away, "" if table is None else table.room)


# -- finding and holding -----------------------------------------------------------------------------------------------


async def tournaments(request: HttpRequest) -> HttpResponse:
    """Return the public tournaments: running, upcoming and finished ones."""
    contests = tournaments_of(request)

    async def make() -> list[TournamentHead]:
        return [head_of(one) for one in await contests.listed()]

    return (await contests.pages.told("", -1, make)).response(request)


async def open_tournament(request: HttpRequest, body: TournamentRules) -> OpenedTournament:
    """Open a tournament."""
    server, guest = server_of(request), known_guest(request)
    contests = tournaments_of(request)
    if not contests.new.take(server.network(request), time.monotonic()):
        raise HttpProblem(429, "rate", "too many tournaments; wait a little", "大会が多すぎます。少し待ってください")
    if body.accounts and not guest.device:
        raise HttpProblem(
            403, "account", "such a one is held by who has an account", "アカウントのある人だけが開けます"
        )
    try:
        found = await contests.announce(body, guest.id, guest.name)
    except MessageRefused as refused:
        raise refusal(refused) from None
    return OpenedTournament(found.id, f"/tournament/{found.id}")


async def read_tournament(request: HttpRequest, id: str) -> HttpResponse:
    """Return the page of a tournament."""
    found = await found_tournament(request, id)
    contests = tournaments_of(request)

    async def make() -> TournamentPage:
        return page_of(found, contests.hub.clock())

    return (await contests.pages.told(id, found.seq, make)).response(request)


async def my_part(request: HttpRequest, id: str) -> MyPart:
    """Return my part in a tournament. My own table ends for me at once, without the spectator delay."""
    found = await found_tournament(request, id)
    mine, later = part_of(found, guest_of(request)), found.rules.spectator_delay
    if mine.room and later:
        head = (await tournaments_of(request).hub.heads([mine.room])).get(mine.room)
        if head is not None and head.phase == "over":
            mine.room, mine.counts_at = "", head.since + later
    return mine


# -- taking part -------------------------------------------------------------------------------------------------------


async def enter_tournament(request: HttpRequest, id: str, body: EntryText) -> MyPart:
    """Enter, or return after a break."""
    guest = known_guest(request)
    signed = bool(guest.device)
    crest = await server_of(request).accounts.seen(guest) if signed else ""
    who = Entrant("", guest.id, guest.name, player_id(guest.id) if signed else "", crest, deck=body.deck)
    found = await acted(request, id, lambda tournament, now: permits.enter(tournament, who, signed, now))
    return part_of(found, guest)


async def hand_in_deck(request: HttpRequest, id: str, body: DeckHandedIn) -> MyPart:
    """Submit a deck list; it can be changed until the first round."""
    guest = known_guest(request)

    def make(tournament: Tournament, now: float) -> list[AnyAct]:
        return permits.hand_in(tournament, entered(tournament, guest), body.deck, now)

    return part_of(await acted(request, id, make), guest)


async def leave_tournament(request: HttpRequest, id: str) -> MyPart:
    """Take a break, or leave: I am not paired until I return."""
    guest = known_guest(request)

    def make(tournament: Tournament, now: float) -> list[AnyAct]:
        return permits.go_away(tournament, entered(tournament, guest), now)

    return part_of(await acted(request, id, make), guest)


def entered(tournament: Tournament, guest: Guest) -> Entrant:
    mine = tournament.of_guest(guest.id)
    if mine is None:
        raise MessageRefused("entrant", "you are not in it", "参加していません")
    return mine


# -- the host ----------------------------------------------------------------------------------------------------------


async def pair_round(request: HttpRequest, id: str) -> MyPart:
    """Start the tournament, or pair the next round; for the host."""
    guest = known_guest(request)

    def check(tournament: Tournament) -> None:
        permits.check_host(tournament, guest.id)
        permits.may_pair(tournament)

    try:
        found = await tournaments_of(request).pair_now(id, check) if ID.fullmatch(id) else None
    except MessageRefused as refused:
        raise refusal(refused) from None
    if found is None:
        raise no_tournament()
    return part_of(found, guest)


async def fix_table(request: HttpRequest, id: str, body: TableFix) -> MyPart:
    """Set the result of a table; for the host."""
    guest = known_guest(request)

    def make(tournament: Tournament, now: float) -> list[AnyAct]:
        permits.check_host(tournament, guest.id)
        return permits.fix(tournament, body.round, body.table, body.outcome, now)

    return part_of(await acted(request, id, make), guest)


async def send_entrant_away(request: HttpRequest, id: str, body: SentAway) -> MyPart:
    """Remove an entrant; for the host."""
    guest = known_guest(request)

    def make(tournament: Tournament, now: float) -> list[AnyAct]:
        permits.check_host(tournament, guest.id)
        return permits.send_away(tournament, body.id, now)

    return part_of(await acted(request, id, make), guest)


async def close_tournament(request: HttpRequest, id: str) -> MyPart:
    """End or cancel the tournament; for the host."""
    guest = known_guest(request)

    def make(tournament: Tournament, now: float) -> list[AnyAct]:
        permits.check_host(tournament, guest.id)
        return permits.close(tournament, now)

    return part_of(await acted(request, id, make), guest)


# -- watching and export -----------------------------------------------------------------------------------------------


async def tables_to_watch(request: HttpRequest, id: str) -> HttpResponse:
    """Return the running tables, the most exciting first."""
    found = await found_tournament(request, id)
    contests = tournaments_of(request)

    async def make() -> list[WatchTable]:
        tables = [watched(found, *key, contests.hub.rooms.get(one.room)) for key, one in found.open.items()]
        tables.sort(key=lambda table: -table.thrill)
        for table in tables[MOST_BOARDS:]:
            table.view = None
        return tables

    return (await contests.pages.told(f"{id}/watch", -1, make)).response(request)


def watched(tournament: Tournament, round: int, number: int, room: Room | None) -> WatchTable:
    """Return a table with its excitement, computed from public information: the ranks of its players, and how near the
    end is."""
    table = tournament.tables[round, number]
    ranks = {line.id: line.place for line in placed(tournament)}
    seat = table.seat
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
    found = await found_tournament(request, id)
    data = msgspec.json.format(msgspec.json.encode(page_of(found, tournaments_of(request).hub.clock())), indent=1)
    return as_file(data, "application/json", f"tournament-{id}.json")


async def export_csv(request: HttpRequest, id: str) -> HttpResponse:
    """Return the standings as CSV."""
    found = await found_tournament(request, id)
    return as_file(b"\xef\xbb\xbf" + standings_csv(found).encode(), "text/csv; charset=utf-8", f"tournament-{id}.csv")


def as_file(data: bytes, media: str, name: str) -> HttpResponse:
    return HttpResponse(data, 200, {"content-disposition": f'attachment; filename="{name}"'}, media)


CONTESTS: Final = [
    Endpoint("GET", "/api/tournaments", tournaments, list[TournamentHead], problems=(503,)),
    Endpoint(
        "POST", "/api/tournaments", open_tournament, OpenedTournament, TournamentRules, status=201, problems=(503,)
    ),
    Endpoint("GET", "/api/tournaments/{id}", read_tournament, TournamentPage, problems=(404, 503)),
    Endpoint("GET", "/api/tournaments/{id}/mine", my_part, MyPart, problems=(404, 503)),
    Endpoint("POST", "/api/tournaments/{id}/enter", enter_tournament, MyPart, EntryText, problems=(404, 409, 503)),
    Endpoint("POST", "/api/tournaments/{id}/deck", hand_in_deck, MyPart, DeckHandedIn, problems=(404, 409, 503)),
    Endpoint("POST", "/api/tournaments/{id}/leave", leave_tournament, MyPart, problems=(404, 409, 503)),
    Endpoint("POST", "/api/tournaments/{id}/pair", pair_round, MyPart, problems=(404, 409, 503)),
    Endpoint("POST", "/api/tournaments/{id}/fix", fix_table, MyPart, TableFix, problems=(404, 409, 503)),
    Endpoint("POST", "/api/tournaments/{id}/send-away", send_entrant_away, MyPart, SentAway, problems=(404, 409, 503)),
    Endpoint("POST", "/api/tournaments/{id}/close", close_tournament, MyPart, problems=(404, 409, 503)),
    Endpoint("GET", "/api/tournaments/{id}/tables", tables_to_watch, list[WatchTable], problems=(404, 503)),
    Endpoint("GET", "/api/tournaments/{id}/export.json", export_json, TournamentPage, problems=(404, 503)),
    Endpoint("GET", "/api/tournaments/{id}/export.csv", export_csv, bytes, media="text/csv", problems=(404, 503)),
]
