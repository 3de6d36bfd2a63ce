"""What is kept: rooms, the entries of their games, records. SQLite by default, PostgreSQL by its address.

Everything that comes in while one commit runs goes into the next, so that a durable answer costs a commit of many, not
one each. Messages that must not be sent before something is stored hang on that commit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from blackpoker.server.protocol import RoomSettings
from blackpoker.server.schema import ENTRIES, KEYS, RECORDS, ROOMS
from blackpoker.server.seats import Entry, Finished, Outcome

log = logging.getLogger("blackpoker.store")
MIGRATIONS: Final = Path(__file__).parent / "migrations"
#: rows of one statement
MOST_ROWS: Final = 5000


#: SQLite's log is folded into the file every so many seconds beside the writer, or at so many pages by it
CHECKPOINT: Final = 2.0
LATEST_CHECKPOINT: Final = 20_000


class StoreError(Exception):
    """The database cannot be used; one line says why."""


class Store:
    def __init__(self, engine: AsyncEngine, sqlite_file: bool) -> None:
        self.engine = engine
        self.sqlite = sqlite_file
        self.waiting: list[tuple[Outcome, str, float, Callable[[], None]]] = []
        self.wake = asyncio.Event()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.writer: asyncio.Task[None] | None = None
        self.folder: asyncio.Task[None] | None = None
        self.commits = 0
        self.written = 0

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect and bring the tables up to date. ``url``: sqlite file, or an address of SQLAlchemy."""
        engine, is_file = make_engine(url)
        store = cls(engine, is_file)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
        except StoreError:
            await engine.dispose()
            raise
        except (SQLAlchemyError, OSError) as error:
            await engine.dispose()
            raise StoreError(explain(error, url)) from error
        store.writer = asyncio.create_task(store.write_on())
        if is_file:
            store.folder = asyncio.create_task(store.fold_on())
        return store

    async def close(self) -> None:
        """Everything that waits is written first."""
        if self.writer is not None:
            while self.waiting and not self.failed.done():
                await asyncio.sleep(0.005)
            tasks = [task for task in (self.writer, self.folder) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await self.engine.dispose()

    # -- writing -------------------------------------------------------------------------------------------------

    def keep(self, room: str, outcome: Outcome, now: float, then: Callable[[], None]) -> None:
        """Write what came of a call; ``then`` is called when it is safe."""
        self.waiting.append((outcome, room, now, then))
        self.wake.set()

    async def write_on(self) -> None:
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                batch, self.waiting = self.waiting, []
                try:
                    await self.write(batch)
                except (SQLAlchemyError, OSError) as error:
                    self.waiting = batch + self.waiting
                    if not self.failed.done():
                        self.failed.set_exception(StoreError(explain(error, "")))
                    return
                for _, _, _, then in batch:
                    then()

    async def fold_on(self) -> None:
        """Fold the log into the file from another connection, so that no commit has to wait for it."""
        folded = 0
        while True:
            await asyncio.sleep(CHECKPOINT)
            if self.commits != folded:
                folded = self.commits
                async with self.engine.connect() as connection:
                    await connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    async def write(self, batch: list[tuple[Outcome, str, float, Callable[[], None]]]) -> None:
        rooms: dict[str, dict[str, Any]] = {}
        entries: list[dict[str, Any]] = []
        records: list[dict[str, Any]] = []
        for outcome, room, now, _ in batch:
            if outcome.row is not None:
                rooms[room] = {
                    "id": room,
                    "phase": outcome.row["phase"],
                    "data": msgspec.json.encode(outcome.row).decode(),
                    "updated": now,
                }
            entries += [entry_row(room, entry) for entry in outcome.entries]
            records += [record_row(room, done, now) for done in outcome.finished]
        if not (rooms or entries or records):
            return
        async with self.engine.begin() as connection:
            if rooms:
                await connection.execute(self.upsert(ROOMS, "id", ("phase", "data", "updated")), list(rooms.values()))
            for start in range(0, len(entries), MOST_ROWS):
                await connection.execute(insert(ENTRIES), entries[start : start + MOST_ROWS])
            if records:
                await connection.execute(self.upsert(RECORDS, "id", ("text", "meta")), records)
        self.commits += 1
        self.written += len(entries)

    def upsert(self, table: Any, key: str, changed: tuple[str, ...]) -> Any:
        make = sqlite.insert(table) if self.sqlite else postgresql.insert(table)
        return make.on_conflict_do_update(
            index_elements=[table.c[key]], set_={name: make.excluded[name] for name in changed}
        )

    # -- reading -------------------------------------------------------------------------------------------------

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[Entry]] | None:
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(ROOMS.c.data).where(ROOMS.c.id == id))).first()
            if row is None:
                return None
            data = msgspec.json.decode(row[0])
            found = await connection.execute(
                select(ENTRIES).where(ENTRIES.c.room == id, ENTRIES.c.game == data["game"]).order_by(ENTRIES.c.seq)
            )
            entries = [read_entry(entry) for entry in found]
        return data, msgspec.convert(data["settings"], RoomSettings), entries

    async def rooms_in(self, phase: str) -> list[str]:
        async with self.engine.connect() as connection:
            found = await connection.execute(select(ROOMS.c.id).where(ROOMS.c.phase == phase))
            return [row[0] for row in found]

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None:
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id == id))).first()
        return None if row is None else (row[0], msgspec.json.decode(row[1]))

    async def key(self, name: str, fresh: bytes) -> bytes:
        """A secret of this installation, made once."""
        async with self.engine.begin() as connection:
            make = sqlite.insert(KEYS) if self.sqlite else postgresql.insert(KEYS)
            await connection.execute(make.on_conflict_do_nothing(), {"name": name, "value": fresh})
            row = (await connection.execute(select(KEYS.c.value).where(KEYS.c.name == name))).first()
        assert row is not None
        return bytes(row[0])


def entry_row(room: str, entry: Entry) -> dict[str, Any]:
    return {
        "room": room,
        "game": entry.game,
        "seq": entry.seq,
        "kind": entry.kind,
        "seat": entry.seat,
        "options": " ".join(map(str, entry.options)),
        "at": entry.at,
        "left1": entry.left[0],
        "left2": entry.left[1],
        "why": entry.why,
        "stop": entry.stop,
    }


def read_entry(row: Any) -> Entry:
    options = [int(option) for option in row.options.split()]
    return Entry(row.game, row.seq, row.kind, row.seat, options, row.at, (row.left1, row.left2), row.why, row.stop)


def record_row(room: str, done: Finished, now: float) -> dict[str, Any]:
    return {
        "id": done.share,
        "room": room,
        "game": done.game,
        "part": done.part,
        "text": done.record,
        "meta": msgspec.json.encode(done.meta).decode(),
        "created": now,
    }


# -- opening -----------------------------------------------------------------------------------------------------------


def make_engine(url: str) -> tuple[AsyncEngine, bool]:
    """An engine for a file's path or an address; the drivers are ours to choose."""
    if "://" not in url:
        url = f"sqlite:///{url}"
    scheme, _, rest = url.partition("://")
    kind = scheme.split("+")[0]
    if kind == "sqlite":
        engine = create_async_engine(f"sqlite+aiosqlite://{rest}", connect_args={"timeout": 15})
        event.listen(engine.sync_engine, "connect", prepare_sqlite)
        return engine, True
    if kind in ("postgres", "postgresql"):
        return create_async_engine(f"postgresql+psycopg://{rest}", pool_pre_ping=True), False
    raise StoreError(f"{scheme!r} is no database this server knows; use a file, sqlite:// or postgresql://")


def prepare_sqlite(connection: Any, _: Any) -> None:
    try:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"wal_autocheckpoint={LATEST_CHECKPOINT}"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except Exception:
        connection.close()  # nobody else will
        raise


def migrate(connection: Connection) -> None:
    """Run what is missing; refuse a database that is newer, or somebody else's."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    present = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in scripts.walk_revisions()}
    if present is not None and present not in known:
        raise StoreError(f"the database has schema {present}, which this version does not know; use a newer blackpoker")
    if present is None and connection.dialect.has_table(connection, "rooms"):
        raise StoreError("the database has a table 'rooms' that is not ours; use an empty database")
    if present != scripts.get_current_head():
        command.upgrade(config, "head")


def explain(error: Exception, url: str) -> str:
    """One line, without passwords."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    text = " ".join(str(cause).split())[:300] or type(cause).__name__
    lower = text.lower()
    if "disk is full" in lower or "disk full" in lower or "no space" in lower:
        return f"the disk is full, nothing more can be stored ({text}); everything acknowledged is safe"
    if "unable to open" in lower:
        return f"cannot open the database file {url!r}: {text}"
    if "not a database" in lower:
        return f"{url!r} is not a database file"
    if "readonly" in lower or "read-only" in lower:
        return f"the database is read-only: {text}"
    return f"the database cannot be used: {text}"
