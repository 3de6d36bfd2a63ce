"""Proving the puzzles made by hand: the answer is good, and nothing else is.

*Win* and *survive* are proven by search as those of ``puzzle_maker`` are, but an answer is a pattern here. All is
proven again with other lives (``other_life``), and so is the line that is told, step by step to its end. *Best* is what
neither wins nor saves at once (what to pay with, what to fetch): every choice is played on to the end by the rules of
thumb, with the same cards and dice for each, and the answer must win more often than any other choice by at least the
margin that the puzzle states, with 95 % confidence.
"""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev
from typing import Final

from blackpoker.errors import BlackPokerError
from blackpoker.game import Game
from blackpoker.players.puzzle_maker import LIVES, WIN, other_life, prove
from blackpoker.players.puzzles import Puzzle, solves
from blackpoker.rules.flow import CHANCE_KIND
from blackpoker.rules.shuffler import seeded
from blackpoker.thinking.heuristic import play_turns
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.solver import NO, UNKNOWN, YES, Solver

#: positions one proof may look at
BUDGET: Final = 200_000
#: games played on from every choice, and how much the rules of thumb are blurred in them
GAMES: Final = 1_000
NOISE: Final = 10
LAST_TURN: Final = 200
#: of a normal distribution: 95 of 100 lie above the mean less this many standard errors
SURE: Final = 1.645


def holds(puzzle: Puzzle) -> bool:
    """Whether the answer is proven again to be good and the only one, and its line to be good to its end."""
    return not refuted(puzzle) and answered(puzzle)


def refuted(puzzle: Puzzle) -> str:
    """What is wrong with the line that is told: it cannot be played, or spoils what it is for; empty if nothing is."""
    attacker = 0 if puzzle.task == WIN else 1
    for number in range(LIVES):
        game = puzzle.begin(other_life(puzzle.position, number, puzzle.made))
        turn = game.turn_number
        solver = Solver(attacker, turn, BUDGET)
        for said in puzzle.line:
            who, _, words = said.partition(": ")
            try:
                game.push_text(words, int(who[1]) - 1)
            except BlackPokerError as error:
                return f"{said}: cannot be said with life {number}: {error}"
            if who == "p2" or puzzle.task == "best" or game.turn_number != turn:
                continue
            found = solver.wins(game.engine.copy())
            if found != (YES if puzzle.task == WIN else NO):
                return f"{said}: {'in doubt' if found == UNKNOWN else 'refuted'} with life {number}"
        over = game.outcome()
        if puzzle.task == WIN and puzzle.line and (over is None or over.winner != 0):
            return f"the line does not end with the win with life {number}"
    return ""


def answered(puzzle: Puzzle) -> bool:
    if puzzle.made:
        found = prove(puzzle.position, puzzle.play, puzzle.task)
        return found is not None and found[0] == puzzle.best[0]
    if puzzle.task == "best":
        return lead(puzzle) >= puzzle.margin > 0
    return only_answer(puzzle)


def only_answer(puzzle: Puzzle) -> bool:
    """Every answer is good whatever lies in life; of the other moves none is, and without the answer's action none."""
    games = [puzzle.begin(other_life(puzzle.position, order)) for order in range(LIVES)]
    attacker = 0 if puzzle.task == WIN else 1
    moves = choices(puzzle, games[0])
    answers = [text for text in moves if solves(puzzle, text)]
    if not answers or not all(good(game, text, attacker) for game in games for text in answers):
        return False
    others = [text for text in moves if text not in answers]
    if games[0].engine.kind == CHANCE_KIND:  # what changes nothing may come before the answer
        action = answers[0].split()[0]
        if all(good_without(game, action, attacker) for game in games):
            return False
        others = [text for text in others if text.split()[0] == action]
    return not any(all(good(game, text, attacker) for game in games) for text in others)


def good(game: Game, text: str, attacker: int) -> bool:
    """Whether the move wins (the attacker's), or saves (the other's); in doubt it is no answer, and no other either."""
    after = game.copy()
    after.push_text(text)
    found = Solver(attacker, game.engine.turn_number, BUDGET).wins(after.engine.copy())
    if found == UNKNOWN:
        raise Doubt(f"{text}: not told within {BUDGET} positions")
    return (found == YES) == (game.engine.asked == attacker)


def good_without(game: Game, action: str, attacker: int) -> bool:
    engine = game.engine
    option = next(option for option in engine.options if game.word(option) == action)
    found = Solver(attacker, engine.turn_number, BUDGET, engine.asked, option - 1).wins(engine.copy())
    if found == UNKNOWN:
        raise Doubt(f"without {action}: not told within {BUDGET} positions")
    return (found == YES) == (engine.asked == attacker)


class Doubt(Exception):
    """The search did not come to an end."""


def choices(puzzle: Puzzle, game: Game) -> list[str]:
    """The moves that begin with what was said."""
    begun = [*puzzle.said]
    return [move.text for move in game.legal_moves if move.text.split()[: len(begun)] == begun]


def lead(puzzle: Puzzle) -> float:
    """By how much the worst answer at least wins more often than the best of the other choices (95 % confidence)."""
    won: dict[str, list[float]] = {}
    for number in range(GAMES):
        game = puzzle.begin(other_life(puzzle.position, number))
        for text in choices(puzzle, game):
            won.setdefault(text, []).append(played_on(game, text, number))
    answers = [text for text in won if solves(puzzle, text)]
    others = [text for text in won if text not in answers]
    if not answers or not others:
        return 0.0
    return min(surely(won[ours], won[other]) for ours in answers for other in others)


def played_on(game: Game, text: str, seed: int) -> float:
    after = game.copy()
    after.push_text(text)
    engine = after.engine.copy()
    play_turns(engine, Policy(engine.rules), NOISE, LAST_TURN, seeded(seed), [])
    return 1.0 if engine.winner == game.engine.asked else 0.0 if engine.winner == 1 - game.engine.asked else 0.5


def surely(ours: list[float], others: list[float]) -> float:
    """The difference of two means, at least: the same cards and dice stand in the same places."""
    differences = [one - other for one, other in zip(ours, others, strict=True)]
    return fmean(differences) - SURE * stdev(differences) / sqrt(len(differences))
