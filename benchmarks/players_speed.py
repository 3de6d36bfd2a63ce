"""Speed of the search on one core: play-outs/s, nodes/s, memory; also as JSON.

    python benchmarks/players_speed.py [--playouts 4000] [--runs 5] [--json]

The position is the opening of the regulation. Rates are medians of the runs, by wall clock and by processor time; the
latter is not affected by other load.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import time
from typing import Any

from blackpoker import _build
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import PlayerView
from blackpoker.ruleset import Regulation, new_game
from blackpoker.engine.shuffler import seeded
from blackpoker.ai.levels import MASTER
from blackpoker.ai.random_player import random_trumps
from blackpoker.ai.determinization import determinize

REGULATIONS = ("lite+entry", "master+full", "extra+regular")


def measure(text: str, playouts: int, runs: int) -> dict[str, Any]:
    regulation = Regulation.parse(text)
    engine = new_game(regulation, seeded(1))
    engine.advance()
    for option in random_trumps(engine, seeded(2)):
        engine.push(option)
    briefing = prior_knowledge(regulation)
    seat = PlayerView(engine, int(engine.asked), briefing)
    wall: list[float] = []
    cpu: list[float] = []
    nodes = 0
    for run in range(runs):
        player = make_player(MASTER, regulation, seat.player, run, briefing)
        search = player.search  # type: ignore[attr-defined]
        gc.disable()
        started, used = time.perf_counter(), time.process_time()
        search.grow(seat.world, playouts)
        wall.append(time.perf_counter() - started)
        cpu.append(time.process_time() - used)
        gc.enable()
        nodes = int(search.nodes)
    chance = seeded(3)
    used = time.process_time()
    for _ in range(5000):
        determinize(engine, seat.player, briefing, chance)
    world = (time.process_time() - used) / 5000
    clock, processor = statistics.median(wall), statistics.median(cpu)
    return {
        "regulation": text,
        "playouts_per_s": round(playouts / clock),
        "playouts_per_cpu_s": round(playouts / processor),
        "nodes_per_s": round(nodes / clock),
        "nodes_per_cpu_s": round(nodes / processor),
        "nodes": nodes,
        "imagine_us": round(1e6 * world, 2),
        "memory_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--playouts", type=int, default=4000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(text, options.playouts, options.runs) for text in REGULATIONS]
    if options.json:
        print(json.dumps({"compiled": _build.compiled(), "playouts": options.playouts, "rows": rows}, indent=2))
        return
    print("compiled by mypyc" if _build.compiled() else "plain Python")
    print("| regulation | play-outs/s | per processor second | nodes/s | nodes | imagine µs | peak memory MiB |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['regulation']} | {row['playouts_per_s']} | {row['playouts_per_cpu_s']} | {row['nodes_per_s']} "
            f"| {row['nodes']} | {row['imagine_us']} | {row['memory_mib']} |"
        )


if __name__ == "__main__":
    main()
