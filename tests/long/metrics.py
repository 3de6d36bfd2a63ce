"""The server's metrics while two processes play, compared with the database:
``python -m tests.long.metrics --games 1000``. One process is killed in the middle; a counter and the log must show it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

import httpx
from sqlalchemy import func, select
from tests.long.kills import ServerProcess, free_port, workers
from tests.long.scaling import play_all, prepare, redis
from tests.server.live import PATIENCE

from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.schema import RECORDS

LINE = re.compile(r"^(blackpoker_\w+(?:\{[^}]*\})?) ([0-9.e+-]+)$", re.M)


class LoggedServer(ServerProcess):
    """A server with its log stored."""

    def __init__(self, log: TextIO, *given: Any) -> None:
        super().__init__(*given)
        self.log = log

    def start(self) -> None:
        command = [sys.executable, "-m", "blackpoker.cli", *self.arguments()]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self.log)


def scrape(url: str) -> dict[str, float]:
    """Return every metric; each scrape is a new connection, so that either process may respond."""
    text = httpx.get(f"{url}/metrics", timeout=PATIENCE).text
    return {name: float(value) for name, value in LINE.findall(text)}


def counters(found: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in found.items() if "_total" in name or "_bucket" in name or "_count" in name}


async def watch(url: str, seen: list[dict[str, float]], over: Callable[[], bool], interval: float) -> None:
    while not over():
        seen.append(await asyncio.to_thread(scrape, url))
        await asyncio.sleep(interval)


def check(games: int, folder: Path, address: str) -> dict[str, Any]:
    """Play, kill one process, and return the metrics and database counts to compare."""
    database = str(folder / "games.db")
    half = games // 2
    rooms = asyncio.run(prepare(database, games, "lite+entry"))
    with (folder / "log").open("w") as log:
        victim = LoggedServer(log, database, free_port(), "--redis", address, "--processes", "2")
        victim.start()
        assert victim.process is not None
        seen: list[dict[str, float]] = []

        async def all_of_it() -> None:
            await victim.ready()
            for part, killing in ((rooms[:half], True), (rooms[half:], False)):
                playing = asyncio.create_task(play_all(victim.url, part))
                await watch(victim.url, seen, playing.done, 0.2)
                await playing
                if killing:  # between two games: a killed process does not count what it has not acknowledged
                    assert victim.process is not None
                    before = workers(victim.process.pid)
                    os.kill(before[0], signal.SIGKILL)
                    while len(now := workers(victim.process.pid)) < 2 or now == before:
                        await asyncio.sleep(0.1)
                    await asyncio.sleep(1)
                    await victim.ready()

        try:
            asyncio.run(all_of_it())
            for _ in range(20):
                seen.append(scrape(victim.url))
            health = httpx.get(f"{victim.url}/api/health", timeout=PATIENCE).json()
        finally:
            code = victim.stop()
    engine = make_engine(database)
    with engine.connect() as connection:
        records = connection.execute(select(func.count()).select_from(RECORDS)).scalar_one()
    engine.dispose()
    lines = [json.loads(line) for line in (folder / "log").read_text().splitlines() if line.startswith("{")]
    for earlier, later in pairwise(seen):
        for name, value in counters(earlier).items():
            assert later[name] >= value, f"{name} went back from {value} to {later[name]}"
    return {"last": seen[-1], "records": records, "scrapes": len(seen), "health": health, "log": lines, "code": code}


def main() -> None:
    reader = argparse.ArgumentParser(description="Figures beside the database.")
    reader.add_argument("--games", type=int, default=1000)
    args = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder, redis() as address:
        if not address:
            print("figures: Redis is not installed (Debian's package is redis-server), skipped")
            return
        found = check(args.games, Path(folder), address)
    counted = found["last"]["blackpoker_games_total"]
    print(
        f"figures: {found['scrapes']} scrapes, none went back; {counted:.0f} games told, {found['records']} in the database"
    )
    assert counted == found["records"] == args.games


if __name__ == "__main__":
    main()
