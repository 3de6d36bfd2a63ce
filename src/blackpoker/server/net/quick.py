"""Quick matches: whoever wants to play the same is brought together.

Waiting is a live socket in a room of one's own, ready by one's own last act; a call alone is nothing. People are
brought together in rounds, those first who have waited longest: the younger one's connection moves to the elder one's
room. Until the end of the round both must have begun; whoever has not done his part is out, the other one keeps his
place. At the end of a round everybody who waits is free, so that two who do their part are never kept apart by those
who do not.

Who wants to be rated meets somebody of about his strength: each would take a wider and wider range, and after a while
anybody.
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
#: seconds of a round, and those that must be left of it for two who meet
ROUND: Final = 2.0
LEAST: Final = 1.0
#: seconds by which a waking may come too early
EARLY: Final = 0.05
#: seconds after which somebody who comes back has lost his place
REMEMBERED: Final = 10.0
#: waits that are remembered, and for how many seconds
MOST_WAITS: Final = 20
HOUR: Final = 3600.0
#: what bots play is another queue, and so is what is rated
BOT: Final = "bot "
RATED: Final = "rated "
#: points between two who may be rated together: at once, more with each second one of them waits, and when all
NEAR: Final = 100.0
WIDER: Final = 25.0
ANYBODY: Final = 30.0


def kind_of(settings: p.RoomSettings) -> str:
    """What is waited for."""
    return (BOT if settings.opponent == "bot" else RATED if settings.rated else "") + settings.regulation


def fits(one: Waiting, two: Waiting, now: float) -> bool:
    """Whether these may play each other. Where it is rated, two of one address may be one person's, save on the
    server's own machine; and people must be near enough to each other for both."""
    if one.guest == two.guest:
        return False
    if one.kind.startswith((BOT, RATED)) and one_address(one.network, two.network):
        return False
    return not one.kind.startswith(RATED) or abs(one.rating - two.rating) <= min(reach(one, now), reach(two, now))


def reach(one: Waiting, now: float) -> float:
    """How far from his own somebody's rating may be whom he is brought to."""
    waited = max(0.0, now - one.since)
    return math.inf if waited >= ANYBODY else NEAR + WIDER * waited


def pairs(waiting: list[Waiting], now: float) -> list[tuple[Waiting, Waiting]]:
    """Who plays whom, the elder first; whoever has waited longest is served first, with the nearest."""
    left = sorted(waiting, key=lambda one: (one.since, one.room))
    found = []
    while left:
        elder = left.pop(0)
        near = [one for one in left if fits(elder, one, now)]
        if near:
            younger = min(near, key=lambda one: abs(one.rating - elder.rating))  # of several the elder
            left.remove(younger)
            found.append((elder, younger))
    return found


class QuickMatches:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.waiting: dict[str, Waiting] = {}  # rooms here in which somebody waits
        self.meeting: set[str] = set()  # rooms here in which two have been brought together
        self.places: dict[tuple[str, str], tuple[float, float]] = {}  # by kind and guest: waits since, last seen
        self.waits: dict[str, deque[tuple[float, float]]] = {}  # by kind: when two began, after how long

    # -- coming and going ------------------------------------------------------------------------------------------

    def room_of(self, kind: str, guest: str) -> str:
        """The room in which this guest waits already; empty if he does not."""
        found = (one.room for one in self.waiting.values() if (one.kind, one.guest) == (kind, guest))
        return next(found, "") if guest else ""

    def look(self, room: Room) -> None:
        """After everything that happens in a quick room here."""
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
            return  # whoever has no account, or is a program, is not rated
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
            return  # gone meanwhile
        with suppress(BusError):  # it is said again with every round
            await self.hub.bus.queue(one)
            if self.left(self.hub.clock()) >= LEAST:
                await self.match(one.kind)

    async def with_rating(self, one: Waiting, player: str) -> Waiting:
        """The same with how strong he is thought to be; the store may be away for a while."""
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
        """Two play: how long did they wait?"""
        kind, now = kind_of(room.settings), self.hub.clock()
        for seat in room.seats:
            found = self.places.pop((kind, seat.guest), None)
            if found is not None:
                self.waits.setdefault(kind, deque(maxlen=MOST_WAITS)).append((now, now - found[0]))

    async def leave(self, one: Waiting) -> None:
        with suppress(BusError):  # then it is no longer believed after some seconds
            await self.hub.bus.unqueue(one)

    # -- rounds ----------------------------------------------------------------------------------------------------

    def left(self, now: float) -> float:
        """Seconds until the round ends. One that is as good as over is the next one."""
        rest = (math.floor(now / ROUND) + 1) * ROUND - now
        return rest if rest > EARLY else rest + ROUND

    async def rounds(self) -> None:
        """Again and again."""
        while True:
            await asyncio.sleep(self.left(self.hub.clock()))
            try:
                now = self.hub.clock()
                for place in [place for place, (_, seen) in self.places.items() if now - seen > REMEMBERED]:
                    del self.places[place]
                for room in [self.hub.rooms[id] for id in self.meeting if id in self.hub.rooms]:
                    if room.meeting is not None and room.meeting <= now + EARLY:  # first who has not begun parts
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
        """Bring together whoever is free. Each process moves its own people."""
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
        """Somebody is brought to a room here: he may take its other seat, and both begin within the round."""
        room = self.hub.rooms.get(id)
        if room is not None and room.waiter is not None:
            now = self.hub.clock()
            room.invited, room.meeting = guest, now + self.left(now)
            self.meeting.add(id)
            self.hub.arrange(room)

    # -- how long it takes -----------------------------------------------------------------------------------------

    def usual(self, kind: str) -> int | None:
        """Seconds half of those waited who wanted the same within the last hour; None where nobody did."""
        now = self.hub.clock()
        waits = [wait for at, wait in self.waits.get(kind, ()) if now - at < HOUR]
        return round(median(waits)) if waits else None
