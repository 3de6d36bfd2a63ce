"""Bots play while PostgreSQL hangs repeatedly; no acknowledged move is lost, every game ends and is proven.

python -m tests.long.outages --games 6 --outages 3
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.long.kills import ServerProcess, free_port
from tests.long.scaling import postgres
from tests.server.live import play_pair


def health(url: str) -> int:
    try:
        with urllib.request.urlopen(f"{url}/api/health", timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


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


async def story(database: str, games: int, outages: int, seconds: float) -> None:
    victim = ServerProcess(database, free_port())
    victim.start()
    await victim.ready()
    try:
        playing = asyncio.gather(*(play_pair(victim.url, 10 * seed, window_ms=100) for seed in range(games)))
        pid = postmaster(database)
        for number in range(outages):
            await asyncio.sleep(1.0)
            hanging = children(pid)
            for one in hanging:
                os.kill(one, signal.SIGSTOP)  # no response: equivalent to an outage
            started = time.monotonic()
            codes = set()
            while time.monotonic() - started < seconds:
                await asyncio.sleep(0.5)
                codes.add(await asyncio.to_thread(health, victim.url))
            for one in hanging:
                os.kill(one, signal.SIGCONT)
            print(f"outages: {number + 1} of {outages}, health {sorted(codes)}", flush=True)
        seats = await playing
        assert all(seat.result is not None and seat.result.match_over for pair in seats for seat in pair)
        assert victim.process is not None
        assert victim.process.poll() is None
    finally:
        victim.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--outages", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    with postgres() as database:
        if not database:
            raise SystemExit("outages: skipped, not installed (Debian's package: postgresql)")
        asyncio.run(story(database, given.games, given.outages, given.seconds))
    print(f"outages: {given.games} games through {given.outages} outages of {given.seconds:.0f} s, all ended")


if __name__ == "__main__":
    main()
