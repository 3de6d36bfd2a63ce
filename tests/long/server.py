"""The server's long runs, bounded: secrecy, windows, reaction times.

python -m tests.long.server [secrecy|windows|timing …] [--games N]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.server.live import Live, random_words
from tests.server.spy import spied_game
from tests.server.test_secrecy import regulations
from tests.server.window_oracle import Tally, play

from blackpoker.assist.autopass import TIMED
from blackpoker.client import Client, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.room import Room


def secrecy(games: int, first: int = 0) -> bool:
    """Check that no byte reveals what R-210…R-216 hide from a seat. ``first``: the number of the first game, to
    continue a run."""
    leaks: list[str] = []
    size = messages = 0
    for number, regulation in list(enumerate(regulations(first + games)))[first:]:
        if number > first and (number - first) % 25 == 0:
            print(f"secrecy: {number - first} of {games} games, {messages} messages, {len(leaks)} leaks", flush=True)
        spy = spied_game(regulation, number, interval=12)
        leaks += [f"{regulation} {number}: {leak}" for leak in spy.leaks]
        size += spy.bytes
        messages += spy.messages.total()
    print(f"secrecy: {games} games in all formats, {messages} messages, {size / 1e6:.0f} MB, {len(leaks)} leaks")
    print("\n".join(leaks[:10]), end="\n" if leaks else "")
    return not leaks


def windows(games: int) -> bool:
    """Measure the prompted windows per player and turn, and the skipped windows that mattered."""
    good = True
    for level in ("heuristic", "random"):
        tally = Tally()
        for seed in range(games):
            if seed and seed % 50 == 0:
                print(f"windows: {seed} of {games} games by {level} players", flush=True)
            play("lite+entry", seed, tally, level)
        prompted, skipped = sum(tally.prompted.values()), sum(tally.skipped.values())
        print(
            f"windows: {games} games of lite+entry by {level} players, {tally.turns} turns: {tally.per_turn:.2f} asked per "
            f"player and turn, {prompted} asked, {skipped} passed, {len(tally.wrong)} skipped that mattered"
        )
        print("\n".join(tally.wrong[:10]), end="\n" if tally.wrong else "")
        good = good and tally.per_turn <= 3 and not tally.wrong
    return good


def timing(count: int) -> bool:
    """Compare how long the other seat waits for automatic and for prompted windows over the network."""
    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "timing.db") as live:
        automatic, prompted = asyncio.run(measure(live, count))
    distance = kolmogorov(automatic, prompted)
    n, m = len(automatic), len(prompted)
    limit = 1.63 * ((n + m) / (n * m)) ** 0.5  # one in a hundred
    print(
        f"timing: {n} automatic windows, median {median(automatic):.1f} ms; {m} asked, median {median(prompted):.1f} ms; "
        f"Kolmogorov-Smirnov {distance:.3f}, limit {limit:.3f}"
    )
    return bool(distance <= limit)


def median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] * 1000 if values else 0.0


def kolmogorov(one: list[float], two: list[float]) -> float:
    both = sorted([(value, 0) for value in one] + [(value, 1) for value in two])
    seen = [0, 0]
    most = 0.0
    for _, which in both:
        seen[which] += 1
        most = max(most, abs(seen[0] / max(1, len(one)) - seen[1] / max(1, len(two))))
    return most


class WindowTimer:
    """Records how long a seat waits for the other's window, and whether the window was prompted."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.opened: dict[int, tuple[float, int, bool]] = {}
        self.times: dict[bool, list[float]] = {True: [], False: []}

    def listener(self, place: int) -> Callable[[p.AnyServerMessage], None]:
        def on_message(message: p.AnyServerMessage) -> None:
            now = time.perf_counter()
            if not isinstance(message, p.Update):
                return
            if place in self.opened:
                started, seq, was_prompted = self.opened.pop(place)
                if message.seq > seq:
                    self.times[was_prompted].append(now - started)
                elif message.seq == seq:
                    self.opened[place] = (started, seq, was_prompted)
            room = self.room
            if (
                message.waiting_for == NAMES[1 - place]
                and room.room_game.seq == message.seq
                and room.windows.release_at > room.windows.opened_at
            ):
                self.opened.setdefault(place, (now, message.seq, room.windows.verdict is not None))

        return on_message


async def play_and_pass(seat: ServerSeat, chosen: random.Random) -> None:
    """Play at random but pass in windows: the content of a response is not measured."""
    await seat.send(p.SetAssist(0, "auto"))
    await seat.ready()
    async for ask in seat.prompts():
        words = [option.token for option in ask.options]
        window = ask.kind == "chance" and ask.reason in TIMED and "pass" in words
        if window:
            await asyncio.sleep(chosen.uniform(0.0, 0.02))
        await seat.submit(ask, ["pass"] if window else await random_words(seat, ask, chosen))


async def measure(live: Live, count: int) -> tuple[list[float], list[float]]:
    times: dict[bool, list[float]] = {True: [], False: []}
    assert live.state is not None
    seed = 0
    while len(times[True]) < count // 3 or len(times[False]) < count // 3 or sum(map(len, times.values())) < count:
        seed += 1
        async with Client(live.url, "A") as one, Client(live.url, "B") as two:
            room = await one.create_room(regulation="lite+entry", window_ms=80)
            # with lean detail a client only learns of the other's windows with its own prompt
            async with one.join(room.id, detail="full") as first, two.join(room.id, detail="full") as second:
                watch = WindowTimer(live.state.room_manager.rooms[room.id])
                first.on_message, second.on_message = watch.listener(0), watch.listener(1)
                await asyncio.gather(
                    play_and_pass(first, random.Random(seed)), play_and_pass(second, random.Random(seed + 1000))
                )
                for was_prompted, found in watch.times.items():
                    times[was_prompted] += found
        print(f"timing: {seed} games, {len(times[False])} automatic and {len(times[True])} asked windows", flush=True)
    return times[False], times[True]


NAMES = ("p1", "p2")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["secrecy", "windows", "timing"])
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="secrecy: the number of the first game")
    given = parser.parse_args()
    runs: dict[str, tuple[Callable[[int], bool], int]] = {
        "secrecy": (lambda games: secrecy(games, given.first), 500),
        "windows": (windows, 500),
        "timing": (timing, 500),
    }
    good = True
    for name in given.what:
        run, usual = runs[name]
        good = run(given.games or usual) and good
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
