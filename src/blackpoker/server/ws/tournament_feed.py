"""The WebSocket of a tournament's live feed. It sends the state of the tournament after each change and accepts
no messages."""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from blackpoker.server.http.state import AppState
from blackpoker.server.ws.endpoint import CLOSE_NO_GUEST, admit, close_message, close_socket, until_disconnect
from blackpoker.server.ws.frames import EXTENSION, FrameProtocol

_NUMBERS = itertools.count(1)
#: close code for a follower that sends messages
CLOSE_NOTHING_TO_SEND: Final = 4405
#: bytes that may be buffered; what has not been read by then is outdated
MAX_BUFFERED: Final = 1_000_000


class FeedTransport:
    """A transport that skips updates while its client does not read."""

    def __init__(self, frames: FrameProtocol) -> None:
        self.frames = frames

    def write(self, *messages: bytes) -> int:
        if self.frames.transport.get_write_buffer_size() > MAX_BUFFERED:
            return 0
        return self.frames.write(*messages)


async def serve_tournament_feed(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection until it closes."""
    server: AppState = scope["app"].state.server
    await receive()  # websocket.connect
    identity = await admit(server, HTTPConnection(scope), send)
    if identity is None:
        return
    network = identity.network
    try:
        await feed(server, scope, receive, send, network)
    finally:
        server.ledger.release(network)


async def feed(server: AppState, scope: Scope, receive: Receive, send: Send, network: str) -> None:
    """Send the changes of a tournament until the client leaves. The client has nothing to send: it is closed at its
    first message, and charged for every other frame."""
    frames: FrameProtocol = scope["extensions"][EXTENSION]["protocol"]
    refused: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ledger = server.ledger

    def refuse(data: bytes = b"") -> None:
        frames.pause()
        if not refused.done():
            refused.set_result(None)

    def charge_frame() -> None:
        now = time.monotonic()
        ledger.spend("", network, server.limits.message_cost, now)
        if ledger.wait("", network, now):
            refuse()

    frames.on_message, frames.on_other_frame = refuse, charge_frame
    id = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("id", [""])[0]
    tournaments = server.tournaments
    found = tournaments.known.get(id)  # later changes are sent as updates
    if found is None and id.isascii() and len(id) <= 24:
        found = await tournaments.find(id)
    if found is None:
        await send(close_message(CLOSE_NO_GUEST, "no such tournament"))
        return
    key = f"{server.room_manager.bus.process_id}.f{next(_NUMBERS)}"
    server.metrics.connections += 1
    transport = FeedTransport(frames)
    frames.response_delay = server.room_manager.response_delay
    tournaments.follow(id, key, transport)
    transport.write(tournaments.encoded_update(found))
    disconnected = asyncio.ensure_future(until_disconnect(receive))
    try:
        await asyncio.wait((disconnected, refused), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        pass
    finally:
        tournaments.unfollow(id, key)
        server.metrics.connections -= 1
        if refused.done():
            server.metrics.evicted["follower"] += 1
            await close_socket(frames, send, (CLOSE_NOTHING_TO_SEND, "nothing is to be sent here"))
        disconnected.cancel()
