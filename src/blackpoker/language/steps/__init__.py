"""The steps effects are written in: a closed set of classes with general names, none of which knows an action.

A new step is one class in the file of its subject; nothing else has to be told. ``STEPS`` finds it.
"""

from __future__ import annotations

import copyreg
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any, Final, TypeVar

from blackpoker.language import values
from blackpoker.language.steps import cards, choosing, combat, control, requests, trumps, units
from blackpoker.rules.step import Step

T = TypeVar("T")


def _classes(base: type[T], *modules: ModuleType) -> tuple[type[T], ...]:
    """The direct subclasses in these modules, in their order there."""
    return tuple(
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type) and thing.__module__ == module.__name__ and thing.__base__ is base
    )


STEPS: Final = _classes(Step, control, choosing, cards, units, requests, combat, trumps)
VALUES: Final = _classes(values.Value, values)
CONDITIONS: Final = _classes(values.Condition, values)
PLAYERS: Final = _classes(values.Who, values)


def _made_again(thing: Any) -> tuple[Any, ...]:
    """How a frozen part of a definition is copied and pickled: compiled, its fields cannot be set from outside."""
    return type(thing), tuple(getattr(thing, field.name) for field in fields(thing))


for _module in (values, control, choosing, cards, units, requests, combat, trumps):
    for _part in vars(_module).values():
        if isinstance(_part, type) and _part.__module__ == _module.__name__ and is_dataclass(_part):
            copyreg.pickle(_part, _made_again)
