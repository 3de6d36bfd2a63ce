"""The steps effects are written in: a closed set of classes with general names, none of which knows an action.

A new step is one class in the file of its subject; nothing else has to be told. ``STEPS`` finds it.
"""

from __future__ import annotations

from types import ModuleType
from typing import Final, TypeVar

from blackpoker.language import players, values
from blackpoker.language.steps import cards, choosing, combat, control, requests, trumps, units
from blackpoker.rules.step import Step, Who

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
PLAYERS: Final = _classes(Who, players)
