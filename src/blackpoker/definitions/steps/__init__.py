"""The steps of effects: a closed set of classes with general names, independent of any action.

A new step is one class in the module of its subject; ``STEPS`` finds it without registration.
"""

from __future__ import annotations

from types import ModuleType
from typing import Final, TypeVar

from blackpoker.definitions import player_refs, values
from blackpoker.definitions.steps import cards, choosing, combat, control, requests, trumps, units
from blackpoker.engine.step import PlayerRef, Step

T = TypeVar("T")


def _classes(base: type[T], *modules: ModuleType) -> tuple[type[T], ...]:
    """Return the direct subclasses defined in these modules, in source order."""
    return tuple(
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type) and thing.__module__ == module.__name__ and thing.__base__ is base
    )


STEPS: Final = _classes(Step, control, choosing, cards, units, requests, combat, trumps)
VALUES: Final = _classes(values.Value, values)
CONDITIONS: Final = _classes(values.Condition, values)
PLAYERS: Final = _classes(PlayerRef, player_refs)
