"""The server without its edges, for a page that has nobody to ask: the same hub, rooms and endpoints for one person on
one machine. Requests and messages come as text, so do the answers; nothing here knows how they are carried."""

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
#: what somebody has begun at home lies there until it is finished
KEPT: Final = Keeping(waiting=1, unfinished=0, over=7)
#: the strongest level thinks about the first sentence of a game that nobody plays
WARMING: Final = ("lite+entry", "master")


class LocalThinkers(Thinkers):
    """Thinking where everything happens: there is one processor. Between two jobs whoever waits is heard."""

    def warm(self, level: str) -> None:
        """There is no process to start."""

    async def work(self, job: Callable[..., T], *given: Any) -> T:
        await asyncio.sleep(0)
        if job is within:  # nothing can interrupt a job here, and nobody else waits for it
            _, job, *rest = given
            return job(*rest)
        return job(*given)


class LocalGuests(Guests):
    """There is one, and nobody to forge a cookie."""

    def cookie(self, guest: Guest) -> str:
        return json.dumps([guest.id, guest.name])

    def read(self, cookie: str | None) -> Guest | None:
        return Guest(*json.loads(cookie)) if cookie else None


@dataclass
class LocalRequest:
    """A request as the endpoints know it."""

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
    """A line to a page; it takes everything at once."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self.send = send

    def write(self, *messages: bytes) -> int:
        for message in messages:
            self.send(message.decode())
        return 0

    def pause(self) -> None:
        """A line that is not heard keeps what comes (``Connection.held``)."""

    def go_on(self) -> None:
        """The same."""


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
        """Think for once where nobody waits: machine code of a page becomes fast by being used."""
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

    # -- lines ---------------------------------------------------------------------------------------------------

    def dial(self, name: str, send: Callable[[str], object], closed: Callable[[int, str], object]) -> None:
        """A line of a page; ``closed`` is called when it is we who hang up."""
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
        """The page has gone."""
        found = self.lines.pop(name, None)
        if found is not None:
            connection, waiting = found
            waiting.cancel()
            self.hub.leave(connection.key)


def told(problem: HttpProblem) -> Answered:
    data = problem.response().data
    assert isinstance(data, bytes)
    return Answered(problem.status, JSON, data.decode())
