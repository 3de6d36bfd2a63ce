"""Computer opponents behind one small face: a level's name, and a choice for the seat that is asked."""

from __future__ import annotations

import importlib
import secrets
from collections.abc import Callable
from typing import Final

from blackpoker.common.chance import seeded
from blackpoker.game import Game

#: a level chooses one of the options for the seat that is asked; it may look at nothing but what that seat knows
Chooser = Callable[[Game], int]

NAMED: Final = ("easy", "normal", "strong", "master", "random")


def random_choice(game: Game) -> int:
    options = game.options
    return options[secrets.randbelow(len(options))]


def _library() -> dict[str, Chooser]:
    """The levels the package has; a random player sits in for those that are not there."""
    found: dict[str, Chooser] = {"random": random_choice}
    try:
        levels = importlib.import_module("blackpoker.players.levels")
    except ImportError:
        return found
    make = getattr(levels, "choose", None)
    for name in NAMED:
        if name != "random" and make is not None:
            found[name] = _bound(make, name)
    return found


def _bound(make: Callable[..., int], name: str) -> Chooser:
    def chosen(game: Game) -> int:
        return int(make(name, game, seeded(secrets.randbits(62))))

    return chosen


_LEVELS: Final[dict[str, Chooser]] = {}


def levels() -> list[str]:
    if not _LEVELS:
        _LEVELS.update(_library())
    return [name for name in NAMED if name in _LEVELS] or ["random"]


def choose(level: str, game: Game) -> int:
    if not _LEVELS:
        _LEVELS.update(_library())
    return _LEVELS.get(level, random_choice)(game)
