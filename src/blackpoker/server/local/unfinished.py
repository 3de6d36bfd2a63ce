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
from blackpoker.server.api.caller import guest_of, hub_of
from blackpoker.server.local.store import LocalStore
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint
from blackpoker.server.rooms.room import Room
from blackpoker.server.store.rows import read_entry
from blackpoker.wire.protocol import RoomSettings

PLAYED: Final = ("alone", "playing")
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
    store = hub_of(request).store
    assert isinstance(store, LocalStore)
    return store


async def unfinished(request: HttpRequest) -> KeptGames:
    """Return all games that are not over."""
    store = store_of(request)
    await store.flush()
    found: list[KeptGame] = []
    for id, phase, data, updated in await store.read("rooms") or ():
        if phase in PLAYED:
            entries = await store.read(f"entries {id} {json.loads(data)['game']}")
            found.append(KeptGame((id, phase, data, updated), entries))
    return KeptGames(found)


def seated(game: KeptGame, guest: str, now: float) -> dict[str, Any]:
    """Return the data of a room with all human seats given to the local guest; raise `ValueError` or a similar error if
    the game cannot be continued."""
    id, phase, text, _ = game.room
    data: dict[str, Any] = json.loads(text)
    if not NAME.fullmatch(id) or data["id"] != id or phase not in PLAYED:
        raise ValueError(id)
    if any(row[:2] != [id, data["game"]] for row in game.entries):
        raise ValueError(id)
    for seat in data["seats"]:
        if seat["kind"] == "human":
            seat["guest"] = guest
    Room.load(data, msgspec.convert(data["settings"], RoomSettings), [read_entry(row) for row in game.entries], now)
    return data


async def bring_unfinished(request: HttpRequest, body: KeptGames) -> BroughtGames:
    """Import games of another page to continue them here; invalid ones are skipped."""
    store, guest = store_of(request), guest_of(request)
    now = hub_of(request).clock()
    here: list[str] = []
    for game in body.games:
        id, phase, _, updated = game.room
        try:
            data = seated(game, guest.id if guest else "", now)
        except (BlackPokerError, ValueError, LookupError, TypeError, AssertionError):
            continue
        if await store.read(f"room {id}") is None:
            row = [id, phase, json.dumps(data), updated]
            await store.rows.write(json.dumps({"rooms": [row], "entries": game.entries, "records": []}))
        here.append(id)
    return BroughtGames(here)


ENDPOINTS: Final = (
    Endpoint("GET", "/api/unfinished", unfinished, KeptGames),
    Endpoint("POST", "/api/unfinished", bring_unfinished, BroughtGames, body=KeptGames, problems=(422,)),
)
