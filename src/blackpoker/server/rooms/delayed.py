"""What watchers hear later: the game, what is said and offered, what the room is. Everybody who hears the same hears
it from one row, which is kept in bytes, once for all of them, and only while one of them is here."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from blackpoker.server.rooms.seats import RoomClient
from blackpoker.wire import protocol as p

#: bytes a room keeps for those who hear it later. Where a game is too fast for that, the oldest is never told; views
#: are whole
MOST_BYTES: Final = 512_000


class UpdateHead(Struct):
    seq: int


SEQ: Final = msgspec.json.Decoder(UpdateHead)

Row = tuple[p.Lang, p.Detail, bool]


def row_for(client: RoomClient) -> Row:
    return client.lang, client.detail, client.caster


class Later:
    """One row: what will be told, and what has been told last. ``listener`` stands for all who hear it."""

    def __init__(self, lang: p.Lang, detail: p.Detail, caster: bool) -> None:
        self.listener: RoomClient = RoomClient("", "", "", lang=lang, detail=detail, caster=caster)
        self.pending: deque[tuple[float, bytes, str]] = deque()  # when, what, and which guest says it
        self.last: bytes = b""  # the last update that was told
        self.seq: int = -1  # and its number

    @property
    def size(self) -> int:
        return sum(len(data) for _, data, _ in self.pending)


class ToldLater(NamedTuple):
    """To whom, what, and which guest says it; empty: nobody."""

    row: Row
    message: Raw
    by: str


class Delayed:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.rows: dict[Row, Later] = {}
        self.infos: deque[tuple[float, p.RoomInfo]] = deque()  # what the room was, and when that may be known

    def hears(self, client: RoomClient) -> bool:
        return self.seconds > 0 and client.seat is None

    def row_of(self, client: RoomClient) -> Later:
        return self.rows.setdefault(row_for(client), Later(*row_for(client)))

    def left(self, clients: list[RoomClient]) -> None:
        """Somebody has gone: what nobody hears any more is forgotten."""
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
        """The room is this from now on."""
        if self.seconds > 0:
            self.infos.append((now + self.seconds, info))
            self.info_at(now)

    def info_at(self, now: float) -> p.RoomInfo | None:
        """What may be known of the room; None where that is nothing yet."""
        while len(self.infos) > 1 and self.infos[1][0] <= now:
            self.infos.popleft()
        return self.infos[0][1] if self.infos and self.infos[0][0] <= now else None

    @property
    def due(self) -> float | None:
        if not self.rows:
            return None
        return min((row.pending[0][0] for row in self.rows.values() if row.pending), default=None)

    def release(self, now: float) -> list[ToldLater]:
        """What is told now, and to which row."""
        out = []
        for name, row in self.rows.items():
            while row.pending and row.pending[0][0] <= now:
                _, packed, by = row.pending.popleft()
                data = zlib.decompress(packed)
                if data.startswith(b'{"type":"update"'):
                    row.last, row.seq = data, SEQ.decode(data).seq
                out.append(ToldLater(name, Raw(data), by))
        return out
