"""The lobby's data: open rooms and running games.

Only rooms opened with ``listed`` are shown, with what everyone in them sees. The list is read from the store at an
interval and shared by all requests, whichever process a room lives in.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec

from blackpoker.server.http.endpoint import CachedResponse
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.summary import RoomSummary

#: seconds for which the page is cached
CACHE_SECONDS: Final = 2.0
MAX_ROOMS: Final = 60
#: rooms read, and listed of one address and of one guest in each phase
MAX_READ: Final = 1000
MAX_PER_ADDRESS: Final = 5
MAX_PER_GUEST: Final = 2
#: seconds after which a waiting player, or a running game, is taken for abandoned
WAITING_TTL: Final = 1800.0
PLAYING_TTL: Final = 86_400.0


def spread(rooms: list[RoomSummary]) -> list[RoomSummary]:
    """Return at most `MAX_ROOMS` rooms of each phase, and of each of these only a few that one address has opened or in
    which one guest has a seat."""
    found: list[RoomSummary] = []
    counts: Counter[tuple[str, str]] = Counter()
    for head in rooms:
        sources = {(head.phase, f"a:{head.origin}")} if head.origin else set()
        sources |= {(head.phase, f"g:{seat.guest}") for seat in head.seats if seat.kind == "human"}
        limits = [(source, MAX_PER_ADDRESS if source[1][0] == "a" else MAX_PER_GUEST) for source in sources]
        if counts[head.phase, ""] < MAX_ROOMS and all(counts[source] < most for source, most in limits):
            counts[head.phase, ""] += 1
            counts.update(sources)
            found.append(head)
    return found


class Lobby:
    def __init__(self, room_manager: RoomManager) -> None:
        self.room_manager = room_manager
        self.cached: CachedResponse | None = None  # the cached page
        self.cached_at: float = 0.0
        self.lock: asyncio.Lock = asyncio.Lock()
        self.delayed: dict[str, RoomSummary] = {}  # running games with a spectator delay
        self.ended_at: dict[str, float] = {}  # when those of them that have ended did so

    def visible_games(self, rooms: list[RoomSummary], now: float) -> list[RoomSummary]:
        """Return the running games that may be shown. A game with a spectator delay appears and disappears that much
        later."""
        found = []
        running_ids = set()
        for head in rooms:
            delay = head.settings.spectator_delay
            if head.phase != "playing" or now - head.since < delay:
                continue
            found.append(head)
            if delay:
                self.delayed[head.id] = head
                self.ended_at.pop(head.id, None)
                running_ids.add(head.id)
        for id, head in list(self.delayed.items()):
            if id in running_ids:
                continue
            if now - self.ended_at.setdefault(id, now) < head.settings.spectator_delay:
                found.append(head)
            else:
                del self.delayed[id], self.ended_at[id]
        return found

    async def active_rooms(self, rooms: list[RoomSummary]) -> list[RoomSummary]:
        """Return the rooms without waiting ones whose player has left: those that no process has loaded, and those of
        this process without a connected player."""
        waiting = [head.id for head in rooms if head.phase == "waiting"]
        owners = dict(zip(waiting, await self.room_manager.bus.owners(waiting), strict=True))
        here = self.room_manager.bus.process_id

        def has_left(head: RoomSummary) -> bool:
            owner = owners.get(head.id)
            if owner is None or owner not in ("", here):
                return False
            room = self.room_manager.rooms.get(head.id)
            return room is None or not any(seat.clients for seat in room.seats)

        return [head for head in rooms if not has_left(head)]

    async def get_page(self, build: Callable[[list[RoomSummary]], Any]) -> CachedResponse:
        """Return the page, cached. ``build`` makes it from the listed rooms, the latest first."""
        async with self.lock:
            if self.cached is None or time.monotonic() - self.cached_at > CACHE_SECONDS:
                now = self.room_manager.clock()
                rooms = await self.room_manager.store.public_rooms(now - WAITING_TTL, now - PLAYING_TTL, MAX_READ)
                rooms = spread(await self.active_rooms(rooms))
                self.cached, self.cached_at = CachedResponse(msgspec.json.encode(build(rooms))), time.monotonic()
            return self.cached
