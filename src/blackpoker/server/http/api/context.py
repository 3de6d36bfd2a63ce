"""Context of a request: the server's state, the caller, and ways to run long jobs."""

from __future__ import annotations

import time
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from blackpoker.protocol import messages as p
from blackpoker.ruleset import Edition, edition_named, editions
from blackpoker.server.admission import Job, Quota
from blackpoker.server.http.endpoint import HttpProblem
from blackpoker.server.http.state import AppState
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.identity import Identity
from blackpoker.server.room_manager import RoomManager

T = TypeVar("T")


#: id of an edition of the rulebook; empty: the server's own
EditionId = Annotated[str, Meta(max_length=8)]


class LangQuery(Struct):
    lang: p.Lang = "ja"


class RegulationsQuery(Struct):
    edition: EditionId = ""


class EditionQuery(LangQuery):
    edition: EditionId = ""


def edition_of_query(id: str) -> Edition:
    """Return the edition with this id, or the server's own; raise `HttpProblem` if there is none."""
    if id and id not in editions():
        raise HttpProblem(404, "no_edition", "there is no such edition", "その版はありません")
    return edition_named(id)


def app_state_of(request: HttpRequest) -> AppState:
    found: AppState = request.app.state.server
    return found


def room_manager_of(request: HttpRequest) -> RoomManager:
    return app_state_of(request).room_manager


def current_guest(request: HttpRequest) -> Identity | None:
    return app_state_of(request).identity(request)


def is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from the server's own machine."""
    return request.client is not None and request.client.host in ("127.0.0.1", "::1")


async def draw(request: HttpRequest, quota: Quota) -> None:
    """Draw from a quota that the endpoint lists as ``may_draw``; raise `Refused` if nothing is left."""
    state = app_state_of(request)
    await state.ledger.draw(quota, state.job_owner(request))


async def run_in_thread(request: HttpRequest, job: Job[T], *args: Any) -> T:
    """Run a job in a thread in the caller's turn, so that other requests are served meanwhile."""
    state = app_state_of(request)
    return await state.room_manager.workers.run_charged(state.ledger, state.job_owner(request), job, *args)


async def run_in_process(request: HttpRequest, job: Job[T], *args: Any) -> T:
    """Run a long job in a worker process in the caller's turn. Its cost is charged before it is queued, the rest of its
    time afterwards; waiting is not charged."""
    state = app_state_of(request)
    owner = state.job_owner(request)
    workers = state.room_manager.workers
    state.ledger.spend(owner.guest, owner.network, job.cost.ms, time.monotonic())
    async with workers.queue.turn(owner):
        started = time.monotonic()
        try:
            return await workers.run_in_turn(job.run, *args)
        finally:
            now = time.monotonic()
            extra_ms = max(0.0, 1000 * (now - started) - job.cost.ms)
            state.ledger.spend(owner.guest, owner.network, extra_ms, now)
