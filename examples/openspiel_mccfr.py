"""Solve a tiny BlackPoker with OpenSpiel: counterfactual regret minimisation by outcome sampling (MCCFR).

    pip install -e '.[envs]'
    python examples/openspiel_mccfr.py --iterations 20000

The game is Lite with a deck of ten cards, the fewest that can be dealt, so that a game ends within a few turns. The
average policy is measured against random play, and against the rule "always take the last option", which also beats
random play.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]
from open_spiel.python.algorithms import (  # type: ignore[import-untyped, unused-ignore]
    outcome_sampling_mccfr as mccfr,
)

import blackpoker.envs.spiel  # noqa: F401 - registers the game

Policy = Callable[[Any], int]
TINY = "S2 S3 S4 S5 H8 H9 D3 D7 C5 SA"


def load() -> Any:
    return pyspiel.load_game("python_blackpoker", {"regulation": "lite+regular", "deck": TINY})


def play(state: Any, policies: Sequence[Policy], dice: random.Random) -> list[float]:
    """Return the returns of one game."""
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(actions, chances)[0])
        else:
            state.apply_action(policies[state.current_player()](state))
    returns: list[float] = state.returns()
    return returns


def average(policy: Any, dice: random.Random) -> Policy:
    """Return the average policy; it is random in states it has not visited."""

    def choose(state: Any) -> int:
        chances = policy.action_probabilities(state)
        return int(dice.choices(list(chances), list(chances.values()))[0])

    return choose


def score(game: Any, one: Policy, other: Policy, games: int, dice: random.Random) -> float:
    """Return the share of games won by ``one``, seats alternating; a draw is half a win."""
    won = 0.0
    for i in range(games):
        seat = i % 2
        policies = [one, other] if seat == 0 else [other, one]
        won += (play(game.new_initial_state(), policies, dice)[seat] + 1) / 2
    return won / games


def main(arguments: Sequence[str] | None = None) -> float:
    reader = argparse.ArgumentParser(description="MCCFR on a tiny BlackPoker.")
    reader.add_argument("--iterations", type=int, default=20_000)
    reader.add_argument("--every", type=int, default=5_000, help="iterations between two measurements")
    reader.add_argument("--games", type=int, default=400, help="of a measurement")
    reader.add_argument("--seed", type=int, default=1)
    args = reader.parse_args(arguments)
    dice = random.Random(args.seed)
    game = load()
    solver = mccfr.OutcomeSamplingSolver(game)
    began = time.process_time()
    share = 0.0
    for iteration in range(1, args.iterations + 1):
        solver.iteration()
        if iteration % args.every == 0 or iteration == args.iterations:
            learnt = average(solver.average_policy(), dice)
            share = score(game, learnt, lambda state: dice.choice(state.legal_actions()), args.games, dice)
            last = score(game, learnt, lambda state: state.legal_actions()[-1], args.games, dice)
            print(
                f"{iteration:>8,} iterations, {time.process_time() - began:5.0f} s, {len(solver._infostates):,} states:"
                f" {share:.1%} against random, {last:.1%} against the last option",
                flush=True,
            )
    return share


if __name__ == "__main__":
    main()
