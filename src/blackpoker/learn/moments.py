"""A choice of a finished game as an exercise: solved by the better move, or by any move that wins as often when played
on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from blackpoker import Game, Player
from blackpoker.learn.exercise import OPEN, ExerciseState, scripted_move
from blackpoker.learn.falls import percent, try_moves
from blackpoker.text.resources import Bilingual

#: worlds in which a move is compared with the better one
WORLDS: Final = 120
#: largest difference in won games that still counts as equal
TOLERANCE: Final = 0.03
SEED: Final = 5_000

FOUND: Final = Bilingual("正解です。この手が見つかりました。", "You found the better move.")
AS_GOOD: Final = Bilingual(
    "それも正解です。続きを試すと勝率{a}%で、見本の手は{b}%でした。",
    "That works too: played on, it wins {a}%, and the better move of the analysis {b}%.",
)
WORSE: Final = Bilingual(
    "もっとよい手があります。この手は続きを試すと勝率{a}%、よい手は{b}%です。",
    "There is something better: played on, this wins {a}%, the better move {b}%.",
)
_SEAT: Final = re.compile(r"\bp([12])\b")


def swap_players(text: str) -> str:
    """Return a position or a move with the players exchanged."""
    return _SEAT.sub(lambda found: "p2" if found[1] == "1" else "p1", text)


def moment_of(game: Game, better: str) -> MomentExercise:
    """Return the exercise of a choice; the player to decide becomes P1, as in every exercise."""
    if game.player == Player.P1:
        return MomentExercise(game.to_json(), better)
    turned = Game.from_position(swap_players(game.position()), seed=1, edition=game.regulation.edition)
    return MomentExercise(turned.to_json(), swap_players(better))


@dataclass(frozen=True)
class MomentExercise:
    """The exercise of one choice."""

    start: str
    better: str
    exact_life: ClassVar[bool] = False

    @property
    def script(self) -> Sequence[str]:
        return ()

    def opponent_move(self, game: Game, script: list[str]) -> str:
        return scripted_move(game, script)

    def evaluate(self, game: Game, moves: Sequence[str]) -> ExerciseState:
        """Judge the first move; the exercise ends with it."""
        if not moves:
            return OPEN
        start = Game.from_json(self.start)
        move, better = start.parse(moves[0]), start.parse(self.better)
        if move.text == better.text:
            return ExerciseState("done", FOUND)
        tried = try_moves(start, [(move.text, move.options), (better.text, better.options)], WORLDS, SEED)
        own, best = (one.figures.wins for one in tried)
        text = AS_GOOD if own >= best - TOLERANCE else WORSE
        figures = {"a": percent(own), "b": percent(best)}
        return ExerciseState(
            "done" if text is AS_GOOD else "astray", Bilingual(text.ja.format(**figures), text.en.format(**figures))
        )
