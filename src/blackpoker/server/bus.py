"""How processes of one server reach each other. A room lives in one process; the others pass on what its clients say.

Alone, nothing needs to be passed on. With Redis a process claims a room by setting its owner, and every process listens
to a channel of its own. An owner that no longer says it is alive loses its rooms; the store has all of them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

import msgspec

log = logging.getLogger("blackpoker.bus")
ALIVE: Final = 6  # seconds an owner is believed in
_PACK: Final = msgspec.msgpack.Encoder()
_UNPACK: Final = msgspec.msgpack.Decoder()


class Bus:
    """The bus of a server that is one process."""

    def __init__(self) -> None:
        self.me = secrets.token_hex(4)
        self.quick: dict[str, str] = {}

    async def start(self, hear: Callable[[dict[str, Any]], None]) -> None:
        """Begin to listen."""

    async def stop(self) -> None:
        """Give everything up."""

    async def owner(self, room: str) -> str:
        """The process a room lives in, which may be this one from now on."""
        return self.me

    async def release(self, room: str) -> None:
        """The room no longer lives here."""

    async def alive(self, process: str) -> bool:
        """Whether that process still runs."""
        return True

    def tell(self, process: str, message: dict[str, Any]) -> None:
        """Send something to another process."""
        raise AssertionError("there is no other process")

    async def pair(self, kind: str, room: str) -> str | None:
        """Quick match: the room that waits for somebody, or None after leaving this one there."""
        waiting = self.quick.pop(kind, None)
        if waiting is None:
            self.quick[kind] = room
        return waiting


class RedisBus(Bus):
    def __init__(self, client: Any) -> None:
        super().__init__()
        self.redis = client
        self.tasks: list[asyncio.Task[None]] = []
        self.outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(100_000)

    @classmethod
    async def connect(cls, url: str) -> RedisBus:
        import redis.asyncio as redis

        client = redis.Redis.from_url(url, socket_connect_timeout=5)
        await client.ping()
        return cls(client)

    async def start(self, hear: Callable[[dict[str, Any]], None]) -> None:
        pubsub = self.redis.pubsub(ignore_subscribe_messages=True)
        await pubsub.subscribe(f"bp:in:{self.me}")
        await self.redis.set(f"bp:alive:{self.me}", b"1", ex=ALIVE)

        async def listen() -> None:
            async for message in pubsub.listen():
                hear(_UNPACK.decode(message["data"]))

        async def speak() -> None:
            while True:
                waiting = [await self.outbox.get()]
                while not self.outbox.empty() and len(waiting) < 500:
                    waiting.append(self.outbox.get_nowait())
                pipe = self.redis.pipeline(transaction=False)
                for channel, data in waiting:
                    pipe.publish(channel, data)
                await pipe.execute()

        async def breathe() -> None:
            while True:
                await self.redis.set(f"bp:alive:{self.me}", b"1", ex=ALIVE)
                await asyncio.sleep(ALIVE / 3)

        self.tasks = [asyncio.create_task(part()) for part in (listen, speak, breathe)]

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.redis.delete(f"bp:alive:{self.me}")
        await self.redis.aclose()

    async def owner(self, room: str) -> str:
        name = f"bp:owner:{room}"
        for _ in range(20):
            if await self.redis.set(name, self.me, nx=True, ex=86_400):
                return self.me
            found = await self.redis.get(name)
            if found is None:
                continue
            who = found.decode()
            if who == self.me or await self.redis.exists(f"bp:alive:{who}"):
                return str(who)
            # Its owner is gone: whoever deletes the claim first may claim it.
            await self.redis.eval(
                "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0",
                1, name, who,
            )  # fmt: skip
        return self.me

    async def release(self, room: str) -> None:
        await self.redis.eval(
            "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0",
            1, f"bp:owner:{room}", self.me,
        )  # fmt: skip

    async def alive(self, process: str) -> bool:
        return bool(await self.redis.exists(f"bp:alive:{process}"))

    def tell(self, process: str, message: dict[str, Any]) -> None:
        try:
            self.outbox.put_nowait((f"bp:in:{process}", _PACK.encode(message)))
        except asyncio.QueueFull:
            log.warning("bus is full, a message is dropped")

    async def pair(self, kind: str, room: str) -> str | None:
        name = f"bp:quick:{kind}"
        waiting = await self.redis.getdel(name)
        if waiting is not None:
            return str(waiting.decode())
        await self.redis.set(name, room, ex=600)
        return None
