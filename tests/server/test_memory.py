"""Memory of closed connections and rooms is freed at once, without garbage collection; delayed spectators use little."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.server import ServerProtocol

from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server.admission import UNLIMITED
from blackpoker.server.fairness.sealed_match import SealedMatch
from blackpoker.server.http.connection_limits import ConnectionGate
from blackpoker.server.http.uvicorn_parts import HttpToolsProtocol
from blackpoker.server.rooms import spectator_delay
from blackpoker.server.rooms.game import RoomGame
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import RoomChanges, RoomClient
from blackpoker.server.ws.connection import Connection
from blackpoker.server.ws.frames import FrameProtocol
from tests.server.live import Live, wait_until
from tests.server.room_driver import Driver
from tests.server.virtual_time import Person, make_room_manager, run_virtually

#: our classes behind a connection and a room. By class, not by name: a database driver has a Connection too
OURS = (FrameProtocol, HttpToolsProtocol, Connection, ServerProtocol, Room, RoomGame, SealedMatch)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("memory") / "games.db", door=ConnectionGate(UNLIMITED, 1000)) as server:
        yield server


@pytest.fixture(autouse=True)
def no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive() -> Counter[str]:
    kinds = Counter(type(found) for found in gc.get_objects())
    return Counter({kind.__qualname__: many for kind, many in kinds.items() if issubclass(kind, OURS)})


def address(live: Live) -> str:
    return live.url.replace("http", "ws", 1) + "/ws?room=x"


async def forged_cookie(live: Live) -> None:
    async with connect(address(live), additional_headers={"Cookie": "blackpoker_guest=forged.value.x"}) as line:
        assert "no_guest" in str(await line.recv())
        with pytest.raises(WebSocketException):
            await line.recv()


async def foreign_page(live: Live) -> None:
    with pytest.raises(WebSocketException):
        async with connect(address(live), additional_headers={"Origin": "http://elsewhere.example"}):
            raise AssertionError("it was let in")


async def no_such_room(live: Live) -> None:
    async with Client(live.url, "A") as client:
        with pytest.raises(Refused):
            async with client.join("nosuch"):
                raise AssertionError("it is there")


async def broken_handshake(live: Live) -> None:
    found = urlsplit(live.url)
    with socket.create_connection((found.hostname, found.port)) as line:
        line.sendall(b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        assert line.recv(1000)


async def garbage(live: Live) -> None:
    """An invalid frame: its error used to be kept together with its call stack."""
    async with Client(live.url, "A") as client:
        room = await client.create_room()
        async with client.join(room.id, "watch") as seat:
            assert seat.socket is not None
            seat.socket.transport.write(b"\xff" * 20)
            with pytest.raises(WebSocketException):
                await until_closed(seat)
        await forgotten(live, room.id)


async def until_closed(seat: ServerSeat) -> None:
    while True:
        await seat.receive()


async def spectator_visit(live: Live) -> None:
    async with Client(live.url, "A") as client:
        room = await client.create_room()
        async with client.join(room.id, "watch"):
            pass
        await forgotten(live, room.id)


async def forgotten(live: Live, room: str) -> None:
    state = live.state
    assert state is not None
    live.server.servers[0].get_loop().call_soon_threadsafe(state.room_manager.drop, room)
    await wait_until(lambda: room not in state.room_manager.rooms, "it is forgotten")


@pytest.mark.parametrize(
    "visit", [forged_cookie, foreign_page, no_such_room, broken_handshake, garbage, spectator_visit]
)
def test_a_connection_that_is_gone_is_freed(live: Live, visit: object) -> None:
    """Regression: refused sockets left 25 kB each until the next garbage collection."""
    before = alive()

    async def story() -> None:
        for _ in range(10):
            await visit(live)  # type: ignore[operator]

    asyncio.run(story())
    try:
        asyncio.run(wait_until(lambda: not alive() - before, "freed"))
    except AssertionError:
        raise AssertionError(f"still here: {alive() - before}") from None


def test_a_room_that_is_forgotten_is_freed() -> None:
    before = alive()
    for regulation in ("lite+entry", "pro+randomhalf"):
        driver = Driver(regulation, 3)
        driver.play()
        driver.room.close()
        del driver
    assert not alive() - before  # objects of other tests may be freed meanwhile


# -- spectators with a delay
# ---------------------------------------------------------------------------------------------


def watching(driver: Driver, number: int, lang: p.Lang = "en") -> str:
    key = f"w{number}"
    driver.room.join(RoomClient(key, f"g{number}", "W"), p.Join(1, "room", "watch", lang), driver.now)
    driver.collect()
    return key


def stored_bytes(driver: Driver) -> int:
    return sum(row.size for row in driver.room.broadcast.spectator_delay.streams.values())


def test_watchers_with_a_delay_keep_one_row_however_often_they_look() -> None:
    """Regression: each look stored a whole update per spectator for ten minutes: 600 MB in a minute from one address."""
    driver = Driver(seed=1, spectator_delay=600)
    keys = [watching(driver, number) for number in range(50)]
    driver.start()
    for _ in range(10):
        driver.step()
    before = stored_bytes(driver)
    assert 0 < before < 100_000
    for key in keys:
        for _ in range(20):
            assert driver.send(key, p.RequestResync(1)) == [], "there is nothing yet that they may see"
    assert stored_bytes(driver) == before
    driver.now += 601
    driver.room.tick(driver.now)
    driver.collect()
    assert stored_bytes(driver) == 0
    received = driver.inbox[keys[0]]
    assert any(isinstance(message, p.Update) for message in received)
    assert [p.encode(message) for message in received] == [p.encode(message) for message in driver.inbox[keys[-1]]]
    seen = [message for message in received if isinstance(message, p.Update)][-1]
    assert driver.send(keys[0], p.RequestResync(1)) == [seen], "what he has seen he may see again"
    late = watching(driver, 99)
    assert seen in driver.inbox[late], "whoever comes later sees what the others see"


def test_messages_without_recipients_are_dropped() -> None:
    driver = Driver(seed=1, spectator_delay=600)
    keys = [watching(driver, 0, "en"), watching(driver, 1, "ja")]
    driver.room.leave("w", driver.now)
    driver.start()
    for _ in range(10):
        driver.step()
    both = stored_bytes(driver)
    driver.room.leave(keys[0], driver.now)
    assert 0 < stored_bytes(driver) < both
    driver.room.leave(keys[1], driver.now)
    assert stored_bytes(driver) == 0
    assert driver.room.broadcast.spectator_delay.streams == {}


def test_a_room_keeps_little_for_delayed_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectator_delay, "MAX_BYTES", 20_000)
    driver = Driver(seed=2, spectator_delay=600)
    watching(driver, 0, "ja")
    driver.start()
    for _ in range(60):
        driver.step()
        assert stored_bytes(driver) <= 20_000
    driver.now += 601
    driver.room.tick(driver.now)
    driver.collect()
    last = [message for message in driver.inbox["w0"] if isinstance(message, p.Update)][-1]
    assert last.seq == driver.room.room_game.seq, "the latest is told, and it is whole"
    assert last.view is not None


def test_many_new_spectators_are_announced_once() -> None:
    """Regression: each join among 150 spectators was broadcast to all of them, and each leave too."""
    driver = Driver(seed=1)
    driver.inbox["a"] = []
    for number in range(100):
        watching(driver, number)
    assert driver.inbox["a"] == [], "in a moment"
    driver.now += 1.0
    driver.room.tick(driver.now)
    driver.collect()
    (message,) = driver.inbox["a"]
    assert isinstance(message, p.RoomState)
    assert message.room.spectators == 101


def test_a_stopping_server_does_not_log_each_departure() -> None:
    """Regression: at shutdown five thousand clients freed a seat with a commit each, which delayed the stop by 11 s."""

    async def story() -> list[int]:
        room_manager = make_room_manager()
        writes: list[int] = []
        keep = room_manager.store.save

        def counted(room: str, outcome: RoomChanges, now: float, on_stored: Callable[[bool], None]) -> None:
            writes.append(1)
            keep(room, outcome, now, on_stored)

        room_manager.store.save = counted  # type: ignore[method-assign]
        room = await room_manager.create(p.RoomSettings())
        people = [Person(room_manager, name) for name in ("a", "b")]
        for person in people:
            await person.join(room.id)
        before = len(writes)
        people[0].leave()
        assert len(writes) > before, "his seat is free again"
        before, room_manager.stopping = len(writes), True
        people[1].leave()
        assert room_manager.connections == {}
        return writes[before:]

    assert run_virtually(story) == []
