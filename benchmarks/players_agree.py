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
from blackpoker.players.known_before import briefing_of
from blackpoker.players.levels import Level, level_of
from blackpoker.players.many import Bouts, play
from blackpoker.players.seat import Seat
from blackpoker.players.tree import new_search, ranked
from blackpoker.thinking.policy import Policy

FIVE = ("lite+entry", "standard+full", "pro+full", "master+full", "extra+regular")
SEEDS = 8
CLEAR = 0.05
SEED = 3_100_000_000


def agreements(text: str, number: int, level: Level) -> list[tuple[str, bool, bool]]:
    """Return for every decision of a game: the regulation, whether it is clear, whether all seeds agree."""
    regulation = Regulation.parse(text)
    bouts = Bouts(regulation, [SEED + number], [level_of("master")] * 2)
    made = iter(play(bouts, choices=True, threads=1).choices[0])
    engine = bouts.begin(SEED + number)
    engine.advance()
    known, policy = briefing_of(regulation), Policy(regulation.rules())
    out: list[tuple[str, bool, bool]] = []
    while engine.options:
        if len(engine.options) == 1:
            engine.push(engine.options[0])
            continue
        world = Seat(engine, int(engine.asked), known).world
        chosen: set[int] = set()
        visits: dict[int, int] = {}
        totals: dict[int, float] = {}
        for seed in range(SEEDS):
            search = new_search(policy, known, int(engine.asked), seeded(seed), level)
            search.find(world)
            while search.go_on(world, level.playouts, 64):
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
    asked = reader.parse_args()
    level = replace(level_of(asked.level), playouts=asked.looks)
    rows: list[tuple[str, bool, bool]] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        jobs = [pool.submit(agreements, FIVE[number % 5], number, level) for number in range(asked.games)]
        for done, job in enumerate(as_completed(jobs), 1):
            rows += job.result()
            clear = [alike for _, is_clear, alike in rows if is_clear]
            told = {
                "level": asked.level, "looks": asked.looks, "games": done, "decisions": len(rows),
                "alike": sum(row[2] for row in rows), "clear": len(clear), "clear alike": sum(clear),
            }  # fmt: skip
            asked.results.parent.mkdir(parents=True, exist_ok=True)
            asked.results.write_text(json.dumps(told))
    print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
