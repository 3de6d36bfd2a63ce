"""Virtual time: an event loop in which waiting takes no time, and a room manager without network or disk.

Rooms, queue and moving between rooms are the server's own. Players are scripts.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

from blackpoker.server.net.bus import Bus
from blackpoker.server.net.game_clock import GameClock
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import UNLIMITED
from blackpoker.server.net.metrics import Metrics
from blackpoker.server.rooms.seats import RoomOutcome, Visitor
from blackpoker.server.store.promises import Keeping
from blackpoker.wire import protocol as p


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

    def keep(self, room: str, outcome: RoomOutcome, now: float, then: Callable[[bool], None]) -> None:
        asyncio.get_running_loop().call_later(self.commit, then, True)

    async def room(self, id: str) -> None:
        return None

    async def rating(self, player: str, format: str, now: float) -> float:
        await asyncio.sleep(self.commit)
        return self.ratings[player]


def make_hub() -> Hub:
    loop = asyncio.get_running_loop()
    bus = Bus()
    bus.clock = loop.time
    return Hub(NoStore(), bus, Metrics(), UNLIMITED, Keeping(), GameClock(loop.time, loop.time))  # type: ignore[arg-type]


def store_of(hub: Hub) -> NoStore:
    assert isinstance(hub.store, NoStore)
    return hub.store


class Person:
    """A connection of a guest; received messages are passed to ``on_message`` after a delay."""

    def __init__(self, hub: Hub, guest: str, network: str = "", delay: float = 0.0) -> None:
        self.hub = hub
        self.key = f"{hub.bus.me}.{guest}"
        self.who = Visitor(guest, guest, network)
        self.delay = delay
        self.here = False

    def push(self, *messages: bytes) -> None:
        for data in messages:
            asyncio.get_running_loop().call_later(self.delay, self.arrived, p.decode_answer(data))

    def arrived(self, message: p.ServerMessage) -> None:
        if self.here:
            self.hear(message)

    def hear(self, message: p.ServerMessage) -> None:
        """Handle a received message."""

    def close(self, code: int, why: str) -> None:
        self.leave()

    async def join(self, room: str) -> None:
        self.here = True
        await self.hub.join(self.key, self, self.who, p.Join(1, room))

    def say(self, said: p.ClientMessage) -> None:
        asyncio.get_running_loop().call_later(self.delay, self.said, said)

    def said(self, said: p.ClientMessage) -> None:
        if self.here:
            self.hub.receive(self.key, said)

    def leave(self) -> None:
        if self.here:
            self.here = False
            self.hub.leave(self.key)
