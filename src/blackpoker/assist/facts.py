"""Traits of an action's effect, derived from the traits of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple

from blackpoker.language.model import MAIN, SUMMON, Action, Whose, action_of
from blackpoker.language.players import OPPONENT, OWNER, TARGET_PLAYER
from blackpoker.language.values import Condition, Value
from blackpoker.regulation import Edition, edition_of
from blackpoker.rules.engine import Engine
from blackpoker.rules.plan import BULWARK, Plan
from blackpoker.rules.step import CHANGES_NUMBER, CHANGES_NUMBERS, DAMAGES, EVERYBODY, Step, StepFacts


@dataclass(frozen=True)
class ActionFacts:
    """The traits of an action's effect."""

    action: Action
    reaches_opponent: bool  # it refers to the opponent, or to units that may be the opponent's
    deals_damage: bool
    leaves_field: bool  # a unit may leave the field
    in_the_open: bool  # its result does not depend on hidden cards
    of_a_face: bool  # it reads the card of its target
    only_numbers: bool  # it only changes numbers
    strengthens: bool  # it only raises the number of its target
    enters: str  # unit that its summon puts on the own field: "soldier", "bulwark" or ""


def facts_of(s: Engine, plan: Plan) -> ActionFacts:
    return _facts(edition_of(s.rules))[action_of(plan).id]


@cache
def _facts(edition: Edition) -> dict[str, ActionFacts]:
    return {action.id: _of_action(action) for action in edition.actions}


def _of_action(action: Action) -> ActionFacts:
    parts = [part for clause in action.effect for step in clause.steps for part in _parts(step)]
    said = [part.facts() for part in parts if isinstance(part, Step)]
    needs = _needs(parts)
    numbers = [fact for fact in said if fact.does in (CHANGES_NUMBER, CHANGES_NUMBERS)]
    return ActionFacts(
        action,
        any(_reaches(part) for part in parts),
        any(fact.does == DAMAGES for fact in said),
        any(fact.leaves_field for fact in said),
        needs.foreseen == EVERYBODY,
        needs.of_a_face,
        bool(said) and len(numbers) == len(said),
        bool(said) and all(fact.does == CHANGES_NUMBER and fact.sign > 0 for fact in said),
        _enters(action, said),
    )


def _parts(thing: Any) -> list[Any]:
    """Return the definition and all objects nested in it."""
    out = [thing]
    if is_dataclass(thing):
        for part in fields(thing):
            out += _parts(getattr(thing, part.name))
    elif isinstance(thing, tuple):
        for member in thing:
            out += _parts(member)
    return out


def _reaches(part: Any) -> bool:
    return part in (OPPONENT, TARGET_PLAYER, OWNER) or getattr(part, "whose", Whose.MINE) != Whose.MINE


class Needs(NamedTuple):
    """Knowledge required to predict the result of some steps."""

    foreseen: int
    of_a_face: bool
    shows_faces: bool
    of_a_grave: bool  # a card is chosen from a grave


def needs_of(steps: Sequence[Step]) -> Needs:
    """Return the requirements of the steps of a program. Behind a condition that holds only for visible faces no face
    is hidden."""
    found = [_needs(_parts(step)) for step in steps]
    open_to = 0
    faces = False
    for place, (step, needs) in enumerate(zip(steps, found, strict=True)):
        faces = faces or (needs.of_a_face and place >= open_to)
        open_to = max(open_to, place + 1 + step.facts().opens)
    return Needs(
        min([EVERYBODY, *(needs.foreseen for needs in found)]),
        faces,
        any(needs.shows_faces for needs in found),
        any(needs.of_a_grave for needs in found),
    )


def _needs(parts: list[Any]) -> Needs:
    """Return the combined requirements; players, words and forms such as ``If`` have none."""
    steps = [part.facts() for part in parts if isinstance(part, Step)]
    read = [part for part in parts if isinstance(part, Value | Condition)]
    return Needs(
        min([EVERYBODY, *(fact.foreseen for fact in steps), *(part.foreseen() for part in read)]),
        any(fact.of_a_face for fact in steps) or any(part.of_a_face() for part in read),
        any(fact.shows_faces for fact in steps),
        any(fact.from_grave for fact in steps),
    )


def _enters(action: Action, said: list[StepFacts]) -> str:
    """Return the unit that a summon of the main phase without a target puts on the field."""
    if action.kind is not SUMMON or action.timing is not MAIN or action.target is not None:
        return ""
    entries = [fact.enters for fact in said if fact.enters is not None]
    return "" if not entries else "bulwark" if entries[0] == BULWARK else "soldier"
