"""An exercise: a position, what the other side does in it, and whether what was said reached the goal.

Whoever plays an exercise sits at P1. Nothing is kept between two sentences: the position and the sentences said so far
are the whole state, so a page that is loaded again goes on where it was, and a way back is to say one sentence less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from blackpoker.errors import BlackPokerError
from blackpoker.files.expectations import Expectations, Failure
from blackpoker.game import P1, Game
from blackpoker.texts.data import Pair

State = Literal["open", "done", "astray"]
#: words that do nothing by themselves
PLAIN = ("pass", "end")


NOTHING = Pair("", "")


@dataclass(frozen=True)
class Judgement:
    """How an exercise stands, and what is to be told about it."""

    state: State
    text: Pair = NOTHING


OPEN = Judgement("open")


class Exercise(Protocol):
    """What can be practised; ``start`` is a saved game."""

    @property
    def start(self) -> str: ...

    def rival_says(self, game: Game, script: list[str]) -> str:
        """The sentence of the other side; what is used of its script is taken from it."""

    @property
    def script(self) -> Sequence[str]:
        """What the other side has in mind."""

    def judge(self, game: Game, said: Sequence[str]) -> Judgement:
        """How it stands after these sentences of P1."""

    @property
    def counted(self) -> bool:
        """Whether the other side's life is told to the card, also where a game would not tell it (R-210)."""


def scripted(game: Game, script: list[str]) -> str:
    """The next sentence of a script as soon as it may be said; until then, and afterwards, as little as possible."""
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
        return "pass" if "pass" in words and (game.view(P1).stage or "end" not in words) else "end"
    if decision.several and "done" in words:
        return "done"
    return " ".join(decision.proposal)


def holds(game: Game, wanted: Sequence[str]) -> bool:
    """Whether all of it is so (docs/notation.md, what a scenario can expect)."""
    checks = Expectations(game, 0)
    try:
        for text in wanted:
            checks.check(text)
    except Failure:
        return False
    return True


def fits(text: str, patterns: Sequence[str]) -> bool:
    """Whether a sentence looks like one of the patterns; the word that ends a choice of several does not matter."""
    text = text.removesuffix(" done")
    return any(fnmatchcase(text, pattern) for pattern in patterns)
