"""Attacks of hostile clients on a running server, from outside: each line says whether it was possible.

    python -m tests.long.attacks
    python -m tests.long.attacks --python /other/checkout/.venv/bin/python

All of them were possible on 0b24fb11. With ``--python`` the server of another checkout is attacked; without, this one,
and an attack that is possible fails the run. An address of its own is a header of a proxy on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx
from tests.long.kills import ServerProcess, free_port
from tests.server.live import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from blackpoker.game.game import Game

#: frames of a client that only follows, and seconds in which they may be sent
FRAMES: Final = 20_000
FRAME_SECONDS: Final = 5.0
#: seconds of one attack
MOST_SECONDS: Final = 120.0


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

    def socket(self, guest: httpx.AsyncClient, path: str) -> connect:
        """Return a socket of a guest, to be opened with ``async with``."""
        cookie = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
        headers = {"Cookie": cookie, "X-Forwarded-For": guest.headers["X-Forwarded-For"]}
        url = self.server.url.replace("http", "ws") + path
        return connect(url, additional_headers=headers, ping_interval=None, max_size=2**22)


Attack = Callable[[Attacker], Awaitable[bool]]


async def until(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of these types."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message["type"] in kinds:
            return message


async def silent_frames(attacker: Attacker) -> bool:
    """A client of a tournament's feed sends frames to no purpose, and is served on."""
    guest = await attacker.guest("203.0.113.1", "Host")
    made = (await guest.post("/api/tournaments", json={"name": "T", "clock": {"bank": 60}})).json()
    sent = 0
    try:
        async with attacker.socket(guest, f"/ws/tournament?id={made['id']}") as socket:
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


async def places_of_the_gone(attacker: Attacker) -> bool:
    """Entrants who have left keep their places."""
    host = await attacker.guest("203.0.113.62", "Host of two")
    body = {"name": "T", "clock": {"bank": 60}, "most": 2}
    id = (await host.post("/api/tournaments", json=body)).json()["id"]
    for number in range(2):
        guest = await attacker.guest(f"203.0.113.{64 + number}", f"Gone {number}")
        for path in ("enter", "leave"):
            await guest.post(f"/api/tournaments/{id}/{path}", json={})
    late = await attacker.guest("203.0.113.66", "Late")
    return (await late.post(f"/api/tournaments/{id}/enter", json={})).status_code != 200


async def parallel_renames(attacker: Attacker) -> bool:
    """One account owns five names after five renames at once."""
    owner = await attacker.guest("203.0.113.80")
    await owner.post("/api/account", json={"name": "First name"})
    names = [f"Parallel {letter}" for letter in "abcde"]
    await asyncio.gather(*(owner.post("/api/account/change", json={"name": name}) for name in names))
    refused = 0
    for number, name in enumerate(names):
        other = await attacker.guest(f"203.0.113.{81 + number}")
        refused += (await other.post("/api/account", json={"name": name})).status_code != 201
    return refused > 1


async def locked_out_owner(attacker: Attacker) -> bool:
    """Wrong guesses of strangers keep the owner with the right cards out."""
    owner = await attacker.guest("203.0.113.90")
    made = (await owner.post("/api/account", json={"name": "Rightful"})).json()
    right = made["code"]
    cards, wrong = " ".join(right), " ".join(reversed(right))
    for number in range(40):
        stranger = await attacker.guest(f"198.51.100.{100 + number}")
        await stranger.post("/api/sign-in/code", json={"name": "Rightful", "cards": wrong})
    again = await attacker.guest("203.0.113.91")
    return (await again.post("/api/sign-in/code", json={"name": "Rightful", "cards": cards})).status_code == 429


async def empty_rooms(attacker: Attacker) -> bool:
    """Rooms whose player has left hide the one with a player."""
    real = await attacker.guest("203.0.113.95", "Real")
    room = (await real.post("/api/rooms", json={"listed": True})).json()["room"]["id"]

    async def sit(guest: httpx.AsyncClient, room: str) -> ClientConnection:
        socket = await attacker.socket(guest, f"/ws?room={room}")
        await socket.send(json.dumps({"type": "join", "room": room}))
        await until(socket, "welcome")
        await socket.send('{"type":"ready"}')
        return socket

    socket = await sit(real, room)
    for number in range(62):
        puppet = await attacker.guest(f"198.51.100.{number % 7}", f"Puppet {number}")
        made = (await puppet.post("/api/rooms", json={"listed": True})).json()["room"]["id"]
        await (await sit(puppet, made)).close()
    await asyncio.sleep(3.0)
    shown = (await real.get("/api/lobby")).text
    await socket.close()
    return room not in shown


async def unplayed_rated_game(attacker: Attacker) -> bool:
    """A quick match that is resigned before any move changes the ratings."""
    pair, rooms = [], []
    for number, name in enumerate(("Buyer", "Helper")):
        guest = await attacker.guest(f"203.0.{100 + number}.1")
        await guest.post("/api/account", json={"name": name})
        body = {"regulation": "lite+entry", "rated": True}
        rooms.append((await guest.post("/api/quick", json=body)).json()["room"])
        pair.append(guest)
    sockets = [await attacker.socket(guest, f"/ws?room={room}") for guest, room in zip(pair, rooms, strict=True)]

    async def begin(socket: ClientConnection, room: str) -> None:
        await socket.send(json.dumps({"type": "join", "room": room}))
        while (await until(socket, "welcome", "update"))["type"] == "welcome":  # again in the other player's room
            await socket.send('{"type":"ready"}')

    await asyncio.gather(*(begin(socket, room) for socket, room in zip(sockets, rooms, strict=True)))
    await sockets[1].send('{"type":"resign","id":9}')
    await asyncio.gather(*(until(socket, "game_over", "over") for socket in sockets))
    await asyncio.sleep(2.0)
    id = (await pair[0].get("/api/me")).json()["player"]
    page = (await pair[0].get(f"/api/players/{id}")).json()
    for socket in sockets:
        await socket.close()
    return any(one["games"] for one in page["formats"])


async def incomplete_export(attacker: Attacker) -> bool:
    """An export lacks the tournaments of an account."""
    host = await attacker.guest("203.0.113.99")
    await host.post("/api/account", json={"name": "Exporter"})
    made = (await host.post("/api/tournaments", json={"name": "Exported one", "clock": {"bank": 60}})).json()
    await host.post(f"/api/tournaments/{made['id']}/enter", json={})
    await asyncio.sleep(1.0)
    return "Exported one" not in (await host.get("/api/account/export")).text


async def no_hsts(attacker: Attacker) -> bool:
    """A page behind TLS has no Strict-Transport-Security."""
    guest = await attacker.guest("203.0.113.98")
    answer = await guest.get("/api/levels", headers={"X-Forwarded-Proto": "https"})
    return "strict-transport-security" not in answer.headers


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
    places_of_the_gone,
    parallel_renames,
    locked_out_owner,
    empty_rooms,
    unplayed_rated_game,
    incomplete_export,
    no_hsts,
    readable_database,
)


async def try_attack(attack: Attack, python: str) -> bool:
    """Return whether an attack is possible on a fresh server."""
    with tempfile.TemporaryDirectory() as folder:
        server = OtherServer(python, str(Path(folder) / "games.db"))
        server.start()
        await server.ready()
        try:
            return await asyncio.wait_for(attack(Attacker(server)), MOST_SECONDS)
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
