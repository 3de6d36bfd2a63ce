"""Statistics of first player, actions and trumps, by heuristics, by the net with few play-outs and by a search.

    python -m benchmarks.players_balance play [-j 16] [--deals 1000] [--seconds 540] [--results build/balance.jsonl]
    python -m benchmarks.players_balance tell [--results build/balance.jsonl] > docs/balance/thinkers.md

An interrupted run is resumed. Machine code plays; the lab (docs/guide/lab.md) plays the same games with all metrics.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from pathlib import Path
from typing import Any

from training.gate import wilson

from blackpoker import Regulation
from blackpoker.native import PLANS
from blackpoker.players.engine_players import level_of
from blackpoker.players.batch_play import GameBatch, play
from blackpoker.ruleset import all_regulations, default_edition
from blackpoker.engine.cards import NAMES

PLAYERS = {
    "rules of thumb": "heuristic",
    "first idea": "search:playouts=4/net=shipped",
    "search": "search:playouts=100/net=shipped",
}
TRUMPS_IN = "extra+full"
TRUMP_DEALS = 10  # factor for the number of deals in ``TRUMPS_IN``
PORTION = 50
#: minimum uses per 100 games for an action to be listed, and minimum games held for a trump
RARE = 2.0
ENOUGH = 400


def portion(text: str, who: str, start: int, n: int) -> dict[str, Any]:
    """Play some games; ``actions``: for each, uses, games used in, and points of the users."""
    regulation = Regulation.parse(text)
    bouts = GameBatch(regulation, range(start, start + n), [level_of(PLAYERS[who])] * 2)
    done = play(bouts, threads=1, uses=True)
    plans = [plan.id.removesuffix("@") for plan in regulation.rules().plans]
    actions: dict[str, list[float]] = {}
    trumps: dict[str, list[float]] = {}
    for game, winner in enumerate(done.winner):
        for seat in (0, 1):
            share = 0.5 if winner == 2 else float(winner == seat)
            row = done.uses[(2 * game + seat) * PLANS :][: len(plans)]
            used = Counter(dict.fromkeys(plans, 0))
            for plan, uses in zip(plans, row, strict=True):
                used[plan] += uses
            for plan, uses in used.items():
                if uses:
                    told = actions.setdefault(plan, [0, 0, 0.0])
                    actions[plan] = [told[0] + uses, told[1] + 1, told[2] + share]
            if text == TRUMPS_IN:
                for trump in trumps_of(bouts, bouts.seeds[game])[seat]:
                    seen = trumps.setdefault(trump, [0, 0.0])
                    trumps[trump] = [seen[0] + 1, seen[1] + share]
    first = sum(0.5 if won == 2 else float(won == first) for won, first in zip(done.winner, done.first, strict=True))
    return {
        "regulation": text, "who": who, "start": start, "games": n, "first": first, "turns": sum(done.turns),
        "draws": sum(winner == 2 for winner in done.winner), "actions": actions, "trumps": trumps,
    }  # fmt: skip


def trumps_of(bouts: GameBatch, seed: int) -> list[list[str]]:
    engine = bouts.new_world(seed)
    engine.advance()
    cards = [NAMES[option] for option in bouts.trump_choices(engine, seed)]
    return [cards[: len(cards) // 2], cards[len(cards) // 2 :]]


def main() -> int:
    reader = argparse.ArgumentParser(prog="benchmarks.players_balance")
    reader.add_argument("what", choices=("play", "tell"))
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--deals", type=int, default=1000)
    reader.add_argument("--regulations", default=",".join(regulation.text for regulation in all_regulations()))
    reader.add_argument("--seconds", type=float, default=1e9)
    reader.add_argument("--results", type=Path, default=Path("build/balance.jsonl"))
    args = reader.parse_args()
    args.results.parent.mkdir(parents=True, exist_ok=True)
    lines = args.results.read_text().splitlines() if args.results.exists() else []
    found = [json.loads(line) for line in lines if line.endswith("}")]
    if args.what == "tell":
        print("\n".join(markdown_tables(found)))
        return 0
    kept = {(row["regulation"], row["who"], row["start"]) for row in found}
    texts = args.regulations.split(",")
    left = [(text, who, start) for start in range(0, args.deals, PORTION) for text in texts for who in PLAYERS]
    left += [
        (TRUMPS_IN, who, start) for start in range(args.deals, TRUMP_DEALS * args.deals, PORTION) for who in PLAYERS
    ]
    left = [each for each in left if each not in kept]
    end, whole = time.monotonic() + args.seconds, len(left)
    running: set[Future[dict[str, Any]]] = set()
    with ProcessPoolExecutor(args.jobs) as pool, args.results.open("a") as file:
        while running or (left and time.monotonic() < end):
            while left and len(running) < args.jobs and time.monotonic() < end:
                running.add(pool.submit(portion, *left.pop(0), PORTION))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for one in finished:
                print(json.dumps(one.result()), file=file, flush=True)
            print(f"\r{whole - len(left) - len(running)} of {whole}", end="", file=sys.stderr)
    return 0


def share(won: float, n: int) -> str:
    low, high = wilson(won, n)
    return f"{100 * won / n:.1f} % ({100 * low:.1f}–{100 * high:.1f})" if n else "–"


def markdown_tables(found: list[dict[str, Any]]) -> list[str]:
    """Return the tables as Markdown."""
    texts = list(dict.fromkeys(row["regulation"] for row in found))
    out = ["| regulation | " + " | ".join(f"first player wins, {who}" for who in PLAYERS) + " | turns | games |",
           "|---|" + "---|" * (len(PLAYERS) + 2)]  # fmt: skip
    for text in texts:
        cells, turns, played = [], [], []
        for who in PLAYERS:
            rows = [row for row in found if (row["regulation"], row["who"]) == (text, who)]
            n = sum(row["games"] for row in rows)
            cells.append(share(sum(row["first"] for row in rows), n))
            turns.append(f"{sum(row['turns'] for row in rows) / max(1, n):.1f}")
            played.append(f"{n}")
        out.append(f"| {text} | {' | '.join(cells)} | {' / '.join(turns)} | {' / '.join(played)} |")
    out += ["", "| action | " + " | ".join(f"used in, {who}" for who in PLAYERS)
            + " | " + " | ".join(f"its user wins, {who}" for who in PLAYERS) + " |",
            "|---|" + "---|" * (2 * len(PLAYERS))]  # fmt: skip
    used = {who: pooled([row for row in found if row["who"] == who], "actions") for who in PLAYERS}
    for action in sorted({action for each in used.values() for action in each}):
        offered = {who: games_with(found, who, action) for who in PLAYERS}
        often = [f"{50 * used[who].get(action, [0, 0, 0])[1] / max(1, offered[who]):.1f}" for who in PLAYERS]
        if max(map(float, often)) < RARE:
            continue
        wins = [share(*used[who].get(action, [0, 0, 0.0])[:0:-1]) for who in PLAYERS]
        out.append(f"| {action} | {' | '.join(often)} | {' | '.join(wins)} |")
    held = {who: pooled([row for row in found if row["who"] == who], "trumps") for who in PLAYERS}
    out += ["", "| trump | 切札 | " + " | ".join(f"its holder wins, {who}" for who in PLAYERS) + " |",
            "|---|---|" + "---|" * len(PLAYERS)]  # fmt: skip
    for trump in sorted(held["search"], key=lambda trump: -held["search"][trump][1] / held["search"][trump][0]):
        if min(held[who].get(trump, [0])[0] for who in PLAYERS) >= ENOUGH:
            wins = " | ".join(share(*held[who][trump][::-1]) for who in PLAYERS)
            out.append(f"| {' | '.join(trump_names()[trump])} | {wins} |")
    return out


def pooled(rows: list[dict[str, Any]], column: str) -> dict[str, list[Any]]:
    """Return the sums over all games."""
    out: dict[str, list[Any]] = {}
    for row in rows:
        for name, figures in row[column].items():
            had = out.get(name, [0] * len(figures))
            out[name] = [one + other for one, other in zip(had, figures, strict=True)]
    return out


def games_with(found: list[dict[str, Any]], who: str, action: str) -> int:
    """Return the number of games played in the regulations that have the action."""
    having = {text for text in {row["regulation"] for row in found} if action in actions_of(text)}
    return sum(row["games"] for row in found if row["who"] == who and row["regulation"] in having)


@cache
def trump_names() -> dict[str, tuple[str, str]]:
    """Return the names in English and Japanese, after the card."""
    plain = str.maketrans("♠♡♢♣", "SHDC")
    return {
        trump.card.translate(plain): (f"{trump.card} {trump.en}", f"{trump.card} {trump.ja}")
        for trump in default_edition().trumps
    }


@cache
def actions_of(text: str) -> frozenset[str]:
    return frozenset(plan.id.removesuffix("@") for plan in Regulation.parse(text).rules().plans)


if __name__ == "__main__":
    sys.exit(main())
