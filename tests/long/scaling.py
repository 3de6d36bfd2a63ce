"""The same games on SQLite, on PostgreSQL, and on two processes with Redis give the same records; also the cost of a
decision in one process and in two.

    python -m tests.long.scaling --games 6
    python -m tests.long.scaling --only-load --rounds 3

PostgreSQL and Redis are started from the system's packages, in a temporary folder, on loopback; a missing one is
reported.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.long.kills import ServerProcess, free_port
from tests.server.live import PATIENCE, play_seat

from blackpoker.client import Client
from blackpoker.protocol import messages as p
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.rooms.room import Room
from blackpoker.server.storage.database import GameStore
from blackpoker.server.storage.schema import ENTRIES, RECORDS, ROOMS

#: concurrent games: the players share one process on this machine, and a connection times out after ten seconds
AT_ONCE = 100


async def prepare(database: str, games: int, regulation: str) -> list[str]:
    """Create rooms with fixed shuffles, wherever they are played (shuffles depend on the room's name too); return their
    ids."""
    store = await GameStore.open(database)
    with store.engine.begin() as connection:  # rows of an earlier run
        for table in (ENTRIES, RECORDS, ROOMS):
            connection.execute(table.delete())
    now = time.time()  # a room idle for too long would be removed
    rooms = []
    for number in range(games):
        room = Room(f"scale-{number}", p.RoomSettings(regulation=regulation, window_ms=0), now)
        room.secret = hashlib.sha256(str(number).encode()).digest()
        store.save(room.id, room.take(), now, lambda kept: None)
        rooms.append(room.id)
    await store.close()  # returns when everything is written
    return rooms


async def play_all(url: str, rooms: list[str]) -> dict[int, str]:
    records = {}
    several = asyncio.Semaphore(AT_ONCE)
    async with Client(url, "Aki") as one, Client(url, "Ben") as two:

        async def game(number: int, room: str) -> None:
            async with several:
                async with two.join(room, "p2"):  # so that each player always has the same seat
                    pass
                first, _ = await asyncio.gather(
                    play_seat(one, room, number * 2, "p1"), play_seat(two, room, number * 2 + 1, "p2")
                )
            assert first.result is not None
            found = await one.request("GET", f"/api/records/{first.result.record_id}")
            verify_record(found["text"])
            records[number] = found["text"]

        await asyncio.gather(*(game(number, room) for number, room in enumerate(rooms)))
    return records


def play_on_server(database: str, games: int, regulation: str, *more: str) -> dict[int, str]:
    rooms = asyncio.run(prepare(database, games, regulation))
    victim = ServerProcess(database, free_port(), *more)
    victim.start()

    async def all_of_it() -> dict[int, str]:
        await victim.ready()
        await asyncio.sleep(2 if more else 0)
        return await asyncio.wait_for(play_all(victim.url, rooms), 240)

    try:
        return asyncio.run(all_of_it())
    finally:
        assert victim.stop() == 0


def wait_for_port(port: int) -> None:
    """Wait until a server listens on the port."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Yield the address of a PostgreSQL server in a temporary folder; an empty address if it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) if Path("/usr/lib/postgresql").is_dir() else []
    if not found:
        yield ""
        return
    tools = found[-1].parent
    folder = Path(tempfile.mkdtemp())
    user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        user = ["runuser", "-u", "postgres", "--"]
    port = free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(
        [*user, str(tools / "initdb"), "-D", str(folder / "data"), "-A", "trust", "-U", "bp"], check=True, **quiet
    )  # type: ignore[call-overload]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    server = subprocess.Popen([*user, str(tools / "postgres"), "-D", str(folder / "data"), *options.split()], **quiet)  # type: ignore[call-overload]
    try:
        wait_for_port(port)
        probe_command = [str(tools / "pg_isready"), "-h", "127.0.0.1", "-p", str(port)]
        while subprocess.run(probe_command, **quiet).returncode:  # type: ignore[call-overload]
            time.sleep(0.1)
        yield f"postgresql://bp@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    tool = shutil.which("redis-server")
    if tool is None:
        yield ""
        return
    port = free_port()
    server = subprocess.Popen(
        [tool, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for_port(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--regulation", default="standard+full")
    parser.add_argument("--only-load", action="store_true", help="only one process against two")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    with postgres() as database, redis() as address, tempfile.TemporaryDirectory() as folder:
        if not given.only_load:
            compare(database, address, folder, given)
        if database and address:
            load(database, address, given.rounds)


def compare(database: str, address: str, folder: str, given: argparse.Namespace) -> None:
    """Compare the records of the same games on all backends."""
    base = play_on_server(f"{folder}/one.db", given.games, given.regulation)
    print(f"SQLite, one process: {len(base)} games")
    two = ("--redis", address, "--processes", "2")
    for name, url, more, missing in (
        ("PostgreSQL, one process", database, (), "" if database else "postgresql"),
        ("SQLite, two processes with Redis", f"{folder}/two.db", two, "" if address else "redis-server"),
        ("PostgreSQL, two processes with Redis", database, two, "" if database and address else "one of the two"),
    ):
        if missing:
            print(f"{name}: skipped, not installed (Debian's package: {missing})")
            continue
        same = play_on_server(url, given.games, given.regulation, *more)
        print(f"{name}: {len(same)} games, records", "the same" if same == base else "DIFFER")
        assert same == base


def load(database: str, address: str, rounds: int) -> None:
    """Measure saturation, one process and two in turns, on the same PostgreSQL and Redis."""
    bench = Path(__file__).parents[2] / "benchmarks" / "server.py"
    options = ["--only", "saturation", "--database", database, "--redis", address, "--processes", "1", "2"]
    command = [sys.executable, str(bench), *options, "--rounds", str(rounds), "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["saturation"]
    one, two = found["1 process"], found["2 processes"]
    cost, speed = (two[key] / one[key] for key in ("us_per_decision", "decisions_per_s"))
    for name, figures in found.items():
        print(f"{name}: {figures['us_per_decision']} µs a decision, {figures['decisions_per_s']} decisions/s")
    passed = speed >= 1.8 or cost <= 1.1
    print(
        f"two against one: {speed:.2f} × as fast, {cost:.2f} × the processor time: {'held' if passed else 'NOT HELD'}"
    )


if __name__ == "__main__":
    main()
