"""Storage of rooms, the entries of their games, and records. SQLite by default, PostgreSQL by URL.

Writes that arrive during a commit are batched into the next one, so that durability costs one commit per batch.
Messages that depend on stored data are sent after that commit. One thread writes and a few threads read.

If the database is locked, restarting or unreachable, the same batch is retried with growing pauses until it is known to
be stored once. Only errors that retrying cannot fix stop the server.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    String,
    Table,
    bindparam,
    create_engine,
    event,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError

from blackpoker.server.rooms.heads import RoomHead, stored_head
from blackpoker.server.rooms.seats import GameEntry, RoomOutcome
from blackpoker.server.store.accounts import note_played
from blackpoker.server.store.keeping import forget_some
from blackpoker.server.store.ladder import RatedGame, Rung, account, ladder, rate
from blackpoker.server.store.promises import Away, Keeping, StoreError
from blackpoker.server.store.ratings import EACH, ZERO, rate_people, rating_of
from blackpoker.server.store.rows import Row, entry_row, read_entry, record_row, room_row
from blackpoker.server.store.schema import ENTRIES, KEYS, RECORDS, ROOMS
from blackpoker.wire.protocol import RoomSettings

log: logging.Logger = logging.getLogger("blackpoker.store")
T = TypeVar("T")
MIGRATIONS: Final = Path(__file__).parent / "migrations"
READERS: Final = 3
#: id of our advisory lock in PostgreSQL
MIGRATING: Final = 0xB1AC
#: seconds between checkpoints of SQLite's log outside the writer; pages at which the writer does one itself
CHECKPOINT: Final = 2.0
LATEST_CHECKPOINT: Final = 20_000
#: least seconds between two commits, so that writes share one: a commit costs more than a move. The interval grows with
#: the size of the last batch up to a limit that users do not notice
GATHER: Final = 0.004
GATHER_EACH: Final = 0.002
LONGEST_GATHER: Final = 0.02
#: seconds an unreachable database is retried, and the pauses between attempts
PATIENCE: Final = 300.0
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 5.0
#: seconds a commit may take before clients are notified that nothing can be stored, and the interval of that check
STALLED: Final = 1.0
LOOK: Final = 0.25
#: seconds for a start, or for the last commit before shutdown
LAST_PATIENCE: Final = 20.0
#: error texts of SQLite and PostgreSQL that retrying cannot fix
LASTING: Final = ("disk is full", "disk full", "no space", "could not extend", "readonly", "read-only", "malformed",
                  "not a database", "no such table", "does not exist", "unable to open")  # fmt: skip


@cache
def at_once(dialect: str, table: Table, changed: tuple[str, ...] = ()) -> str:
    """Return a statement that inserts a JSON list of rows, or updates the ``changed`` columns of existing rows. One
    statement per batch: with one per row the driver would release the GIL each time and wait for the busy event
    loop."""
    names = [column.name for column in table.columns]
    if dialect == "sqlite":
        values = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(names)))
        rows = "json_each(?)"
    else:
        casts = ["" if isinstance(column.type, String) else f"::{column.type.compile()}" for column in table.columns]
        values = ", ".join(f"(value ->> {place}){cast}" for place, cast in enumerate(casts))
        rows = "json_array_elements(%s::json)"
    text = f"INSERT INTO {table.name} ({', '.join(names)}) SELECT {values} FROM {rows} WHERE true"
    if changed:
        key = ", ".join(column.name for column in table.primary_key)
        text += f" ON CONFLICT ({key}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in changed)}"
    return text


#: queries for summaries, built once: building one takes longer than running it
HEADS: Final = select(ROOMS.c.data, ROOMS.c.updated)
NAMED: Final = HEADS.where(ROOMS.c.id.in_(bindparam("ids", expanding=True)))


def listed(phase: str, *more: ColumnElement[bool]) -> Select[Any]:
    """Return a query for public rooms, the latest first. It matches text in the JSON of the row; a name cannot contain
    that text, because its quotes are escaped."""
    wanted = ROOMS.c.phase == phase, ROOMS.c.updated > bindparam("since"), has('"listed":true')
    return HEADS.where(*wanted, *more).order_by(ROOMS.c.updated.desc()).limit(bindparam("most"))


def has(text: str) -> ColumnElement[bool]:
    return ROOMS.c.data.contains(text)


#: one player waits for another: rooms without players would crowd the others out
OPEN: Final = listed("waiting", has('"kind":"human"'), has('"kind":"open"'))
#: a game open to spectators
LIVE: Final = listed("playing", ~has('"spectators":false'))


class Taken(Exception):
    """Raised if another process has written other entries for these rooms."""


class PendingWrite(NamedTuple):
    """Pending changes of a room. ``on_stored`` is called with True once they are stored; with False if another process
    has written to the room, so that nothing of them is stored."""

    room: str
    outcome: RoomOutcome
    now: float
    then: Callable[[bool], None]


class GameStore:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.sqlite: Any = engine.dialect.name == "sqlite"
        self.waiting: list[PendingWrite] = []
        self.wake: asyncio.Event = asyncio.Event()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.writing: ThreadPoolExecutor = ThreadPoolExecutor(1, "store-write")
        self.reading: ThreadPoolExecutor = ThreadPoolExecutor(READERS, "store-read")
        self.tasks: list[asyncio.Task[None]] = []
        self.busy: bool = False
        self.begun: float = 0.0  # start of the running commit
        self.stalled: bool = False
        self.on_stall: Callable[[bool], None] = lambda stalled: None
        self.patience: float = PATIENCE
        self.commits: int = 0
        self.trial: asyncio.Future[None] | None = None  # last test write while nothing else is written
        self.tried: float = 0.0

    @classmethod
    async def open(cls, url: str, patience: float = 0.0) -> GameStore:
        """Connect and migrate the tables; raise `StoreError` if that fails. ``url``: path of an SQLite file or
        SQLAlchemy URL. ``patience``: seconds to wait for an unreachable database; one locked by another process is
        always waited for."""
        store = cls(make_engine(url))
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            try:
                await store.call(store.writing, store.migrate)
                break
            except StoreError:
                store.let_go()
                raise
            except (SQLAlchemyError, OSError) as error:
                allowed = max(patience, LAST_PATIENCE) if locked(error) else patience
                if lasting(error) or loop.time() - begun >= allowed:
                    store.let_go()
                    raise StoreError(explain(error, url)) from error
                await asyncio.sleep(0.2)
        store.tasks = [asyncio.create_task(store.write_on()), asyncio.create_task(store.watch_on())]
        if store.sqlite:
            store.tasks.append(asyncio.create_task(store.fold_on()))
        return store

    async def close(self) -> None:
        """Write everything that is pending, then close."""
        await self.flush()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.to_thread(self.let_go)

    async def flush(self) -> None:
        """Wait until nothing is pending, or the database does not come back in time."""
        end = asyncio.get_running_loop().time() + LAST_PATIENCE
        self.patience = min(self.patience, LAST_PATIENCE)
        while (self.waiting or self.busy) and not self.failed.done() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.005)

    def let_go(self) -> None:
        self.writing.shutdown()
        self.reading.shutdown()
        self.engine.dispose()

    async def call(self, threads: ThreadPoolExecutor, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work, *given)

    async def read(self, work: Callable[..., T], *given: Any) -> T:
        """Run ``work`` in a reader thread; raise `StoreUnavailable` if the database is unreachable."""
        try:
            return await self.call(self.reading, work, *given)
        except (SQLAlchemyError, OSError) as error:
            raise Away(explain(error, "")) from error

    async def ask(self, work: Callable[..., T], *given: Any) -> T:
        """Return the result of ``work`` with a connection for reading."""

        def read() -> T:
            with self.engine.connect() as connection:
                return work(connection, *given)

        return await self.read(read)

    async def commit(self, work: Callable[..., T], *given: Any) -> T:
        """Run ``work`` in a transaction and return its result once it is durable. Raise `IntegrityError` on a conflict
        and `StoreUnavailable` if the database is unreachable."""

        def write() -> T:
            with self.engine.begin() as connection:
                return work(connection, *given)

        try:
            return await self.call(self.writing, write)
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError) as error:
            raise Away(explain(error, "")) from error

    def migrate(self) -> None:
        with self.engine.begin() as connection:
            migrate(connection)

    # -- writing -------------------------------------------------------------------------------------------------

    def keep(self, room: str, outcome: RoomOutcome, now: float, then: Callable[[bool], None]) -> None:
        """Queue the results of a room's calls for writing."""
        self.waiting.append(PendingWrite(room, outcome, now, then))
        self.wake.set()

    async def write_on(self) -> None:
        loop = asyncio.get_running_loop()
        gather = GATHER
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                await asyncio.sleep(max(0.0, self.begun + gather - loop.time()))
                batch, self.waiting, self.busy = self.waiting, [], True
                try:
                    lost = await self.write_patiently(batch)
                except (SQLAlchemyError, OSError) as error:
                    self.waiting = batch + self.waiting
                    if not self.failed.done():
                        self.failed.set_exception(StoreError(explain(error, "")))
                    return
                gather = min(LONGEST_GATHER, max(GATHER, GATHER_EACH * len(batch)))
                self.written(batch, lost)
                batch = []  # free what was written

    def written(self, batch: list[PendingWrite], lost: set[str]) -> None:
        """Run the callbacks of a commit. ``lost``: rooms that belong to another process now."""
        if lost:  # discard what followed from it
            batch += [one for one in self.waiting if one.room in lost]
            self.waiting = [one for one in self.waiting if one.room not in lost]
        self.say_stalled(False)  # before clients receive what depends on the commit
        for one in batch:
            one.then(one.room not in lost)
        self.busy = False

    async def write_patiently(self, batch: list[PendingWrite]) -> set[str]:
        """Write a batch, retrying while the database is unreachable. Return the rooms that belong to another process
        now. A failed attempt may have been committed, so from then on existing entries are compared instead of
        refused."""
        loop = asyncio.get_running_loop()
        self.begun = begun = loop.time()
        pause = FIRST_PAUSE
        unsure = False
        while True:
            try:
                try:
                    await self.call(self.writing, self.write, batch, unsure)
                except (IntegrityError, Taken):
                    return await self.write_singly(batch, unsure)
                return set()
            except (SQLAlchemyError, OSError) as error:
                if lasting(error) or loop.time() - begun > self.patience:
                    raise
                if not unsure:
                    log.warning("the database is away; waiting for it", extra={"why": explain(error, "")})
                unsure = True
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def write_singly(self, batch: list[PendingWrite], unsure: bool) -> set[str]:
        """Write a batch room by room after a conflict. Return the rooms in conflict, which belong to another process
        now."""
        lost: set[str] = set()
        for room in dict.fromkeys(one.room for one in batch):
            try:
                await self.call(self.writing, self.write, [one for one in batch if one.room == room], unsure)
            except (IntegrityError, Taken):
                lost.add(room)
        return lost

    async def watch_on(self) -> None:
        """Set ``stalled`` when a commit takes too long; the next successful commit clears it."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK)
            if self.busy and loop.time() - self.begun > STALLED:
                self.say_stalled(True)

    def say_stalled(self, stalled: bool) -> None:
        if stalled != self.stalled:
            self.stalled = stalled
            self.on_stall(stalled)

    async def fold_on(self) -> None:
        """Checkpoint SQLite's log: most of it from another connection, so that no commit waits for it, then the rest by
        the writer. A fully checkpointed log is overwritten from its beginning. A growing log makes the file system
        record its new size at every commit, which is slow at times."""
        folded = 0
        while True:
            await asyncio.sleep(CHECKPOINT)
            if self.commits != folded:
                folded = self.commits
                try:
                    await self.call(self.reading, self.fold)
                    await self.call(self.writing, self.fold)
                except (SQLAlchemyError, OSError) as error:
                    log.debug("the log is folded later", extra={"why": explain(error, "")})

    def fold(self) -> None:
        with self.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    def write(self, batch: list[PendingWrite], unsure: bool = False) -> None:
        """Write one commit. Of a room that changed several times the last row is stored. ``unsure``: a previous attempt
        may have been committed."""
        rooms = {one.room: room_row(one.room, one.outcome.row) for one in batch if one.outcome.row is not None}
        entries = [entry_row(one.room, entry) for one in batch for entry in one.outcome.entries]
        again = [entry_row(one.room, entry) for one in batch for entry in one.outcome.again]
        records = [record_row(one.room, done, one.now) for one in batch for done in one.outcome.finished]
        if not (rooms or entries or records):
            return
        with self.engine.begin() as connection:
            self.put(connection, ROOMS, list(rooms.values()), ("phase", "data", "updated"))
            if unsure:
                entries = missing(connection, entries)
            self.put(connection, ENTRIES, entries)
            self.put(connection, ENTRIES, again, ("room",))
            self.put(connection, RECORDS, records, ("text", "meta"))
            finished = [done for one in batch for done in one.outcome.finished]
            rate(connection, finished)
            note_played(connection, finished)
            rate_people(connection, finished)
        self.commits += 1

    def put(self, connection: Connection, table: Table, rows: list[Row], changed: tuple[str, ...] = ()) -> None:
        """Write rows given in the order of the table's columns."""
        if not rows:
            return
        text = at_once(self.engine.dialect.name, table, changed)
        connection.exec_driver_sql(text, (msgspec.json.encode(rows).decode(),))

    async def writable(self) -> bool:
        """Return True if a write succeeds now; without other writes one is tried at most once a second."""
        loop = asyncio.get_running_loop()
        if self.failed.done() or self.stalled:
            return False
        if not self.busy and (self.trial is None or (self.trial.done() and loop.time() - self.tried > LOOK * 4)):
            self.trial, self.tried = asyncio.ensure_future(self.call(self.writing, self.try_to_write)), loop.time()
        if self.trial is None:
            return True
        done, _ = await asyncio.wait((self.trial,), timeout=STALLED)
        return bool(done) and self.trial.exception() is None

    def try_to_write(self) -> None:
        with self.engine.begin() as connection:
            connection.execute(update(KEYS).values(name=KEYS.c.name))

    # -- reading -------------------------------------------------------------------------------------------------

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None:
        return await self.read(self.read_room, id)

    def read_room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None:
        with self.engine.connect() as connection:
            row = connection.execute(select(ROOMS.c.data).where(ROOMS.c.id == id)).first()
            if row is None:
                return None
            data = msgspec.json.decode(row[0])
            found = connection.execute(
                select(ENTRIES).where(ENTRIES.c.room == id, ENTRIES.c.game == data["game"]).order_by(ENTRIES.c.seq)
            )
            entries = [read_entry(entry) for entry in found]
        return data, msgspec.convert(data["settings"], RoomSettings), entries

    async def rooms_in(self, phase: str) -> list[str]:
        """Return the ids of rooms in a phase. Rooms in phase ``playing`` continue without connected clients."""

        def read() -> list[str]:
            with self.engine.connect() as connection:
                return list(connection.execute(select(ROOMS.c.id).where(ROOMS.c.phase == phase)).scalars())

        return await self.read(read)

    async def heads(self, ids: list[str]) -> list[RoomHead]:
        """Return the summaries of rooms, with one query."""
        return await self.read(self.read_heads, (NAMED, {"ids": ids}))

    async def listed(self, waiting: float, playing: float, most: int) -> list[RoomHead]:
        """Return public rooms, the latest first: those waiting since ``waiting`` at the earliest, and games begun since
        ``playing``."""
        asked = (OPEN, {"since": waiting, "most": most}), (LIVE, {"since": playing, "most": most})
        return await self.read(self.read_heads, *asked)

    def read_heads(self, *asked: tuple[Select[Any], dict[str, Any]]) -> list[RoomHead]:
        with self.engine.connect() as connection:
            return [stored_head(*row) for wanted, given in asked for row in connection.execute(wanted, given)]

    async def purge(self, keeping: Keeping, now: float) -> list[str]:
        """Delete expired rooms in small batches and return their ids."""

        def some() -> list[str]:
            with self.engine.begin() as connection:
                return forget_some(connection, keeping, now)

        forgotten: list[str] = []
        while True:
            try:
                rooms = await self.call(self.writing, some)
            except (SQLAlchemyError, OSError) as error:
                raise Away(explain(error, "")) from error
            if not rooms:
                return forgotten
            forgotten += rooms

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None:
        def read() -> tuple[str, dict[str, Any]] | None:
            with self.engine.connect() as connection:
                row = connection.execute(select(RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id == id)).first()
            return None if row is None else (row[0], msgspec.json.decode(row[1]))

        return await self.read(read)

    async def ladder(self) -> list[Rung]:
        """Return every bot with a rated game, the best first."""

        return await self.ask(ladder)

    async def bot(self, id: str) -> tuple[Rung, int, dict[str, int], list[RatedGame]] | None:
        """Return a bot with its rank, game counts by regulation and last games; None if unknown."""

        return await self.ask(account, id)

    async def rating(self, player: str, format: str, now: float) -> float:
        """Return a player's rating in points by its mean, without the discount for uncertainty."""
        found = await self.ask(rating_of, player, format, now)
        return ZERO + EACH * found.mu

    async def key(self, name: str, fresh: bytes) -> bytes:
        """Return a secret of this installation, created on first use."""

        def find() -> bytes:
            with self.engine.begin() as connection:
                make = sqlite.insert(KEYS) if self.sqlite else postgresql.insert(KEYS)
                connection.execute(make.on_conflict_do_nothing(), {"name": name, "value": fresh})
                return bytes(connection.execute(select(KEYS.c.value).where(KEYS.c.name == name)).scalar_one())

        return await self.call(self.writing, find)


def missing(connection: Connection, entries: list[Row]) -> list[Row]:
    """Return the entries that are not stored yet; raise `WriteConflict` if another entry is stored in the place of
    one."""
    out = []
    for row in entries:
        room, game, seq = row[:3]
        place = (ENTRIES.c.room == room, ENTRIES.c.game == game, ENTRIES.c.seq == seq)
        found = connection.execute(select(ENTRIES).where(*place)).first()
        if found is None:
            out.append(row)
        elif tuple(found)[3:] != row[3:]:
            raise Taken(room)
    return out


# -- connecting --------------------------------------------------------------------------------------------------------


def make_engine(url: str) -> Engine:
    """Return an engine for a file path or URL, with fixed drivers; raise `StoreError` for an unknown scheme."""
    if "://" not in url:
        url = f"sqlite:///{url}"
    scheme, _, rest = url.partition("://")
    kind = scheme.split("+")[0]
    if kind == "sqlite":
        engine = create_engine(f"sqlite+pysqlite://{rest}", connect_args={"timeout": 2})
        event.listen(engine, "connect", prepare_sqlite)
        return engine
    if kind in ("postgres", "postgresql"):
        given = {
            "connect_timeout": 5,  # a hanging server counts as unreachable
            "tcp_user_timeout": 10_000,
            "options": "-c statement_timeout=30000",
            "client_encoding": "utf8",  # without it a database created without a locale returns bytes
        }
        return create_engine(f"postgresql+psycopg://{rest}", pool_pre_ping=True, connect_args=given)
    raise StoreError(f"{scheme!r} is no database this server knows; use a file, sqlite:// or postgresql://")


def prepare_sqlite(connection: Any, _: Any) -> None:
    try:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"wal_autocheckpoint={LATEST_CHECKPOINT}"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except Exception:
        connection.close()  # not closed by the pool in this case
        raise


def migrate(connection: Connection) -> None:
    """Run the missing migrations; raise `StoreError` if the database is newer or belongs to another program. Of several
    processes that start together one migrates, the others wait."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
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
        if present is not None:  # a new database is no upgrade
            log.info("schema upgraded", extra={"was": present, "is": scripts.get_current_head()})


def lasting(error: Exception) -> bool:
    """Return True if retrying would not help."""
    if isinstance(error, ProgrammingError | DataError):
        return True
    text = str(error).lower()
    return any(words in text for words in LASTING)


def locked(error: Exception) -> bool:
    """Return True if another process has locked SQLite's file. SQLite waits for locks itself, except when it changes
    the ``journal_mode``: there the second of two processes that start together gets this error at once."""
    return "database is locked" in str(error).lower()


def explain(error: Exception, url: str) -> str:
    """Return the error as one line, without passwords."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    text = re.sub(r"\[Errno -?\d+\] ", "", " ".join(str(cause).split()))[:300] or type(cause).__name__
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
