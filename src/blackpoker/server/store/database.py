"""What is kept: rooms, the entries of their games, records. SQLite by default, PostgreSQL by its address.

Everything that comes in while one commit runs goes into the next, so that a durable answer costs a commit of many, not
one each. Messages that must not be sent before something is stored hang on that commit. The database is spoken to in
threads: one that writes, so that a commit is one visit to it, and a few that read.

A database that is locked, restarts or is away for a while is waited for, with longer and longer pauses; the same commit
is tried again until it is known to be there once. Only what waiting cannot mend ends the server.
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
#: the number of our lock in PostgreSQL
MIGRATING: Final = 0xB1AC
#: SQLite's log is folded into the file every so many seconds beside the writer, or at so many pages by it
CHECKPOINT: Final = 2.0
LATEST_CHECKPOINT: Final = 20_000
#: seconds from one commit to the next at least: what comes meanwhile shares it, a commit costs more than a decision.
#: They grow with what came together in the last one, up to a time nobody notices.
GATHER: Final = 0.004
GATHER_EACH: Final = 0.002
LONGEST_GATHER: Final = 0.02
#: seconds a database that is away is waited for, and the pauses between tries
PATIENCE: Final = 300.0
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 5.0
#: seconds a commit may take before everybody hears that nothing can be stored, and how often that is looked at
STALLED: Final = 1.0
LOOK: Final = 0.25
#: seconds a start, or the last commit before we leave, may take
LAST_PATIENCE: Final = 20.0
#: what waiting does not mend, as the databases word it
LASTING: Final = ("disk is full", "disk full", "no space", "could not extend", "readonly", "read-only", "malformed",
                  "not a database", "no such table", "does not exist", "unable to open")  # fmt: skip


@cache
def at_once(dialect: str, table: Table, changed: tuple[str, ...] = ()) -> str:
    """A statement that writes a JSON list of rows in one step; rows that are there already get the new values of the
    ``changed`` columns. Row by row the driver gives the interpreter away at each, and waits for the busy event loop to
    hand it back; and a database that is asked once answers once."""
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


#: the questions for heads, made once: making one takes longer than asking it
HEADS: Final = select(ROOMS.c.data, ROOMS.c.updated)
NAMED: Final = HEADS.where(ROOMS.c.id.in_(bindparam("ids", expanding=True)))


def listed(phase: str, *more: ColumnElement[bool]) -> Select[Any]:
    """Rooms that want to be found, the latest first. They are told by what their rows have; a name that says the same
    is escaped there."""
    wanted = ROOMS.c.phase == phase, ROOMS.c.updated > bindparam("since"), has('"listed":true')
    return HEADS.where(*wanted, *more).order_by(ROOMS.c.updated.desc()).limit(bindparam("most"))


def has(text: str) -> ColumnElement[bool]:
    return ROOMS.c.data.contains(text)


#: somebody sits there and waits for somebody: rooms nobody sits in would crowd the others out
OPEN: Final = listed("waiting", has('"kind":"human"'), has('"kind":"open"'))
#: a game everybody may watch
LIVE: Final = listed("playing", ~has('"spectators":false'))


class Taken(Exception):
    """Somebody else has written something in the place of these rooms' entries."""


class PendingWrite(NamedTuple):
    """What is to be written of a room. ``then`` is called with True when it is safe, with False when somebody else has
    written something in its place: then it has not happened."""

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
        self.begun: float = 0.0  # when the commit that runs was begun
        self.stalled: bool = False
        self.on_stall: Callable[[bool], None] = lambda stalled: None
        self.patience: float = PATIENCE
        self.commits: int = 0
        self.trial: asyncio.Future[None] | None = None  # the last try to write where nobody writes
        self.tried: float = 0.0

    @classmethod
    async def open(cls, url: str, patience: float = 0.0) -> GameStore:
        """Connect and bring the tables up to date. ``url``: sqlite file, or an address of SQLAlchemy. ``patience``:
        seconds to wait for a database that is away; one that another process is just making is waited for anyway."""
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
        """Everything that waits is written first."""
        await self.flush()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.to_thread(self.let_go)

    async def flush(self) -> None:
        """Until nothing waits to be written, or the database does not come back."""
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
        """Something somebody waits for: Away where the database is."""
        try:
            return await self.call(self.reading, work, *given)
        except (SQLAlchemyError, OSError) as error:
            raise Away(explain(error, "")) from error

    async def ask(self, work: Callable[..., T], *given: Any) -> T:
        """What ``work`` reads from the database."""

        def read() -> T:
            with self.engine.connect() as connection:
                return work(connection, *given)

        return await self.read(read)

    async def commit(self, work: Callable[..., T], *given: Any) -> T:
        """Let ``work`` change the database; when this returns it is safe. Two that want the same: IntegrityError."""

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
        """Write what came of a call."""
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
                batch = []  # what was written is kept no longer

    def written(self, batch: list[PendingWrite], lost: set[str]) -> None:
        """A commit is there: what hung on it happens. ``lost``: rooms that are no longer ours."""
        if lost:  # nothing that followed from it may be written either
            batch += [one for one in self.waiting if one.room in lost]
            self.waiting = [one for one in self.waiting if one.room not in lost]
        self.say_stalled(False)  # before anybody hears what follows from the commit
        for one in batch:
            one.then(one.room not in lost)
        self.busy = False

    async def write_patiently(self, batch: list[PendingWrite]) -> set[str]:
        """Write a batch, waiting for the database if it is away; which rooms are no longer ours. After a try that
        failed nobody knows whether it was committed, so from then on what is there already is compared, not refused."""
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
        """An entry of the batch has been written by another process: the room is no longer ours. Which rooms are."""
        lost: set[str] = set()
        for room in dict.fromkeys(one.room for one in batch):
            try:
                await self.call(self.writing, self.write, [one for one in batch if one.room == room], unsure)
            except (IntegrityError, Taken):
                lost.add(room)
        return lost

    async def watch_on(self) -> None:
        """Say when nothing can be stored; the commit that succeeds at last says that it can again."""
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
        """Fold the log into the file: most of it from another connection, so that no commit has to wait for it, then
        the little that came meanwhile by the writer. A log that is folded whole is written over from its beginning; one
        that only grows makes the file system note its new size at every commit, and that takes long now and then."""
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
        """One commit. Of a room that changed several times the last row is kept. ``unsure``: it may be there."""
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
        """Write rows, in the order of the table's columns."""
        if not rows:
            return
        text = at_once(self.engine.dialect.name, table, changed)
        connection.exec_driver_sql(text, (msgspec.json.encode(rows).decode(),))

    async def writable(self) -> bool:
        """Whether something could be written now, also where nobody writes: tried at most once a second."""
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
        """``playing``: rooms whose game goes on without anybody there."""

        def read() -> list[str]:
            with self.engine.connect() as connection:
                return list(connection.execute(select(ROOMS.c.id).where(ROOMS.c.phase == phase)).scalars())

        return await self.read(read)

    async def heads(self, ids: list[str]) -> list[RoomHead]:
        """Rooms without their games, in one question."""
        return await self.read(self.read_heads, (NAMED, {"ids": ids}))

    async def listed(self, waiting: float, playing: float, most: int) -> list[RoomHead]:
        """Rooms that want to be found, the latest first: where somebody has waited since then at the earliest, and
        games that began since then."""
        asked = (OPEN, {"since": waiting, "most": most}), (LIVE, {"since": playing, "most": most})
        return await self.read(self.read_heads, *asked)

    def read_heads(self, *asked: tuple[Select[Any], dict[str, Any]]) -> list[RoomHead]:
        with self.engine.connect() as connection:
            return [stored_head(*row) for wanted, given in asked for row in connection.execute(wanted, given)]

    async def purge(self, keeping: Keeping, now: float) -> list[str]:
        """Forget the rooms that have expired, a few at a time; which ones."""

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
        """Every bot that has finished a rated game, the best first."""

        return await self.ask(ladder)

    async def bot(self, id: str) -> tuple[Rung, int, dict[str, int], list[RatedGame]] | None:
        """A bot, its place in the ladder, what it has played, its last games."""

        return await self.ask(account, id)

    async def rating(self, player: str, format: str, now: float) -> float:
        """How strong somebody is thought to be, in points: what he is likeliest to be, not what he surely is."""
        found = await self.ask(rating_of, player, format, now)
        return ZERO + EACH * found.mu

    async def key(self, name: str, fresh: bytes) -> bytes:
        """A secret of this installation, made once."""

        def find() -> bytes:
            with self.engine.begin() as connection:
                make = sqlite.insert(KEYS) if self.sqlite else postgresql.insert(KEYS)
                connection.execute(make.on_conflict_do_nothing(), {"name": name, "value": fresh})
                return bytes(connection.execute(select(KEYS.c.value).where(KEYS.c.name == name)).scalar_one())

        return await self.call(self.writing, find)


def missing(connection: Connection, entries: list[Row]) -> list[Row]:
    """Those that have not been written yet; Taken if something else stands in the place of one."""
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


# -- opening -----------------------------------------------------------------------------------------------------------


def make_engine(url: str) -> Engine:
    """An engine for a file's path or an address; the drivers are ours to choose."""
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
            "connect_timeout": 5,  # a server that hangs is as good as one that is away
            "tcp_user_timeout": 10_000,
            "options": "-c statement_timeout=30000",
            "client_encoding": "utf8",  # a database made without a locale would answer in bytes
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
        connection.close()  # nobody else will
        raise


def migrate(connection: Connection) -> None:
    """Run what is missing; refuse a database that is newer, or somebody else's. Of several processes that start at once
    one does it, the others wait."""
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
    """Whether waiting would not help."""
    if isinstance(error, ProgrammingError | DataError):
        return True
    text = str(error).lower()
    return any(words in text for words in LASTING)


def locked(error: Exception) -> bool:
    """Whether another process has SQLite's file to itself. SQLite waits for that by itself, save where it changes how
    the file is written (``journal_mode``): there the second of two that start together is refused at once."""
    return "database is locked" in str(error).lower()


def explain(error: Exception, url: str) -> str:
    """One line, without passwords."""
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
