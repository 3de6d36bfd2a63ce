"""Consistency of the search: the same decisions with eight seeds.

    python -m benchmarks.players_agree [-j 16] [--looks 800] [--games 60] [--results FILE]

Decisions of games between masters, each searched again from the seat's view. *Clear*: the best two options differ by
0.05 or more, by the play-outs of all seeds together.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

from blackpoker import Regulation, seeded
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.engine_players import Level, level_of
from blackpoker.players.batch_play import GameBatch, play
from blackpoker.players.player_view import PlayerView
from blackpoker.players.search_results import new_search, ranked
from blackpoker.ai.heuristics.scorer import HeuristicScorer

FIVE = ("lite+entry", "standard+full", "pro+full", "master+full", "extra+regular")
SEEDS = 8
CLEAR = 0.05
SEED = 3_100_000_000


def agreements(text: str, number: int, level: Level) -> list[tuple[str, bool, bool]]:
    """Return for every decision of a game: the regulation, whether it is clear, whether all seeds agree."""
    regulation = Regulation.parse(text)
    bouts = GameBatch(regulation, [SEED + number], [level_of("master")] * 2)
    made = iter(play(bouts, choices=True, threads=1).choices[0])
    engine = bouts.new_world(SEED + number)
    engine.advance()
    known, policy = prior_knowledge(regulation), HeuristicScorer(regulation.rules())
    out: list[tuple[str, bool, bool]] = []
    while engine.options:
        if len(engine.options) == 1:
            engine.push(engine.options[0])
            continue
        world = PlayerView(engine, int(engine.asked), known).world
        chosen: set[int] = set()
        visits: dict[int, int] = {}
        totals: dict[int, float] = {}
        for seed in range(SEEDS):
            search = new_search(policy, known, int(engine.asked), seeded(seed), level)
            search.find(world)
            while search.advance(world, level.playouts, 64):
                pass
            chosen.add(int(search.best(world)))
            for node in ranked(search, world):
                option = int(node.option)
                visits[option] = visits.get(option, 0) + int(node.visits)
                totals[option] = totals.get(option, 0.0) + node.total
        means = sorted((totals[option] / visits[option] for option in visits if visits[option] >= SEEDS), reverse=True)
        out.append((text, len(means) > 1 and means[0] - means[1] >= CLEAR, len(chosen) == 1))
        engine.push(next(made))
    return out


def main() -> int:
    reader = argparse.ArgumentParser(prog="benchmarks.players_agree")
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--looks", type=int, default=800)
    reader.add_argument("--level", default="search:net=shipped")
    reader.add_argument("--games", type=int, default=60)
    reader.add_argument("--results", type=Path, default=Path("build/agree.json"))
    args = reader.parse_args()
    level = replace(level_of(args.level), playouts=args.looks)
    rows: list[tuple[str, bool, bool]] = []
    with ProcessPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(agreements, FIVE[number % 5], number, level) for number in range(args.games)]
        for done, job in enumerate(as_completed(jobs), 1):
            rows += job.result()
            clear = [alike for _, is_clear, alike in rows if is_clear]
            told = {
                "level": args.level, "looks": args.looks, "games": done, "decisions": len(rows),
                "alike": sum(row[2] for row in rows), "clear": len(clear), "clear alike": sum(clear),
            }  # fmt: skip
            args.results.parent.mkdir(parents=True, exist_ok=True)
            args.results.write_text(json.dumps(told))
    print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
