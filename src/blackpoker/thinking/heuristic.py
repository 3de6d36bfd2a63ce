"""The heuristic player: the best option by the heuristics in one imagined world."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import UNDECIDED
from blackpoker.rules.shuffler import Shuffler
from blackpoker.thinking.policy import Policy, noisy_option
from blackpoker.thinking.value import Judge
from blackpoker.thinking.worlds import Briefing, imagine


def play_turns(s: Engine, policy: Policy, noise: i64, until: i64, chance: Shuffler, scratch: list[int]) -> i64:
    """Play on by noisy heuristics until turn ``until`` begins or the game ends; how many decisions that took."""
    n: i64 = 0
    while s.winner == UNDECIDED and s.turn_number < until:
        options = s.options
        if len(options) == 1:
            s.push(options[0])
        else:
            s.push(noisy_option(policy, s, scratch, noise, chance))
        n += 1
    return n


def heuristic_choice(
    engine: Engine, seat: i64, briefing: Briefing, policy: Policy, noise: i64, overlook: i64, chance: Shuffler
) -> int:
    """The best option by the heuristics in a world the seat thinks possible. ``noise`` blurs the scores, and of a
    hundred options ``overlook`` are not noticed at all: the mistakes of a person in a hurry."""
    return best_option(imagine(engine, seat, briefing, chance), policy, noise, overlook, chance)


def best_option(world: Engine, policy: Policy, noise: i64, overlook: i64, chance: Shuffler) -> int:
    """The same in a world that was imagined."""
    options = world.options
    scratch: list[int] = []
    policy.scores(world, scratch)
    best = options[0]
    highest: i64 = -1000000
    i = 0
    for option in options:
        score: i64 = scratch[i]
        if noise > 1:
            score += chance.below(noise)
        if overlook > 0 and chance.below(100) < overlook:
            score -= 500
        if score > highest:
            highest = score
            best = option
        i += 1
    return best


def sample_game(
    s: Engine, policy: Policy, judge: Judge, noise: i64, chance: Shuffler, out: list[tuple[int, list[float]]]
) -> None:
    """Play a game to the end and keep what ``judge`` measures at the start of every turn, for fitting."""
    scratch: list[int] = []
    while s.winner == UNDECIDED:
        play_turns(s, policy, noise, s.turn_number + 1, chance, scratch)
        if s.winner == UNDECIDED:
            judge.measure(s)
            out.append((s.turn, judge.features[:]))
