"""The messages of one client in both directions; its transport handles opening and closing."""

from __future__ import annotations

import asyncio
import time
from typing import Final, Protocol

import msgspec

from blackpoker.protocol import messages as p
from blackpoker.server.admission import COMPUTED_MESSAGE, JOB_MESSAGE, PLAIN_MESSAGE, Cost
from blackpoker.server.http.state import AppState
from blackpoker.server.rooms.seats import ConnectionIdentity

#: the class of each message
MESSAGES: Final[dict[type, Cost]] = {
    p.Join: COMPUTED_MESSAGE,
    p.SubmitMove: COMPUTED_MESSAGE,
    p.PreviewMove: COMPUTED_MESSAGE,
    p.RequestRefusals: COMPUTED_MESSAGE,
    p.RequestHint: JOB_MESSAGE,
    p.RequestResync: COMPUTED_MESSAGE,
    p.Ready: COMPUTED_MESSAGE,
    p.Reveal: PLAIN_MESSAGE,
    p.Ping: PLAIN_MESSAGE,
    p.Chat: COMPUTED_MESSAGE,
    p.SetAssist: PLAIN_MESSAGE,
    p.PlanAttack: PLAIN_MESSAGE,
    p.Resign: PLAIN_MESSAGE,
    p.SignTranscript: COMPUTED_MESSAGE,
    p.MutePlayer: COMPUTED_MESSAGE,
    p.ReportPlayer: COMPUTED_MESSAGE,
    p.NameCaster: COMPUTED_MESSAGE,
    p.MakeOffer: PLAIN_MESSAGE,
    p.AnswerOffer: PLAIN_MESSAGE,
}
#: close code for a client that does not read what is sent
TOO_SLOW = 4008


class Transport(Protocol):
    """A transport. ``write`` returns the number of buffered bytes; reading can be paused and resumed."""

    def write(self, *messages: bytes) -> int: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...


class Connection:
    """The messages from and to one client. A client that does not read what is sent is disconnected. A client over its
    time budget is throttled: nothing more is read from it for a while."""

    def __init__(self, transport: Transport, server: AppState, key: str, identity: ConnectionIdentity) -> None:
        self.transport = transport
        self.server = server
        self.key = key
        self.identity = identity
        self.joined: bool = False
        self.paused: bool = False  # reading is paused: a room is being loaded, or the client has to wait
        self.buffered: list[bytes] = []  # messages received before the pause took effect
        self.delay_done: bool = False  # the next message has already waited for its tick
        self.close_reason: tuple[int, str] | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # -- to the client -------------------------------------------------------------------------------------------

    def send(self, *messages: bytes) -> None:
        if self.close_reason is None and self.transport.write(*messages) > self.server.limits.queue_bytes:
            self.close(TOO_SLOW, "too slow")

    def send_error(self, id: int, code: str, en: str, ja: str) -> None:
        """Send an error for a message that reaches no room; reading is paused until the error is sent."""
        data, wait = p.encode(p.Error(id, code, en, ja)), self.server.room_manager.response_delay()
        if not wait:
            self.send(data)
            return
        self.pause()
        asyncio.get_running_loop().call_later(wait, self.send_delayed, data)

    def send_delayed(self, data: bytes) -> None:
        self.send(data)
        self.resume()

    def close(self, code: int, reason: str) -> None:
        if self.close_reason is None:
            self.close_reason = (code, reason)
            self.closed.set_result(None)

    # -- from the client -----------------------------------------------------------------------------------------

    def on_message(self, data: bytes) -> None:
        if self.paused:
            self.buffered.append(data)
            return
        ledger, now = self.server.ledger, time.monotonic()
        wait = ledger.wait(self.identity.guest, self.identity.network, now) or self.server.room_manager.window_delay(
            self.key
        )
        if not wait and not self.joined and not self.delay_done:
            wait = self.server.room_manager.response_delay()  # a joined room delays its own answers
            self.delay_done = wait > 0
        if wait:
            self.buffered.insert(0, data)  # before later messages
            self.pause()
            asyncio.get_running_loop().call_later(wait, self.resume)
            return
        self.delay_done = False
        ledger.spend(self.identity.guest, self.identity.network, self.server.limits.message_cost, now)
        self.dispatch(data)

    def charge_frame(self) -> None:
        """Charge the client for a frame that is not a message."""
        ledger, now = self.server.ledger, time.monotonic()
        ledger.spend(self.identity.guest, self.identity.network, self.server.limits.message_cost, now)
        wait = ledger.wait(self.identity.guest, self.identity.network, now)
        if wait and not self.paused:
            self.pause()
            asyncio.get_running_loop().call_later(wait, self.resume)

    def pause(self) -> None:
        self.paused = True
        self.transport.pause()

    def resume(self) -> None:
        self.paused = False
        while self.buffered and not self.paused and self.close_reason is None:
            self.on_message(self.buffered.pop(0))
        if not self.paused:
            self.transport.resume()

    def dispatch(self, data: bytes) -> None:
        server = self.server
        server.metrics.messages += 1
        max_bytes = server.limits.message_bytes
        if self.close_reason is not None:
            return
        if len(data) > max_bytes:
            self.send_error(0, "too_large", f"a message may have {max_bytes} bytes", "メッセージが大きすぎます")
            return
        try:
            message = p.decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            server.metrics.errors["bad_message"] += 1
            self.send_error(0, "bad_message", " ".join(str(error).split())[:200], "読めないメッセージです")
            return
        extra_ms = MESSAGES[type(message)].ms - server.limits.message_cost
        if extra_ms > 0:
            server.ledger.spend(self.identity.guest, self.identity.network, extra_ms, time.monotonic())
        if self.joined:
            server.room_manager.receive(self.key, message)
        elif isinstance(message, p.Join):
            self.pause()
            server.room_manager.spawn(self.join(message))
        else:
            self.send_error(message.id, "join_first", "join a room first", "先に部屋に入ってください")

    async def join(self, message: p.Join) -> None:
        try:
            self.joined = await self.server.room_manager.join(self.key, self, self.identity, message)
        finally:
            self.resume()
