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

from blackpoker.game.game import Game
from blackpoker.server.admission import UNLIMITED
from blackpoker.server.cluster.bus import Bus
from blackpoker.server.http.api.endpoints import ENDPOINTS
from blackpoker.server.http.endpoint import JSON, Endpoint, HttpProblem, not_found, respond
from blackpoker.server.http.sessions import COOKIE, GuestSessions
from blackpoker.server.http.state import AppState
from blackpoker.server.identity import Identity
from blackpoker.server.metrics import Metrics
from blackpoker.server.offline import export
from blackpoker.server.offline.store import LocalStore, RowStore
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.seats import ConnectionIdentity
from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.server.worker_pool import WorkerPool, choose_move_in_saved, with_time_limit
from blackpoker.server.ws.connection import Connection

log: logging.Logger = logging.getLogger("blackpoker.offline")
T = TypeVar("T")
#: an unfinished game at home is kept until it is finished
RETENTION: Final = RetentionPolicy(waiting=1, unfinished=0, over=7)
#: level and regulation of the warm-up: the strongest level chooses the first move of an unused game
WARM_UP_GAME: Final = ("lite+entry", "master")


class LocalWorkers(WorkerPool):
    """Worker pool for one processor: jobs run in the event loop, which handles messages between two jobs."""

    def warm_up(self, level: str) -> None:
        """Do nothing: there is no process to start."""

    async def run_in_turn(self, job: Callable[..., T], *args: Any) -> T:
        await asyncio.sleep(0)
        if job is with_time_limit:  # a job cannot be interrupted here, and no other client waits
            _, job, *rest = args
            return job(*rest)
        return job(*args)


class LocalGuestSessions(GuestSessions):
    """A single guest; cookies need no signature."""

    def cookie(self, guest: Identity) -> str:
        return json.dumps([guest.id, guest.name])

    def read(self, cookie: str | None) -> Identity | None:
        return Identity(*json.loads(cookie)) if cookie else None


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


class LocalTransport:
    """The transport to a page, which accepts all data at once."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self.send = send

    def write(self, *messages: bytes) -> int:
        for message in messages:
            self.send(message.decode())
        return 0

    def pause(self) -> None:
        """Do nothing: a paused connection buffers messages itself (``Connection.buffered``)."""

    def resume(self) -> None:
        """Do nothing."""


class LocalResponse(NamedTuple):
    status: int
    media: str
    text: str


class LocalSite:
    def __init__(self, room_manager: RoomManager, state: AppState, rows: RowStore, cookie: str) -> None:
        self.room_manager = room_manager
        self.state = state
        self.rows = rows
        self.cookie = cookie
        self.app: Any = SimpleNamespace(state=SimpleNamespace(server=state))
        self.connections: dict[str, tuple[Connection, asyncio.Task[None]]] = {}
        self.numbers = itertools.count(1)
        self.routes: list[tuple[re.Pattern[str], Endpoint]] = [
            (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", endpoint.path)), endpoint)
            for endpoint in (*ENDPOINTS, *export.ENDPOINTS)
            if endpoint.path.startswith("/api/")
        ]

    @classmethod
    async def open(cls, rows: RowStore) -> LocalSite:
        metrics = Metrics()
        room_manager = RoomManager(LocalStore(rows), Bus(), metrics, UNLIMITED, RETENTION)
        room_manager.workers = LocalWorkers()
        state = AppState(room_manager, LocalGuestSessions(), UNLIMITED, metrics)
        await room_manager.start()
        return cls(room_manager, state, rows, await rows.read("key guest"))

    async def close(self) -> None:
        for name in list(self.connections):
            self.disconnect(name)
        await self.room_manager.stop()

    def warm_up(self) -> None:
        """Choose one move while the page is idle: the WebAssembly code is optimised by being used."""
        regulation, level = WARM_UP_GAME
        choose_move_in_saved(level, Game(regulation, seed=1).to_json(), 1)

    # -- requests ------------------------------------------------------------------------------------------------

    async def handle_request(self, method: str, target: str, body: str = "") -> LocalResponse:
        path, _, query = target.partition("?")
        for pattern, endpoint in self.routes:
            found = pattern.fullmatch(path) if endpoint.method == method else None
            if found is not None:
                path_params = {name: unquote(value) for name, value in found.groupdict().items()}
                cookies = {COOKIE: self.cookie} if self.cookie else {}
                request = LocalRequest(self.app, method, path_params, dict(parse_qsl(query)), body.encode(), cookies)
                return await self.run_endpoint(endpoint, request)
        return error_response(not_found())

    async def run_endpoint(self, endpoint: Endpoint, request: LocalRequest) -> LocalResponse:
        try:
            response = await respond(endpoint, request, UNLIMITED.body_bytes)
        except Exception:
            log.exception("request failed")
            return error_response(HttpProblem(500, "error", "something went wrong here", "問題が起きました"))
        if response.cookie is not None and response.cookie.value != self.cookie:
            self.cookie = response.cookie.value
            await self.rows.put("guest", self.cookie)
        data = response.data or ""
        return LocalResponse(
            response.status, response.media_type or JSON, data if isinstance(data, str) else bytes(data).decode()
        )

    # -- connections ---------------------------------------------------------------------------------------------

    def connect(self, name: str, send: Callable[[str], object], closed: Callable[[int, str], object]) -> None:
        """Open a connection; ``closed`` is called when the server closes it."""
        guest = self.state.sessions.read(self.cookie) or self.state.sessions.new()
        identity = ConnectionIdentity(guest.id, guest.name, "")
        key = f"{self.room_manager.bus.process_id}.{next(self.numbers)}"
        connection = Connection(LocalTransport(send), self.state, key, identity)

        async def until_closed() -> None:
            await connection.closed
            assert connection.close_reason is not None
            self.connections.pop(name, None)
            self.room_manager.leave(key)
            closed(*connection.close_reason)

        self.connections[name] = connection, asyncio.ensure_future(until_closed())

    def on_message(self, name: str, text: str) -> None:
        found = self.connections.get(name)
        if found is not None:
            found[0].on_message(text.encode())

    def disconnect(self, name: str) -> None:
        """Close a connection from the page's side."""
        found = self.connections.pop(name, None)
        if found is not None:
            connection, task = found
            task.cancel()
            self.room_manager.leave(connection.key)


def error_response(problem: HttpProblem) -> LocalResponse:
    data = problem.response().data
    assert isinstance(data, bytes)
    return LocalResponse(problem.status, JSON, data.decode())
