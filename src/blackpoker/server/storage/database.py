"""Storage of rooms, the entries of their games, and records. SQLite by default, PostgreSQL by URL.

Writes that arrive during a commit are batched into the next one, so that durability costs one commit per batch.
Messages that depend on stored data are sent after that commit. One thread writes and a few threads read.

If the database is locked, restarting or unreachable, the same batch is retried with growing pauses until it is known to
be stored once. Only errors that retrying cannot fix stop the server.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
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
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError

from blackpoker.protocol.messages import RoomSettings
from blackpoker.server.admission import cached
from blackpoker.server.rooms.seats import GameEntry, RoomChanges
from blackpoker.server.rooms.summary import RoomSummary, summary_of_stored
from blackpoker.server.storage.accounts import insert_played
from blackpoker.server.storage.bot_ratings import BotStanding, RatedGame, bot_leaderboard, find_bot, rate_bots
from blackpoker.server.storage.interface import RetentionPolicy, StoreError, StoreUnavailable
from blackpoker.server.storage.ratings import RATING_SCALE, RATING_ZERO, rate_people, rating_of
from blackpoker.server.storage.retention import delete_some
from blackpoker.server.storage.rows import Row, entry_of_row, entry_row, record_row, room_row
from blackpoker.server.storage.schema import ENTRIES, KEYS, RECORDS, ROOMS
from blackpoker.server.storage.statements import upsert

log: logging.Logger = logging.getLogger("blackpoker.storage")
T = TypeVar("T")
MIGRATIONS: Final = Path(__file__).parent / "migrations"
READER_THREADS: Final = 3
#: id of our advisory lock in PostgreSQL
MIGRATION_LOCK: Final = 0xB1AC
#: seconds between checkpoints of SQLite's log outside the writer; pages at which the writer does one itself
CHECKPOINT_SECONDS: Final = 2.0
MAX_WAL_PAGES: Final = 20_000
#: least seconds between two commits, so that writes share one: a commit costs more than a move. The interval grows with
#: the size of the last batch up to a limit that users do not notice
MIN_COMMIT_INTERVAL: Final = 0.004
COMMIT_INTERVAL_PER_WRITE: Final = 0.002
MAX_COMMIT_INTERVAL: Final = 0.02
#: seconds an unreachable database is retried, and the pauses between attempts
RETRY_SECONDS: Final = 300.0
FIRST_RETRY_PAUSE: Final = 0.05
MAX_RETRY_PAUSE: Final = 5.0
#: seconds a commit may take before clients are notified that nothing can be stored, and the interval of that check
STALL_SECONDS: Final = 1.0
STALL_CHECK_INTERVAL: Final = 0.25
#: seconds for a start, or for the last commit before shutdown
SHUTDOWN_SECONDS: Final = 20.0
#: error texts of SQLite and PostgreSQL that retrying cannot fix
PERMANENT_ERRORS: Final = (
    "disk is full",
    "disk full",
    "no space",
    "could not extend",
    "readonly",
    "read-only",
    "malformed",
    "not a database",
    "no such table",
    "does not exist",
    "unable to open",
)


@cached("insert statements", 100)
def bulk_insert(dialect: str, table: Table, changed: tuple[str, ...] = ()) -> str:
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
SUMMARIES: Final = select(ROOMS.c.data, ROOMS.c.updated)
SUMMARIES_BY_ID: Final = SUMMARIES.where(ROOMS.c.id.in_(bindparam("ids", expanding=True)))


def public_rooms_query(phase: str, *more: ColumnElement[bool]) -> Select[Any]:
    """Return a query for public rooms, the latest first. It matches text in the JSON of the row; a name cannot contain
    that text, because its quotes are escaped."""
    wanted = ROOMS.c.phase == phase, ROOMS.c.updated > bindparam("since"), row_contains('"listed":true')
    return SUMMARIES.where(*wanted, *more).order_by(ROOMS.c.updated.desc()).limit(bindparam("most"))


def row_contains(text: str) -> ColumnElement[bool]:
    return ROOMS.c.data.contains(text)


#: one player waits for another: rooms without players would crowd the others out
OPEN_ROOMS: Final = public_rooms_query("waiting", row_contains('"kind":"human"'), row_contains('"kind":"open"'))
#: a game open to spectators
LIVE_ROOMS: Final = public_rooms_query("playing", ~row_contains('"spectators":false'))


class WriteConflict(Exception):
    """Raised if another process has written other entries for these rooms."""


class PendingWrite(NamedTuple):
    """Pending changes of a room. ``on_stored`` is called with True once they are stored; with False if another process
    has written to the room, so that nothing of them is stored."""

    room: str
    outcome: RoomChanges
    now: float
    on_stored: Callable[[bool], None]


class GameStore:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.sqlite: Any = engine.dialect.name == "sqlite"
        self.pending: list[PendingWrite] = []
        self.wake: asyncio.Event = asyncio.Event()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.writer: ThreadPoolExecutor = ThreadPoolExecutor(1, "store-write")
        self.readers: ThreadPoolExecutor = ThreadPoolExecutor(READER_THREADS, "store-read")
        self.tasks: list[asyncio.Task[None]] = []
        self.busy: bool = False
        self.commit_started: float = 0.0  # start of the running commit
        self.stalled: bool = False
        self.on_stall: Callable[[bool], None] = lambda stalled: None
        self.retry_seconds: float = RETRY_SECONDS
        self.commits: int = 0
        self.test_write: asyncio.Future[None] | None = None  # last test write while nothing else is written
        self.test_write_at: float = 0.0

    @classmethod
    async def open(cls, url: str, patience: float = 0.0) -> GameStore:
        """Connect and migrate the tables; raise `StoreError` if that fails. ``url``: path of an SQLite file or
        SQLAlchemy URL. ``patience``: seconds to wait for an unreachable database; one locked by another process is
        always waited for."""
        store = cls(make_engine(url))
        loop = asyncio.get_running_loop()
        started = loop.time()
        while True:
            try:
                await store.run_in(store.writer, store.migrate)
                break
            except StoreError:
                store.release()
                raise
            except (SQLAlchemyError, OSError) as error:
                allowed = max(patience, SHUTDOWN_SECONDS) if is_locked(error) else patience
                if is_permanent(error) or loop.time() - started >= allowed:
                    store.release()
                    raise StoreError(explain(error, url)) from error
                await asyncio.sleep(0.2)
        store.tasks = [asyncio.create_task(store.run_writer()), asyncio.create_task(store.run_stall_check())]
        if store.sqlite:
            store.tasks.append(asyncio.create_task(store.run_checkpoints()))
        return store

    async def close(self) -> None:
        """Write everything that is pending, then close."""
        await self.flush()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.to_thread(self.release)

    async def flush(self) -> None:
        """Wait until nothing is pending, or the database does not come back in time."""
        end = asyncio.get_running_loop().time() + SHUTDOWN_SECONDS
        self.retry_seconds = min(self.retry_seconds, SHUTDOWN_SECONDS)
        while (self.pending or self.busy) and not self.failed.done() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.005)

    def release(self) -> None:
        self.writer.shutdown()
        self.readers.shutdown()
        self.engine.dispose()

    async def run_in(self, executor: ThreadPoolExecutor, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(executor, work, *given)

    async def run_reader(self, work: Callable[..., T], *given: Any) -> T:
        """Run ``work`` in a reader thread; raise `StoreUnavailable` if the database is unreachable."""
        try:
            return await self.run_in(self.readers, work, *given)
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailable(explain(error, "")) from error

    async def query(self, work: Callable[..., T], *given: Any) -> T:
        """Return the result of ``work`` with a connection for reading."""

        def read() -> T:
            with self.engine.connect() as connection:
                return work(connection, *given)

        return await self.run_reader(read)

    async def transaction(self, work: Callable[..., T], *given: Any) -> T:
        """Run ``work`` in a transaction and return its result once it is durable. Raise `IntegrityError` on a conflict
        and `StoreUnavailable` if the database is unreachable."""

        def write() -> T:
            with self.engine.begin() as connection:
                return work(connection, *given)

        try:
            return await self.run_in(self.writer, write)
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailable(explain(error, "")) from error

    def migrate(self) -> None:
        with self.engine.begin() as connection:
            migrate(connection)

    # -- writing -------------------------------------------------------------------------------------------------

    def save(self, room: str, outcome: RoomChanges, now: float, on_stored: Callable[[bool], None]) -> None:
        """Queue the results of a room's calls for writing."""
        self.pending.append(PendingWrite(room, outcome, now, on_stored))
        self.wake.set()

    async def run_writer(self) -> None:
        loop = asyncio.get_running_loop()
        gather = MIN_COMMIT_INTERVAL
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.pending:
                await asyncio.sleep(max(0.0, self.commit_started + gather - loop.time()))
                batch, self.pending, self.busy = self.pending, [], True
                try:
                    lost = await self.write_with_retries(batch)
                except (SQLAlchemyError, OSError) as error:
                    self.pending = batch + self.pending
                    if not self.failed.done():
                        self.failed.set_exception(StoreError(explain(error, "")))
                    return
                gather = min(MAX_COMMIT_INTERVAL, max(MIN_COMMIT_INTERVAL, COMMIT_INTERVAL_PER_WRITE * len(batch)))
                self.finish_commit(batch, lost)
                batch = []  # free what was written

    def finish_commit(self, batch: list[PendingWrite], lost: set[str]) -> None:
        """Run the callbacks of a commit. ``lost``: rooms that belong to another process now."""
        if lost:  # discard what followed from it
            batch += [write for write in self.pending if write.room in lost]
            self.pending = [write for write in self.pending if write.room not in lost]
        self.set_stalled(False)  # before clients receive what depends on the commit
        for write in batch:
            write.on_stored(write.room not in lost)
        self.busy = False

    async def write_with_retries(self, batch: list[PendingWrite]) -> set[str]:
        """Write a batch, retrying while the database is unreachable. Return the rooms that belong to another process
        now. A failed attempt may have been committed, so from then on existing entries are compared instead of
        refused."""
        loop = asyncio.get_running_loop()
        self.commit_started = started = loop.time()
        pause = FIRST_RETRY_PAUSE
        maybe_stored = False
        while True:
            try:
                try:
                    await self.run_in(self.writer, self.write, batch, maybe_stored)
                except (IntegrityError, WriteConflict):
                    return await self.write_by_room(batch, maybe_stored)
                return set()
            except (SQLAlchemyError, OSError) as error:
                if is_permanent(error) or loop.time() - started > self.retry_seconds:
                    raise
                if not maybe_stored:
                    log.warning("database unavailable; waiting", extra={"error": explain(error, "")})
                maybe_stored = True
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_RETRY_PAUSE)

    async def write_by_room(self, batch: list[PendingWrite], maybe_stored: bool) -> set[str]:
        """Write a batch room by room after a conflict. Return the rooms in conflict, which belong to another process
        now."""
        conflicts: set[str] = set()
        for room in dict.fromkeys(write.room for write in batch):
            try:
                await self.run_in(
                    self.writer, self.write, [write for write in batch if write.room == room], maybe_stored
                )
            except (IntegrityError, WriteConflict):
                conflicts.add(room)
        return conflicts

    async def run_stall_check(self) -> None:
        """Set ``stalled`` when a commit takes too long; the next successful commit clears it."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(STALL_CHECK_INTERVAL)
            if self.busy and loop.time() - self.commit_started > STALL_SECONDS:
                self.set_stalled(True)

    def set_stalled(self, stalled: bool) -> None:
        if stalled != self.stalled:
            self.stalled = stalled
            self.on_stall(stalled)

    async def run_checkpoints(self) -> None:
        """Checkpoint SQLite's log: most of it from another connection, so that no commit waits for it, then the rest by
        the writer. A fully checkpointed log is overwritten from its beginning. A growing log makes the file system
        record its new size at every commit, which is slow at times."""
        last_commits = 0
        while True:
            await asyncio.sleep(CHECKPOINT_SECONDS)
            if self.commits != last_commits:
                last_commits = self.commits
                try:
                    await self.run_in(self.readers, self.checkpoint)
                    await self.run_in(self.writer, self.checkpoint)
                except (SQLAlchemyError, OSError) as error:
                    log.debug("checkpoint of the database log postponed", extra={"error": explain(error, "")})

    def checkpoint(self) -> None:
        with self.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    def write(self, batch: list[PendingWrite], maybe_stored: bool = False) -> None:
        """Write one commit. Of a room that changed several times the last row is stored. ``unsure``: a previous attempt
        may have been committed."""
        rooms = {
            pending.room: room_row(pending.room, pending.outcome.row)
            for pending in batch
            if pending.outcome.row is not None
        }
        entries = [entry_row(pending.room, entry) for pending in batch for entry in pending.outcome.entries]
        rewritten = [entry_row(pending.room, entry) for pending in batch for entry in pending.outcome.rewritten]
        records = [
            record_row(pending.room, game, pending.now) for pending in batch for game in pending.outcome.finished
        ]
        if not (rooms or entries or records):
            return
        with self.engine.begin() as connection:
            self.insert_rows(connection, ROOMS, list(rooms.values()), ("phase", "data", "updated"))
            if maybe_stored:
                entries = unstored_entries(connection, entries)
            self.insert_rows(connection, ENTRIES, entries)
            self.insert_rows(connection, ENTRIES, rewritten, ("room",))
            self.insert_rows(connection, RECORDS, records, ("text", "meta"))
            finished = [game for pending in batch for game in pending.outcome.finished]
            rate_bots(connection, finished)
            insert_played(connection, finished)
            rate_people(connection, finished)
        self.commits += 1

    def insert_rows(self, connection: Connection, table: Table, rows: list[Row], changed: tuple[str, ...] = ()) -> None:
        """Write rows given in the order of the table's columns."""
        if not rows:
            return
        text = bulk_insert(self.engine.dialect.name, table, changed)
        connection.exec_driver_sql(text, (msgspec.json.encode(rows).decode(),))

    async def is_writable(self) -> bool:
        """Return True if a write succeeds now; without other writes one is tried at most once a second."""
        loop = asyncio.get_running_loop()
        if self.failed.done() or self.stalled:
            return False
        if not self.busy and (
            self.test_write is None
            or (self.test_write.done() and loop.time() - self.test_write_at > STALL_CHECK_INTERVAL * 4)
        ):
            self.test_write, self.test_write_at = (
                asyncio.ensure_future(self.run_in(self.writer, self.write_test)),
                loop.time(),
            )
        if self.test_write is None:
            return True
        done, _ = await asyncio.wait((self.test_write,), timeout=STALL_SECONDS)
        return bool(done) and self.test_write.exception() is None

    def write_test(self) -> None:
        with self.engine.begin() as connection:
            connection.execute(update(KEYS).values(name=KEYS.c.name))

    # -- reading -------------------------------------------------------------------------------------------------

    async def room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None:
        return await self.run_reader(self.read_room, id)

    def read_room(self, id: str) -> tuple[dict[str, Any], RoomSettings, list[GameEntry]] | None:
        with self.engine.connect() as connection:
            row = connection.execute(select(ROOMS.c.data).where(ROOMS.c.id == id)).first()
            if row is None:
                return None
            data = msgspec.json.decode(row[0])
            found = connection.execute(
                select(ENTRIES).where(ENTRIES.c.room == id, ENTRIES.c.game == data["game"]).order_by(ENTRIES.c.seq)
            )
            entries = [entry_of_row(entry) for entry in found]
        return data, msgspec.convert(data["settings"], RoomSettings), entries

    async def rooms_in_phase(self, phase: str) -> list[str]:
        """Return the ids of rooms in a phase. Rooms in phase ``playing`` continue without connected clients."""

        def read() -> list[str]:
            with self.engine.connect() as connection:
                return list(connection.execute(select(ROOMS.c.id).where(ROOMS.c.phase == phase)).scalars())

        return await self.run_reader(read)

    async def summaries(self, ids: list[str]) -> list[RoomSummary]:
        """Return the summaries of rooms, with one query."""
        return await self.run_reader(self.read_summaries, (SUMMARIES_BY_ID, {"ids": ids}))

    async def public_rooms(self, waiting: float, playing: float, most: int) -> list[RoomSummary]:
        """Return public rooms, the latest first: those waiting since ``waiting`` at the earliest, and games begun since
        ``playing``."""
        asked = (OPEN_ROOMS, {"since": waiting, "most": most}), (LIVE_ROOMS, {"since": playing, "most": most})
        return await self.run_reader(self.read_summaries, *asked)

    def read_summaries(self, *asked: tuple[Select[Any], dict[str, Any]]) -> list[RoomSummary]:
        with self.engine.connect() as connection:
            return [
                summary_of_stored(*row) for query, parameters in asked for row in connection.execute(query, parameters)
            ]

    async def purge(self, policy: RetentionPolicy, now: float) -> list[str]:
        """Delete expired rooms in small batches and return their ids."""

        def some() -> list[str]:
            with self.engine.begin() as connection:
                return delete_some(connection, policy, now)

        deleted: list[str] = []
        while True:
            try:
                rooms = await self.run_in(self.writer, some)
            except (SQLAlchemyError, OSError) as error:
                raise StoreUnavailable(explain(error, "")) from error
            if not rooms:
                return deleted
            deleted += rooms

    async def record(self, id: str) -> tuple[str, dict[str, Any]] | None:
        def read() -> tuple[str, dict[str, Any]] | None:
            with self.engine.connect() as connection:
                row = connection.execute(select(RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id == id)).first()
            return None if row is None else (row[0], msgspec.json.decode(row[1]))

        return await self.run_reader(read)

    async def bot_leaderboard(self) -> list[BotStanding]:
        """Return every bot with a rated game, the best first."""

        return await self.query(bot_leaderboard)

    async def bot(self, id: str) -> tuple[BotStanding, int, dict[str, int], list[RatedGame]] | None:
        """Return a bot with its rank, game counts by regulation and last games; None if unknown."""

        return await self.query(find_bot, id)

    async def rating(self, player: str, format: str, now: float) -> float:
        """Return a player's rating in points by its mean, without the discount for uncertainty."""
        rating = await self.query(rating_of, player, format, now)
        return RATING_ZERO + RATING_SCALE * rating.mu

    async def secret_key(self, name: str, fresh: bytes) -> bytes:
        """Return a secret of this installation, created on first use."""

        def find() -> bytes:
            with self.engine.begin() as connection:
                values = {"name": name, "value": fresh}
                connection.execute(upsert(connection, KEYS).on_conflict_do_nothing(), values)
                return bytes(connection.execute(select(KEYS.c.value).where(KEYS.c.name == name)).scalar_one())

        return await self.run_in(self.writer, find)


def unstored_entries(connection: Connection, entries: list[Row]) -> list[Row]:
    """Return the entries that are not stored yet; raise `WriteConflict` if another entry is stored in the place of
    one."""
    out = []
    for row in entries:
        room, game, seq = row[:3]
        condition = (ENTRIES.c.room == room, ENTRIES.c.game == game, ENTRIES.c.seq == seq)
        found = connection.execute(select(ENTRIES).where(*condition)).first()
        if found is None:
            out.append(row)
        elif tuple(found)[3:] != row[3:]:
            raise WriteConflict(room)
    return out


# -- connecting --------------------------------------------------------------------------------------------------------


def make_engine(url: str) -> Engine:
    """Return an engine for a file path or URL, with fixed drivers; raise `StoreError` for an unknown scheme or if its
    driver is missing."""
    if "://" not in url:
        url = f"sqlite:///{url}"
    scheme, _, rest = url.partition("://")
    kind = scheme.split("+")[0]
    if kind == "sqlite":
        create_private_file(rest[1:])
        engine = create_engine(f"sqlite+pysqlite://{rest}", connect_args={"timeout": 2})
        event.listen(engine, "connect", prepare_sqlite)
        return engine
    if kind in ("postgres", "postgresql"):
        arguments = {
            "connect_timeout": 5,  # a hanging server counts as unreachable
            "tcp_user_timeout": 10_000,
            "options": "-c statement_timeout=30000",
            "client_encoding": "utf8",  # without it a database created without a locale returns bytes
        }
        try:
            return create_engine(f"postgresql+psycopg://{rest}", pool_pre_ping=True, connect_args=arguments)
        except ImportError:
            raise StoreError("the library for PostgreSQL is missing; install blackpoker[scale]") from None
    raise StoreError(f"{scheme!r} is no database this server knows; use a file, sqlite:// or postgresql://")


def create_private_file(name: str) -> None:
    """Create the file of a new database for its owner only; SQLite gives its log the same mode. Whatever fails here is
    reported when the database is opened."""
    path = name.partition("?")[0]
    if path and path != ":memory:":
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def prepare_sqlite(connection: Any, _: Any) -> None:
    try:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"wal_autocheckpoint={MAX_WAL_PAGES}"):
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
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
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


def is_permanent(error: Exception) -> bool:
    """Return True if retrying would not help."""
    if isinstance(error, ProgrammingError | DataError):
        return True
    text = str(error).lower()
    return any(phrase in text for phrase in PERMANENT_ERRORS)


def is_locked(error: Exception) -> bool:
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
