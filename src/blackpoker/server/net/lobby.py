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

from blackpoker.server.net.http import Prepared
from blackpoker.server.net.hub import Hub
from blackpoker.server.rooms.heads import RoomHead

#: seconds for which the page is cached
KEPT: Final = 2.0
MOST_ROOMS: Final = 60
#: seconds after which a waiting player, or a running game, is taken for abandoned
WAITS: Final = 1800.0
PLAYS: Final = 86_400.0


class Lobby:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.page: Prepared | None = None  # the cached page
        self.made: float = 0.0
        self.making: asyncio.Lock = asyncio.Lock()
        self.later: dict[str, RoomHead] = {}  # running games with a spectator delay
        self.ended: dict[str, float] = {}  # when those of them that have ended did so

    def watched(self, rooms: list[RoomHead], now: float) -> list[RoomHead]:
        """Return the running games that may be shown. A game with a spectator delay appears and disappears that much
        later."""
        found = []
        played = set()
        for head in rooms:
            delay = head.settings.spectator_delay
            if head.phase != "playing" or now - head.since < delay:
                continue
            found.append(head)
            if delay:
                self.later[head.id] = head
                self.ended.pop(head.id, None)
                played.add(head.id)
        for id, head in list(self.later.items()):
            if id in played:
                continue
            if now - self.ended.setdefault(id, now) < head.settings.spectator_delay:
                found.append(head)
            else:
                del self.later[id], self.ended[id]
        return found

    async def told(self, make: Callable[[list[RoomHead]], Any]) -> Prepared:
        """Return the page, cached. ``build`` makes it from the listed rooms, the latest first."""
        async with self.making:
            if self.page is None or time.monotonic() - self.made > KEPT:
                now = self.hub.clock()
                rooms = await self.hub.store.listed(now - WAITS, now - PLAYS, MOST_ROOMS)
                self.page, self.made = Prepared(msgspec.json.encode(make(rooms))), time.monotonic()
            return self.page
