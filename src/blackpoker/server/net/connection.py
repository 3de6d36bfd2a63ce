"""The messages of one client in both directions; its transport handles opening and closing."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

import msgspec

from blackpoker.server.net.running import Server
from blackpoker.server.rooms.seats import Visitor
from blackpoker.wire import protocol as p

#: close code for a client that does not read what is sent
TOO_SLOW = 4008


class Frames(Protocol):
    """A transport. ``write`` returns the number of buffered bytes; reading can be paused and resumed."""

    def write(self, *messages: bytes) -> int: ...

    def pause(self) -> None: ...

    def go_on(self) -> None: ...


class Connection:
    """The messages from and to one client. A client that does not read what is sent is disconnected. A client over its
    time budget is throttled: nothing more is read from it for a while."""

    def __init__(self, frames: Frames, server: Server, key: str, who: Visitor) -> None:
        self.frames = frames
        self.server = server
        self.key = key
        self.who = who
        self.joined: bool = False
        self.waiting: bool = False  # reading is paused: a room is being loaded, or the client has to wait
        self.held: list[bytes] = []  # messages received before the pause took effect
        self.in_time: bool = False  # the next message has already waited for its tick
        self.closing: tuple[int, str] | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # -- to the client -------------------------------------------------------------------------------------------

    def push(self, *messages: bytes) -> None:
        if self.closing is None and self.frames.write(*messages) > self.server.limits.queue_bytes:
            self.close(TOO_SLOW, "too slow")

    def refuse(self, id: int, code: str, en: str, ja: str) -> None:
        """Send an error for a message that reaches no room; reading is paused until the error is sent."""
        data, wait = p.encode(p.Error(id, code, en, ja)), self.server.hub.until_beat()
        if not wait:
            self.push(data)
            return
        self.hold()
        asyncio.get_running_loop().call_later(wait, self.answer_late, data)

    def answer_late(self, data: bytes) -> None:
        self.push(data)
        self.go_on()

    def close(self, code: int, why: str) -> None:
        if self.closing is None:
            self.closing = (code, why)
            self.closed.set_result(None)

    # -- from the client -----------------------------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        if self.waiting:
            self.held.append(data)
            return
        budget, now = self.server.budget, time.monotonic()
        wait = budget.wait(self.who.guest, self.who.network, now) or self.server.hub.hush(self.key)
        if not wait and not self.joined and not self.in_time:
            wait = self.server.hub.until_beat()  # a joined room delays its own answers
            self.in_time = wait > 0
        if wait:
            self.held.insert(0, data)  # before later messages
            self.hold()
            asyncio.get_running_loop().call_later(wait, self.go_on)
            return
        self.in_time = False
        budget.spend(self.who.guest, self.who.network, self.server.limits.message_cost, now)
        self.take(data)

    def count(self) -> None:
        """Charge the client for a frame that is not a message."""
        budget, now = self.server.budget, time.monotonic()
        budget.spend(self.who.guest, self.who.network, self.server.limits.message_cost, now)
        wait = budget.wait(self.who.guest, self.who.network, now)
        if wait and not self.waiting:
            self.hold()
            asyncio.get_running_loop().call_later(wait, self.go_on)

    def hold(self) -> None:
        self.waiting = True
        self.frames.pause()

    def go_on(self) -> None:
        self.waiting = False
        while self.held and not self.waiting and self.closing is None:
            self.hear(self.held.pop(0))
        if not self.waiting:
            self.frames.go_on()

    def take(self, data: bytes) -> None:
        server = self.server
        server.metrics.messages += 1
        most = server.limits.message_bytes
        if self.closing is not None:
            return
        if len(data) > most:
            self.refuse(0, "too_large", f"a message may have {most} bytes", "メッセージが大きすぎます")
            return
        try:
            said = p.decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            server.metrics.errors["bad_message"] += 1
            self.refuse(0, "bad_message", " ".join(str(error).split())[:200], "読めないメッセージです")
            return
        if self.joined:
            server.hub.receive(self.key, said)
        elif isinstance(said, p.Join):
            self.hold()
            server.hub.spawn(self.join(said))
        else:
            self.refuse(said.id, "join_first", "join a room first", "先に部屋に入ってください")

    async def join(self, said: p.Join) -> None:
        try:
            self.joined = await self.server.hub.join(self.key, self, self.who, said)
        finally:
            self.go_on()
