"""Speed of machine code relative to the compiled engine: alternating, on one core, processor time; also as JSON.

    python benchmarks/native.py [--times 8] [--runs 5] [--json FILE]

Random games, copies of a game, play-outs of the strongest level from the opening, games of the heuristic player. Rates
are medians of the runs, ratios are computed within runs. Random games of the compiled engine are timed without
creating the game, those in machine code completely.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from blackpoker import _build
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.levels import MASTER
from blackpoker.ai.net_file import load_net
from blackpoker.ai.random_player import play_out, play_setup
from blackpoker.ai.search import Search
from blackpoker.ai.stable_ids import feature_map
from blackpoker.engine.engine import Engine
from blackpoker.engine.shuffler import seeded
from blackpoker.native import available, games
from blackpoker.native import library as door
from blackpoker.native.layout import State
from blackpoker.native.search import NativeSearch
from blackpoker.players import batch_play
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Regulation, new_game
from blackpoker.seeds import CHOICE_STREAM

REGULATIONS = ("lite+entry", "master+full", "extra+full")


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    before = time.process_time()
    done = call()
    return time.process_time() - before, done


def compiled_games(regulation: Regulation, n: int, first: int) -> float:
    """Return decisions per second."""
    decisions, seconds = 0, 0.0
    for seed in range(first, first + n):
        engine = new_game(regulation, seeded(seed))
        dice = seeded(seed + CHOICE_STREAM)
        before = time.process_time()
        engine.advance()
        play_setup(engine, dice)
        decisions += play_out(engine, dice)[0]
        seconds += time.process_time() - before
    return decisions / seconds


def native_games(regulation: Regulation, n: int, first: int) -> float:
    seconds, played = timed(lambda: games(regulation, range(first, first + n), threads=1))
    return float(sum(played.decisions) / seconds)


def compiled_playouts(regulation: Regulation, n: int, seed: int) -> float:
    search, engine = opening_search(regulation, seed)
    return n / timed(lambda: search.grow(engine, n))[0]


def native_playouts(regulation: Regulation, n: int, seed: int) -> float:
    search, engine = opening_search(regulation, seed)
    fast = NativeSearch.create(search)
    assert fast is not None
    return n / timed(lambda: fast.grow(engine, n))[0]


def opening_search(regulation: Regulation, seed: int) -> tuple[Search, Engine]:
    """Return the strongest level's search at the first decision of a game."""
    engine = new_game(regulation, seeded(1))
    engine.advance()
    rules, net = regulation.rules(), load_net(MASTER.net)
    net.unpack()
    search = Search(
        HeuristicScorer(rules), prior_knowledge(regulation), int(engine.asked), seeded(seed), feature_map(rules), net
    )
    search.curiosity = MASTER.curiosity
    return search, engine


def compiled_copies(regulation: Regulation, n: int, seed: int) -> float:
    engine = middle(regulation, seed)

    def work() -> None:
        for _ in range(n):
            engine.copy()

    return n / timed(work)[0]


def native_copies(regulation: Regulation, n: int, seed: int) -> float:
    packed = door.packed_tables(regulation.rules())
    one, other = packed.pack(middle(regulation, seed)), State()
    copies = door.native_library().blackpoker_copies
    seconds, _ = timed(lambda: copies(ctypes.byref(one), ctypes.byref(other), ctypes.c_int64(1000 * n)))
    return 1000 * n / seconds


def middle(regulation: Regulation, seed: int) -> Engine:
    engine = new_game(regulation, seeded(seed))
    engine.advance()
    dice = seeded(seed)
    for _ in range(80):
        if engine.options:
            engine.push(engine.options[dice.below(len(engine.options))])
    return engine


def heuristic_games(regulation: Regulation, n: int, first: int) -> float:
    return (
        n
        / timed(lambda: batch_play.games(regulation, range(first, first + n), ("heuristic", "heuristic"), threads=1))[0]
    )


def compiled_heuristic_games(regulation: Regulation, n: int, first: int) -> float:
    library = door.native_library
    door.native_library = lambda: None  # type: ignore[assignment]
    try:
        return heuristic_games(regulation, n, first)
    finally:
        door.native_library = library


Measure = Callable[[Regulation, int, int], float]
#: name, number of units for compiled and for native code, and both measurements
MEASURES: tuple[tuple[str, int, int, Measure, Measure], ...] = (
    ("random decisions", 60, 400, compiled_games, native_games),
    ("copies", 4000, 4000, compiled_copies, native_copies),
    ("play-outs of the strongest level", 100, 400, compiled_playouts, native_playouts),
    ("heuristic games", 10, 100, compiled_heuristic_games, heuristic_games),
)


def row(
    name: str, regulation: Regulation, few: int, many_: int, slow: Measure, fast: Measure, runs: int
) -> dict[str, Any]:
    pairs = [
        (slow(regulation, few, 1 + run * few), fast(regulation, many_, 1 + run * many_)) for run in range(runs + 1)
    ]
    pairs = pairs[1:]  # the first run is a warm-up
    ratio = statistics.median(b / a for a, b in pairs)
    one, two = (statistics.median(pair[place] for pair in pairs) for place in (0, 1))
    return {
        "what": name,
        "regulation": regulation.text,
        "compiled_per_s": round(one),
        "native_per_s": round(two),
        "ratio": round(ratio, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=8, help="how much of everything")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not available():
        parser.error("machine code is not built; run: make native")
    print(f"machine code against the engine {'compiled by mypyc' if _build.compiled() else 'interpreted'}; per second")
    rows = []
    for name, few, many_, slow, fast in MEASURES:
        for text in REGULATIONS:
            regulation = Regulation.parse(text)
            rows.append(row(name, regulation, few * args.times, many_ * args.times, slow, fast, args.runs))
            told = rows[-1]
            rates = f"{told['compiled_per_s']:>12,} {told['native_per_s']:>14,} {told['ratio']:>8}x"
            print(f"  {name:34} {text:12} {rates}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
