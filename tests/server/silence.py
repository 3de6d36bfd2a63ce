"""What can be heard in the silence: twin servers in opposite worlds, and somebody at the other seat who probes.

    python -m tests.server.silence --pairs 300
    python -m tests.server.silence --pairs 60 --probe ping http

In one world the seat is asked in its windows, drafts several times and answers; in the other it is passed for. The prober
knows neither and sends probes all through the window: how well do their times tell the worlds apart? AUC 0.5 is not at
all, 1.0 always. Of several figures of a window (the longest answer, the mean, the slow ones) the one that tells most is
chosen on one half of the pairs, with its direction, and counts on the other half, and the other way round: an attacker
has to choose before he looks. The same for the median of five windows. Windows of the same kind are compared: the prober
sees what lies on the stage. A server that hides nothing is listened to beside them: it must be heard.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing as mp
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx

from blackpoker.assist.autopass import TIMED
from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.wire import protocol as p
from tests.server.kills import Victim, free_port
from tests.server.live import random_words

#: messages to the room; requests to the API, for the page and for a connection; frames no room hears: a WebSocket's own
#: ping, and what cannot be read
PROBES: Final = ("ping", "draft", "look", "chat", "http", "page", "knock", "frame", "garbage")
PATHS: Final = {"http": "/api/levels", "page": "/"}
KNOCK: Final = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
#: games at a time in each world: while one is where nobody probes, another is not
TABLES: Final = 3
#: pairs after which the servers change their worlds
TURN: Final = 50
#: seconds of a window, and between two probes
WINDOW_MS: Final = 400
EVERY: Final = 0.003
#: a line of chat is heard by all, and a look brings the whole view: these are said less often
SLOWER: Final = {"chat": 0.1, "look": 0.03}
#: what is held
ONE: Final = 0.55
FIVE: Final = 0.58
#: a server that hides nothing: so many pairs, and how well the medians of five tell its worlds apart at least
CONTROL: Final = 100
HEARD: Final = 0.65
#: medians of five that are drawn
DRAWS: Final = 2000
#: what one says who does nothing
PLAIN: Final[tuple[str, ...]] = ("pass", "end")
#: what an asked person tries before he answers
DRAFTS: Final = 3

ID: Final = re.compile(rb'"id":(\d+)')
#: a server as it was: it answers at once, and does nothing for somebody who is passed for
LOUD: Final = """
import sys
from blackpoker import cli
from blackpoker.server.net.hub import Hub
from blackpoker.server.rooms.broadcast import Broadcast
from blackpoker.server.rooms.windows import Windows
Windows.of_another = lambda *_: False
Hub.hush = lambda *_: 0.0
Hub.quiet_until = property(lambda _: 0.0, lambda *_: None)
Broadcast.as_if_asked = lambda *_: None
sys.exit(cli.run(sys.argv[1:]))
"""


class Loud(Victim):
    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", LOUD, *self.arguments()], stdout=subprocess.DEVNULL)


def auc(one: list[float], two: list[float]) -> float:
    """How often a figure of the second world is larger than one of the first."""
    ranks = sorted([(value, 0) for value in one] + [(value, 1) for value in two])
    wins = before = 0.0
    for _, same in itertools.groupby(ranks, key=lambda pair: pair[0]):
        worlds = [which for _, which in same]
        first, second = worlds.count(0), worlds.count(1)
        wins += second * (before + first / 2)
        before += first
    return wins / max(1, len(one) * len(two))


FIGURES: Final[dict[str, Callable[[list[float]], float]]] = {
    "longest": max,
    "mean": statistics.fmean,
    "median": statistics.median,
    "slow ones": lambda times: float(sum(one > 2 * statistics.median(times) for one in times)),
    "spread": statistics.pstdev,
}


class Tap(asyncio.Protocol):
    """Hears when bytes come, before anything is made of them; the line gets them afterwards."""

    def __init__(self, line: asyncio.Protocol, answered: Callable[[bytes], None]) -> None:
        self.line = line
        self.answered = answered
        self.kept: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        self.answered(data)
        self.kept.append(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.line, name)


class Prober:
    """At p1: summons, and lets the other have his windows; in those of his own turn he probes until they are over."""

    def __init__(self, client: Client, seat: ServerSeat, probe: str, chosen: random.Random) -> None:
        self.client = client
        self.seat = seat
        self.kind = probe
        self.chosen = chosen
        self.sent: dict[int, float] = {}
        self.took: list[float] = []
        self.found: list[tuple[int, str, list[float]]] = []  # a window's number, what lay on the stage, the times

    async def play(self, windows: int) -> None:
        seat = self.seat
        await seat.ready()
        handled: p.Update | None = None
        probed = -1  # looks bring what was probed already once more
        while seat.result is None and len(self.found) < windows:
            update = seat.last
            if update is None or update is handled:
                await seat.receive()
                continue
            handled = update
            if update.ask is not None:
                with suppress(Refused):  # the game has gone on meanwhile
                    await answer(seat, update.ask, self.chosen)
            elif (
                update.waiting == "p2" and update.view is not None and update.view.turn == "p1" and update.seq > probed
            ):
                probed = update.seq
                stage = update.view.stage[-1].action if update.view.stage else "nothing"
                if self.kind in PATHS:
                    await self.over_http(PATHS[self.kind])
                elif self.kind == "knock":
                    await self.knock()
                else:
                    await self.probe(update.seq)
                if len(self.took) >= 3:
                    self.found.append((update.seq, stage, self.took))

    async def probe(self, seq: int) -> None:
        """Frames straight to the socket, and the times at which bytes come back."""
        self.sent, self.took = {}, []
        line: Any = self.seat.socket
        transport = line.transport
        tap = Tap(line, self.answered)
        transport.set_protocol(tap)
        end = time.perf_counter() + WINDOW_MS / 1000 * 0.95
        try:
            while (now := time.perf_counter()) < end and not transport.is_closing():
                number = self.seat.next()
                kind, data = self.message(number, seq)
                self.sent[number] = now
                transport.write(bytes((kind, 0x80 | len(data), 0, 0, 0, 0)) + data)
                await asyncio.sleep(SLOWER.get(self.kind, EVERY))
        finally:
            transport.set_protocol(line)
            line.data_received(b"".join(tap.kept))

    def answered(self, data: bytes) -> None:
        now = time.perf_counter()
        if self.kind in ("ping", "draft", "frame"):
            numbers = [int(found) for found in ID.findall(data)]
        else:
            told = (b'"type":"chat_line"', b'"type":"update"', b'"code":"bad_message"', b'"code":"rate"')
            numbers = sorted(self.sent)[: sum(map(data.count, told))]  # in their order
        self.took += [now - self.sent.pop(number) for number in numbers if number in self.sent]

    def message(self, number: int, seq: int) -> tuple[int, bytes]:
        """The kind of a frame, and what is in it."""
        if self.kind == "frame":
            return 0x89, f'"id":{number}'.encode()
        if self.kind == "garbage":
            return 0x81, b"{"
        said: dict[str, p.ClientMessage] = {
            "ping": p.Ping(number),
            "draft": p.DraftWords(number, seq, ["pass"]),
            "look": p.LookAgain(number),
            "chat": p.Chat(number, "…"),
        }
        return 0x81, p.encode(said[self.kind])

    async def knock(self) -> None:
        """Connections, one after the other, until each is accepted."""
        self.took = []
        host, _, port = self.client.url.removeprefix("http://").partition(":")
        end = time.perf_counter() + WINDOW_MS / 1000 * 0.95
        while (asked := time.perf_counter()) < end:
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(KNOCK)
            await reader.readline()
            self.took.append(time.perf_counter() - asked)
            writer.close()
            await asyncio.sleep(EVERY)

    async def over_http(self, path: str) -> None:
        self.took = []
        end = time.perf_counter() + WINDOW_MS / 1000 * 0.95
        cookies = {"blackpoker_guest": self.client.cookie}
        async with httpx.AsyncClient(base_url=self.client.url, cookies=cookies, timeout=30) as http:
            while (asked := time.perf_counter()) < end:
                await http.get(path)
                self.took.append(time.perf_counter() - asked)
                await asyncio.sleep(EVERY)


async def answer(seat: ServerSeat, ask: p.Ask, chosen: random.Random) -> None:
    """Summon where one can, else go on."""
    words = [option.word for option in ask.options]
    summons = [word for word in words if word.startswith("summon")]
    said = [word for word in PLAIN if word in words][:1]
    if ask.kind == "chance" and not ask.window and summons:
        drafted = await seat.draft(ask, summons[:1])
        said = drafted.words if drafted.complete else drafted.proposal
    await seat.act(ask, said or await random_words(seat, ask, chosen))


async def suffer(url: str, room: str, asked: bool, chosen: random.Random, prompted: list[int]) -> None:
    """At p2, asked in every window or passed for. In a window he takes his time, tries this and that and passes; in his own
    turn he does nothing, for nobody probes there."""
    async with Client(url, "V") as client, client.join(room, "p2", "full") as seat:
        await seat.send(p.SetAssist(0, "full" if asked else "auto"))
        await seat.ready()
        async for ask in seat.asks():
            words = [option.word for option in ask.options]
            if ask.kind == "chance" and ask.window in TIMED and "pass" in words:
                prompted.append(ask.seq)
                for _ in range(DRAFTS):
                    await asyncio.sleep(chosen.uniform(0.02, 0.1))
                    await seat.draft(ask, [chosen.choice(words)])
                await seat.act(ask, ["pass"])
            else:
                with suppress(Refused):
                    said = [word for word in PLAIN if word in words][:1]
                    await seat.act(ask, said or await random_words(seat, ask, chosen))


def victims(url: str, asked: bool, line: Any) -> None:
    """One after the other, in a process of their own: a room comes, and when the prober has left it where he was asked is
    told."""
    chosen = random.Random(2)
    os.nice(8)  # in truth he is at another machine: here he must not make the prober late

    async def one(room: str) -> list[int]:
        prompted: list[int] = []
        playing = asyncio.create_task(suffer(url, room, asked, chosen, prompted))
        await asyncio.to_thread(line.recv)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        return prompted

    with suppress(EOFError):  # the prober is gone
        while True:
            line.send(asyncio.run(one(line.recv())))


def world(url: str, asked: bool, probe: str, line: Any) -> None:
    """Games of a prober against a victim, in processes of their own; what was heard goes through the line."""
    context = mp.get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=victims, args=(url, asked, there), daemon=True).start()
    chosen = random.Random(1)

    async def game() -> list[tuple[str, list[float]]]:
        async with Client(url, "P") as client:
            room = await client.create_room(regulation="lite+entry", window_ms=WINDOW_MS)
            async with client.join(room.id, "p1", "full") as seat:
                here.send(room.id)
                prober = Prober(client, seat, probe, chosen)
                with suppress(TimeoutError):
                    await asyncio.wait_for(prober.play(20), 60)
        here.send("enough")
        prompted = await asyncio.to_thread(here.recv)
        return [(stage, times) for seq, stage, times in prober.found if (seq in prompted) == asked]

    with suppress(BrokenPipeError):  # enough was heard
        while True:
            line.send(asyncio.run(game()))


def fives(values: list[float], chosen: random.Random) -> list[float]:
    """The median of five windows, again and again."""
    return [statistics.median(chosen.sample(values, 5)) for _ in range(DRAWS)] if len(values) >= 5 else []


def blind(worlds: tuple[list[list[float]], list[list[float]]], five: bool) -> float:
    """How well the worlds are told apart by the figure, and its direction, that tells them apart best elsewhere."""
    chosen = random.Random(1)
    found = []
    for half in (0, 1):
        scores: list[tuple[float, float]] = []  # where it is chosen, where it counts
        for figure in FIGURES.values():
            parts = []
            for which in (half, 1 - half):
                one, two = ([figure(times) for times in world[which::2]] for world in worlds)
                if five:
                    one, two = fives(one, chosen), fives(two, chosen)
                parts.append(auc(one, two))
            scores.append((parts[0], parts[1]) if parts[0] >= 0.5 else (1 - parts[0], 1 - parts[1]))
        found.append(max(scores)[1])
    return statistics.fmean(found)


Heard = dict[str, list[list[float]]]  # by what lay on the stage: the times of a window's probes


def matched(one: Heard, two: Heard) -> tuple[list[list[float]], list[list[float]]]:
    """As many windows of each kind from both."""
    pairs = [pair for stage in sorted(one.keys() & two.keys()) for pair in zip(one[stage], two[stage], strict=False)]
    return [first for first, _ in pairs], [second for _, second in pairs]


def hear(urls: Sequence[str], probe: str, pairs: int, worlds: list[Heard]) -> None:
    """Add to what was heard in each world until there are so many pairs; the world of the second address is asked."""
    context = mp.get_context("spawn")
    players: list[tuple[int, Any, Any]] = []  # the world, its process, and what comes from there
    for asked, url in [*enumerate(urls)] * TABLES:
        here, there = context.Pipe()
        player = context.Process(target=world, args=(url, asked == 1, probe, there))
        player.start()
        players.append((asked, player, here))
    told = len(matched(*worlds)[0]) // 50
    while len(matched(*worlds)[0]) < pairs:
        for asked, player, line in players:
            if line.poll(0.5):
                for stage, times in line.recv():
                    worlds[asked].setdefault(stage, []).append(times)
            elif not player.is_alive():
                raise RuntimeError("a world has ended")
        if len(matched(*worlds)[0]) // 50 > told:
            told = len(matched(*worlds)[0]) // 50
            print(f"silence: {probe}, {len(matched(*worlds)[0])} of {pairs} pairs", flush=True)
    for _, player, _ in players:
        player.terminate()
        player.join()


def measure(urls: Sequence[str], probe: str, pairs: int, kept: str = "") -> tuple[float, float, int]:
    """Each server is now one world, now the other: no two processes are equally fast at any time."""
    worlds: list[Heard] = [{}, {}]
    for number, enough in enumerate([*range(TURN, pairs, TURN), pairs]):
        hear(urls[::-1] if number % 2 else urls, probe, enough, worlds)
    both = matched(*worlds)
    for name, figure in FIGURES.items():
        one, two = ([figure(times) for times in half] for half in both)
        print(
            f"silence: {probe}, by the {name}: AUC {auc(one, two):.3f}, medians {statistics.median(one):.5f} {statistics.median(two):.5f}"
        )
    if kept:
        Path(kept).write_text(json.dumps(both))
    return blind(both, False), blind(both, True), len(both[0])


def listen(probe: str, pairs: int, kind: type[Victim] = Victim, kept: str = "") -> tuple[float, float]:
    """One probe against twin servers of its own."""
    with tempfile.TemporaryDirectory() as folder:
        servers = [kind(f"{folder}/{name}.db", free_port()) for name in ("one", "two")]
        try:
            for server in servers:
                server.start()
            for server in servers:
                asyncio.run(server.ready())
            one, five, count = measure([server.url for server in servers], probe, pairs, kept)
        finally:
            for server in servers:
                server.stop()
    whose = "a server that hides nothing, " if kind is Loud else ""
    print(
        f"silence: {whose}{probe}: AUC {one:.3f} for one window, {five:.3f} for the median of five ({count} pairs)",
        flush=True,
    )
    return one, five


def held(probe: str, pairs: int, kept: str) -> bool:
    """Whether nothing is heard. Of nine probes that hear nothing one in four times one seems to hear something in 300
    pairs: it is listened to again, three times as long, and that decides."""
    for many, sign in ((pairs, ""), (3 * pairs, ".again")):
        one, five = listen(probe, many, Victim, kept and f"{kept}.{probe}{sign}")
        if one <= ONE and five <= FIVE:
            print(f"silence: {probe}: held", flush=True)
            return True
    print(f"silence: {probe}: NOT held", flush=True)
    return False


def play(probes: Sequence[str], pairs: int, together: int, kept: str = "") -> bool:
    """All probes, some of them at the same time, beside a server that hides nothing: where that one is not heard the
    machine is too busy for anything to be, and the rest proves nothing."""
    with ThreadPoolExecutor(together) as several:
        control = several.submit(listen, "ping", CONTROL, Loud)
        found = [several.submit(held, probe, pairs, kept) for probe in probes]
        heard = control.result()[1] > HEARD
        silent = all(each.result() for each in found)
    if not heard:
        print("silence: the server that hides nothing was not heard either: measure on a calmer machine")
    return heard and silent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--probe", nargs="*", default=list(PROBES), choices=PROBES)
    parser.add_argument("--together", type=int, default=1, metavar="N", help="so many probes at the same time")
    parser.add_argument("--keep", default="", metavar="FILE", help="write all times to FILE.PROBE")
    given = parser.parse_args()
    raise SystemExit(0 if play(given.probe, given.pairs, given.together, given.keep) else 1)


if __name__ == "__main__":
    main()
