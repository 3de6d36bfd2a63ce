"""Accuracy of the coach: in recorded games of all formats, the moves with a clear loss are replayed by search, hundreds
of games with the original move and as many with the move the coach prefers.

    python -m benchmarks.players_coach [-j 16] [--games 30] [--on 200] [--looks 1000] [--seed N] [--results FILE]

The hidden cards are redealt for every game, equally for both moves, and so are the random numbers.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from blackpoker import Game, seeded
from blackpoker.players.analysis import replay, turning_points
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.engine_players import level_of
from blackpoker.players.batch_play import GameBatch, play
from blackpoker.ai.determinization import World, determinize

GAMES = (
    "lite+entry", "standard+full", "pro+full", "master+full", "extra+regular", "lite+random40", "master+random40",
    "extra+full", "standard+entry", "pro+random40",
)  # fmt: skip
PLAYERS = (("normal", "normal"), ("casual", "strong"), ("normal", "strong"))
#: loss above which the coach reports a clear mistake
CLEAR = 0.05
SEED = 3_200_000_000


def recorded(number: int, seed: int) -> Game:
    text, names = GAMES[number % len(GAMES)], PLAYERS[number // len(GAMES) % len(PLAYERS)]
    game = Game(text, seed=seed + number)
    levels = [level_of(name) for name in names]
    made = iter(play(GameBatch(game.regulation, [seed + number], levels), choices=True, threads=1).choices[0])
    while game.options:
        game.push(game.options[0] if len(game.options) == 1 else next(made))
    return game


def after(world: World, options: list[int]) -> World | None:
    then = world.copy()
    for option in options:
        if option not in then.options:
            return None
        then.push(option)
    return then


def won(game: Game, player: int, worlds: list[World], dice: list[int]) -> list[float]:
    """Return the player's results of games continued from these worlds, with 達人 on both sides."""
    open_ = [number for number, world in enumerate(worlds) if world.options]
    rolled = [2 * die + seat for die in (dice[number] for number in open_) for seat in (0, 1)]
    bouts = GameBatch(game.regulation, [dice[number] for number in open_], [level_of("master")] * 2, player_seeds=rolled,
                  starts=[worlds[number] for number in open_])  # fmt: skip
    ends = [int(world.winner) for world in worlds]
    if open_:
        for number, winner in zip(open_, play(bouts, threads=1).winner, strict=True):
            ends[number] = winner
    return [1.0 if end == player else 0.0 if end == 1 - player else 0.5 for end in ends]


def confirmed(number: int, looks: int, on: int, seed: int) -> list[dict[str, object]]:
    game = recorded(number, seed)
    known = prior_knowledge(game.regulation)
    _, turnings = turning_points(game, 5, looks)
    clear = {turning.point.index: turning for turning in turnings if turning.choice_cost <= -CLEAR and turning.better}
    out: list[dict[str, object]] = []
    for index, before, options in replay(game):
        if index not in clear:
            continue
        turning, player = clear[index], int(before.player)
        better = [int(option) for option in before.parse(turning.better).options]
        worlds: list[list[World]] = [[], []]
        dice: list[int] = []
        for die in range(10 * on):
            world = determinize(before.engine, player, known, seeded(die))
            pair = after(world, better), after(world, options)
            if pair[0] is not None and pair[1] is not None and len(dice) < on:
                worlds[0].append(pair[0])
                worlds[1].append(pair[1])
                dice.append(die)
        ours, theirs = (won(game, player, each, dice) for each in worlds)
        out.append({
            "game": number, "regulation": game.regulation.text, "turn": turning.point.turn, "said": turning.point.text,
            "better": turning.better, "cost": round(-turning.choice_cost, 3), "games": len(dice),
            "better won": sum(ours), "said won": sum(theirs),
        })  # fmt: skip
    return out


def main() -> int:
    reader = argparse.ArgumentParser(prog="benchmarks.players_coach")
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    reader.add_argument("--games", type=int, default=30)
    reader.add_argument("--on", type=int, default=200)
    reader.add_argument("--looks", type=int, default=1000)
    reader.add_argument("--seed", type=int, default=SEED)
    reader.add_argument("--results", type=Path, default=Path("build/coach.jsonl"))
    args = reader.parse_args()
    args.results.parent.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    with ProcessPoolExecutor(args.jobs) as pool, args.results.open("w") as file:
        jobs = [pool.submit(confirmed, number, args.looks, args.on, args.seed) for number in range(args.games)]
        for done, job in enumerate(as_completed(jobs), 1):
            for row in job.result():
                rows.append(row)
                print(json.dumps(row, ensure_ascii=False), file=file, flush=True)
            right = sum(float(row["better won"]) > float(row["said won"]) for row in rows)  # type: ignore[arg-type]
            print(f"{done} games, {len(rows)} clear points, {right} confirmed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
