"""What everybody may rely on, whatever keeps the games: a database, or the browser of somebody who plays without a
server."""

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
    """The store cannot be used; one line says why."""


class Away(StoreError):
    """The store cannot be reached at the moment."""


@dataclass(frozen=True)
class Keeping:
    """Days after which a room is forgotten that nobody has touched: one that waits for its first game or for a rematch,
    one whose game was never finished, one whose match is over. 0: never."""

    waiting: float = 1.0
    unfinished: float = 30.0
    over: float = 7.0


class RoomStore(Protocol):
    """``keep`` calls ``then`` with True when everything is safe, with False when somebody else has written something in
    the place of one of the entries: then nothing of it has happened. ``failed`` is done when nothing can be stored any
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
