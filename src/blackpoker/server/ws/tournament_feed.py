"""The WebSocket of a tournament's live feed. It sends the state of the tournament after each change and ignores
messages."""

from __future__ import annotations

import asyncio
import itertools
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from blackpoker.server.http.state import AppState
from blackpoker.server.ws.endpoint import CLOSE_NO_GUEST, admit, close_message, until_disconnect
from blackpoker.server.ws.frames import EXTENSION, FrameProtocol

_NUMBERS = itertools.count(1)
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
    id = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("id", [""])[0]
    tournaments = server.tournaments
    found = tournaments.known.get(id)  # later changes are sent as updates
    if found is None and id.isascii() and len(id) <= 24:
        found = await tournaments.find(id)
    if found is None:
        await send(close_message(CLOSE_NO_GUEST, "no such tournament"))
        return
    frames: FrameProtocol = scope["extensions"][EXTENSION]["protocol"]
    key, network = f"{server.room_manager.bus.process_id}.f{next(_NUMBERS)}", identity.network
    server.open_sockets[network] = server.open_sockets.get(network, 0) + 1
    server.metrics.connections += 1
    transport = FeedTransport(frames)
    frames.response_delay = server.room_manager.response_delay
    tournaments.follow(id, key, transport)
    transport.write(tournaments.encoded_update(found))
    try:
        await until_disconnect(receive)
    except asyncio.CancelledError:
        pass
    finally:
        tournaments.unfollow(id, key)
        server.metrics.connections -= 1
        server.open_sockets[network] -= 1
        if not server.open_sockets[network]:
            del server.open_sockets[network]
