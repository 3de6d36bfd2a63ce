"""Outages: bots play on two processes while PostgreSQL and Redis hang in turn, and tournaments whose server is away for
a day and more.

    python -m tests.long.outages --games 6 --outages 4
    python -m tests.long.outages --hours 25 --games 0

No acknowledged move is lost, every game ends and is proven. A server that returns after ``--hours`` finds its rooms
expired; the tournaments end all the same, whether their players return or not.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.long.kills import ServerProcess, free_port
from tests.long.scaling import postgres, redis
from tests.server.live import play_pair
from tests.server.tournament_players import Player, check_against_records, take_part

from blackpoker.client import Client

#: a server with a clock ahead by the first argument, in seconds
AHEAD = """
import sys, time
now, ahead = time.time, float(sys.argv[1])
time.time = lambda: now() + ahead
from blackpoker import cli
sys.exit(cli.run(sys.argv[2:]))
"""
#: kinds of tournaments, and when the server goes away
KINDS = ("swiss", "knockout", "robin", "arena")
MOMENTS = ("open", "paired", "playing", "between")
#: seconds in which a tournament must end after the outage
MOST_SECONDS = 240.0


class AheadServer(ServerProcess):
    """A server with a clock that is ahead."""

    ahead = 0.0

    def start(self) -> None:
        command = [sys.executable, "-c", AHEAD, str(self.ahead), *self.arguments()]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)


def health(url: str) -> int:
    """Return the status of the health check; 0 without an answer within five seconds."""
    try:
        with urllib.request.urlopen(f"{url}/api/health", timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def decisions(url: str) -> float:
    """Return the number of decisions that the server has stored."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=60) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("blackpoker_decisions_total"):
                return float(line.split()[1])
    return 0.0


async def until_played(url: str, count: float, playing: asyncio.Future[Any]) -> None:
    """Wait until this many more decisions are stored, or all games have ended."""
    wanted = await asyncio.to_thread(decisions, url) + count
    while not playing.done() and await asyncio.to_thread(decisions, url) < wanted:
        await asyncio.sleep(0.1)


def postmaster(url: str) -> int:
    """Return the process id of the server behind this address."""
    import psycopg

    with psycopg.connect(url) as connection:
        folder = connection.execute("show data_directory").fetchone()
    assert folder is not None
    with open(f"{folder[0]}/postmaster.pid", encoding="utf-8") as file:
        return int(file.readline())


def children(pid: int) -> list[int]:
    """Return the process ids of its connections and helpers."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


def process_of_redis(url: str) -> int:
    """Return the process id of the Redis behind this address."""
    import redis

    with redis.Redis.from_url(url) as connection:
        return int(connection.info("server")["process_id"])


async def story(database: str, redis_url: str, games: int, outages: int, seconds: float) -> None:
    victim = ServerProcess(database, free_port(), "--redis", redis_url, "--processes", "2")
    victim.start()
    await victim.ready()
    try:
        playing = asyncio.gather(*(play_pair(victim.url, 10 * seed, window_ms=100) for seed in range(games)))
        pid = postmaster(database)
        for number in range(outages):
            await until_played(victim.url, 5 * games, playing)
            name, hanging = ("Redis", [process_of_redis(redis_url)]) if number % 2 else ("PostgreSQL", children(pid))
            for one in hanging:
                os.kill(one, signal.SIGSTOP)  # no response: equivalent to an outage
            started = time.monotonic()
            codes = set()
            while time.monotonic() - started < seconds:
                await asyncio.sleep(0.5)
                codes.add(await asyncio.to_thread(health, victim.url))
            for one in hanging:
                os.kill(one, signal.SIGCONT)
            print(f"outages: {number + 1} of {outages}, {name}, health {sorted(codes)}", flush=True)
        seats = await playing
        assert all(seat.result is not None and seat.result.match_over for pair in seats for seat in pair)
        assert victim.process is not None
        assert victim.process.poll() is None
    finally:
        victim.kill()


async def is_moment(moment: str, players: list[Player], path: str) -> bool:
    """Return True if moves have been made, or if a round has ended."""
    if moment == "playing":
        return any(player.acked for player in players)
    page = await players[0].client.request("GET", path)
    return all(table.get("outcome") for table in page["live"]["tables"])


async def long_outage(database: str, kind: str, moment: str, hours: float, returning: bool) -> dict[str, int]:
    """Run a tournament through one outage; return the counts of its results."""
    victim = AheadServer(database, free_port())
    victim.start()
    await victim.ready()
    try:
        starts = time.time() + 3600 if moment == "open" else 0
        clock = {"bank": 20, "each": 0, "grace": 5}
        rules = {"name": "T", "kind": kind, "clock": clock, "wait": 5, "minutes": 1}
        rules |= {"window_ms": 0, "starts": starts, "pause": 3600 if moment == "between" else 0, "rounds": 2}
        async with Client(victim.url, "Host") as host:
            id = (await host.request("POST", "/api/tournaments", rules))["id"]
            players = [
                Player(victim.url, id, f"P{place}", seed=place, resigns=0.5)
                for place in range(3 if kind == "knockout" else 5)
            ]
            for player in players:
                await player.enter()
            if moment != "open":
                await host.request("POST", f"/api/tournaments/{id}/pair")
            if moment in ("playing", "between"):
                playing = [asyncio.ensure_future(player.play(lambda: False)) for player in players]
                while not await is_moment(moment, players, f"/api/tournaments/{id}"):
                    await asyncio.sleep(0.1)
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
            victim.kill()
            victim.ahead = hours * 3600
            victim.start()
            await victim.ready()
            for player in players:
                player.manner = "plays" if returning else "never comes"
            page = await asyncio.wait_for(take_part(players, Player(victim.url, id, "Watcher")), MOST_SECONDS)
            return check_against_records(database, id, page)
    finally:
        victim.kill()


def long_outages(hours: float, kinds: Iterable[str] = KINDS) -> None:
    for kind in kinds:
        for moment in MOMENTS if kind in ("swiss", "knockout") else MOMENTS[:3]:  # those of two rounds
            for returning in (True, False):
                started = time.monotonic()
                with tempfile.TemporaryDirectory() as folder:
                    work = long_outage(str(Path(folder) / "games.db"), kind, moment, hours, returning)
                    counts = asyncio.run(work)
                people = "players return" if returning else "players are gone"
                seconds = time.monotonic() - started
                print(f"outages: {kind}, {moment}, {hours:.0f} h, {people}: {counts}, {seconds:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--outages", type=int, default=4, help="of PostgreSQL and Redis in turn")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--hours", type=float, default=25.0, help="length of the outage of tournaments; 0: none")
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS)
    given = parser.parse_args()
    if given.hours:
        long_outages(given.hours, given.kinds)
    if not given.games:
        return
    with postgres() as database, redis() as redis_url:
        if not database or not redis_url:
            raise SystemExit("outages: skipped, not installed (Debian's packages: postgresql, redis-server)")
        asyncio.run(story(database, redis_url, given.games, given.outages, given.seconds))
    print(f"outages: {given.games} games through {given.outages} outages of {given.seconds:.0f} s, all ended")


if __name__ == "__main__":
    main()
