"""Load on a server, over loopback, bounded.

    python benchmarks/server.py games --games 1000 --seconds 20
    python benchmarks/server.py games --against ../old/.venv/bin/python --rounds 3
    python benchmarks/server.py games --database postgresql://… --redis redis://… --processes 1 2
    python benchmarks/server.py fairness --against ../old/.venv/bin/python --rounds 3
    python benchmarks/server.py crowd
    python benchmarks/server.py crowd --only churn --games 1000 --rate 150 --turns 5

Games: server and bots are one process each. Steady: every game has a decision due each second, at absolute times.
Latency is measured from sending a move to its acknowledgement, which comes after it is stored. Saturation: every bot
answers at once. ``--against`` measures another checkout's server alternating with this one, and several ``--processes``
alternate as well, so that other load affects all of them; the figures are medians of the rounds. ``--visits``: all
games are in the lobby, and this many times a second a client loads the lobby and the list of its resumable games.

Crowd, idle: many sockets, two in each room, and their memory. Churn: games at a decision a second each, with and
without clients that join waiting rooms and leave (every third one is refused), alternating on the same server; the
figure is the median of the turns' p99. Stop: SIGTERM under this load.

The bots are as cheap as possible, so that the server dominates the measurement: a bot reads only the few fields it
needs and writes WebSocket frames directly to an asyncio transport. The bots send complete moves: mostly a pass, else an
action with the payment the server proposes. After a match the two play another, so the number of games stays constant.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec
import uvloop

from blackpoker.client import COOKIE, Client

# -- bots ---
#: clients must mask frames; this mask changes nothing
MASK = b"\0\0\0\0"
TEXT, PING, CLOSE = 0x1, 0x9, 0x8
PASSES = 0.6


class Option(msgspec.Struct):
    token: str


class Prompt(msgspec.Struct):
    seq: int
    kind: str
    options: list[Option]
    multiple: bool = False


class Room(msgspec.Struct):
    phase: str


class AnyMessage(msgspec.Struct):
    """The fields of a message that a bot reads, in every version of the protocol."""

    type: str
    id: int = 0
    room: Room | None = None
    seq: int = 0
    complete: bool = False
    proposal: list[str] = []
    state: str = ""
    en: str = ""


class ServerMessage(AnyMessage):
    prompt: Prompt | None = None
    match_over: bool = False


class OldOption(msgspec.Struct, rename={"token": "word"}):
    token: str


class OldPrompt(msgspec.Struct, rename={"multiple": "several"}):
    seq: int
    kind: str
    options: list[OldOption]
    multiple: bool = False


class OldMessage(AnyMessage, rename={"prompt": "ask", "match_over": "match"}):
    prompt: OldPrompt | None = None
    match_over: bool | dict[str, object] | None = None


@dataclass(frozen=True)
class Protocol:
    """The names of messages and fields in one version of the protocol."""

    decoder: msgspec.json.Decoder[Any]
    preview_result: str = "preview_result"
    game_over: str = "game_over"
    preview: str = "preview"
    move: str = "move"
    tokens: str = "tokens"
    make_offer: str = "make_offer"
    answer_offer: str = "answer_offer"


PROTOCOL = Protocol(msgspec.json.Decoder(ServerMessage))
OLD_PROTOCOL = Protocol(
    msgspec.json.Decoder(OldMessage), "drafted", "over", "draft", "act", "words", "propose", "reply"
)


class Socket(asyncio.Protocol):
    """A minimal WebSocket client for unfragmented text frames."""

    def __init__(self, request: str, first: str, on_text: Callable[[bytes], None]) -> None:
        self.request = request.encode()
        self.first = first  # sent when the connection is open
        self.on_text = on_text
        self.rest = b""
        self.open = False
        self.lost = False
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.WriteTransport, transport)  # uvloop's class is no subclass
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        if self.rest:
            data = self.rest + data
        at = 0
        if not self.open:
            head, found, _ = data.partition(b"\r\n\r\n")
            if not found:
                self.rest = data
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(head.decode(errors="replace")[:200])
            self.open = True
            self.send_text(self.first)
            at = len(head) + 4
        end = len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                start += 2
                size = int.from_bytes(data[at + 2 : start], "big")
            elif size == 127:
                start += 8
                size = int.from_bytes(data[at + 2 : start], "big")
            if end < start + size:
                break
            kind = data[at] & 0x0F
            if kind == TEXT:
                self.on_text(data[start : start + size])
            elif kind == PING:
                self.frame(0xA, data[start : start + size])
            elif kind == CLOSE:
                self.lost = True
            at = start + size
        self.rest = data[at:]

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True

    def frame(self, kind: int, data: bytes) -> None:
        if self.lost or self.transport is None:
            return
        size = len(data)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes((0x80 | kind,)) + length + MASK + data)

    def send_text(self, text: str) -> None:
        self.frame(TEXT, text.encode())


class Load:
    """All games and their measurements."""

    def __init__(self, host: str, port: int, pace: float, seed: int, protocol: Protocol = PROTOCOL) -> None:
        self.host = host
        self.port = port
        self.protocol = protocol
        self.pace = pace  # seconds between the decisions of one game; 0: no pause
        self.random = random.Random(seed)
        self.loop = asyncio.get_running_loop()
        self.begun = 0.0
        self.waiting: list[tuple[Bot, int, list[str]]] = []  # first decisions, until all games are connected
        self.measuring = False
        self.latencies: list[float] = []
        self.late: list[float] = []  # delays of sending after the due time
        self.acts = 0
        self.errors: list[str] = []
        self.finished = 0
        self.sockets: list[Socket] = []

    def start(self) -> None:
        """Start the games after all bots are connected."""
        self.begun = time.perf_counter()
        for bot, seq, words in self.waiting:
            bot.plan(seq, words)


class Pair:
    """One game; its decisions are due at fixed times, for either player."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.due = load.random.random() * load.pace

    def next_due(self) -> float:
        """Return the due time of the next decision. The times are absolute: a slow answer does not slow the game
        down.
        """
        due = self.load.begun + self.due
        self.due += self.load.pace
        return due


class Bot:
    """One seat of a game."""

    def __init__(self, pair: Pair, first: bool) -> None:
        self.pair = pair
        self.load = pair.load
        self.first = first
        self.joined = asyncio.Event()
        self.socket: Socket | None = None
        self.number = 0
        self.word = ""
        self.sent = 0.0
        self.waiting = 0  # number of the unacknowledged message
        self.readied = False

    async def connect(self, room: str, cookie: str) -> None:
        load = self.load
        request = (
            f"GET /ws?room={room} HTTP/1.1\r\nHost: {load.host}:{load.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n\r\n"
        )
        self.socket = Socket(request, f'{{"type":"join","room":"{room}","detail":"lean"}}', self.on_message)
        load.sockets.append(self.socket)
        made = self.socket
        await load.loop.create_connection(lambda: made, load.host, load.port)
        await asyncio.wait_for(self.joined.wait(), 30)

    def send(self, text: str) -> None:
        assert self.socket is not None
        self.socket.send_text(text)

    def on_message(self, data: bytes) -> None:
        names = self.load.protocol
        message = names.decoder.decode(data)
        match message.type:
            case "update":
                if message.prompt is not None:
                    self.on_decision(message.prompt)
            case "ack":
                if message.id and message.id == self.waiting:
                    self.load.acts += 1
                    if self.load.measuring:
                        self.load.latencies.append(time.perf_counter() - self.sent)
            case names.preview_result:
                self.plan(message.seq, [self.word] if message.complete else message.proposal)
            case "welcome":
                self.ready()
                self.joined.set()
            case "error":
                self.load.errors.append(message.en)
            case names.game_over:
                if message.match_over and self.first:
                    self.load.finished += 1
                    self.send(f'{{"type":"{names.make_offer}","kind":"rematch"}}')
            case "offer":
                if message.state == "open" and not self.first:
                    self.send(f'{{"type":"{names.answer_offer}","kind":"rematch","accept":true}}')
            case "room":
                assert message.room is not None
                if message.room.phase == "waiting":
                    self.ready()
                else:
                    self.readied = False

    def ready(self) -> None:
        if not self.readied:
            self.readied = True
            self.send('{"type":"ready"}')

    def on_decision(self, ask: Prompt | OldPrompt) -> None:
        chance, names = self.load.random, self.load.protocol
        words = [option.token for option in ask.options]
        pick = "pass" if "pass" in words and chance.random() < PASSES else chance.choice(words)
        if pick == "pass" or (ask.kind != "chance" and not ask.multiple):
            self.plan(ask.seq, [pick])
            return
        self.word = pick
        self.send(f'{{"type":"{names.preview}","seq":{ask.seq},"{names.tokens}":["{pick}"]}}')

    def plan(self, seq: int, words: list[str]) -> None:
        """Send this move when it is due."""
        load = self.load
        if not load.begun:
            load.waiting.append((self, seq, words))
            return
        if not load.pace:
            self.act(seq, words, 0.0)
            return
        due = self.pair.next_due()
        wait = due - time.perf_counter()
        if wait > 0:
            load.loop.call_later(wait, self.act, seq, words, due)
        else:
            self.act(seq, words, due)

    def act(self, seq: int, words: list[str], due: float) -> None:
        self.number += 1
        self.waiting = self.number
        self.sent = time.perf_counter()
        if self.load.measuring and due:
            self.load.late.append(self.sent - due)
        tokens, names = msgspec.json.encode(words).decode(), self.load.protocol
        self.send(f'{{"type":"{names.move}","id":{self.number},"seq":{seq},"{names.tokens}":{tokens}}}')


# -- games ---


def memory(pid: int) -> int:
    """Return the resident bytes of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


def family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(found for child in children for found in family(int(child)))]


def cpu(pid: int) -> tuple[float, float]:
    """Return the user and system processor time of a process and its descendants in seconds."""
    own = system = 0
    for member in family(pid):
        fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        own += int(fields[11])
        system += int(fields[12])
    tick = os.sysconf("SC_CLK_TCK")
    return own / tick, system / tick


def stored(url: str) -> float:
    """Return the number of decisions stored so far, from the server's metrics."""
    with urllib.request.urlopen(url + "/metrics", timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("blackpoker_decisions_total"):
                return float(line.split()[1])
    return 0.0


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


async def visit(one: Client, rooms: list[str], each: float, took: list[float]) -> None:
    """Load the lobby and the client's games repeatedly."""
    due = time.perf_counter()
    while True:
        due += each
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        begun = time.perf_counter()
        await one.request("GET", "/api/lobby")
        await one.request("POST", "/api/me/games", {"rooms": rooms})
        took.append(time.perf_counter() - begun)


async def load(
    url: str, games: int, pace: float, seconds: float, regulation: str, pid: int, visits: float, protocol: Protocol
) -> dict[str, Any]:
    before = memory(pid)
    host, _, port = url.removeprefix("http://").partition(":")
    work = Load(host, int(port), pace, 7, protocol)
    async with Client(url, "A") as one, Client(url, "B") as two:
        settings = {"regulation": regulation, "window_ms": 0, "opponent": "bot"}
        if visits:
            settings["listed"] = True
        rooms: list[str] = []
        several = asyncio.Semaphore(24)

        async def game() -> None:
            async with several:
                made = await one.request("POST", "/api/rooms", settings)
                rooms.append(made["room"]["id"])
                pair = Pair(work)
                for client in (one, two):
                    await Bot(pair, client is one).connect(made["room"]["id"], f"{COOKIE}={client.cookie}")

        await asyncio.gather(*(game() for _ in range(games)))
    gc.collect()
    gc.freeze()
    gc.disable()  # excludes pauses of the bots
    work.start()
    visited: list[float] = []
    visiting = asyncio.create_task(visit(one, rooms[:12], 1 / visits, visited)) if visits else None
    await asyncio.sleep(min(4.0, seconds / 3))
    work.measuring = True
    acts, count = work.acts, await asyncio.to_thread(stored, url)
    begun, before_cpu, own = time.perf_counter(), cpu(pid), time.process_time()
    await asyncio.sleep(seconds)
    after_cpu = cpu(pid)
    spent, own = time.perf_counter() - begun, time.process_time() - own
    system = after_cpu[1] - before_cpu[1]
    used = after_cpu[0] - before_cpu[0] + system
    work.measuring = False
    if visiting is not None:
        visiting.cancel()
    acts, kept = work.acts - acts, await asyncio.to_thread(stored, url) - count
    peak = memory(pid)
    lost = sum(socket.lost for socket in work.sockets)
    for error in sorted(set(work.errors))[:5]:
        print("refused:", error, file=sys.stderr)
    figures = {
        "games": games,
        "decisions_per_s": round(acts / spent),
        "stored_per_s": round(kept / spent),
        "p50_ms": round(quantile(work.latencies, 0.5) * 1000, 1),
        "p99_ms": round(quantile(work.latencies, 0.99) * 1000, 1),
        "max_ms": round(max(work.latencies, default=0.0) * 1000, 1),
        "kB_per_game": round((peak - before) / games / 1024, 1),
        "refused": len(work.errors),
        "lost": lost,
        "finished": work.finished,
        "server_core": round(used / spent, 2),  # cores used, on a shared machine
        "bots_core": round(own / spent, 2),
        "us_per_decision": round(used / max(1, acts) * 1e6),
        "us_of_it_system": round(system / max(1, acts) * 1e6),
    }
    if visits:
        figures["visits"] = len(visited)
        figures["visit_p99_ms"] = round(quantile(visited, 0.99) * 1000, 1)
    if pace:
        figures["sent_late_p99_ms"] = round(quantile(work.late, 0.99) * 1000, 1)
    return figures


@dataclass(frozen=True)
class Contender:
    """A server to measure: its interpreter and options."""

    name: str
    python: str
    options: tuple[str, ...] = ()
    protocol: Protocol = PROTOCOL


@contextmanager
def serving(contender: Contender, database: str) -> Iterator[tuple[int, str]]:
    """Yield the server's process id and address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [contender.python, "-m", "blackpoker.cli", "serve", "--host", "127.0.0.1", "--port", str(port), "--no-qr"]
    process = subprocess.Popen(
        [*command, "--exact-port", "--no-limits", "--database", database, *contender.options],
        stdout=subprocess.DEVNULL,
        cwd=Path(contender.python).parent,  # outside any checkout
    )
    try:
        for _ in range(1200):
            if answers(port):
                break
            if process.poll() is not None:
                raise SystemExit(f"the server left with {process.returncode}")
            time.sleep(0.05)
        else:
            raise SystemExit("the server does not start")
        if len(contender.options) > 2:
            time.sleep(2)  # wait for all processes
        settle(process.pid)
        yield process.pid, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def settle(pid: int) -> None:
    """Wait until the server has prepared what it does in the background after its start."""
    for _ in range(120):
        before = sum(cpu(pid))
        time.sleep(0.5)
        if sum(cpu(pid)) - before < 0.03:
            return
    raise SystemExit("the server is not idle a minute after its start")


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True


def measure(contender: Contender, given: argparse.Namespace, kind: str) -> dict[str, Any]:
    games, pace, seconds = (
        (given.games, 1.0, given.seconds)
        if kind == "steady"
        else (given.saturation_games, 0.0, given.saturation_seconds)
    )
    with tempfile.TemporaryDirectory() as folder:
        with serving(contender, given.database or f"{folder}/bench.db") as (pid, url):
            return uvloop.run(load(url, games, pace, seconds, given.regulation, pid, given.visits, contender.protocol))


def add_games_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--saturation-games", type=int, default=600)
    parser.add_argument("--saturation-seconds", type=float, default=10)
    parser.add_argument("--only", choices=("steady", "saturation"), help="one of the two kinds of load")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another checkout")
    parser.add_argument("--old-names", action="store_true", help="the other checkout speaks protocol 1")
    parser.add_argument("--processes", type=int, nargs="+", default=[1])
    parser.add_argument("--regulation", default="master+full")
    parser.add_argument("--visits", type=float, default=0.0, help="looks at the lobby a second")
    parser.add_argument("--database", default="")
    parser.add_argument("--redis", default="")
    parser.add_argument("--json", action="store_true")


def check_games_options(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    if given.games * 2 > 6000 or given.seconds > 120:
        parser.error("keep it bounded: at most 3000 games and 120 seconds")
    if max(given.processes) > 1 and not given.redis:
        parser.error("more than one process needs --redis")


def contenders(given: argparse.Namespace) -> list[Contender]:
    out = []
    shared = ("--redis", given.redis) if given.redis else ()
    for number in given.processes:
        options = (*shared, "--processes", str(number)) if number > 1 else shared
        out.append(Contender(f"{number} process" + "es" * (number > 1), sys.executable, options))
        if given.against:
            protocol = OLD_PROTOCOL if given.old_names else PROTOCOL
            out.append(Contender(f"{number} of the other", str(Path(given.against).absolute()), options, protocol))
    return out


def medians(runs: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def run_games(given: argparse.Namespace) -> None:
    kinds = [given.only] if given.only else ["steady", "saturation"]
    out: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        runs: dict[str, list[dict[str, Any]]] = {}
        for number in range(given.rounds):
            for contender in contenders(given):
                found = measure(contender, given, kind)
                runs.setdefault(contender.name, []).append(found)
                print(
                    f"round {number + 1}/{given.rounds} {kind} {contender.name}: {found['us_per_decision']} µs",
                    file=sys.stderr,
                )
        out[kind] = {name: medians(figures) for name, figures in runs.items()}
    if given.json:
        print(json.dumps(out))
        return
    for kind, found in out.items():
        for name, figures in found.items():
            print(f"{kind}, {name}: " + "  ".join(f"{key} {value}" for key, value in figures.items()))
        if given.against:
            one, other = (found[key]["us_per_decision"] for key in list(found)[:2])
            print(f"{kind}: {one / other:.3f} × the other's cost of a decision")
    judge(given, {kind: next(iter(found.values())) for kind, found in out.items()})


def judge(given: argparse.Namespace, out: dict[str, dict[str, Any]]) -> None:
    """Check the first contender against the goals."""
    goals: list[tuple[str, bool]] = []
    if "steady" in out:
        steady = out["steady"]
        goals += [
            (f"{given.games} games, a decision per game and second", steady["decisions_per_s"] >= 0.97 * given.games),
            ("p99 ≤ 100 ms", steady["p99_ms"] <= 100),
            ("steady ≤ 350 µs of processor time a decision", steady["us_per_decision"] <= 350),
        ]
    if "saturation" in out:
        full = out["saturation"]
        goals += [
            ("saturation ≥ 7,000 stored decisions/s", full["stored_per_s"] >= 7000),
            ("saturation ≤ 140 µs of processor time a decision", full["us_per_decision"] <= 140),
        ]
    goals.append(("no message refused, no connection lost", not any(r["refused"] or r["lost"] for r in out.values())))
    for target, held in goals:
        print(f"{'held' if held else 'NOT HELD':>11}: {target}")


# -- fairness ---

#: prompts of a game; then it is resigned
MOST_PROMPTS = 300


class CountingProxy:
    """A proxy on loopback that counts what passes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.bytes = 0
        self.tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        server = await asyncio.start_server(self.on_connection, "127.0.0.1", 0)
        return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection("127.0.0.1", self.port)
        for source, sink in ((reader, forth), (back, writer)):
            task = asyncio.create_task(self.pass_on(source, sink))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            self.bytes += len(data)
            sink.write(data)
        sink.close()


async def play(seat: Any, chance: random.Random) -> int:
    """Play until the match is over, with random moves; return the number of turns that began."""
    turns = prompts = 0
    prompts_of = seat.prompts if hasattr(seat, "prompts") else seat.asks  # the name of 0b24fb11
    async for ask in prompts_of():
        turns += sum(event.event == "turn" for event in seat.last.events)
        prompts += 1
        if prompts > MOST_PROMPTS:
            await seat.resign()
            break

        def pick(options: list[Any]) -> Any:
            passes = [option for option in options if (getattr(option, "token", "") or option.word) == "pass"]
            return passes[0] if passes and chance.random() < PASSES else chance.choice(options)

        await seat.choose(ask, pick)
    return turns


async def sealed_games(port: int, games: int, regulation: str) -> dict[str, float]:
    """Play games of two people; return the bytes of a turn and of a start, and the median milliseconds of a start."""
    proxy = CountingProxy(port)
    proxied = await proxy.open()
    starts: list[float] = []
    turns = start_bytes = play_bytes = 0
    async with Client(f"http://127.0.0.1:{port}", "A") as one, Client(f"http://127.0.0.1:{port}", "B") as two:
        for number in range(games):
            room = await one.create_room(regulation=regulation, window_ms=0)
            one.url = two.url = proxied
            async with one.join(room.id, detail="full") as first, two.join(room.id, detail="full") as second:
                seats = (first, second)
                await first.ready()
                before, begun = proxy.bytes, time.perf_counter()

                async def start(seat: Any) -> None:
                    if seat is second:
                        await seat.ready()
                    while seat.last is None:
                        await seat.receive()

                await asyncio.gather(start(first), start(second))
                starts.append(1000 * (time.perf_counter() - begun))
                start_bytes, before = start_bytes + proxy.bytes - before, proxy.bytes
                found = await asyncio.gather(
                    *(play(seat, random.Random(2 * number + place)) for place, seat in enumerate(seats))
                )
                turns += max(found)
                play_bytes += proxy.bytes - before
            one.url = two.url = f"http://127.0.0.1:{port}"
    return {
        "games": games,
        "turns": turns,
        "bytes_per_turn": round(play_bytes / max(1, turns)),
        "bytes_of_a_start": round(start_bytes / games),
        "start_ms": round(statistics.median(starts), 2),
    }


def add_fairness_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another checkout")
    parser.add_argument("--regulation", default="lite+entry")
    parser.add_argument("--json", action="store_true")


def measure_fairness(given: argparse.Namespace) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        with serving(Contender("", sys.executable), f"{folder}/bench.db") as (_, url):
            return asyncio.run(sealed_games(int(url.rpartition(":")[2]), given.games, given.regulation))


def run_fairness(given: argparse.Namespace) -> None:
    runs: dict[str, list[dict[str, float]]] = {"this checkout": []}
    words = [__file__, "fairness", "--json", "--games", str(given.games), "--regulation", given.regulation]
    for _ in range(given.rounds):
        runs["this checkout"].append(measure_fairness(given))
        if given.against:
            done = subprocess.run([str(Path(given.against).absolute()), *words], check=True, stdout=subprocess.PIPE)
            runs.setdefault("the other", []).append(json.loads(done.stdout))
    found = {name: medians(figures) for name, figures in runs.items()}
    if given.json:
        print(json.dumps(found["this checkout"]))
        return
    for name, figures in found.items():
        print(f"{name}: " + "  ".join(f"{key} {value}" for key, value in figures.items()))
    if given.against:
        one, other = found["this checkout"], found["the other"]
        more, slower = one["bytes_per_turn"] - other["bytes_per_turn"], one["start_ms"] / other["start_ms"]
        print(f"{more:+.0f} bytes a turn; a start takes {slower:.2f} × as long")


# -- crowds ---

#: limits: memory of idle connections, ratio of p99, seconds to stop
MOST_MB = 250
MOST_RATIO = 1.5
MOST_SECONDS = 5.0
#: games, rooms and connections created concurrently
AT_ONCE = 24


def visitor(load: Load, room: str, cookie: str, first_message: str = "") -> Socket:
    request = (
        f"GET /ws?room={room} HTTP/1.1\r\nHost: {load.host}:{load.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Cookie: {COOKIE}={cookie}\r\n\r\n"
    )
    return Socket(request, first_message or f'{{"type":"join","room":"{room}"}}', lambda data: None)


def load_of(url: str, pace: float) -> Load:
    host, _, port = url.removeprefix("http://").partition(":")
    return Load(host, int(port), pace, 7)


async def idle(url: str, count: int) -> dict[str, Any]:
    """Hold sockets that have joined and send nothing."""
    load = load_of(url, 0.0)
    several = asyncio.Semaphore(AT_ONCE)
    async with Client(url, "A") as one, Client(url, "B") as two:

        async def pair() -> None:
            async with several:
                made = await one.request("POST", "/api/rooms", {"regulation": "lite+entry"})
                for client in (one, two):
                    socket = visitor(load, made["room"]["id"], client.cookie)
                    load.sockets.append(socket)
                    await load.loop.create_connection(lambda made=socket: made, load.host, load.port)  # type: ignore[misc]

        await asyncio.gather(*(pair() for _ in range(count // 2)))
    await asyncio.sleep(2)
    return {"sockets": len(load.sockets), "lost": sum(socket.lost for socket in load.sockets)}


class Churn:
    """Clients that join a room as spectators and leave."""

    def __init__(self, load: Load, rooms: list[str], cookie: str, rate: float) -> None:
        self.load = load
        self.rooms = rooms
        self.cookie = cookie
        self.rate = rate
        self.came = 0

    async def run(self) -> None:
        due = time.perf_counter()
        coming: set[asyncio.Task[None]] = set()
        while True:
            due += 1 / self.rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            task = asyncio.ensure_future(self.visit(self.came))
            coming.add(task)
            task.add_done_callback(coming.discard)
            self.came += 1

    async def visit(self, number: int) -> None:
        room = self.rooms[number % len(self.rooms)]
        refused = number % 3 == 2
        first_message = f'{{"type":"join","room":"{room}","seat":"watch"}}'
        socket = visitor(self.load, room, "forged" if refused else self.cookie, first_message)
        await self.load.loop.create_connection(lambda: socket, self.load.host, self.load.port)
        await asyncio.sleep(0.5)
        if socket.transport is not None:
            socket.transport.close()


async def churn(url: str, games: int, rate: float, turns: int, seconds: float) -> dict[str, Any]:
    load = load_of(url, 1.0)
    several = asyncio.Semaphore(AT_ONCE)
    async with Client(url, "A") as one, Client(url, "B") as two:
        cookie = one.cookie

        async def game() -> None:
            async with several:
                settings = {"regulation": "master+full", "window_ms": 0, "opponent": "bot"}
                made = await one.request("POST", "/api/rooms", settings)
                pair = Pair(load)
                for client in (one, two):
                    await Bot(pair, client is one).connect(made["room"]["id"], f"{COOKIE}={client.cookie}")

        await asyncio.gather(*(game() for _ in range(games)))
    gc.collect()
    gc.freeze()
    gc.disable()
    load.start()
    await asyncio.sleep(4)
    async with Client(url, "C") as other:
        made = [await other.request("POST", "/api/rooms", {"regulation": "lite+entry"}) for _ in range(40)]
    people = Churn(load, [one["room"]["id"] for one in made], cookie, rate)
    tails: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(2 * turns):
        with_them = turn % 2 == 1
        crowd = asyncio.create_task(people.run()) if with_them else None
        await asyncio.sleep(0.5)
        load.latencies, load.measuring = [], True
        await asyncio.sleep(seconds)
        load.measuring = False
        if crowd is not None:
            crowd.cancel()
        tails[with_them].append(1000 * quantile(load.latencies, 0.99))
        await asyncio.sleep(0.7)
    without, during = (round(statistics.median(tails[which]), 1) for which in (False, True))
    return {
        "games": games,
        "came_and_left": people.came,
        "p99_ms": without,
        "p99_ms_churn": during,
        "ratio": round(during / without, 2) if without else 0.0,
        "lost": sum(socket.lost for socket in load.sockets),
        "refused": len(load.errors),
    }


def measured(kind: str, given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        with serving(Contender(kind, sys.executable), f"{folder}/crowd.db") as (pid, url):
            before = memory(pid)

            async def story() -> dict[str, Any]:
                if kind == "idle":
                    found = await idle(url, given.sockets)
                else:
                    found = await churn(url, given.games, given.rate, given.turns, given.seconds)
                found |= {"start_MB": round(before / 1e6), "MB": round(memory(pid) / 1e6)}
                found["stop_s"] = round(await asyncio.to_thread(stopped, pid), 2)  # all clients are still connected
                return found

            return uvloop.run(story())


def stopped(pid: int) -> float:
    """Send SIGTERM and return the seconds until the server has exited."""
    begun = time.perf_counter()
    subprocess.run(["kill", f"-{signal.SIGTERM.value}", str(pid)], check=True)
    while time.perf_counter() - begun < 60:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    break
        except OSError:
            break
        time.sleep(0.02)
    return time.perf_counter() - begun


def add_crowd_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=("idle", "churn"))
    parser.add_argument("--sockets", type=int, default=5000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=150, help="people who come and go a second")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0, help="of a turn")
    parser.add_argument("--json", action="store_true")


def check_crowd_options(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    if given.sockets > 6000 or given.games > 3000 or given.rate > 500:
        parser.error("keep it bounded: at most 6,000 sockets, 3,000 games and 500 people a second")


def run_crowd(given: argparse.Namespace) -> None:
    found = {kind: measured(kind, given) for kind in ("idle", "churn") if given.only in (None, kind)}
    if given.json:
        print(json.dumps(found))
    else:
        for kind, figures in found.items():
            print(f"{kind}: " + "  ".join(f"{key} {value}" for key, value in figures.items()))
    goals = {f"stopped within {MOST_SECONDS:.0f} s": all(one["stop_s"] <= MOST_SECONDS for one in found.values())}
    goals["no connection lost"] = not any(one["lost"] for one in found.values())
    if "idle" in found:
        goals[f"{given.sockets} idle sockets in {MOST_MB} MB"] = found["idle"]["MB"] <= MOST_MB
    if "churn" in found:
        goals[f"p99 ≤ {MOST_RATIO} × while others come and go"] = found["churn"]["ratio"] <= MOST_RATIO
    for goal, held in goals.items():
        print(f"{'held' if held else 'NOT HELD':>11}: {goal}", file=sys.stderr if given.json else sys.stdout)
    raise SystemExit(0 if all(goals.values()) else 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    games, crowd, fairness = (commands.add_parser(name) for name in ("games", "crowd", "fairness"))
    add_games_options(games)
    add_fairness_options(fairness)
    add_crowd_options(crowd)
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    if given.command == "games":
        check_games_options(games, given)
        run_games(given)
    elif given.command == "fairness":
        run_fairness(given)
    else:
        check_crowd_options(crowd, given)
        run_crowd(given)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server is stopped too
    main()
