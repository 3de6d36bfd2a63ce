"""The lobby: rooms whose people want to be found, and where somebody has a seat.

Only what a room has been opened with is shown (``listed``), and of it only what everybody in it sees. It is read from
the store once in a while for everybody together, whatever process a room lives in.
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

#: seconds the same is told before the store is asked anew
KEPT: Final = 2.0
MOST_ROOMS: Final = 60
#: seconds after which nobody is believed to wait, or to play
WAITS: Final = 1800.0
PLAYS: Final = 86_400.0


class Lobby:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.page: Prepared | None = None  # what everybody is told
        self.made: float = 0.0
        self.making: asyncio.Lock = asyncio.Lock()
        self.later: dict[str, RoomHead] = {}  # games that are known as played, and are watched later
        self.ended: dict[str, float] = {}  # those of them that are played no longer, since when

    def watched(self, rooms: list[RoomHead], now: float) -> list[RoomHead]:
        """The games that are being played, as far as it may be known: one that is watched later is found as much later
        as its watchers hear of it, and so is its end."""
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
        """What everybody is told. ``make`` makes it of the rooms that are to be found, the latest first."""
        async with self.making:
            if self.page is None or time.monotonic() - self.made > KEPT:
                now = self.hub.clock()
                rooms = await self.hub.store.listed(now - WAITS, now - PLAYS, MOST_ROOMS)
                self.page, self.made = Prepared(msgspec.json.encode(make(rooms))), time.monotonic()
            return self.page
