"""The WebSocket: one connection, one room. Bounded in every direction."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import deque
from typing import Final

import msgspec
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from blackpoker.server.net.frames import EXTENSION, FrameProtocol
from blackpoker.server.net.guests import COOKIE
from blackpoker.server.net.running import Server
from blackpoker.server.rooms.seats import Visitor
from blackpoker.wire import protocol as p

log: Final = logging.getLogger("blackpoker.sockets")
_NUMBERS = itertools.count(1)

#: close codes of ours
TOO_SLOW = 4008
BAD_ORIGIN = 4403
TOO_MANY = 4429
JOIN_FIRST = 4400
#: seconds somebody has to take a closing
CLOSING = 1.0


class Connection:
    """What comes from a client and what goes to it. One that does not take what is sent is let go; one that says more
    than its share is heard more slowly: nothing more is read from it for a while."""

    def __init__(self, frames: FrameProtocol, server: Server, key: str, who: Visitor) -> None:
        self.frames = frames
        self.server = server
        self.key = key
        self.who = who
        self.joined: bool = False
        self.waiting: bool = False  # nothing is heard: a room is being fetched, or the client has to wait
        self.held: deque[bytes] = deque()  # heard already when that began
        self.closing: tuple[int, str] | None = None
        self.closed: asyncio.Event = asyncio.Event()

    # -- to the client -------------------------------------------------------------------------------------------

    def push(self, *messages: bytes) -> None:
        if self.closing is None and self.frames.write(*messages) > self.server.limits.queue_bytes:
            self.close(TOO_SLOW, "too slow")

    def refuse(self, id: int, code: str, en: str, ja: str) -> None:
        self.push(p.encode(p.Error(id, code, en, ja)))

    def close(self, code: int, why: str) -> None:
        if self.closing is None:
            self.closing = (code, why)
            self.closed.set()

    # -- from the client -----------------------------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        if self.waiting:
            self.held.append(data)
            return
        budget, now = self.server.budget, time.monotonic()
        wait = budget.wait(self.who.guest, self.who.network, now)
        if wait:
            self.held.appendleft(data)  # before those that came after it
            self.hold()
            asyncio.get_running_loop().call_later(wait, self.go_on)
            return
        budget.spend(self.who.guest, self.who.network, self.server.limits.message_cost, now)
        self.take(data)

    def count(self) -> None:
        """Something that is no message but work for us."""
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
            self.hear(self.held.popleft())
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
            server.hub.say(self.key, said)
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


def closing(code: int, why: str) -> Message:
    return {"type": "websocket.close", "code": code, "reason": why}


async def serve_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """One connection from its first to its last message."""
    server: Server = scope["app"].state.server
    asked = HTTPConnection(scope)
    network = server.network(asked)
    await receive()  # websocket.connect
    now = time.monotonic()
    if server.budget.wait("", network, now):
        await send(closing(TOO_MANY, "too many connections"))
        return
    server.budget.spend("", network, server.limits.handshake_cost, now)  # also for those that are refused
    if not server.hosts.known(asked.headers.get("host", "")):
        await send(closing(BAD_ORIGIN, "host"))
        return
    if not server.own_origin(asked):
        await send(closing(BAD_ORIGIN, "origin"))
        return
    if server.connected.get(network, 0) >= server.limits.connections:
        await send(closing(TOO_MANY, "too many connections"))
        return
    guest = server.guests.read(asked.cookies.get(COOKIE))
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    if guest is None:
        error = p.Error(0, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
        await send({"type": "websocket.send", "text": p.encode(error).decode()})
        await send(closing(JOIN_FIRST, "no guest"))
        return
    frames: FrameProtocol = scope["extensions"][EXTENSION]["protocol"]
    visitor = Visitor(guest.id, guest.name, network)
    connection = Connection(frames, server, f"{server.hub.bus.me}.{next(_NUMBERS)}", visitor)
    server.connected[network] = server.connected.get(network, 0) + 1
    server.metrics.connections += 1
    frames.hear, frames.count = connection.hear, connection.count
    gone = asyncio.ensure_future(last_of(receive))
    closed = asyncio.ensure_future(connection.closed.wait())
    try:
        await asyncio.wait((gone, closed), return_when=asyncio.FIRST_COMPLETED)
    finally:
        closed.cancel()
        server.hub.leave(connection.key)
        server.metrics.connections -= 1
        server.connected[network] -= 1
        if not server.connected[network]:
            del server.connected[network]
        if connection.closing is not None:
            server.metrics.evicted[connection.closing[1]] += 1
            if not gone.done():
                await let_go(frames, send, connection.closing)
        gone.cancel()


async def last_of(receive: Receive) -> None:
    """Until the client is gone; its messages do not come this way."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def let_go(frames: FrameProtocol, send: Send, why: tuple[int, str]) -> None:
    """Say why; whoever takes nothing will not take this either, and we do not wait for it."""
    try:
        await asyncio.wait_for(send(closing(*why)), CLOSING)
    except (TimeoutError, OSError, RuntimeError):
        pass
    if frames.transport.get_write_buffer_size():
        await asyncio.sleep(CLOSING)
        frames.transport.abort()
