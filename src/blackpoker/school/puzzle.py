"""A puzzle as an exercise: solved by its answer, or by any other way the solver still finds good in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from blackpoker.game import P1, P2, Game
from blackpoker.players.puzzles import Puzzle, every, solves
from blackpoker.school.exercise import OPEN, Judgement, scripted
from blackpoker.texts.data import Pair
from blackpoker.thinking.solver import NO, YES, Solver

#: positions looked at to tell whether what was said still wins, or still survives
BUDGET: Final = 8_000
SOLVED: Final = Pair("正解です！", "Solved!")
FAILED: Final = Pair("残念。この手では届きません。", "Not this time: that does not do it.")
BEATEN: Final = Pair("残念。この手だと、相手に勝つ手順があります。", "Not this time: now they have a forced win.")
#: puzzles of the day go through all of them, in an order of their own
STRIDE: Final = 89


@dataclass(frozen=True)
class PuzzleExercise:
    """``trusted``: sentences that were found good before; the search need not be made again."""

    puzzle: Puzzle
    trusted: int = 0

    @property
    def start(self) -> str:
        return self.puzzle.start().to_json()

    @property
    def script(self) -> Sequence[str]:
        return ()

    def rival_says(self, game: Game, script: list[str]) -> str:
        return scripted(game, script)

    def judge(self, game: Game, said: Sequence[str]) -> Judgement:
        puzzle = self.puzzle
        if not said:
            return OPEN
        if solves(puzzle, said[-1].removesuffix(" done")) or solves(puzzle, said[-1]):
            return Judgement("done", SOLVED)
        over = game.outcome()
        if over is not None:
            return Judgement("done", SOLVED) if over.winner == P1 else Judgement("astray", FAILED)
        if len(said) <= self.trusted:
            return OPEN
        if puzzle.task == "best":
            return Judgement("astray", FAILED)
        begun = puzzle.start()
        if game.turn_number > begun.turn_number:
            return Judgement("astray", FAILED) if puzzle.task == "win" else Judgement("done", SOLVED)
        attacker = P1 if puzzle.task == "win" else P2
        found = Solver(int(attacker), game.turn_number, BUDGET).wins(game.engine.copy())
        if attacker == P1:
            return OPEN if found == YES else Judgement("astray", FAILED)
        return Judgement("astray", BEATEN) if found != NO else OPEN


def of_the_day(day: date) -> Puzzle:
    """The same for everybody; all of them come in turn."""
    found = every()
    return found[day.toordinal() * STRIDE % len(found)]
