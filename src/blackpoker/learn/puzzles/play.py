"""A puzzle as an exercise: solved by its answer, or by any other line the solver still finds good at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

from blackpoker import Player
from blackpoker.ai.solver import NO, YES, Solver
from blackpoker.assist.decision import Decision, Draft
from blackpoker.game.game import Game
from blackpoker.learn.exercise import OPEN, ExerciseState, scripted_move
from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, solves
from blackpoker.learn.puzzles.text import move_text
from blackpoker.text.resources import FIRST_EDITION, Bilingual

#: positions searched to decide whether the moves so far still win, or still survive
BUDGET: Final = 8_000
SOLVED: Final = Bilingual("正解です！", "Solved!")
FAILED: Final = Bilingual("残念。この手では届きません。", "Not this time: that does not do it.")
BEATEN: Final = Bilingual("残念。この手だと、相手の勝ちが決まります。", "Not this time: now they have a forced win.")
UNAIDED: Final = Bilingual("何も足さず、この攻撃で決着", "nothing; this attack ends it")
#: limit of decisions searched for the opponent's reply
MOST_WINDOWS: Final = 24
#: step through the list of puzzles from day to day, coprime to its length
STRIDE: Final = 89


@dataclass(frozen=True)
class PuzzleExercise:
    """A puzzle to be solved. ``trusted``: number of moves already verified, for which the search is skipped."""

    puzzle: Puzzle
    trusted: int = 0
    exact_life: ClassVar[bool] = True  # in a puzzle everything is visible

    @property
    def start(self) -> str:
        return self.puzzle.start().to_json()

    @property
    def script(self) -> Sequence[str]:
        return ()

    def opponent_move(self, game: Game, script: list[str]) -> str:
        return scripted_move(game, script)

    def evaluate(self, game: Game, moves: Sequence[str]) -> ExerciseState:
        puzzle = self.puzzle
        if not moves:
            return OPEN
        if solves(puzzle, moves[-1].removesuffix(" done")) or solves(puzzle, moves[-1]):
            return ExerciseState("done", SOLVED)
        over = game.outcome()
        if over is not None:
            return ExerciseState("done", SOLVED) if over.winner == Player.P1 else ExerciseState("astray", FAILED)
        if len(moves) <= self.trusted:
            return OPEN
        if puzzle.task == "best":
            return ExerciseState("astray", FAILED)
        initial = puzzle.start()
        if game.turn_number > initial.turn_number:
            return ExerciseState("astray", FAILED) if puzzle.task == "win" else ExerciseState("done", SOLVED)
        attacker = Player.P1 if puzzle.task == "win" else Player.P2
        solver = Solver(int(attacker), game.turn_number, BUDGET)
        found = solver.wins(game._engine.copy())
        if found == (YES if attacker == Player.P1 else NO):
            return OPEN
        solver.ledger = solver.nodes + BUDGET
        return ExerciseState(
            "astray", with_reply(FAILED if attacker == Player.P1 else BEATEN, opponent_reply(game, solver))
        )


def opponent_reply(game: Game, solver: Solver) -> Bilingual | None:
    """Return the opponent's winning reply in words: the first move that is not a pass, while P1 only continues the
    attack. Return `UNAIDED` if no reply is needed, None if none was found.
    """
    wanted = NO if solver.seat == 0 else YES
    now = game.copy()
    for _ in range(MOST_WINDOWS):
        over, decision = now.outcome(), now.decision
        if over is not None and over.winner == Player.P2:
            return UNAIDED
        if decision is None or now.turn_number != solver.turn:
            return None
        text = minimal_move(now, decision) if now.player == Player.P1 else good_move(now, solver, wanted)
        if not text:
            return None
        if now.player == Player.P2 and text not in ("pass", "done", "end"):
            return Bilingual(move_text(now, text, "ja"), move_text(now, text, "en"))
        now.push_text(text)
    return None


def minimal_move(game: Game, decision: Decision) -> str:
    """Return the move that adds nothing: attack with all soldiers, pass at every window, choose nothing else."""
    if "attack" in decision.words and not game._engine.stage:
        return "attack"
    if decision.kind == "attackers":
        return game.draft([word for word in decision.words if word != "done"], finish=True).move.text
    return next((word for word in ("pass", "done") if word in decision.words), "")


def good_move(game: Game, solver: Solver, wanted: int) -> str:
    """Return a move after which the solver finds the wanted result, or ""."""
    draft = Draft(game._engine)
    while not draft.complete:
        for option in draft._engine.options:
            child = draft._engine.copy()
            child.push(option)
            if solver.wins(child) == wanted:
                draft.push(option)
                break
        else:
            return ""
    return draft.text


def with_reply(text: Bilingual, reply: Bilingual | None) -> Bilingual:
    if reply is None:
        return text
    return Bilingual(f"{text.ja}相手の一手：{reply.ja}。", f"{text.en} Their reply: {reply.en}.")


def puzzle_of_the_day(day: date, edition: str = FIRST_EDITION) -> Puzzle:
    """Return the puzzle of the day; all puzzles of the edition come in turn."""
    found = all_puzzles(edition)
    return found[day.toordinal() * STRIDE % len(found)]
