"""Delayed messages for spectators: the game, chat, offers, room states. All spectators with the same settings share one
stream, which is kept as compressed bytes and only while one of them is connected."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from blackpoker.server.rooms.seats import RoomClient
from blackpoker.wire import protocol as p

#: bytes a room keeps for delayed spectators. If a game produces more within the delay, the oldest messages are dropped;
#: every view is complete, so nothing depends on them
MOST_BYTES: Final = 512_000


class UpdateHead(Struct):
    seq: int


SEQ: Final = msgspec.json.Decoder(UpdateHead)

Row = tuple[p.Lang, p.Detail, bool]


def row_for(client: RoomClient) -> Row:
    return client.lang, client.detail, client.caster


class Later:
    """A stream of delayed messages. ``listener`` is a stand-in client for all its spectators."""

    def __init__(self, lang: p.Lang, detail: p.Detail, caster: bool) -> None:
        self.listener: RoomClient = RoomClient("", "", "", lang=lang, detail=detail, caster=caster)
        self.pending: deque[tuple[float, bytes, str]] = deque()  # due time, message, guest who wrote it
        self.last: bytes = b""  # the last update that was released
        self.seq: int = -1  # its number

    @property
    def size(self) -> int:
        return sum(len(data) for _, data, _ in self.pending)


class ToldLater(NamedTuple):
    """A message that is due: its stream, the data, the guest who wrote it (empty: none)."""

    row: Row
    message: Raw
    by: str


class Delayed:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.rows: dict[Row, Later] = {}
        self.infos: deque[tuple[float, p.RoomInfo]] = deque()  # room states with the time at which each becomes visible

    def hears(self, client: RoomClient) -> bool:
        return self.seconds > 0 and client.seat is None

    def row_of(self, client: RoomClient) -> Later:
        return self.rows.setdefault(row_for(client), Later(*row_for(client)))

    def left(self, clients: list[RoomClient]) -> None:
        """Drop the streams that have no spectator any more."""
        here = {row_for(client) for client in clients if self.hears(client)}
        self.rows = {name: row for name, row in self.rows.items() if name in here}

    def add(self, row: Later, message: p.ServerMessage, now: float, by: str = "") -> None:
        row.pending.append((now + self.seconds, zlib.compress(p.encode(message), 1), by))
        while sum(one.size for one in self.rows.values()) > MOST_BYTES:
            max(self.rows.values(), key=lambda one: one.size).pending.popleft()

    def add_all(self, message: p.ServerMessage, now: float, by: str = "") -> None:
        for row in self.rows.values():
            self.add(row, message, now, by)

    def note(self, info: p.RoomInfo, now: float) -> None:
        """Record the new state of the room."""
        if self.seconds > 0:
            self.infos.append((now + self.seconds, info))
            self.info_at(now)

    def info_at(self, now: float) -> p.RoomInfo | None:
        """Return the room state visible at ``now``; None if there is none yet."""
        while len(self.infos) > 1 and self.infos[1][0] <= now:
            self.infos.popleft()
        return self.infos[0][1] if self.infos and self.infos[0][0] <= now else None

    @property
    def due(self) -> float | None:
        if not self.rows:
            return None
        return min((row.pending[0][0] for row in self.rows.values() if row.pending), default=None)

    def release(self, now: float) -> list[ToldLater]:
        """Remove the messages that are due and return them with their stream."""
        out = []
        for name, row in self.rows.items():
            while row.pending and row.pending[0][0] <= now:
                _, packed, by = row.pending.popleft()
                data = zlib.decompress(packed)
                if data.startswith(b'{"type":"update"'):
                    row.last, row.seq = data, SEQ.decode(data).seq
                out.append(ToldLater(name, Raw(data), by))
        return out
