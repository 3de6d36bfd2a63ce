"""Context of a request: the server's state, the caller, and ways to run long jobs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any, TypeVar

from msgspec import Struct

from blackpoker.protocol import messages as p
from blackpoker.server.http.endpoint import HttpProblem
from blackpoker.server.http.limits import processor_time
from blackpoker.server.http.sessions import COOKIE, Guest
from blackpoker.server.http.state import AppState
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.worker_pool import QueueFull

T = TypeVar("T")


class LangQuery(Struct):
    lang: p.Lang = "ja"


def app_state_of(request: HttpRequest) -> AppState:
    found: AppState = request.app.state.server
    return found


def room_manager_of(request: HttpRequest) -> RoomManager:
    return app_state_of(request).room_manager


def current_guest(request: HttpRequest) -> Guest | None:
    return app_state_of(request).sessions.read(request.cookies.get(COOKIE))


def is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from the server's own machine."""
    return request.client is not None and request.client.host in ("127.0.0.1", "::1")


async def run_in_thread(request: HttpRequest, job: Callable[..., T], *args: Any) -> T:
    """Run a job in a thread, so that other requests are served meanwhile; its CPU time is charged to the caller."""
    state = app_state_of(request)
    owner = state.job_owner(request)

    def measured() -> tuple[T | Exception, float]:
        started = processor_time()
        try:
            return job(*args), processor_time() - started
        except Exception as error:
            return error, processor_time() - started

    found, seconds = await asyncio.to_thread(measured)
    state.budget.spend(owner.guest, owner.network, 1000 * seconds, time.monotonic())
    if isinstance(found, Exception):
        raise found
    return found


async def run_in_process(request: HttpRequest, job: Callable[..., T], *args: Any) -> T:
    """Run a long job in a worker process in the caller's turn; raise `HttpProblem` 503 if the queue is full. The time
    of the job is charged to the caller, waiting is not."""
    state = app_state_of(request)
    owner = state.job_owner(request)
    workers = state.room_manager.workers
    try:
        async with workers.queue.turn(owner):
            started = time.monotonic()
            try:
                return await workers.run_in_turn(job, *args)
            finally:
                now = time.monotonic()
                state.budget.spend(owner.guest, owner.network, 1000 * (now - started), now)
    except (QueueFull, BrokenExecutor):
        raise HttpProblem(503, "busy", "too much is waiting to be worked on", "混み合っています") from None
