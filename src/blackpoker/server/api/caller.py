"""Context of a request: the server's state, the caller, and ways to run long jobs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any, TypeVar

from msgspec import Struct

from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.guests import COOKIE, Guest
from blackpoker.server.net.http import HttpProblem
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import processor_time
from blackpoker.server.net.running import Server
from blackpoker.server.net.thinkers import Busy
from blackpoker.wire import protocol as p

T = TypeVar("T")


class LangQuery(Struct):
    lang: p.Lang = "ja"


def server_of(request: HttpRequest) -> Server:
    found: Server = request.app.state.server
    return found


def hub_of(request: HttpRequest) -> Hub:
    return server_of(request).hub


def guest_of(request: HttpRequest) -> Guest | None:
    return server_of(request).guests.read(request.cookies.get(COOKIE))


def from_here(request: HttpRequest) -> bool:
    """Return whether the request comes from the server's own machine."""
    return request.client is not None and request.client.host in ("127.0.0.1", "::1")


async def aside(request: HttpRequest, job: Callable[..., T], *given: Any) -> T:
    """Run a job in a thread, so that other requests are served meanwhile; its CPU time is charged to the caller."""
    server = server_of(request)
    owner = server.owner(request)

    def measured() -> tuple[T | Exception, float]:
        begun = processor_time()
        try:
            return job(*given), processor_time() - begun
        except Exception as error:
            return error, processor_time() - begun

    found, seconds = await asyncio.to_thread(measured)
    server.budget.spend(owner.guest, owner.network, 1000 * seconds, time.monotonic())
    if isinstance(found, Exception):
        raise found
    return found


async def elsewhere(request: HttpRequest, job: Callable[..., T], *given: Any) -> T:
    """Run a long job in a worker process in the caller's turn; raise `HttpProblem` 503 if the queue is full. The time
    of the job is charged to the caller, waiting is not."""
    server = server_of(request)
    owner = server.owner(request)
    thinkers = server.hub.thinkers
    try:
        async with thinkers.queue.turn(owner):
            begun = time.monotonic()
            try:
                return await thinkers.work(job, *given)
            finally:
                now = time.monotonic()
                server.budget.spend(owner.guest, owner.network, 1000 * (now - begun), now)
    except (Busy, BrokenExecutor):
        raise HttpProblem(503, "busy", "too much is waiting to be worked on", "混み合っています") from None
