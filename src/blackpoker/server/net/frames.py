"""WebSockets with a fast path: small text frames go directly to their handler and directly to the socket.

uvicorn's protocol does the handshake, pings, closing and everything unusual. Nearly all of the traffic is a small text
in one frame. There it would pass four objects, a queue and a task in each direction, which cost more than the game
itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from websockets.speedups import apply_mask

from blackpoker.server.net.traces import forget_way
from blackpoker.server.net.uvicorn_parts import WebSocketsSansIOProtocol

#: key under which the application finds its protocol in the scope
EXTENSION: Final = "blackpoker.frames"
#: frames read from one connection before other connections are served
AT_ONCE: Final = 100
_WHOLE_TEXT: Final = 0x81
_MASKED: Final = 0x80


def ignore() -> None:
    """Do nothing."""


def at_once() -> float:
    """Return no delay."""
    return 0.0


class Mailbox:
    """A queue of messages for ``receive`` with one reader. asyncio's queue creates four objects even if it stays
    empty."""

    __slots__ = ("messages", "reader")

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self.messages.append(message)
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)

    async def get(self) -> Any:
        while not self.messages:
            self.reader = asyncio.get_running_loop().create_future()
            try:
                await self.reader
            finally:
                self.reader = None
        return self.messages.pop(0)

    def empty(self) -> bool:
        return not self.messages


class FrameProtocol(WebSocketsSansIOProtocol):
    """WebSocket protocol with a fast path. ``on_message`` receives every message once it is set; before that, messages
    wait for ``receive`` as usual. ``on_other_frame`` is called for every other frame, because pings and fragments cost
    more than most messages. Both may ``pause``: nothing more is parsed, including data already received, until
    ``resume``. ``response_delay`` returns the seconds before answers of the protocol itself (pong, close, error) may be
    sent."""

    hear: Callable[[bytes], None] | None = None
    count: Callable[[], None] = staticmethod(ignore)
    until_beat: Callable[[], float] = staticmethod(at_once)
    rest: bytes = b""
    parts: bool = False  # a fragmented message is incomplete
    slow: bool = False  # an unusual frame came: all further data goes to uvicorn's parser
    served: bool = False  # the application has returned

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue: Any = Mailbox()

    def handle_connect(self, event: object) -> None:
        super().handle_connect(event)  # type: ignore[arg-type]
        if hasattr(self, "scope"):
            self.scope["extensions"][EXTENSION] = {"protocol": self}

    def forget_handshake(self) -> None:
        """Drop the handshake, which is half of the memory of an idle connection."""
        self.request: Any = None
        self.response: Any = None
        self.scope["headers"] = []

    def data_received(self, data: bytes) -> None:
        hear = self.hear
        if hear is None or self.slow:
            super().data_received(data)
            return
        if self.rest:
            data = self.rest + data
        at, end, left = 0, len(data), AT_ONCE
        while end - at >= 6 and not self.read_paused:
            if not left:
                self.rest = data[at:]
                self.let_others()
                return
            left -= 1
            first, size = data[at], data[at + 1]
            start = at + 6
            if size == _MASKED | 126:
                start, size = at + 8, int.from_bytes(data[at + 2 : at + 4], "big")
            elif size == _MASKED | 127 or size < _MASKED:
                break  # too long for the limit, or not masked: uvicorn refuses it
            else:
                size -= _MASKED
            if end < start + size:
                self.rest = data[at:]
                return
            if first == _WHOLE_TEXT and not self.parts:
                hear(apply_mask(data[start : start + size], data[start - 4 : start]))
            else:
                if first & 0x0F < 3:
                    self.parts = first < 0x80
                self.rest = b""
                super().data_received(data[at : start + size])
                self.count()
            at = start + size
            if self.close_sent or self.disconnected:
                self.rest = b""
                return
        self.rest = data[at:]
        if end - at >= 6 and not self.read_paused:
            self.slow = True
            super().data_received(self.rest)

    def handle_ping(self) -> None:
        self.on_beat(super().handle_ping)  # several pending pings are answered together

    def handle_close(self, event: Any) -> None:
        self.on_beat(super().handle_close, event)

    def handle_parser_exception(self) -> None:
        self.on_beat(super().handle_parser_exception)

    def on_beat(self, answer: Callable[..., None], *given: Any) -> None:
        wait = self.until_beat()
        if wait:
            self.loop.call_later(wait, self.late, answer, *given)
        else:
            answer(*given)

    def late(self, answer: Callable[..., None], *given: Any) -> None:
        if not self.disconnected:
            answer(*given)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.untie()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.served = True
        self.untie()

    def untie(self) -> None:
        """Drop the references between the protocol and its handlers, so that all of it is freed without the garbage
        collector."""
        shaken = hasattr(self, "scope")
        if not self.disconnected or (shaken and not self.served):
            return
        self.hear, self.count, self.until_beat, self.rest = None, ignore, at_once, b""
        if shaken:
            self.scope["extensions"].pop(EXTENSION, None)
        forget_way(self.conn.handshake_exc)
        forget_way(self.conn.parser_exc)
        self.conn.parser.close()

    def send_receive_event_to_app(self) -> None:
        """Pass on a fragmented or binary message."""
        if self.hear is None:
            super().send_receive_event_to_app()
            return
        data = b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.hear(data)

    def write(self, *messages: bytes) -> int:
        """Send text messages in one write; return the number of buffered bytes."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return 0
        out: list[bytes] = []
        for data in messages:
            size = len(data)
            if size < 126:
                out.append(bytes((_WHOLE_TEXT, size)))
            elif size < 65_536:
                out.append(b"\x81\x7e" + size.to_bytes(2, "big"))
            else:
                out.append(b"\x81\x7f" + size.to_bytes(8, "big"))
            out.append(data)
        self.transport.write(b"".join(out))
        return self.transport.get_write_buffer_size()

    def let_others(self) -> None:
        """Pause parsing for one turn of the event loop: a single read may contain ten thousands of frames."""
        self.transport.pause_reading()
        self.loop.call_soon(self.take_up)

    def take_up(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()
            if self.rest and not self.slow:
                self.data_received(b"")

    def pause(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused: bool = True
            self.transport.pause_reading()

    def go_on(self) -> None:
        self.read_paused = False
        self.take_up()
