"""Games continue in another process when theirs dies.

    python -m tests.long.handover --games 40 --kills 6

Two servers share a database and Redis; the two players of a game connect to one each. The servers are killed in turn
and stay away for a while: every game must end, with nothing lost or doubled. Then the same with two processes of one
server, where a killed process is restarted at once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.long.kills import Bot, ServerProcess, check, free_port, play, workers
from tests.long.scaling import redis

from blackpoker.client import Client, ServerSeat

#: acknowledged moves between two kills
MOVES_PER_KILL: Final = 100


class MultiAddressSeat(ServerSeat):
    """A seat that knows several addresses and tries the next one if a connection fails."""

    def __init__(self, urls: list[str], room: str, cookie: str) -> None:
        super().__init__(urls[0], room, cookie)
        self.urls = [url.replace("http", "ws", 1) + "/ws" for url in urls]

    async def connect(self) -> None:
        try:
            await super().connect()
        except OSError:
            self.urls = [*self.urls[1:], self.urls[0]]
            self.url = self.urls[0]
            raise


async def two_servers(database: str, address: str, games: int, kills: int, seed: int) -> dict[str, Any]:
    """Kill one server, restart it later, then kill the other."""
    pair = [ServerProcess(database, free_port(), "--redis", address) for _ in range(2)]

    async def kill_next(number: int) -> None:
        victim = pair[number % 2]
        victim.kill()
        await asyncio.sleep(4)  # meanwhile the other server is alone
        victim.start()
        await victim.ready()

    return await played(pair, [victim.url for victim in pair], kill_next, database, games, kills, seed)


async def two_processes(database: str, address: str, games: int, kills: int, seed: int) -> dict[str, Any]:
    """Run one server of two processes; a killed process is replaced."""
    victim = ServerProcess(database, free_port(), "--redis", address, "--processes", "2")
    chosen = random.Random(seed)

    async def kill_next(number: int) -> None:
        assert victim.process is not None
        found = workers(victim.process.pid)
        if len(found) == 2:
            os.kill(chosen.choice(found), signal.SIGKILL)
        await asyncio.sleep(2)

    return await played([victim], [victim.url], kill_next, database, games, kills, seed)


async def played(
    victims: list[ServerProcess], urls: list[str], kill_next: Any, database: str, games: int, kills: int, seed: int
) -> dict[str, Any]:
    for victim in victims:
        victim.start()
    started = time.perf_counter()
    bots: list[tuple[Bot, Bot, str]] = []
    playing: list[Bot] = []
    killed = 0

    def acknowledged() -> int:
        return sum(len(bot.acks) for bot in playing)

    try:
        for victim in victims:
            await victim.ready()
        async with Client(urls[0], "Aki") as one, Client(urls[-1], "Ben") as two:
            rooms = [await one.create_room(regulation="standard+full", window_ms=0) for _ in range(games)]

            async def game(number: int, room: str) -> None:
                seats: list[ServerSeat] = [
                    MultiAddressSeat(urls, room, one.cookie),
                    MultiAddressSeat(urls[::-1], room, two.cookie),
                ]
                bots.append(await play(seats, seed + number * 2, playing))

            async def kill_on() -> None:
                """Kill a process each time ``MOVES_PER_KILL`` more moves are acknowledged."""
                nonlocal killed
                while killed < kills:
                    wanted = acknowledged() + MOVES_PER_KILL
                    while acknowledged() < wanted:
                        if len(bots) == games:
                            return
                        await asyncio.sleep(0.02)
                    await kill_next(killed)
                    killed += 1

            killer = asyncio.create_task(kill_on())
            await asyncio.wait_for(asyncio.gather(*(game(n, room.id) for n, room in enumerate(rooms))), 400)
            await killer
    finally:
        codes = [victim.stop() for victim in victims]
    checked = check(database, bots)
    assert len(bots) == games
    assert codes == [0] * len(victims)
    return {
        "games": games,
        "kills": killed,
        "acknowledged": checked,
        "seconds": round(time.perf_counter() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with redis() as address, tempfile.TemporaryDirectory() as folder:
        if not address:
            print("hand-over: Redis is not installed (Debian's package is redis-server), skipped")
            return
        for name, run in (("two servers", two_servers), ("two processes of one", two_processes)):
            database = str(Path(folder) / f"{run.__name__}.db")
            print(f"hand-over, {name}:", asyncio.run(run(database, address, given.games, given.kills, given.seed)))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
