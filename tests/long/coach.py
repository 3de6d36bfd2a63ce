"""Falls of the chance in whole games: each has a cause, and the better move wins more often when played on.

    python -m tests.long.coach --games 40 --seed 1 --print 100

The games are played by beginners' levels. Better moves are played on in fresh worlds, 200 times each by default.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from blackpoker import Game
from blackpoker.learn.falls import cause_text, due_falls, find_cause, remedy_text, try_moves
from blackpoker.players.analysis import last_chance, win_chances
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge

REGULATIONS = ("lite+entry", "standard+entry", "pro+full", "master+full", "extra+regular")
LEVELS = ("easy", "casual", "normal", "strong")
#: share of better moves that must win more often than the move played
LEAST_BETTER = 0.85
FRESH_SEED = 1_000_000


class Explained(NamedTuple):
    """A fall: the game, the sentences, the cause, and the share of won games after the move played and the better
    one; None if there is none."""

    game: str
    played: str
    better: str
    cause: str
    cause_text: str
    remedy_text: str
    wins: tuple[float, float] | None


def play(regulation: str, seed: int) -> Game:
    """Return a finished game of two levels."""
    game = Game(regulation, seed=seed)
    chooser = random.Random(seed)
    knowledge = prior_knowledge(game.regulation)
    players = [make_player(chooser.choice(LEVELS), game.regulation, seat, seed + seat, knowledge) for seat in (0, 1)]
    while game.outcome() is None:
        seat, decision = int(game.player), game.decision
        assert decision is not None
        game.push(players[seat].choose(PlayerView(game, seat, knowledge), decision))
    return game


def explain(regulation: str, seed: int, playouts: int, repetitions: int) -> list[Explained]:
    """Return the falls of one game."""
    game = play(regulation, seed)
    points = list(win_chances(game, playouts))
    found = []
    for due in due_falls(game, points, last_chance(game, playouts)):
        fall = find_cause(game, due, 3 * playouts)
        wins = None
        if fall.better is not None:
            then = game.copy()
            then.go_to(fall.point.index)
            moves = [(fall.played.text, fall.played.options), (fall.better.text, fall.better.options)]
            tried = try_moves(then, moves, repetitions, FRESH_SEED + seed)
            wins = tried[0].figures.wins, tried[1].figures.wins
        name = f"{regulation} {seed}, turn {fall.point.turn}, p{due.player + 1} {due.before:.0%} → {due.after:.0%}"
        better = "" if fall.better is None else fall.better.text
        found.append(
            Explained(name, fall.played.text, better, fall.cause, cause_text(fall).en, remedy_text(fall).en, wins)
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games to explain (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default 1)")
    parser.add_argument("--playouts", type=int, default=200, help="play-outs for each move of a game (default 200)")
    parser.add_argument("--repetitions", type=int, default=200, help="games played on with each move (default 200)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--print", type=int, default=0, help="falls to print with their sentences (default 0)")
    asked = parser.parse_args()
    found: list[Explained] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        jobs = [
            pool.submit(explain, REGULATIONS[n % len(REGULATIONS)], asked.seed + n, asked.playouts, asked.repetitions)
            for n in range(asked.games)
        ]
        for number, job in enumerate(jobs, 1):
            found += job.result()
            print(f"\r{number} of {asked.games} games, {len(found)} falls", end="", flush=True)
    print()
    for one in found[: asked.print]:
        shown = "" if one.wins is None else f" [{one.wins[0]:.0%} → {one.wins[1]:.0%}]"
        print(f"{one.game}: {one.played} | {one.better}{shown}\n  {one.cause_text} {one.remedy_text}")
    print("causes:", dict(Counter(one.cause for one in found).most_common()))
    tried = [one.wins for one in found if one.wins is not None]
    better = sum(good > bad for bad, good in tried)
    share = better / max(1, len(tried))
    print(f"falls {len(found)}, with a better move {len(tried)}, better when played on again {better} ({share:.0%})")
    return 0 if share >= LEAST_BETTER and all(one.cause_text for one in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
