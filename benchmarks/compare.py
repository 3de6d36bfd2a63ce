"""Speed comparison of the engines of two checkouts.

    python benchmarks/compare.py OLD NEW [--rounds 15] [--json] [--check]

OLD and NEW are two checkouts, each with its own ``.venv`` and built as it is to be measured. Both play the same seeded
games, copy and view the same positions; they alternate with short samples, so that other load affects both. Figures
are processor time; a ratio is that of the fastest samples of both, so 1.10 means that NEW is ten percent faster; the
median of the ratios of the rounds is printed beside it. ``--check`` fails if a ratio is below the project's limit.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

#: one or two of every format
REGULATIONS = (
    "lite+entry",
    "lite+full",
    "standard+full",
    "pro+full",
    "master+entry",
    "master+full",
    "extra+regular",
    "extra+full",
)
#: minimum speed ratio of new to old
LEAST = {"extra+full": 1.15}
LEAST_OF_ALL = 0.97
#: approximate processor time of one sample
SPAN = 0.1


class Failed(Exception):
    """Raised when the comparison is impossible; the text is one line."""


# -- worker process of one checkout -----------------------------------------------------------------------------------


def either(module: str, former: str) -> Any:
    """Return a module of this checkout by its present or its former name."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        return import_module(former)


def worker() -> None:
    """Answer lines ``[figure, regulation, seed, count]`` with the seconds taken. For ``play`` the time is scaled to
    ``count`` thousand decisions, as a ruling may change the number of decisions.
    """
    from blackpoker import Game

    # each with its module up to 0b24fb11
    ruleset = either("blackpoker.ruleset", "blackpoker.regulation")
    play_out = either("blackpoker.ai.random_player", "blackpoker.thinking.random").play_out
    seeded = either("blackpoker.engine.shuffler", "blackpoker.rules.shuffler").seeded
    Regulation, new_game = ruleset.Regulation, ruleset.new_game

    def play(regulation: str, first: int, n: int) -> float:
        rules = Regulation.parse(regulation)
        spent = 0.0
        decisions = 0
        for seed in range(first, first + n):
            engine = new_game(rules, seeded(seed))
            began = time.process_time()
            engine.advance()
            decisions += play_out(engine, seeded(seed + 1))[0]
            spent += time.process_time() - began
        return spent / decisions * 1000 * n

    def middle(regulation: str, seed: int) -> tuple[Any, Any]:
        """Return the same position twice: as a game and as its engine."""
        game = Game(regulation, seed=seed)
        engine = new_game(Regulation.parse(regulation), seeded(seed))
        engine.advance()
        dice = seeded(seed + 1)
        for _ in range(100):
            if not engine.options:
                return middle(regulation, seed + 1000)
            option = engine.options[dice.below(len(engine.options))]
            game.push(option)
            engine.push(option)
        return game, engine

    @cache
    def middles(regulation: str) -> list[tuple[Any, Any]]:
        """Return several positions, as a ruling may lead the two checkouts into different games."""
        return [middle(regulation, seed) for seed in range(40)]

    def copy(regulation: str, first: int, n: int) -> float:
        engines = [engine for _, engine in middles(regulation)]
        began = time.process_time()
        for _ in range(n):
            for engine in engines:
                engine.copy()
        return (time.process_time() - began) / len(engines)

    def view(regulation: str, first: int, n: int) -> float:
        games = [game for game, _ in middles(regulation)]
        began = time.process_time()
        for _ in range(n):
            for game in games:
                game.view(0)
        return (time.process_time() - began) / len(games)

    for line in sys.stdin:
        what, regulation, first, n = json.loads(line)
        print({"play": play, "copy": copy, "view": view}[what](regulation, first, n), flush=True)


# -- comparison --------------------------------------------------------------------------------------------------------


class Checkout:
    """A process that runs the package of one checkout."""

    def __init__(self, path: Path) -> None:
        python = path / ".venv" / "bin" / "python"
        if not (path / "src" / "blackpoker").is_dir():
            raise Failed(f"{path} is no checkout of this project: it has no src/blackpoker")
        if not python.exists():
            raise Failed(f"{path} has no .venv: run make install there")
        self.path = path
        self.process = subprocess.Popen(
            [str(python), __file__, "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(path / "src")},
        )

    def seconds(self, what: str, regulation: str, first: int, n: int) -> float:
        into: IO[str] | None = self.process.stdin
        out: IO[str] | None = self.process.stdout
        assert into is not None
        assert out is not None
        print(json.dumps([what, regulation, first, n]), file=into, flush=True)
        answer = out.readline()
        if not answer:
            raise Failed(f"{self.path} could not {what} {regulation}; its message stands above")
        return float(answer)

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait(10)


def compare(old: Checkout, new: Checkout, rounds: int) -> dict[str, dict[str, float]]:
    """Return per figure: the ratio, its median, and the time of one play, copy or view."""
    figures = [(what, regulation) for what in ("play", "copy", "view") for regulation in REGULATIONS]
    results: dict[str, dict[str, float]] = {}
    for number, (what, regulation) in enumerate(figures, 1):
        print(f"\r{number}/{len(figures)} {what} {regulation:16}", end="", file=sys.stderr, flush=True)
        probe, share = (4, 1) if what == "play" else (20, 40)
        n = max(1, round(probe * SPAN / share / max(new.seconds(what, regulation, 1, probe), 1e-6)))
        ratios: list[float] = []
        times: tuple[list[float], list[float]] = ([], [])
        for turn in range(rounds):
            pair = (old, new) if turn % 2 == 0 else (new, old)
            took = {each: each.seconds(what, regulation, 1, n) for each in pair}
            ratios.append(took[old] / took[new])
            times[0].append(took[old] / n)
            times[1].append(took[new] / n)
        results[f"{what} {regulation}"] = {
            "ratio": round(min(times[0]) / min(times[1]), 3),
            "median": round(statistics.median(ratios), 3),
            "old_us": round(min(times[0]) * 1e6, 2),
            "new_us": round(min(times[1]) * 1e6, 2),
        }
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="fail where NEW is slower than asked for")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    checkouts: list[Checkout] = []
    try:
        for path in (given.old, given.new):
            checkouts.append(Checkout(path.resolve()))
        results = compare(checkouts[0], checkouts[1], given.rounds)
    except Failed as reason:
        print(f"compare: {reason}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ncompare: interrupted", file=sys.stderr)
        return 130
    finally:
        for checkout in checkouts:
            checkout.close()
    if given.json:
        print(json.dumps(results, indent=2))
    else:
        print(f"{'':24}{'ratio':>8}{'median':>8}{'old µs':>11}{'new µs':>11}")
        for name, figure in results.items():
            times = f"{figure['old_us']:11.2f}{figure['new_us']:11.2f}"
            print(f"{name:24}{figure['ratio']:8.3f}{figure['median']:8.3f}{times}")
    slow = [
        name
        for name, figure in results.items()
        if figure["ratio"] < (LEAST.get(name.split()[1], LEAST_OF_ALL) if name.startswith("play") else LEAST_OF_ALL)
    ]
    if slow and given.check:
        print("too slow: " + ", ".join(slow), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        worker()
    else:
        sys.exit(main())
