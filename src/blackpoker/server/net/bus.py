"""Communication between the processes of one server.

A room lives in one process; the other processes forward the messages of its clients. A single process needs no
forwarding. With Redis, a process claims a room by setting its owner, and each process subscribes to its own channel. An
owner that no longer subscribes, or sends no heartbeat, loses its rooms; all of them are in the store.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

import msgspec

log: logging.Logger = logging.getLogger("blackpoker.bus")
#: seconds an owner counts as alive without a heartbeat
ALIVE: Final = 6
#: seconds a claim can outlive its room at most
CLAIM: Final = 86_400
#: messages that may wait for other processes
MOST_WAITING: Final = 50_000
AT_ONCE: Final = 500
#: connections to Redis; further callers wait for a free one. Without a bound the library opens up to a hundred and
#: refuses the rest, and all clients reconnect at once when a server restarts
CONNECTIONS: Final = 32
#: attempts to claim a contested room
TRIES: Final = 20
#: seconds an entry stays in the matchmaking queue unless it is renewed
FRESH: Final = 5.0
#: seconds over which usage is added up
SPAN: Final = 10


class Waiting(NamedTuple):
    """A player in the matchmaking queue. ``process`` owns the player's room. ``rating`` is the estimated strength in
    points of a rated match, or NaN until it is known."""

    kind: str
    room: str
    guest: str
    network: str
    since: float
    process: str
    rating: float = 0.0

    @property
    def known(self) -> bool:
        return not math.isnan(self.rating)


_PACK: Final = msgspec.msgpack.Encoder()
_UNPACK: Final = msgspec.msgpack.Decoder()
_DELETE_IF: Final = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0"

Hear = Callable[[dict[str, Any]], None]


class BusError(Exception):
    """Other processes cannot be reached at the moment."""


class Bus:
    """The bus of a server with one process."""

    alone = True

    def __init__(self) -> None:
        self.me: str = secrets.token_hex(4)
        self.door: str = ""  # address where this process takes over connections from others on the same machine
        self.waiting: dict[str, Waiting] = {}  # matchmaking entries, by room
        self.clock: Callable[[], float] = time.monotonic
        self.promised: dict[str, float] = {}  # time until which a room is reserved for a pairing

    async def start(self, hear: Hear, cut: Callable[[], None]) -> None:
        """Subscribe to messages. ``on_loss`` is called when messages may have been lost."""

    async def stop(self) -> None:
        """Close all connections of the bus."""

    async def owner(self, room: str) -> str:
        """Return the id of the process that owns the room; claim it for this process if it has no owner."""
        return self.me

    async def owners(self, rooms: list[str]) -> list[str]:
        """Return the owners of these rooms; empty for a room without an owner."""
        return [self.me] * len(rooms)

    async def release(self, room: str) -> None:
        """Release the claim of this process on the room."""

    async def alive(self, process: str) -> bool:
        """Return whether that process still runs."""
        return True

    async def open_door(self, door: str) -> None:
        """Publish the address where this process takes over connections."""
        self.door = door

    async def door_of(self, process: str) -> str:
        """Return the address where that process takes over connections; empty if it takes none."""
        return ""

    def tell(self, process: str, message: dict[str, Any]) -> None:
        """Send a message to another process."""
        raise AssertionError("there is no other process")

    async def queue(self, one: Waiting) -> None:
        """Add or renew an entry of the matchmaking queue; it expires unless it is renewed."""
        self.waiting[one.room] = one

    async def unqueue(self, one: Waiting) -> None:
        self.waiting.pop(one.room, None)
        self.promised.pop(one.room, None)

    async def queued(self, kind: str) -> list[Waiting]:
        """Return the entries of a queue that are not reserved for a pairing."""
        now = self.clock()
        return [one for one in self.waiting.values() if one.kind == kind and self.promised.get(one.room, now) <= now]

    async def promise(self, elder: Waiting, younger: Waiting, seconds: float) -> bool:
        """Reserve both entries for each other; return False if one of them is already reserved."""
        until = self.clock() + seconds
        self.promised[elder.room] = self.promised[younger.room] = until
        return True

    async def share(self, spent: dict[str, float]) -> dict[str, float]:
        """Publish what guests and addresses have used in this process; return what they have used in others since the
        last call."""
        return {}


@asynccontextmanager
async def reaching() -> AsyncIterator[None]:
    """Raise every Redis failure as `BusError`."""
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as error:
        raise BusError(f"Redis: {' '.join(str(error).split())[:200] or type(error).__name__}") from error


class RedisBus(Bus):
    alone = False

    def __init__(self, client: Any) -> None:
        super().__init__()
        self.redis = client
        self.tasks: list[asyncio.Task[None]] = []
        self.outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(MOST_WAITING)
        self.spent: dict[tuple[int, str], float] = {}  # reported usage of this process
        self.heard: dict[tuple[int, str], float] = {}  # usage received from other processes
        self.hear: Hear = lambda message: None
        self.cut: Callable[[], None] = lambda: None

    @classmethod
    async def connect(cls, url: str) -> RedisBus:
        """Connect to Redis; raise `BusError` if it cannot be reached and `ValueError` for an invalid address."""
        import redis.asyncio as redis

        pool = redis.BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, socket_connect_timeout=5)
        client = redis.Redis.from_pool(pool)
        async with reaching():
            await client.ping()
        return cls(client)

    async def start(self, hear: Hear, cut: Callable[[], None]) -> None:
        self.hear, self.cut = hear, cut
        listening = asyncio.Event()
        self.tasks = [
            asyncio.create_task(self.again_and_again(part))
            for part in (lambda: self.listen(listening), self.speak, self.breathe)
        ]
        await listening.wait()  # before any claim: an owner without a subscription counts as dead

    async def again_and_again(self, part: Callable[[], Awaitable[None]]) -> None:
        """Run ``part`` and restart it when Redis fails. Messages sent meanwhile are lost, so connections that depend on
        them restart."""
        while True:
            try:
                async with reaching():
                    await part()
            except BusError as error:
                log.warning("contact with other processes was lost", extra={"why": str(error)})
                self.cut()
                await asyncio.sleep(0.5)

    async def listen(self, listening: asyncio.Event) -> None:
        async with self.redis.pubsub(ignore_subscribe_messages=True) as pubsub:
            await pubsub.subscribe(channel(self.me))
            await self.say_alive()
            listening.set()
            async for message in pubsub.listen():
                try:
                    self.hear(_UNPACK.decode(message["data"]))
                except Exception:
                    log.exception("a message of another process could not be handled")

    async def speak(self) -> None:
        while True:
            waiting = [await self.outbox.get()]
            while not self.outbox.empty() and len(waiting) < AT_ONCE:
                waiting.append(self.outbox.get_nowait())
            pipe = self.redis.pipeline(transaction=False)
            for name, data in waiting:
                pipe.publish(name, data)
            await pipe.execute()

    async def breathe(self) -> None:
        while True:
            await self.say_alive()
            await asyncio.sleep(ALIVE / 3)

    async def say_alive(self) -> None:
        await self.redis.set(f"bp:alive:{self.me}", self.door, ex=ALIVE)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        try:
            async with reaching():
                await self.redis.delete(f"bp:alive:{self.me}")
                await self.redis.aclose()
        except BusError as error:
            log.warning("Redis was gone before us", extra={"why": str(error)})

    async def owner(self, room: str) -> str:
        name = f"bp:owner:{room}"
        async with reaching():
            for _ in range(TRIES):
                if await self.redis.set(name, self.me, nx=True, ex=CLAIM):
                    return self.me
                found = await self.redis.get(name)
                if found is None:
                    continue
                who = str(found.decode())
                if who == self.me or await self.alive(who):
                    return who
                # The owner is gone: the process that deletes the claim first may claim the room.
                await self.redis.eval(_DELETE_IF, 1, name, who)
        raise BusError("a room's owner keeps changing")

    async def owners(self, rooms: list[str]) -> list[str]:
        if not rooms:
            return []
        async with reaching():
            found = await self.redis.mget([f"bp:owner:{room}" for room in rooms])
        return ["" if who is None else str(who.decode()) for who in found]

    async def release(self, room: str) -> None:
        async with reaching():
            await self.redis.eval(_DELETE_IF, 1, f"bp:owner:{room}", self.me)

    async def alive(self, process: str) -> bool:
        """Return whether the process runs. A killed process has no subscription; one that hangs or cannot reach Redis
        sends no heartbeat."""
        async with reaching():
            pipe = self.redis.pipeline(transaction=False)
            pipe.exists(f"bp:alive:{process}")
            pipe.pubsub_numsub(channel(process))
            breathes, listeners = await pipe.execute()
        return bool(breathes) and bool(listeners) and listeners[0][1] > 0

    async def open_door(self, door: str) -> None:
        self.door = door
        try:
            async with reaching():
                await self.say_alive()
        except BusError as error:  # the heartbeat sends it again
            log.warning("other processes hear later where we take connections", extra={"why": str(error)})

    async def door_of(self, process: str) -> str:
        async with reaching():
            found = await self.redis.get(f"bp:alive:{process}")
        return "" if found is None else str(found.decode())

    def tell(self, process: str, message: dict[str, Any]) -> None:
        try:
            self.outbox.put_nowait((channel(process), _PACK.encode(message)))
        except asyncio.QueueFull:
            while not self.outbox.empty():
                self.outbox.get_nowait()
            log.warning("too much waits for another process; everybody there starts anew")
            self.cut()

    async def queue(self, one: Waiting) -> None:
        async with reaching():
            pipe = self.redis.pipeline(transaction=False)
            pipe.sadd(f"bp:quick:{one.kind}", one.room)
            pipe.set(f"bp:waits:{one.room}", _PACK.encode(list(one)), px=int(FRESH * 1000))
            await pipe.execute()

    async def unqueue(self, one: Waiting) -> None:
        async with reaching():
            pipe = self.redis.pipeline(transaction=False)
            pipe.srem(f"bp:quick:{one.kind}", one.room)
            pipe.delete(f"bp:waits:{one.room}", f"bp:promised:{one.room}")
            await pipe.execute()

    async def queued(self, kind: str) -> list[Waiting]:
        async with reaching():
            rooms = sorted(room.decode() for room in await self.redis.smembers(f"bp:quick:{kind}"))
            if not rooms:
                return []
            found = await self.redis.mget([f"bp:waits:{room}" for room in rooms])
            taken = await self.redis.mget([f"bp:promised:{room}" for room in rooms])
            for room, data in zip(rooms, found, strict=True):
                if data is None:
                    await self.redis.srem(f"bp:quick:{kind}", room)
        free = zip(found, taken, strict=True)
        return [Waiting(*_UNPACK.decode(data)) for data, other in free if data is not None and other is None]

    async def promise(self, elder: Waiting, younger: Waiting, seconds: float) -> bool:
        lasts = max(1, int(seconds * 1000))
        async with reaching():
            if not await self.redis.set(f"bp:promised:{elder.room}", younger.room, nx=True, px=lasts):
                return False
            if await self.redis.set(f"bp:promised:{younger.room}", elder.room, nx=True, px=lasts):
                return True
            await self.redis.delete(f"bp:promised:{elder.room}")
        return False

    async def share(self, spent: dict[str, float]) -> dict[str, float]:
        span = int(time.time() // SPAN)
        for old in [place for place in self.spent if place[0] < span - 1]:
            del self.spent[old]
            self.heard.pop(old, None)
        async with reaching():
            pipe = self.redis.pipeline(transaction=False)
            for name, ms in spent.items():
                pipe.incrbyfloat(f"bp:spent:{span}:{name}", ms)
                pipe.expire(f"bp:spent:{span}:{name}", 3 * SPAN)
            totals = (await pipe.execute())[::2] if spent else []
        out: dict[str, float] = {}
        for (name, ms), total in zip(spent.items(), totals, strict=True):
            place = (span, name)
            self.spent[place] = self.spent.get(place, 0.0) + ms
            others = max(0.0, float(total) - self.spent[place])
            out[name] = others - self.heard.get(place, 0.0)
            self.heard[place] = others
        return {name: ms for name, ms in out.items() if ms > 0}


def channel(process: str) -> str:
    return f"bp:in:{process}"
