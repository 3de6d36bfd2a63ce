"""Tournaments played to the end over real sockets while the server is killed; the standings must equal those recounted
from the records alone.

    python -m tests.long.tournaments
    python -m tests.long.tournaments --postgresql

A Swiss tournament of 64 and an arena of 100; one in ten never joins, one in twenty leaves, connections are dropped.
``--postgresql``: use a temporary PostgreSQL and Redis and two processes, of which one is killed at a time. A tournament
that takes more than ``--most`` seconds fails.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.long.kills import ForkedServer, ServerProcess, free_port, workers
from tests.server.tournament_players import Player, check_against_records, take_part

from blackpoker.client import Client


def manner_of(place: int) -> str:
    return "never comes" if place % 10 == 3 else "leaves" if place % 20 == 7 else "plays"


def kill(victim: ServerProcess, two: bool, chance: random.Random) -> None:
    """Kill the server, or one of its two processes, which the supervisor restarts."""
    if not two:
        victim.kill()
        victim.start()
        return
    assert victim.process is not None
    found = workers(victim.process.pid)
    if found:
        os.kill(chance.choice(found), signal.SIGKILL)


async def retry(work: Callable[[], Awaitable[Any]]) -> Any:
    """Retry while the server starts, which takes long on a busy machine; raise `RuntimeError` after 600 tries."""
    for _ in range(600):
        with contextlib.suppress(OSError):
            return await work()
        await asyncio.sleep(1)
    raise RuntimeError("the server does not answer")


async def run(
    kind: str, entrants: int, kills: int, seed: int, database: str = "", redis: str = "", **rules: Any
) -> dict[str, Any]:
    """Run one tournament from its announcement to its end; return the counts."""
    chance = random.Random(seed)
    two = bool(redis)
    database = database or str(Path(tempfile.mkdtemp()) / "games.db")
    kind_of = ServerProcess if two else ForkedServer
    victim = kind_of(database, free_port(), *(("--redis", redis, "--processes", "2") if two else ()))
    victim.start()
    await victim.ready()
    opened_at = time.perf_counter()
    poll_seconds = 0.2 if entrants < 20 else 1.0
    host = await retry(Client(victim.url, "Host").__aenter__)
    given = {
        "name": "T",
        "kind": kind,
        "clock": {"bank": 60, "each": 5, "grace": 10},
        "pause": 1,
        "window_ms": 0,
        **rules,
    }
    id = (await host.request("POST", "/api/tournaments", given))["id"]
    players = [
        Player(victim.url, id, f"P{place}", manner_of(place), seed + place, resigns=0.3, look=poll_seconds)
        for place in range(entrants)
    ]
    late = players[entrants - max(1, entrants // 20) :]
    for player in players:
        if player not in late:
            await player.enter()
    started = time.perf_counter()
    await host.request("POST", f"/api/tournaments/{id}/pair")
    killed = 0
    over = False

    async def kill_repeatedly() -> None:
        nonlocal killed
        while killed < kills and not over:
            before = sum(player.acked for player in players)
            wanted = before + chance.randrange(1, 3 * entrants)
            end = time.monotonic() + chance.uniform(0.5, 20.0)
            while sum(player.acked for player in players) < wanted and time.monotonic() < end and not over:
                await asyncio.sleep(0.01)
            if not over:
                kill(victim, two, chance)
                killed += 1
                print(f"{kind}: {killed} of {kills} kills", flush=True)

    async def come_late() -> None:
        await asyncio.sleep(5 * poll_seconds)
        for player in late:
            await player.enter()

    killing = asyncio.ensure_future(kill_repeatedly())
    coming = asyncio.ensure_future(come_late())
    watching = Player(victim.url, id, "Watcher", look=poll_seconds)
    page = await take_part(players, watching)
    over = True
    await asyncio.gather(killing, coming)
    await victim.ready()
    counts = check_against_records(database, id, page)
    code = victim.stop()
    seconds = round(time.perf_counter() - opened_at, 1)
    summary = {"kind": kind, "entrants": entrants, "kills": killed, "said": sum(player.acked for player in players)}
    return {**summary, **counts, "seconds": seconds, "of_play": round(time.perf_counter() - started, 1), "exit": code}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--swiss", type=int, default=64)
    parser.add_argument("--arena", type=int, default=100)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--wait", type=int, default=60)
    parser.add_argument("--most", type=int, default=1800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    for kind, entrants in (("swiss", given.swiss), ("arena", given.arena)):
        with contextlib.ExitStack() as stack:
            database = address = ""
            if given.postgresql:
                from tests.long.scaling import postgres, redis

                database, address = stack.enter_context(postgres()), stack.enter_context(redis())
                if not database or not address:
                    raise SystemExit("PostgreSQL or Redis is not installed (Debian: postgresql, redis-server)")
            rules = {"wait": given.wait, "minutes": given.minutes}
            if entrants:
                work = run(kind, entrants, given.kills, given.seed, database, address, **rules)
                print(asyncio.run(asyncio.wait_for(work, given.most)), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
