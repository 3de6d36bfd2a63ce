"""Endpoints of the lobby: open rooms, running games, the caller's own rooms, and sample games that can always be
watched."""

from __future__ import annotations

import asyncio
from functools import cache
from itertools import chain
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field

from blackpoker import Audience, Game, View
from blackpoker.players.shown_games import ShownGame, shown_games
from blackpoker.server.api.caller import guest_of, hub_of, server_of
from blackpoker.server.net.exchange import HttpRequest, HttpResponse
from blackpoker.server.net.http import Endpoint
from blackpoker.server.net.lobby import MOST_ROOMS
from blackpoker.server.net.quick import BOT, RATED
from blackpoker.server.net.running import Server
from blackpoker.server.rooms.heads import RoomHead
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import NAMES
from blackpoker.wire import protocol as p

#: rooms of one request
MOST_ASKED: Final = 12
#: games shown with their board
MOST_BOARDS: Final = 7


class Sitting(Struct):
    """The occupant of a seat: ``kind`` is ``open``, ``human`` or ``ai``."""

    seat: str
    kind: str
    name: str
    level: str = ""


class LobbyRoom(Struct):
    """``seconds``: since the game began, or since a waiting player sat down. ``minutes``: of its clock, 0 if it has
    none. ``view``: the board as a new spectator would see it now; None if spectators are not allowed or see it delayed,
    and outside the games with the most spectators."""

    id: str
    path: str
    regulation: str
    people: list[Sitting]
    seconds: int
    watching: int = 0
    minutes: int = 0
    turn: int = 0
    view: View | None = None


class QuickWait(Struct):
    """A quick match: whether a player waits for it now, and the usual wait in seconds; None if unknown."""

    regulation: str
    waiting: bool
    seconds: int | None = None


class ShownInfo(Struct):
    """A game between computer players that can always be watched. ``step`` and ``view``: its decisive moment."""

    id: str
    path: str
    regulation: str
    level: str
    turns: int
    winner: str
    step: int = 0
    view: View | None = None


class LobbyPage(Struct):
    open: list[LobbyRoom]
    live: list[LobbyRoom]
    quick: list[QuickWait]
    shown: list[ShownInfo]


class RoomsAsked(Struct, forbid_unknown_fields=True):
    """The rooms the browser remembers."""

    rooms: Annotated[list[p.RoomId], Meta(max_length=MOST_ASKED)] = field(default_factory=list)


class RunningGame(Struct):
    """A room in which the caller has a seat. ``turn`` is 0 and ``view`` None if the room is not loaded."""

    id: str
    path: str
    regulation: str
    phase: str
    you: str
    people: list[Sitting]
    turn: int = 0
    your_turn: bool = False
    view: View | None = None


def sittings(head: RoomHead) -> list[Sitting]:
    """Return the occupants of the seats, as public information."""
    return [Sitting(name, seat.kind, seat.name, seat.level) for name, seat in zip(NAMES, head.seats, strict=True)]


async def lobby(request: HttpRequest) -> HttpResponse:
    """Return open rooms, running games, waiting times of quick matches and sample games."""
    server = server_of(request)
    # the first call reads files
    shown = await asyncio.to_thread(shown_games) if server.lobby.page is None else shown_games()
    page = await server.lobby.told(lambda rooms: lobby_page(server, rooms, shown))
    return page.response(request)


def lobby_page(server: Server, rooms: list[RoomHead], shown: tuple[ShownGame, ...]) -> LobbyPage:
    hub = server.hub
    now = hub.clock()

    def told(head: RoomHead) -> LobbyRoom:
        here = hub.rooms.get(head.id)
        watching = 0 if here is None else sum(client.seat is None for client in here.seats.clients.values())
        seconds, minutes = max(0, round(now - head.since)), round(head.settings.clock.bank / 60)
        path = f"/room/{head.id}"
        return LobbyRoom(head.id, path, head.settings.regulation, sittings(head), seconds, watching, minutes)

    live = [told(head) for head in server.lobby.watched(rooms, now)]
    live.sort(key=lambda one: -one.watching)  # the sort is stable: among equals the latest first
    for one in live[:MOST_BOARDS]:
        add_board(one, hub.rooms.get(one.id))

    queue = {one.kind for one in hub.quick.waiting.values()}
    wanted = sorted(kind for kind in queue | set(hub.quick.waits) if not kind.startswith((BOT, RATED)))
    return LobbyPage(
        [told(head) for head in rooms if head.phase == "waiting" and not head.settings.quick],
        live,
        [QuickWait(kind, kind in queue, hub.quick.usual(kind)) for kind in wanted[:MOST_ROOMS]],
        [shown_info(one) for one in shown],
    )


def add_board(told: LobbyRoom, room: Room | None) -> None:
    """Add the board if a new spectator would see it now."""
    game = None if room is None else room.game_in_play()
    if room is None or game is None or not room.settings.spectators or room.settings.spectator_delay:
        return
    told.turn, told.view = int(game.turn_number), game.view(Audience.PUBLIC)


@cache
def shown_info(one: ShownGame) -> ShownInfo:
    step, view = decided(one.text)
    return ShownInfo(one.id, f"/replay/{one.id}", one.regulation, one.level, one.turns, one.winner, step, view)


def decided(text: str) -> tuple[int, View]:
    """Return the decisive moment of a game: its last attack, after the blocks if there were any."""
    game = Game.from_record(text)
    found = 0, game.opening.after.view(Audience.JUDGE)
    for number, step in enumerate(chain((game.opening,), game.steps())):
        view = step.after.view(Audience.JUDGE)
        if any(one.role == "attacker" for side in (view.p1, view.p2) for one in side.soldiers):
            found = number, view
    return found


async def running_games(request: HttpRequest, body: RoomsAsked) -> list[RunningGame]:
    """Return the rooms of this list in which the caller has a seat."""
    guest = guest_of(request)
    if guest is None:
        return []
    hub = hub_of(request)
    heads = await hub.heads(list(dict.fromkeys(body.rooms)))
    out = []
    for head in (heads[id] for id in dict.fromkeys(body.rooms) if id in heads):
        place = head.seat_of(guest.id)
        if place is None:
            continue
        path, people = f"/room/{head.id}", sittings(head)
        found = RunningGame(head.id, path, head.settings.regulation, head.phase, NAMES[place], people)
        here = hub.rooms.get(head.id)
        game = None if here is None else here.game_in_play()
        if game is not None:  # the turn player is public; the asked player is not
            found.turn, found.your_turn = int(game.turn_number), int(game.turn) == place
            found.view = game.view(Audience.P1 if place == 0 else Audience.P2)
        out.append(found)
    return out


async def shown_record(id: str) -> tuple[str, dict[str, Any]] | None:
    """Return a sample game in the form of a stored record; None if the id is not of a sample."""
    if not id.startswith("shown-"):
        return None
    one = next((one for one in await asyncio.to_thread(shown_games) if one.id == id), None)
    if one is None:
        return None
    meta = {
        "regulation": one.regulation, "names": ["", ""], "levels": [one.level, one.level], "winner": one.winner,
        "reason": one.reason, "turns": one.turns, "practice": False, "at": 0, "part": 1,
    }  # fmt: skip
    return one.text, meta


LOBBY: Final = [
    Endpoint("GET", "/api/lobby", lobby, LobbyPage, problems=(503,)),
    Endpoint("POST", "/api/me/games", running_games, list[RunningGame], body=RoomsAsked, problems=(503,)),
]
