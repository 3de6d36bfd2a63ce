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

from blackpoker.server.http.traces import clear_tracebacks
from blackpoker.server.http.uvicorn_parts import WebSocketsSansIOProtocol

#: key under which the application finds its protocol in the scope
EXTENSION: Final = "blackpoker.frames"
#: frames read from one connection before other connections are served
FRAMES_PER_TURN: Final = 100
_WHOLE_TEXT: Final = 0x81
_MASKED: Final = 0x80


def no_op() -> None:
    """Do nothing."""


def no_delay() -> float:
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

    on_message: Callable[[bytes], None] | None = None
    on_other_frame: Callable[[], None] = staticmethod(no_op)
    response_delay: Callable[[], float] = staticmethod(no_delay)
    unparsed: bytes = b""
    fragmented: bool = False  # a fragmented message is incomplete
    fallback: bool = False  # an unusual frame came: all further data goes to uvicorn's parser
    app_done: bool = False  # the application has returned

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue: Any = Mailbox()

    def handle_connect(self, event: object) -> None:
        super().handle_connect(event)  # type: ignore[arg-type]
        if hasattr(self, "scope"):
            self.scope["extensions"][EXTENSION] = {"protocol": self}

    def drop_handshake(self) -> None:
        """Drop the handshake, which is half of the memory of an idle connection."""
        self.request: Any = None
        self.response: Any = None
        self.scope["headers"] = []

    def data_received(self, data: bytes) -> None:
        on_message = self.on_message
        if on_message is None or self.fallback:
            super().data_received(data)
            return
        if self.unparsed:
            data = self.unparsed + data
        offset, end, frames_left = 0, len(data), FRAMES_PER_TURN
        while end - offset >= 6 and not self.read_paused:
            if not frames_left:
                self.unparsed = data[offset:]
                self.yield_turn()
                return
            frames_left -= 1
            first, size = data[offset], data[offset + 1]
            start = offset + 6
            if size == _MASKED | 126:
                start, size = offset + 8, int.from_bytes(data[offset + 2 : offset + 4], "big")
            elif size == _MASKED | 127 or size < _MASKED:
                break  # too long for the limit, or not masked: uvicorn refuses it
            else:
                size -= _MASKED
            if end < start + size:
                self.unparsed = data[offset:]
                return
            if first == _WHOLE_TEXT and not self.fragmented:
                on_message(apply_mask(data[start : start + size], data[start - 4 : start]))
            else:
                if first & 0x0F < 3:
                    self.fragmented = first < 0x80
                self.unparsed = b""
                super().data_received(data[offset : start + size])
                self.on_other_frame()
            offset = start + size
            if self.close_sent or self.disconnected:
                self.unparsed = b""
                return
        self.unparsed = data[offset:]
        if end - offset >= 6 and not self.read_paused:
            self.fallback = True
            super().data_received(self.unparsed)

    def handle_ping(self) -> None:
        self.delay_answer(super().handle_ping)  # several pending pings are answered together

    def handle_close(self, event: Any) -> None:
        self.delay_answer(super().handle_close, event)

    def handle_parser_exception(self) -> None:
        self.delay_answer(super().handle_parser_exception)

    def delay_answer(self, answer: Callable[..., None], *args: Any) -> None:
        wait = self.response_delay()
        if wait:
            self.loop.call_later(wait, self.answer_if_open, answer, *args)
        else:
            answer(*args)

    def answer_if_open(self, answer: Callable[..., None], *args: Any) -> None:
        if not self.disconnected:
            answer(*args)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.release_references()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.app_done = True
        self.release_references()

    def release_references(self) -> None:
        """Drop the references between the protocol and its handlers, so that all of it is freed without the garbage
        collector."""
        handshake_done = hasattr(self, "scope")
        if not self.disconnected or (handshake_done and not self.app_done):
            return
        self.on_message, self.on_other_frame, self.response_delay, self.unparsed = None, no_op, no_delay, b""
        if handshake_done:
            self.scope["extensions"].pop(EXTENSION, None)
        clear_tracebacks(self.conn.handshake_exc)
        clear_tracebacks(self.conn.parser_exc)
        self.conn.parser.close()

    def send_receive_event_to_app(self) -> None:
        """Pass on a fragmented or binary message."""
        if self.on_message is None:
            super().send_receive_event_to_app()
            return
        data = b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.on_message(data)

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

    def yield_turn(self) -> None:
        """Pause parsing for one turn of the event loop: a single read may contain ten thousands of frames."""
        self.transport.pause_reading()
        self.loop.call_soon(self.continue_reading)

    def continue_reading(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()
            if self.unparsed and not self.fallback:
                self.data_received(b"")

    def pause(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused: bool = True
            self.transport.pause_reading()

    def resume(self) -> None:
        self.read_paused = False
        self.continue_reading()
