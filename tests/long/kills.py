"""Bots play while the server is killed and connections are dropped at random; then everything is checked.

    python -m tests.long.kills --kills 200
    python -m tests.long.kills --kills 200 --seed 5000 --postgresql

``--postgresql``: use a temporary PostgreSQL and Redis instead of SQLite, and a server of two processes; two kills of
three hit one of them, the third all at once. ``--seed``: other games and moments; a long run consists of parts with
distant seeds. Every game must end, every acknowledged move must be in the record exactly once and at its position, and
records must replay and be proven.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, ClassVar

from sqlalchemy import select
from tests.server.live import PATIENCE, random_words
from websockets.exceptions import WebSocketException

from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.schema import ENTRIES, RECORDS


class ServerProcess:
    """A server in its own process that can be killed and restarted on the same port."""

    def __init__(self, database: str, port: int, *more: str) -> None:
        self.database = database
        self.port = port
        self.more = more
        self.process: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "blackpoker.cli", *self.arguments()]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def arguments(self) -> list[str]:
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--exact-port", "--database", self.database]
        return ["serve", *where, "--no-limits", "--no-qr", *self.more]

    def exit_code(self) -> int | None:
        """Return the exit code, or None while the server runs."""
        assert self.process is not None
        return self.process.poll()

    async def ready(self) -> None:
        for _ in range(3000):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            except OSError:
                code = self.exit_code()
                if code is not None:
                    raise RuntimeError(f"the server left with {code}") from None
                await asyncio.sleep(0.05)
        raise RuntimeError("the server does not start")

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(PATIENCE)


def run_server(arguments: list[str]) -> None:
    """Run the server in a forked process."""
    from blackpoker import cli

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os._exit(cli.run(arguments))


class ForkedServer(ServerProcess):
    """A victim forked from a process with all libraries imported: the imports would take longer than the tests."""

    forks: ClassVar[ForkServerContext | None] = None
    daemon: ClassVar[bool] = True  # ends with this process, but may have no children
    child: BaseProcess | None = None

    def start(self) -> None:
        if ForkedServer.forks is None:
            ForkedServer.forks = multiprocessing.get_context("forkserver")
            libraries = [
                "blackpoker.cli.serve",
                "blackpoker.server.serve",
                "uvloop",
                "websockets",
                "psycopg",
                "redis.asyncio",
            ]
            ForkedServer.forks.set_forkserver_preload([name for name in libraries if find_spec(name.partition(".")[0])])
        self.child = ForkedServer.forks.Process(target=run_server, args=(self.arguments(),), daemon=self.daemon)
        self.child.start()

    def exit_code(self) -> int | None:
        assert self.child is not None
        return self.child.exitcode

    def kill(self) -> None:
        assert self.child is not None
        self.child.kill()
        self.child.join()

    async def strike(self, number: int) -> None:
        """Kill the server for the given time and start it again."""
        self.kill()
        self.start()

    def stop(self) -> int:
        assert self.child is not None
        self.child.terminate()
        self.child.join(PATIENCE)
        assert self.child.exitcode is not None, "it does not stop"
        return self.child.exitcode


def workers(parent: int) -> list[int]:
    """Return the ids of the serving processes of a supervisor."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


class ServerOfProcesses(ForkedServer):
    """A server of several processes."""

    daemon = False

    def kill(self) -> None:
        """Kill the supervisor and its processes, as a loss of power does."""
        assert self.child is not None
        assert self.child.pid is not None
        for pid in (self.child.pid, *workers(self.child.pid)):
            os.kill(pid, signal.SIGKILL)
        self.child.join()

    async def strike(self, number: int) -> None:
        assert self.child is not None
        assert self.child.pid is not None
        if number % 3 == 2:
            await super().strike(number)
            return
        end = time.monotonic() + PATIENCE
        while len(found := workers(self.child.pid)) < 2:  # the last one killed is being replaced
            assert time.monotonic() < end, "a killed process is not replaced"
            await asyncio.sleep(0.02)
        os.kill(found[number % 2], signal.SIGKILL)


def free_port() -> int:
    """Return a free port below the ephemeral range. Otherwise a bot that reconnects while the server is dead could get
    its port as a client port; raise an error if none is free."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port from 20000 to 32000")


def is_late(seat: ServerSeat) -> bool:
    return seat.error is not None and seat.error.code == "late"


class Bot:
    """A random player that remembers the acknowledged moves."""

    def __init__(self, seat: ServerSeat, seed: int, drops: float) -> None:
        self.seat = seat
        self.room = seat.room
        self.random = random.Random(seed)
        self.drops = drops
        self.acks: dict[int, list[str]] = {}
        self.sent: dict[int, tuple[int, list[str]]] = {}  # by message id: seq, tokens

    def on_message(self, message: p.AnyServerMessage) -> None:
        if isinstance(message, p.Ack) and message.id in self.sent:
            seq, words = self.sent[message.id]
            assert seq not in self.acks, "acknowledged twice"
            self.acks[seq] = words

    async def play(self) -> str:
        seat = self.seat
        seat.reconnect_seconds = 1800.0  # on a busy machine a server starts slowly, and is killed again
        seat.on_message = self.on_message
        await seat.reconnect()
        while seat.result is None:
            try:
                await self.turn(seat)
            except (OSError, Refused, WebSocketException):
                await seat.reconnect()
        await seat.close()
        return seat.result.record_id

    async def turn(self, seat: ServerSeat) -> None:
        if seat.info is not None and seat.info.phase == "waiting":
            mine = seat.info.p1 if seat.seat == "p1" else seat.info.p2
            if not mine.ready:
                await seat.ready(salt="x")
        ask = None if seat.last is None else seat.last.prompt
        if ask is not None and ask.seq not in self.acks:
            words = await random_words(seat, ask, self.random)
            if seat.last is None or seat.last.prompt is None or seat.last.prompt.seq != ask.seq:
                return
            number = seat.next_id()
            self.sent[number] = (ask.seq, words)
            seat.error = None
            await seat.send(p.SubmitMove(number, ask.seq, words))
            if self.random.random() < self.drops:
                await seat.close()
                await seat.reconnect()
                return
            seq = seat.seq
            while seat.result is None and seat.seq == seq and not is_late(seat):
                await seat.receive()
        else:
            await seat.receive()


async def play(seats: list[ServerSeat], seed: int, playing: list[Bot]) -> tuple[Bot, Bot, str]:
    """Play a whole game; return both players and the record's id. ``playing`` collects all players so far."""
    first, second = (Bot(seat, seed + place, 0.02) for place, seat in enumerate(seats))
    playing += (first, second)
    records = await asyncio.gather(first.play(), second.play())
    assert records[0] == records[1]
    return first, second, records[0]


async def run(
    games: int, kills: int, seed: int, at_once: int, regulation: str, database: str = "", more: tuple[str, ...] = ()
) -> dict[str, Any]:
    chosen = random.Random(seed)
    database = database or str(Path(tempfile.mkdtemp()) / "games.db")
    several = "--processes" in more
    victim = (ServerOfProcesses if several else ForkedServer)(database, free_port(), *more)
    victim.start()
    await victim.ready()
    killed = 0
    done = 0
    gate = asyncio.Semaphore(at_once)
    bots: list[tuple[Bot, Bot, str]] = []
    playing: list[Bot] = []

    def acknowledged_count() -> int:
        return sum(len(bot.acks) for bot in playing)

    async def retry(work: Any) -> Any:
        for attempt in range(1500):  # starting takes long on a busy machine
            try:
                return await work()
            except Exception:
                if attempt == 1499:
                    raise
                await asyncio.sleep(0.1)

    async def play_one(number: int) -> None:
        nonlocal done
        async with gate:
            while killed * games < kills * (number - at_once // 2):  # spreads the kills over all games
                await asyncio.sleep(0.02)
            clients = [Client(victim.url, f"bot {number} {name}") for name in "ab"]
            for client in clients:
                await retry(client.__aenter__)
            room = await retry(lambda: clients[0].create_room(regulation=regulation, window_ms=0))
            seats = [ServerSeat(client.url, room.id, client.cookie) for client in clients]
            bots.append(await play(seats, seed + number * 2, playing))
            done += 1

    async def kill_repeatedly() -> None:
        nonlocal killed
        while killed < kills:
            wanted = acknowledged_count() + chosen.randrange(1, 40)
            if chosen.random() < 0.8:  # otherwise during or just after a start
                while not playing or (
                    acknowledged_count() < wanted and done < len(playing) // 2
                ):  # while a game is in progress
                    assert victim.exit_code() is None, f"the server left by itself, with {victim.exit_code()}"
                    await asyncio.sleep(0.005)
            await asyncio.sleep(chosen.uniform(0.0, 0.2))
            if done >= games:
                return
            await victim.strike(killed)
            killed += 1
            if killed % 10 == 0:
                seconds = time.perf_counter() - started
                print(f"kills: {killed} of {kills}, {done} of {games} games done, {seconds:.0f} s", flush=True)

    started = time.perf_counter()
    try:
        await asyncio.gather(kill_repeatedly(), *(play_one(number) for number in range(games)))
        await victim.ready()  # raises if a server does not restart
    except BaseException:
        victim.kill()
        raise
    code = victim.stop()
    acknowledged = check(database, bots)
    return {
        "games": len(bots),
        "kills": killed,
        "acknowledged": acknowledged,
        "seconds": round(time.perf_counter() - started, 1),
        "exit": code,
    }


def check(database: str, bots: list[tuple[Bot, Bot, str]]) -> int:
    """Check that every acknowledged move is in the stored game once, at its position; return their number."""
    from blackpoker.game.game import Game

    total = 0
    engine = make_engine(database)
    for first, second, record in bots:
        with engine.connect() as connection:
            text = connection.execute(select(RECORDS.c.text).where(RECORDS.c.id == record)).scalar_one()
            stored = select(ENTRIES.c.seq, ENTRIES.c.seat, ENTRIES.c.kind).where(ENTRIES.c.room == first.room)
            rows = [tuple(row) for row in connection.execute(stored.order_by(ENTRIES.c.seq))]
        verify_record(text)
        Game.from_record(text)
        assert [seq for seq, _, _ in rows] == list(range(len(rows))), "a sentence is missing or there twice"
        stored_moves = {seq: (seat, kind) for seq, seat, kind in rows}
        moves = [line for line in text.splitlines() if line.startswith(("p1: ", "p2: "))][2:]
        for bot in (first, second):
            for seq, words in bot.acks.items():
                place = 0 if bot.seat.seat == "p1" else 1
                assert stored_moves[seq] == (place, "say"), f"seq {seq}: {stored_moves.get(seq)}"
                if len(moves) == len(rows):
                    assert (moves[seq][4:] == "pass") == (words == ["pass"]), (seq, words, moves[seq])
                total += 1
    engine.dispose()
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--games", type=int, default=0, help="default: one for two kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--regulation", default="lite+entry")
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        database = ""
        more: tuple[str, ...] = ()
        if given.postgresql:
            from tests.long.scaling import postgres, redis

            database, address = stack.enter_context(postgres()), stack.enter_context(redis())
            if not database or not address:
                raise SystemExit("PostgreSQL or Redis is not installed (Debian: postgresql, redis-server)")
            more = ("--redis", address, "--processes", "2")
        games = given.games or max(8, given.kills // 2)
        work = run(games, given.kills, given.seed, given.at_once, given.regulation, database, more)
        print(asyncio.run(work))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
