"""Interface of a store, implemented by a database and by the browser storage of the offline page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from blackpoker.server.rooms.heads import RoomHead
from blackpoker.server.rooms.seats import GameEntry, RoomOutcome
from blackpoker.wire.protocol import RoomSettings

if TYPE_CHECKING:
    from blackpoker.server.store.ladder import RatedGame, Rung


class StoreError(Exception):
    """Raised if the store cannot be used; the message is one line."""


class Away(StoreError):
    """Raised if the store cannot be reached at the moment."""


@dataclass(frozen=True)
class Keeping:
    """Days after which an unused room is deleted: one that waits for a game or rematch, one with an unfinished game,
    one with a finished match. 0: never."""

    waiting: float = 1.0
    unfinished: float = 30.0
    over: float = 7.0


class RoomStore(Protocol):
    """``save`` calls ``on_stored`` with True once everything is stored; with False if another process has written in
    the place of one of the entries, so that nothing of it is stored. ``failed`` is set when nothing can be stored any
    more."""

    stalled: bool
    failed: asyncio.Future[None]
    on_stall: Callable[[bool], None]

    def keep(self, room: str, outcome: RoomOutcome, now: float, then: Callable[[bool], None]) -> None: ...

    async def flush(self) -> None: ...

    async def writable(self) -> bool: ...

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None: ...

    async def rooms_in(self, phase: str) -> list[str]: ...

    async def heads(self, ids: list[str]) -> list[RoomHead]: ...

    async def listed(self, waiting: float, playing: float, most: int) -> list[RoomHead]: ...

    async def purge(self, keeping: Keeping, now: float) -> list[str]: ...

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None: ...

    async def ladder(self) -> list[Rung]: ...

    async def rating(self, player: str, format: str, now: float) -> float: ...

    async def bot(self, id: str) -> tuple[Rung, int, dict[str, int], list[RatedGame]] | None: ...
