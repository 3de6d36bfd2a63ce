"""Bot games on a server, over loopback, bounded: latency at a steady pace, then saturation.

    python benchmarks/server.py --games 1000 --seconds 20
    python benchmarks/server.py --against ../old/.venv/bin/python --rounds 3
    python benchmarks/server.py --database postgresql://… --redis redis://… --processes 1 2

Server and bots are one process each. Steady: every game has a decision due each second, at absolute times. Latency is
measured from sending a move to its acknowledgement, which comes after it is stored. Saturation: every bot answers at
once. ``--against`` measures another checkout's server alternating with ours, and several ``--processes`` alternate as
well, so that other load affects all of them; the figures are medians of the rounds. ``--visits``: all games are in the
lobby, and this many times a second a client loads the lobby and the list of its resumable games.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop
from server_bots import Bot, Load, Pair

from blackpoker.client import COOKIE, Client


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
    url: str, games: int, pace: float, seconds: float, regulation: str, pid: int, visits: float
) -> dict[str, Any]:
    before = memory(pid)
    host, _, port = url.removeprefix("http://").partition(":")
    work = Load(host, int(port), pace, 7)
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
        yield process.pid, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


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
            return uvloop.run(load(url, games, pace, seconds, given.regulation, pid, given.visits))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--saturation-games", type=int, default=600)
    parser.add_argument("--saturation-seconds", type=float, default=10)
    parser.add_argument("--only", choices=("steady", "saturation"), help="one of the two kinds of load")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another checkout")
    parser.add_argument("--processes", type=int, nargs="+", default=[1])
    parser.add_argument("--regulation", default="master+full")
    parser.add_argument("--visits", type=float, default=0.0, help="looks at the lobby a second")
    parser.add_argument("--database", default="")
    parser.add_argument("--redis", default="")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.games * 2 > 6000 or given.seconds > 120:
        parser.error("keep it bounded: at most 3000 games and 120 seconds")
    if max(given.processes) > 1 and not given.redis:
        parser.error("more than one process needs --redis")
    return given


def contenders(given: argparse.Namespace) -> list[Contender]:
    out = []
    shared = ("--redis", given.redis) if given.redis else ()
    for number in given.processes:
        options = (*shared, "--processes", str(number)) if number > 1 else shared
        out.append(Contender(f"{number} process" + "es" * (number > 1), sys.executable, options))
        if given.against:
            out.append(Contender(f"{number} of the other", str(Path(given.against).absolute()), options))
    return out


def medians(runs: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def main() -> None:
    given = read_arguments()
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
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


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server is stopped too
    main()
