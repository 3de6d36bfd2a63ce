"""Coming back and finding others: the lobby, the rooms one has a seat in, games that are always there to be seen."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, field
from starlette.requests import Request
from starlette.responses import Response

from blackpoker.players.shown_games import ShownGame, shown_games
from blackpoker.server import protocol as p
from blackpoker.server.api.asking import guest_of, hub_of, server_of
from blackpoker.server.net.http import JSON, Endpoint
from blackpoker.server.net.lobby import MOST_ROOMS, began, can_be_watched, people, seat_of, waits_for_somebody
from blackpoker.server.store.database import RoomHead

#: rooms a browser may ask about at once
MOST_ASKED: Final = 12


class Sitting(Struct):
    """Who sits at a seat: ``kind`` is ``open``, ``human`` or ``ai``."""

    seat: str
    kind: str
    name: str
    level: str = ""


class LobbyRoom(Struct):
    """``seconds``: since its game began, or, where somebody waits, since something about it changed."""

    id: str
    path: str
    regulation: str
    people: list[Sitting]
    seconds: int
    watching: int = 0


class QuickWait(Struct):
    """A quick match: whether somebody waits for it now, and how many seconds it usually takes; None: unknown."""

    regulation: str
    waiting: bool
    seconds: int | None = None


class ShownInfo(Struct):
    """A game between computer players that can always be watched."""

    id: str
    path: str
    regulation: str
    level: str
    turns: int
    winner: str


class LobbyPage(Struct):
    open: list[LobbyRoom]
    live: list[LobbyRoom]
    quick: list[QuickWait]
    shown: list[ShownInfo]


class RoomsAsked(Struct, forbid_unknown_fields=True):
    """Rooms the browser remembers."""

    rooms: Annotated[list[p.RoomId], Meta(max_length=MOST_ASKED)] = field(default_factory=list)


class RunningGame(Struct):
    """A room in which the one who asks has a seat. ``turn`` is 0 where it is not known without taking the game up."""

    id: str
    path: str
    regulation: str
    phase: str
    you: str
    people: list[Sitting]
    turn: int = 0
    your_turn: bool = False


def sittings(head: RoomHead) -> list[Sitting]:
    return [Sitting(**one) for one in people(head)]


def room_of(request: Request, head: RoomHead, now: float) -> LobbyRoom:
    here = hub_of(request).rooms.get(head.id)
    watching = 0 if here is None else sum(client.seat is None for client in here.seats.clients.values())
    regulation = str(head.data["settings"].get("regulation", "lite+entry"))
    since = began(head) if head.phase == "playing" else head.updated
    return LobbyRoom(head.id, f"/room/{head.id}", regulation, sittings(head), max(0, round(now - since)), watching)


async def lobby(request: Request) -> Response:
    """Rooms that wait for somebody, games to watch, how long a quick match takes, games that are always there.

    It is the same for everybody, and made once for every list of rooms."""
    board = server_of(request).lobby
    heads = await board.listed()
    if board.told_of is not heads:
        board.told, board.told_of = msgspec.json.encode(await lobby_page(request, heads)), heads
    return Response(board.told, media_type=JSON)


async def lobby_page(request: Request, heads: list[RoomHead]) -> LobbyPage:
    board = server_of(request).lobby
    now = time.time()
    waiting = [head for head in heads if waits_for_somebody(head, now)]
    live = sorted(filter(can_be_watched, heads), key=began, reverse=True)
    wanted = sorted({regulation for regulation, _ in board.began.values()} | set(board.waits))
    queue = {room for room in board.began if room in {head.id for head in waiting}}
    quick = [
        QuickWait(one, any(board.began[room][0] == one for room in queue), board.usual(one))
        for one in wanted[:MOST_ROOMS]
    ]
    return LobbyPage(
        [room_of(request, head, now) for head in waiting[:MOST_ROOMS]],
        [room_of(request, head, now) for head in live[:MOST_ROOMS]],
        quick,
        [shown_info(one) for one in await asyncio.to_thread(shown_games)],
    )


def shown_info(one: ShownGame) -> ShownInfo:
    return ShownInfo(one.id, f"/replay/{one.id}", one.regulation, one.level, one.turns, one.winner)


async def running_games(request: Request, body: RoomsAsked) -> list[RunningGame]:
    """Which of these rooms one can go on in: those in which one has a seat."""
    guest = guest_of(request)
    hub = hub_of(request)
    ids = list(dict.fromkeys(body.rooms))
    heads = {head.id: head for head in await hub.store.heads(ids)} if guest is not None and ids else {}
    out = []
    for head in (heads[id] for id in ids if id in heads):
        place = seat_of(head, guest.id if guest is not None else "")
        if place is None:
            continue
        found = RunningGame(
            head.id, f"/room/{head.id}", str(head.data["settings"].get("regulation", "lite+entry")), head.phase,
            ("p1", "p2")[place], sittings(head),
        )  # fmt: skip
        here = hub.rooms.get(head.id)
        game = None if here is None else here.game_in_play()
        if game is not None:  # whose turn it is everybody sees; who is being asked nobody is told
            found.turn, found.your_turn = int(game.turn_number), int(game.turn) == place
        out.append(found)
    return out


async def shown_record(id: str) -> tuple[str, dict[str, Any]] | None:
    """A game that is always there, as the store would have it."""
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
