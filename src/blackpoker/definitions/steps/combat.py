"""Steps of attack, block and judgement, implemented in ``engine/combat.py``."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.engine.combat import assign_blockers, compare_combat, list_attackers, take_attacker, take_blocker
from blackpoker.engine.request import Request
from blackpoker.engine.state import ATTACKERS_KIND, BLOCKERS_KIND, DONE, State
from blackpoker.engine.step import ATTACK, BLOCK, JUDGEMENT, Step, StepTraits


@dataclass(frozen=True)
class NameAttackers(Step):
    """The controller names attackers (R-59, R-60, R-125)."""

    def traits(self) -> StepTraits:
        return StepTraits(fight=ATTACK)

    def run(self, s: State, request: Request) -> bool:
        list_attackers(s, request.controller)
        if len(s.options) == 1 and s.options[0] == DONE:
            return True
        s.kind = ATTACKERS_KIND
        s.asked = request.controller
        return False

    def take(self, s: State, request: Request, option: i64) -> bool:
        if option == DONE:
            return True
        take_attacker(s, request.controller, option)
        return False


@dataclass(frozen=True)
class AssignBlockers(Step):
    """The opponent names blockers, attacker by attacker (R-62)."""

    def traits(self) -> StepTraits:
        return StepTraits(fight=BLOCK)

    def run(self, s: State, request: Request) -> bool:
        if assign_blockers(s, request.controller):
            return True
        s.kind = BLOCKERS_KIND
        s.asked = 1 - request.controller
        return False

    def take(self, s: State, request: Request, option: i64) -> bool:
        take_blocker(s, request.controller, option)
        return False


@dataclass(frozen=True)
class CompareCombat(Step):
    """The judgement (R-66…R-70, R-113, R-114)."""

    def traits(self) -> StepTraits:
        return StepTraits(fight=JUDGEMENT)

    def run(self, s: State, request: Request) -> bool:
        compare_combat(s, request.controller)
        return True
