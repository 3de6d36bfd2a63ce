"""Virtual time: an event loop in which waiting takes no time, and a room manager without network or disk.

Rooms, queue and moving between rooms are the server's own. Players are scripts.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

from blackpoker.protocol import messages as p
from blackpoker.server.admission import UNLIMITED
from blackpoker.server.clock import GameClock
from blackpoker.server.cluster.bus import Bus
from blackpoker.server.metrics import Metrics
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.seats import ConnectionIdentity, RoomChanges
from blackpoker.server.storage.interface import RetentionPolicy


class NoWait(selectors.SelectSelector):
    """A selector that advances the loop's time at once, because nothing arrives from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def select(self, timeout: float | None = None) -> list[Any]:
        found = super().select(0)
        if timeout and not found:
            self.now += timeout
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.selector = NoWait()
        super().__init__(self.selector)

    def time(self) -> float:
        return self.selector.now


def run_virtually(story: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(story())
    finally:
        loop.close()


class NoStore:
    """A store that stores nothing and confirms slightly later."""

    stalled = False
    on_stall: Callable[[bool], None]

    def __init__(self, commit: float = 0.01) -> None:
        self.commit = commit
        self.ratings: dict[str, float] = {}  # of accounts, in points

    def save(self, room: str, outcome: RoomChanges, now: float, on_stored: Callable[[bool], None]) -> None:
        asyncio.get_running_loop().call_later(self.commit, on_stored, True)

    async def room(self, id: str) -> None:
        return None

    async def rating(self, player: str, format: str, now: float) -> float:
        await asyncio.sleep(self.commit)
        return self.ratings[player]


def make_room_manager() -> RoomManager:
    loop = asyncio.get_running_loop()
    bus = Bus()
    bus.clock = loop.time
    return RoomManager(NoStore(), bus, Metrics(), UNLIMITED, RetentionPolicy(), GameClock(loop.time, loop.time))  # type: ignore[arg-type]


def store_of(room_manager: RoomManager) -> NoStore:
    assert isinstance(room_manager.store, NoStore)
    return room_manager.store


class Person:
    """A connection of a guest; received messages are passed to ``on_message`` after a delay."""

    def __init__(self, room_manager: RoomManager, guest: str, network: str = "", delay: float = 0.0) -> None:
        self.room_manager = room_manager
        self.key = f"{room_manager.bus.process_id}.{guest}"
        self.identity = ConnectionIdentity(guest, guest, network)
        self.delay = delay
        self.here = False

    def send(self, *messages: bytes) -> None:
        for data in messages:
            asyncio.get_running_loop().call_later(self.delay, self.arrived, p.decode_server(data))

    def arrived(self, message: p.AnyServerMessage) -> None:
        if self.here:
            self.on_message(message)

    def on_message(self, message: p.AnyServerMessage) -> None:
        """Handle a received message."""

    def close(self, code: int, why: str) -> None:
        self.leave()

    async def join(self, room: str) -> None:
        self.here = True
        await self.room_manager.join(self.key, self, self.identity, p.Join(1, room))

    def submit(self, message: p.AnyClientMessage) -> None:
        asyncio.get_running_loop().call_later(self.delay, self.deliver, message)

    def deliver(self, message: p.AnyClientMessage) -> None:
        if self.here:
            self.room_manager.receive(self.key, message)

    def leave(self) -> None:
        if self.here:
            self.here = False
            self.room_manager.leave(self.key)
