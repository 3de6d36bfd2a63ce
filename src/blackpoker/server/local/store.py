"""Store of games on top of the page's row store, in a browser IndexedDB. It has the rows of the database and its
guarantee: an entry is written only once, also with several writers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import msgspec

from blackpoker.server.rooms.heads import RoomHead, stored_head
from blackpoker.server.rooms.seats import GameEntry, RoomOutcome
from blackpoker.server.store.promises import Away, Keeping
from blackpoker.server.store.rows import entry_row, read_entry, record_row, room_row
from blackpoker.wire.protocol import RoomSettings

if TYPE_CHECKING:
    from blackpoker.server.store.ladder import RatedGame, Rung

log: logging.Logger = logging.getLogger("blackpoker.store")
DAY: Final = 86_400.0
#: seconds between attempts while writing fails
PAUSE: Final = 2.0


class RowKeeper(Protocol):
    """Storage of rows as JSON. ``write`` stores rooms, entries and records in one transaction; it writes nothing and
    returns False if an entry of that number exists. ``read`` returns a row, or an empty text, for ``room ID``, ``record
    ID`` or ``key NAME``, and lists for ``rooms`` and ``entries ID GAME``. ``delete`` removes these rooms. ``put``
    stores a key."""

    async def write(self, rows: str) -> bool: ...

    async def read(self, what: str) -> str: ...

    async def forget(self, rooms: str) -> None: ...

    async def put(self, name: str, value: str) -> None: ...


class Unwritten(NamedTuple):
    room: str
    outcome: RoomOutcome
    now: float
    then: Callable[[bool], None]


class LocalStore:
    def __init__(self, rows: RowKeeper) -> None:
        self.rows = rows
        self.stalled: bool = False
        self.on_stall: Callable[[bool], None] = lambda stalled: None
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting: list[Unwritten] = []
        self.writing: asyncio.Task[None] | None = None

    # -- writing -------------------------------------------------------------------------------------------------

    def keep(self, room: str, outcome: RoomOutcome, now: float, then: Callable[[bool], None]) -> None:
        self.waiting.append(Unwritten(room, outcome, now, then))
        if self.writing is None or self.writing.done():
            self.writing = asyncio.ensure_future(self.write_on())

    async def write_on(self) -> None:
        """Write in order: no outcome is written before the outcomes it depends on."""
        while self.waiting:
            one = self.waiting[0]
            try:
                kept = await self.rows.write(rows_of(one))
            except Exception as error:  # the browser refused it: no space, no permission
                log.warning("nothing can be stored", extra={"why": str(error)[:200]})
                self.say_stalled(True)
                await asyncio.sleep(PAUSE)
                continue
            self.say_stalled(False)
            self.waiting.pop(0)
            gone = [] if kept else [other for other in self.waiting if other.room == one.room]
            for other in gone:  # later outcomes of this room depend on it and must not be written either
                self.waiting.remove(other)
            for other in (one, *gone):
                other.then(kept)

    def say_stalled(self, stalled: bool) -> None:
        if stalled != self.stalled:
            self.stalled = stalled
            self.on_stall(stalled)

    async def flush(self) -> None:
        if self.writing is not None and not self.stalled:
            await self.writing

    async def writable(self) -> bool:
        return not self.stalled

    # -- reading -------------------------------------------------------------------------------------------------

    async def read(self, what: str) -> Any:
        try:
            text = await self.rows.read(what)
        except Exception as error:
            raise Away(str(error)[:200]) from error
        return json.loads(text) if text else None

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None:
        row = await self.read(f"room {id}")
        if row is None:
            return None
        data = json.loads(row[2])
        entries = await self.read(f"entries {id} {data['game']}")
        return data, msgspec.convert(data["settings"], RoomSettings), [read_entry(entry) for entry in entries]

    async def rooms_in(self, phase: str) -> list[str]:
        """Return an empty list: no game runs while the page is closed, and a room is loaded when it is joined."""
        return []

    async def heads(self, ids: list[str]) -> list[RoomHead]:
        rows = [await self.read(f"room {id}") for id in ids]
        return [stored_head(row[2], row[3]) for row in rows if row is not None]

    async def listed(self, waiting: float, playing: float, most: int) -> list[RoomHead]:
        """Return an empty list: there are no other players."""
        return []

    async def purge(self, keeping: Keeping, now: float) -> list[str]:
        days = {"waiting": keeping.waiting, "alone": keeping.unfinished, "playing": keeping.unfinished}
        days["over"] = keeping.over
        gone = [
            str(id)
            for id, phase, _, updated in await self.read("rooms") or ()
            if days[phase] > 0 and updated < now - days[phase] * DAY
        ]
        if gone:
            await self.rows.forget(json.dumps(gone))
        return gone

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None:
        row = await self.read(f"record {id}")
        return None if row is None else (row[4], json.loads(row[5]))

    async def ladder(self) -> list[Rung]:
        return []

    async def rating(self, player: str, format: str, now: float) -> float:
        return 0.0  # there are no accounts here

    async def bot(self, id: str) -> tuple[Rung, int, dict[str, int], list[RatedGame]] | None:
        return None


def rows_of(one: Unwritten) -> str:
    outcome = one.outcome
    rows = {
        "rooms": [] if outcome.row is None else [room_row(one.room, outcome.row)],
        "entries": [entry_row(one.room, entry) for entry in outcome.entries],
        "records": [record_row(one.room, done, one.now) for done in outcome.finished],
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
        given = json.loads(rows)
        entries = {(row[0], row[1], row[2]): row for row in given["entries"]}
        if self.entries.keys() & entries.keys():
            return False
        self.entries |= entries
        self.rooms |= {row[0]: row for row in given["rooms"]}
        self.records |= {row[0]: row for row in given["records"]}
        return True

    async def read(self, what: str) -> str:
        kind, _, name = what.partition(" ")
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

    async def forget(self, rooms: str) -> None:
        gone = json.loads(rooms)
        self.rooms = {id: row for id, row in self.rooms.items() if id not in gone}
        self.entries = {key: row for key, row in self.entries.items() if key[0] not in gone}

    async def put(self, name: str, value: str) -> None:
        self.keys[name] = value
