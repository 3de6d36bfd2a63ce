"""Attacks of hostile clients on a running server, from outside: each line says whether it was possible.

    python -m tests.long.attacks
    python -m tests.long.attacks --python /other/checkout/.venv/bin/python

All of them were possible on 0b24fb11. With ``--python`` the server of another checkout is attacked; without, this one,
and an attack that is possible fails the run. An address of its own is a header of a proxy on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import httpx
from tests.long.kills import ServerProcess, free_port
from tests.server.live import PATIENCE
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from blackpoker.game.game import Game

#: frames of a client that only follows, and seconds in which they may be sent
FRAMES: Final = 20_000
FRAME_SECONDS: Final = 5.0


class OtherServer(ServerProcess):
    """The server of another checkout, with its usual limits."""

    def __init__(self, python: str, database: str) -> None:
        super().__init__(database, free_port())
        self.python = python

    def start(self) -> None:
        arguments = [one for one in self.arguments() if one != "--no-limits"]
        command = [self.python, "-m", "blackpoker.cli", *arguments]
        home = Path(self.python).parents[2]
        environment = {**os.environ, "PYTHONPATH": str(home / "src")}
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=home, env=environment)

    def resident_mb(self) -> float:
        assert self.process is not None
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", text)
        assert found is not None
        return int(found[1]) / 1024


class Attacker:
    """Guests behind addresses of their own."""

    def __init__(self, server: OtherServer) -> None:
        self.server = server

    async def guest(self, address: str, name: str = "") -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            base_url=self.server.url, headers={"X-Forwarded-For": address}, timeout=PATIENCE, follow_redirects=True
        )
        await client.get("/api/me")
        if name:
            await client.post("/api/me", json={"name": name})
        return client


Attack = Callable[[Attacker], Awaitable[bool]]


async def silent_frames(attacker: Attacker) -> bool:
    """A client of a tournament's feed sends frames that nobody needs, and is served on."""
    guest = await attacker.guest("203.0.113.1", "Host")
    made = (await guest.post("/api/tournaments", json={"name": "T", "clock": {"bank": 60}})).json()
    cookie = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
    headers = {"Cookie": cookie, "X-Forwarded-For": "203.0.113.1"}
    url = attacker.server.url.replace("http", "ws") + f"/ws/tournament?id={made['id']}"
    sent = 0
    try:
        async with connect(url, additional_headers=headers, ping_interval=None) as socket:
            end = time.monotonic() + FRAME_SECONDS
            while sent < FRAMES and time.monotonic() < end:
                await socket.send("x")
                sent += 1
            await asyncio.sleep(0.5)
            await socket.send("x")
            await asyncio.sleep(0.5)
            await socket.ping()
    except (WebSocketException, OSError):
        return False
    return sent > 100


async def invented_names(attacker: Attacker) -> bool:
    """Pages of rules that do not exist are kept in memory under their long names."""
    before = 0.0
    for number in range(500):
        if number == 200:  # what the server needs by itself is there now
            before = attacker.server.resident_mb()
        guest = httpx.AsyncClient(headers={"X-Forwarded-For": f"198.51.100.{number % 250}"}, timeout=PATIENCE)
        await guest.get(f"{attacker.server.url}/api/rules/{f'{number:05}' * 11_000}/boards")
        await guest.aclose()
    return attacker.server.resident_mb() - before > 8


async def padded_record(attacker: Attacker) -> bool:
    """A record with 150 kB of comments is stored as it is."""
    game = Game("lite+entry", seed=1)
    game.end("resign", 0)
    text = game.record() + "".join(f"# {number:05} {'x' * 90}\n" for number in range(1500))
    guest = await attacker.guest("203.0.113.2")
    answer = await guest.post("/api/records", json={"text": text})
    if answer.status_code != 201:
        return False
    return len((await guest.get(f"/api/records/{answer.json()['id']}")).json()["text"]) > 100_000


async def look_alike_accounts(attacker: Attacker) -> bool:
    """Three accounts have names that look alike."""
    codes = []
    for number, name in enumerate(("Tom", "Тom", "Τom")):
        guest = await attacker.guest(f"203.0.113.{10 + number}")
        codes.append((await guest.post("/api/account", json={"name": name})).status_code)
    return codes.count(201) > 1


async def invisible_letters(attacker: Attacker) -> bool:
    """A guest has the name of an account and an invisible letter."""
    owner = await attacker.guest("203.0.113.20")
    await owner.post("/api/account", json={"name": "Akiko"})
    guest = await attacker.guest("203.0.113.21", "Akiko\u3164")
    name = (await guest.get("/api/me")).json()["name"]
    return bool(name.startswith("Akiko"))


async def many_tournaments(attacker: Attacker) -> bool:
    """Tournaments of a few addresses bury that of another."""
    victim = await attacker.guest("203.0.113.40", "Victim")
    await victim.post("/api/tournaments", json={"name": "The real one", "clock": {"bank": 60}})
    for number in range(120):
        guest = await attacker.guest(f"198.51.100.{40 + number // 12}", f"Guest {number}")
        await guest.post("/api/tournaments", json={"name": f"N{number}", "clock": {"bank": 60}})
    await asyncio.sleep(2.5)
    return "The real one" not in (await victim.get("/api/tournaments")).text


async def entering_in_a_loop(attacker: Attacker) -> bool:
    """One guest leaves and enters a tournament hundreds of times; each is stored."""
    guest = await attacker.guest("203.0.113.50", "Loop")
    id = (await guest.post("/api/tournaments", json={"name": "T", "clock": {"bank": 60}})).json()["id"]
    stored = 0
    end = time.monotonic() + 10
    while time.monotonic() < end and stored < 200:
        for path in ("enter", "leave"):
            stored += (await guest.post(f"/api/tournaments/{id}/{path}", json={})).status_code == 200
    return stored >= 100


async def places_of_one_address(attacker: Attacker) -> bool:
    """Guests of one address take every place of a tournament."""
    host = await attacker.guest("203.0.113.60", "Host of places")
    body = {"name": "T", "clock": {"bank": 60}, "most": 16}
    id = (await host.post("/api/tournaments", json=body)).json()["id"]
    entered = 0
    for number in range(16):
        guest = await attacker.guest("203.0.113.61", f"Place {number}")
        entered += (await guest.post(f"/api/tournaments/{id}/enter", json={})).status_code == 200
    return entered == 16


async def readable_database(attacker: Attacker) -> bool:
    """Every user of the machine can read the database."""
    return bool(os.stat(attacker.server.database).st_mode & (stat.S_IRGRP | stat.S_IROTH))


ATTACKS: Final[tuple[Attack, ...]] = (
    silent_frames,
    invented_names,
    padded_record,
    look_alike_accounts,
    invisible_letters,
    many_tournaments,
    entering_in_a_loop,
    places_of_one_address,
    readable_database,
)


async def try_attack(attack: Attack, python: str) -> bool:
    """Return whether an attack is possible on a fresh server."""
    with tempfile.TemporaryDirectory() as folder:
        server = OtherServer(python, str(Path(folder) / "games.db"))
        server.start()
        await server.ready()
        try:
            return await attack(Attacker(server))
        finally:
            server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="", help="the Python of another checkout's environment")
    parser.add_argument("--only", nargs="*", default=[], choices=[attack.__name__ for attack in ATTACKS])
    given = parser.parse_args()
    possible = []
    for attack in ATTACKS:
        if given.only and attack.__name__ not in given.only:
            continue
        found = asyncio.run(try_attack(attack, given.python or sys.executable))
        possible += [attack.__name__] * found
        about = (attack.__doc__ or "").partition("\n")[0]
        print(f"{'POSSIBLE' if found else 'refused '} {attack.__name__}: {about}", flush=True)
    if possible and not given.python:
        raise SystemExit(f"possible: {', '.join(possible)}")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
