"""Steps that skip others. The compiler replaces ``If`` by them, so that a position in an effect is one number."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.language.values import Condition
from blackpoker.rules.request import Request
from blackpoker.rules.state import State
from blackpoker.rules.step import EVERYBODY, Step, StepFacts


@dataclass(frozen=True)
class Skip(Step):
    """Skip the next steps."""

    count: i64

    def facts(self) -> StepFacts:
        return StepFacts(jumps=True, foreseen=EVERYBODY)

    def run(self, s: State, request: Request) -> bool:
        s.place += self.count
        return True


@dataclass(frozen=True)
class SkipIf(Step):
    """Skip the next steps if the condition holds."""

    condition: Condition
    count: i64

    def facts(self) -> StepFacts:
        return StepFacts(jumps=True, foreseen=EVERYBODY)

    def run(self, s: State, request: Request) -> bool:
        if self.condition.holds(s, request):
            s.place += self.count
        return True


@dataclass(frozen=True)
class SkipUnless(Step):
    """Skip the next steps unless the condition holds."""

    condition: Condition
    count: i64

    def facts(self) -> StepFacts:
        opens = int(self.count) if self.condition.shows_face() else 0
        return StepFacts(jumps=True, foreseen=EVERYBODY, opens=opens)

    def run(self, s: State, request: Request) -> bool:
        if not self.condition.holds(s, request):
            s.place += self.count
        return True
