"""What watchers hear later. Everybody who hears the same hears it from one row, which is kept in bytes, once for all of
them, and only while one of them is here."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final

from msgspec import Raw

from blackpoker.server.rooms.seats import RoomClient
from blackpoker.wire import protocol as p

#: bytes a room keeps for those who hear it later. Where a game is too fast for that, the oldest is never told; views
#: are whole
MOST_BYTES: Final = 512_000

Row = tuple[p.Lang, p.Detail]


class Later:
    """One row: what will be told, and what has been told last. ``listener`` stands for all who hear it."""

    def __init__(self, lang: p.Lang, detail: p.Detail) -> None:
        self.listener: RoomClient = RoomClient("", "", "", lang=lang, detail=detail)
        self.pending: deque[tuple[float, bytes]] = deque()
        self.last: bytes = b""  # the last update that was told

    @property
    def size(self) -> int:
        return sum(len(data) for _, data in self.pending)


class Delayed:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.rows: dict[Row, Later] = {}

    def hears(self, client: RoomClient) -> bool:
        return self.seconds > 0 and client.seat is None

    def row_of(self, client: RoomClient) -> Later:
        return self.rows.setdefault((client.lang, client.detail), Later(client.lang, client.detail))

    def left(self, clients: list[RoomClient]) -> None:
        """Somebody has gone: what nobody hears any more is forgotten."""
        here = {(client.lang, client.detail) for client in clients if self.hears(client)}
        self.rows = {name: row for name, row in self.rows.items() if name in here}

    def add(self, row: Later, message: p.ServerMessage, now: float) -> None:
        row.pending.append((now + self.seconds, zlib.compress(p.encode(message), 1)))
        while sum(one.size for one in self.rows.values()) > MOST_BYTES:
            max(self.rows.values(), key=lambda one: one.size).pending.popleft()

    def add_all(self, message: p.ServerMessage, now: float) -> None:
        for row in self.rows.values():
            self.add(row, message, now)

    @property
    def due(self) -> float | None:
        if not self.rows:
            return None
        return min((row.pending[0][0] for row in self.rows.values() if row.pending), default=None)

    def release(self, now: float) -> list[tuple[Row, Raw]]:
        """What is told now, and to which row."""
        out = []
        for name, row in self.rows.items():
            while row.pending and row.pending[0][0] <= now:
                data = zlib.decompress(row.pending.popleft()[1])
                if data.startswith(b'{"type":"update"'):
                    row.last = data
                out.append((name, Raw(data)))
        return out
