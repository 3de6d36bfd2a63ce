"""Matchmaking: pairs players who want to play the same.

A queue entry is a live socket in its own room with a ready player; an HTTP call alone does not enter the queue.
Players are paired in rounds, the longest waiting first: the connection of the later entry moves to the room of the
earlier one. Both must start before the end of the round. A player who has not started by then leaves the queue; the
other keeps the position. At the end of a round all entries are available again, so that inactive players never keep two
active ones apart.

A rated match needs similar ratings. The accepted range of each player widens with the waiting time, and after a while
includes any rating.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from contextlib import suppress
from statistics import median
from typing import TYPE_CHECKING, Final

from blackpoker.server.net.bus import BusError, Waiting
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import one_address
from blackpoker.server.store.promises import Away
from blackpoker.wire import protocol as p

if TYPE_CHECKING:
    from blackpoker.server.net.hub import Hub

log: logging.Logger = logging.getLogger("blackpoker.quick")
#: seconds of a round. MIN_TIME_LEFT: seconds of it that must be left for a new pair
ROUND: Final = 2.0
LEAST: Final = 1.0
#: seconds by which a timer may fire early
EARLY: Final = 0.05
#: seconds after which a player who returns has lost the queue position
REMEMBERED: Final = 10.0
#: waiting times that are kept, and for how many seconds
MOST_WAITS: Final = 20
HOUR: Final = 3600.0
#: bots and rated matches have separate queues
BOT: Final = "bot "
RATED: Final = "rated "
#: rating difference of a rated pair: at first, added per second of waiting; ANY_RATING_AFTER: seconds until any is
#: accepted
NEAR: Final = 100.0
WIDER: Final = 25.0
ANYBODY: Final = 30.0


def kind_of(settings: p.RoomSettings) -> str:
    """Return the name of the queue for these settings."""
    return (BOT if settings.opponent == "bot" else RATED if settings.rated else "") + settings.regulation


def fits(one: Waiting, two: Waiting, now: float) -> bool:
    """Return whether these two may be paired. Bots or rated players with one address may belong to one person (except
    on the server's own machine). The rating difference of a rated pair must be within the range of both."""
    if one.guest == two.guest:
        return False
    if one.kind.startswith((BOT, RATED)) and one_address(one.network, two.network):
        return False
    return not one.kind.startswith(RATED) or abs(one.rating - two.rating) <= min(reach(one, now), reach(two, now))


def reach(one: Waiting, now: float) -> float:
    """Return the accepted rating difference of an entry."""
    waited = max(0.0, now - one.since)
    return math.inf if waited >= ANYBODY else NEAR + WIDER * waited


def pairs(waiting: list[Waiting], now: float) -> list[tuple[Waiting, Waiting]]:
    """Return the pairs, the earlier entry first. The longest waiting is paired first, with the nearest rating."""
    left = sorted(waiting, key=lambda one: (one.since, one.room))
    found = []
    while left:
        elder = left.pop(0)
        near = [one for one in left if fits(elder, one, now)]
        if near:
            younger = min(near, key=lambda one: abs(one.rating - elder.rating))  # on a tie the earlier entry
            left.remove(younger)
            found.append((elder, younger))
    return found


class QuickMatches:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.waiting: dict[str, Waiting] = {}  # entries of local rooms
        self.meeting: set[str] = set()  # local rooms with a new pair
        self.places: dict[tuple[str, str], tuple[float, float]] = {}  # by queue and guest: start of the wait, last seen
        self.waits: dict[str, deque[tuple[float, float]]] = {}  # by queue: start of each match and the wait before it

    # -- queue -----------------------------------------------------------------------------------------------------

    def room_of(self, kind: str, guest: str) -> str:
        """Return the room in which this guest waits already; empty if there is none."""
        found = (one.room for one in self.waiting.values() if (one.kind, one.guest) == (kind, guest))
        return next(found, "") if guest else ""

    def look(self, room: Room) -> None:
        """Update the queue after any change in a local quick room."""
        place = room.waiter
        known = self.waiting.get(room.id)
        if place is None:
            if known is not None:
                del self.waiting[room.id]
                self.places[known.kind, known.guest] = (known.since, self.hub.clock())
                self.hub.spawn(self.leave(known))
            if room.phase == "playing" and room.game == 1:
                self.begun(room)
            return
        if room.settings.rated and not room.seats[place].player:
            return  # guests and programs are not rated
        guest = room.seats[place].guest
        if known is not None and known.guest == guest:
            return
        now, kind = self.hub.clock(), kind_of(room.settings)
        since, seen = self.places.pop((kind, guest), (now, now))
        network = room.seats.at(place)[0].network
        since = since if now - seen < REMEMBERED else now
        rating = math.nan if room.settings.rated else 0.0
        found = Waiting(kind, room.id, guest, network, since, self.hub.bus.me, rating)
        self.waiting[room.id] = found
        self.hub.spawn(self.enter(found, room.seats[place].player))

    async def enter(self, one: Waiting, player: str) -> None:
        if not one.known:
            one = await self.with_rating(one, player)
        if self.waiting.get(one.room) is not one:
            return  # removed meanwhile
        with suppress(BusError):  # every round renews the entry
            await self.hub.bus.queue(one)
            if self.left(self.hub.clock()) >= LEAST:
                await self.match(one.kind)

    async def with_rating(self, one: Waiting, player: str) -> Waiting:
        """Return the entry with the player's rating, retrying while the store is unavailable."""
        format = one.kind.removeprefix(RATED).partition("+")[0]
        while self.waiting.get(one.room) is one:
            try:
                rating = await self.hub.store.rating(player, format, self.hub.clock())
            except Away:
                await asyncio.sleep(ROUND)
                continue
            if self.waiting.get(one.room) is one:
                self.waiting[one.room] = known = one._replace(rating=rating)
                return known
        return one

    def begun(self, room: Room) -> None:
        """Record the waiting times of two players who start."""
        kind, now = kind_of(room.settings), self.hub.clock()
        for seat in room.seats:
            found = self.places.pop((kind, seat.guest), None)
            if found is not None:
                self.waits.setdefault(kind, deque(maxlen=MOST_WAITS)).append((now, now - found[0]))

    async def leave(self, one: Waiting) -> None:
        with suppress(BusError):  # the entry expires after some seconds
            await self.hub.bus.unqueue(one)

    # -- rounds ----------------------------------------------------------------------------------------------------

    def left(self, now: float) -> float:
        """Return the seconds until the round ends; one that is nearly over counts as the next one."""
        rest = (math.floor(now / ROUND) + 1) * ROUND - now
        return rest if rest > EARLY else rest + ROUND

    async def rounds(self) -> None:
        """Run a round of pairing periodically."""
        while True:
            await asyncio.sleep(self.left(self.hub.clock()))
            try:
                now = self.hub.clock()
                for place in [place for place, (_, seen) in self.places.items() if now - seen > REMEMBERED]:
                    del self.places[place]
                for room in [self.hub.rooms[id] for id in self.meeting if id in self.hub.rooms]:
                    # before a new pairing: a player who has not started is removed
                    if room.meeting is not None and room.meeting <= now + EARLY:
                        self.hub.let(room, room.tick, max(now, room.meeting))
                self.meeting = {id for id in self.meeting if id in self.hub.rooms and self.hub.rooms[id].meeting}
                for one in list(self.waiting.values()):
                    if one.known:
                        await self.hub.bus.queue(one)
                for kind in {one.kind for one in self.waiting.values()}:
                    await self.match(kind)
            except BusError as error:
                log.warning("the queue of quick matches is out of reach", extra={"why": str(error)})

    async def match(self, kind: str) -> None:
        """Pair the available entries of a queue. Each process moves its own players."""
        bus = self.hub.bus
        for elder, younger in pairs(await bus.queued(kind), self.hub.clock()):
            if younger.process == bus.me and await bus.promise(elder, younger, self.left(self.hub.clock())):
                await self.bring(elder, younger)

    async def bring(self, elder: Waiting, younger: Waiting) -> None:
        room = self.hub.rooms.get(younger.room)
        if room is None or self.waiting.get(younger.room) is None:
            return
        if elder.process == self.hub.bus.me:
            self.expect(elder.room, younger.guest)
        else:
            self.hub.bus.tell(elder.process, {"op": "expect", "key": "", "room": elder.room, "guest": younger.guest})
        for client in list(room.seats.clients.values()):
            if client.seat is not None:
                self.hub.move(client, younger.room, elder.room)

    def expect(self, id: str, guest: str) -> None:
        """Reserve the other seat of a local room for the paired guest; both must start within the round."""
        room = self.hub.rooms.get(id)
        if room is not None and room.waiter is not None:
            now = self.hub.clock()
            room.invited, room.meeting = guest, now + self.left(now)
            self.meeting.add(id)
            self.hub.arrange(room)

    # -- waiting times ---------------------------------------------------------------------------------------------

    def usual(self, kind: str) -> int | None:
        """Return the median wait in seconds within the last hour; None without a sample."""
        now = self.hub.clock()
        waits = [wait for at, wait in self.waits.get(kind, ()) if now - at < HOUR]
        return round(median(waits)) if waits else None
