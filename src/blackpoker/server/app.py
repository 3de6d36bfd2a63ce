"""The ASGI application: routes, security headers and the page's files."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import blackpoker
from blackpoker.server.accounts.name_index import AccountIndex
from blackpoker.server.accounts.service import Accounts
from blackpoker.server.admission import FOLLOW, TALK, Cost, Limits, Measured, Owner, cached
from blackpoker.server.cluster.bus import Bus, RedisBus
from blackpoker.server.fairness.seal import new_secret
from blackpoker.server.http.allowed_hosts import AllowedHosts
from blackpoker.server.http.api import rule_pages
from blackpoker.server.http.api.account import ACCOUNT_ENDPOINTS
from blackpoker.server.http.api.endpoints import ENDPOINTS
from blackpoker.server.http.api.muted import MUTED_ENDPOINTS
from blackpoker.server.http.api.previews import link_preview
from blackpoker.server.http.api.ratings import RATING_ENDPOINTS
from blackpoker.server.http.api.tournaments import TOURNAMENT_ENDPOINTS
from blackpoker.server.http.endpoint import CachedResponse, HttpProblem, not_found, openapi, rate_refusal, too_large
from blackpoker.server.http.routes import ALL_METHODS, PageRoute, endpoint_routes, to_starlette
from blackpoker.server.http.signed_sessions import SignedGuestSessions
from blackpoker.server.http.state import AppState
from blackpoker.server.http.static_files import IMMUTABLE, find_file
from blackpoker.server.http.types import HttpResponse
from blackpoker.server.log_setup import short_path
from blackpoker.server.metrics import Metrics
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.storage.database import RETRY_SECONDS, GameStore
from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.server.tournaments.service import Tournaments
from blackpoker.server.ws.endpoint import refresh_devices, serve_socket
from blackpoker.server.ws.tournament_feed import serve_tournament_feed

log: logging.Logger = logging.getLogger("blackpoker.http")
#: endpoints of the server; a page without a server has only ENDPOINTS
SERVER_ENDPOINTS: Final = [*ENDPOINTS, *ACCOUNT_ENDPOINTS, *RATING_ENDPOINTS, *MUTED_ENDPOINTS, *TOURNAMENT_ENDPOINTS]
STATIC: Final = Path(__file__).parent / "static"
#: security headers of every response; no other code sets any of them
HEADERS: Final = [
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
        "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    }.items()
]
#: also sent over TLS: browsers use no other for half a year
HSTS: Final = (b"strict-transport-security", b"max-age=15552000")
NO_STORE: Final = (b"cache-control", b"no-store")
NO_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>BlackPoker</title>
<h1>BlackPoker</h1>
<p>The server is running, but its page has not been built. 画面がまだ作られていません。</p>
<p>API: <a href="/api/openapi.json">/api/openapi.json</a>, protocol:
<a href="/api/protocol.json">/api/protocol.json</a></p>
<p>非公式・ファンメイド / unofficial, fan-made</p></html>
"""


class Socket(NamedTuple):
    """A WebSocket endpoint and its class."""

    serve: Callable[[Scope, Receive, Send], Awaitable[None]]
    cost: Cost


SOCKETS: Final = {"/ws": Socket(serve_socket, TALK), "/ws/tournament": Socket(serve_tournament_feed, FOLLOW)}


class GatewayMiddleware:
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
        if scope["type"] == "websocket" and scope["path"] in SOCKETS:
            await SOCKETS[scope["path"]].serve(scope, receive, send)  # skips the middleware: this is the hot path
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        server: AppState = scope["app"].state.server
        started = time.perf_counter()
        status = 500

        async def send_response(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                await server.room_manager.wait_response_delay()
                headers = message["headers"]
                cacheable = not scope["path"].startswith("/api/") or any(
                    name == b"cache-control" for name, _ in headers
                )
                secure = [HSTS] if scope["scheme"] == "https" else []
                message["headers"] = [*headers, *HEADERS, *secure, *([] if cacheable else [NO_STORE])]
            await send(message)

        async def delayed_receive() -> Message:
            if "expect" in request.headers:  # asking for the body is a response as well
                await server.room_manager.wait_response_delay()
            return await receive()

        if scope["path"].startswith("/api/"):
            await refresh_devices(server, request)
        owner = server.job_owner(request) if scope["path"].startswith("/api/") else Owner(server.network(request), "")
        refusal = self.refusal(server, owner, request, Headers(scope=scope))
        if refusal is not None:
            await to_starlette(refusal)(scope, receive, send_response)
        else:
            work = Measured(self.app(scope, delayed_receive, send_response))
            try:
                await work
            finally:
                extra_ms = max(0.0, work.ms - server.limits.request_cost)
                server.ledger.spend(owner.guest, owner.network, extra_ms, time.monotonic())
        log.debug(
            "request",
            extra={
                "method": scope["method"],
                "path": short_path(scope["path"]),
                "status": status,
                "ms": round((time.perf_counter() - started) * 1000, 1),
            },
        )

    def refusal(self, server: AppState, owner: Owner, request: Request, headers: Headers) -> HttpResponse | None:
        if not server.allowed_hosts.allows(headers.get("host", "")):
            return HttpProblem(
                421,
                "host",
                "this server does not answer by that name; --allow-host allows it",
                "このサーバーはその名前では答えません（--allow-host で許可できます）",
            ).response()
        now = time.monotonic()
        wait = server.ledger.wait(owner.guest, owner.network, now)
        if wait:
            return rate_refusal(wait).response()
        server.ledger.spend(owner.guest, owner.network, server.limits.request_cost, now)
        if request.method not in ("GET", "HEAD") and not server.allows_origin(request):
            return HttpProblem(
                403, "origin", "the request comes from another site", "別のサイトからのリクエストです"
            ).response()
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > server.limits.body_bytes:
            return too_large(server.limits.body_bytes).response()
        return None


@cached("pages with a preview", 64, "known")
def with_link_preview(page: CachedResponse, head_tags: bytes, root: str) -> CachedResponse:
    """Return the page with its link preview tags. Its relative links become absolute, because it is served under every
    path."""
    html = page.data.replace(b'="./', f'="{root}/'.encode())
    return CachedResponse(html.replace(b"</head>", head_tags + b"</head>", 1), page.media_type, page.cache_control)


def static_routes(root: str) -> list[BaseRoute]:
    """Return the routes of the built page, which has its own router; a plain page is served where it has not been
    built."""
    folder = STATIC

    async def page(request: Request) -> Response:
        path = request.path_params.get("rest", "")
        file = find_file(folder, path) if path else None
        if file is None:
            index = find_file(folder, "index.html")
            if index is None:
                return HTMLResponse(NO_PAGE)
            file = with_link_preview(index, await link_preview(request, path, root), root)
        return to_starlette(file.response(request))

    async def asset(request: Request) -> Response:
        file = find_file(folder / "assets", request.path_params["name"], IMMUTABLE)
        return to_starlette(not_found().response() if file is None else file.response(request))

    async def verifier(request: Request) -> Response:
        file = find_file(folder / "verifier", request.path_params["name"])
        return to_starlette(not_found().response() if file is None else file.response(request))

    return [
        PageRoute("/", page),
        PageRoute("/assets/{name:path}", asset),
        PageRoute("/verifier/{name:path}", verifier),
        PageRoute("/{rest:path}", page),
    ]


async def handle_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        problem = HttpProblem(
            500,
            "error",
            "something went wrong here; the server's log has more",
            "サーバーで問題が起きました。詳しくはサーバーのログにあります",
        )
        return to_starlette(problem.response())
    status = error.status_code
    code = {404: "not_found", 405: "method"}.get(status, "error")
    response = HttpProblem(status, code, "that is not here", "ここにはありません").response()
    if error.headers:
        response.headers.update(error.headers)
    return to_starlette(response)


def create_app(
    database: str,
    redis: str = "",
    limits: Limits | None = None,
    origins: frozenset[str] = frozenset(),
    on_start: Callable[[AppState], None] | None = None,
    retention: RetentionPolicy | None = None,
    hosts: frozenset[str] = frozenset("*"),
    open_metrics: bool = False,
    metrics_file: Path | None = None,
    root: str = "",
    metrics_token: str = "",
) -> Starlette:
    """Create the application; its store is opened on startup. ``on_start`` is called with the state then.
    ``metrics_file`` is where this process counts, next to the files of the other processes. ``root`` is the folder of
    the host under which the server is mounted, such as ``/folder``, or empty. With ``metrics_token`` the metrics may be
    read from other machines."""
    effective_limits = limits or Limits()
    document = CachedResponse(msgspec.json.encode(describe_api()), cache_control="no-cache")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await GameStore.open(database, RETRY_SECONDS)
        bus = await RedisBus.connect(redis) if redis else Bus()
        metrics = Metrics(metrics_file)
        room_manager = RoomManager(store, bus, metrics, effective_limits, retention or RetentionPolicy())
        directory = AccountIndex()
        guests = SignedGuestSessions(await store.secret_key("guests", new_secret()), directory)
        accounts = Accounts(store, room_manager, directory)
        tournaments = Tournaments(store, room_manager)
        accounts.on_change = tournaments.drop_guests
        app.state.server = AppState(
            room_manager,
            guests,
            effective_limits,
            metrics,
            origins,
            AllowedHosts(hosts),
            open_metrics,
            accounts,
            tournaments,
            origin_key=await store.secret_key("origins", new_secret()),
            metrics_token=metrics_token,
        )
        await accounts.refresh()
        await accounts.moderation.refresh()
        await room_manager.start()
        room_manager.spawn(accounts.run_refresh())
        room_manager.spawn(tournaments.run_loop())
        room_manager.spawn(asyncio.to_thread(rule_pages.warm_up_search))
        if on_start is not None:
            on_start(app.state.server)
        try:
            yield
        finally:
            await tournaments.stop()
            await room_manager.stop()
            await store.close()

    async def describe(request: Request) -> Response:
        return to_starlette(document.response(request))

    async def no_api(request: Request) -> Response:
        return to_starlette(not_found().response())

    routes: list[BaseRoute] = [
        *endpoint_routes(SERVER_ENDPOINTS, effective_limits.body_bytes),
        PageRoute("/api/openapi.json", describe),
    ]
    routes += [PageRoute("/api/{rest:path}", no_api, methods=list(ALL_METHODS)), *static_routes(root)]
    app = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={HTTPException: handle_error, Exception: handle_error}
    )
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)  # reduces a first visit to a third
    app.add_middleware(GatewayMiddleware, root=root)
    return app


def describe_api() -> dict[str, Any]:
    return openapi(SERVER_ENDPOINTS, "BlackPoker", blackpoker.__version__)
