"""Transfer of unfinished games between pages without a server, as the rows of their store.

A server neither exports nor imports them: they contain hidden cards.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec
from msgspec import Struct

from blackpoker.errors import BlackPokerError
from blackpoker.protocol.messages import RoomSettings
from blackpoker.server.admission import READ, WRITE
from blackpoker.server.http.api.context import current_guest, room_manager_of
from blackpoker.server.http.endpoint import Endpoint
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.offline.store import LocalStore
from blackpoker.server.rooms.room import Room
from blackpoker.server.storage.rows import entry_of_row

UNFINISHED_PHASES: Final = ("alone", "playing")
NAME: Final = re.compile(r"[\w-]{1,40}", re.ASCII)


class KeptGame(Struct, forbid_unknown_fields=True):
    """The row of a room, and the rows of its game."""

    room: tuple[str, str, str, float]
    entries: list[list[str | int | float | None]]


class KeptGames(Struct, forbid_unknown_fields=True):
    games: list[KeptGame]


class BroughtGames(Struct):
    """The ids of the rooms that were imported."""

    rooms: list[str]


def store_of(request: HttpRequest) -> LocalStore:
    store = room_manager_of(request).store
    assert isinstance(store, LocalStore)
    return store


async def export_games(request: HttpRequest) -> KeptGames:
    """Return all games that are not over."""
    store = store_of(request)
    await store.flush()
    found: list[KeptGame] = []
    for id, phase, data, updated in await store.read("rooms") or ():
        if phase in UNFINISHED_PHASES:
            entries = await store.read(f"entries {id} {json.loads(data)['game']}")
            found.append(KeptGame((id, phase, data, updated), entries))
    return KeptGames(found)


def assign_seats(game: KeptGame, guest: str, now: float) -> dict[str, Any]:
    """Return the data of a room with all human seats given to the local guest; raise `ValueError` or a similar error if
    the game cannot be continued."""
    id, phase, text, _ = game.room
    data: dict[str, Any] = json.loads(text)
    if not NAME.fullmatch(id) or data["id"] != id or phase not in UNFINISHED_PHASES:
        raise ValueError(id)
    if any(row[:2] != [id, data["game"]] for row in game.entries):
        raise ValueError(id)
    for seat in data["seats"]:
        if seat["kind"] == "human":
            seat["guest"] = guest
    Room.load(data, msgspec.convert(data["settings"], RoomSettings), [entry_of_row(row) for row in game.entries], now)
    return data


async def import_games(request: HttpRequest, body: KeptGames) -> BroughtGames:
    """Import games of another page to continue them here; invalid ones are skipped."""
    store, guest = store_of(request), current_guest(request)
    now = room_manager_of(request).clock()
    imported: list[str] = []
    for game in body.games:
        id, phase, _, updated = game.room
        try:
            data = assign_seats(game, guest.id if guest else "", now)
        except (BlackPokerError, ValueError, LookupError, TypeError, AssertionError):
            continue
        if await store.read(f"room {id}") is None:
            row = [id, phase, json.dumps(data), updated]
            await store.rows.write(json.dumps({"rooms": [row], "entries": game.entries, "records": []}))
        imported.append(id)
    return BroughtGames(imported)


ENDPOINTS: Final = (
    Endpoint("GET", "/api/unfinished", export_games, KeptGames, cost=READ),
    Endpoint("POST", "/api/unfinished", import_games, BroughtGames, body=KeptGames, problems=(422,), cost=WRITE),
)
