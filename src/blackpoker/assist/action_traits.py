"""Traits of an action's effect, derived from the traits of its steps."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from blackpoker.definitions.model import MAIN, SUMMON, Action, Whose, action_of
from blackpoker.definitions.player_refs import OPPONENT, OWNER, TARGET_PLAYER
from blackpoker.engine.engine import Engine
from blackpoker.engine.step import CHANGES_NUMBER, CHANGES_NUMBERS, DAMAGES, Step, StepTraits
from blackpoker.engine.tables import A_REQUEST, BULWARK, CompiledAction
from blackpoker.ruleset import Edition, edition_of


@dataclass(frozen=True)
class ActionTraits:
    """The traits of an action's effect."""

    action: Action
    reaches_opponent: bool  # it refers to the opponent, or to units that may be the opponent's
    deals_damage: bool
    leaves_field: bool  # a unit may leave the field
    chooses_request: bool  # it chooses a request on the stage when it takes effect
    only_numbers: bool  # it only changes numbers
    strengthens: bool  # it only raises the number of its target
    enters: str  # unit that its summon puts on the own field: "soldier", "bulwark" or ""


def traits_of(s: Engine, plan: CompiledAction) -> ActionTraits:
    return _traits(edition_of(s.rules))[action_of(plan).id]


@cache
def _traits(edition: Edition) -> dict[str, ActionTraits]:
    return {action.id: _derive(action) for action in edition.actions}


def _derive(action: Action) -> ActionTraits:
    parts = [part for clause in action.effect for step in clause.steps for part in _parts(step)]
    step_traits = [part.traits() for part in parts if isinstance(part, Step)]
    numbers = [traits for traits in step_traits if traits.does in (CHANGES_NUMBER, CHANGES_NUMBERS)]
    return ActionTraits(
        action,
        any(_reaches(part) for part in parts),
        any(traits.does == DAMAGES for traits in step_traits),
        any(traits.leaves_field for traits in step_traits),
        any(traits.chooses == A_REQUEST for traits in step_traits),
        bool(step_traits) and len(numbers) == len(step_traits),
        bool(step_traits) and all(traits.does == CHANGES_NUMBER and traits.sign > 0 for traits in step_traits),
        _enters(action, step_traits),
    )


def _parts(definition: Any) -> list[Any]:
    """Return the definition and all objects nested in it."""
    out = [definition]
    if is_dataclass(definition):
        for part in fields(definition):
            out += _parts(getattr(definition, part.name))
    elif isinstance(definition, tuple):
        for member in definition:
            out += _parts(member)
    return out


def _reaches(part: Any) -> bool:
    return part in (OPPONENT, TARGET_PLAYER, OWNER) or getattr(part, "whose", Whose.MINE) != Whose.MINE


def _enters(action: Action, step_traits: list[StepTraits]) -> str:
    """Return the unit that a summon of the main phase without a target puts on the field."""
    if action.kind is not SUMMON or action.timing is not MAIN or action.target is not None:
        return ""
    entries = [traits.enters for traits in step_traits if traits.enters is not None]
    return "" if not entries else "bulwark" if entries[0] == BULWARK else "soldier"
