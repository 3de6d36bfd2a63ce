"""Traits of an action's effect, derived from the traits of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple

from blackpoker.definitions.model import MAIN, SUMMON, Action, Whose, action_of
from blackpoker.definitions.player_refs import OPPONENT, OWNER, TARGET_PLAYER
from blackpoker.definitions.values import Condition, Value
from blackpoker.engine.engine import Engine
from blackpoker.engine.step import ALL_PLAYERS, CHANGES_NUMBER, CHANGES_NUMBERS, DAMAGES, Step, StepTraits
from blackpoker.engine.tables import BULWARK, CompiledAction
from blackpoker.ruleset import Edition, edition_of


@dataclass(frozen=True)
class ActionTraits:
    """The traits of an action's effect."""

    action: Action
    reaches_opponent: bool  # it refers to the opponent, or to units that may be the opponent's
    deals_damage: bool
    leaves_field: bool  # a unit may leave the field
    result_is_public: bool  # its result does not depend on hidden cards
    reads_face: bool  # it reads the card of its target
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
    requirements = _requirements(parts)
    numbers = [traits for traits in step_traits if traits.does in (CHANGES_NUMBER, CHANGES_NUMBERS)]
    return ActionTraits(
        action,
        any(_reaches(part) for part in parts),
        any(traits.does == DAMAGES for traits in step_traits),
        any(traits.leaves_field for traits in step_traits),
        requirements.predictable_by == ALL_PLAYERS,
        requirements.reads_face,
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


class Requirements(NamedTuple):
    """Knowledge required to predict the result of some steps."""

    predictable_by: int
    reads_face: bool
    shows_faces: bool
    reads_grave: bool  # a card is chosen from a grave


def requirements_of(steps: Sequence[Step]) -> Requirements:
    """Return the requirements of the steps of a program. Behind a condition that holds only for visible faces no face
    is hidden."""
    per_step = [_requirements(_parts(step)) for step in steps]
    public_until = 0
    reads_face = False
    for index, (step, requirements) in enumerate(zip(steps, per_step, strict=True)):
        reads_face = reads_face or (requirements.reads_face and index >= public_until)
        public_until = max(public_until, index + 1 + step.traits().steps_if_public)
    return Requirements(
        min([ALL_PLAYERS, *(requirements.predictable_by for requirements in per_step)]),
        reads_face,
        any(requirements.shows_faces for requirements in per_step),
        any(requirements.reads_grave for requirements in per_step),
    )


def _requirements(parts: list[Any]) -> Requirements:
    """Return the combined requirements; players, words and forms such as ``If`` have none."""
    steps = [part.traits() for part in parts if isinstance(part, Step)]
    read = [part for part in parts if isinstance(part, Value | Condition)]
    return Requirements(
        min([ALL_PLAYERS, *(traits.predictable_by for traits in steps), *(part.predictable_by() for part in read)]),
        any(traits.reads_face for traits in steps) or any(part.reads_face() for part in read),
        any(traits.shows_faces for traits in steps),
        any(traits.from_grave for traits in steps),
    )


def _enters(action: Action, step_traits: list[StepTraits]) -> str:
    """Return the unit that a summon of the main phase without a target puts on the field."""
    if action.kind is not SUMMON or action.timing is not MAIN or action.target is not None:
        return ""
    entries = [traits.enters for traits in step_traits if traits.enters is not None]
    return "" if not entries else "bulwark" if entries[0] == BULWARK else "soldier"
