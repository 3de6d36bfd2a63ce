"""Matches between computer players, and the fit of the evaluation's weights.

    python -m benchmarks.players matches PLAN … [-j 16] [--seconds 540] [--results build/matches.jsonl]
        [--pairs N] [--seed N]
    python -m benchmarks.strength build/matches.jsonl
    python -m benchmarks.players fit [--games 4000] [--noise 30] [--check]

Matches: every deal twice with the seats exchanged, on all cores: ``benchmarks.strength`` writes the tables. Games are
stored in the results file, so an interrupted run is resumed. Prints Markdown, a line per match, at the end and on
interruption. ``--only TEXT``: matches with this text in their line; ``--print``: print only.

Fit: games are played by the noisy heuristics (compiled: some thousand a second), every start of a turn is one example,
its label is the winner. The fit is a ridge logistic regression by Newton's method; needs numpy. It writes
``ai/weights.py``; ``--check`` prints the likelihood on held-out games and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from benchmarks.strength import REGULATIONS, ROLLOUTS, WITHOUT_ROLLOUT, line
from training.gate import Score

from blackpoker import Regulation, seeded
from blackpoker.ai.evaluation import FEATURES, Evaluator, weights_of
from blackpoker.ai.heuristic_player import sample_game
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.levels import TEMPERS, USER_LEVELS
from blackpoker.ai.random_player import random_trumps
from blackpoker.engine.state import TRUMPS_KIND
from blackpoker.players.batch_play import GameBatch, play
from blackpoker.players.engine_players import level_of
from blackpoker.ruleset import new_game

#: deals used neither for training nor for tuning
SEED = 3_000_000_000
#: pairs of games per task
PORTION = 5
#: of a search with rollouts, about 2, 8, 32 and 128 ms a decision in master+full
BUDGETS = (500, 2_000, 8_000, 32_000)


@dataclass(frozen=True)
class Match:
    first: str
    second: str
    regulation: str
    pairs: int

    @property
    def line(self) -> str:
        return line(self.first, self.second, self.regulation)


def search_level(budget: int) -> str:
    return f"search:playouts={budget}/rollout=10/seconds=99/net=shipped"


def curve() -> Iterator[Match]:
    """Yield matches of four times the play-outs against once."""
    for less, budget in pairwise(BUDGETS):
        yield Match(search_level(budget), search_level(less), "master+full", 500)


def levels() -> Iterator[Match]:
    """Yield matches of each level against the one below."""
    for below, level in pairwise(USER_LEVELS):
        for regulation in REGULATIONS["6"]:
            yield Match(level.id, below.id, regulation, 200)


def ninth() -> Iterator[Match]:
    """Yield the same for edition 9, and Master against the rules of thumb."""
    for below, level in pairwise(USER_LEVELS):
        for regulation in REGULATIONS["9"]:
            yield Match(level.id, below.id, regulation, 200)
    for regulation in REGULATIONS["9"]:
        yield Match("master", "heuristic", regulation, 200)


def rollouts() -> Iterator[Match]:
    """Yield matches of God against the same search without rollouts at nearly the same time."""
    for regulation in ROLLOUTS:
        yield Match("god", WITHOUT_ROLLOUT, regulation, 1000)


def tempers() -> Iterator[Match]:
    """Yield matches of styles preferring short and long games, against a neutral one and each other."""
    for regulation in ("lite+entry", "master+full", "extra+regular"):
        for style in TEMPERS:
            yield Match(f"master:temper={style}", "master", regulation, 200)
        yield Match("master:temper=attacking", "master:temper=patient", regulation, 200)
        for style in TEMPERS:  # to measure their length
            yield Match(f"master:temper={style}", f"master:temper={style}", regulation, 50)


PLANS = {"curve": curve, "levels": levels, "ninth": ninth, "rollouts": rollouts, "tempers": tempers}


def portion(match: Match, start: int, pairs: int, seed: int) -> dict[str, object]:
    """Play some deals of a match, each with both seats."""
    players = level_of(match.first), level_of(match.second)
    regulation = Regulation.parse(match.regulation)
    won, turns, time_, choices = 0.0, 0, [0, 0], [0, 0]
    seeds = range(seed + start, seed + start + pairs)
    for place, seated in enumerate((players, players[::-1])):
        done = play(GameBatch(regulation, seeds, seated), threads=1, times=True)
        won += sum(1.0 if winner == place else 0.5 if winner == 2 else 0.0 for winner in done.winner)
        turns += sum(done.turns)
        for seat in (0, 1):
            who = seat ^ place
            time_[who] += sum(done.times[2 * seat :: 4])
            choices[who] += sum(done.times[2 * seat + 1 :: 4])
    return {
        "match": match.line,
        "start": start,
        "games": 2 * pairs,
        "won": won,
        "turns": turns,
        "time": time_,
        "choices": choices,
    }


def read(results: Path) -> list[dict[str, object]]:
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text().splitlines() if line.endswith("}")]


def print_scores(matches: list[Match], found: list[dict[str, object]]) -> None:
    for match in matches:
        score, turns = Score(), 0
        for row in found:
            if row["match"] == match.line:
                each: dict[str, list[int]] = row  # type: ignore[assignment]
                score += Score(row["won"], row["games"], tuple(each["time"]), tuple(each["choices"]))  # type: ignore[arg-type]
                turns += row["turns"]  # type: ignore[operator]
        print(f"| {match.line} | {score}; {turns / max(1, score.games):.1f} turns |", flush=True)


def add_matches_options(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("plans", nargs="+", choices=PLANS)
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--seconds", type=float, default=1e9)
    reader.add_argument("--pairs", type=int, default=10**9, help="of a match at most")
    reader.add_argument("--seed", type=int, default=SEED, help="another results file for another seed")
    reader.add_argument("--only", default="")
    reader.add_argument("--results", type=Path, default=Path("build/matches.jsonl"))
    reader.add_argument("--print", action="store_true")


def run_matches(args: argparse.Namespace) -> None:
    matches = [each for plan in args.plans for each in PLANS[plan]() if args.only in each.line]
    args.results.parent.mkdir(parents=True, exist_ok=True)
    found = read(args.results)
    kept = {(row["match"], row["start"]) for row in found}
    left = [
        (match, start)
        for start in range(0, max(match.pairs for match in matches), PORTION)
        for match in matches
        if start < min(match.pairs, args.pairs) and (match.line, start) not in kept
    ]
    begun = time.monotonic()
    end = begun + args.seconds
    whole, done = len(left), 0
    if not args.print:
        with ProcessPoolExecutor(args.jobs) as pool, args.results.open("a") as file:
            running: set[Future[dict[str, object]]] = set()
            try:
                while running or (left and time.monotonic() < end):
                    while left and len(running) < args.jobs and time.monotonic() < end:
                        match, start = left.pop(0)
                        running.add(pool.submit(portion, match, start, min(PORTION, match.pairs - start), args.seed))
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    for one in finished:
                        found.append(one.result())
                        print(json.dumps(found[-1]), file=file, flush=True)
                        done += 1
                    if done % 20 == 0:
                        gone = time.monotonic() - begun
                        rest = gone / max(1, done) * (whole - done)
                        print(f"\r{done}/{whole} portions, {gone:.0f} s, {rest:.0f} s left", end="", file=sys.stderr)
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
    print_scores(matches, found)


# -- fit ---

GROUPS = {
    "lite": ("lite+entry", "lite+full", "lite+random40"),
    "standard": ("standard+full", "standard+entry", "standard+random40+preset2"),
    "pro": ("pro+full", "pro+entry", "pro+random40"),
    "master": ("master+full", "master+entry", "master+random40"),
    "extra": ("extra+regular",),
}
TARGET = Path(__file__).parents[1] / "src/blackpoker/ai/weights.py"


def examples(text: str, games: int, noise: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    regulation = Regulation.parse(text)
    policy = HeuristicScorer(regulation.rules())
    judge = Evaluator(weights_of(regulation.rules()), policy.trump_worth)
    rows: list[list[float]] = []
    labels: list[float] = []
    for n in range(games):
        engine = new_game(regulation, seeded(seed + n))
        engine.advance()
        chance = seeded(seed + n + 2**33)
        trumps = random_trumps(engine, chance)
        while engine.kind == TRUMPS_KIND:
            engine.push(trumps.pop(0))
        seen: list[tuple[int, list[float]]] = []
        sample_game(engine, policy, judge, noise, chance, seen)
        if engine.winner in (0, 1):
            for turn, features in seen:
                rows.append(features)
                labels.append(1.0 if turn == engine.winner else 0.0)
    return np.array(rows), np.array(labels)


def fit(x: np.ndarray, y: np.ndarray, ridge: float = 3.0) -> np.ndarray:
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (y - p) - ridge * w
        bend = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(x.shape[1])
        step = np.linalg.solve(bend, slope)
        w += step
        if np.abs(step).max() < 1e-6:
            break
    return w


def loss(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
    return float(-np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)))


def add_fit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=4000, help="per regulation")
    parser.add_argument("--noise", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--check", action="store_true")


def run_fit(options: argparse.Namespace) -> None:
    found: dict[str, np.ndarray] = {}
    for name, regulations in GROUPS.items():
        parts = [examples(text, options.games, options.noise, options.seed) for text in regulations]
        x = np.concatenate([part[0] for part in parts])
        y = np.concatenate([part[1] for part in parts])
        tests = [examples(text, options.games // 5, options.noise, options.seed + 10**6) for text in regulations]
        w = fit(x, y)
        found[name] = w
        for text, (tx, ty) in zip(regulations, tests, strict=True):
            right = float(np.mean(((tx @ w) > 0) == (ty > 0.5)))
            told = f"loss {loss(tx, ty, w):.4f} (coin {math.log(2):.4f}), right {right:.1%}"
            print(f"{text}: {len(ty)} held-out turns, {told}", file=sys.stderr)
    if options.check:
        return
    title = "Fitted weights of ``evaluation.Evaluator`` per format, written by ``benchmarks/players.py fit``."
    lines = [
        f'"""{title}"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "# fmt: off",
        "WEIGHTS: Final[dict[str, list[float]]] = {",
    ]
    for name, w in found.items():
        assert len(w) == FEATURES
        numbers = [f"{value:.4f}" for value in w]
        lines.append(f'    "{name}": [')
        for start in range(0, len(numbers), 12):
            lines.append("        " + ", ".join(numbers[start : start + 12]) + ",")
        lines.append("    ],")
    lines += ["}", "# fmt: on", ""]
    TARGET.write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="benchmarks.players", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    add_matches_options(commands.add_parser("matches"))
    add_fit_options(commands.add_parser("fit"))
    options = parser.parse_args()
    if options.command == "matches":
        run_matches(options)
    else:
        run_fit(options)


if __name__ == "__main__":
    main()
