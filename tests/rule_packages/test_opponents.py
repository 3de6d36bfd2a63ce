"""Computer players use the action of the worked example if it wins the game or saves a soldier."""

from __future__ import annotations

from blackpoker import Regulation, seeded
from blackpoker.ai.heuristic_player import heuristic_choice
from blackpoker.ai.heuristics.action_roles import part_of
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.step import ATTACK, BLOCK
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Edition, new_game
from blackpoker.ruleset.packages import load
from tests.rule_packages.test_load import HOUSE

#: longest sequence of passes and choices on the stage
LONGEST = 60


def settled(engine: Engine) -> Engine:
    """Pass for both players until the stage is empty and return the engine."""
    turn = engine.turn_number
    for _ in range(LONGEST):
        if (
            engine.winner != UNDECIDED
            or engine.turn_number != turn
            or (engine.kind == CHANCE_KIND and not engine.stage)
        ):
            break
        engine.push(PASS if engine.kind == CHANCE_KIND and PASS in engine.options else engine.options[0])
    return engine


def moves_of(engine: Engine, option: int) -> list[Engine]:
    """Return the game after every way to request this action."""
    unfinished = [(engine.copy(), option)]
    results: list[Engine] = []
    while unfinished and len(results) < 40:
        state, token = unfinished.pop()
        state.push(token)
        if state.draft is None:
            results.append(state)
        else:
            unfinished += [(state.copy(), following) for following in state.options]
    return results


def balance(engine: Engine, me: int) -> int:
    if engine.winner != UNDECIDED:
        return 1000 if engine.winner == me else -1000
    return len(engine.sides[me].soldiers)


def would_help(engine: Engine, option: int) -> bool:
    """Return whether it wins or saves a soldier now. While an attack or block is unresolved, the chance comes again
    and the fights are still unknown.
    """
    if engine.stage and part_of(engine.rules.plans[engine.stage[-1].action]) in (ATTACK, BLOCK):
        return False
    me = engine.asked
    waiting = engine.copy()
    if engine.stage:
        waiting.push(PASS)
        settled(waiting)
    without = balance(waiting, me)
    return any(balance(settled(after), me) > without for after in moves_of(engine, option))


def use(text: str, edition: Edition, id: str, games: int, seed: int) -> tuple[int, int]:
    """Return the number of games in which ``heuristic`` used the action, and of those in which it would have helped."""
    regulation = Regulation.parse(text, edition)
    rules = regulation.rules()
    briefing = prior_knowledge(regulation)
    option = next(int(plan.index) for plan in rules.plans if plan.id == id) + 1
    policy = HeuristicScorer(rules)
    useful = used = 0
    for number in range(seed, seed + games):
        engine = new_game(regulation, seeded(number))
        engine.advance()
        chance = seeded(number + 2**42)
        helped, used_by = {0: False, 1: False}, {0: False, 1: False}
        while engine.winner == UNDECIDED:
            me = int(engine.asked)
            choice = engine.options[0]
            if len(engine.options) > 1:
                choice = heuristic_choice(engine, me, briefing, policy, 1, 0, chance)
                offered = engine.kind == CHANCE_KIND and option in engine.options
                if offered and not used_by[me] and would_help(engine, option):
                    helped[me] = True
                    used_by[me] = choice == option
            engine.push(choice)
        useful += sum(helped.values())
        used += sum(used_by.values())
    return used, useful


def test_the_heuristic_player_uses_a_new_action() -> None:
    used, useful = use("lite+house30", load([HOUSE]), "bolt", 40, 1000)
    assert useful >= 5, "there must be games to judge by"
    assert 2 * used >= useful
