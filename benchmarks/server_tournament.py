"""Cost of tournaments for a server, in processor time, which is independent of other load.

    python benchmarks/server_tournament.py

Decisions: the same games in plain rooms and at tournament tables, alternating, without network and disk. Watchers: a
running server and a tournament of 64 with a table decided every other second, with and without a thousand spectators
on sockets; the output is the additional load in percent of one processor.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.long.kills import ForkedServer, free_port  # noqa: E402

from blackpoker.client import COOKIE, Client  # noqa: E402
from blackpoker.server.rooms.tournament_seat import ReservedTable  # noqa: E402
from blackpoker.server.rooms.room import Room  # noqa: E402
from blackpoker.server.rooms.seats import RoomClient  # noqa: E402
from blackpoker.protocol import messages as p  # noqa: E402

MOST_RATIO = 1.1
MOST_PERCENT = 5.0
AT_ONCE = 50


def played(seed: int, held: bool) -> tuple[int, float]:
    """Play a whole game of two programs; return its decisions and the processor seconds of the room."""
    chance = random.Random(seed)
    table = ReservedTable("t", 1, 1, ("a", "b"), ("1", "2"), ("A", "B"), ("", ""), 1e9, 60.0) if held else None
    settings = p.RoomSettings("lite+entry", "human", p.ClockRules(bank=600), 0)
    room = Room("room", settings, 1000.0, reserved=table)
    room.secret = chance.randbytes(32)
    for key in "ab":
        room.join(RoomClient(key, key, key.upper()), p.Join(1, "room", "any", "en", "lean"), 1000.0)
        room.receive(key, p.Ready(2, salt=key), 1000.0)
    room.take()
    now, spent, count = 1000.0, 0.0, 0
    while room.phase == "playing" and count < 400:
        game = room.room_game.game
        assert game is not None
        decision = room.room_game.decision()
        words = [chance.choice(decision.words)]
        while not (draft := game.draft(words)).complete:
            assert draft.decision is not None
            words.append(chance.choice(draft.decision.words))
        key, now = "ab"[room.room_game.player], now + 1
        begun = time.process_time()
        room.receive(key, p.SubmitMove(3, room.room_game.seq, words), now)
        outcome = room.take()
        for _, message in outcome.messages:
            p.encode(message)
        spent += time.process_time() - begun
        count += 1
    return count, spent


def decisions(games: int) -> float:
    """Return the cost of a decision at a tournament table relative to a plain room."""
    played(0, False), played(0, True)
    ratios = []
    for turn in range(7):
        costs = {False: 0.0, True: 0.0}
        counts = {False: 0, True: 0}
        for seed in range(games):
            for held in (False, True) if seed % 2 else (True, False):
                count, spent = played(turn * games + seed, held)
                counts[held] += count
                costs[held] += spent
        assert counts[False] == counts[True]
        ratios.append(costs[True] / costs[False])
        print(f"decisions: {counts[True]}, plain {1e6 * costs[False] / counts[False]:.1f} µs, "
              f"tournament {1e6 * costs[True] / counts[True]:.1f} µs, ratio {ratios[-1]:.3f}", flush=True)  # fmt: skip
    return statistics.median(ratios)


def used(pid: int) -> float:
    """Return the processor seconds a process has used."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


async def watch(url: str, id: str, cookie: str, received: list[int]) -> asyncio.Task[None]:
    from websockets.asyncio.client import connect

    socket = await connect(
        f"{url.replace('http', 'ws', 1)}/ws/tournament?id={id}",
        additional_headers={"Cookie": f"{COOKIE}={cookie}"}, compression=None, ping_interval=None,
    )  # fmt: skip

    async def hear() -> None:
        async for data in socket:
            received.append(len(data))

    return asyncio.ensure_future(hear())


async def watchers(count: int, seconds: float) -> float:
    """Return the additional load of spectators in percent of one processor."""
    server = ForkedServer(str(Path(tempfile.mkdtemp()) / "games.db"), free_port())
    server.start()
    await server.ready()
    assert server.child is not None
    pid = server.child.pid
    assert pid is not None
    host = await Client(server.url, "Host").__aenter__()
    rules = {"name": "T", "clock": {"bank": 600}, "wait": 3600, "rounds": 20, "pause": 0}
    id = (await host.request("POST", "/api/tournaments", rules))["id"]
    for number in range(64):
        async with Client(server.url, f"P{number}") as one:
            await one.request("POST", f"/api/tournaments/{id}/enter", {})
    await host.request("POST", f"/api/tournaments/{id}/pair")
    tables: list[dict[str, Any]] = []

    async def spell() -> float:
        """Decide a table every other second and return the load."""
        before, end = used(pid), time.monotonic() + seconds
        begun = time.monotonic()
        while time.monotonic() < end:
            if not tables:
                page = await host.request("GET", f"/api/tournaments/{id}")
                tables.extend(one for one in page["live"]["tables"] if "outcome" not in one)
            if tables:
                one = tables.pop()
                fix = {"round": one["round"], "table": one["number"], "outcome": "one"}
                await host.request("POST", f"/api/tournaments/{id}/fix", fix)
            await asyncio.sleep(2)
        return 100 * (used(pid) - before) / (time.monotonic() - begun)

    alone, together, received = [], [], []
    for _ in range(3):
        alone.append(await spell())
        here = []
        for start in range(0, count, AT_ONCE):
            some = range(start, min(count, start + AT_ONCE))
            here += await asyncio.gather(*(watch(server.url, id, host.cookie, received) for _ in some))
        await asyncio.sleep(5)  # excludes the cost of connecting
        received.clear()
        together.append(await spell())
        print(f"watchers: {alone[-1]:.1f} % alone, {together[-1]:.1f} % with {count} who heard {len(received)} times "
              f"{statistics.mean(received or [0]):.0f} bytes", flush=True)  # fmt: skip
        for task in here:
            task.cancel()
        await asyncio.gather(*here, return_exceptions=True)
        await asyncio.sleep(2)
    server.kill()
    return statistics.median(together) - statistics.median(alone)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    ratio = decisions(given.games)
    added = asyncio.run(watchers(given.watchers, given.seconds)) if given.watchers else 0.0
    found = {"ratio": round(ratio, 3), "added_percent": round(added, 2)}
    print(json.dumps(found))
    raise SystemExit(0 if ratio <= MOST_RATIO and added < MOST_PERCENT else 1)


if __name__ == "__main__":
    main()
