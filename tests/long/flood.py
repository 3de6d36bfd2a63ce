"""Floods from ten addresses on every endpoint and socket in turn, while another guest plays: that guest's response times,
the memory of the server, and the size of its database.

    python -m tests.long.flood --seconds 3

The server runs as a process of its own, on loopback. Each attacker has an address of its own, because the server trusts
the header of a proxy on its own machine. Each attacker keeps eight requests under way and does not wait when it is
refused. Limits: the p99 of the victim's pings and replays is at most three times the calm one (or 50 ms), the memory
returns to within 20 MB, and the database grows by 1 MB at most.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import httpx
from tests.long.kills import ServerProcess, free_port
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from blackpoker.client import COOKIE
from blackpoker.server.app import SERVER_ENDPOINTS
from blackpoker.server.room_manager import EMPTY_ROOM_TTL

ATTACKERS: Final = 10
AT_ONCE: Final = 8
#: least limit of a p99: a calm server answers faster than an operating system schedules
LEAST_MS: Final = 50.0
MOST_MEMORY: Final = 20 * 2**20
MOST_DISK: Final = 2**20
#: bodies that pass the checks of their types, so that the handler is reached
BODIES: Final[dict[str, Any]] = {
    "/api/me": {"name": "Flood"},
    "/api/rooms": {"listed": True},
    "/api/quick": {},
    "/api/me/games": {"rooms": []},
    "/api/records": {"text": "BlackPoker record 3\n" + "# nothing\n" * 15_000},
    "/api/records/{id}/play": {"step": 1},
    "/api/positions/check": {"position": 'format = "lite"\n[p1]\nhand = "S5"\n[p2]\n'},
    "/api/positions/play": {"position": 'format = "lite"\n[p1]\nhand = "S5"\n[p2]\n'},
    "/api/scenarios/run": {"scenario": "x"},
    "/api/account": {"name": "Flood name"},
    "/api/account/change": {"crest": "SA"},
    "/api/account/kept": {"version": 0, "data": {"x": "y" * 150_000}},
    "/api/account/delete": {"name": "Flood"},
    "/api/sign-in/code": {"name": "Victim", "cards": "S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK"},
    "/api/tournaments": {"name": "Flood"},
    "/api/decks/check": {"regulation": "lite+entry", "deck": "S2 S3"},
    "/api/paper/deck": {"deck": "S2 S3"},
    "/api/puzzles/boards": {"puzzles": []},
}


class LimitedServer(ServerProcess):
    """A server in its own process, with its usual limits."""

    def arguments(self) -> list[str]:
        return [argument for argument in super().arguments() if argument != "--no-limits"]


class Attacker:
    def __init__(self, url: str, number: int) -> None:
        self.url = url
        self.chance = random.Random(number)
        self.client = httpx.AsyncClient(
            base_url=url,
            headers={"X-Forwarded-For": f"203.0.113.{number + 1}"},
            timeout=10.0,
            limits=httpx.Limits(max_connections=AT_ONCE),
        )

    async def request(self, method: str, path: str, record: str) -> None:
        invented = "".join(self.chance.choice("abcdefgh") for _ in range(self.chance.choice((8, 2000))))
        id = record if "records" in path and self.chance.random() < 0.7 else invented
        target = path.replace("{id}", id).replace("{task}", "1")
        with suppress(httpx.HTTPError):
            if method == "GET":
                await self.client.get(
                    target, params={"name": invented[:20], "season": 3} if self.chance.random() < 0.3 else {}
                )
            else:
                await self.client.request(method, target, json=BODIES.get(path, {}))

    async def talk(self, path: str) -> None:
        """Open a socket and send as fast as it is read."""
        address = self.url.replace("http", "ws", 1) + path
        cookie = f"{COOKIE}={self.client.cookies.get(COOKIE, 'x')}"
        headers = {"X-Forwarded-For": str(self.client.headers["X-Forwarded-For"]), "Cookie": cookie}
        with suppress(WebSocketException, OSError, TimeoutError):
            async with connect(address, additional_headers=headers, open_timeout=5) as socket:
                for _ in range(2000):
                    await socket.send('{"type":"ping","id":1}')


async def attack(one: Attacker, method: str, path: str, record: str, until: float) -> int:
    """Attack one endpoint or socket; return the number of attempts."""
    count = 0

    async def lane() -> None:
        nonlocal count
        while time.monotonic() < until:
            await (one.talk(path) if method == "WS" else one.request(method, path, record))
            count += 1

    await asyncio.gather(*(lane() for _ in range(AT_ONCE)))
    return count


class Victim:
    """A guest of another address within its own limits: ten small requests a second, now and then a page and a replay."""

    def __init__(self, url: str, record: str) -> None:
        self.client = httpx.AsyncClient(base_url=url, headers={"X-Forwarded-For": "198.51.100.7"}, timeout=60.0)
        self.record = record

    async def p99(self, seconds: float) -> float:
        took: list[float] = []
        end = time.monotonic() + seconds
        number = 0
        while time.monotonic() < end:
            number += 1
            path = "/api/levels"
            if number % 10 == 5:
                path = "/api/rules/act.counter/boards"
            elif number % 40 == 20:
                path = f"/api/records/{self.record}/replay?count=5"
            started = time.perf_counter()
            answer = await self.client.get(path)
            took.append(1000 * (time.perf_counter() - started))
            assert answer.status_code in (200, 404), (path, answer.status_code, answer.text)
            await asyncio.sleep(0.1)
        took.sort()
        return took[min(len(took) - 1, int(len(took) * 0.99))]


def memory_of(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def disk_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("games.db"))


def run_attackers(url: str, method: str, path: str, record: str, seconds: float, report: Connection) -> None:
    """Run all attackers in a process of their own, so that they do not slow down the victim's client."""

    async def story() -> None:
        attackers = [Attacker(url, number) for number in range(ATTACKERS)]
        for one in attackers:
            with suppress(httpx.HTTPError):
                await one.client.get("/api/me")
        report.send(0)  # the victim begins
        until = time.monotonic() + seconds
        counts = await asyncio.gather(*(attack(one, method, path, record, until) for one in attackers))
        report.send(sum(counts))

    os.nice(5)  # the machine's processors are shared with the server
    asyncio.run(story())


async def story(server: ServerProcess, folder: Path, seconds: float, only: str) -> bool:
    url = server.url
    assert server.process is not None
    pid = server.process.pid
    async with httpx.AsyncClient(base_url=url) as client:
        record = (await client.get("/api/lobby")).json()["shown"][0]["id"]
    victim = Victim(url, record)
    await victim.p99(2.0)
    calm = max([await victim.p99(seconds) for _ in range(3)])
    allowed = max(LEAST_MS, 3 * calm)
    targets: list[tuple[str, str]] = [(endpoint.method, endpoint.path) for endpoint in SERVER_ENDPOINTS]
    targets += [("WS", "/ws"), ("WS", "/ws/tournament?id=x"), ("GET", "/"), ("GET", "/room/abc")]
    targets = [target for target in targets if only in target[1]]
    good = True
    context = multiprocessing.get_context("spawn")
    for warm in (True, False):  # the first pass fills the bounded caches
        before, disk = memory_of(pid), disk_of(folder)
        worst = 0.0
        for method, path in targets:
            span = seconds / 4 if warm else seconds
            here, there = context.Pipe()
            attackers = context.Process(target=run_attackers, args=(url, method, path, record, span, there))
            attackers.start()
            await asyncio.to_thread(here.recv)
            found = await victim.p99(span)
            count = await asyncio.to_thread(here.recv)
            await asyncio.to_thread(attackers.join)
            worst = max(worst, found)
            if not warm:
                verdict = "" if found <= allowed else "  TOO SLOW"
                good = good and not verdict
                print(f"flood: {method} {path}: {count} attempts, victim's p99 {found:.1f} ms{verdict}", flush=True)
        await asyncio.sleep(EMPTY_ROOM_TTL + 10)  # rooms without clients leave memory
        grown, larger = memory_of(pid) - before, disk_of(folder) - disk
        totals = f"memory +{grown / 2**20:.1f} MB, disk +{larger / 2**20:.2f} MB"
        print(
            f"flood: {'first' if warm else 'second'} pass: calm {calm:.1f} ms, worst {worst:.1f} ms, {totals}",
            flush=True,
        )
    return good and grown <= MOST_MEMORY and larger <= MOST_DISK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--only", default="", help="attack only paths that contain this text")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        server = LimitedServer(str(folder / "games.db"), port)
        server.start()
        try:
            asyncio.run(server.ready())
            good = asyncio.run(story(server, folder, given.seconds, given.only))
        finally:
            server.stop()
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
