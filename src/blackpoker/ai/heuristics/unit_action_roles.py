"""Roles of actions that bring units onto the field or enlarge them."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.action_role import Role
from blackpoker.ai.heuristics.position_summary import (
    KEEP,
    NEVER,
    PositionSummary,
    highest,
    worth_of,
)
from blackpoker.ai.heuristics.threats import danger_now
from blackpoker.engine.cards import VALUE, total
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import Request
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import SIDE_CODE
from blackpoker.engine.step import ATTACK, BLOCK
from blackpoker.engine.tables import CompiledAction


class SetBulwark(Role):
    """Put a card from hand onto the field as a bulwark."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if here.hand == 0:
            return NEVER
        return 36 - 10 * here.walls + (6 if here.op_count > here.charged else 0) + (here.hand - 4) * 2

    def card(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        if option >= 52:
            return 2
        value: i64 = VALUE[option]
        score: i64 = 24 - 2 * KEEP[option]
        if value == 1 or value > 10:
            score -= 6
        for unit in s.sides[1 - here.me].soldiers:
            if unit.base == value:
                score += 14
        return score


class SummonSoldier(Role):
    """Summon the key, a number card."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 15 + 3 * highest(s.sides[here.me].hand & plan.key_a)

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 2 * total(request.keys) + 6 if request.keys != 0 else 6

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 3 * VALUE[option]


class SummonHero(Role):
    """Summon the key, a face card."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 46

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 35

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 3 * VALUE[option]


class SummonAce(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 24 if here.blockers == 0 else 12

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 8


class SummonMagician(Role):
    """Summon the key, a Joker."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 8

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 8


class QuickSummon(Role):
    """Summon the key in the opponent's turn, as a soldier or a bulwark, in time to block."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -25

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if (here.top == ATTACK or here.top == BLOCK) and s.turn != here.me:
            return 70 if danger_now(here, s) >= here.my_life else -10
        return -25

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 8

    def choice(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return 0 if option == 0 else 10


class Equip(Role):
    """Equip a soldier with the key."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        bonus: i64 = 15 if here.ready > 0 and here.blockers < here.ready else 0
        return 16 + 2 * highest(s.sides[here.me].hand & plan.key_a) + bonus

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 2 * total(request.keys) + 6 if request.keys != 0 else 6

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 3 * VALUE[option]

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        side = s.sides[option // SIDE_CODE]
        ready: i64 = 15 if may_attack(s, side, unit) else 0
        return 10 + s.number(side, unit) // 2 + ready


class OwnLeast(Role):
    """An action that takes an own unit: the least valuable is chosen. ``score``: the base score of the action."""

    def __init__(self, score: i64, answer_score: i64, worth: i64) -> None:
        super().__init__(worth)
        self.score: i64 = score
        self.answer_score: i64 = answer_score

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.score

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.answer_score

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return least_of_mine(s, option)


def least_of_mine(s: Engine, option: i64) -> i64:
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    return 30 - 3 * worth_of(s, s.sides[option // SIDE_CODE], unit)


class Reanimate(Role):
    """Replace an own unit with a card from the grave."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        best = highest(s.sides[here.me].grave)
        return -20 + 4 * best if best >= 8 else -30

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 38

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return least_of_mine(s, option)

    def card(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return 4 * VALUE[option]


class EnterChosen(Role):
    """Summon a chosen card; the largest scores best."""

    def __init__(self, score: i64, answer_score: i64, threat_score: i64, worth: i64) -> None:
        super().__init__(worth)
        self.score: i64 = score
        self.answer_score: i64 = answer_score
        self.threat_score: i64 = threat_score

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.score

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.answer_score

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return self.threat_score

    def card(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return 4 * VALUE[option]


class Replenish(Role):
    """Put cards of life onto the field as bulwarks, one charged or two driven."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 22 - 6 * here.walls if here.my_life > 5 else -30

    def choice(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return 0 if option == 0 else (8 if here.danger == 0 and here.my_life > 12 else -8)


class AddBulwark(Role):
    """Put a card of life onto the field as a bulwark if the opponent has as many."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 50 if len(s.sides[1 - here.me].bulwarks) >= here.walls else -60


class Recruit(Role):
    """Summon cards of life, driven, up to the sum of the keys."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 50 if here.my_life > 8 else -20

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 2 * VALUE[option]


class BulwarksAttack(Role):
    """Turn all bulwarks into soldiers that may attack."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        gain = here.ready_sum + 6 * here.walls
        return 110 if gain >= here.op_life and here.walls + here.ready > here.blockers else -15
