"""The WebSocket of a tournament's live feed. It sends the state of the tournament after each change and ignores
messages."""

from __future__ import annotations

import asyncio
import itertools
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from blackpoker.server.net.frames import EXTENSION, FrameProtocol
from blackpoker.server.net.running import Server
from blackpoker.server.net.sockets import JOIN_FIRST, closing, last_of, let_in

_NUMBERS = itertools.count(1)
#: bytes that may be buffered; what has not been read by then is outdated
MOST_WAITING: Final = 1_000_000


class FollowerLine:
    """A transport that skips updates while its client does not read."""

    def __init__(self, frames: FrameProtocol) -> None:
        self.frames = frames

    def write(self, *messages: bytes) -> int:
        if self.frames.transport.get_write_buffer_size() > MOST_WAITING:
            return 0
        return self.frames.write(*messages)


async def serve_follower(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection until it closes."""
    server: Server = scope["app"].state.server
    await receive()  # websocket.connect
    visitor = await let_in(server, HTTPConnection(scope), send)
    if visitor is None:
        return
    id = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("id", [""])[0]
    contests = server.contests
    found = contests.known.get(id)  # later changes are sent as updates
    if found is None and id.isascii() and len(id) <= 24:
        found = await contests.find(id)
    if found is None:
        await send(closing(JOIN_FIRST, "no such tournament"))
        return
    frames: FrameProtocol = scope["extensions"][EXTENSION]["protocol"]
    key, network = f"{server.hub.bus.me}.f{next(_NUMBERS)}", visitor.network
    server.connected[network] = server.connected.get(network, 0) + 1
    server.metrics.connections += 1
    line = FollowerLine(frames)
    frames.until_beat = server.hub.until_beat
    contests.follow(id, key, line)
    line.write(contests.live(found))
    try:
        await last_of(receive)
    except asyncio.CancelledError:
        pass
    finally:
        contests.unfollow(id, key)
        server.metrics.connections -= 1
        server.connected[network] -= 1
        if not server.connected[network]:
            del server.connected[network]
