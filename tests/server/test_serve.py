"""The command: a clear line and an exit code for every mistake, a clean stop, nothing lost."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from blackpoker import cli
from blackpoker.client import Client
from blackpoker.server import log_setup
from blackpoker.server.storage.database import GameStore
from tests.long.kills import ServerProcess, free_port, run, workers
from tests.long.scaling import redis
from tests.server.live import PATIENCE, wait_until
from tests.server.room_driver import Driver
from tests.server.test_fairness import played

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def blackpoker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs the command in its own folder and returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run_here(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        output = capsys.readouterr()
        return code, output.out, output.err

    return run_here


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--port", "99999"), 2, "65535"),
        (("--processes", "2"), 2, "--redis"),
        (("--log-level", "loud"), 2, "log-level"),
        (("--database", "mysql://x/y"), 3, "mysql"),
        (("--database", "no/such/folder/x.db"), 3, "cannot open the database file"),
        (("--database", "postgresql://nobody@127.0.0.1:1/none?connect_timeout=2"), 3, "database cannot be used"),
        (("--redis", "redis://127.0.0.1:1/0"), 4, "cannot reach Redis"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], code: int, says: str, blackpoker: Command) -> None:
    left, _, complaint = blackpoker("serve", "--no-qr", *arguments)
    assert left == code
    lines = [line for line in complaint.splitlines() if line]
    assert len(lines) == 1, complaint
    assert says in lines[0]


def test_a_missing_extra_is_one_line(blackpoker: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("psycopg", "redis", "redis.asyncio"):
        monkeypatch.setitem(sys.modules, library, None)
    for option, address in (("--database", "postgresql://bp:secret@db/bp"), ("--redis", "redis://127.0.0.1:1/0")):
        _, _, complaint = blackpoker("serve", "--no-qr", option, address)
        assert complaint.count("\n") == 1
        assert "install blackpoker[scale]" in complaint
        assert "secret" not in complaint


def make(path: Path, script: str) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()


def test_foreign_and_newer_databases_are_refused(tmp_path: Path, blackpoker: Command) -> None:
    text = tmp_path / "text.db"
    text.write_text("this is no database, but it is long enough to be taken for one " * 20)
    code, _, complaint = blackpoker("serve", "--no-qr", "-d", str(text))
    assert code == 3
    assert "not a database" in complaint
    foreign = tmp_path / "foreign.db"
    make(foreign, "create table rooms (id integer)")
    code, _, complaint = blackpoker("serve", "--no-qr", "-d", str(foreign))
    assert code == 3
    assert "not ours" in complaint
    newer = tmp_path / "newer.db"
    make(
        newer,
        "create table alembic_version (version_num varchar(32) not null); insert into alembic_version values ('9999')",
    )
    code, _, complaint = blackpoker("serve", "--no-qr", "-d", str(newer))
    assert code == 3
    assert "9999" in complaint


def test_a_busy_port(tmp_path: Path, blackpoker: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, complaint = blackpoker("serve", "--host", "127.0.0.1", "--port", str(port), "--exact-port", "--no-qr")
        assert code == 5
        assert str(port) in complaint
        server = subprocess.Popen(
            [sys.executable, "-m", "blackpoker.cli", "serve", "--host", "127.0.0.1", "--port", str(port), "--no-qr"],
            cwd=tmp_path,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            first_line = server.stdout.readline()
        finally:
            server.terminate()
            assert server.wait(PATIENCE) == 0
            assert server.stdout is not None
            server.stdout.close()
    assert "is busy, using" in first_line


def test_a_full_disk_stops_the_server_and_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=900k", "tmpfs", str(disk)]).returncode:
        pytest.skip("needs the right to make a small file system")
    try:
        victim = ServerProcess(str(disk / "games.db"), free_port())
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "blackpoker.cli",
                "serve",
                "--port",
                str(victim.port),
                "--exact-port",
                "--no-qr",
                "--host",
                "127.0.0.1",
                "--database",
                victim.database,
                "--no-limits",
                "--log-level",
                "error",
            ],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        victim.process = process  # type: ignore[assignment]

        async def fill() -> list[str]:
            await victim.ready()
            made: list[str] = []
            async with Client(victim.url, "filler") as client:
                while process.poll() is None:
                    with suppress(Exception):  # the last one cannot be stored
                        made.append((await asyncio.wait_for(client.create_room(), PATIENCE)).id)
            return made

        made = asyncio.run(asyncio.wait_for(fill(), 2 * PATIENCE))
        code = process.wait()
        assert process.stderr is not None
        errors = process.stderr.read()
        process.stderr.close()
        assert code == 6, errors
        assert "disk is full" in errors
        connection = sqlite3.connect(disk / "games.db")
        stored = {row[0] for row in connection.execute("select id from rooms")}
        connection.close()
        assert made
        assert set(made) <= stored
    finally:
        subprocess.run(["umount", "-l", str(disk)])


def test_verify(tmp_path: Path, blackpoker: Command) -> None:
    driver = Driver(seed=3)
    driver.play()
    path = tmp_path / "game.txt"
    path.write_text(driver.finished[0].record)
    code, output, _ = blackpoker("verify", str(path), "--lang", "en")
    assert (code, output[:26]) == (3, "consistent, but not proof:")
    table = played()
    held_receipt = table.receipt
    assert held_receipt is not None
    path.write_text(table.records[0])
    receipt = tmp_path / "receipt.txt"
    receipt.write_text(held_receipt.text)
    code, output, _ = blackpoker("verify", str(path), "--receipt", str(receipt), "--lang", "en")
    assert (code, output[:7]) == (0, "proven:")
    assert "証明できました" in blackpoker("verify", str(path), "--receipt", str(receipt), "--lang", "ja")[1]
    receipt.write_text(held_receipt.text.replace("game: 1", "game: 2"))
    code, output, _ = blackpoker("verify", str(path), "--receipt", str(receipt), "--lang", "en")
    assert (code, output[:7]) == (1, "broken:")
    receipt.write_text("nothing")
    assert blackpoker("verify", str(path), "--receipt", str(receipt))[0] == 2
    path.write_text(driver.finished[0].record.replace("# secret: ", "# secret: 00"))
    assert blackpoker("verify", str(path))[0] == 1
    assert blackpoker("verify", str(tmp_path / "none"))[0] == 2


async def open_and_close(database: str) -> None:
    await (await GameStore.open(database)).close()


def test_processes_that_start_together_share_a_new_database(tmp_path: Path) -> None:
    database = str(tmp_path / "new.db")
    with ThreadPoolExecutor(4) as starting:
        for opened in [starting.submit(asyncio.run, open_and_close(database)) for _ in range(4)]:
            opened.result(PATIENCE)


def test_a_new_database_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    """SQLite refuses a change of the journal mode at once, whatever its lock timeout."""
    database = str(tmp_path / "new.db")
    other = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, lambda: other.execute("COMMIT")).start()
    asyncio.run(open_and_close(database))
    other.close()


def test_killed_servers_come_back_with_every_game() -> None:
    figures = asyncio.run(run(games=4, kills=1, seed=3, at_once=4, regulation="lite+entry"))
    assert figures["games"] == 4
    assert figures["exit"] == 0


def test_processes_leave_with_the_one_that_started_them(tmp_path: Path) -> None:
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")
        victim = ServerProcess(str(tmp_path / "games.db"), free_port(), "--redis", address, "--processes", "2")
        victim.start()
        assert victim.process is not None
        asyncio.run(victim.ready())
        supervisor = victim.process.pid
        asyncio.run(wait_until(lambda: len(workers(supervisor)) == 2, "both processes are started"))
        started = workers(supervisor)
        victim.kill()
        asyncio.run(wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), "they leave too"))


#: stopped during the start, at a point where foreign code swallows every exception
STOPPED_EARLY = """
import os, signal, sys
from blackpoker.server.serve import ServeOptions, serve

def told(plan, port):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except BaseException:
        pass

sys.exit(serve(ServeOptions("127.0.0.1", 0, database=sys.argv[1]), told))
"""


def test_a_server_stopped_during_its_start_stops(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STOPPED_EARLY, str(tmp_path / "games.db")]
    assert subprocess.run(command, timeout=PATIENCE, check=False).returncode == 0


def test_logs_keep_the_keys_to_rooms_to_themselves() -> None:
    assert log_setup.short_path("/api/rooms/k3Jd0aQ_x9Z") == "/api/rooms/k3Jd…"
    assert log_setup.short_path("/api/regulations") == "/api/regulations"
