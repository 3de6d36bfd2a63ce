"""Steps that skip others. The compiler replaces ``If`` by them, so that a position in an effect is one number."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.definitions.values import Condition
from blackpoker.engine.request import Request
from blackpoker.engine.state import State
from blackpoker.engine.step import Step, StepTraits


@dataclass(frozen=True)
class Skip(Step):
    """Skip the next steps."""

    count: i64

    def traits(self) -> StepTraits:
        return StepTraits(jumps=True)

    def run(self, s: State, request: Request) -> bool:
        s.pc += self.count
        return True


@dataclass(frozen=True)
class StartOver(Step):
    """Run the effect again from its first step; what is bound stays bound."""

    def traits(self) -> StepTraits:
        return StepTraits(jumps=True)

    def run(self, s: State, request: Request) -> bool:
        s.pc = -1
        s.answered = 0
        return True


@dataclass(frozen=True)
class SkipIf(Step):
    """Skip the next steps if the condition holds."""

    condition: Condition
    count: i64

    def traits(self) -> StepTraits:
        return StepTraits(jumps=True)

    def run(self, s: State, request: Request) -> bool:
        if self.condition.holds(s, request):
            s.pc += self.count
        return True


@dataclass(frozen=True)
class SkipUnless(Step):
    """Skip the next steps unless the condition holds."""

    condition: Condition
    count: i64

    def traits(self) -> StepTraits:
        return StepTraits(jumps=True)

    def run(self, s: State, request: Request) -> bool:
        if not self.condition.holds(s, request):
            s.pc += self.count
        return True
