"""Whose card a question offers: the same card may lie on both sides of the table."""

from __future__ import annotations

from blackpoker.language.steps.choosing import ChooseCard
from blackpoker.language.steps.units import TargetToLifeTop
from blackpoker.rules.request import UNIT
from blackpoker.rules.state import CARD_KIND, ORDER_KIND, State


def card_owner(s: State) -> int:
    """The player whose cards the present options are."""
    active = s.active
    if active is not None and s.kind in (CARD_KIND, ORDER_KIND):
        step = s.rules.plans[active.action].program[s.place].step
        if isinstance(step, ChooseCard):
            return int(step.owner.player(s, active))
        if isinstance(step, TargetToLifeTop) and active.target_kind == UNIT and s.unit(active.target) is not None:
            return int(s.owner_of(active.target))
    return int(s.asked)
