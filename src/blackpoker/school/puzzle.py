"""A puzzle as an exercise: solved by its answer, or by any other way the solver still finds good in the end."""

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

#: positions looked at to tell whether what was said still wins, or still survives
BUDGET: Final = 8_000
SOLVED: Final = Pair("正解です！", "Solved!")
FAILED: Final = Pair("残念。この手では届きません。", "Not this time: that does not do it.")
BEATEN: Final = Pair("残念。この手だと、相手の勝ちが決まります。", "Not this time: now they have a forced win.")
UNAIDED: Final = Pair("何も足さず、この攻撃で決着", "nothing; this attack ends it")
#: windows that are looked through for what the other side does
MOST_WINDOWS: Final = 24
#: puzzles of the day go through all of them, in an order of their own
STRIDE: Final = 89


@dataclass(frozen=True)
class PuzzleExercise:
    """``trusted``: sentences that were found good before; the search need not be made again."""

    puzzle: Puzzle
    trusted: int = 0
    counted: ClassVar[bool] = True  # in a puzzle everything lies open

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
    """What the other side says now, in words: the first of it that is not a pass, while P1 adds nothing but his attack;
    or that nothing is needed. None where it was not found."""
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
    """Who adds nothing: everybody attacks, every window passes, nothing else is chosen."""
    if "attack" in decision.words and not game.engine.stage:
        return "attack"
    if decision.kind == "attackers":
        return game.draft([word for word in decision.words if word != "done"], finish=True).move.text
    return next((word for word in ("pass", "done") if word in decision.words), "")


def good_sentence(game: Game, solver: Solver, wanted: int) -> str:
    """A sentence after which it stands as wanted; empty where none was found."""
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
    """The same for everybody; all of them come in turn."""
    found = every()
    return found[day.toordinal() * STRIDE % len(found)]
