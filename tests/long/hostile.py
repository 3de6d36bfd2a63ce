"""Hostile messages in bulk while another guest plays: no state changes, and the other guest does not wait.

    python -m tests.long.hostile --messages 1000000
    python -m tests.long.hostile --messages 200000 --seed 800000

``--seed``: the number of the first message, to continue a run.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.server.live import Live
from tests.server.test_live import flood

from blackpoker.client import Client
from blackpoker.protocol import messages as p
from blackpoker.server.admission import Limits


async def measure_pings(url: str, stop: asyncio.Event, took: list[float]) -> None:
    """Send a ping from another room at intervals and measure the response times."""
    async with Client(url, "victim") as client:
        room = await client.create_room()
        async with client.join(room.id) as seat:
            while not stop.is_set():
                started = time.perf_counter()
                number = seat.next_id()
                await seat.send(p.Ping(number))
                while True:
                    message = await seat.receive()
                    if isinstance(message, p.Pong) and message.id == number:
                        break
                took.append(time.perf_counter() - started)
                await asyncio.sleep(0.05)


async def story(live: Live, messages: int, seed: int, most: int = 20_000) -> list[float]:
    stop = asyncio.Event()
    took: list[float] = []
    waiting = asyncio.create_task(measure_pings(live.url, stop, took))
    done = 0
    while done < messages:
        count = min(most, messages - done)
        await flood(live, count, seed + done)  # raises an error if the state has changed
        done += count
        print(f"hostile: {done} of {messages}", flush=True)
    stop.set()
    await waiting
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    limits = Limits(
        guest_ms=400.0, address_ms=1e9, address_burst_ms=1e9, accounts_rate=1e9, accounts_burst=10**9
    )  # all clients run on one machine here
    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "hostile.db", limits) as live:
        took = sorted(asyncio.run(story(live, given.messages, given.seed)))
    p99 = took[int(len(took) * 0.99)] * 1000
    print(
        f"hostile: {given.messages} messages, 0 changes; a victim's p99 meanwhile {p99:.1f} ms of {len(took)} answers"
    )
    raise SystemExit(0 if p99 <= 100 else 1)


if __name__ == "__main__":
    main()
