"""The lobby: rooms whose people want to be found, how long a quick match takes, and where somebody has a seat.

Only what a room has been opened with is shown (``listed``), and of it only what everybody in it sees. It is read from
the store once in a while for everybody together, whatever process a room lives in.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from statistics import median
from typing import Any, Final

from blackpoker.server.net.hub import Hub
from blackpoker.server.rooms.seats import NAMES
from blackpoker.server.store.database import RoomHead

#: seconds a list of rooms is told again before the store is asked anew
KEPT: Final = 2.0
MOST_ROOMS: Final = 60
#: seconds after which nobody is believed to wait, or to play
WAITS: Final = 1800.0
PLAYS: Final = 7200.0
#: waits of quick matches that are remembered, and for how many seconds
MOST_WAITS: Final = 20
REMEMBERED: Final = 3600.0


class Lobby:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.rooms: list[RoomHead] = []
        self.read: float = -KEPT
        self.told: bytes = b""  # what everybody is told of these rooms
        self.told_of: list[RoomHead] | None = None
        self.reading: asyncio.Lock = asyncio.Lock()
        self.began: dict[str, tuple[str, float]] = {}  # rooms in the queue of quick matches: what is played, since when
        self.waits: dict[str, deque[tuple[float, float]]] = {}  # by what is played: when somebody came, after how long

    async def listed(self) -> list[RoomHead]:
        """The rooms that are to be found, the latest first."""
        async with self.reading:
            if time.monotonic() - self.read > KEPT:
                self.rooms = await self.hub.store.listed(time.time() - PLAYS, 4 * MOST_ROOMS)
                self.read = time.monotonic()
        return self.rooms

    # -- quick matches ---------------------------------------------------------------------------------------------

    def queued(self, room: str, regulation: str) -> None:
        """Somebody begins to wait."""
        if len(self.began) > 1000:
            self.began.clear()
        self.began.setdefault(room, (regulation, time.monotonic()))

    def paired(self, room: str) -> None:
        """Somebody came."""
        found = self.began.pop(room, None)
        if found is not None:
            now = time.monotonic()
            self.waits.setdefault(found[0], deque(maxlen=MOST_WAITS)).append((now, now - found[1]))

    def usual(self, regulation: str) -> int | None:
        """Seconds half of those waited who wanted the same within the last hour; None where nobody did."""
        now = time.monotonic()
        waits = [wait for at, wait in self.waits.get(regulation, ()) if now - at < REMEMBERED]
        return round(median(waits)) if waits else None


def waits_for_somebody(head: RoomHead, now: float) -> bool:
    """One seat is taken by a person who is there, the other is free."""
    kinds = sorted(seat["kind"] for seat in head.data["seats"])
    return head.phase == "waiting" and kinds == ["human", "open"] and now - head.updated < WAITS


def began(head: RoomHead) -> float:
    """When its game did. When its row was written nobody is told: that a seat changes its settings is between it and
    us, and so is what it does in a window."""
    return float(head.data.get("began", 0.0))


def can_be_watched(head: RoomHead) -> bool:
    return head.phase == "playing" and bool(head.data["settings"].get("spectators", True))


def seat_of(head: RoomHead, guest: str) -> int | None:
    """The seat somebody has in a room."""
    for place, seat in enumerate(head.data["seats"]):
        if guest and seat["kind"] == "human" and seat["guest"] == guest:
            return place
    return None


def people(head: RoomHead) -> list[dict[str, Any]]:
    """Who sits there, as everybody may see it."""
    return [{"seat": name, "kind": seat["kind"], "name": seat["name"], "level": seat["level"]}
            for name, seat in zip(NAMES, head.data["seats"], strict=True)]  # fmt: skip
