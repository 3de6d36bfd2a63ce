"""Store of games on top of the page's row store, in a browser IndexedDB. It has the rows of the database and its
guarantee: an entry is written only once, also with several writers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import msgspec

from blackpoker.protocol.messages import RoomSettings
from blackpoker.server.rooms.seats import GameEntry, RoomChanges
from blackpoker.server.rooms.summary import RoomSummary, summary_of_stored
from blackpoker.server.storage.interface import RetentionPolicy, StoreUnavailable
from blackpoker.server.storage.rows import entry_of_row, entry_row, record_row, room_row

if TYPE_CHECKING:
    from blackpoker.server.storage.bot_ratings import BotStanding, RatedGame

log: logging.Logger = logging.getLogger("blackpoker.storage")
DAY: Final = 86_400.0
#: seconds between attempts while writing fails
RETRY_PAUSE: Final = 2.0


class RowStore(Protocol):
    """Storage of rows as JSON. ``write`` stores rooms, entries and records in one transaction; it writes nothing and
    returns False if an entry of that number exists. ``read`` returns a row, or an empty text, for ``room ID``, ``record
    ID`` or ``key NAME``, and lists for ``rooms`` and ``entries ID GAME``. ``delete`` removes these rooms. ``put``
    stores a key."""

    async def write(self, rows: str) -> bool: ...

    async def read(self, row_key: str) -> str: ...

    async def delete(self, rooms: str) -> None: ...

    async def put(self, name: str, value: str) -> None: ...


class PendingWrite(NamedTuple):
    room: str
    outcome: RoomChanges
    now: float
    on_written: Callable[[bool], None]


class LocalStore:
    def __init__(self, rows: RowStore) -> None:
        self.rows = rows
        self.stalled: bool = False
        self.on_stall: Callable[[bool], None] = lambda stalled: None
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.pending: list[PendingWrite] = []
        self.writer: asyncio.Task[None] | None = None

    # -- writing -------------------------------------------------------------------------------------------------

    def save(self, room: str, outcome: RoomChanges, now: float, on_written: Callable[[bool], None]) -> None:
        self.pending.append(PendingWrite(room, outcome, now, on_written))
        if self.writer is None or self.writer.done():
            self.writer = asyncio.ensure_future(self.write_pending())

    async def write_pending(self) -> None:
        """Write in order: no outcome is written before the outcomes it depends on."""
        while self.pending:
            pending = self.pending[0]
            try:
                stored = await self.rows.write(rows_of(pending))
            except Exception as error:  # the browser refused it: no space, no permission
                log.warning("storage unavailable", extra={"error": str(error)[:200]})
                self.set_stalled(True)
                await asyncio.sleep(RETRY_PAUSE)
                continue
            self.set_stalled(False)
            self.pending.pop(0)
            dropped = [] if stored else [other for other in self.pending if other.room == pending.room]
            for other in dropped:  # later outcomes of this room depend on it and must not be written either
                self.pending.remove(other)
            for other in (pending, *dropped):
                other.on_written(stored)

    def set_stalled(self, stalled: bool) -> None:
        if stalled != self.stalled:
            self.stalled = stalled
            self.on_stall(stalled)

    async def flush(self) -> None:
        if self.writer is not None and not self.stalled:
            await self.writer

    async def is_writable(self) -> bool:
        return not self.stalled

    # -- reading -------------------------------------------------------------------------------------------------

    async def read(self, row_key: str) -> Any:
        try:
            text = await self.rows.read(row_key)
        except Exception as error:
            raise StoreUnavailable(str(error)[:200]) from error
        return json.loads(text) if text else None

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None:
        row = await self.read(f"room {id}")
        if row is None:
            return None
        data = json.loads(row[2])
        entries = await self.read(f"entries {id} {data['game']}")
        return data, msgspec.convert(data["settings"], RoomSettings), [entry_of_row(entry) for entry in entries]

    async def rooms_in_phase(self, phase: str) -> list[str]:
        """Return an empty list: no game runs while the page is closed, and a room is loaded when it is joined."""
        return []

    async def summaries(self, ids: list[str]) -> list[RoomSummary]:
        rows = [await self.read(f"room {id}") for id in ids]
        return [summary_of_stored(row[2], row[3]) for row in rows if row is not None]

    async def public_rooms(self, waiting: float, playing: float, most: int) -> list[RoomSummary]:
        """Return an empty list: there are no other players."""
        return []

    async def purge(self, retention: RetentionPolicy, now: float) -> list[str]:
        days = {"waiting": retention.waiting, "alone": retention.unfinished, "playing": retention.unfinished}
        days["over"] = retention.over
        expired = [
            str(id)
            for id, phase, _, updated in await self.read("rooms") or ()
            if days[phase] > 0 and updated < now - days[phase] * DAY
        ]
        if expired:
            await self.rows.delete(json.dumps(expired))
        return expired

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None:
        row = await self.read(f"record {id}")
        return None if row is None else (row[4], json.loads(row[5]))

    async def bot_leaderboard(self) -> list[BotStanding]:
        return []

    async def rating(self, player: str, format: str, now: float) -> float:
        return 0.0  # there are no accounts here

    async def bot(self, id: str) -> tuple[BotStanding, int, dict[str, int], list[RatedGame]] | None:
        return None


def rows_of(pending: PendingWrite) -> str:
    outcome = pending.outcome
    rows = {
        "rooms": [] if outcome.row is None else [room_row(pending.room, outcome.row)],
        "entries": [entry_row(pending.room, entry) for entry in outcome.entries],
        "records": [record_row(pending.room, record, pending.now) for record in outcome.finished],
    }
    return msgspec.json.encode(rows).decode()


class MemoryRows:
    """Rows in memory, for browsers without storage and for tests."""

    def __init__(self) -> None:
        self.rooms: dict[str, list[Any]] = {}
        self.entries: dict[tuple[str, int, int], list[Any]] = {}
        self.records: dict[str, list[Any]] = {}
        self.keys: dict[str, str] = {}

    async def write(self, rows: str) -> bool:
        new_rows = json.loads(rows)
        entries = {(row[0], row[1], row[2]): row for row in new_rows["entries"]}
        if self.entries.keys() & entries.keys():
            return False
        self.entries |= entries
        self.rooms |= {row[0]: row for row in new_rows["rooms"]}
        self.records |= {row[0]: row for row in new_rows["records"]}
        return True

    async def read(self, row_key: str) -> str:
        kind, _, name = row_key.partition(" ")
        found: Any
        match kind:
            case "rooms":
                found = list(self.rooms.values())
            case "entries":
                room, game = name.split(" ")
                found = [self.entries[key] for key in sorted(self.entries) if key[:2] == (room, int(game))]
            case "key":
                return self.keys.get(name, "")
            case _:
                found = (self.rooms if kind == "room" else self.records).get(name)
        return "" if found is None else json.dumps(found)

    async def delete(self, rooms: str) -> None:
        deleted = json.loads(rooms)
        self.rooms = {id: row for id, row in self.rooms.items() if id not in deleted}
        self.entries = {key: row for key, row in self.entries.items() if key[0] not in deleted}

    async def put(self, name: str, value: str) -> None:
        self.keys[name] = value
