"""The WebSocket endpoint: one connection, one room, with limits in both directions."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from contextlib import suppress
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from blackpoker.server.accounts.directory import is_until
from blackpoker.server.net.connection import Connection
from blackpoker.server.net.cookies import SignedGuests
from blackpoker.server.net.exchange import HttpConnection
from blackpoker.server.net.frames import EXTENSION, FrameProtocol
from blackpoker.server.net.guests import COOKIE
from blackpoker.server.net.running import Server
from blackpoker.server.rooms.seats import Visitor
from blackpoker.server.store.promises import Away
from blackpoker.wire import protocol as p

log: Final = logging.getLogger("blackpoker.sockets")
_NUMBERS = itertools.count(1)

#: own close codes
BAD_ORIGIN = 4403
TOO_MANY = 4429
JOIN_FIRST = 4400
BANNED = 4410
#: seconds a client has to read the close frame
CLOSING = 1.0


def closing(code: int, why: str) -> Message:
    return {"type": "websocket.close", "code": code, "reason": why}


async def let_in(server: Server, asked: HTTPConnection, send: Send) -> Visitor | None:
    """Return the identity of a new connection; None if it was refused."""
    network = server.network(asked)
    now = time.monotonic()
    if server.budget.wait("", network, now):
        await send(closing(TOO_MANY, "too many connections"))
        return None
    server.budget.spend("", network, server.limits.handshake_cost, now)  # charged also if refused
    if not server.hosts.known(asked.headers.get("host", "")):
        await send(closing(BAD_ORIGIN, "host"))
        return None
    if not server.own_origin(asked):
        await send(closing(BAD_ORIGIN, "origin"))
        return None
    if server.connected.get(network, 0) >= server.limits.connections:
        await send(closing(TOO_MANY, "too many connections"))
        return None
    await know_device(server, asked)
    guest = server.guests.read(asked.cookies.get(COOKIE))
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    if guest is None:
        error = p.Error(0, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
        await send({"type": "websocket.send", "text": p.encode(error).decode()})
        await send(closing(JOIN_FIRST, "no guest"))
        return None
    if is_until(guest.banned):
        error = p.Error(
            0, "banned", "an operator has closed this account for a time", "このアカウントは運営により停止中です"
        )
        await send({"type": "websocket.send", "text": p.encode(error).decode()})
        await send(closing(BANNED, "banned"))
        return None
    name = guest.name
    if not guest.device and server.people is not None and server.people.directory.owned(name):
        # the name is reserved by an account, so this guest gets a default name
        name = server.guests.named(guest.id, "").name
    return Visitor(guest.id, name, network, guest.device, guest.muted)


async def know_device(server: Server, asked: HttpConnection) -> None:
    """Refresh the known devices if the cookie names an unknown one: it may have signed in through another process."""
    if server.people is None or not isinstance(server.guests, SignedGuests):
        return
    found = server.guests.parsed(asked.cookies.get(COOKIE))
    if found is not None and server.people.directory.unknown(found.device):
        with suppress(Away):  # database unreachable: devices that signed in since the last refresh stay unknown
            await server.people.refresh()


async def serve_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection until it closes."""
    server: Server = scope["app"].state.server
    await receive()  # websocket.connect
    visitor = await let_in(server, HTTPConnection(scope), send)
    if visitor is None:
        return
    frames: FrameProtocol = scope["extensions"][EXTENSION]["protocol"]
    connection = Connection(frames, server, f"{server.hub.bus.me}.{next(_NUMBERS)}", visitor)
    network = visitor.network
    server.connected[network] = server.connected.get(network, 0) + 1
    server.metrics.connections += 1
    frames.hear, frames.count, frames.until_beat = connection.hear, connection.count, server.hub.until_beat
    frames.forget_handshake()
    gone = asyncio.ensure_future(last_of(receive))
    connection.closed.add_done_callback(lambda _: gone.cancel())
    try:
        await gone
    except asyncio.CancelledError:
        if connection.closing is None:
            raise  # the server is shutting down
    finally:
        server.hub.leave(connection.key)
        server.metrics.connections -= 1
        server.connected[network] -= 1
        if not server.connected[network]:
            del server.connected[network]
        if connection.closing is not None:
            server.metrics.evicted[connection.closing[1]] += 1
            if gone.cancelled():
                await let_go(frames, send, connection.closing)
        gone.cancel()


async def last_of(receive: Receive) -> None:
    """Wait until the client is gone; its messages bypass ``receive``."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def let_go(frames: FrameProtocol, send: Send, why: tuple[int, str]) -> None:
    """Send the close frame; abort the connection if the client does not read it."""
    try:
        await asyncio.wait_for(send(closing(*why)), CLOSING)
    except (TimeoutError, OSError, RuntimeError):
        pass
    if frames.transport.get_write_buffer_size():
        await asyncio.sleep(CLOSING)
        frames.transport.abort()
