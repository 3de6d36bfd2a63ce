"""Generated puzzles are complete, playable, solved and explained in both languages; a few are proven again here, all of
them by ``blackpoker puzzles check``."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from blackpoker.cli.puzzles import actions_of, entry
from blackpoker.learn.puzzles.maker import SURVIVE, WIN, essence, make_puzzles, shortened
from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, generated, solves
from blackpoker.learn.puzzles.proof import holds, refuted
from blackpoker.learn.puzzles.text import hints, solution_text
from blackpoker.text.resources import Lang

MADE = generated()


def test_there_are_enough() -> None:
    assert len(MADE) >= 200
    assert len({puzzle.id for puzzle in all_puzzles()}) == len(all_puzzles())
    assert {puzzle.theme for puzzle in MADE} == {WIN, SURVIVE}
    assert {puzzle.position["format"] for puzzle in MADE} == {"lite", "standard", "pro", "master", "extra"}
    positions = {json.dumps([puzzle.position, puzzle.play], sort_keys=True) for puzzle in MADE}
    assert len(positions) == len(MADE)


def test_they_are_graded_and_about_many_things() -> None:
    levels = Counter(puzzle.level for puzzle in MADE)
    assert set(levels) <= {1, 2, 3, 4, 5}
    assert len(levels) >= 4, levels
    actions = {action for puzzle in MADE for action in actions_of(puzzle)}
    assert len(actions) >= 10, actions


@pytest.mark.parametrize("puzzle", MADE, ids=lambda puzzle: puzzle.id)
def test_the_line_is_played_and_begins_with_the_answer(puzzle: Puzzle) -> None:
    game = puzzle.start()
    assert game._engine.asked == 0
    first = puzzle.line[0].partition(": ")[2]
    assert essence(first) == puzzle.best[0]
    assert solves(puzzle, first)
    assert not solves(puzzle, "pass")
    assert refuted(puzzle) == ""  # the line holds to the end for ten different life piles


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_hints_and_explanations(lang: Lang) -> None:
    for puzzle in MADE:
        assert hints(puzzle, lang), puzzle.id
        explanation = solution_text(puzzle, lang)
        assert len(explanation) >= 3, puzzle.id
        assert any("\u3040" < sign < "\u9fff" for sign in "".join(explanation)) == (lang == "ja"), puzzle.id


@pytest.mark.parametrize("puzzle", MADE[:: max(1, len(MADE) // 4)], ids=lambda puzzle: puzzle.id)
def test_some_are_proven_again(puzzle: Puzzle) -> None:
    assert holds(puzzle)


def test_a_wrong_answer_is_not_proven() -> None:
    right = MADE[0]
    assert not holds(replace(right, best=("no such move",)))


def test_a_line_has_no_step_it_could_do_without() -> None:
    for puzzle in MADE:
        if puzzle.theme == WIN:
            assert shortened(puzzle.position, puzzle.play, puzzle.line) == puzzle.line, puzzle.id


def test_making_gives_what_is_shipped() -> None:
    """Uses a game known to contain a puzzle; the generated entry has the form of the shipped ones."""
    found = next(make_puzzles("pro", 2))
    assert set(entry("x", found)) == {"id", "theme", "level", "position", "play", "best", "line"}
