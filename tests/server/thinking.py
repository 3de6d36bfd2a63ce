"""Many rooms of one address against the strongest player: how long does somebody else wait for his turn?

    python -m tests.server.thinking --rooms 25 --level master

It holds if he waits no longer than one thinking time and a second.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from blackpoker.client import Client, Seat
from blackpoker.server.net.limits import Limits
from blackpoker.server.net.thinkers import FairQueue, TurnOwner
from tests.server.live import Live, begun


class Turn(NamedTuple):
    """Whom the server thought for, how long he waited for it and how long it took."""

    guest: str
    waited: float
    took: float


def watch(queue: FairQueue) -> list[Turn]:
    """Every turn of this queue from now on, as they end."""
    turns: list[Turn] = []
    usual = queue.turn

    @asynccontextmanager
    async def turn(owner: TurnOwner) -> AsyncIterator[None]:
        asked = time.perf_counter()
        async with usual(owner):
            called = time.perf_counter()
            yield
            turns.append(Turn(owner.guest, called - asked, time.perf_counter() - called))

    queue.turn = turn  # type: ignore[method-assign]
    return turns


async def open_room(client: Client, level: str, stack: AsyncExitStack) -> Seat:
    """A room in which the computer has the first move."""
    room = await client.create_room(regulation="master+full", opponent=level, first="p2", window_ms=0)
    seat = await stack.enter_async_context(client.play(room.id))
    await seat.ready()
    await begun(seat)
    return seat


async def story(live: Live, rooms: int, level: str) -> tuple[float, float]:
    """How long the newcomer waited, and the longest time of thinking."""
    assert live.state is not None
    turns = watch(live.state.hub.thinkers.queue)
    async with AsyncExitStack() as stack:
        crowd = await stack.enter_async_context(Client(live.url, "crowd"))
        newcomer = await stack.enter_async_context(Client(live.url, "newcomer"))
        for _ in range(rooms):
            await open_room(crowd, level, stack)
        while not turns:  # the first player has been started, and has thought
            await asyncio.sleep(0.01)
        known = {turn.guest for turn in turns}
        seat = await open_room(newcomer, level, stack)
        while seat.last is None or seat.last.seq == 0:
            await seat.receive()
    (waited,) = [turn.waited for turn in turns if turn.guest not in known][:1]
    return waited, max(turn.took for turn in turns)


def measure(rooms: int, level: str) -> tuple[float, float]:
    limits = Limits(address_ms=1e9, address_burst_ms=1e9, rooms_rate=1e9, rooms_burst=10**6)  # one machine is everybody
    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "thinking.db", limits) as live:
        return asyncio.run(asyncio.wait_for(story(live, rooms, level), 300))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=25)
    parser.add_argument("--level", default="master")
    given = parser.parse_args()
    waited, took = measure(given.rooms, given.level)
    held = "held" if waited <= took + 1 else "NOT HELD"
    print(
        f"{given.rooms} rooms of one guest, {given.level}: another waits {waited:.2f} s, thinking takes {took:.2f} s: {held}"
    )
    raise SystemExit(waited > took + 1)


if __name__ == "__main__":
    main()
