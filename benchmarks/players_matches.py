"""Matches between players, every deal twice with the seats exchanged, on all cores: the tables of docs/opponents.md.

    python -m benchmarks.players_matches PLAN … [-j 16] [--seconds 540] [--results build/matches.jsonl]
        [--pairs N] [--seed N]

Games are stored in the results file, so an interrupted run is resumed. Prints Markdown, a line per match, at the end
and on interruption. ``--only TEXT``: matches with this text in their line; ``--told``: print only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from training.gate import Score

from blackpoker import Regulation
from blackpoker.players import batch_play
from blackpoker.players.engine_players import Level, level_of
from blackpoker.players.batch_play import GameBatch, play
from blackpoker.ai.levels import USER_LEVELS, TEMPERS
from blackpoker.ai.search import Search
from blackpoker.ai.determinization import PriorKnowledge

FIVE = ("lite+entry", "standard+full", "pro+full", "master+full", "extra+regular")
RANDOM = tuple(
    f"{name}+{frame}" for name in ("lite", "standard", "pro", "master") for frame in ("random40", "randomhalf")
)
#: deals used neither for training nor for tuning
SEED = 3_000_000_000
#: pairs of games per task
PORTION = 5
#: 達人 before the net (7e7f212), and the net with equal time
OLD = "search:playouts=3000/horizon=3/heat=30"
NEW = "search:playouts=8000/net=shipped"
BUDGETS = (200, 800, 3_200, 12_800, 51_200)


@dataclass(frozen=True)
class Match:
    first: str
    second: str
    regulation: str
    pairs: int

    @property
    def line(self) -> str:
        return f"{self.first} – {self.second} | {self.regulation}"


def search_level(budget: int) -> str:
    return f"search:playouts={budget}/seconds=99/net=shipped"


def curve() -> Iterator[Match]:
    """Yield matches of four times the play-outs against once."""
    for less, budget in pairwise(BUDGETS):
        yield Match(search_level(budget), search_level(less), "master+full", 200)


def levels() -> Iterator[Match]:
    """Yield matches of each level against the one below."""
    for below, level in pairwise(USER_LEVELS):
        for regulation in FIVE:
            yield Match(level.id, below.id, regulation, 200)


def old() -> Iterator[Match]:
    """Yield matches against the player before the net, at about the same time."""
    for regulation in (*FIVE, "master+entry", *RANDOM):
        yield Match(NEW, OLD, regulation, 200)
    yield Match("master", "heuristic", "master+full", 200)


def tempers() -> Iterator[Match]:
    """Yield matches of styles preferring short and long games, against a neutral one and each other."""
    for regulation in ("lite+entry", "master+full", "extra+regular"):
        for style in TEMPERS:
            yield Match(f"master:temper={style}", "master", regulation, 200)
        yield Match("master:temper=attacking", "master:temper=patient", regulation, 200)
        for style in TEMPERS:  # to measure their length
            yield Match(f"master:temper={style}", f"master:temper={style}", regulation, 50)


PLANS = {"curve": curve, "levels": levels, "old": old, "tempers": tempers}


def search_as_before(
    level: Level, bouts: GameBatch, seat: int, now: Callable[[Level, GameBatch, int], Search] = batch_play.search_of
) -> Search:
    """Return a search; without a net it also assumes, as 7e7f212 did, that the opponent's half deck has 54 cards."""
    search = now(level, bouts, seat)
    if level.playouts and not level.net and bouts.regulation.frame.decks == 2:
        known = bouts.knowledge
        search.knowledge = PriorKnowledge(known.pools[:], known.own_pools[:], known.sizes[:], 54)
    return search


def portion(match: Match, start: int, pairs: int, seed: int) -> dict[str, object]:
    """Play some deals of a match, each with both seats."""
    players = level_of(match.first), level_of(match.second)
    regulation = Regulation.parse(match.regulation)
    won, turns, time_, choices = 0.0, 0, [0, 0], [0, 0]
    batch_play.search_of = search_as_before
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
        "match": match.line, "start": start, "games": 2 * pairs, "won": won, "turns": turns, "time": time_,
        "choices": choices,
    }  # fmt: skip


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


def main() -> int:
    reader = argparse.ArgumentParser(prog="benchmarks.players_matches")
    reader.add_argument("plans", nargs="+", choices=PLANS)
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--seconds", type=float, default=1e9)
    reader.add_argument("--pairs", type=int, default=10**9, help="of a match at most")
    reader.add_argument("--seed", type=int, default=SEED, help="another results file for another seed")
    reader.add_argument("--only", default="")
    reader.add_argument("--results", type=Path, default=Path("build/matches.jsonl"))
    reader.add_argument("--told", action="store_true")
    args = reader.parse_args()
    matches = [each for plan in args.plans for each in PLANS[plan]() if args.only in each.line]
    args.results.parent.mkdir(parents=True, exist_ok=True)
    found = read(args.results)
    kept = {(row["match"], row["start"]) for row in found}
    left = [
        (match, start)
        for start in range(0, max(match.pairs for match in matches), PORTION)
        for match in matches
        if start < min(match.pairs, args.pairs) and (match.line, start) not in kept
    ]  # fmt: skip
    begun = time.monotonic()
    end = begun + args.seconds
    whole, done = len(left), 0
    if not args.told:
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
