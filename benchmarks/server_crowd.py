"""Crowds on a server, over loopback, bounded: idle connections, connections that come and go, and shutdown.

    python benchmarks/server_crowd.py
    python benchmarks/server_crowd.py --only churn --games 1000 --rate 150 --turns 5

Idle: many sockets, two in each room, and their memory. Churn: games at a decision a second each, with and without
clients that join waiting rooms and leave (every third one is refused), alternating on the same server, so that other
load affects both; the figure is the median of the turns' p99. Stop: SIGTERM under this load.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import uvloop
from server_bots import Bot, Load, Pair, Socket

from blackpoker.client import COOKIE, Client
from server import Contender, memory, quantile, serving

#: limits: memory of idle connections, ratio of p99, seconds to stop
MOST_MB = 250
MOST_RATIO = 1.5
MOST_SECONDS = 5.0
#: games, rooms and connections created concurrently
AT_ONCE = 24


def visitor(load: Load, room: str, cookie: str, first_message: str = "") -> Socket:
    request = (
        f"GET /ws?room={room} HTTP/1.1\r\nHost: {load.host}:{load.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Cookie: {COOKIE}={cookie}\r\n\r\n"
    )
    return Socket(request, first_message or f'{{"type":"join","room":"{room}"}}', lambda data: None)


def load_of(url: str, pace: float) -> Load:
    host, _, port = url.removeprefix("http://").partition(":")
    return Load(host, int(port), pace, 7)


async def idle(url: str, count: int) -> dict[str, Any]:
    """Hold sockets that have joined and send nothing."""
    load = load_of(url, 0.0)
    several = asyncio.Semaphore(AT_ONCE)
    async with Client(url, "A") as one, Client(url, "B") as two:

        async def pair() -> None:
            async with several:
                made = await one.request("POST", "/api/rooms", {"regulation": "lite+entry"})
                for client in (one, two):
                    socket = visitor(load, made["room"]["id"], client.cookie)
                    load.sockets.append(socket)
                    await load.loop.create_connection(lambda made=socket: made, load.host, load.port)  # type: ignore[misc]

        await asyncio.gather(*(pair() for _ in range(count // 2)))
    await asyncio.sleep(2)
    return {"sockets": len(load.sockets), "lost": sum(socket.lost for socket in load.sockets)}


class Churn:
    """Clients that join a room as spectators and leave."""

    def __init__(self, load: Load, rooms: list[str], cookie: str, rate: float) -> None:
        self.load = load
        self.rooms = rooms
        self.cookie = cookie
        self.rate = rate
        self.came = 0

    async def run(self) -> None:
        due = time.perf_counter()
        coming: set[asyncio.Task[None]] = set()
        while True:
            due += 1 / self.rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            task = asyncio.ensure_future(self.visit(self.came))
            coming.add(task)
            task.add_done_callback(coming.discard)
            self.came += 1

    async def visit(self, number: int) -> None:
        room = self.rooms[number % len(self.rooms)]
        refused = number % 3 == 2
        first_message = f'{{"type":"join","room":"{room}","seat":"watch"}}'
        socket = visitor(self.load, room, "forged" if refused else self.cookie, first_message)
        await self.load.loop.create_connection(lambda: socket, self.load.host, self.load.port)
        await asyncio.sleep(0.5)
        if socket.transport is not None:
            socket.transport.close()


async def churn(url: str, games: int, rate: float, turns: int, seconds: float) -> dict[str, Any]:
    load = load_of(url, 1.0)
    several = asyncio.Semaphore(AT_ONCE)
    async with Client(url, "A") as one, Client(url, "B") as two:
        cookie = one.cookie

        async def game() -> None:
            async with several:
                settings = {"regulation": "master+full", "window_ms": 0, "opponent": "bot"}
                made = await one.request("POST", "/api/rooms", settings)
                pair = Pair(load)
                for client in (one, two):
                    await Bot(pair, client is one).connect(made["room"]["id"], f"{COOKIE}={client.cookie}")

        await asyncio.gather(*(game() for _ in range(games)))
    gc.collect()
    gc.freeze()
    gc.disable()
    load.start()
    await asyncio.sleep(4)
    async with Client(url, "C") as other:
        made = [await other.request("POST", "/api/rooms", {"regulation": "lite+entry"}) for _ in range(40)]
    people = Churn(load, [one["room"]["id"] for one in made], cookie, rate)
    tails: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(2 * turns):
        with_them = turn % 2 == 1
        crowd = asyncio.create_task(people.run()) if with_them else None
        await asyncio.sleep(0.5)
        load.latencies, load.measuring = [], True
        await asyncio.sleep(seconds)
        load.measuring = False
        if crowd is not None:
            crowd.cancel()
        tails[with_them].append(1000 * quantile(load.latencies, 0.99))
        await asyncio.sleep(0.7)
    without, during = (round(statistics.median(tails[which]), 1) for which in (False, True))
    return {
        "games": games,
        "came_and_left": people.came,
        "p99_ms": without,
        "p99_ms_churn": during,
        "ratio": round(during / without, 2) if without else 0.0,
        "lost": sum(socket.lost for socket in load.sockets),
        "refused": len(load.errors),
    }


def measured(kind: str, given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        with serving(Contender(kind, sys.executable), f"{folder}/crowd.db") as (pid, url):
            before = memory(pid)

            async def story() -> dict[str, Any]:
                if kind == "idle":
                    found = await idle(url, given.sockets)
                else:
                    found = await churn(url, given.games, given.rate, given.turns, given.seconds)
                found |= {"start_MB": round(before / 1e6), "MB": round(memory(pid) / 1e6)}
                found["stop_s"] = round(await asyncio.to_thread(stopped, pid), 2)  # all clients are still connected
                return found

            return uvloop.run(story())


def stopped(pid: int) -> float:
    """Send SIGTERM and return the seconds until the server has exited."""
    begun = time.perf_counter()
    subprocess.run(["kill", f"-{signal.SIGTERM.value}", str(pid)], check=True)
    while time.perf_counter() - begun < 60:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    break
        except OSError:
            break
        time.sleep(0.02)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("idle", "churn"))
    parser.add_argument("--sockets", type=int, default=5000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=150, help="people who come and go a second")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0, help="of a turn")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.sockets > 6000 or given.games > 3000 or given.rate > 500:
        parser.error("keep it bounded: at most 6,000 sockets, 3,000 games and 500 people a second")
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    found = {kind: measured(kind, given) for kind in ("idle", "churn") if given.only in (None, kind)}
    if given.json:
        print(json.dumps(found))
    else:
        for kind, figures in found.items():
            print(f"{kind}: " + "  ".join(f"{key} {value}" for key, value in figures.items()))
    goals = {f"stopped within {MOST_SECONDS:.0f} s": all(one["stop_s"] <= MOST_SECONDS for one in found.values())}
    goals["no connection lost"] = not any(one["lost"] for one in found.values())
    if "idle" in found:
        goals[f"{given.sockets} idle sockets in {MOST_MB} MB"] = found["idle"]["MB"] <= MOST_MB
    if "churn" in found:
        goals[f"p99 ≤ {MOST_RATIO} × while others come and go"] = found["churn"]["ratio"] <= MOST_RATIO
    for goal, held in goals.items():
        print(f"{'held' if held else 'NOT HELD':>11}: {goal}", file=sys.stderr if given.json else sys.stdout)
    raise SystemExit(0 if all(goals.values()) else 1)


if __name__ == "__main__":
    main()
