"""Bots for the server benchmark, as cheap as possible, so that the server dominates the measurement.

A bot reads only the few fields it needs and writes WebSocket frames directly to an asyncio transport; a client library
costs more per message than the server does. The bots send complete moves: mostly a pass, else an action with the
payment the server proposes. After a match the two play another, so that the number of games stays constant.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import cast

import msgspec

#: clients must mask frames; this mask changes nothing
MASK = b"\0\0\0\0"
TEXT, PING, CLOSE = 0x1, 0x9, 0x8
PASSES = 0.6


class Option(msgspec.Struct):
    word: str


class Ask(msgspec.Struct):
    seq: int
    kind: str
    options: list[Option]
    several: bool = False


class Room(msgspec.Struct):
    phase: str


class ServerMessage(msgspec.Struct):
    """The fields of a message that a bot reads."""

    type: str
    id: int = 0
    ask: Ask | None = None
    room: Room | None = None
    seq: int = 0
    complete: bool = False
    proposal: list[str] = []
    match: bool | dict[str, object] | None = None
    state: str = ""
    en: str = ""


DECODER = msgspec.json.Decoder(ServerMessage)


class Socket(asyncio.Protocol):
    """A minimal WebSocket client for unfragmented text frames."""

    def __init__(self, request: str, first: str, on_text: Callable[[bytes], None]) -> None:
        self.request = request.encode()
        self.first = first  # sent when the connection is open
        self.on_text = on_text
        self.rest = b""
        self.open = False
        self.lost = False
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.WriteTransport, transport)  # uvloop's class is no subclass
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        if self.rest:
            data = self.rest + data
        at = 0
        if not self.open:
            head, found, _ = data.partition(b"\r\n\r\n")
            if not found:
                self.rest = data
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(head.decode(errors="replace")[:200])
            self.open = True
            self.send_text(self.first)
            at = len(head) + 4
        end = len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                start += 2
                size = int.from_bytes(data[at + 2 : start], "big")
            elif size == 127:
                start += 8
                size = int.from_bytes(data[at + 2 : start], "big")
            if end < start + size:
                break
            kind = data[at] & 0x0F
            if kind == TEXT:
                self.on_text(data[start : start + size])
            elif kind == PING:
                self.frame(0xA, data[start : start + size])
            elif kind == CLOSE:
                self.lost = True
            at = start + size
        self.rest = data[at:]

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True

    def frame(self, kind: int, data: bytes) -> None:
        if self.lost or self.transport is None:
            return
        size = len(data)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes((0x80 | kind,)) + length + MASK + data)

    def send_text(self, text: str) -> None:
        self.frame(TEXT, text.encode())


class Load:
    """All games and their measurements."""

    def __init__(self, host: str, port: int, pace: float, seed: int) -> None:
        self.host = host
        self.port = port
        self.pace = pace  # seconds between the decisions of one game; 0: no pause
        self.random = random.Random(seed)
        self.loop = asyncio.get_running_loop()
        self.begun = 0.0
        self.waiting: list[tuple[Bot, int, list[str]]] = []  # first decisions, until all games are connected
        self.measuring = False
        self.latencies: list[float] = []
        self.late: list[float] = []  # delays of sending after the due time
        self.acts = 0
        self.errors: list[str] = []
        self.finished = 0
        self.sockets: list[Socket] = []

    def start(self) -> None:
        """Start the games after all bots are connected."""
        self.begun = time.perf_counter()
        for bot, seq, words in self.waiting:
            bot.plan(seq, words)


class Pair:
    """One game; its decisions are due at fixed times, for either player."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.due = load.random.random() * load.pace

    def next_due(self) -> float:
        """Return the due time of the next decision. The times are absolute: a slow answer does not slow the game
        down.
        """
        due = self.load.begun + self.due
        self.due += self.load.pace
        return due


class Bot:
    """One seat of a game."""

    def __init__(self, pair: Pair, first: bool) -> None:
        self.pair = pair
        self.load = pair.load
        self.first = first
        self.joined = asyncio.Event()
        self.socket: Socket | None = None
        self.number = 0
        self.word = ""
        self.sent = 0.0
        self.waiting = 0  # number of the unacknowledged message
        self.readied = False

    async def connect(self, room: str, cookie: str) -> None:
        load = self.load
        request = (
            f"GET /ws?room={room} HTTP/1.1\r\nHost: {load.host}:{load.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n\r\n"
        )
        self.socket = Socket(request, f'{{"type":"join","room":"{room}","detail":"lean"}}', self.on_message)
        load.sockets.append(self.socket)
        made = self.socket
        await load.loop.create_connection(lambda: made, load.host, load.port)
        await asyncio.wait_for(self.joined.wait(), 30)

    def send(self, text: str) -> None:
        assert self.socket is not None
        self.socket.send_text(text)

    def on_message(self, data: bytes) -> None:
        message = DECODER.decode(data)
        match message.type:
            case "update":
                if message.ask is not None:
                    self.on_decision(message.ask)
            case "ack":
                if message.id and message.id == self.waiting:
                    self.load.acts += 1
                    if self.load.measuring:
                        self.load.latencies.append(time.perf_counter() - self.sent)
            case "drafted":
                self.plan(message.seq, [self.word] if message.complete else message.proposal)
            case "welcome":
                self.ready()
                self.joined.set()
            case "error":
                self.load.errors.append(message.en)
            case "over":
                if message.match and self.first:
                    self.load.finished += 1
                    self.send('{"type":"propose","kind":"rematch"}')
            case "offer":
                if message.state == "open" and not self.first:
                    self.send('{"type":"reply","kind":"rematch","accept":true}')
            case "room":
                assert message.room is not None
                if message.room.phase == "waiting":
                    self.ready()
                else:
                    self.readied = False

    def ready(self) -> None:
        if not self.readied:
            self.readied = True
            self.send('{"type":"ready"}')

    def on_decision(self, ask: Ask) -> None:
        chance = self.load.random
        words = [option.word for option in ask.options]
        pick = "pass" if "pass" in words and chance.random() < PASSES else chance.choice(words)
        if pick == "pass" or (ask.kind != "chance" and not ask.several):
            self.plan(ask.seq, [pick])
            return
        self.word = pick
        self.send(f'{{"type":"draft","seq":{ask.seq},"words":["{pick}"]}}')

    def plan(self, seq: int, words: list[str]) -> None:
        """Send this move when it is due."""
        load = self.load
        if not load.begun:
            load.waiting.append((self, seq, words))
            return
        if not load.pace:
            self.act(seq, words, 0.0)
            return
        due = self.pair.next_due()
        wait = due - time.perf_counter()
        if wait > 0:
            load.loop.call_later(wait, self.act, seq, words, due)
        else:
            self.act(seq, words, due)

    def act(self, seq: int, words: list[str], due: float) -> None:
        self.number += 1
        self.waiting = self.number
        self.sent = time.perf_counter()
        if self.load.measuring and due:
            self.load.late.append(self.sent - due)
        said = msgspec.json.encode(words).decode()
        self.send(f'{{"type":"act","id":{self.number},"seq":{seq},"words":{said}}}')
