"""The random player and the play-out loop, compiled with the engine."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.engine import Engine
from blackpoker.rules.shuffler import Shuffler


def choose(engine: Engine, chance: Shuffler) -> int:
    """One of the options, each equally likely."""
    options = engine.options
    return options[chance.below(len(options))]


def play_out(engine: Engine, chance: Shuffler) -> tuple[int, int]:
    """Play to the end at random; how many decisions that took and how many of them were forced."""
    decisions: i64 = 0
    forced: i64 = 0
    while True:
        options = engine.options
        n: i64 = len(options)
        if n == 0:  # over
            return decisions, forced
        decisions += 1
        if n == 1:
            forced += 1
            engine.push(options[0])
        else:
            engine.push(options[chance.below(n)])
