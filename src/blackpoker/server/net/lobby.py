"""The lobby: rooms whose people want to be found, how long a quick match takes, and where somebody has a seat.

Only what a room has been opened with is shown (``listed``), and of it only what everybody in it sees. It is read from
the store once in a while for everybody together, whatever process a room lives in.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from statistics import median
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
#: waits of quick matches that are remembered, and for how many seconds
MOST_WAITS: Final = 20
REMEMBERED: Final = 3600.0


class Lobby:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.page: Prepared | None = None  # what everybody is told
        self.made: float = 0.0
        self.making: asyncio.Lock = asyncio.Lock()
        self.queue: dict[str, tuple[str, float]] = {}  # rooms in the queue of quick matches: what is played, since when
        self.waits: dict[str, deque[tuple[float, float]]] = {}  # by what is played: when somebody came, after how long

    async def told(self, make: Callable[[list[RoomHead]], Any]) -> Prepared:
        """What everybody is told. ``make`` makes it of the rooms that are to be found, the latest first."""
        async with self.making:
            if self.page is None or time.monotonic() - self.made > KEPT:
                now = self.hub.clock()
                rooms = await self.hub.store.listed(now - WAITS, now - PLAYS, MOST_ROOMS)
                self.page, self.made = Prepared(msgspec.json.encode(make(rooms))), time.monotonic()
            return self.page

    # -- quick matches ---------------------------------------------------------------------------------------------

    def queued(self, room: str, regulation: str) -> None:
        """Somebody begins to wait."""
        if len(self.queue) > 1000:
            self.queue.clear()
        self.queue.setdefault(room, (regulation, time.monotonic()))

    def paired(self, room: str) -> None:
        """Somebody came."""
        found = self.queue.pop(room, None)
        if found is not None:
            now = time.monotonic()
            self.waits.setdefault(found[0], deque(maxlen=MOST_WAITS)).append((now, now - found[1]))

    def usual(self, regulation: str) -> int | None:
        """Seconds half of those waited who wanted the same within the last hour; None where nobody did."""
        now = time.monotonic()
        waits = [wait for at, wait in self.waits.get(regulation, ()) if now - at < REMEMBERED]
        return round(median(waits)) if waits else None
