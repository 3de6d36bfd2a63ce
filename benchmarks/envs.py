"""Speed of the environments, next to OpenSpiel's own card games on the same core.

    python benchmarks/envs.py [--seconds 1.5] [--json]

Random actions, with observations and masks, per second of processor time on one core. A step is a decision of the
caller; decisions with one option are made by the environment and counted only where stated. The best of three runs
counts, as other load can only slow a run down.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from blackpoker import native
from blackpoker._build import compiled
from blackpoker.engine.shuffler import seeded
from blackpoker.envs import BlackPokerEnv, BlackPokerVectorEnv
from blackpoker.native.batch import observed
from blackpoker.ruleset import Regulation, new_game

REGULATIONS = ("lite+entry", "master+full", "extra+full")
RUNS = 3
#: one measurement: number of steps and seconds
Measured = tuple[int, float]
Bytes = npt.NDArray[np.uint8]


def until(seconds: float, work: Callable[[], int]) -> Measured:
    work()
    steps, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        steps += work()
    return steps, spent


def vector(
    regulation: str,
    n: int,
    seconds: float,
    forced: bool = True,
    all_decisions: bool = False,
    in_python: bool = False,
) -> Measured:
    batch = native.Batch(regulation, range(n), forced=forced, native=not in_python)
    chosen = np.frombuffer(batch.chosen, np.uint8)
    ended, lengths = np.frombuffer(batch.ended, np.uint8), np.frombuffer(batch.lengths, np.int32)
    choose = at_random(np.frombuffer(batch.options, np.uint8), np.frombuffer(batch.counts, np.uint8))

    def work() -> int:
        steps = 0
        for _ in range(16):
            choose(chosen)
            native.step_many(batch, batch.chosen)
            steps += int(lengths[ended > 0].sum()) if all_decisions else n
        return steps

    return until(seconds, work)


def at_random(options: Bytes, counts: Bytes) -> Callable[[Bytes], None]:
    """Return a function that chooses a random option for every game; random numbers are generated in batches."""
    n = len(counts)
    first, place = np.arange(n) * (options.size // n), np.zeros(n, np.int64)
    dice, rolls = np.random.default_rng(1), list[npt.NDArray[np.int64]]()

    def choose(out: Bytes) -> None:
        if not rolls:
            rolls.extend(dice.integers(2**32, size=(256, n)))
        np.multiply(rolls.pop(), counts, out=place)
        np.right_shift(place, 32, out=place)
        np.add(place, first, out=place)
        out[:] = options[place]

    return choose


def vector_env(regulation: str, n: int, seconds: float, forced: bool = True, copy: bool = True) -> Measured:
    """Measure through Gymnasium's interface."""
    env = BlackPokerVectorEnv(n, regulation, "self", forced=forced, copy=copy)
    env.reset(seed=1)
    options, counts = env.options
    choose, chosen = at_random(options.reshape(-1), counts), np.zeros(n, np.uint8)

    def work() -> int:
        for _ in range(max(1, 4096 // n)):
            choose(chosen)
            env.step(chosen)
        return n * max(1, 4096 // n)

    return until(seconds, work)


def single(regulation: str, seconds: float) -> Measured:
    env = BlackPokerEnv(regulation, "self")
    env.reset(seed=1)
    dice = Random(1)
    batch = env._batch

    def work() -> int:
        for _ in range(500):
            if env.step(batch.options[int(dice.random() * batch.counts[0])])[2]:
                env.reset()
        return 500

    return until(seconds, work)


def zoo(regulation: str, seconds: float) -> Measured:
    """Measure the loop of the guide: ``env``, ``agent_iter``, ``last``."""
    from blackpoker.envs import zoo

    env = zoo.env(regulation)
    dice = Random(1).random

    def work() -> int:
        env.reset()
        n = 0
        for _ in env.agent_iter():
            seen, _, over, _, _ = env.last()
            if over:
                env.step(None)
            else:
                offered = np.flatnonzero(seen["action_mask"])
                env.step(int(offered[int(dice() * len(offered))]))
                n += 1
        return n

    return until(seconds, work)


def guide_gym(regulation: str, seconds: float) -> Measured:
    """Measure the loop of the guide for one seat, against random."""
    import gymnasium

    env = gymnasium.make(f"blackpoker/{regulation.replace('+', '-')}-v0", opponent="random")
    dice = Random(1).random

    def work() -> int:
        _, info = env.reset()
        over, n = False, 0
        while not over:
            offered = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(np.int64(offered[int(dice() * len(offered))]))
            n += 1
        return n

    return until(seconds, work)


def resets(regulation: str, seconds: float) -> Measured:
    env = BlackPokerEnv(regulation, "self")
    env.reset(seed=1)

    def work() -> int:
        for _ in range(100):
            env.reset()
        return 100

    return until(seconds, work)


def encoding(regulation: str, seconds: float) -> Measured:
    """Measure the encoder of the running build alone, into bytes that NumPy shares."""
    engine = new_game(Regulation.parse(regulation), seeded(3))
    engine.advance()
    dice = Random(1)
    for _ in range(60):
        engine.push(dice.choice(engine.options))

    def work() -> int:
        for _ in range(100):
            np.frombuffer(observed(engine, 0), np.uint8)
        return 100

    return until(seconds, work)


def spiel(name: str, seconds: float, chance_too: bool = False) -> Measured:
    import pyspiel
    from open_spiel.python.observation import make_observation

    if "blackpoker" in name:
        import_module("blackpoker.envs.spiel")
    elif name.startswith("python_"):
        import_module(f"open_spiel.python.games.{name.removeprefix('python_')}")
    game = pyspiel.load_game(name)
    observation = make_observation(game)
    if observation is None:  # some games have information states only
        observation = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    dice = Random(1).random

    def work() -> int:
        state = game.new_initial_state()
        steps = chances = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(dice() * len(outcomes))][0])
                chances += 1
            else:
                observation.set_from(state, state.current_player())
                actions = state.legal_actions()
                state.apply_action(actions[int(dice() * len(actions))])
                steps += 1
        return steps + chances if chance_too else steps

    return until(seconds, work)


def rows(seconds: float) -> dict[str, Callable[[], Measured]]:
    """Return every row of the table with its measurement."""
    out: dict[str, Callable[[], Measured]] = {}
    for each in REGULATIONS:
        out[f"native.step_many, N = 256, {each}"] = partial(vector, each, 256, seconds)
        out[f"- forced decisions counted, {each}"] = partial(vector, each, 256, seconds, all_decisions=True)
        out[f"- stepped by Python, {each}"] = partial(vector, each, 256, seconds, in_python=True)
        out[f"- every decision a step, {each}"] = partial(vector, each, 256, seconds, forced=False)
        out[f"Gymnasium VectorEnv, N = 256, {each}"] = partial(vector_env, each, 256, seconds)
        out[f"- nothing copied, {each}"] = partial(vector_env, each, 256, seconds, copy=False)
        out[f"- nothing copied, every decision, {each}"] = partial(
            vector_env, each, 256, seconds, forced=False, copy=False
        )
        out[f"Gymnasium, one game, {each}"] = partial(single, each, seconds)
        out[f"Gymnasium, the guide's loop, {each}"] = partial(guide_gym, each, seconds)
        out[f"PettingZoo, the guide's loop, {each}"] = partial(zoo, each, seconds)
        out[f"OpenSpiel, {each}"] = partial(spiel, f"python_blackpoker(regulation={each})", seconds)
        out[f"- chance nodes counted, {each}"] = partial(
            spiel, f"python_blackpoker(regulation={each})", seconds, chance_too=True
        )
        out[f"resets, {each}"] = partial(resets, each, seconds)
        out[f"encoder in Python, {each}"] = partial(encoding, each, seconds)
    for name in ("leduc_poker", "gin_rummy", "hearts", "skat", "python_kuhn_poker", "python_liars_poker"):
        out[f"OpenSpiel's own {name}"] = partial(spiel, name, seconds)
    return out


def main() -> None:
    reader = argparse.ArgumentParser(description="How fast the environments are.")
    reader.add_argument("--seconds", type=float, default=1.5, help="of one run of one row")
    reader.add_argument("--json", action="store_true")
    reader.add_argument("--only", default="", help="rows whose name has this in it")
    args = reader.parse_args()
    found: dict[str, float] = {}
    if not args.json:
        print(f"engine {'compiled' if compiled() else 'interpreted'}, native {native.available()}")
    for name, measure in rows(args.seconds).items():
        if args.only not in name:
            continue
        try:
            best = max(steps / spent for steps, spent in (measure() for _ in range(RUNS)))
        except ImportError as missing:
            print(f"{name}: {missing}", file=sys.stderr)
            continue
        found[name] = best
        if not args.json:
            print(f"{name:<58} {best:>12,.0f} /s {1e6 / best:>10.2f} µs", flush=True)
    if args.json:
        print(json.dumps({"compiled": compiled(), "native": native.available(), "per_second": found}, indent=2))


if __name__ == "__main__":
    main()
