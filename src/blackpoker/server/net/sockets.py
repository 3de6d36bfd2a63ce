"""The WebSocket: one connection, one room. Bounded in every direction."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import deque

import msgspec
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from blackpoker.server import protocol as p
from blackpoker.server.net.guests import COOKIE
from blackpoker.server.net.limits import Limits
from blackpoker.server.net.running import Server
from blackpoker.server.rooms.seats import Visitor

log: logging.Logger = logging.getLogger("blackpoker.sockets")
_NUMBERS = itertools.count(1)

#: close codes of ours
TOO_SLOW = 4008
BAD_ORIGIN = 4403
TOO_MANY = 4429
JOIN_FIRST = 4400
#: seconds somebody has to take a closing
CLOSING = 1.0


class Connection:
    """Messages that wait to be sent; a client that does not take them is let go."""

    def __init__(self, send: Send, key: str, limits: Limits) -> None:
        self.send = send
        self.key = key
        self.limits = limits
        self.waiting: deque[bytes] = deque()
        self.size: int = 0
        self.wake: asyncio.Event = asyncio.Event()
        self.closing: tuple[int, str] | None = None
        self.listening: asyncio.Timeout | None = None

    def push(self, data: bytes) -> None:
        if self.closing is not None:
            return
        if len(self.waiting) >= self.limits.queue_messages or self.size + len(data) > self.limits.queue_bytes:
            self.close(TOO_SLOW, "too slow")
            return
        self.waiting.append(data)
        self.size += len(data)
        self.wake.set()

    def close(self, code: int, why: str) -> None:
        if self.closing is None:
            self.closing = (code, why)
            self.waiting.clear()
            self.wake.set()
            if self.listening is not None:  # whoever takes nothing will not take this either: we do not wait for it
                self.listening.reschedule(asyncio.get_running_loop().time() + CLOSING)

    async def send_on(self) -> None:
        """Send what waits, until there is no one to send to."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                data = self.waiting.popleft()
                self.size -= len(data)
                await self.send({"type": "websocket.send", "text": data.decode()})
            if self.closing is not None:
                await self.send(closing(*self.closing))
                return


def closing(code: int, why: str) -> Message:
    return {"type": "websocket.close", "code": code, "reason": why}


async def serve_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """One connection from its first to its last message."""
    server: Server = scope["app"].state.server
    asked = HTTPConnection(scope)
    network = server.network(asked)
    await receive()  # websocket.connect
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
    connection = Connection(send, f"{server.hub.bus.me}.{next(_NUMBERS)}", server.limits)
    server.connected[network] = server.connected.get(network, 0) + 1
    server.metrics.connections.inc()
    sender = asyncio.create_task(connection.send_on())
    try:
        async with asyncio.timeout(None) as connection.listening:
            await listen(server, connection, receive, Visitor(guest.id, guest.name, network))
    except TimeoutError:
        pass
    finally:
        connection.listening = None
        server.hub.leave(connection.key)
        server.metrics.connections.dec()
        server.connected[network] -= 1
        if not server.connected[network]:
            del server.connected[network]
        if connection.closing is not None:
            server.metrics.evicted.labels(connection.closing[1]).inc()
            await asyncio.wait([sender], timeout=CLOSING)
        sender.cancel()
        results = await asyncio.gather(sender, return_exceptions=True)
        if isinstance(results[0], Exception) and not isinstance(results[0], OSError | RuntimeError):
            log.error("sending failed", exc_info=results[0])


async def listen(server: Server, connection: Connection, receive: Receive, who: Visitor) -> None:
    limits = server.limits
    hub = server.hub
    budget = server.budget
    joined = False
    while connection.closing is None:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        server.metrics.messages.inc()
        data = message.get("text")
        if data is None:
            data = message.get("bytes") or b""
        while wait := budget.wait(who.guest, who.network, time.monotonic()):
            await asyncio.sleep(wait)  # whoever says too much is heard more slowly
        budget.spend(who.guest, who.network, limits.message_cost, time.monotonic())
        if len(data) > limits.message_bytes:
            error = p.Error(
                0, "too_large", f"a message may have {limits.message_bytes} bytes", "メッセージが大きすぎます"
            )
            connection.push(p.encode(error))
            continue
        try:
            said = p.decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            server.metrics.errors.labels("bad_message").inc()
            text = " ".join(str(error).split())[:200]
            connection.push(p.encode(p.Error(0, "bad_message", text, "読めないメッセージです")))
            continue
        if joined:
            hub.say(connection.key, said)
        elif isinstance(said, p.Join):
            joined = await hub.join(connection.key, connection, who, said)
        else:
            connection.push(p.encode(p.Error(said.id, "join_first", "join a room first", "先に部屋に入ってください")))
