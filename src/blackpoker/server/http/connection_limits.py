"""Limits per connection: open connections of an address, the time for the head of a request and its size."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import Any, Final

from httptools import HttpParserError

from blackpoker.server.admission import Ledger, Limits, network_of
from blackpoker.server.cluster.transfer import SocketHandover
from blackpoker.server.http.uvicorn_parts import HttpToolsProtocol

#: bytes of a request besides its body; the parser accepts any number and takes longer and longer for them
MAX_HEAD_BYTES: Final = 65_536
#: pipelined requests that may wait on one connection; browsers do not pipeline
MAX_PIPELINED: Final = 8
#: files reserved for the database, Redis, logs and the worker processes
SPARE_FILES: Final = 256


def raise_file_limit() -> int:
    """Raise the limit of open files as far as allowed; return how many of them may be connections."""
    try:
        import resource
    except ImportError:  # not available on every platform
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    except (ValueError, OSError):
        pass
    max_files = 1 << 20 if soft == resource.RLIM_INFINITY else soft
    return max(64, min(max_files, 1 << 20) - SPARE_FILES)


class ConnectionGate:
    """Counts of open connections per network; WebSockets are counted elsewhere."""

    def __init__(self, limits: Limits, files: int) -> None:
        self.header_seconds: float = limits.header_seconds
        self.connection_cost: float = limits.connection_cost
        self.max_connections: int = min(limits.connections, max(16, files // 2))
        self.open_connections: dict[str, int] = {}
        self.handover: SocketHandover | None = None  # only with several processes
        self.ledger: Ledger | None = None  # set when the server has started
        self.response_delay: Callable[[], float] = lambda: 0.0  # seconds before a client may be answered
        self.handover_tasks: set[asyncio.Task[None]] = set()  # connections that are being handed over
        # A proxy's address stands for all of its clients. The proxy limits connections itself; requests are counted by
        # its headers.
        self.trusted_proxies: set[str] = set(
            os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1").replace(" ", "").split(",")
        )

    def admit(self, address: str) -> bool:
        if address in self.trusted_proxies or "*" in self.trusted_proxies:
            return True
        network = network_of(address)
        if self.ledger is not None:
            now = time.monotonic()
            if self.ledger.wait("", network, now):
                return False  # the network has used up its budget: reading the request would cost more
            self.ledger.spend("", network, self.connection_cost, now)
        if self.open_connections.get(network, 0) >= self.max_connections:
            return False
        self.open_connections[network] = self.open_connections.get(network, 0) + 1
        return True

    def release(self, address: str) -> None:
        network = network_of(address)
        remaining = self.open_connections.get(network, 0) - 1
        if remaining > 0:
            self.open_connections[network] = remaining
        else:
            self.open_connections.pop(network, None)


def limited_protocol(gate: ConnectionGate) -> type[HttpToolsProtocol]:
    """Return the HTTP protocol class of connections that this gate limits."""

    class LimitedProtocol(HttpToolsProtocol):
        address = ""
        entered = False
        head = 0  # bytes of the current request besides its body
        adopted = False  # another process has handed the connection over: it stays here
        timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            peer_address: Any = transport.get_extra_info("peername")
            self.address = str(peer_address[0]) if isinstance(peer_address, tuple) else ""
            super().connection_made(transport)
            self.entered = gate.admit(self.address)
            if self.entered:
                self.arm()
            else:
                self.on_beat(transport.abort)

        def on_beat(self, answer: Callable[..., None], *given: Any) -> None:
            """Answer without the application, after the response delay; reading is paused until then."""
            wait = gate.response_delay()
            if not wait:
                answer(*given)
            elif not self.transport.is_closing():
                self.transport.pause_reading()
                self.loop.call_later(wait, self.late, answer, *given)

        def late(self, answer: Callable[..., None], *given: Any) -> None:
            if not self.transport.is_closing():
                answer(*given)

        def send_400_response(self, msg: str) -> None:
            self.on_beat(super().send_400_response, msg)

        def arm(self) -> None:
            self.disarm()
            self.timer = self.loop.call_later(gate.header_seconds, self.too_slow)

        def disarm(self) -> None:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None

        def too_slow(self) -> None:
            """Abort: the head of the request has not arrived in time."""
            if not self.transport.is_closing():
                self.transport.abort()

        def data_received(self, data: bytes) -> None:
            self.head += len(data)
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self.disarm()
            if self.head > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.on_beat(self.transport.abort)

        def on_message_begin(self) -> None:
            if len(self.pipeline) >= MAX_PIPELINED:
                raise HttpParserError("too many requests at once")  # answered as a bad request and closed
            super().on_message_begin()

        def on_body(self, body: bytes) -> None:
            self.head -= len(body)
            super().on_body(body)

        def on_message_complete(self) -> None:
            self.head = 0
            super().on_message_complete()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing():
                self.arm()

        def handle_websocket_upgrade(self) -> None:
            self.gone()
            self.on_beat(self.hand_on)

        def hand_on(self) -> None:
            """Do the handshake here, or hand the connection over to the process that owns the room."""
            transfer = None if self.adopted else gate.handover
            room = "" if transfer is None else transfer.remote_room(self.url)
            if transfer is None or not room:
                self.upgrade()
                self.transport.resume_reading()
                return
            self.transport.pause_reading()
            task = self.loop.create_task(self.hand_over(transfer, room))
            gate.handover_tasks.add(task)
            task.add_done_callback(gate.handover_tasks.discard)

        def upgrade(self) -> None:
            super().handle_websocket_upgrade()
            self.parser: Any = None  # breaks the reference cycle between parser and protocol

        async def hand_over(self, transfer: SocketHandover, room: str) -> None:
            """Hand the connection over to the process that owns the room, or continue here."""
            headers = b"".join(name + b": " + value + b"\r\n" for name, value in self.scope["headers"])
            head_bytes = self.scope["method"].encode() + b" " + self.url + b" HTTP/1.1\r\n" + headers + b"\r\n"
            connection = self.transport.get_extra_info("socket").fileno()
            if await transfer.hand_over(room, connection, head_bytes):
                self.transport.abort()  # closes only our descriptor; the connection stays open in the other process
            elif not self.transport.is_closing():
                self.upgrade()
                self.transport.resume_reading()

        def connection_lost(self, exc: Exception | None) -> None:
            self.gone()
            super().connection_lost(exc)

        def gone(self) -> None:
            """Give the slot of this connection back; a WebSocket is counted separately."""
            self.disarm()
            if self.entered:
                self.entered = False
                gate.release(self.address)

    return LimitedProtocol
