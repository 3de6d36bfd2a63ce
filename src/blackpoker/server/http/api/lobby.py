"""Endpoints of the lobby: open rooms, running games, the caller's own rooms, and sample games that can always be
watched."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field

from blackpoker import Audience, Game, View
from blackpoker.players.sample_games import SampleGame, sample_games
from blackpoker.protocol import messages as p
from blackpoker.server.admission import READ, cached
from blackpoker.server.http.api.context import app_state_of, current_guest, room_manager_of
from blackpoker.server.http.endpoint import Endpoint
from blackpoker.server.http.lobby_cache import MAX_ROOMS
from blackpoker.server.http.state import AppState
from blackpoker.server.http.types import HttpRequest, HttpResponse
from blackpoker.server.matchmaking import BOT_PREFIX, RATED_PREFIX
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import SEAT_NAMES
from blackpoker.server.rooms.summary import RoomSummary

#: rooms of one request
MAX_REQUESTED: Final = 12
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

    rooms: Annotated[list[p.RoomId], Meta(max_length=MAX_REQUESTED)] = field(default_factory=list)


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


def seat_infos(head: RoomSummary) -> list[Sitting]:
    """Return the occupants of the seats, as public information."""
    return [Sitting(name, seat.kind, seat.name, seat.level) for name, seat in zip(SEAT_NAMES, head.seats, strict=True)]


async def read_lobby(request: HttpRequest) -> HttpResponse:
    """Return open rooms, running games, waiting times of quick matches and sample games."""
    server = app_state_of(request)
    # the first call reads files
    samples = await asyncio.to_thread(sample_games) if server.lobby.cached is None else sample_games()
    page = await server.lobby.get_page(lambda rooms: lobby_page(server, rooms, samples))
    return page.response(request)


def lobby_page(server: AppState, rooms: list[RoomSummary], samples: tuple[SampleGame, ...]) -> LobbyPage:
    room_manager = server.room_manager
    now = room_manager.clock()

    def room_info(head: RoomSummary) -> LobbyRoom:
        room = room_manager.rooms.get(head.id)
        watching = 0 if room is None else sum(client.seat is None for client in room.seats.clients.values())
        seconds, minutes = max(0, round(now - head.since)), round(head.settings.clock.bank / 60)
        path = f"/room/{head.id}"
        return LobbyRoom(head.id, path, head.settings.regulation, seat_infos(head), seconds, watching, minutes)

    live = [room_info(head) for head in server.lobby.visible_games(rooms, now)]
    live.sort(key=lambda item: -item.watching)  # the sort is stable: among equals the latest first
    for item in live[:MOST_BOARDS]:
        add_board(item, room_manager.rooms.get(item.id))

    queue = {item.queue for item in room_manager.matchmaker.entries.values()}
    queues = sorted(
        kind
        for kind in queue | set(room_manager.matchmaker.wait_samples)
        if not kind.startswith((BOT_PREFIX, RATED_PREFIX))
    )
    return LobbyPage(
        [room_info(head) for head in rooms if head.phase == "waiting" and not head.settings.quick],
        live,
        [QuickWait(kind, kind in queue, room_manager.matchmaker.usual_wait(kind)) for kind in queues[:MAX_ROOMS]],
        [sample_game_info(item) for item in samples],
    )


def add_board(entry: LobbyRoom, room: Room | None) -> None:
    """Add the board if a new spectator would see it now."""
    game = None if room is None else room.game_in_play()
    if room is None or game is None or not room.settings.spectators or room.settings.spectator_delay:
        return
    entry.turn, entry.view = int(game.turn_number), game.view(Audience.PUBLIC)


@cached("sample games", 100)
def sample_game_info(sample: SampleGame) -> ShownInfo:
    step, view = decisive_moment(sample.text)
    return ShownInfo(
        sample.id, f"/replay/{sample.id}", sample.regulation, sample.level, sample.turns, sample.winner, step, view
    )


def decisive_moment(text: str) -> tuple[int, View]:
    """Return the decisive moment of a game: its last attack, after the blocks if there were any."""
    game = Game.from_record(text)
    found = 0, next(game.steps(deal=True)).after.view(Audience.JUDGE)
    for number, step in enumerate(game.steps(deal=True)):
        view = step.after.view(Audience.JUDGE)
        if any(unit.role == "attacker" for side in (view.p1, view.p2) for unit in side.soldiers):
            found = number, view
    return found


async def list_my_rooms(request: HttpRequest, body: RoomsAsked) -> list[RunningGame]:
    """Return the rooms of this list in which the caller has a seat."""
    guest = current_guest(request)
    if guest is None:
        return []
    room_manager = room_manager_of(request)
    heads = await room_manager.summaries(list(dict.fromkeys(body.rooms)))
    out = []
    for head in (heads[id] for id in dict.fromkeys(body.rooms) if id in heads):
        seat_index = head.seat_of(guest.id)
        if seat_index is None:
            continue
        path, people = f"/room/{head.id}", seat_infos(head)
        found = RunningGame(head.id, path, head.settings.regulation, head.phase, SEAT_NAMES[seat_index], people)
        room = room_manager.rooms.get(head.id)
        game = None if room is None else room.game_in_play()
        if game is not None:  # the turn player is public; the asked player is not
            found.view = game.view(Audience.P1 if seat_index == 0 else Audience.P2)
            found.turn, found.your_turn = int(game.turn_number), found.view.turn == found.view.you
        out.append(found)
    return out


async def sample_record(id: str) -> tuple[str, dict[str, Any]] | None:
    """Return a sample game in the form of a stored record; None if the id is not of a sample."""
    if not id.startswith("shown-"):
        return None
    sample = next((sample for sample in await asyncio.to_thread(sample_games) if sample.id == id), None)
    if sample is None:
        return None
    meta = {
        "regulation": sample.regulation,
        "names": ["", ""],
        "levels": [sample.level, sample.level],
        "winner": sample.winner,
        "reason": sample.reason,
        "turns": sample.turns,
        "practice": False,
        "at": 0,
        "part": 1,
    }
    return sample.text, meta


LOBBY_ENDPOINTS: Final = [
    Endpoint("GET", "/api/lobby", read_lobby, LobbyPage, problems=(503,), cost=READ),
    Endpoint("POST", "/api/me/games", list_my_rooms, list[RunningGame], body=RoomsAsked, problems=(503,), cost=READ),
]
