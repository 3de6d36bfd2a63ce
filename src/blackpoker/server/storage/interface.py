"""Interface of a store, implemented by a database and by the browser storage of the offline page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from blackpoker.protocol.messages import RoomSettings
from blackpoker.server.rooms.seats import GameEntry, RoomChanges
from blackpoker.server.rooms.summary import RoomSummary

if TYPE_CHECKING:
    from blackpoker.server.storage.bot_ratings import BotStanding, RatedGame


class StoreError(Exception):
    """Raised if the store cannot be used; the message is one line."""


class StoreUnavailable(StoreError):
    """Raised if the store cannot be reached at the moment."""


@dataclass(frozen=True)
class RetentionPolicy:
    """Days after which an unused room is deleted: one that waits for a game or rematch, one with an unfinished game,
    one with a finished match; and days after which an imported record is deleted. 0: never."""

    waiting: float = 1.0
    unfinished: float = 30.0
    over: float = 7.0
    imported: float = 90.0


class RoomStore(Protocol):
    """``save`` calls ``on_stored`` with True once everything is stored; with False if another process has written in
    the place of one of the entries, so that nothing of it is stored. ``failed`` is set when nothing can be stored any
    more."""

    stalled: bool
    failed: asyncio.Future[None]
    on_stall: Callable[[bool], None]

    def save(self, room: str, outcome: RoomChanges, now: float, on_stored: Callable[[bool], None]) -> None: ...

    async def flush(self) -> None: ...

    async def is_writable(self) -> bool: ...

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None: ...

    async def rooms_in_phase(self, phase: str) -> list[str]: ...

    async def summaries(self, ids: list[str]) -> list[RoomSummary]: ...

    async def public_rooms(self, waiting: float, playing: float, most: int) -> list[RoomSummary]: ...

    async def purge(self, policy: RetentionPolicy, now: float) -> list[str]: ...

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None: ...

    async def bot_leaderboard(self) -> list[BotStanding]: ...

    async def rating(self, player: str, format: str, now: float) -> float: ...

    async def bot(self, id: str) -> tuple[BotStanding, int, dict[str, int], list[RatedGame]] | None: ...
