"""Floods from ten addresses on every endpoint, page, socket and message in turn, while another guest plays: that
guest's response times, the memory of the server, and the size of its database.

    python -m tests.long.flood --seconds 3

The server runs as a process of its own, on loopback. Each attacker has an address of its own, because the server trusts
the header of a proxy on its own machine. Each attacker keeps eight requests under way and does not wait when it is
refused. The targets are the rows of ``tests/server/admission.txt``; the answers are printed by their status or close
code (101: a socket that was opened). Limits: the p99 of the victim's pings and replays is at most three times the calm
one (or 50 ms), the memory returns to within 20 MB, and the database grows by 1 MB at most.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
from tests.long.kills import ServerProcess, free_port
from tests.server.admission_table import TABLE
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from blackpoker.client import COOKIE
from blackpoker.server.app import SERVER_ENDPOINTS
from blackpoker.server.room_manager import EMPTY_ROOM_TTL

ATTACKERS: Final = 10
AT_ONCE: Final = 8
#: least limit of a p99: a calm server answers faster than an operating system schedules
LEAST_MS: Final = 50.0
MOST_MEMORY: Final = 20 * 2**20
MOST_DISK: Final = 2**20
PRACTISED: Final = {"message": {"type": "refusals"}}
#: bodies that pass the checks of their types, so that the handler is reached; the others are empty
BODIES: Final[dict[str, Any]] = {
    "/api/me": {"name": "Flood"},
    "/api/rooms": {"listed": True},
    "/api/records": {"text": "BlackPoker record 3\n" + "# nothing\n" * 15_000},
    "/api/records/{id}/play": {"step": 1},
    "/api/records/{id}/moments/{step}": PRACTISED,
    "/api/positions/check": {"position": 'format = "lite"\n[p1]\nhand = "S5"\n[p2]\n'},
    "/api/positions/play": {"position": 'format = "lite"\n[p1]\nhand = "S5"\n[p2]\n'},
    "/api/scenarios/run": {"scenario": "x"},
    "/api/school/{id}/{task}": PRACTISED,
    "/api/puzzles/{id}": PRACTISED,
    "/api/puzzles/boards": {"puzzles": []},
    "/api/account": {"name": "Flood name"},
    "/api/account/change": {"crest": "SA"},
    "/api/account/kept": {"version": 0, "data": {"x": "y" * 150_000}},
    "/api/account/delete": {"name": "Flood"},
    "/api/account/devices/out": {"id": "0" * 12},
    "/api/account/passkeys": {"credential": {}},
    "/api/account/passkeys/remove": {"id": "x"},
    "/api/sign-in/passkey": {"credential": {}},
    "/api/sign-in/code": {"name": "Victim", "cards": "S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK"},
    "/api/sign-in/link": {"token": "x" * 43},
    "/api/sign-in/link/whose": {"token": "x" * 43},
    "/api/muted/lift": {"id": "0" * 16},
    "/api/tournaments": {"name": "Flood"},
    "/api/tournaments/{id}/deck": {"deck": "S2 S3"},
    "/api/tournaments/{id}/fix": {"round": 1, "table": 1, "outcome": "one"},
    "/api/tournaments/{id}/send-away": {"id": "0" * 16},
    "/api/decks/check": {"regulation": "lite+entry", "deck": "S2 S3"},
    "/api/paper/deck": {"deck": "S2 S3"},
}
#: fields of messages besides their type
FIELDS: Final[dict[str, dict[str, Any]]] = {
    "chat": {"text": "x" * 200},
    "preview": {"text": "x" * 400},
    "move": {"text": "x" * 400},
    "sign": {"signature": "x" * 86, "count": 1},
    "mute": {"handle": "x"},
    "report": {"handle": "x", "comment": "x" * 300},
    "name_caster": {"handle": "x"},
}


@dataclass(frozen=True)
class Target:
    """What is attacked: a request with this method, or a socket (``WS``) with messages of this kind."""

    method: str
    path: str
    message: str = "ping"


def targets() -> list[Target]:
    """Return every endpoint, page and socket of the table of classes, and every message."""
    found: list[Target] = []
    for row in TABLE.read_text(encoding="utf-8").splitlines():
        kind, name = row.split(": ")[0].split(" ", 1)
        if kind in ("GET", "POST"):
            found.append(Target(kind, name))
        elif kind == "page":
            found.append(Target("GET", name))
        elif kind == "socket" and name == "/ws/tournament":
            found.append(Target("WS", f"{name}?id={{id}}"))
        elif kind == "message":
            found.append(Target("WS", "/ws?room={id}", name))
    for endpoint in SERVER_ENDPOINTS:
        if endpoint.body is not None:
            msgspec.convert(BODIES.get(endpoint.path, {}), endpoint.body)  # raises if the handler would not be reached
    return found


class LimitedServer(ServerProcess):
    """A server in its own process, with its usual limits."""

    def arguments(self) -> list[str]:
        return [argument for argument in super().arguments() if argument != "--no-limits"]


class Attacker:
    def __init__(self, url: str, number: int) -> None:
        self.url = url
        self.chance = random.Random(number)
        self.answers: Counter[int] = Counter()
        self.client = httpx.AsyncClient(
            base_url=url,
            headers={"X-Forwarded-For": f"203.0.113.{number + 1}"},
            timeout=10.0,
            limits=httpx.Limits(max_connections=AT_ONCE),
        )

    async def request(self, target: Target, known: dict[str, str]) -> None:
        invented = "".join(self.chance.choice("abcdefgh") for _ in range(self.chance.choice((8, 2000))))
        id = known_id(target.path, known) if self.chance.random() < 0.7 else invented
        path = re.sub(r"\{(\w+):path\}", invented, target.path)
        for name, value in (("id", id), ("task", "1"), ("step", "1")):
            path = path.replace(f"{{{name}}}", value)
        with suppress(httpx.HTTPError):
            if target.method == "GET":
                query: dict[str, Any] = {"name": invented[:20], "season": 3} if self.chance.random() < 0.3 else {}
                answer = await self.client.get(path, params=query)
            else:
                answer = await self.client.post(path, json=BODIES.get(target.path, {}))
            self.answers[answer.status_code] += 1

    async def talk(self, target: Target, known: dict[str, str]) -> None:
        """Open a socket, join a room, and send as fast as it is read."""
        address = self.url.replace("http", "ws", 1) + target.path.replace("{id}", known_id(target.path, known))
        cookie = f"{COOKIE}={self.client.cookies.get(COOKIE, 'x')}"
        headers = {"X-Forwarded-For": str(self.client.headers["X-Forwarded-For"]), "Cookie": cookie}
        message = json.dumps({"type": target.message, "id": 1, **FIELDS.get(target.message, {})})
        try:
            async with connect(address, additional_headers=headers, open_timeout=5) as socket:
                self.answers[101] += 1
                await socket.send(json.dumps({"type": "join", "room": known["rooms"]}))
                for _ in range(2000):
                    await socket.send(message)
        except ConnectionClosed as closed:
            self.answers[closed.rcvd.code if closed.rcvd else 1006] += 1
        except (WebSocketException, OSError, TimeoutError):
            self.answers[0] += 1


def known_id(path: str, known: dict[str, str]) -> str:
    """Return an id that exists, for a path that needs one."""
    return next((id for kind, id in known.items() if kind in path), "x")


async def attack(one: Attacker, target: Target, known: dict[str, str], until: float) -> None:
    """Attack one target; the answers are counted by their status or close code."""

    async def lane() -> None:
        while time.monotonic() < until:
            await (one.talk(target, known) if target.method == "WS" else one.request(target, known))

    await asyncio.gather(*(lane() for _ in range(AT_ONCE)))


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


def run_attackers(url: str, target: Target, known: dict[str, str], seconds: float, report: Connection) -> None:
    """Run all attackers in a process of their own, so that they do not slow down the victim's client."""

    async def story() -> None:
        attackers = [Attacker(url, number) for number in range(ATTACKERS)]
        for one in attackers:
            with suppress(httpx.HTTPError):
                await one.client.get("/api/me")
        report.send({})  # the victim begins
        until = time.monotonic() + seconds
        await asyncio.gather(*(attack(one, target, known, until) for one in attackers))
        report.send(dict(sum((one.answers for one in attackers), Counter())))

    os.nice(5)  # the machine's processors are shared with the server
    asyncio.run(story())


async def known_ids(url: str) -> dict[str, str]:
    """Return one id of each kind that paths contain."""
    async with httpx.AsyncClient(base_url=url, headers={"X-Forwarded-For": "198.51.100.8"}, timeout=60.0) as client:
        await client.post("/api/me", json={"name": "Host of all"})
        room = (await client.post("/api/rooms", json={"listed": True})).json()["room"]["id"]
        tournament = (await client.post("/api/tournaments", json={"name": "T"})).json()["id"]
        return {
            "records": (await client.get("/api/lobby")).json()["shown"][0]["id"],
            "rooms": room,
            "room=": room,
            "tournament": tournament,
            "rules": "act.counter",
            "puzzles": (await client.get("/api/puzzles")).json()["puzzles"][0]["id"],
            "school": (await client.get("/api/school")).json()["lessons"][0]["id"],
        }


async def story(server: ServerProcess, folder: Path, seconds: float, only: str) -> bool:
    url = server.url
    assert server.process is not None
    pid = server.process.pid
    known = await known_ids(url)
    victim = Victim(url, known["records"])
    await victim.p99(2.0)
    calm = max([await victim.p99(max(2.0, seconds)) for _ in range(3)])
    allowed = max(LEAST_MS, 3 * calm)
    chosen = [target for target in targets() if only in target.path or only == target.message]
    good = True
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["httpx", "websockets", "blackpoker.server.app"])
    for warm in (True, False):  # the first pass fills the bounded caches
        before, disk = memory_of(pid), disk_of(folder)
        worst = 0.0
        for target in chosen:
            span = seconds / 4 if warm else seconds
            here, there = context.Pipe()
            attackers = context.Process(target=run_attackers, args=(url, target, known, span, there))
            attackers.start()
            await asyncio.to_thread(here.recv)
            found = await victim.p99(span)
            answers = await asyncio.to_thread(here.recv)
            await asyncio.to_thread(attackers.join)
            worst = max(worst, found)
            if not warm:
                verdict = "" if found <= allowed else "  TOO SLOW"
                good = good and not verdict
                name = target.path if target.method != "WS" else f"{target.path} {target.message}"
                text = f"flood: {target.method} {name}: answers {answers}, victim's p99 {found:.1f} ms{verdict}"
                print(text, flush=True)
        await asyncio.sleep(EMPTY_ROOM_TTL + 10)  # rooms without clients leave memory
        grown, larger = memory_of(pid) - before, disk_of(folder) - disk
        totals = f"memory +{grown / 2**20:.1f} MB, disk +{larger / 2**20:.2f} MB"
        print(
            f"flood: {'first' if warm else 'second'} pass: {len(chosen)} targets, calm {calm:.1f} ms, "
            f"worst {worst:.1f} ms, {totals}",
            flush=True,
        )
    return good and grown <= MOST_MEMORY and larger <= MOST_DISK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--only", default="", help="attack only paths that contain this text, or this message")
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
