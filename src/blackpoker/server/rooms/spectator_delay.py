"""Delayed messages for spectators: the game, chat, offers, room states. All spectators with the same settings share one
stream, which is kept as compressed bytes and only while one of them is connected."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from blackpoker.protocol import messages as p
from blackpoker.server.rooms.seats import RoomClient

#: bytes a room keeps for delayed spectators. If a game produces more within the delay, the oldest messages are dropped;
#: every view is complete, so nothing depends on them
MAX_BYTES: Final = 512_000
#: decisions by which a caster's view lags besides the time: a player may think longer than the delay
CASTER_LAG: Final = 4


class UpdateSeq(Struct):
    seq: int


SEQ_DECODER: Final = msgspec.json.Decoder(UpdateSeq)

StreamKey = tuple[p.Lang, p.Detail, bool]


def stream_key(client: RoomClient) -> StreamKey:
    return client.lang, client.detail, client.caster


class PendingMessage(NamedTuple):
    """A compressed message with the time and the number of decisions at which it is due, and the guest who wrote it."""

    at: float
    decisions: int
    data: bytes
    author: str


class DelayedStream:
    """A stream of delayed messages. ``listener`` is a stand-in client for all its spectators."""

    def __init__(self, lang: p.Lang, detail: p.Detail, caster: bool) -> None:
        self.listener: RoomClient = RoomClient("", "", "", lang=lang, detail=detail, caster=caster)
        self.pending: deque[PendingMessage] = deque()
        self.last_update: bytes = b""  # the last update that was released
        self.seq: int = -1  # its number

    @property
    def size(self) -> int:
        return sum(len(message.data) for message in self.pending)


class DueMessage(NamedTuple):
    """A message that is due: its stream, the data, the guest who wrote it (empty: none)."""

    stream: StreamKey
    message: Raw
    author: str


class SpectatorDelay:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.streams: dict[StreamKey, DelayedStream] = {}
        self.decisions: int = 0  # decisions in this room so far
        self.infos: deque[tuple[float, p.RoomInfo]] = deque()  # room states with the time at which each becomes visible

    def applies_to(self, client: RoomClient) -> bool:
        return self.seconds > 0 and client.seat is None

    def stream_of(self, client: RoomClient) -> DelayedStream:
        return self.streams.setdefault(stream_key(client), DelayedStream(*stream_key(client)))

    def drop_unused(self, clients: list[RoomClient]) -> None:
        """Drop the streams that have no spectator any more."""
        in_use = {stream_key(client) for client in clients if self.applies_to(client)}
        self.streams = {key: stream for key, stream in self.streams.items() if key in in_use}

    def add(self, stream: DelayedStream, message: p.AnyServerMessage, now: float, author: str = "") -> None:
        lag = CASTER_LAG if stream.listener.caster else 0
        data = zlib.compress(p.encode(message), 1)
        stream.pending.append(PendingMessage(now + self.seconds, self.decisions + lag, data, author))
        while sum(other.size for other in self.streams.values()) > MAX_BYTES:
            max(self.streams.values(), key=lambda other: other.size).pending.popleft()

    def add_all(self, message: p.AnyServerMessage, now: float, author: str = "") -> None:
        for stream in self.streams.values():
            self.add(stream, message, now, author)

    def record_info(self, info: p.RoomInfo, now: float) -> None:
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
        if not self.streams:
            return None
        first = [stream.pending[0] for stream in self.streams.values() if stream.pending]
        return min((message.at for message in first if message.decisions <= self.decisions), default=None)

    def release(self, now: float) -> list[DueMessage]:
        """Remove the messages that are due and return them with their stream."""
        out = []
        for key, stream in self.streams.items():
            while stream.pending and stream.pending[0].at <= now and stream.pending[0].decisions <= self.decisions:
                message = stream.pending.popleft()
                data, author = zlib.decompress(message.data), message.author
                if data.startswith(b'{"type":"update"'):
                    stream.last_update, stream.seq = data, SEQ_DECODER.decode(data).seq
                out.append(DueMessage(key, Raw(data), author))
        return out
