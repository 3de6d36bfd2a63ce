"""The client in isolation: its messages, and its errors if no server responds."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest

from blackpoker import Player
from blackpoker.client import Client, Refused, ServerSeat, Unreachable
from blackpoker.protocol import messages as p
from blackpoker.server.fairness.receipt import next_terms
from blackpoker.server.fairness.seal import make_seal


class FakeSocket:
    """A connection on which the server has sent these messages."""

    def __init__(self, *incoming: p.AnyServerMessage) -> None:
        self.incoming = [p.encode(message) for message in incoming]
        self.sent: list[p.AnyClientMessage] = []

    async def recv(self) -> bytes:
        return self.incoming.pop(0)

    async def send(self, text: str) -> None:
        self.sent.append(p.decode(text.encode()))

    @property
    def salts(self) -> list[str]:
        return [message.terms for message in self.sent if isinstance(message, p.Reveal)]


def room(other: str, commitment: str = "c") -> p.RoomState:
    mine = p.SeatInfo("human", "a", True, True, seal=make_seal("p1", "blue", ""))
    theirs = p.SeatInfo("human", "b", True, True, seal=make_seal("p2", other, ""))
    return p.RoomState(p.RoomInfo("r", "waiting", p.RoomSettings(), mine, theirs, 0, 0, commitment))


def revealed_terms(seat: ServerSeat, *messages: p.AnyServerMessage) -> list[str]:
    """Return the terms for which the seat reveals its salt after these messages."""

    async def receive_all() -> list[str]:
        wire: Any = FakeSocket(*messages)
        seat.socket = wire
        for _ in messages:
            await seat.receive()
        return list(wire.salts)

    return asyncio.run(receive_all())


def sealed_seat() -> ServerSeat:
    seat = ServerSeat("http://127.0.0.1:1", "r", "")
    seat.seat = "p1"
    seat.keeper.ready(1, Player.P1, "blue", "")
    return seat


def test_one_reveal_however_long_the_other_takes() -> None:
    seat = sealed_seat()
    red = next_terms(room("red").room).hash
    assert revealed_terms(seat, *[room("red")] * 50, p.ChatLine("p2", "b", "hello"), room("red")) == [red]
    assert revealed_terms(seat, room("red")) == []


@pytest.mark.parametrize("second", [room("green"), room("red", "d")], ids=["another seal", "another commitment"])
def test_a_salt_serves_one_game(second: p.RoomState) -> None:
    """The server knows the salt by now, so that whatever changes could have been chosen."""
    seat = sealed_seat()
    assert len(revealed_terms(seat, room("red"))) == 1
    with pytest.raises(Refused, match="second commitment"):
        revealed_terms(seat, second)
    assert revealed_terms(seat, second) == []


def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_a_dead_server_is_a_clear_error() -> None:
    url = f"http://127.0.0.1:{unused_port()}"

    async def connect() -> None:
        async with Client(url, name="me"):
            raise AssertionError("nobody is there")

    async def sit() -> None:
        async with Client.join(Client(url), "room"):
            raise AssertionError("nobody is there")

    for attempt in (connect, sit):
        with pytest.raises(Unreachable, match=f"no BlackPoker server answers at {url}"):
            asyncio.run(attempt())


def answering(answer: bytes) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    return serve


@pytest.mark.parametrize("answer", [b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", b"nonsense\r\n\r\n", b""])
def test_something_else_at_the_address_is_a_clear_error(answer: bytes) -> None:
    async def connect() -> None:
        server = await asyncio.start_server(answering(answer), "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server:
            with pytest.raises(Unreachable, match="no BlackPoker server answers at"):
                async with Client(url):
                    pass

    asyncio.run(connect())


def test_an_address_is_http() -> None:
    for url in ("localhost:8080", "ftp://here", ""):
        with pytest.raises(ValueError, match="begins with http"):
            Client(url)
