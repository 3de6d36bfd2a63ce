"""The heuristic player: the best option by the heuristics in one imagined world."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.rules.plan import AIM_UNIT, ANY, UNTARGETABLE
from blackpoker.rules.shuffler import Shuffler
from blackpoker.rules.state import Side
from blackpoker.thinking.heuristics.reading import NEVER
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
    """The best option by the heuristics in a world the seat thinks possible. ``noise`` blurs what each action is worth,
    and of a hundred actions ``overlook`` are not noticed: the mistakes of a beginner."""
    return best_option(imagine(engine, seat, briefing, chance), policy, noise, overlook, chance)


def best_option(world: Engine, policy: Policy, noise: i64, overlook: i64, chance: Shuffler) -> int:
    """The same in a world that was imagined. Whoever errs does so when choosing what to do, among what makes sense by
    the book, and answers once a turn at most; what was begun is said to the end as well as the rules of thumb can."""
    options = world.options
    scratch: list[int] = []
    policy.scores(world, scratch)
    errs = world.kind == CHANCE_KIND and (noise > 1 or overlook > 0)
    least: i64 = NEVER
    if errs:
        if world.asked != world.turn or len(world.stage) > 0:
            if world.asked == world.turn or world.sides[world.asked].requests > 0:
                return PASS
            least = 1
        else:
            least = 0
    hidden = errs and nobody_to_aim_at(world, world.sides[1 - world.asked])
    plans = world.rules.plans
    best = options[0]
    highest: i64 = -1000000
    i = 0
    for option in options:
        score: i64 = scratch[i]
        if errs and option != PASS and not plans[option - 1].ends_turn:
            if score < least or (hidden and plans[option - 1].aim == AIM_UNIT and plans[option - 1].aim_whose == ANY):
                score = NEVER
            else:
                score += chance.below(noise)
                if chance.below(100) < overlook:
                    score = NEVER
        if score > highest:
            highest = score
            best = option
        i += 1
    return best


def nobody_to_aim_at(s: Engine, side: Side) -> bool:
    """Whether this side has soldiers and none of them may be a target (R-121): who aims then hits his own."""
    for unit in side.soldiers:
        if s.kind_of(unit).abilities & UNTARGETABLE == 0:
            return False
    return len(side.soldiers) > 0


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
