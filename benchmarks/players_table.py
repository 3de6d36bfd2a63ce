"""The strength table of docs/opponents.md: every pair of the acceptance list, paired by seed and seat.

    python benchmarks/players_table.py [--results FILE] [--jobs N] [--regulations A,B] [--share 1.0]

Finished games are kept in the results file, so a run can be stopped and goes on later. Prints Markdown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from blackpoker.players.arena import Bout, Results, Standings, run, schedule

REGULATIONS = ("lite+entry", "master+full", "extra+regular")
#: better, worse, games, share of the points wanted
PAIRS = (
    ("heuristic", "random", 400, 0.95),
    ("strong", "heuristic", 200, 0.75),
    ("normal", "easy", 100, 0.65),
    ("strong", "normal", 100, 0.65),
    ("master", "strong", 100, 0.60),
)
SEED = 20_000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=Path, default=Path("build/players_table.jsonl"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--regulations", default=",".join(REGULATIONS))
    parser.add_argument("--share", type=float, default=1.0, help="of the games, for a quick look")
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    kept = Results(options.results)
    regulations = options.regulations.split(",")
    bouts: dict[tuple[str, str, str], list[Bout]] = {}
    for better, worse, games, _ in PAIRS:
        for text in regulations:
            n = max(2, 2 * round(games * options.share / 2))
            bouts[(text, better, worse)] = schedule(text, [better, worse], n, SEED)
    for key, listed in bouts.items():
        for done, result in enumerate(run(kept.left(listed), options.jobs), 1):
            kept.add(result)
            if done % 10 == 0:
                print(*key, len(kept.of(listed)), "of", len(listed), file=sys.stderr, flush=True)
    print("| regulation | pair | won-drawn-lost | rate | 95 % interval | wanted | ms per decision | slowest ms |")
    print("|---|---|---|---|---|---|---|---|")
    for text in regulations:
        for better, worse, _, wanted in PAIRS:
            results = kept.of(bouts[(text, better, worse)])
            table = Standings([better, worse], results)
            pair = table.pairs[(better, worse)]
            low, high = pair.interval
            lost = pair.games - pair.wins - pair.draws
            ms = " / ".join(f"{table.lines[name].ms:.1f}" for name in (better, worse))
            slow = " / ".join(f"{1000 * table.lines[name].slowest:.0f}" for name in (better, worse))
            print(
                f"| {text} | {better} – {worse} | {pair.wins}-{pair.draws}-{lost} | {pair.rate:.1%} "
                f"| {low:.1%}–{high:.1%} | {wanted:.0%} | {ms} | {slow} |"
            )


if __name__ == "__main__":
    main()
