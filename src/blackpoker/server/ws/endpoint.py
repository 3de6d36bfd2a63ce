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

from blackpoker.protocol import messages as p
from blackpoker.server.http.sessions import COOKIE
from blackpoker.server.http.signed_sessions import SignedGuestSessions
from blackpoker.server.http.state import AppState
from blackpoker.server.http.types import HttpConnection
from blackpoker.server.rooms.seats import ConnectionIdentity
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.server.ws.connection import Connection
from blackpoker.server.ws.frames import EXTENSION, FrameProtocol

log: Final = logging.getLogger("blackpoker.sockets")
_NUMBERS = itertools.count(1)

#: own close codes
CLOSE_BAD_ORIGIN = 4403
CLOSE_TOO_MANY = 4429
CLOSE_NO_GUEST = 4400
CLOSE_BANNED = 4410
#: seconds a client has to read the close frame
CLOSE_TIMEOUT = 1.0


def close_message(code: int, reason: str) -> Message:
    return {"type": "websocket.close", "code": code, "reason": reason}


async def admit(server: AppState, request: HTTPConnection, send: Send) -> ConnectionIdentity | None:
    """Return the identity of a new connection, which is then held in the ledger; None if it was refused."""
    network = server.network(request)
    now = time.monotonic()
    if server.ledger.wait("", network, now):
        await send(close_message(CLOSE_TOO_MANY, "too many connections"))
        return None
    server.ledger.spend("", network, server.limits.handshake_cost, now)  # charged also if refused
    if not server.allowed_hosts.allows(request.headers.get("host", "")):
        await send(close_message(CLOSE_BAD_ORIGIN, "host"))
        return None
    if not server.allows_origin(request):
        await send(close_message(CLOSE_BAD_ORIGIN, "origin"))
        return None
    if not server.ledger.hold(network):
        await send(close_message(CLOSE_TOO_MANY, "too many connections"))
        return None
    try:
        identity = await identify(server, request, network, send)
    except BaseException:
        server.ledger.release(network)
        raise
    if identity is None:
        server.ledger.release(network)
    return identity


async def identify(server: AppState, request: HTTPConnection, network: str, send: Send) -> ConnectionIdentity | None:
    """Accept the connection and return its identity; None if it was refused."""
    await refresh_devices(server, request)
    guest = server.identity(request)
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    if guest is None:
        error = p.Error(0, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
        await send({"type": "websocket.send", "text": p.encode(error).decode()})
        await send(close_message(CLOSE_NO_GUEST, "no guest"))
        return None
    if guest.banned:
        error = p.Error(
            0, "banned", "an operator has closed this account for a time", "このアカウントは運営により停止中です"
        )
        await send({"type": "websocket.send", "text": p.encode(error).decode()})
        await send(close_message(CLOSE_BANNED, "banned"))
        return None
    return ConnectionIdentity(guest.id, guest.name, network, guest.device, guest.muted)


async def refresh_devices(server: AppState, request: HttpConnection) -> None:
    """Refresh the known devices if the cookie names an unknown one: it may have signed in through another process."""
    if server.maybe_accounts is None or not isinstance(server.sessions, SignedGuestSessions):
        return
    found = server.sessions.verify(request.cookies.get(COOKIE))
    if found is not None and server.maybe_accounts.directory.is_unknown_device(found.device):
        with suppress(
            StoreUnavailable
        ):  # database unreachable: devices that signed in since the last refresh stay unknown
            await server.maybe_accounts.refresh()


async def serve_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection until it closes."""
    server: AppState = scope["app"].state.server
    await receive()  # websocket.connect
    identity = await admit(server, HTTPConnection(scope), send)
    if identity is None:
        return
    protocol: FrameProtocol = scope["extensions"][EXTENSION]["protocol"]
    connection = Connection(protocol, server, f"{server.room_manager.bus.process_id}.{next(_NUMBERS)}", identity)
    network = identity.network
    server.metrics.connections += 1
    protocol.on_message, protocol.on_other_frame, protocol.response_delay = (
        connection.on_message,
        connection.charge_frame,
        server.room_manager.response_delay,
    )
    protocol.drop_handshake()
    disconnected = asyncio.ensure_future(until_disconnect(receive))
    connection.closed.add_done_callback(lambda _: disconnected.cancel())
    try:
        await disconnected
    except asyncio.CancelledError:
        if connection.close_reason is None:
            raise  # the server is shutting down
    finally:
        server.room_manager.leave(connection.key)
        server.metrics.connections -= 1
        server.ledger.release(network)
        if connection.close_reason is not None:
            server.metrics.evicted[connection.close_reason[1]] += 1
            if disconnected.cancelled():
                await close_socket(protocol, send, connection.close_reason)
        disconnected.cancel()


async def until_disconnect(receive: Receive) -> None:
    """Wait until the client is gone; its messages bypass ``receive``."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def close_socket(protocol: FrameProtocol, send: Send, reason: tuple[int, str]) -> None:
    """Send the close frame; abort the connection if the client does not read it."""
    try:
        await asyncio.wait_for(send(close_message(*reason)), CLOSE_TIMEOUT)
    except (TimeoutError, OSError, RuntimeError):
        pass
    if protocol.transport.get_write_buffer_size():
        await asyncio.sleep(CLOSE_TIMEOUT)
        protocol.transport.abort()
