"""The lobby's data: open rooms and running games.

Only rooms opened with ``listed`` are shown, with what everyone in them sees. The list is read from the store at an
interval and shared by all requests, whichever process a room lives in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from blackpoker.server.http.endpoint import CachedResponse
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.summary import RoomSummary

#: seconds for which the page is cached
CACHE_SECONDS: Final = 2.0
MAX_ROOMS: Final = 60
#: seconds after which a waiting player, or a running game, is taken for abandoned
WAITING_TTL: Final = 1800.0
PLAYING_TTL: Final = 86_400.0


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

    async def get_page(self, build: Callable[[list[RoomSummary]], Any]) -> CachedResponse:
        """Return the page, cached. ``build`` makes it from the listed rooms, the latest first."""
        async with self.lock:
            if self.cached is None or time.monotonic() - self.cached_at > CACHE_SECONDS:
                now = self.room_manager.clock()
                rooms = await self.room_manager.store.public_rooms(now - WAITING_TTL, now - PLAYING_TTL, MAX_ROOMS)
                self.cached, self.cached_at = CachedResponse(msgspec.json.encode(build(rooms))), time.monotonic()
            return self.cached
