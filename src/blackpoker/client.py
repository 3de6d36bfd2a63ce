"""A typed client of the server, for bots, tests and scripts that should not handle JSON.

async with Client("http://127.0.0.1:8080", name="my bot") as client:
    room = await client.create_room(opponent="easy")
    async with client.join(room.id) as seat:
        await seat.ready()
        async for prompt in seat.prompts():
            await seat.choose(prompt, random.choice)
        print(seat.result)

``choose`` builds a move option by option: its second argument receives the options that may follow and returns one of
them. A refusal of the server raises `Refused`, for example ``seat.submit(prompt, ["nonsense"])``; a missing server
raises `Unreachable`.
"""

from __future__ import annotations

import asyncio
import http.client
import http.cookiejar
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from blackpoker import Player, View
from blackpoker.assist.decision import RefusedAction
from blackpoker.errors import BlackPokerError
from blackpoker.protocol import messages as p
from blackpoker.protocol.view_changes import apply_changes
from blackpoker.server.fairness.receipt import Attempts, Receipt, next_terms
from blackpoker.server.fairness.receipt_keeper import ReceiptKeeper

#: picks the next option from those that can follow
Pick = Callable[[list[p.Option]], p.Option | Awaitable[p.Option]]
COOKIE = "blackpoker_guest"


class Refused(BlackPokerError):
    """The server refused a request; ``code`` names the kind of error."""

    def __init__(self, code: str, text: str, ruling: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.ruling = ruling


class Unreachable(BlackPokerError, ConnectionError):
    """No server of this game answers at the address."""

    def __init__(self, url: str, reason: object) -> None:
        super().__init__(f"no BlackPoker server answers at {url}: {reason}")


class Client:
    """One guest of one server."""

    def __init__(self, url: str, name: str = "", lang: p.Lang = "en", cookie: str = "") -> None:
        """``cookie``: the value of the property ``cookie``, to be the same guest again."""
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"the address of a server begins with http:// or https://, not {url!r}")
        self.url: str = url.rstrip("/")
        self.name = name
        self.lang: p.Lang = lang
        self.jar: http.cookiejar.CookieJar = http.cookiejar.CookieJar()
        self.opener: urllib.request.OpenerDirector = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar)
        )
        self.attempts: Attempts = Attempts()  # every deal for which a salt was opened
        if cookie:
            self.jar.set_cookie(guest_cookie(self.url, cookie))

    async def __aenter__(self) -> Self:
        if self.name:
            await self.request("POST", "/api/me", {"name": self.name})
        else:
            await self.request("GET", "/api/me")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.opener.close()

    @property
    def cookie(self) -> str:
        """The guest cookie; keep it to return as the same guest."""
        return next((cookie.value or "" for cookie in self.jar if cookie.name == COOKIE), "")

    async def request(self, method: str, path: str, body: object = None) -> Any:
        """Call the HTTP API and return the decoded response; raise `Refused` or `Unreachable`."""
        return await asyncio.to_thread(self._request, method, path, body)

    def _request(self, method: str, path: str, body: object) -> Any:
        data = None if body is None else msgspec.json.encode(body)
        call = urllib.request.Request(self.url + path, data, {"content-type": "application/json"}, method=method)
        try:
            with self.opener.open(call, timeout=30) as answer:
                return msgspec.json.decode(answer.read())
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                problem = msgspec.json.decode(text)
                raise Refused(problem["code"], problem["en"], problem.get("ruling", "")) from None
            except (msgspec.MsgspecError, KeyError, TypeError):
                raise Refused(str(error.code), error.reason) from None
        except urllib.error.URLError as error:
            raise Unreachable(self.url, error.reason) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(self.url, error) from None
        except msgspec.MsgspecError:
            raise Unreachable(self.url, "what answers does not speak its protocol") from None

    async def create_room(self, **settings: Any) -> p.RoomInfo:
        created = await self.request("POST", "/api/rooms", settings)
        return msgspec.convert(created["room"], p.RoomInfo)

    @asynccontextmanager
    async def join(self, room: str, seat: str = "any", detail: p.Detail = "lean") -> AsyncIterator[ServerSeat]:
        """Sit down, or watch with ``seat="watch"``."""
        server_seat = ServerSeat(self.url, room, self.cookie, seat, self.lang, detail, self.attempts)
        try:
            await server_seat.connect()
            yield server_seat
        finally:
            await server_seat.close()


def guest_cookie(url: str, value: str) -> http.cookiejar.Cookie:
    """Return the guest cookie as the server at this address would have set it."""
    host = urllib.parse.urlsplit(url).hostname or ""
    domain = host if "." in host else f"{host}.local"
    return http.cookiejar.Cookie(
        0, COOKIE, value, None, False, domain, False, False, "/", True, False, None, False, None, None, {}
    )


class ServerSeat:
    """A connection to a room. It reconnects by itself, and never makes a move twice."""

    def __init__(
        self,
        url: str,
        room: str,
        cookie: str,
        seat: str = "any",
        lang: p.Lang = "en",
        detail: p.Detail = "lean",
        attempts: Attempts | None = None,
    ) -> None:
        self.server = url
        self.url: str = f"{url.replace('http', 'ws', 1)}/ws?room={room}"
        self.room = room
        self.cookie = cookie
        self.wanted_seat: Any = seat
        self.lang: p.Lang = lang
        self.detail: p.Detail = detail
        self.socket: ClientConnection | None = None
        self.seat: str | None = None
        self.game: int = 0
        self.seq: int = -1
        self.last_answered: int = -1
        self.acked: int = -1
        self.info: p.RoomInfo | None = None
        self.last: p.Update | None = None
        self.view: View | None = None  # the one of the last update
        self.result: p.GameOver | None = None
        self.error: p.Error | None = None
        self.last_id: int = 0
        self.deck: str = ""
        self.submitted_deck: str = ""  # for a tournament: the submitted deck to be ready with
        self.ready_sent_for: tuple[str, str] | None = None  # the room and the commitment for which we sent ready
        self.keeper: ReceiptKeeper = ReceiptKeeper(attempts)
        self.to_sign: list[p.SignTranscript] = []
        self.opened_since_ready: bool = False  # a salt was opened since the caller last sent ready
        self.last_revealed: str = ""  # the terms for which our salt was revealed on this connection
        self.reconnect_seconds: float = 30.0
        self.on_message: Callable[[p.AnyServerMessage], None] | None = None

    @property
    def receipt(self) -> Receipt | None:
        """What we saw of the last game, to be checked against the record."""
        return self.keeper.receipt

    async def connect(self) -> None:
        self.last = self.view = None  # a prompt of the lost connection may have been answered
        self.last_revealed = ""  # and our salt may have been lost with it
        headers = {"Cookie": f"{COOKIE}={self.cookie}"}
        try:
            self.socket = await connect(self.url, additional_headers=headers, max_size=2**22, compression=None)
        except OSError as error:
            raise Unreachable(self.server, error) from None
        since = self.seq if self.game else -1
        await self.send(p.Join(0, self.room, self.wanted_seat, self.lang, self.detail, self.game, since))
        while True:
            message = await self.receive()
            if isinstance(message, p.Error):
                raise Refused(message.code, message.en, message.ruling)
            if isinstance(message, p.Welcome):
                return
            # else a notice that nothing can be stored at the moment, which every client receives

    async def reconnect(self) -> None:
        """Reconnect to the same prompt; raise the last error when ``reconnect_seconds`` have passed."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.reconnect_seconds
        pause = 0.05
        while True:
            await self.close()
            try:
                await self.connect()
                return
            except (TimeoutError, OSError, WebSocketException, Refused) as error:
                final = isinstance(error, Refused) and error.code != "unavailable"
                if final or loop.time() > end:
                    raise
                await asyncio.sleep(pause)
                pause = min(1.0, pause * 1.6)

    async def close(self) -> None:
        if self.socket is not None:
            socket, self.socket = self.socket, None
            await socket.close()

    async def send(self, message: p.AnyClientMessage) -> None:
        assert self.socket is not None
        await self.socket.send(p.encode(message).decode())

    async def receive(self) -> p.AnyServerMessage:
        assert self.socket is not None
        message = p.decode_server(await self.socket.recv())
        self.update_state(message)
        if self.keeper.sealed is not None:
            await self.reveal_if_due()
        while self.to_sign and self.socket is not None:
            await self.send(self.to_sign.pop(0))
        return message

    def update_state(self, message: p.AnyServerMessage) -> None:
        """Update the state of this object from a message."""
        if isinstance(message, p.Welcome):
            self.seat, self.info, self.last_answered = message.seat, message.room, message.last_answered
            self.submitted_deck = message.deck
            if self.room != message.room.id:  # a quick match has moved us there
                self.url = self.url.replace(f"room={self.room}", f"room={message.room.id}")
                self.room, self.keeper.receipt = message.room.id, None
        elif isinstance(message, p.RoomState):
            self.info = message.room
        elif isinstance(message, p.Update):
            if message.game != self.game:
                self.game, self.acked, self.last_answered, self.result = message.game, -1, -1, None
                self.seq, self.opened_since_ready = -1, False
            if message.view_changes is not None and self.view is not None:
                changed = apply_changes(msgspec.to_builtins(self.view), message.view_changes)
                message.view, message.view_changes = msgspec.convert(changed, View), None
            self.seq, self.last, self.view = message.seq, message, message.view
        elif isinstance(message, p.Ack):
            self.acked = max(self.acked, message.seq)
        elif isinstance(message, p.GameOver):
            self.result = message
        elif isinstance(message, p.Error):
            self.error = message
        self.to_sign += self.keeper.on_message(message)
        if self.on_message is not None:
            self.on_message(message)

    async def ready(self, deck: str = "", salt: str = "") -> None:
        """Send ready with an own salt, sealed until the other seat has sealed its salt too; ``receive`` reveals it."""
        self.opened_since_ready = False
        await self.wait_answer(await self.send_ready(deck or self.submitted_deck, salt))

    async def send_ready(self, deck: str, salt: str = "") -> int:
        self.deck = deck
        self.ready_sent_for = None if self.info is None else (self.info.id, self.info.commitment)
        number = self.next_id()
        you = Player.P2 if self.seat == "p2" else Player.P1
        await self.send(self.keeper.ready(number, you, salt or secrets.token_hex(16), deck))
        return number

    async def reveal_if_due(self) -> None:
        """Reveal our salt once both seats are ready; send `ready` again if the room or its commitment changed. Raise
        `Refused` if the server would then open a second salt without a call of `ready`."""
        info = self.info
        if info is None or self.seat is None or info.phase != "waiting":
            return
        mine = info.p2 if self.seat == "p2" else info.p1
        if not mine.ready and self.ready_sent_for != (info.id, info.commitment):
            if self.opened_since_ready:
                self.keeper.sealed = None
                raise Refused("abandoned", "a deal was abandoned after your salt was opened; be ready again to go on")
            await self.send_ready(self.deck)
        if not (info.p1.ready and info.p2.ready) or not self.keeper.is_own_seal(info):
            return
        terms = next_terms(info)
        if not self.keeper.may_open(terms):
            self.keeper.sealed = None
            raise Refused("salt", "the server wants to use your salt for a second commitment")
        self.opened_since_ready = True
        reveal = self.keeper.open(self.next_id(), terms)
        if self.last_revealed != terms.hash:  # once is enough, also while the other seat is slow
            self.last_revealed = terms.hash
            await self.send(reveal)

    def next_id(self) -> int:
        self.last_id += 1
        return self.last_id

    async def wait_answer(self, number: int) -> p.Ack | p.PreviewResult | p.Refusals:
        """Wait for the answer to a message of ours and return it; raise `Refused` if it was refused. Other messages are
        processed meanwhile."""
        while True:
            message = await self.receive()
            if isinstance(message, p.Error) and message.id == number:
                raise Refused(message.code, message.en, message.ruling)
            if isinstance(message, p.Ack | p.PreviewResult | p.Refusals) and message.id == number:
                return message

    async def submit(self, ask: p.Prompt, words: list[str] | str) -> bool:
        """Answer a prompt with a whole move: its tokens, or its text in the notation. Return False if the prompt was
        over before the answer arrived, or if the connection was lost and the result is unknown; the next prompt shows
        the state."""
        if not words:
            return False
        number = self.next_id()
        try:
            message = (
                p.SubmitMove(number, ask.seq, text=words)
                if isinstance(words, str)
                else p.SubmitMove(number, ask.seq, words)
            )
            await self.send(message)
            await self.wait_answer(number)
        except Refused as refused:
            if refused.code != "late":
                raise
            return False
        except (OSError, WebSocketException):
            return False
        return True

    async def preview(self, ask: p.Prompt, words: list[str]) -> p.PreviewResult:
        """Return the options that can follow these tokens."""
        number = self.next_id()
        await self.send(p.PreviewMove(number, ask.seq, words))
        message = await self.wait_answer(number)
        assert isinstance(message, p.PreviewResult)
        return message

    async def preview_text(self, ask: p.Prompt, text: str) -> p.PreviewResult:
        """Return the preview of a whole move in the notation."""
        number = self.next_id()
        await self.send(p.PreviewMove(number, ask.seq, text=text))
        message = await self.wait_answer(number)
        assert isinstance(message, p.PreviewResult)
        return message

    async def rematch(self) -> None:
        """Offer a rematch and accept the offer of the other seat, until the room waits for a new match."""
        await self.send(p.MakeOffer(self.next_id(), "rematch"))
        while self.info is None or self.info.phase != "waiting":
            message = await self.receive()
            if isinstance(message, p.Offer) and message.kind == "rematch" and message.state == "open":
                if message.player != self.seat:
                    await self.send(p.AnswerOffer(self.next_id(), "rematch", True))
        self.result = None

    async def resign(self, fault: bool = False) -> None:
        """Resign the game in play; with ``fault`` as a bot that broke."""
        number = self.next_id()
        if self.receipt is not None:
            self.receipt.resigned = True
        await self.send(p.Resign(number, fault))
        await self.wait_answer(number)

    async def refusals(self) -> list[RefusedAction]:
        """Return why the actions that are not offered are refused."""
        number = self.next_id()
        await self.send(p.RequestRefusals(number))
        message = await self.wait_answer(number)
        assert isinstance(message, p.Refusals)
        return message.refusals

    async def choose(self, ask: p.Prompt, pick: Pick) -> bool:
        """Answer a prompt with a move of which each option is picked from those that can follow; ``pick`` may be a
        coroutine. Return False as with ``act``; raise `Refused` if an option is not offered."""
        try:
            words = await self.build_move(ask, pick)
        except (OSError, WebSocketException):
            return False
        return await self.submit(ask, words)

    async def build_move(self, ask: p.Prompt, pick: Pick) -> list[str]:
        """Return the tokens of the whole move; empty if the prompt is over meanwhile."""
        words: list[str] = []
        options = ask.options
        try:
            while True:
                picked = pick(options)
                words.append((await picked if isinstance(picked, Awaitable) else picked).token)
                if ask.kind == "deck" or words == ["pass"]:
                    break
                preview = await self.preview(ask, words)
                if preview.complete:
                    break
                options = preview.options
        except Refused as refused:
            if refused.code != "late":
                raise
            return []
        return words

    async def prompts(self) -> AsyncIterator[p.Prompt]:
        """Yield each prompt for this seat, until the match is over."""
        last_seq = -1
        while self.result is None or not self.result.match_over:
            update = self.last
            ask = None if update is None else update.prompt
            if ask is not None and ask.seq != last_seq:
                last_seq = ask.seq
                yield ask
                continue
            try:
                await self.receive()
            except (OSError, WebSocketException):
                last_seq = -1
                await self.reconnect()
