"""Bot games on one server process, over loopback, bounded: latency at a steady pace, then saturation.

    python benchmarks/server.py --games 1000 --seconds 20

Server and bots are a process each. Steady: every game has a decision due each second, at absolute times. Latency is
from sending a sentence to its acknowledgement, which comes after it is stored. Saturation: every bot answers at once.
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
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import uvloop
from server_bots import Bot, Load, Pair

from blackpoker.client import COOKIE, Client


def memory(pid: int) -> int:
    """Resident bytes of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


def cpu(pid: int) -> float:
    """Seconds of processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stored(url: str) -> float:
    """Decisions the server has stored so far, as it counts them itself."""
    with urllib.request.urlopen(url + "/metrics", timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("blackpoker_decisions_total"):
                return float(line.split()[1])
    return 0.0


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


async def load(url: str, games: int, pace: float, seconds: float, regulation: str, pid: int) -> dict[str, Any]:
    before = memory(pid)
    host, _, port = url.removeprefix("http://").partition(":")
    work = Load(host, int(port), pace, 7)
    async with Client(url, "A") as one, Client(url, "B") as two:
        settings = {"regulation": regulation, "window_ms": 0, "opponent": "bot"}
        several = asyncio.Semaphore(24)

        async def game() -> None:
            async with several:
                made = await one.request("POST", "/api/rooms", settings)
                pair = Pair(work)
                for client in (one, two):
                    await Bot(pair, client is one).connect(made["room"]["id"], f"{COOKIE}={client.cookie}")

        await asyncio.gather(*(game() for _ in range(games)))
    gc.collect()
    gc.freeze()
    gc.disable()  # a pause of the bots is none of the server's
    work.start()
    await asyncio.sleep(min(4.0, seconds / 3))
    work.measuring = True
    acts, count = work.acts, await asyncio.to_thread(stored, url)
    begun, used, own = time.perf_counter(), cpu(pid), time.process_time()
    await asyncio.sleep(seconds)
    spent, used, own = time.perf_counter() - begun, cpu(pid) - used, time.process_time() - own
    work.measuring = False
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
        "server_core": round(used / spent, 2),  # of one; what it got of a shared machine
        "bots_core": round(own / spent, 2),
        "us_per_decision": round(used / max(1, acts) * 1e6),
    }
    if pace:
        figures["sent_late_p99_ms"] = round(quantile(work.late, 0.99) * 1000, 1)
    return figures


def start_server(database: str, *more: str) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "blackpoker.cli", "serve", "--host", "127.0.0.1", "--port", str(port), "--no-qr"]
    process = subprocess.Popen(
        [*command, "--exact-port", "--no-limits", "--database", database, *more], stdout=subprocess.DEVNULL
    )
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return process, f"http://127.0.0.1:{port}"
        except OSError:
            if process.poll() is not None:
                raise SystemExit(f"the server left with {process.returncode}") from None
            time.sleep(0.05)
    raise SystemExit("the server does not start")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--saturation-games", type=int, default=600)
    parser.add_argument("--saturation-seconds", type=float, default=10)
    parser.add_argument("--regulation", default="master+full")
    parser.add_argument("--database", default="")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.games * 2 > 6000 or given.seconds > 120:
        raise SystemExit("keep it bounded: at most 3000 games and 120 seconds")
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    database = given.database or str(Path(tempfile.mkdtemp()) / "bench.db")
    out: dict[str, Any] = {}
    for name, games, pace, seconds in (
        ("steady", given.games, 1.0, given.seconds),
        ("saturation", given.saturation_games, 0.0, given.saturation_seconds),
    ):
        process, url = start_server(database)
        try:
            out[name] = uvloop.run(load(url, games, pace, seconds, given.regulation, process.pid))
        finally:
            process.terminate()
            process.wait(20)
            for end in ("", "-wal", "-shm"):
                if not given.database:
                    Path(database + end).unlink(missing_ok=True)
    if given.json:
        print(json.dumps(out))
        return
    for name, figures in out.items():
        print(f"{name:>11}: " + "  ".join(f"{key} {value}" for key, value in figures.items()))
    steady, full = out["steady"], out["saturation"]
    for target, held in (
        (f"{given.games} games, a decision per game and second", steady["decisions_per_s"] >= 0.97 * given.games),
        ("p99 ≤ 100 ms", steady["p99_ms"] <= 100),
        ("saturation ≥ 2,500 stored decisions/s", full["stored_per_s"] >= 2500),
        ("no message refused, no connection lost", not any(run["refused"] or run["lost"] for run in out.values())),
    ):
        print(f"{'held' if held else 'NOT HELD':>11}: {target}")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server is stopped too
    main()
