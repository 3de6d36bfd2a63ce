"""Bot games on one server process, over loopback, bounded: latency at a steady pace, then saturation.

    python benchmarks/server.py --games 1000 --seconds 20

Bots say whole sentences: mostly a pass, else an action with the payment the server proposes. Latency is from sending a
sentence to its acknowledgement, which comes after it is stored. Saturation: every bot answers at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from blackpoker.client import COOKIE, Client


class Said(msgspec.Struct):
    """Only what a bot reads of a message."""

    type: str
    id: int = 0
    ask: Any = None
    seq: int = 0
    complete: bool = False
    proposal: list[str] = []
    code: str = ""


DECODER = msgspec.json.Decoder(Said)


class Load:
    def __init__(self, url: str, pace: float, seed: int) -> None:
        self.url = url.replace("http", "ws", 1) + "/ws"
        self.pace = pace
        self.random = random.Random(seed)
        self.latencies: list[float] = []
        self.acts = 0
        self.errors = 0
        self.finished = 0
        self.measuring = False
        self.stopping = False

    async def bot(self, room: str, cookie: str, opened: asyncio.Event) -> None:
        headers = {"Cookie": f"{COOKIE}={cookie}"}
        async with connect(self.url, additional_headers=headers, compression=None, max_queue=None) as socket:
            await socket.send(json.dumps({"type": "join", "room": room, "detail": "lean"}))
            await socket.recv()
            await socket.send('{"type":"ready"}')
            opened.set()
            sent: dict[int, float] = {}
            number = 0
            next_act = 0.0
            ask: Any = None
            drafting = False
            while not self.stopping:
                message = DECODER.decode(await socket.recv())
                kind = message.type
                if kind == "ack":
                    begun = sent.pop(message.id, None)
                    if begun is not None:
                        self.acts += 1
                        if self.measuring:
                            self.latencies.append(time.perf_counter() - begun)
                    continue
                if kind == "error":
                    self.errors += 1
                elif kind == "over":
                    self.finished += 1
                    return
                elif kind == "update":
                    ask, drafting = message.ask, False
                    if ask is None:
                        continue
                    words = [option["word"] for option in ask["options"]]
                    if self.pace:
                        now = time.perf_counter()
                        if next_act > now:
                            await asyncio.sleep(next_act - now)
                        next_act = max(now, next_act) + self.pace
                    pick = "pass" if "pass" in words and self.random.random() < 0.6 else self.random.choice(words)
                    number += 1
                    if pick == "pass" or ask["kind"] == "deck":
                        sent[number] = time.perf_counter()
                        await socket.send(f'{{"type":"act","id":{number},"seq":{ask["seq"]},"words":["{pick}"]}}')
                    else:
                        drafting = True
                        await socket.send(
                            json.dumps({"type": "draft", "id": number, "seq": ask["seq"], "words": [pick]})
                        )
                        first = pick
                elif kind == "drafted" and drafting:
                    number += 1
                    sent[number] = time.perf_counter()
                    said = [first] if message.complete else message.proposal
                    await socket.send(json.dumps({"type": "act", "id": number, "seq": message.seq, "words": said}))


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
    import urllib.request

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
    work = Load(url, pace, 7)
    async with Client(url, "A") as one, Client(url, "B") as two:
        settings = {"regulation": regulation, "window_ms": 0, "opponent": "bot"}
        several = asyncio.Semaphore(24)

        async def room() -> str:
            async with several:
                made = await one.request("POST", "/api/rooms", settings)
                return str(made["room"]["id"])

        rooms = await asyncio.gather(*(room() for _ in range(games)))
        tasks = []
        gate = asyncio.Semaphore(40)

        async def seat(room: str, cookie: str) -> None:
            opened = asyncio.Event()
            async with gate:
                tasks.append(asyncio.create_task(work.bot(room, cookie, opened)))
                await opened.wait()

        await asyncio.gather(*(seat(room, client.cookie) for room in rooms for client in (one, two)))
        await asyncio.sleep(min(3.0, seconds / 4))
        work.measuring = True
        acts, count = work.acts, await asyncio.to_thread(stored, url)
        begun, used, own = time.perf_counter(), cpu(pid), time.process_time()
        await asyncio.sleep(seconds)
        spent, used, own = time.perf_counter() - begun, cpu(pid) - used, time.process_time() - own
        rate = (work.acts - acts) / spent
        kept = (await asyncio.to_thread(stored, url) - count) / spent
        work.measuring = False
        peak = memory(pid)
        work.stopping = True
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        broken = [result for result in results if isinstance(result, Exception)]
    return {
        "games": games,
        "acts_per_s": round(rate),
        "stored_per_s": round(kept),
        "p50_ms": round(quantile(work.latencies, 0.5) * 1000, 1),
        "p99_ms": round(quantile(work.latencies, 0.99) * 1000, 1),
        "max_ms": round(max(work.latencies, default=0.0) * 1000, 1),
        "errors": work.errors,
        "broken": len(broken),
        "finished": work.finished,
        "server_core": round(used / spent, 2),  # of one; what it got of a shared machine
        "client_core": round(own / spent, 2),
        "cpu_us_per_act": round(used / max(1, work.acts - acts) * 1e6),
        "kB_per_game": round((peak - before) / games / 1024, 1),
    }


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
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    database = given.database or str(Path(tempfile.mkdtemp()) / "bench.db")
    out: dict[str, Any] = {}
    for name, games, pace, seconds in (
        ("steady", given.games, 2.0, given.seconds),
        ("saturation", given.saturation_games, 0.0, given.saturation_seconds),
    ):
        process, url = start_server(database)
        try:
            out[name] = asyncio.run(load(url, games, pace, seconds, given.regulation, process.pid))
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
    held = out["steady"]["p99_ms"] <= 100 and out["saturation"]["stored_per_s"] >= 2500
    print("targets: p99 ≤ 100 ms, saturation ≥ 2500 stored decisions/s:", "held" if held else "not held")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main()
