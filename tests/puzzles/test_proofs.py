"""Every puzzle made by hand is proven: its answer is good, nothing else is. `blackpoker puzzles check` proves them all,
also those whose search is long and those that are decided by a thousand games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blackpoker.players import puzzle_proof
from blackpoker.players.puzzle_proof import lead, only_answer, other_life
from blackpoker.players.puzzles import Puzzle, by_id, every, hand_made

LONG = ("07", "08", "15", "40")
SEARCHED = [puzzle for puzzle in hand_made() if puzzle.task != "best" and not puzzle.id.startswith(LONG)]


@pytest.mark.parametrize("puzzle", SEARCHED, ids=lambda puzzle: puzzle.id)
def test_the_answer_is_the_only_one(puzzle: Puzzle) -> None:
    assert only_answer(puzzle)


def test_a_wrong_answer_is_not_proven() -> None:
    puzzle = by_id()["03-throw-the-right-spade"]
    assert not only_answer(replace(puzzle, best=("throw S4 C9",)))
    assert not only_answer(replace(puzzle, best=("end",)))
    assert not only_answer(replace(puzzle, best=("no such move",)))


def test_a_second_answer_is_noticed() -> None:
    """With four less to take either spade will do."""
    puzzle = by_id()["03-throw-the-right-spade"]
    easier = {**puzzle.position, "p2": {**puzzle.position["p2"], "life": 4}}
    assert not only_answer(replace(puzzle, position=easier))


def test_what_depends_on_the_cards_in_life_is_no_answer() -> None:
    """A hero that falls costs cards until another one comes (R-27): who has none left has lost, but who knows?"""
    puzzle = by_id()["12-kill-the-guard"]
    assert not only_answer(replace(puzzle, best=("kill S2 S3 >p2.DK",)))


def test_the_best_choice_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_proof, "GAMES", 60)
    puzzle = by_id()["42-wall-for-the-nine"]
    assert lead(puzzle) > puzzle.margin
    assert lead(replace(puzzle, best=("SK",))) < 0


def test_other_life_is_as_long() -> None:
    for puzzle in hand_made():
        lives = [[len(side.life) for side in puzzle.begin(other_life(puzzle.position, n)).engine.sides] for n in (0, 1)]
        assert lives[0] == lives[1]


def test_every_line_is_played_to_its_end() -> None:
    for puzzle in every():
        game = puzzle.start()
        for said in puzzle.line:
            who, _, words = said.partition(": ")
            assert who == f"p{game.player + 1}", puzzle.id
            game.push_text(words)
        over = game.outcome()
        assert over is None or over.winner == 0, puzzle.id
        assert 1 <= puzzle.level <= 5
        assert bool(puzzle.margin) == (puzzle.task == "best")
