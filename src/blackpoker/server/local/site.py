"""The server without a network, for a page without one: the same rooms and endpoints for one person on one machine.
Requests, messages and responses are text; their transport is not known here."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import parse_qsl, unquote

from blackpoker.game import Game
from blackpoker.server.api.endpoints import ENDPOINTS
from blackpoker.server.local import unfinished
from blackpoker.server.local.store import LocalStore, RowKeeper
from blackpoker.server.net.bus import Bus
from blackpoker.server.net.connection import Connection
from blackpoker.server.net.guests import COOKIE, Guest, Guests
from blackpoker.server.net.http import JSON, Endpoint, HttpProblem, not_here, respond
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import UNLIMITED
from blackpoker.server.net.metrics import Metrics
from blackpoker.server.net.running import Server
from blackpoker.server.net.thinkers import Thinkers, sentence_of_saved, within
from blackpoker.server.rooms.seats import Visitor
from blackpoker.server.store.promises import Keeping

log: logging.Logger = logging.getLogger("blackpoker.local")
T = TypeVar("T")
#: an unfinished game at home is kept until it is finished
KEPT: Final = Keeping(waiting=1, unfinished=0, over=7)
#: level and regulation of the warm-up: the strongest level chooses the first move of an unused game
WARMING: Final = ("lite+entry", "master")


class LocalThinkers(Thinkers):
    """Worker pool for one processor: jobs run in the event loop, which handles messages between two jobs."""

    def warm(self, level: str) -> None:
        """Do nothing: there is no process to start."""

    async def work(self, job: Callable[..., T], *given: Any) -> T:
        await asyncio.sleep(0)
        if job is within:  # a job cannot be interrupted here, and no other client waits
            _, job, *rest = given
            return job(*rest)
        return job(*given)


class LocalGuests(Guests):
    """A single guest; cookies need no signature."""

    def cookie(self, guest: Guest) -> str:
        return json.dumps([guest.id, guest.name])

    def read(self, cookie: str | None) -> Guest | None:
        return Guest(*json.loads(cookie)) if cookie else None


@dataclass
class LocalRequest:
    """A request of the page, with the interface the endpoints expect."""

    app: Any
    method: str
    path_params: Mapping[str, str]
    query_params: Mapping[str, str]
    body: bytes
    cookies: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": JSON})
    client: None = None
    url: Any = field(default_factory=lambda: SimpleNamespace(scheme="local"))

    async def stream(self) -> AsyncIterator[bytes]:
        yield self.body


class LocalFrames:
    """The transport to a page, which accepts all data at once."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self.send = send

    def write(self, *messages: bytes) -> int:
        for message in messages:
            self.send(message.decode())
        return 0

    def pause(self) -> None:
        """Do nothing: a paused connection buffers messages itself (``Connection.buffered``)."""

    def go_on(self) -> None:
        """Do nothing."""


class Answered(NamedTuple):
    status: int
    media: str
    text: str


class LocalSite:
    def __init__(self, hub: Hub, server: Server, rows: RowKeeper, cookie: str) -> None:
        self.hub = hub
        self.server = server
        self.rows = rows
        self.cookie = cookie
        self.app: Any = SimpleNamespace(state=SimpleNamespace(server=server))
        self.lines: dict[str, tuple[Connection, asyncio.Task[None]]] = {}
        self.numbers = itertools.count(1)
        self.routes: list[tuple[re.Pattern[str], Endpoint]] = [
            (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", endpoint.path)), endpoint)
            for endpoint in (*ENDPOINTS, *unfinished.ENDPOINTS)
            if endpoint.path.startswith("/api/")
        ]

    @classmethod
    async def open(cls, rows: RowKeeper) -> LocalSite:
        metrics = Metrics()
        hub = Hub(LocalStore(rows), Bus(), metrics, UNLIMITED, KEPT)
        hub.thinkers = LocalThinkers()
        server = Server(hub, LocalGuests(), UNLIMITED, metrics)
        await hub.start()
        return cls(hub, server, rows, await rows.read("key guest"))

    async def close(self) -> None:
        for name in list(self.lines):
            self.hang_up(name)
        await self.hub.stop()

    def warm_up(self) -> None:
        """Choose one move while the page is idle: the WebAssembly code is optimised by being used."""
        regulation, level = WARMING
        sentence_of_saved(level, Game(regulation, seed=1).to_json())

    # -- requests ------------------------------------------------------------------------------------------------

    async def answer(self, method: str, target: str, body: str = "") -> Answered:
        path, _, query = target.partition("?")
        for pattern, endpoint in self.routes:
            found = pattern.fullmatch(path) if endpoint.method == method else None
            if found is not None:
                given = {name: unquote(value) for name, value in found.groupdict().items()}
                cookies = {COOKIE: self.cookie} if self.cookie else {}
                asked = LocalRequest(self.app, method, given, dict(parse_qsl(query)), body.encode(), cookies)
                return await self.respond(endpoint, asked)
        return told(not_here())

    async def respond(self, endpoint: Endpoint, asked: LocalRequest) -> Answered:
        try:
            response = await respond(endpoint, asked, UNLIMITED.body_bytes)
        except Exception:
            log.exception("a request failed")
            return told(HttpProblem(500, "error", "something went wrong here", "問題が起きました"))
        if response.cookie is not None and response.cookie.value != self.cookie:
            self.cookie = response.cookie.value
            await self.rows.put("guest", self.cookie)
        data = response.data or ""
        return Answered(
            response.status, response.media_type or JSON, data if isinstance(data, str) else bytes(data).decode()
        )

    # -- connections ---------------------------------------------------------------------------------------------

    def dial(self, name: str, send: Callable[[str], object], closed: Callable[[int, str], object]) -> None:
        """Open a connection; ``closed`` is called when the server closes it."""
        guest = self.server.guests.read(self.cookie) or self.server.guests.new()
        visitor = Visitor(guest.id, guest.name, "")
        key = f"{self.hub.bus.me}.{next(self.numbers)}"
        connection = Connection(LocalFrames(send), self.server, key, visitor)

        async def until_closed() -> None:
            await connection.closed
            assert connection.closing is not None
            self.lines.pop(name, None)
            self.hub.leave(key)
            closed(*connection.closing)

        self.lines[name] = connection, asyncio.ensure_future(until_closed())

    def hear(self, name: str, text: str) -> None:
        found = self.lines.get(name)
        if found is not None:
            found[0].hear(text.encode())

    def hang_up(self, name: str) -> None:
        """Close a connection from the page's side."""
        found = self.lines.pop(name, None)
        if found is not None:
            connection, waiting = found
            waiting.cancel()
            self.hub.leave(connection.key)


def told(problem: HttpProblem) -> Answered:
    data = problem.response().data
    assert isinstance(data, bytes)
    return Answered(problem.status, JSON, data.decode())
