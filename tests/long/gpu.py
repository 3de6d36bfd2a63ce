"""``python -m tests.long.gpu``: build the rules for the GPU of this machine, compare its games with the processor's,
decision by decision, and report the speed. Needs nvcc, a C++ compiler and a GPU.

    python -m tests.long.gpu [--games 6000] [--per-thread 6] [--arch native] [--json FILE]
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from blackpoker.engine.shuffler import seeded
from blackpoker.native import build as native_build
from blackpoker.native import library as door
from blackpoker.ruleset import Regulation, new_game

REGULATIONS = ("lite+entry", "master+full", "extra+full")
#: threads for the comparison; threads that keep the GPU busy
FEW_THREADS = 2_048
MANY_THREADS = (67_584, 270_336)
NOISE = 30
COUNTS = ("steps", "decisions", "starts", "ends", "idle")
COLUMNS = ("winner", "first", "turns", "decisions", "forced", "hash", "uses")


def counts(library: Any) -> dict[str, float]:
    """Return the counters of the last kernel."""
    out = (ctypes.c_ulonglong * len(COUNTS))()
    library.blackpoker_gpu_counts.restype = ctypes.c_double
    ms = library.blackpoker_gpu_counts(out)
    return {**dict(zip(COUNTS, out, strict=True)), "ms": ms}


def differing(one: door.Games, other: door.Games) -> int:
    """Return how many numbers differ."""
    pairs = [(list(getattr(one, column)), list(getattr(other, column))) for column in COLUMNS]
    return sum(a != b for left, right in pairs for a, b in zip(left, right, strict=True))


def line(report: list[dict[str, Any]], **values: Any) -> None:
    report.append(values)
    print("  " + ", ".join(f"{name} {value}" for name, value in values.items()), flush=True)


def compare(games: int, report: list[dict[str, Any]]) -> Iterator[str]:
    for regulation in REGULATIONS:
        fast = door.games(regulation, range(games), hashed=True, uses=True, gpu=True, threads=FEW_THREADS)
        wrong = differing(fast, door.games(regulation, range(games), hashed=True, uses=True))
        line(report, compared=regulation, games=games, decisions=sum(fast.decisions), differ=wrong, left=fast.outgrown)
        if wrong or fast.outgrown:
            yield f"{regulation}: {wrong} numbers differ, {fast.outgrown} games did not come back"
        game = new_game(Regulation.parse(regulation), seeded(1))
        game.advance()
        for noise in (0, NOISE):
            fast = door.playouts(game, games, 5, noise=noise, gpu=True, threads=FEW_THREADS)
            wrong = differing(fast, door.playouts(game, games, 5, noise=noise))
            line(report, played_out=regulation, noise=noise, games=games, differ=wrong, left=fast.outgrown)
            if wrong or fast.outgrown:
                yield f"{regulation}: {wrong} numbers of play-outs differ, {fast.outgrown} did not come back"


def speed(library: Any, per_thread: int, report: list[dict[str, Any]]) -> None:
    for regulation in REGULATIONS:
        for threads in MANY_THREADS:
            door.games(regulation, range(threads * per_thread), gpu=True, threads=threads)
            counters = counts(library)
            rate = counters["decisions"] / counters["ms"] / 1e3
            line(
                report,
                random=regulation,
                threads=threads,
                games=threads * per_thread,
                M_per_s=round(rate, 1),
                **{name: int(counters[name]) for name in (*COUNTS, "ms")},
            )
        game = new_game(Regulation.parse(regulation), seeded(1))
        game.advance()
        door.playouts(game, MANY_THREADS[0] * 2, 5, noise=NOISE, gpu=True, threads=MANY_THREADS[0])
        counters = counts(library)
        line(
            report,
            heuristic=regulation,
            threads=MANY_THREADS[0],
            games=MANY_THREADS[0] * 2,
            M_per_s=round(counters["decisions"] / counters["ms"] / 1e3, 1),
            games_per_s=int(counters["ends"] / counters["ms"] * 1e3),
            **{name: int(counters[name]) for name in (*COUNTS, "ms")},
        )
        seeds = range(20_000)
        before = time.process_time()
        played = door.games(regulation, seeds, threads=1)
        rate = sum(played.decisions) / (time.process_time() - before) / 1e6
        line(report, processor=regulation, cores=1, M_per_s=round(rate, 2))


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.gpu")
    reader.add_argument("--games", type=int, default=6000)
    reader.add_argument("--per-thread", type=int, default=6)
    reader.add_argument("--arch", default="native")
    reader.add_argument("--json", type=Path)
    args = reader.parse_args()
    report: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = time.monotonic()
        for trouble in (
            native_build.build(folder / "cpp", folder / "rules.so"),
            native_build.build_gpu(folder / "cu", folder / "gpu.so", args.arch),
        ):
            if trouble:
                print(f"native: {trouble}")
                return 1
        line(report, built_in_seconds=round(time.monotonic() - before), cores=os.cpu_count() or 1)
        here, there = door.load(folder / "rules.so"), door.load(folder / "gpu.so")
        door.native_library = lambda: here  # type: ignore[assignment]
        door.gpu_library = lambda: there  # type: ignore[assignment]
        failed = list(compare(args.games, report))
        speed(there, args.per_thread, report)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print("\n".join([*failed, f"{len(failed)} failed"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
