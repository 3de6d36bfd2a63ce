"""A connection is transferred to the process of its room; if that fails, it stays."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from pathlib import Path

import pytest
from redis.asyncio import from_url

from blackpoker.client import Client
from blackpoker.server.cluster.bus import Bus
from blackpoker.server.cluster.transfer import SUPPORTED, SocketHandover, requested_room
from tests.long.kills import ServerProcess, free_port
from tests.long.scaling import redis
from tests.server.live import PATIENCE

HEAD = b"GET /ws?room=abc HTTP/1.1\r\nhost: here\r\n\r\n"


class Known(Bus):
    """A bus with fixed locations of rooms and processes."""

    single_process = False

    def __init__(self, rooms: dict[str, str], doors: dict[str, str]) -> None:
        super().__init__()
        self.homes, self.doors = rooms, doors

    async def owners(self, rooms: list[str]) -> list[str]:
        return [self.homes.get(room, "") for room in rooms]

    async def handover_address_of(self, process: str) -> str:
        return self.doors.get(process, "")


class Greeter(asyncio.Protocol):
    """The protocol in the other process: it echoes the received data."""

    adopted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(b"taken over: " + data)


@pytest.mark.skipif(not SUPPORTED, reason="sockets cannot be handed over here")
def test_the_socket_itself_goes_to_the_other_process() -> None:
    async def story() -> bytes:
        there = SocketHandover(Known({}, {}), {"abc"})
        await there.open(Greeter)
        here = SocketHandover(
            Known({"abc": "other", "gone": "dead"}, {"other": there.bus.handover_address, "dead": "/nowhere"}), {"own"}
        )
        await here.open(Greeter)
        assert here.remote_room(b"/ws?room=own") == ""
        assert here.remote_room(b"/ws") == ""
        assert here.remote_room(b"/ws?room=abc") == "abc"
        listening = socket.create_server(("127.0.0.1", 0))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        connection, _ = listening.accept()
        assert not await here.hand_over("nobody's", connection.fileno(), HEAD)
        assert not await here.hand_over("gone", connection.fileno(), HEAD)
        assert await here.hand_over("abc", connection.fileno(), HEAD)
        connection.close()  # this end of the connection
        answer = await asyncio.wait_for(reader.read(1000), PATIENCE)
        writer.close()
        folder = Path(there.folder)
        for transfer in (here, there):
            transfer.close()
        listening.close()
        assert not folder.exists()
        return answer

    assert asyncio.run(story()) == b"taken over: " + HEAD


def test_an_address_names_its_room() -> None:
    assert requested_room(b"/ws?room=k3Jd0aQ&x=1") == "k3Jd0aQ"
    assert (
        requested_room(b"/ws?roam=1")
        == requested_room(b"/ws")
        == requested_room(b"/ws?room=\xff")
        == requested_room(b"//[")
        == ""
    )


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_both_seats_of_a_room_meet_in_its_process(tmp_path: Path) -> None:
    """Eight rooms over two processes: afterwards every connection is in the process of its room."""

    async def story(url: str) -> list[int]:
        async with Client(url, "A") as one, Client(url, "B") as two:
            rooms = [await one.create_room(window_ms=0) for _ in range(8)]
            seats = []
            for room in rooms:
                for client in (one, two):
                    playing = client.join(room.id)
                    seats.append((playing, await playing.__aenter__()))
            text = await asyncio.to_thread(read, url + "/metrics")  # any process reports for all
            for playing, _ in seats:
                await playing.__aexit__(None, None, None)
            found = re.findall(r'blackpoker_(rooms|connections)\{process="(\w+)"\} (\d+)', text)
            counts = {(name, process): int(count) for name, process, count in found}
            processes = {process for _, process in counts}
            assert sum(counts["rooms", process] for process in processes) == 8
            return [counts["connections", process] - 2 * counts["rooms", process] for process in processes]

    with redis() as address:
        victim = ServerProcess(str(tmp_path / "games.db"), free_port(), "--redis", address, "--processes", "2")
        victim.start()
        try:

            async def all_of_it() -> list[int]:
                await victim.ready()
                async with from_url(address) as known:
                    while len([door for door in await known.mget(await known.keys("bp:alive:*") or ["-"]) if door]) < 2:
                        await asyncio.sleep(0.1)  # until both accept connections
                return await story(victim.url)

            assert set(asyncio.run(asyncio.wait_for(all_of_it(), PATIENCE))) == {0}
        finally:
            victim.stop()


def read(url: str) -> str:
    from urllib.request import urlopen

    with urlopen(url, timeout=PATIENCE) as answer:
        return str(answer.read().decode())
