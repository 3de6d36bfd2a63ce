"""What can be heard in the silence: twin servers in opposite worlds, and somebody at the other seat who probes.

    python -m tests.server.silence --pairs 300
    python -m tests.server.silence --pairs 60 --probe ping http

In one world the seat is asked in its window, drafts and answers; in the other it is passed for automatically. The prober
knows neither and sends probes all through the window: how well do their times tell the worlds apart? AUC 0.5 is not at
all, 1.0 always. The best of several figures of one window counts (the longest answer, the mean, the slow ones), and the
median of it over five windows.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing as mp
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import httpx

from blackpoker.client import Client, ServerSeat
from blackpoker.server.net.limits import UNLIMITED
from blackpoker.wire import protocol as p
from tests.server.live import Live

PROBES: Final = ("ping", "draft", "look", "chat", "http")
#: seconds of a window, and between two probes
WINDOW_MS: Final = 600
EVERY: Final = 0.003
#: what the table of the issue asks for
ONE: Final = 0.55
FIVE: Final = 0.58
#: a game in which the other seat may always answer something
SUMMON: Final = "summon"


def serve(folder: str, ready: Any) -> None:
    """A server in a process of its own."""
    with Live(Path(folder) / "games.db", UNLIMITED) as live:
        ready.send(live.url)
        ready.recv()


def auc(one: list[float], two: list[float]) -> float:
    """How often a figure of the second world is larger than one of the first; either way round is telling."""
    wins = sum((b > a) + 0.5 * (a == b) for a in one for b in two)
    found = wins / max(1, len(one) * len(two))
    return max(found, 1 - found)


FIGURES: Final[dict[str, Callable[[list[float]], float]]] = {
    "longest": max,
    "mean": statistics.fmean,
    "median": statistics.median,
    "slow ones": lambda times: float(sum(one > 2 * statistics.median(times) for one in times)),
    "spread": statistics.pstdev,
}


class World:
    """A room of two: ``victim`` is asked everywhere, or passed for everywhere."""

    def __init__(self, url: str, asked: bool, seed: int) -> None:
        self.url = url
        self.asked = asked
        self.chosen = random.Random(seed)

    async def window(self, probe: str) -> list[float]:
        """The times of the probes in one window of the victim's."""
        async with Client(self.url, "P") as one, Client(self.url, "V") as two:
            room = await one.create_room(regulation="lite+entry", window_ms=WINDOW_MS)
            async with one.play(room.id, "p1", "full") as prober, two.play(room.id, "p2", "full") as victim:
                await victim.send(p.SetAssist(0, "firm" if self.asked else "auto", stops=self.stops()))
                victim_plays = asyncio.create_task(self.victim(victim))
                try:
                    return await asyncio.wait_for(self.prober(prober, one, probe), 30)
                finally:
                    victim_plays.cancel()
                    await asyncio.gather(victim_plays, return_exceptions=True)

    def stops(self) -> list[p.Stop]:
        return ["summon", "magic", "attack", "block", "judgement", "end"] if self.asked else []

    async def victim(self, seat: ServerSeat) -> None:
        await seat.ready()
        async for ask in seat.asks():
            await asyncio.sleep(self.chosen.uniform(0.1, 0.4))
            words = [option.word for option in ask.options]
            if ask.kind == "chance" and "pass" in words:
                await seat.draft(ask, [self.chosen.choice(words)])
                await asyncio.sleep(self.chosen.uniform(0.02, 0.1))
                await seat.act(ask, ["pass"])
            else:
                await seat.choose(ask, self.chosen.choice)

    async def prober(self, seat: ServerSeat, client: Client, probe: str) -> list[float]:
        """Act until the other seat has a window, then probe until it is over."""
        await seat.ready()
        while True:
            await seat.receive()
            update = seat.last
            if update is None:
                continue
            if update.ask is not None:
                ask, seat.last = update.ask, None
                words = [option.word for option in ask.options]
                bold = [word for word in words if word not in ("pass", "end")]
                first = self.chosen.choice(bold or words)
                if not await seat.act(ask, (await self.whole(seat, ask, first)) or ["pass"]):
                    continue
            if update.ask is None and update.waiting == "p2":
                found = await self.probe(seat, client, probe, update.seq)
                if len(found) >= 5:
                    return found

    async def whole(self, seat: ServerSeat, ask: p.Ask, first: str) -> list[str]:
        drafted = await seat.draft(ask, [first])
        return drafted.words if drafted.complete else drafted.proposal

    async def probe(self, seat: ServerSeat, client: Client, probe: str, seq: int) -> list[float]:
        if probe == "http":
            return await self.over_http(seat, client, seq)
        sent: dict[int, float] = {}
        took: list[float] = []
        begun = time.perf_counter()
        while time.perf_counter() - begun < WINDOW_MS / 1000 * 0.95:
            number = seat.next()
            sent[number] = time.perf_counter()
            await seat.send(self.message(probe, number, seq))
            until = time.perf_counter() + (EVERY if probe != "chat" else 0.1)
            while (left := until - time.perf_counter()) > 0:
                try:
                    message = await asyncio.wait_for(seat.receive(), left)
                except TimeoutError:
                    break
                self.took(message, sent, took)
                if isinstance(message, p.Update) and message.seq > seq:
                    return took
        return took

    def took(self, message: p.ServerMessage, sent: dict[int, float], took: list[float]) -> None:
        number = getattr(message, "id", 0)
        if not number and isinstance(message, p.ChatLine | p.Update) and sent:
            number = min(sent)  # these come in the order they were asked for
        if number in sent:
            took.append(time.perf_counter() - sent.pop(number))

    def message(self, probe: str, number: int, seq: int) -> p.ClientMessage:
        if probe == "ping":
            return p.Ping(number)
        if probe == "draft":
            return p.DraftWords(number, seq, ["pass"])
        if probe == "look":
            return p.LookAgain(number)
        return p.Chat(number, "…")

    async def over_http(self, seat: ServerSeat, client: Client, seq: int) -> list[float]:
        took: list[float] = []
        begun = time.perf_counter()
        cookies = {"blackpoker_guest": client.cookie}
        async with httpx.AsyncClient(base_url=self.url, cookies=cookies, timeout=30) as http:
            while time.perf_counter() - begun < WINDOW_MS / 1000 * 0.95:
                asked = time.perf_counter()
                await http.get("/api/levels")
                took.append(time.perf_counter() - asked)
                await asyncio.sleep(EVERY)
        return took


def fives(values: list[float]) -> list[float]:
    """The median of five windows, again and again."""
    return [statistics.median(values[at : at + 5]) for at in range(0, len(values) - 4, 5)]


async def measure(urls: tuple[str, str], probe: str, pairs: int) -> tuple[float, float, str]:
    found: tuple[list[list[float]], list[list[float]]] = ([], [])
    for number in range(pairs):
        worlds = [World(url, asked == 1, number * 2 + asked) for asked, url in enumerate(urls)]
        for asked, times in enumerate(await asyncio.gather(*(world.window(probe) for world in worlds))):
            found[asked].append(times)
        if (number + 1) % 50 == 0:
            print(f"silence: {probe}, {number + 1} of {pairs} pairs", flush=True)
    best = (0.0, 0.0, "")
    for name, figure in FIGURES.items():
        one, two = ([figure(times) for times in world] for world in found)
        best = max(best, (auc(one, two), auc(fives(one), fives(two)), name))
    return best


def play(probes: Iterable[str], pairs: int) -> bool:
    context = mp.get_context("spawn")
    good = True
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        lines, servers = [], []
        for folder in (first, second):
            here, there = context.Pipe()
            server = context.Process(target=serve, args=(folder, there))
            server.start()
            lines.append(here)
            servers.append(server)
        urls = (lines[0].recv(), lines[1].recv())
        for probe in probes:
            one, five, name = asyncio.run(measure(urls, probe, pairs))
            held = one <= ONE and five <= FIVE
            good = good and held
            print(
                f"silence: {probe}: AUC {one:.2f} for one window, {five:.2f} for the median of five ({pairs} pairs, by the "
                f"{name}); {'held' if held else 'NOT held'}"
            )
        for line, server in zip(lines, servers, strict=True):
            line.send("stop")
            server.join(20)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--probe", nargs="*", default=list(PROBES), choices=PROBES)
    given = parser.parse_args()
    raise SystemExit(0 if play(given.probe, given.pairs) else 1)


if __name__ == "__main__":
    main()
