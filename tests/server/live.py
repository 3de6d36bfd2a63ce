"""A server in this process, on its own port."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import httpx
import uvicorn

from blackpoker.client import Client, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server.admission import UNLIMITED, Limits
from blackpoker.server.app import create_app
from blackpoker.server.http.connection_limits import ConnectionGate, limited_protocol
from blackpoker.server.http.state import AppState
from blackpoker.server.serve import bind_port
from blackpoker.server.ws.frames import FrameProtocol

#: timeout in seconds for anything that hangs; no test depends on shorter times
PATIENCE: Final = 120.0
get = partial(httpx.get, timeout=PATIENCE)
post = partial(httpx.post, timeout=PATIENCE)


async def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait for an event in the server."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"in vain: {what}"
        await asyncio.sleep(0.01)


class Live:
    """A server in a thread; use it as a context manager."""

    def __init__(
        self,
        database: Path | str,
        limits: Limits = UNLIMITED,
        redis: str = "",
        door: ConnectionGate | None = None,
        hosts: frozenset[str] = frozenset("*"),
    ) -> None:
        self.socket = bind_port("127.0.0.1", 0, True)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.state: AppState | None = None
        self.database = str(database)
        app = create_app(str(database), redis, limits, on_start=self.opened, hosts=hosts)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="on",
            ws=FrameProtocol,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=1,
            http=limited_protocol(door) if door is not None else "auto",
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],), daemon=True)

    def opened(self, state: AppState) -> None:
        self.state = state

    def __enter__(self) -> Self:
        self.thread.start()
        while not self.server.started:
            if not self.thread.is_alive():
                raise RuntimeError("the server did not start")
            threading.Event().wait(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(10)
        self.socket.close()


async def play_seat(
    client: Client, room: str, seed: int, seat_name: str = "any", detail: p.Detail = "lean"
) -> ServerSeat:
    """Play the whole match at random and return the seat."""
    chosen = random.Random(seed)
    async with client.join(room, seat_name, detail) as seat:
        if seat.info is not None and seat.info.phase == "waiting":
            await seat.ready(salt=f"{random.Random(seed).getrandbits(128):032x}")
        async for ask in seat.prompts():
            await seat.submit(ask, await random_words(seat, ask, chosen))
        return seat


async def wait_until_playing(seat: ServerSeat) -> None:
    """Receive messages until the game is in progress; a salt is revealed on the way."""
    while seat.last is None or seat.last.waiting_for is None:
        await seat.receive()


async def random_words(seat: ServerSeat, ask: p.Prompt, chosen: random.Random) -> list[str]:
    return await seat.build_move(ask, chosen.choice)


async def play_pair(url: str, seed: int, **settings: Any) -> tuple[ServerSeat, ServerSeat]:
    settings.setdefault("window_ms", 0)
    async with Client(url, f"A{seed}") as one, Client(url, f"B{seed}") as two:
        room = await one.create_room(**settings)
        first, second = await asyncio.gather(
            play_seat(one, room.id, seed), play_seat(two, room.id, seed + 1, detail="full")
        )
        return first, second
