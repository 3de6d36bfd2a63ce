"""Play-outs and the heuristic player, which takes the best-scored option in one determinized world."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.evaluation import Evaluator
from blackpoker.ai.heuristics.position_summary import NEVER
from blackpoker.ai.heuristics.scorer import HeuristicScorer, noisy_option
from blackpoker.determinization import PriorKnowledge, determinize
from blackpoker.engine.cards import count
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import Side
from blackpoker.engine.tables import AIM_UNIT, ANY, UNTARGETABLE


def play_turns(s: Engine, policy: HeuristicScorer, noise: i64, until: i64, chance: Shuffler, scratch: list[int]) -> i64:
    """Play with noisy heuristics until turn ``until`` begins or the game ends; return the number of decisions."""
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
    engine: Engine,
    seat: i64,
    knowledge: PriorKnowledge,
    policy: HeuristicScorer,
    noise: i64,
    overlook: i64,
    chance: Shuffler,
) -> int:
    """Return the option with the best heuristic score in a world consistent with what the seat knows.

    ``noise`` blurs the score of each action, and ``overlook`` percent of the actions are not considered, to imitate a
    beginner. Requests that turn out to have no benefit are still rejected.
    """
    world = determinize(engine, seat, knowledge, chance)
    scores: list[int] = []
    score_options(world, policy, noise, overlook, chance, scores)
    best = argmax(scores)
    doubted = may_err(world, noise, overlook)
    while doubted and scores[best] != NEVER and is_wasted(world.copy(), world.options[best], policy):
        scores[best] = NEVER
        best = argmax(scores)
    return world.options[best]


def may_err(s: Engine, noise: i64, overlook: i64) -> bool:
    """Return whether errors apply to this decision: to the choice of an action, never to the choices within it."""
    return s.kind == CHANCE_KIND and (noise > 1 or overlook > 0)


def score_options(
    world: Engine, policy: HeuristicScorer, noise: i64, overlook: i64, chance: Shuffler, out: list[int]
) -> None:
    """Fill ``out`` with a score for every option of a determinized world.

    Errors apply only to the choice of an action, among sensible ones, and allow one response per turn. The remaining
    choices of a request use the exact scores.
    """
    policy.scores(world, out)
    if not may_err(world, noise, overlook):
        return
    answers = world.asked != world.turn or len(world.stage) > 0
    silent = answers and (world.asked == world.turn or world.sides[world.asked].requests > 0)
    least: i64 = 1 if answers else 0
    hidden = no_opposing_target(world, world.sides[1 - world.asked])
    plans = world.rules.plans
    i: i64 = 0
    for option in world.options:
        if option != PASS and not plans[option - 1].ends_turn:
            aimless = hidden and plans[option - 1].aim == AIM_UNIT and plans[option - 1].aim_whose == ANY
            score: i64 = out[i]
            floor: i64 = NEVER + 1 if score > NEVER else NEVER  # least allowed score, for a mandatory request
            if silent or aimless or score < least:
                out[i] = floor
            else:
                score += chance.below(noise)
                out[i] = floor if chance.below(100) < overlook else score
        i += 1


def argmax(scores: list[int]) -> i64:
    """Return the index of the highest score, the first of equals."""
    best: i64 = 0
    i: i64 = 0
    for score in scores:
        if score > scores[best]:
            best = i
        i += 1
    return best


def is_wasted(s: Engine, option: i64, policy: HeuristicScorer) -> bool:
    """Return whether a request has no benefit for its player, or loses the game, even if it is not answered.

    ``s`` is modified: the request is completed with the best-scored choices and takes effect. A request that leads to a
    further decision is assumed to be useful.
    """
    if option == PASS or s.rules.plans[option - 1].ends_turn:
        return False
    seat = s.asked
    staged: i64 = len(s.stage)
    soldiers: i64 = len(s.sides[seat].soldiers)
    mine: list[int] = []
    theirs: list[int] = []
    append_counts(s, s.sides[seat], mine)
    append_counts(s, s.sides[1 - seat], theirs)
    request_and_pass(s, option, staged, policy)
    if s.winner != UNDECIDED:
        return s.winner != seat
    if len(s.sides[seat].life) == 0:
        return True
    if s.kind != CHANCE_KIND or len(s.stage) < staged:
        return False
    mine_then: list[int] = []
    theirs_then: list[int] = []
    append_counts(s, s.sides[seat], mine_then)
    append_counts(s, s.sides[1 - seat], theirs_then)
    if any_greater(theirs, theirs_then):
        return False
    return len(s.sides[seat].soldiers) < soldiers or not any_greater(mine_then, mine)


def request_and_pass(s: Engine, option: i64, staged: i64, policy: HeuristicScorer) -> None:
    """Make a request with the best-scored choices, then pass until it has left the stage or another decision comes
    up.
    """
    words: list[int] = []
    s.push(option)
    while s.draft is not None:
        policy.scores(s, words)
        s.push(s.options[argmax(words)])
    while s.winner == UNDECIDED and s.kind == CHANCE_KIND and len(s.stage) > staged:
        s.push(PASS)


def append_counts(s: Engine, side: Side, out: list[int]) -> None:
    """Append the counts of one side: cards, trumps, units, charged units, and the sum of numbers."""
    charged: i64 = 0
    numbers: i64 = 0
    for unit in side.bulwarks:
        if not unit.driven:
            charged += 1
    for unit in side.soldiers:
        numbers += s.number(side, unit)
        if not unit.driven:
            charged += 1
    out.append(len(side.life))
    out.append(side.hand_count)
    out.append(len(side.trumps))
    out.append(count(side.open_trumps))
    out.append(len(side.bulwarks))
    out.append(len(side.soldiers))
    out.append(charged)
    out.append(numbers)


def any_greater(numbers: list[int], others: list[int]) -> bool:
    """Return whether a number is larger than its counterpart."""
    i: i64 = 0
    for number in numbers:
        if number > others[i]:
            return True
        i += 1
    return False


def no_opposing_target(s: Engine, side: Side) -> bool:
    """Return whether this side has soldiers and none can be targeted (R-121), so that only own units remain as
    targets.
    """
    for unit in side.soldiers:
        if s.kind_of(unit).abilities & UNTARGETABLE == 0:
            return False
    return len(side.soldiers) > 0


def sample_game(
    s: Engine,
    policy: HeuristicScorer,
    evaluator: Evaluator,
    noise: i64,
    chance: Shuffler,
    out: list[tuple[int, list[float]]],
) -> None:
    """Play a game to the end and append the features at the start of every turn, as data for fitting."""
    scratch: list[int] = []
    while s.winner == UNDECIDED:
        play_turns(s, policy, noise, s.turn_number + 1, chance, scratch)
        if s.winner == UNDECIDED:
            evaluator.measure(s)
            out.append((s.turn, evaluator.features[:]))
