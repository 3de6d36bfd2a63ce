"""Rated quick matches of hundreds of players in virtual time: waiting times, and rating differences of the pairs.

    python -m tests.long.matchmaking

Each player has a settled true strength, rests, requests a game, plays, and rests again. Rooms, queue and moving are the
server's own; only the games are simulated.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
from functools import partial
from statistics import median, quantiles
from typing import Final, NamedTuple
from unittest.mock import patch

from tests.long.quick_match import Caller
from tests.server.virtual_time import make_room_manager, run_virtually, store_of

from blackpoker.server import matchmaking
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.seats import player_id

#: points: spread of the true strengths, and of their estimates
SPREAD: Final = 250.0
UNSURE: Final = 60.0
#: minutes per game
GAME: Final = (4.0, 12.0)
#: regulations and the number of players of ten
PLAYED: Final = {"lite+entry": 4, "standard+full": 2, "pro+full": 1, "master+full": 2, "extra+full": 1}


class Meeting(NamedTuple):
    wait: float
    apart: float


class Player(Caller):
    """A player who plays all evening."""

    def __init__(self, room_manager: RoomManager, number: int, chosen: random.Random, rest: float) -> None:
        super().__init__(room_manager, f"g{number}", "honest", chosen, rated=True)
        self.identity = self.identity._replace(network=f"10.{number // 250}.{number % 250}.1")
        self.regulation = chosen.choices(list(PLAYED), list(PLAYED.values()))[0]
        self.rest = rest
        self.opponent = "human"
        self.rating = chosen.gauss(1750.0, SPREAD) + chosen.gauss(0.0, UNSURE)
        self.called = 0.0
        self.met: list[Meeting] = []
        store_of(room_manager).ratings[player_id(self.identity.guest)] = self.rating

    async def evening(self, others: dict[str, Player], end: float) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self.chosen.expovariate(1 / (60.0 * self.rest)))
            if loop.time() >= end:
                return
            self.playing, self.ready_for, self.called = False, "", loop.time()
            await self.call()
            while not self.playing:
                await asyncio.sleep(0.1)
            seats = self.room_manager.rooms[self.room].seats
            (other,) = (seat.guest for seat in seats if seat.guest != self.identity.guest)
            self.met.append(Meeting(loop.time() - self.called, abs(self.rating - others[other].rating)))
            await asyncio.sleep(60.0 * self.chosen.uniform(*GAME))
            room = self.room
            self.leave()
            self.room_manager.drop(room)


async def evenings(people: int, rest: float, minutes: float, seed: int) -> list[Meeting]:
    room_manager = make_room_manager()
    room_manager.spawn(room_manager.matchmaker.run_loop())
    chosen = random.Random(seed)
    found = [Player(room_manager, number, chosen, rest) for number in range(people)]
    others = {one.identity.guest: one for one in found}
    end = asyncio.get_running_loop().time() + 60.0 * minutes
    tasks = [asyncio.ensure_future(one.evening(others, end)) for one in found]
    await asyncio.sleep(60.0 * minutes)
    for task in [*tasks, *room_manager.tasks]:
        task.cancel()
    await asyncio.gather(*tasks, *room_manager.tasks, return_exceptions=True)
    return [met for one in found for met in one.met]


def line(name: str, found: list[Meeting], minutes: float) -> str:
    waits, apart = [one.wait for one in found], [one.apart for one in found]
    return (
        f"| {name} | {len(found) / minutes:.1f} | {median(waits):.1f} s | {quantiles(waits, n=10)[-1]:.1f} s "
        f"| {max(waits):.1f} s | {median(apart):.0f} | {quantiles(apart, n=10)[-1]:.0f} |"
    )


HEAD: Final = """| | calls a minute | median wait | nine of ten | longest | median difference | nine of ten |
|---|---:|---:|---:|---:|---:|---:|"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(HEAD)
    for rest in (2.0, 20.0, 120.0):
        for near, how in ((matchmaking.RATING_RANGE, ""), (math.inf, ", anybody at once")):
            with patch.object(matchmaking, "NEAR", near):
                found = run_virtually(partial(evenings, given.people, rest, given.minutes, given.seed))
            name = f"{given.people} people, {rest:g} min between games{how}"
            print(line(name, found, given.minutes), flush=True)


if __name__ == "__main__":
    main()
