"""Timing leaks: twin servers with opposite behaviour, and a prober at the other seat.

    python -m tests.long.timing_leaks --pairs 300
    python -m tests.long.timing_leaks --pairs 60 --probe ping http

In one world the seat is prompted in its windows, drafts several times and responds; in the other it is auto-passed. The
prober knows neither and sends probes all through the window. The measure is how well their times separate the worlds:
AUC 0.5 is not at all, 1.0 always. Of several figures of a window (longest response, mean, slow ones) the one that
separates best is chosen on one half of the pairs, with its direction, and is evaluated on the other half, and vice
versa: an attacker has to choose in advance. The same for the median of five windows. Windows of the same kind are
compared, because the prober sees the stage. An unprotected server is measured as a control: its leak must be found.
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
from tests.long.kills import ServerProcess, free_port
from tests.server.live import random_words

from blackpoker.assist.autopass import TIMED
from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.protocol import messages as p

#: messages to the room; requests to the API, for the page and for a connection; frames that reach no room: a WebSocket
#: ping, and unreadable data
PROBES: Final = ("ping", "draft", "look", "chat", "http", "page", "knock", "frame", "garbage")
PATHS: Final = {"http": "/api/levels", "page": "/"}
HANDSHAKE: Final = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
#: concurrent games in each world: while one is at a point without probes, another is not
TABLES: Final = 3
#: pairs after which the servers exchange their worlds
PAIRS_PER_SWAP: Final = 50
#: window length in ms, and seconds between two probes
WINDOW_MS: Final = 400
PROBE_INTERVAL: Final = 0.003
#: chat is broadcast and a look returns the whole view: these are sent less often
PROBE_PAUSES: Final = {"chat": 0.1, "look": 0.03}
#: upper limits of the AUC
MAX_AUC_ONE: Final = 0.55
MAX_AUC_FIVE: Final = 0.58
#: the control without protection: pairs, and the minimum AUC of its medians of five
CONTROL: Final = 100
MIN_CONTROL_AUC: Final = 0.65
#: samples of medians of five
DRAWS: Final = 2000
#: moves that do nothing
PASSIVE_MOVES: Final[tuple[str, ...]] = ("pass", "end")
#: drafts of a prompted player before the response
DRAFTS: Final = 3

ID: Final = re.compile(rb'"id":(\d+)')
#: a server without timing protection: it responds at once and does no work for an auto-passed player
UNPROTECTED: Final = """
import sys
from blackpoker import cli
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.broadcaster import Broadcaster
from blackpoker.server.rooms.response_window import ResponseWindow
for owner, name, value in (
    (ResponseWindow, "is_open_for_other", lambda *_: False),
    (RoomManager, "response_delay", lambda *_: 0.0),
    (Broadcaster, "simulate_prompt", lambda *_: None),
):
    assert hasattr(owner, name), name
    setattr(owner, name, value)
RoomManager.delay_until = property(lambda _: 0.0, lambda *_: None)
sys.exit(cli.run(sys.argv[1:]))
"""


class UnprotectedServer(ServerProcess):
    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", UNPROTECTED, *self.arguments()], stdout=subprocess.DEVNULL
        )


def auc(one: list[float], two: list[float]) -> float:
    """Return how often a figure of the second world is larger than one of the first."""
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
    """Records the arrival time of bytes before they are processed; the connection gets them afterwards."""

    def __init__(self, protocol: asyncio.Protocol, on_data: Callable[[bytes], None]) -> None:
        self.protocol = protocol
        self.on_data = on_data
        self.buffered: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        self.on_data(data)
        self.buffered.append(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.protocol, name)


class Prober:
    """The player at p1: summons, lets the other player's windows pass, and probes during the windows of its own turn."""

    def __init__(self, client: Client, seat: ServerSeat, probe: str, chosen: random.Random) -> None:
        self.client = client
        self.seat = seat
        self.kind = probe
        self.chosen = chosen
        self.sent: dict[int, float] = {}
        self.took: list[float] = []
        self.found: list[tuple[int, str, list[float]]] = []  # the window's seq, the top of the stage, the times

    async def play(self, windows: int) -> None:
        seat = self.seat
        await seat.ready()
        handled: p.Update | None = None
        probed = -1  # a look returns an already probed state again
        while seat.result is None and len(self.found) < windows:
            update = seat.last
            if update is None or update is handled:
                await seat.receive()
                continue
            handled = update
            if update.prompt is not None:
                with suppress(Refused):  # the game has moved on meanwhile
                    await summon_or_pass(seat, update.prompt, self.chosen)
            elif (
                update.waiting_for == "p2"
                and update.view is not None
                and update.view.turn == "p1"
                and update.seq > probed
            ):
                probed = update.seq
                stage = update.view.stage[-1].action if update.view.stage else "nothing"
                if self.kind in PATHS:
                    await self.probe_http(PATHS[self.kind])
                elif self.kind == "knock":
                    await self.probe_handshake()
                else:
                    await self.probe(update.seq)
                if len(self.took) >= 3:
                    self.found.append((update.seq, stage, self.took))

    async def probe(self, seq: int) -> None:
        """Write frames directly to the socket and record the times at which bytes return."""
        self.sent, self.took = {}, []
        line: Any = self.seat.socket
        transport = line.transport
        tap = Tap(line, self.on_response)
        transport.set_protocol(tap)
        end = time.perf_counter() + WINDOW_MS / 1000 * 0.95
        try:
            while (now := time.perf_counter()) < end and not transport.is_closing():
                number = self.seat.next_id()
                kind, data = self.message(number, seq)
                self.sent[number] = now
                transport.write(bytes((kind, 0x80 | len(data), 0, 0, 0, 0)) + data)
                await asyncio.sleep(PROBE_PAUSES.get(self.kind, PROBE_INTERVAL))
        finally:
            transport.set_protocol(line)
            line.data_received(b"".join(tap.buffered))

    def on_response(self, data: bytes) -> None:
        now = time.perf_counter()
        if self.kind in ("ping", "draft", "frame"):
            numbers = [int(found) for found in ID.findall(data)]
        else:
            markers = (b'"type":"chat"', b'"type":"update"', b'"code":"bad_message"', b'"code":"rate"')
            numbers = sorted(self.sent)[: sum(map(data.count, markers))]  # in their order
        self.took += [now - self.sent.pop(number) for number in numbers if number in self.sent]

    def message(self, number: int, seq: int) -> tuple[int, bytes]:
        """Return the kind of a frame and its content."""
        if self.kind == "frame":
            return 0x89, f'"id":{number}'.encode()
        if self.kind == "garbage":
            return 0x81, b"{"
        messages: dict[str, p.AnyClientMessage] = {
            "ping": p.Ping(number),
            "draft": p.PreviewMove(number, seq, ["pass"]),
            "look": p.RequestResync(number),
            "chat": p.Chat(number, "…"),
        }
        return 0x81, p.encode(messages[self.kind])

    async def probe_handshake(self) -> None:
        """Open connections one after the other until each is accepted."""
        self.took = []
        host, _, port = self.client.url.removeprefix("http://").partition(":")
        end = time.perf_counter() + WINDOW_MS / 1000 * 0.95
        while (sent_at := time.perf_counter()) < end:
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(HANDSHAKE)
            await reader.readline()
            self.took.append(time.perf_counter() - sent_at)
            writer.close()
            await asyncio.sleep(PROBE_INTERVAL)

    async def probe_http(self, path: str) -> None:
        self.took = []
        end = time.perf_counter() + WINDOW_MS / 1000 * 0.95
        cookies = {"blackpoker_guest": self.client.cookie}
        async with httpx.AsyncClient(base_url=self.client.url, cookies=cookies, timeout=30) as http:
            while (sent_at := time.perf_counter()) < end:
                await http.get(path)
                self.took.append(time.perf_counter() - sent_at)
                await asyncio.sleep(PROBE_INTERVAL)


async def summon_or_pass(seat: ServerSeat, ask: p.Prompt, chosen: random.Random) -> None:
    """Summon if possible, else continue."""
    words = [option.token for option in ask.options]
    summons = [word for word in words if word.startswith("summon")]
    move = [word for word in PASSIVE_MOVES if word in words][:1]
    if ask.kind == "chance" and not ask.reason and summons:
        drafted = await seat.preview(ask, summons[:1])
        move = drafted.tokens if drafted.complete else drafted.proposal
    await seat.submit(ask, move or await random_words(seat, ask, chosen))


async def play_victim(url: str, room: str, prompts: bool, chosen: random.Random, prompted: list[int]) -> None:
    """Play p2, prompted in every window or auto-passed. In a window it waits, drafts several times and passes; in its
    own turn it does nothing, because no probes are sent there."""
    async with Client(url, "V") as client, client.join(room, "p2", "full") as seat:
        await seat.send(p.SetAssist(0, "full" if prompts else "auto"))
        await seat.ready()
        async for ask in seat.prompts():
            words = [option.token for option in ask.options]
            if ask.kind == "chance" and ask.reason in TIMED and "pass" in words:
                prompted.append(ask.seq)
                for _ in range(DRAFTS):
                    await asyncio.sleep(chosen.uniform(0.02, 0.1))
                    await seat.preview(ask, [chosen.choice(words)])
                await seat.submit(ask, ["pass"])
            else:
                with suppress(Refused):
                    move = [word for word in PASSIVE_MOVES if word in words][:1]
                    await seat.submit(ask, move or await random_words(seat, ask, chosen))


def serve_victims(url: str, prompts: bool, line: Any) -> None:
    """Play rooms one after the other in a separate process; when the prober has left, send back the seqs that were
    prompted."""
    chosen = random.Random(2)
    os.nice(8)  # a real player uses another machine: here it must not delay the prober

    async def one(room: str) -> list[int]:
        prompted: list[int] = []
        playing = asyncio.create_task(play_victim(url, room, prompts, chosen, prompted))
        await asyncio.to_thread(line.recv)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        return prompted

    with suppress(EOFError):  # the prober is gone
        while True:
            line.send(asyncio.run(one(line.recv())))


def serve_world(url: str, prompts: bool, probe: str, line: Any) -> None:
    """Play games of a prober against a victim in separate processes; send the measurements through the pipe."""
    context = mp.get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=serve_victims, args=(url, prompts, there), daemon=True).start()
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
        return [(stage, times) for seq, stage, times in prober.found if (seq in prompted) == prompts]

    with suppress(BrokenPipeError):  # enough was measured
        while True:
            line.send(asyncio.run(game()))


def medians_of_five(values: list[float], chosen: random.Random) -> list[float]:
    """Return medians of five random windows, drawn repeatedly."""
    return [statistics.median(chosen.sample(values, 5)) for _ in range(DRAWS)] if len(values) >= 5 else []


def cross_validated_auc(worlds: tuple[list[list[float]], list[list[float]]], five: bool) -> float:
    """Return how well the worlds are separated by the figure and direction that separate them best on the other half."""
    chosen = random.Random(1)
    found = []
    for half in (0, 1):
        scores: list[tuple[float, float]] = []  # score on the choosing half, score on the evaluation half
        for figure in FIGURES.values():
            parts = []
            for which in (half, 1 - half):
                one, two = ([figure(times) for times in world[which::2]] for world in worlds)
                if five:
                    one, two = medians_of_five(one, chosen), medians_of_five(two, chosen)
                parts.append(auc(one, two))
            scores.append((parts[0], parts[1]) if parts[0] >= 0.5 else (1 - parts[0], 1 - parts[1]))
        found.append(max(scores)[1])
    return statistics.fmean(found)


Measurements = dict[str, list[list[float]]]  # by the top of the stage: the times of a window's probes


def matched(one: Measurements, two: Measurements) -> tuple[list[list[float]], list[list[float]]]:
    """Return equal numbers of windows of each kind from both."""
    pairs = [pair for stage in sorted(one.keys() & two.keys()) for pair in zip(one[stage], two[stage], strict=False)]
    return [first for first, _ in pairs], [second for _, second in pairs]


def collect(urls: Sequence[str], probe: str, pairs: int, worlds: list[Measurements]) -> None:
    """Collect measurements in each world until there are ``pairs`` pairs; the world of the second address is prompted."""
    context = mp.get_context("spawn")
    players: list[tuple[int, Any, Any]] = []  # the world, its process, its pipe
    for prompts, url in [*enumerate(urls)] * TABLES:
        here, there = context.Pipe()
        player = context.Process(target=serve_world, args=(url, prompts == 1, probe, there))
        player.start()
        players.append((prompts, player, here))
    reported = len(matched(*worlds)[0]) // 50
    while len(matched(*worlds)[0]) < pairs:
        for prompts, player, line in players:
            if line.poll(0.5):
                for stage, times in line.recv():
                    worlds[prompts].setdefault(stage, []).append(times)
            elif not player.is_alive():
                raise RuntimeError("a world has ended")
        if len(matched(*worlds)[0]) // 50 > reported:
            reported = len(matched(*worlds)[0]) // 50
            print(f"silence: {probe}, {len(matched(*worlds)[0])} of {pairs} pairs", flush=True)
    for _, player, _ in players:
        player.terminate()
        player.join()


def measure(urls: Sequence[str], probe: str, pairs: int, dump: str = "") -> tuple[float, float, int]:
    """Exchange the servers' worlds regularly, because no two processes are equally fast; return both AUCs and the
    number of pairs."""
    worlds: list[Measurements] = [{}, {}]
    for number, enough in enumerate([*range(PAIRS_PER_SWAP, pairs, PAIRS_PER_SWAP), pairs]):
        collect(urls[::-1] if number % 2 else urls, probe, enough, worlds)
    both = matched(*worlds)
    for name, figure in FIGURES.items():
        one, two = ([figure(times) for times in half] for half in both)
        print(
            f"silence: {probe}, by the {name}: AUC {auc(one, two):.3f}, medians {statistics.median(one):.5f} {statistics.median(two):.5f}"
        )
    if dump:
        Path(dump).write_text(json.dumps(both))
    return cross_validated_auc(both, False), cross_validated_auc(both, True), len(both[0])


def run_probe(probe: str, pairs: int, kind: type[ServerProcess] = ServerProcess, dump: str = "") -> tuple[float, float]:
    """Run one probe against its own twin servers; return the AUC of one window and of the median of five."""
    with tempfile.TemporaryDirectory() as folder:
        servers = [kind(f"{folder}/{name}.db", free_port()) for name in ("one", "two")]
        try:
            for server in servers:
                server.start()
            for server in servers:
                asyncio.run(server.ready())
            one, five, count = measure([server.url for server in servers], probe, pairs, dump)
        finally:
            for server in servers:
                server.stop()
    label = "a server that hides nothing, " if kind is UnprotectedServer else ""
    print(
        f"silence: {label}{probe}: AUC {one:.3f} for one window, {five:.3f} for the median of five ({count} pairs)",
        flush=True,
    )
    return one, five


def passes(probe: str, pairs: int, dump: str) -> bool:
    """Return whether no leak is found. With nine clean probes, one in four runs has a false alarm at 300 pairs: then
    three times as many pairs are measured, and that result decides."""
    for many, sign in ((pairs, ""), (3 * pairs, ".again")):
        one, five = run_probe(probe, many, ServerProcess, dump and f"{dump}.{probe}{sign}")
        if one <= MAX_AUC_ONE and five <= MAX_AUC_FIVE:
            print(f"silence: {probe}: held", flush=True)
            return True
    print(f"silence: {probe}: NOT held", flush=True)
    return False


def play(probes: Sequence[str], pairs: int, together: int, dump: str = "") -> bool:
    """Run all probes, some concurrently, beside an unprotected control; return True if the control leaks and no probe
    does. If the control shows no leak, the machine is too busy and the run proves nothing."""
    with ThreadPoolExecutor(together) as several:
        control = several.submit(run_probe, "ping", CONTROL, UnprotectedServer)
        found = [several.submit(passes, probe, pairs, dump) for probe in probes]
        control_leaks = control.result()[1] > MIN_CONTROL_AUC
        silent = all(each.result() for each in found)
    if not control_leaks:
        print("silence: the server that hides nothing was not heard either: measure on a calmer machine")
    return control_leaks and silent


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
