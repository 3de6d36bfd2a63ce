"""Opponents under rules they were not written for: every action renamed, and an edition with a new action.

    python -m benchmarks.players_rules [--games 200] [--seed 1] [--jobs 2]

First the worked example of local rules (examples/rules/house), and others with a cheaper 英雄召喚 and one new action
each: games of ``heuristic`` against itself. At every chance that offers the action, all its moves are tried; if one
wins the game or leaves one more soldier on the field than passing, the game counts. The output is the share of these
games in which the action was used at such a chance. Then the levels play each other with every action renamed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from tests.renamed_edition import renamed_edition

from blackpoker import seeded
from blackpoker.content.base.magic import A_SOLDIER, THE_OPPONENT
from blackpoker.definitions.model import LITE, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, Action, Clause, Key
from blackpoker.definitions.player_refs import TARGET_PLAYER
from blackpoker.definitions.steps.cards import Damage, Draw
from blackpoker.definitions.steps.units import Bonus, Bury
from blackpoker.definitions.values import KEY_SUM, Number
from blackpoker.players.arena import Standings, run, schedule
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Edition, Regulation, new_game, standard_edition
from blackpoker.ruleset.packages import load
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.step import ATTACK, BLOCK, Step
from blackpoker.ai.playout import heuristic_choice
from blackpoker.ai.heuristics.roles import part_of
from blackpoker.ai.heuristics.scorer import HeuristicScorer

HOUSE = Path(__file__).parents[1] / "examples" / "rules" / "house"
REGULATIONS = ("lite+entry", "master+full")
PAIRS = (("heuristic", "random", 0.85), ("strong", "heuristic", 0.60))
#: longest sequence of passes and choices on the stage
LONGEST = 60


def effect(*steps: Step) -> tuple[Clause, ...]:
    return (Clause("新しいアクション。", "A new action.", steps),)


NEW = (
    Action("bolt", "雷", "Bolt", kind=QUICK_MAGIC, timing=QUICK, since=LITE, key=Key("one", ("♠A-10",)),
           target=THE_OPPONENT, effect=effect(Damage(TARGET_PLAYER, Number(4)))),
    Action("ward", "守り", "Ward", kind=QUICK_MAGIC, timing=QUICK, since=LITE, key=Key("one", ("♢A-K",)),
           target=A_SOLDIER, effect=effect(Bonus(Number(6)))),
    Action("smite", "一撃", "Smite", kind=QUICK_MAGIC, timing=QUICK, since=LITE, cost="B", key=Key("one", ("♣A-10",)),
           target=A_SOLDIER, effect=effect(Bury(), Draw(1))),
    Action("storm", "嵐", "Storm", kind=NORMAL_MAGIC, timing=MAIN, since=LITE, cost="L", key=Key("one", ("♠A-K",)),
           target=THE_OPPONENT, effect=effect(Damage(TARGET_PLAYER, KEY_SUM), Draw(1))),
)  # fmt: skip


def strength(text: str, pair: Sequence[str], games: int, seed: int, jobs: int) -> str:
    bouts = schedule(text, list(pair), games, seed)
    results = list(run(bouts, jobs, renamed_edition()))
    found = Standings(pair, results).pairs[(pair[0], pair[1])]
    low, high = found.interval
    return f"{found.rate:.1%} ({low:.1%}–{high:.1%}) of {found.games}"


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


def sentences(engine: Engine, option: int) -> list[Engine]:
    """Return the game after every way to request this action."""
    open_ones = [(engine.copy(), option)]
    results: list[Engine] = []
    while open_ones and len(results) < 40:
        state, word = open_ones.pop()
        state.push(word)
        if state.draft is None:
            results.append(state)
        else:
            open_ones += [(state.copy(), following) for following in state.options]
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
    return any(balance(settled(after), me) > without for after in sentences(engine, option))


def with_action(action: Action) -> Edition:
    return standard_edition().change("summon_hero", cost="BL").add(action).rename(f"house rules, {action.en}")


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


def show_use(what: str, used: int, useful: int) -> None:
    print(f"{what} used in {used} of {useful} = {used / max(1, useful):.0%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    house = load([HOUSE])
    for text in ("lite+house30", *REGULATIONS):
        show_use(f"{text}: the worked example's Bolt", *use(text, house, "bolt", options.games, options.seed))
    for text in REGULATIONS:
        for action in NEW:
            found = use(text, with_action(action), action.id, options.games, options.seed)
            show_use(f"{text}: {action.en}", *found)
    for text in REGULATIONS:
        for better, worse, least in PAIRS:
            rate = strength(text, (better, worse), options.games, options.seed, options.jobs)
            print(f"{text}, all actions renamed: {better} beats {worse} {rate}, asked for {least:.0%}", flush=True)


if __name__ == "__main__":
    main()
