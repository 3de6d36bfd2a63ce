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
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

import msgspec

from blackpoker.server.admission import Rate

log: logging.Logger = logging.getLogger("blackpoker.bus")
#: seconds an owner counts as alive without a heartbeat
HEARTBEAT_TTL: Final = 6
#: seconds a claim can outlive its room at most
CLAIM_TTL: Final = 86_400
#: messages that may wait for other processes
OUTBOX_LIMIT: Final = 50_000
PUBLISH_BATCH: Final = 500
#: connections to Redis; further callers wait for a free one. Without a bound the library opens up to a hundred and
#: refuses the rest, and all clients reconnect at once when a server restarts
MAX_CONNECTIONS: Final = 32
#: seconds in which Redis must answer a health check
PING_SECONDS: Final = 2.0
#: attempts to claim a contested room
CLAIM_ATTEMPTS: Final = 20
#: seconds an entry stays in the matchmaking queue unless it is renewed
QUEUE_TTL: Final = 5.0
#: seconds over which usage is added up
USAGE_INTERVAL: Final = 10


class QueueEntry(NamedTuple):
    """A player in the matchmaking queue. ``process`` owns the player's room. ``rating`` is the estimated strength in
    points of a rated match, or NaN until it is known."""

    queue: str
    room: str
    guest: str
    network: str
    since: float
    process: str
    rating: float = 0.0

    @property
    def has_rating(self) -> bool:
        return not math.isnan(self.rating)


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder()
_DELETE_IF: Final = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0"
#: takes tokens from all buckets or from none, as `admission.LocalTokens.take`; a bucket is its tokens and their time
_TAKE_TOKENS: Final = """
local now = redis.call('time')
now = now[1] + now[2] / 1000000
local amount, wait, left = tonumber(ARGV[1]), 0, {}
for i, key in ipairs(KEYS) do
  local rate, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local found = redis.call('hmget', key, 'tokens', 'at')
  local tokens = burst
  if found[1] then tokens = math.min(burst, tonumber(found[1]) + (now - tonumber(found[2])) * rate) end
  if amount - tokens > 1e-9 then wait = math.max(wait, (amount - tokens) / rate) end
  left[i] = tokens
end
if wait == 0 then
  for i, key in ipairs(KEYS) do
    local rate, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
    redis.call('hset', key, 'tokens', tostring(left[i] - amount), 'at', string.format('%.6f', now))
    redis.call('expire', key, math.min(2592000, math.ceil(burst / rate) + 1))
  end
end
return tostring(wait)
"""

MessageHandler = Callable[[dict[str, Any]], None]


class BusError(Exception):
    """Other processes cannot be reached at the moment."""


class Bus:
    """The bus of a server with one process."""

    single_process = True

    def __init__(self) -> None:
        self.process_id: str = secrets.token_hex(4)
        self.handover_address: str = (
            ""  # address where this process takes over connections from others on the same machine
        )
        self.queue_entries: dict[str, QueueEntry] = {}  # matchmaking entries, by room
        self.clock: Callable[[], float] = time.monotonic
        self.reserved_until: dict[str, float] = {}  # time until which a room is reserved for a pairing

    async def start(self, on_message: MessageHandler, on_loss: Callable[[], None]) -> None:
        """Subscribe to messages. ``on_loss`` is called when messages may have been lost."""

    async def stop(self) -> None:
        """Close all connections of the bus."""

    async def is_reachable(self) -> bool:
        """Return whether the other processes can be reached now."""
        return True

    async def resolve_owner(self, room: str) -> str:
        """Return the id of the process that owns the room; claim it for this process if it has no owner."""
        return self.process_id

    async def owners(self, rooms: list[str]) -> list[str]:
        """Return the owners of these rooms; empty for a room without an owner."""
        return [self.process_id] * len(rooms)

    async def release(self, room: str) -> None:
        """Release the claim of this process on the room."""

    async def alive(self, process: str) -> bool:
        """Return whether that process still runs."""
        return True

    async def set_handover_address(self, address: str) -> None:
        """Publish the address where this process takes over connections."""
        self.handover_address = address

    async def handover_address_of(self, process: str) -> str:
        """Return the address where that process takes over connections; empty if it takes none."""
        return ""

    def send(self, process: str, message: dict[str, Any]) -> None:
        """Send a message to another process."""
        raise AssertionError("there is no other process")

    async def enqueue(self, entry: QueueEntry) -> None:
        """Add or renew an entry of the matchmaking queue; it expires unless it is renewed."""
        self.queue_entries[entry.room] = entry

    async def dequeue(self, entry: QueueEntry) -> None:
        self.queue_entries.pop(entry.room, None)
        self.reserved_until.pop(entry.room, None)

    async def available_entries(self, queue: str) -> list[QueueEntry]:
        """Return the entries of a queue that are not reserved for a pairing."""
        now = self.clock()
        return [
            entry
            for entry in self.queue_entries.values()
            if entry.queue == queue and self.reserved_until.get(entry.room, now) <= now
        ]

    async def reserve_pair(self, earlier: QueueEntry, later: QueueEntry, seconds: float) -> bool:
        """Reserve both entries for each other; return False if one of them is already reserved."""
        until = self.clock() + seconds
        self.reserved_until[earlier.room] = self.reserved_until[later.room] = until
        return True

    async def exchange_usage(self, usage: dict[str, float]) -> dict[str, float]:
        """Publish what guests and addresses have used in this process; return what they have used in others since the
        last call."""
        return {}

    async def exchange_connections(self, held: dict[str, int]) -> dict[str, int]:
        """Publish the open connections by network of this process; return those of the others."""
        return {}

    async def take_tokens(self, rates: Sequence[tuple[str, Rate]], amount: float) -> float | None:
        """Take tokens of quotas shared by all processes (`admission.SharedTokens`)."""
        return None


@asynccontextmanager
async def redis_errors() -> AsyncIterator[None]:
    """Raise every Redis failure as `BusError`."""
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as error:
        raise BusError(f"Redis: {' '.join(str(error).split())[:200] or type(error).__name__}") from error


class RedisBus(Bus):
    single_process = False

    def __init__(self, client: Any) -> None:
        super().__init__()
        self.redis = client
        self.tasks: list[asyncio.Task[None]] = []
        self.outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(OUTBOX_LIMIT)
        self.reported_usage: dict[tuple[int, str], float] = {}  # reported usage of this process
        self.received_usage: dict[tuple[int, str], float] = {}  # usage received from other processes
        self.on_message: MessageHandler = lambda message: None
        self.on_loss: Callable[[], None] = lambda: None

    @classmethod
    async def connect(cls, url: str) -> RedisBus:
        """Connect to Redis; raise `BusError` if it cannot be reached and `ValueError` for an invalid address."""
        import redis.asyncio as redis

        pool = redis.BlockingConnectionPool.from_url(url, max_connections=MAX_CONNECTIONS, socket_connect_timeout=5)
        client = redis.Redis.from_pool(pool)
        async with redis_errors():
            await client.ping()
        return cls(client)

    async def start(self, on_message: MessageHandler, on_loss: Callable[[], None]) -> None:
        self.on_message, self.on_loss = on_message, on_loss
        subscribed = asyncio.Event()
        self.tasks = [
            asyncio.create_task(self.run_forever(part))
            for part in (lambda: self.subscribe(subscribed), self.publish, self.send_heartbeats)
        ]
        await subscribed.wait()  # before any claim: an owner without a subscription counts as dead

    async def run_forever(self, job: Callable[[], Awaitable[None]]) -> None:
        """Run ``part`` and restart it when Redis fails. Messages sent meanwhile are lost, so connections that depend on
        them restart."""
        while True:
            try:
                async with redis_errors():
                    await job()
            except BusError as error:
                log.warning("connection to Redis lost", extra={"error": str(error)})
                self.on_loss()
                await asyncio.sleep(0.5)

    async def subscribe(self, subscribed: asyncio.Event) -> None:
        async with self.redis.pubsub(ignore_subscribe_messages=True) as pubsub:
            await pubsub.subscribe(channel_name(self.process_id))
            await self.send_heartbeat()
            subscribed.set()
            async for message in pubsub.listen():
                try:
                    self.on_message(_DECODER.decode(message["data"]))
                except Exception:
                    log.exception("message of another process not handled")

    async def publish(self) -> None:
        while True:
            waiting = [await self.outbox.get()]
            while not self.outbox.empty() and len(waiting) < PUBLISH_BATCH:
                waiting.append(self.outbox.get_nowait())
            pipe = self.redis.pipeline(transaction=False)
            for name, data in waiting:
                pipe.publish(name, data)
            await pipe.execute()

    async def send_heartbeats(self) -> None:
        while True:
            await self.send_heartbeat()
            await asyncio.sleep(HEARTBEAT_TTL / 3)

    async def send_heartbeat(self) -> None:
        await self.redis.set(f"bp:alive:{self.process_id}", self.handover_address, ex=HEARTBEAT_TTL)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        try:
            async with redis_errors():
                await self.redis.delete(f"bp:alive:{self.process_id}")
                await self.redis.aclose()
        except BusError as error:
            log.warning("Redis closed before shutdown", extra={"error": str(error)})

    async def is_reachable(self) -> bool:
        try:
            async with asyncio.timeout(PING_SECONDS), redis_errors():
                await self.redis.ping()
        except (BusError, TimeoutError):
            return False
        return True

    async def resolve_owner(self, room: str) -> str:
        name = f"bp:owner:{room}"
        async with redis_errors():
            for _ in range(CLAIM_ATTEMPTS):
                if await self.redis.set(name, self.process_id, nx=True, ex=CLAIM_TTL):
                    return self.process_id
                found = await self.redis.get(name)
                if found is None:
                    continue
                process = str(found.decode())
                if process == self.process_id or await self.alive(process):
                    return process
                # The owner is gone: the process that deletes the claim first may claim the room.
                await self.redis.eval(_DELETE_IF, 1, name, process)
        raise BusError("a room's owner keeps changing")

    async def owners(self, rooms: list[str]) -> list[str]:
        if not rooms:
            return []
        async with redis_errors():
            found = await self.redis.mget([f"bp:owner:{room}" for room in rooms])
        return ["" if process is None else str(process.decode()) for process in found]

    async def release(self, room: str) -> None:
        async with redis_errors():
            await self.redis.eval(_DELETE_IF, 1, f"bp:owner:{room}", self.process_id)

    async def alive(self, process: str) -> bool:
        """Return whether the process runs. A killed process has no subscription; one that hangs or cannot reach Redis
        sends no heartbeat."""
        async with redis_errors():
            pipe = self.redis.pipeline(transaction=False)
            pipe.exists(f"bp:alive:{process}")
            pipe.pubsub_numsub(channel_name(process))
            has_heartbeat, listeners = await pipe.execute()
        return bool(has_heartbeat) and bool(listeners) and listeners[0][1] > 0

    async def set_handover_address(self, address: str) -> None:
        self.handover_address = address
        try:
            async with redis_errors():
                await self.send_heartbeat()
        except BusError as error:  # the heartbeat sends it again
            log.warning("address of this process not published; retrying", extra={"error": str(error)})

    async def handover_address_of(self, process: str) -> str:
        async with redis_errors():
            found = await self.redis.get(f"bp:alive:{process}")
        return "" if found is None else str(found.decode())

    def send(self, process: str, message: dict[str, Any]) -> None:
        try:
            self.outbox.put_nowait((channel_name(process), _ENCODER.encode(message)))
        except asyncio.QueueFull:
            while not self.outbox.empty():
                self.outbox.get_nowait()
            log.warning("outbox for another process full; its clients reconnect")
            self.on_loss()

    async def enqueue(self, entry: QueueEntry) -> None:
        async with redis_errors():
            pipe = self.redis.pipeline(transaction=False)
            pipe.sadd(f"bp:quick:{entry.queue}", entry.room)
            pipe.set(f"bp:waits:{entry.room}", _ENCODER.encode(list(entry)), px=int(QUEUE_TTL * 1000))
            await pipe.execute()

    async def dequeue(self, entry: QueueEntry) -> None:
        async with redis_errors():
            pipe = self.redis.pipeline(transaction=False)
            pipe.srem(f"bp:quick:{entry.queue}", entry.room)
            pipe.delete(f"bp:waits:{entry.room}", f"bp:promised:{entry.room}")
            await pipe.execute()

    async def available_entries(self, queue: str) -> list[QueueEntry]:
        async with redis_errors():
            rooms = sorted(room.decode() for room in await self.redis.smembers(f"bp:quick:{queue}"))
            if not rooms:
                return []
            found = await self.redis.mget([f"bp:waits:{room}" for room in rooms])
            taken = await self.redis.mget([f"bp:promised:{room}" for room in rooms])
            for room, data in zip(rooms, found, strict=True):
                if data is None:
                    await self.redis.srem(f"bp:quick:{queue}", room)
        free = zip(found, taken, strict=True)
        return [QueueEntry(*_DECODER.decode(data)) for data, other in free if data is not None and other is None]

    async def reserve_pair(self, earlier: QueueEntry, later: QueueEntry, seconds: float) -> bool:
        ttl_ms = max(1, int(seconds * 1000))
        async with redis_errors():
            if not await self.redis.set(f"bp:promised:{earlier.room}", later.room, nx=True, px=ttl_ms):
                return False
            if await self.redis.set(f"bp:promised:{later.room}", earlier.room, nx=True, px=ttl_ms):
                return True
            await self.redis.delete(f"bp:promised:{earlier.room}")
        return False

    async def exchange_usage(self, usage: dict[str, float]) -> dict[str, float]:
        span = int(time.time() // USAGE_INTERVAL)
        for old in [key for key in self.reported_usage if key[0] < span - 1]:
            del self.reported_usage[old]
            self.received_usage.pop(old, None)
        async with redis_errors():
            pipe = self.redis.pipeline(transaction=False)
            for name, ms in usage.items():
                pipe.incrbyfloat(f"bp:spent:{span}:{name}", ms)
                pipe.expire(f"bp:spent:{span}:{name}", 3 * USAGE_INTERVAL)
            totals = (await pipe.execute())[::2] if usage else []
        out: dict[str, float] = {}
        for (name, ms), total in zip(usage.items(), totals, strict=True):
            key = (span, name)
            self.reported_usage[key] = self.reported_usage.get(key, 0.0) + ms
            others = max(0.0, float(total) - self.reported_usage[key])
            out[name] = others - self.received_usage.get(key, 0.0)
            self.received_usage[key] = others
        return {name: ms for name, ms in out.items() if ms > 0}

    async def exchange_connections(self, held: dict[str, int]) -> dict[str, int]:
        async with redis_errors():
            pipe = self.redis.pipeline(transaction=False)
            pipe.set(f"bp:held:{self.process_id}", _ENCODER.encode(held), ex=HEARTBEAT_TTL)
            pipe.sadd("bp:holders", self.process_id)
            pipe.smembers("bp:holders")
            others = [name.decode() for name in (await pipe.execute())[2] if name.decode() != self.process_id]
            found = await self.redis.mget([f"bp:held:{name}" for name in others]) if others else []
            for name, data in zip(others, found, strict=True):
                if data is None:
                    await self.redis.srem("bp:holders", name)
        out: dict[str, int] = {}
        for data in found:
            for network, count in ({} if data is None else _DECODER.decode(data)).items():
                out[network] = out.get(network, 0) + count
        return out

    async def take_tokens(self, rates: Sequence[tuple[str, Rate]], amount: float) -> float | None:
        keys = [f"bp:quota:{name}" for name, _ in rates]
        numbers = [value for _, rate in rates for value in rate]
        try:
            async with redis_errors():
                wait = await self.redis.eval(_TAKE_TOKENS, len(keys), *keys, amount, *numbers)
        except BusError as error:
            log.warning("quotas counted in this process only", extra={"error": str(error)})
            return None
        return float(wait)


def channel_name(process: str) -> str:
    return f"bp:in:{process}"
