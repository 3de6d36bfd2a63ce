"""What the definition of an action says about its effect, put together from what its steps say of themselves."""

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
    """What the definition of an action says about its effect."""

    action: Action
    reaches_opponent: bool  # it speaks of the other player, or of units that may be his
    deals_damage: bool
    leaves_field: bool  # a unit may leave the field by it
    in_the_open: bool  # it comes out the same whatever the hidden cards are
    of_a_face: bool  # it reads the card its target is made of
    only_numbers: bool  # it does nothing but change numbers
    strengthens: bool  # it does nothing but raise its target's number
    enters: str  # what its summon puts on one's own field: "soldier", "bulwark" or nothing


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
    """Everything a definition is made of."""
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
    """What must be known to tell what some steps come to."""

    foreseen: int
    of_a_face: bool
    shows_faces: bool
    of_a_grave: bool  # a card is chosen in a grave


def needs_of(steps: Sequence[Step]) -> Needs:
    """Of the steps of a program: behind a condition that holds only where everybody sees it no face is hidden."""
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
    """Players, words and forms such as ``If`` need nothing."""
    steps = [part.facts() for part in parts if isinstance(part, Step)]
    read = [part for part in parts if isinstance(part, Value | Condition)]
    return Needs(
        min([EVERYBODY, *(fact.foreseen for fact in steps), *(part.foreseen() for part in read)]),
        any(fact.of_a_face for fact in steps) or any(part.of_a_face() for part in read),
        any(fact.shows_faces for fact in steps),
        any(fact.from_grave for fact in steps),
    )


def _enters(action: Action, said: list[StepFacts]) -> str:
    """A summon of the main phase that needs nobody else: what it puts on the field."""
    if action.kind is not SUMMON or action.timing is not MAIN or action.target is not None:
        return ""
    entries = [fact.enters for fact in said if fact.enters is not None]
    return "" if not entries else "bulwark" if entries[0] == BULWARK else "soldier"
