"""Random arrivals and departures in virtual time: two callers with equal requests play within five seconds.

    python -m tests.long.quick_match --schedules 5000

The other callers request a match and never join, join and never get ready, get ready and never reveal their salt, leave
after a moment, or leave just when they are matched. If all games are rated, two callers count as waiting together from
the time at which each is within the other's rating range.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from typing import Final

from tests.server.virtual_time import Person, make_room_manager, run_virtually, store_of

from blackpoker import Player
from blackpoker.protocol import messages as p
from blackpoker.server.cluster.bus import QueueEntry
from blackpoker.server.fairness.receipt import next_terms
from blackpoker.server.fairness.seal import make_seal
from blackpoker.server.matchmaking import ANY_RATING_AFTER, can_pair
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.seats import player_id

#: limit in seconds for two compatible callers to wait
MAX_WAIT: Final = 5.0
MANNERS: Final = ("honest", "honest", "honest", "calls", "lurks", "keeps shut", "looks in", "flees")
REGULATIONS: Final = ("lite+entry", "lite+entry", "master+full")


class Caller(Person):
    """A caller who wants a quick match."""

    def __init__(
        self, room_manager: RoomManager, guest: str, manner: str, chosen: random.Random, rated: bool = False
    ) -> None:
        super().__init__(room_manager, guest, f"10.0.0.{chosen.randrange(4)}", chosen.uniform(0.0, 0.12))
        self.rated = rated
        if rated:
            self.identity = self.identity._replace(device=guest)
        self.manner = manner
        self.chosen = chosen
        self.regulation = chosen.choice(REGULATIONS)
        self.opponent = "bot" if chosen.random() < 0.3 and not rated else "human"
        self.room = ""
        self.playing = False
        self.ready_for = ""
        self.waits_since: float | None = None

    async def call(self) -> None:
        settings = p.RoomSettings(self.regulation, self.opponent, quick=True, rated=self.rated)
        room = await self.room_manager.create(settings)
        if self.manner == "calls":
            return
        self.room = room.id
        await self.join(room.id)
        if self.manner == "looks in":
            asyncio.get_running_loop().call_later(self.chosen.uniform(0.1, 3.0), self.leave)

    def on_message(self, message: p.AnyServerMessage) -> None:
        if not isinstance(message, p.Welcome | p.RoomState):
            return
        info = message.room
        if isinstance(message, p.Welcome):
            if self.manner == "flees" and self.room != info.id:
                self.leave()
                return
            self.room = info.id
        you = (
            self.room_manager.rooms[info.id].seats.clients.get(self.key) if info.id in self.room_manager.rooms else None
        )
        if you is None or you.seat is None or info.id != self.room:
            return
        self.playing = info.phase == "playing"
        self.respond(info, Player.P1 if you.seat == 0 else Player.P2)

    def respond(self, info: p.RoomInfo, you: p.SeatName) -> None:
        mine = info.p1 if you == "p1" else info.p2
        wanted = f"{info.id} {info.commitment} {you}"
        if info.phase != "waiting" or self.manner == "lurks":
            return
        if not mine.ready and self.ready_for != wanted:
            self.ready_for = wanted
            self.submit(p.Ready(1, seal=make_seal(you, self.identity.guest)))
        elif info.p1.ready and info.p2.ready and self.manner != "keeps shut":
            self.submit(
                p.Reveal(2, self.identity.guest, next_terms(info).hash)
            )  # sent again with every message about the room

    @property
    def waiting(self) -> bool:
        return self.manner == "honest" and self.here and not self.playing and bool(self.ready_for)


class Schedule:
    def __init__(self, seed: int, rated: bool = False) -> None:
        self.chosen = random.Random(seed)
        self.rated = rated
        self.stranded: list[str] = []
        self.people: list[Caller] = []
        self.together_since: dict[tuple[str, str], float] = {}

    async def play(self) -> None:
        room_manager = make_room_manager()
        room_manager.spawn(room_manager.matchmaker.run_loop())
        loop = asyncio.get_running_loop()
        for number in range(self.chosen.randrange(4, 14)):
            await self.observe(room_manager, loop.time() + self.chosen.choice((0.0, 0.05, 0.4, 0.7, 1.5)))
            one = Caller(room_manager, f"g{number}", self.chosen.choice(MANNERS), self.chosen, self.rated)
            if self.rated:
                store_of(room_manager).ratings[player_id(one.identity.guest)] = self.chosen.gauss(1500, 300)
            self.people.append(one)
            await one.call()
            if self.chosen.random() < 0.1:
                loop.call_later(self.chosen.uniform(0.5, 8.0), one.leave)
        await self.observe(room_manager, loop.time() + (ANY_RATING_AFTER + 8.0 if self.rated else 12.0))
        for task in list(room_manager.tasks):
            task.cancel()
        await asyncio.gather(*room_manager.tasks, return_exceptions=True)

    async def observe(self, room_manager: RoomManager, end: float) -> None:
        """Observe until the given time which pairs have been waiting together, and for how long."""
        loop = asyncio.get_running_loop()
        while loop.time() < end:
            await asyncio.sleep(min(0.1, end - loop.time()))
            entries = {one.guest: one for one in room_manager.matchmaker.entries.values()}
            waiting = [one for one in self.people if one.waiting]
            pairs = {
                (one.identity.guest, two.identity.guest)
                for place, one in enumerate(waiting)
                for two in waiting[place + 1 :]
                if self.compatible(one, two, entries)
            }
            self.together_since = {pair: self.together_since.get(pair, loop.time()) for pair in pairs}
            for pair, since in self.together_since.items():
                if loop.time() - since > MAX_WAIT:
                    self.stranded.append(f"{pair} wait beside each other; in the queue: {sorted(entries)}")
            if self.stranded:
                return

    def compatible(self, one: Caller, two: Caller, entries: dict[str, QueueEntry]) -> bool:
        if (one.regulation, one.opponent) != (two.regulation, two.opponent):
            return False
        if self.rated:
            first, second = entries.get(one.identity.guest), entries.get(two.identity.guest)
            # a caller being matched is in no queue; an opponent in range was found
            return first is None or second is None or self.near(first, second)
        return one.opponent == "human" or one.identity.network != two.identity.network

    def near(self, one: QueueEntry, two: QueueEntry) -> bool:
        return one.network != two.network and can_pair(one, two, asyncio.get_running_loop().time())


def stranded(seed: int, rated: bool = False) -> list[str]:
    """Return the pairs that waited in vain in the schedule of this number."""
    schedule = Schedule(seed, rated)
    run_virtually(schedule.play)
    return schedule.stranded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedules", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rated", action="store_true", help="everybody wants to be rated")
    given = parser.parse_args()
    bad: dict[int, list[str]] = {}
    for number in range(given.seed, given.seed + given.schedules):
        found = stranded(number, given.rated)
        if found:
            bad[number] = found
        if (number + 1 - given.seed) % 500 == 0:
            print(f"quick: {number + 1 - given.seed} of {given.schedules} schedules, {len(bad)} stranded", flush=True)
    print(f"quick: {given.schedules} schedules of 4 to 13 people, {len(bad)} in which two waited beside each other")
    print("\n".join(f"{number}: {lines[0]}" for number, lines in list(bad.items())[:5]), end="\n" if bad else "")
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
