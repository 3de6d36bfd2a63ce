"""The standard edition with every action renamed, so that no code can rely on ids."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from blackpoker.definitions.model import Ability, Action, Drives, Leaves, Target, Trump
from blackpoker.definitions.values import ActionName
from blackpoker.ruleset import Edition, Option, standard_edition

#: the fields of each class that name an action
NAMING: dict[type, tuple[str, ...]] = {
    Action: ("id",),
    ActionName: ("id",),
    Target: ("action",),
    Leaves: ("action",),
    Drives: ("action",),
    Ability: ("at_end",),
    Trump: ("raises",),
}


@cache
def renamed_edition() -> Edition:
    standard = standard_edition()
    names = {action.id: f"x{number}" for number, action in enumerate(standard.actions)}
    actions = tuple(_rename(action, names) for action in standard.actions)
    characters = tuple(_rename(character, names) for character in standard.characters)
    trumps = tuple(_rename(trump, names) for trump in standard.trumps)
    options = tuple(_option(option, names) for option in standard.options)
    return replace(
        standard,
        actions=actions,
        characters=characters,
        trumps=trumps,
        options=options,
        name="renamed",
        former_hashes=(),
    )


def _option(option: Option, names: dict[str, str]) -> Option:
    return replace(option, actions=tuple(names[id] for id in option.actions))


def _rename(thing: Any, names: dict[str, str]) -> Any:
    if isinstance(thing, tuple):
        return tuple(_rename(part, names) for part in thing)
    if not is_dataclass(thing) or isinstance(thing, type):
        return thing
    changes: dict[str, Any] = {}
    for field in fields(thing):
        value = getattr(thing, field.name)
        if field.name in NAMING.get(type(thing), ()):
            changes[field.name] = names.get(value, value)
        elif isinstance(value, tuple) or is_dataclass(value):
            changes[field.name] = _rename(value, names)
    return replace(thing, **changes) if changes else thing
