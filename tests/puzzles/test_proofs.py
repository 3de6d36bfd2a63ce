"""Every hand-made puzzle is proven: its answer is the only good one. `blackpoker puzzles check` proves all of them,
including those with a long search and those decided by a thousand games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blackpoker.learn.puzzles import proof
from blackpoker.learn.puzzles.maker import other_life
from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, by_id, hand_made
from blackpoker.learn.puzzles.proof import lead, only_answer, refuted

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
    """With four life cards less, either spade wins."""
    puzzle = by_id()["03-throw-the-right-spade"]
    easier = {**puzzle.position, "p2": {**puzzle.position["p2"], "life": 4}}
    assert not only_answer(replace(puzzle, position=easier))


def test_results_that_depend_on_life_are_not_claimed() -> None:
    """A fallen hero costs cards until another one appears (R-27): the player with none left loses, but this is hidden."""
    puzzle = by_id()["12-kill-the-guard"]
    assert not only_answer(replace(puzzle, best=("kill S2 S3 >p2.DK",)))


def test_the_best_choice_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "GAMES", 60)
    puzzle = by_id()["42-wall-for-the-nine"]
    assert lead(puzzle) > puzzle.margin
    assert lead(replace(puzzle, best=("SK",))) < 0


def test_other_life_is_as_long() -> None:
    for puzzle in hand_made():
        lives = [
            [len(side.life) for side in puzzle.begin(other_life(puzzle.position, n))._engine.sides] for n in (0, 1)
        ]
        assert lives[0] == lives[1]


@pytest.mark.parametrize("puzzle", hand_made(), ids=lambda puzzle: puzzle.id)
def test_the_line_is_good_to_its_end(puzzle: Puzzle) -> None:
    """With ten life piles each; test_made covers the generated ones."""
    assert refuted(puzzle) == ""
    assert 1 <= puzzle.level <= 5
    assert bool(puzzle.margin) == (puzzle.task == "best")


def test_a_line_that_spoils_it_is_refuted() -> None:
    """A king that becomes a charged bulwark may match the attacking ten: easy for a puzzle's author to miss."""
    puzzle = by_id()["11-reverse-the-guard"]
    wrong = [move.replace("driven", "charged") for move in puzzle.line]
    wrong.insert(-2, "p2: done")
    assert "refuted" in refuted(replace(puzzle, line=tuple(wrong)))
    assert "is no move" in refuted(replace(puzzle, line=("p1: throw SK C2",)))
    assert "does not end" in refuted(replace(puzzle, line=puzzle.line[:-1]))


def test_every_title_is_in_both_languages() -> None:
    for puzzle in all_puzzles():
        assert any("\u3040" < sign < "\u9fff" for sign in puzzle.title.ja), puzzle.id
        assert puzzle.title.en.isascii(), puzzle.id
