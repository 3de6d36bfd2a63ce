"""A puzzle as an exercise: solved by its answer, or by any other line the solver still finds good at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

from blackpoker.assist.decision import Decision, Draft
from blackpoker.game import P1, P2, Game
from blackpoker.players.puzzle_texts import sentence
from blackpoker.players.puzzles import Puzzle, every, solves
from blackpoker.school.exercise import OPEN, Judgement, scripted
from blackpoker.texts.data import Pair
from blackpoker.thinking.solver import NO, YES, Solver

#: positions searched to decide whether the moves so far still win, or still survive
BUDGET: Final = 8_000
SOLVED: Final = Pair("正解です！", "Solved!")
FAILED: Final = Pair("残念。この手では届きません。", "Not this time: that does not do it.")
BEATEN: Final = Pair("残念。この手だと、相手の勝ちが決まります。", "Not this time: now they have a forced win.")
UNAIDED: Final = Pair("何も足さず、この攻撃で決着", "nothing; this attack ends it")
#: limit of decisions searched for the opponent's reply
MOST_WINDOWS: Final = 24
#: step through the list of puzzles from day to day, coprime to its length
STRIDE: Final = 89


@dataclass(frozen=True)
class PuzzleExercise:
    """A puzzle to be solved. ``trusted``: number of moves already verified, for which the search is skipped."""

    puzzle: Puzzle
    trusted: int = 0
    counted: ClassVar[bool] = True  # in a puzzle everything is visible

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
        solver = Solver(int(attacker), game.turn_number, BUDGET)
        found = solver.wins(game.engine.copy())
        if found == (YES if attacker == P1 else NO):
            return OPEN
        solver.budget = solver.nodes + BUDGET
        return Judgement("astray", with_reply(FAILED if attacker == P1 else BEATEN, refutation(game, solver)))


def refutation(game: Game, solver: Solver) -> Pair | None:
    """Return the opponent's winning reply in words: the first move that is not a pass, while P1 only continues the
    attack. Return `UNAIDED` if no reply is needed, None if none was found.
    """
    wanted = NO if solver.seat == P1 else YES
    now = game.copy()
    for _ in range(MOST_WINDOWS):
        over, decision = now.outcome(), now.decision
        if over is not None and over.winner == P2:
            return UNAIDED
        if decision is None or now.turn_number != solver.turn:
            return None
        text = plain(now, decision) if now.player == P1 else good_sentence(now, solver, wanted)
        if not text:
            return None
        if now.player == P2 and text not in ("pass", "done", "end"):
            return Pair(sentence(now, text, "ja"), sentence(now, text, "en"))
        now.push_text(text)
    return None


def plain(game: Game, decision: Decision) -> str:
    """Return the move that adds nothing: attack with all soldiers, pass at every window, choose nothing else."""
    if "attack" in decision.words and not game.engine.stage:
        return "attack"
    if decision.kind == "attackers":
        return game.draft([word for word in decision.words if word != "done"], finish=True).move.text
    return next((word for word in ("pass", "done") if word in decision.words), "")


def good_sentence(game: Game, solver: Solver, wanted: int) -> str:
    """Return a move after which the solver finds the wanted result, or ""."""
    said = Draft(game.engine)
    while not said.complete:
        for option in said.engine.options:
            child = said.engine.copy()
            child.push(option)
            if solver.wins(child) == wanted:
                said.push(option)
                break
        else:
            return ""
    return said.text


def with_reply(told: Pair, reply: Pair | None) -> Pair:
    if reply is None:
        return told
    return Pair(f"{told.ja}相手の一手：{reply.ja}。", f"{told.en} Their reply: {reply.en}.")


def of_the_day(day: date) -> Puzzle:
    """Return the puzzle of the day; all puzzles come in turn."""
    found = every()
    return found[day.toordinal() * STRIDE % len(found)]
