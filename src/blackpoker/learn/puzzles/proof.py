"""Verification of hand-made puzzles: the answer is good, and no other move is.

*Win* and *survive* are proven by search as in ``puzzle_maker``, except that the answer is a pattern here. Each proof is
repeated with other lives (``other_life``), as is the printed line, step by step to its end. *Best* covers choices that
neither win nor save at once (what to pay with, what to fetch): every choice is played out by the heuristics, with the
same cards and random numbers for each, and the answer must win more often than any other choice by at least the margin
that the puzzle states, with 95 % confidence.
"""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev
from typing import Final

from blackpoker import Player
from blackpoker.ai.heuristic_player import play_turns
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.solver import NO, UNKNOWN, YES, Solver
from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.shuffler import seeded
from blackpoker.errors import BlackPokerError
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.learn.puzzles.maker import LIVES, WIN, other_life, prove
from blackpoker.learn.puzzles.model import Puzzle, solves

#: positions per proof
BUDGET: Final = 200_000
#: play-outs per choice, and the noise of the heuristics in them
GAMES: Final = 1_000
NOISE: Final = 10
LAST_TURN: Final = 200
#: one-sided 95 % quantile of the normal distribution, in standard errors
ONE_SIDED_95: Final = 1.645


def holds(puzzle: Puzzle) -> bool:
    """Return whether the answer is good and unique and its line is good to the end."""
    return not refuted(puzzle) and answer_proven(puzzle)


def refuted(puzzle: Puzzle) -> str:
    """Return the error in the printed line: not playable, or not reaching its goal; "" if there is none."""
    attacker = 0 if puzzle.task == WIN else 1
    for number in range(LIVES):
        game = puzzle.begin(other_life(puzzle.position, number, puzzle.generated))
        turn = game.turn_number
        solver = Solver(attacker, turn, BUDGET)
        for step in puzzle.line:
            seat, _, words = step.partition(": ")
            try:
                game.push_text(words, int(seat[1]) - 1)
            except BlackPokerError as error:
                return f"{step}: is no move with life {number}: {error}"
            if seat == "p2" or puzzle.task == "best" or game.turn_number != turn:
                continue
            found = solver.wins(game._engine.copy())
            if found != (YES if puzzle.task == WIN else NO):
                return f"{step}: {'in doubt' if found == UNKNOWN else 'refuted'} with life {number}"
        over = game.outcome()
        if puzzle.task == WIN and puzzle.line and (over is None or over.winner != Player.P1):
            return f"the line does not end with the win with life {number}"
    return ""


def answer_proven(puzzle: Puzzle) -> bool:
    if puzzle.generated:
        found = prove(puzzle.position, puzzle.play, puzzle.task)
        return found is not None and found[0] == puzzle.best[0]
    if puzzle.task == "best":
        return lead(puzzle) >= puzzle.margin > 0
    return only_answer(puzzle)


def only_answer(puzzle: Puzzle) -> bool:
    """Return whether every answer is good for every life, no other move is, and nothing is good without the answer's
    action.
    """
    games = [puzzle.begin(other_life(puzzle.position, order)) for order in range(LIVES)]
    attacker = 0 if puzzle.task == WIN else 1
    moves = choices(puzzle, games[0])
    answers = [text for text in moves if solves(puzzle, text)]
    if not answers or not all(good(game, text, attacker) for game in games for text in answers):
        return False
    others = [text for text in moves if text not in answers]
    if games[0]._engine.kind == CHANCE_KIND:  # moves that change nothing may precede the answer
        action = answers[0].split()[0]
        if all(good_without(game, action, attacker) for game in games):
            return False
        others = [text for text in others if text.split()[0] == action]
    return not any(all(good(game, text, attacker) for game in games) for text in others)


def good(game: Game, text: str, attacker: int) -> bool:
    """Return whether the move wins (for the attacker) or saves (for the defender); raise `Doubt` if the search
    cannot decide.
    """
    after = game.copy()
    after.push_text(text)
    found = Solver(attacker, game._engine.turn_number, BUDGET).wins(after._engine.copy())
    if found == UNKNOWN:
        raise Undecided(f"{text}: not told within {BUDGET} positions")
    return (found == YES) == (game._engine.asked == attacker)


def good_without(game: Game, action: str, attacker: int) -> bool:
    engine = game._engine
    option = next(option for option in engine.options if Assistant(game).token(option) == action)
    found = Solver(attacker, engine.turn_number, BUDGET, engine.asked, option - 1).wins(engine.copy())
    if found == UNKNOWN:
        raise Undecided(f"without {action}: not told within {BUDGET} positions")
    return (found == YES) == (engine.asked == attacker)


class Undecided(Exception):
    """Raised when a search exceeds its budget."""


def choices(puzzle: Puzzle, game: Game) -> list[str]:
    """Return the moves that begin with the given tokens."""
    prefix = [*puzzle.prefix]
    return [move.text for move in game.legal_moves if move.text.split()[: len(prefix)] == prefix]


def lead(puzzle: Puzzle) -> float:
    """Return the least lead in wins of the worst answer over the best other choice, with 95 % confidence."""
    won: dict[str, list[float]] = {}
    for number in range(GAMES):
        game = puzzle.begin(other_life(puzzle.position, number))
        for text in choices(puzzle, game):
            won.setdefault(text, []).append(playout_result(game, text, number))
    answers = [text for text in won if solves(puzzle, text)]
    others = [text for text in won if text not in answers]
    if not answers or not others:
        return 0.0
    return min(difference_bound(won[ours], won[other]) for ours in answers for other in others)


def playout_result(game: Game, text: str, seed: int) -> float:
    after = game.copy()
    after.push_text(text)
    engine = after._engine.copy()
    play_turns(engine, HeuristicScorer(engine.rules), NOISE, LAST_TURN, seeded(seed), [])
    return 1.0 if engine.winner == game._engine.asked else 0.0 if engine.winner == 1 - game._engine.asked else 0.5


def difference_bound(ours: list[float], others: list[float]) -> float:
    """Return the lower bound of the difference of two means; equal indices share cards and random numbers."""
    differences = [one - other for one, other in zip(ours, others, strict=True)]
    return fmean(differences) - ONE_SIDED_95 * stdev(differences) / sqrt(len(differences))
