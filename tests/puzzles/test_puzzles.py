"""Positions with one best choice: the best level solves at least nine in ten of them; each level's share is printed."""

from __future__ import annotations

import pytest

from blackpoker import _build
from blackpoker.learn.puzzles.model import chosen_move, hand_made, solves

PUZZLES = list(hand_made())
#: plain Python is much slower
MASTER = "master" if _build.compiled() else "master:playouts=300"


def share(name: str) -> tuple[float, list[str]]:
    wrong: list[str] = []
    for puzzle in PUZZLES:
        text = chosen_move(puzzle, name)
        if not solves(puzzle, text):
            wrong.append(f"{puzzle.id}: {text}")
    return 1 - len(wrong) / len(PUZZLES), wrong


def test_there_are_enough_puzzles() -> None:
    assert len(PUZZLES) >= 40
    assert len({puzzle.theme for puzzle in PUZZLES}) >= 6


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_the_answer_is_offered(puzzle) -> None:  # type: ignore[no-untyped-def]
    """The position is reached and a legal move matches the answer."""
    game = puzzle.start()
    assert game._engine.asked >= 0
    assert any(solves(puzzle, move.text) for move in game.legal_moves)


@pytest.mark.parametrize(
    ("name", "least"), [("heuristic", 0.5), ("strong", 0.8), (MASTER, 1.0 if MASTER == "master" else 0.9)]
)
def test_shares(name: str, least: float, capsys: pytest.CaptureFixture[str]) -> None:
    solved, wrong = share(name)
    with capsys.disabled():
        print(f"\n{name} solves {solved:.0%} of {len(PUZZLES)} puzzles", *wrong, sep="\n  ")
    assert solved >= least
