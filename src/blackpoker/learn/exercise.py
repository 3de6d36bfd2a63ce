"""An exercise: a position, the opponent's moves in it, and the check of the goal.

The learner plays P1. The position and the moves made so far are the whole state, so that a reloaded page continues
where it was, and undo means one move less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from blackpoker import Player
from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.scenario.expectations import Expectations, Failure
from blackpoker.text.resources import Bilingual

ExerciseStatus = Literal["open", "done", "astray"]
#: moves that have no effect by themselves
PLAIN = ("pass", "end")


NOTHING = Bilingual("", "")


@dataclass(frozen=True)
class ExerciseState:
    """The state of an exercise and the text to show."""

    status: ExerciseStatus
    text: Bilingual = NOTHING


OPEN = ExerciseState("open")


class Exercise(Protocol):
    """An exercise; ``start`` is a saved game."""

    @property
    def start(self) -> str: ...

    def opponent_move(self, game: Game, script: list[str]) -> str:
        """Return the opponent's move; script lines that were used are removed from ``script``."""

    @property
    def script(self) -> Sequence[str]:
        """Return the scripted moves of the opponent."""

    def evaluate(self, game: Game, moves: Sequence[str]) -> ExerciseState:
        """Return the state after these moves of P1."""

    @property
    def exact_life(self) -> bool:
        """Return whether the exact number of cards in the opponent's life is shown even where a game hides it
        (R-210).
        """


def scripted_move(game: Game, script: list[str]) -> str:
    """Return the next scripted move as soon as it is legal; before and after that, the move that does least."""
    if script:
        try:
            text = game.parse(script[0], game.player).text
        except BlackPokerError:
            pass
        else:
            script.pop(0)
            return text
    decision = game.decision
    assert decision is not None
    words = decision.words
    if decision.kind == "chance":
        return "pass" if "pass" in words and (game.view(Player.P1).stage or "end" not in words) else "end"
    if decision.several and "done" in words:
        return "done"
    return " ".join(decision.proposal)


def all_hold(game: Game, wanted: Sequence[str]) -> bool:
    """Return whether all expectations hold (docs/notation.md, expectations of a scenario)."""
    checks = Expectations(game, 0)
    try:
        for text in wanted:
            checks.check(text)
    except Failure:
        return False
    return True


def matches(text: str, patterns: Sequence[str]) -> bool:
    """Return whether a move matches one of the patterns; a final ``done`` is ignored."""
    text = text.removesuffix(" done")
    return any(fnmatchcase(text, pattern) for pattern in patterns)
