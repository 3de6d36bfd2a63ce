"""Many rooms of one guest against the strongest level: the waiting time of another guest for a search.

    python -m tests.long.search_queue --rooms 25 --level master --turns 6

Every room of the crowd requests computer moves all the time. Another guest of the same address joins and plays. The
check passes if each of that guest's searches starts within one search time plus a second.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.server.live import Live, random_words

from blackpoker.client import Client
from blackpoker.server.admission import Owner
from blackpoker.server.worker_pool import FairQueue


class Turn(NamedTuple):
    """A search: its guest, waiting time, number of other searches started meanwhile, duration."""

    guest: str
    waited: float
    others: int
    took: float


class QueueRecorder:
    """Records the turns of a queue as they end."""

    def __init__(self, queue: FairQueue) -> None:
        self.turns: list[Turn] = []
        self.queue = queue
        self.usual = queue.turn
        queue.turn = self.turn  # type: ignore[method-assign]

    @asynccontextmanager
    async def turn(self, owner: Owner) -> AsyncIterator[None]:
        requested, before = time.perf_counter(), self.queue.turns
        async with self.usual(owner):
            # the queue numbers a turn when it is granted, some time before the waiting task runs
            called, number = time.perf_counter(), self.queue.last_turns[f"{owner.network} {owner.guest}"]
            yield
            self.turns.append(Turn(owner.guest, called - requested, number - before - 1, time.perf_counter() - called))


async def play_repeatedly(client: Client, level: str, seed: int) -> None:
    """Play games against the computer one after the other, without pauses."""
    chosen = random.Random(seed)
    while True:
        room = await client.create_room(regulation="master+full", opponent=level, window_ms=0)
        async with client.join(room.id) as seat:
            await seat.ready()
            async for ask in seat.prompts():
                await seat.submit(ask, await random_words(seat, ask, chosen))


async def story(live: Live, rooms: int, level: str, wanted: int, verbose: bool) -> tuple[list[Turn], list[Turn]]:
    """Return the newcomer's turns, and all turns during that time."""
    assert live.state is not None
    queue = live.state.room_manager.workers.queue
    watched = QueueRecorder(queue)
    rooms = max(rooms, 2 * queue.free + 3)  # more than can search at once
    async with Client(live.url, "crowd") as crowd, Client(live.url, "newcomer") as newcomer:
        playing = [asyncio.create_task(play_repeatedly(crowd, level, seed)) for seed in range(rooms)]
        try:
            while queue.waiting_count < 2 or not watched.turns:  # the queue is full, and the first search has ended
                await asyncio.sleep(0.01)
                if any(task.done() for task in playing):
                    await asyncio.gather(*playing)
            before = len(watched.turns)
            crowd_guest = watched.turns[0].guest
            playing.append(asyncio.create_task(play_repeatedly(newcomer, level, 1000)))
            own: list[Turn] = []
            while len(own) < wanted:
                await asyncio.sleep(0.01)
                known = len(own)
                own = [turn for turn in watched.turns[before:] if turn.guest != crowd_guest]
                for number, turn in enumerate(own[known:] if verbose else (), known + 1):
                    print(
                        f"thinking: {number} of {wanted}: waited {turn.waited:.2f} s, {queue.waiting_count} wait",
                        flush=True,
                    )
                if any(task.done() for task in playing):
                    await asyncio.gather(*playing)
            return own, watched.turns[before:]
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


def play(rooms: int, level: str, turns: int, verbose: bool = False) -> tuple[list[Turn], list[Turn]]:
    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "thinking.db") as live:
        return asyncio.run(asyncio.wait_for(story(live, rooms, level, turns, verbose), 600))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=25)
    parser.add_argument("--level", default="master")
    parser.add_argument("--turns", type=int, default=6, help="how often the computer is to think for the newcomer")
    given = parser.parse_args()
    own, all_turns = play(given.rooms, given.level, given.turns, verbose=True)
    waited, took = max(turn.waited for turn in own), max(turn.took for turn in all_turns)
    passed = waited <= took + 1
    print(
        f"thinking: {given.rooms} rooms of one guest, {given.level}: another waited {waited:.2f} s at most in "
        f"{given.turns} turns, thinking took {took:.2f} s at most: {'held' if passed else 'NOT HELD'}"
    )
    raise SystemExit(not passed)


if __name__ == "__main__":
    main()
