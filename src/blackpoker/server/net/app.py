"""The ASGI application: routes, security headers and the page's files."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import blackpoker
from blackpoker.server.accounts.directory import AccountDirectory
from blackpoker.server.accounts.service import Accounts
from blackpoker.server.api import rule_pages
from blackpoker.server.api.account import ACCOUNTS
from blackpoker.server.api.endpoints import ENDPOINTS
from blackpoker.server.api.links import preview
from blackpoker.server.api.ratings import RATINGS
from blackpoker.server.api.tournaments import CONTESTS
from blackpoker.server.api.unheard import UNHEARD
from blackpoker.server.net.bus import Bus, RedisBus
from blackpoker.server.net.cookies import SignedGuests
from blackpoker.server.net.exchange import HttpResponse
from blackpoker.server.net.files import FOREVER, file_in
from blackpoker.server.net.followers import serve_follower
from blackpoker.server.net.hosts import Hosts
from blackpoker.server.net.http import HttpProblem, Prepared, not_here, openapi, too_large
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import Limits, Measured
from blackpoker.server.net.logs import short_path
from blackpoker.server.net.metrics import Metrics
from blackpoker.server.net.routes import METHODS, routes_of, sent
from blackpoker.server.net.running import Server
from blackpoker.server.net.sockets import know_device, serve_socket
from blackpoker.server.net.thinkers import TurnOwner
from blackpoker.server.rooms.fairness import new_secret
from blackpoker.server.store.database import PATIENCE, GameStore
from blackpoker.server.store.promises import Keeping
from blackpoker.server.tournaments.contests import Tournaments

log: logging.Logger = logging.getLogger("blackpoker.http")
#: endpoints of the server; a page without a server has only ENDPOINTS
SERVED: Final = [*ENDPOINTS, *ACCOUNTS, *RATINGS, *UNHEARD, *CONTESTS]
STATIC: Final = Path(__file__).parents[1] / "static"
#: security headers of every response; no other code sets any of them
HEADERS: Final = [(name.encode(), value.encode()) for name, value in {
    "content-security-policy": "default-src 'self'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}.items()]  # fmt: skip
NO_STORE: Final = (b"cache-control", b"no-store")
NO_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>BlackPoker</title>
<h1>BlackPoker</h1>
<p>The server is running, but its page has not been built. 画面がまだ作られていません。</p>
<p>API: <a href="/api/openapi.json">/api/openapi.json</a>, protocol:
<a href="/api/protocol.json">/api/protocol.json</a></p>
<p>非公式・ファンメイド / unofficial, fan-made</p></html>
"""


class Guard:
    """Middleware that adds security headers, checks limits and origins, and logs each request. ``root`` is the folder
    of the host under which the server is mounted. It is removed here, so that only code that writes links and cookies
    needs it."""

    def __init__(self, app: ASGIApp, root: str = "") -> None:
        self.app = app
        self.root = root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.root and scope["type"] != "lifespan":
            path = scope["path"]
            if path == self.root or path.startswith(f"{self.root}/"):  # a proxy may have removed it already
                path = path[len(self.root) :] or "/"
            scope = {**scope, "path": path, "root_path": self.root}
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            await serve_socket(scope, receive, send)  # skips the middleware: this is the hot path
            return
        if scope["type"] == "websocket" and scope["path"] == "/ws/tournament":
            await serve_follower(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        server: Server = scope["app"].state.server
        begun = time.perf_counter()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                await server.hub.on_the_beat()
                given = message["headers"]
                kept = not scope["path"].startswith("/api/") or any(name == b"cache-control" for name, _ in given)
                message["headers"] = [*given, *HEADERS] if kept else [*given, *HEADERS, NO_STORE]
            await send(message)

        async def hearing() -> Message:
            if "expect" in request.headers:  # asking for the body is a response as well
                await server.hub.on_the_beat()
            return await receive()

        if scope["path"].startswith("/api/"):
            await know_device(server, request)
        owner = server.owner(request) if scope["path"].startswith("/api/") else TurnOwner(server.network(request), "")
        refused = self.refusal(server, owner, request, Headers(scope=scope))
        if refused is not None:
            await sent(refused)(scope, receive, sending)
        else:
            work = Measured(self.app(scope, hearing, sending))
            try:
                await work
            finally:
                more = max(0.0, work.ms - server.limits.request_cost)
                server.budget.spend(owner.guest, owner.network, more, time.monotonic())
        log.debug(
            "request",
            extra={
                "method": scope["method"],
                "path": short_path(scope["path"]),
                "status": status,
                "ms": round((time.perf_counter() - begun) * 1000, 1),
            },
        )

    def refusal(self, server: Server, owner: TurnOwner, request: Request, headers: Headers) -> HttpResponse | None:
        if not server.hosts.known(headers.get("host", "")):
            return HttpProblem(
                421, "host", "this server does not answer by that name; --allow-host allows it",
                "このサーバーはその名前では答えません（--allow-host で許可できます）",
            ).response()  # fmt: skip
        now = time.monotonic()
        wait = server.budget.wait(owner.guest, owner.network, now)
        if wait:
            refused = HttpProblem(
                429, "rate", "too many requests; wait a little", "リクエストが多すぎます。少し待ってください"
            ).response()
            refused.headers["retry-after"] = str(math.ceil(wait))
            return refused
        server.budget.spend(owner.guest, owner.network, server.limits.request_cost, now)
        if request.method not in ("GET", "HEAD") and not server.own_origin(request):
            return HttpProblem(
                403, "origin", "the request comes from another site", "別のサイトからのリクエストです"
            ).response()
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > server.limits.body_bytes:
            return too_large(server.limits.body_bytes).response()
        return None


@lru_cache(256)
def with_head(page: Prepared, tags: bytes, root: str) -> Prepared:
    """Return the page with its link preview tags. Its relative links become absolute, because it is served under every
    path."""
    placed = page.data.replace(b'="./', f'="{root}/'.encode())
    return Prepared(placed.replace(b"</head>", tags + b"</head>", 1), page.media, page.kept)


def static_routes(root: str) -> list[BaseRoute]:
    """Return the routes of the built page, which has its own router; a plain page is served where it has not been
    built."""
    folder = STATIC

    async def page(request: Request) -> Response:
        path = request.path_params.get("rest", "")
        found = file_in(folder, path) if path else None
        if found is None:
            plain = file_in(folder, "index.html")
            if plain is None:
                return HTMLResponse(NO_PAGE)
            found = with_head(plain, await preview(request, path, root), root)
        return sent(found.response(request))

    async def asset(request: Request) -> Response:
        found = file_in(folder / "assets", request.path_params["name"], FOREVER)
        return sent(not_here().response() if found is None else found.response(request))

    return [Route("/", page), Route("/assets/{name:path}", asset), Route("/{rest:path}", page)]


async def unknown(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        problem = HttpProblem(
            500, "error", "something went wrong here; the server's log has more",
            "サーバーで問題が起きました。詳しくはサーバーのログにあります",
        )  # fmt: skip
        return sent(problem.response())
    status = error.status_code
    code = {404: "not_found", 405: "method"}.get(status, "error")
    response = HttpProblem(status, code, "that is not here", "ここにはありません").response()
    if error.headers:
        response.headers.update(error.headers)
    return sent(response)


def create_app(
    database: str,
    redis: str = "",
    limits: Limits | None = None,
    origins: frozenset[str] = frozenset(),
    opened: Callable[[Server], None] | None = None,
    keeping: Keeping | None = None,
    hosts: frozenset[str] = frozenset("*"),
    open_metrics: bool = False,
    figures: Path | None = None,
    root: str = "",
) -> Starlette:
    """Create the application; its store is opened on startup. ``on_start`` is called with the state then.
    ``metrics_file`` is where this process counts, next to the files of the other processes. ``root`` is the folder of
    the host under which the server is mounted, such as ``/folder``, or empty."""
    bounds = limits or Limits()
    document = Prepared(msgspec.json.encode(describe_api()), kept="no-cache")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await GameStore.open(database, PATIENCE)
        bus = await RedisBus.connect(redis) if redis else Bus()
        metrics = Metrics(figures)
        hub = Hub(store, bus, metrics, bounds, keeping or Keeping())
        directory = AccountDirectory()
        guests = SignedGuests(await store.key("guests", new_secret()), directory)
        people = Accounts(store, hub, directory, bounds.accounts_rate, bounds.accounts_burst)
        contests = Tournaments(store, hub, bounds)
        people.on_change = contests.forget
        app.state.server = Server(hub, guests, bounds, metrics, origins, Hosts(hosts), open_metrics, people, contests)
        await people.refresh()
        await people.safety.refresh()
        await hub.start()
        hub.spawn(people.look_on())
        hub.spawn(contests.look_on())
        hub.spawn(asyncio.to_thread(rule_pages.warm))
        if opened is not None:
            opened(app.state.server)
        try:
            yield
        finally:
            await contests.stop()
            await hub.stop()
            await store.close()

    async def describe(request: Request) -> Response:
        return sent(document.response(request))

    async def no_api(request: Request) -> Response:
        return sent(not_here().response())

    routes: list[BaseRoute] = [
        *routes_of(SERVED, bounds.body_bytes),
        Route("/api/openapi.json", describe),
    ]
    routes += [Route("/api/{rest:path}", no_api, methods=list(METHODS)), *static_routes(root)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: unknown, Exception: unknown})
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)  # reduces a first visit to a third
    app.add_middleware(Guard, root=root)
    return app


def describe_api() -> dict[str, Any]:
    return openapi(SERVED, "BlackPoker", blackpoker.__version__)
