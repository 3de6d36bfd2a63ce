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

from blackpoker.protocol import messages as p
from blackpoker.server.cluster.bus import BusError, QueueEntry
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import same_address
from blackpoker.server.storage.interface import StoreUnavailable

if TYPE_CHECKING:
    from blackpoker.server.room_manager import RoomManager

log: logging.Logger = logging.getLogger("blackpoker.matchmaking")
#: seconds of a round. MIN_TIME_LEFT: seconds of it that must be left for a new pair
ROUND_SECONDS: Final = 2.0
MIN_TIME_LEFT: Final = 1.0
#: seconds by which a timer may fire early
TIMER_TOLERANCE: Final = 0.05
#: seconds after which a player who returns has lost the queue position
POSITION_TTL: Final = 10.0
#: waiting times that are kept, and for how many seconds
WAIT_SAMPLES: Final = 20
HOUR: Final = 3600.0
#: bots and rated matches have separate queues
BOT_PREFIX: Final = "bot "
RATED_PREFIX: Final = "rated "
#: rating difference of a rated pair: at first, added per second of waiting; ANY_RATING_AFTER: seconds until any is
#: accepted
RATING_RANGE: Final = 100.0
RANGE_PER_SECOND: Final = 25.0
ANY_RATING_AFTER: Final = 30.0


def queue_name(settings: p.RoomSettings) -> str:
    """Return the name of the queue for these settings."""
    return (BOT_PREFIX if settings.opponent == "bot" else RATED_PREFIX if settings.rated else "") + settings.regulation


def can_pair(first: QueueEntry, second: QueueEntry, now: float) -> bool:
    """Return whether these two may be paired. Bots or rated players with one address may belong to one person (except
    on the server's own machine). The rating difference of a rated pair must be within the range of both."""
    if first.guest == second.guest:
        return False
    if first.queue.startswith((BOT_PREFIX, RATED_PREFIX)) and same_address(first.network, second.network):
        return False
    return not first.queue.startswith(RATED_PREFIX) or abs(first.rating - second.rating) <= min(
        rating_range(first, now), rating_range(second, now)
    )


def rating_range(entry: QueueEntry, now: float) -> float:
    """Return the accepted rating difference of an entry."""
    waited = max(0.0, now - entry.since)
    return math.inf if waited >= ANY_RATING_AFTER else RATING_RANGE + RANGE_PER_SECOND * waited


def pair_entries(waiting: list[QueueEntry], now: float) -> list[tuple[QueueEntry, QueueEntry]]:
    """Return the pairs, the earlier entry first. The longest waiting is paired first, with the nearest rating."""
    remaining = sorted(waiting, key=lambda entry: (entry.since, entry.room))
    found = []
    while remaining:
        earlier = remaining.pop(0)
        candidates = [entry for entry in remaining if can_pair(earlier, entry, now)]
        if candidates:
            later = min(candidates, key=lambda entry: abs(entry.rating - earlier.rating))  # on a tie the earlier entry
            remaining.remove(later)
            found.append((earlier, later))
    return found


class Matchmaker:
    def __init__(self, room_manager: RoomManager) -> None:
        self.room_manager = room_manager
        self.entries: dict[str, QueueEntry] = {}  # entries of local rooms
        self.paired_rooms: set[str] = set()  # local rooms with a new pair
        self.queue_positions: dict[
            tuple[str, str], tuple[float, float]
        ] = {}  # by queue and guest: start of the wait, last seen
        self.wait_samples: dict[
            str, deque[tuple[float, float]]
        ] = {}  # by queue: start of each match and the wait before it

    # -- queue -----------------------------------------------------------------------------------------------------

    def waiting_room(self, queue: str, guest: str) -> str:
        """Return the room in which this guest waits already; empty if there is none."""
        found = (entry.room for entry in self.entries.values() if (entry.queue, entry.guest) == (queue, guest))
        return next(found, "") if guest else ""

    def update(self, room: Room) -> None:
        """Update the queue after any change in a local quick room."""
        seat_index = room.waiting_seat
        entry = self.entries.get(room.id)
        if seat_index is None:
            if entry is not None:
                del self.entries[room.id]
                self.queue_positions[entry.queue, entry.guest] = (entry.since, self.room_manager.clock())
                self.room_manager.spawn(self.leave_queue(entry))
            if room.phase == "playing" and room.game_number == 1:
                self.record_start(room)
            return
        if room.settings.rated and not room.seats[seat_index].player_id:
            return  # guests and programs are not rated
        guest = room.seats[seat_index].guest
        if entry is not None and entry.guest == guest:
            return
        now, queue = self.room_manager.clock(), queue_name(room.settings)
        since, seen = self.queue_positions.pop((queue, guest), (now, now))
        network = room.seats.clients_at(seat_index)[0].network
        since = since if now - seen < POSITION_TTL else now
        rating = math.nan if room.settings.rated else 0.0
        new_entry = QueueEntry(queue, room.id, guest, network, since, self.room_manager.bus.process_id, rating)
        self.entries[room.id] = new_entry
        self.room_manager.spawn(self.join_queue(new_entry, room.seats[seat_index].player_id))

    async def join_queue(self, entry: QueueEntry, player: str) -> None:
        if not entry.has_rating:
            entry = await self.with_rating(entry, player)
        if self.entries.get(entry.room) is not entry:
            return  # removed meanwhile
        with suppress(BusError):  # every round renews the entry
            await self.room_manager.bus.enqueue(entry)
            if self.seconds_left(self.room_manager.clock()) >= MIN_TIME_LEFT:
                await self.pair_queue(entry.queue)

    async def with_rating(self, entry: QueueEntry, player: str) -> QueueEntry:
        """Return the entry with the player's rating, retrying while the store is unavailable."""
        format = entry.queue.removeprefix(RATED_PREFIX).partition("+")[0]
        while self.entries.get(entry.room) is entry:
            try:
                rating = await self.room_manager.store.rating(player, format, self.room_manager.clock())
            except StoreUnavailable:
                await asyncio.sleep(ROUND_SECONDS)
                continue
            if self.entries.get(entry.room) is entry:
                self.entries[entry.room] = rated_entry = entry._replace(rating=rating)
                return rated_entry
        return entry

    def record_start(self, room: Room) -> None:
        """Record the waiting times of two players who start."""
        queue, now = queue_name(room.settings), self.room_manager.clock()
        for seat in room.seats:
            found = self.queue_positions.pop((queue, seat.guest), None)
            if found is not None:
                self.wait_samples.setdefault(queue, deque(maxlen=WAIT_SAMPLES)).append((now, now - found[0]))

    async def leave_queue(self, entry: QueueEntry) -> None:
        with suppress(BusError):  # the entry expires after some seconds
            await self.room_manager.bus.dequeue(entry)

    # -- rounds ----------------------------------------------------------------------------------------------------

    def seconds_left(self, now: float) -> float:
        """Return the seconds until the round ends; one that is nearly over counts as the next one."""
        rest = (math.floor(now / ROUND_SECONDS) + 1) * ROUND_SECONDS - now
        return rest if rest > TIMER_TOLERANCE else rest + ROUND_SECONDS

    async def run_loop(self) -> None:
        """Run a round of pairing periodically."""
        while True:
            await asyncio.sleep(self.seconds_left(self.room_manager.clock()))
            try:
                now = self.room_manager.clock()
                for key in [key for key, (_, seen) in self.queue_positions.items() if now - seen > POSITION_TTL]:
                    del self.queue_positions[key]
                for room in [self.room_manager.rooms[id] for id in self.paired_rooms if id in self.room_manager.rooms]:
                    # before a new pairing: a player who has not started is removed
                    if room.pairing_deadline is not None and room.pairing_deadline <= now + TIMER_TOLERANCE:
                        self.room_manager.guarded_call(room, room.tick, max(now, room.pairing_deadline))
                self.paired_rooms = {
                    id
                    for id in self.paired_rooms
                    if id in self.room_manager.rooms and self.room_manager.rooms[id].pairing_deadline
                }
                for entry in list(self.entries.values()):
                    if entry.has_rating:
                        await self.room_manager.bus.enqueue(entry)
                for queue in {entry.queue for entry in self.entries.values()}:
                    await self.pair_queue(queue)
            except BusError as error:
                log.warning("quick-match queue unavailable", extra={"error": str(error)})

    async def pair_queue(self, queue: str) -> None:
        """Pair the available entries of a queue. Each process moves its own players."""
        bus = self.room_manager.bus
        for earlier, later in pair_entries(await bus.available_entries(queue), self.room_manager.clock()):
            if later.process == bus.process_id and await bus.reserve_pair(
                earlier, later, self.seconds_left(self.room_manager.clock())
            ):
                await self.move_to_opponent(earlier, later)

    async def move_to_opponent(self, earlier: QueueEntry, later: QueueEntry) -> None:
        room = self.room_manager.rooms.get(later.room)
        if room is None or self.entries.get(later.room) is None:
            return
        if earlier.process == self.room_manager.bus.process_id:
            self.expect_opponent(earlier.room, later.guest)
        else:
            self.room_manager.bus.send(
                earlier.process, {"op": "expect", "key": "", "room": earlier.room, "guest": later.guest}
            )
        for client in list(room.seats.clients.values()):
            if client.seat is not None:
                self.room_manager.move_client(client, later.room, earlier.room)

    def expect_opponent(self, id: str, guest: str) -> None:
        """Reserve the other seat of a local room for the paired guest; both must start within the round."""
        room = self.room_manager.rooms.get(id)
        if room is not None and room.waiting_seat is not None:
            now = self.room_manager.clock()
            room.matched_guest, room.pairing_deadline = guest, now + self.seconds_left(now)
            self.paired_rooms.add(id)
            self.room_manager.schedule(room)

    # -- waiting times ---------------------------------------------------------------------------------------------

    def usual_wait(self, queue: str) -> int | None:
        """Return the median wait in seconds within the last hour; None without a sample."""
        now = self.room_manager.clock()
        waits = [wait for at, wait in self.wait_samples.get(queue, ()) if now - at < HOUR]
        return round(median(waits)) if waits else None
