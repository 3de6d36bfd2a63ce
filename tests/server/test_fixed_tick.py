"""While a player may be prompted, every response of the server leaves on the fixed tick: also to non-messages,
malformed requests, connects and disconnects."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.asyncio.client import connect

from blackpoker.client import COOKIE, Client
from blackpoker.protocol import messages as p
from blackpoker.server.admission import UNLIMITED
from blackpoker.server.http.connection_limits import ConnectionGate
from blackpoker.server.rooms.broadcaster import MAX_QUEUED
from blackpoker.server.rooms.seats import RoomClient
from tests.server.live import Live
from tests.server.room_driver import Driver

#: seconds until the simulated tick
WAIT = 0.25


#: seconds until the tick, as the server sees them
now = {"wait": 0.0}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    door = ConnectionGate(UNLIMITED, 1000)
    with Live(tmp_path_factory.mktemp("beats") / "games.db", door=door) as live:
        assert live.state is not None
        live.state.room_manager.response_delay = door.response_delay = lambda: now["wait"]  # type: ignore[method-assign]
        yield live


@contextmanager
def delayed_tick() -> Iterator[None]:
    """Delay the tick and check that the work inside takes until it."""
    now["wait"] = WAIT
    started = time.monotonic()
    try:
        yield
        assert time.monotonic() - started >= WAIT * 0.9  # a timer may fire slightly early
    finally:
        now["wait"] = 0.0


def raw(live: Live, text: str) -> bytes:
    """Return the first bytes received on a new connection."""
    host, _, port = live.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), 60) as line:
        line.sendall(text.encode())
        return line.recv(65_536)


HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\n{key}\r\n"
)


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        ("GET /api/levels HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),
        ("GET /assets/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),
        ("nonsense\r\n\r\n", b"400"),
        (HANDSHAKE.format(key="Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), b"101"),
        (HANDSHAKE.format(key=""), b"400"),
        (
            "POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "Expect: 100-continue\r\n\r\n",
            b"100",
        ),
    ],
)
def test_no_request_is_answered_before_the_beat(live: Live, ask: str, answer: bytes) -> None:
    with delayed_tick():
        assert raw(live, ask).split()[1] == answer


Probe = Callable[[Any], Awaitable[Any]]


async def ping(line: Any) -> None:
    await (await line.ping())


async def garbage(line: Any) -> None:
    await line.send("{")
    assert "bad_message" in await line.recv()


async def large(line: Any) -> None:
    await line.send("x" * 20_000)
    assert "too_large" in await line.recv()


async def nothing_joined(line: Any) -> None:
    await line.send('{"type":"ping","id":1}')
    assert "join_first" in await line.recv()


async def nowhere(line: Any) -> None:
    await line.send('{"type":"join","room":"nowhere"}')
    assert "no_room" in await line.recv()


async def farewell(line: Any) -> None:
    await line.close()


@pytest.mark.parametrize("say", [ping, garbage, large, nothing_joined, nowhere, farewell])
def test_no_frame_is_answered_before_the_beat(live: Live, say: Probe) -> None:
    async def story() -> None:
        async with Client(live.url, "A") as client:
            address = f"{live.url.replace('http', 'ws')}/ws"
            async with connect(address, additional_headers={"Cookie": f"{COOKIE}={client.cookie}"}) as line:
                with delayed_tick():
                    await say(line)

    asyncio.run(story())


def test_garbage_of_a_joined_client_waits_for_the_beat_and_the_rest_keeps_its_order(live: Live) -> None:
    async def story() -> None:
        async with Client(live.url, "A") as client:
            room = await client.create_room(regulation="lite+entry")
            address = f"{live.url.replace('http', 'ws')}/ws"
            async with connect(address, additional_headers={"Cookie": f"{COOKIE}={client.cookie}"}) as line:
                await line.send(f'{{"type":"join","room":"{room.id}","id":1}}')
                while '"welcome"' not in await line.recv():
                    pass
                with delayed_tick():
                    await line.send("{")
                    await line.send('{"type":"ping","id":7}')
                    received = ""
                    while "bad_message" not in received:
                        received = str(await line.recv())
                        assert '"pong"' not in received
                while '"pong"' not in received:
                    received = str(await line.recv())

    asyncio.run(story())


def in_a_window() -> Driver:
    """Return a driver in which ``b`` is prompted in a window and ``a`` waits."""
    for seed in range(40):
        driver = Driver(seed=seed, window_ms=2000)
        driver.start()
        for _ in range(60):
            if driver.now < driver.room.windows.release_at and driver.room.room_game.player == 1:
                driver.inbox.clear()
                return driver
            driver.step()
    raise AssertionError("no window came")


def test_joins_and_departures_in_a_window_are_sent_on_the_beat() -> None:
    driver = in_a_window()
    room = driver.room
    room.join(RoomClient("tab", "guest-a", "A"), p.Join(1, "room", "p1", "en"), driver.now)
    driver.collect()
    assert driver.inbox == {}
    room.leave("tab", driver.now)
    driver.collect()
    assert driver.inbox == {}
    driver.now = min(queued[0] for queued in room.broadcast.queued)
    room.tick(driver.now)
    driver.collect()
    assert any(isinstance(message, p.RoomState) for message in driver.inbox["a"])


def test_spectators_do_not_delay_players() -> None:
    driver = in_a_window()
    for number in range(10 * MAX_QUEUED):
        driver.room.receive("w", p.Ping(number), driver.now)
    assert len(driver.room.broadcast.queued) == MAX_QUEUED
    driver.room.receive("a", p.Chat(3, "hello"), driver.now)
    driver.room.receive("a", p.Resign(4), driver.now)
    queued = [message for _, to, message in driver.room.broadcast.queued if to == "a"]
    assert [type(message) for message in queued] == [p.ChatLine, p.Ack]
