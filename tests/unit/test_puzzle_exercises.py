"""Puzzles as exercises: the answer solves, another first move fails, harmless detours are allowed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, by_id, generated, solves
from blackpoker.learn.puzzles.play import PuzzleExercise, puzzle_of_the_day
from blackpoker.learn.puzzles.text import (
    COLLECTIONS,
    best_of,
    collection_of,
    hints,
    solution_actions,
    solution_text,
    title,
)
from blackpoker.protocol import messages as p
from blackpoker.server.http.api.puzzles import life_totals, solution_boards
from blackpoker.server.rooms.exercise import ExerciseRoom

SOME = [*generated()[::40], *(one for one in all_puzzles() if not one.generated and not one.prefix)][:18]


def played(puzzle: Puzzle, moves: list[str]) -> ExerciseRoom:
    return ExerciseRoom(PuzzleExercise(puzzle), puzzle.start().regulation.text, moves, "auto")


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.id)
def test_the_answer_solves_it(puzzle: Puzzle) -> None:
    assert played(puzzle, []).judgement.status == "open"
    best = best_of(puzzle.id)
    moves = [move.text for move in puzzle.start().legal_moves if solves(puzzle, move.text)]
    assert moves, best
    assert played(puzzle, [moves[0]]).judgement.status == "done"


@pytest.mark.parametrize("puzzle", generated()[::55], ids=lambda puzzle: puzzle.id)
def test_ending_the_turn_or_not_blocking_fails(puzzle: Puzzle) -> None:
    game = puzzle.start()
    assert game.decision is not None
    word = next(one for one in ("end", "done", "pass") if one in game.decision.words)
    standing = played(puzzle, [word]).judgement
    assert standing.status == "astray"
    assert standing.text.ja
    assert standing.text.en


@pytest.mark.parametrize(
    ("id", "said", "reply"),
    [
        ("win-078", "attack", "相手の一手：♣4を♡Kでブロックする。"),
        ("survive-007", "S7: S5", "相手の一手：何も足さず、この攻撃で決着。"),
    ],
)
def test_a_wrong_answer_is_met_with_the_reply_that_refutes_it(id: str, said: str, reply: str) -> None:
    standing = played(by_id()[id], [said]).judgement
    assert standing.status == "astray"
    assert standing.text.ja.endswith(reply)
    assert "Their reply: " in standing.text.en


def test_the_table_shows_the_life_of_the_puzzle() -> None:
    """Also above ten, where a game would show 10+ (R-210)."""
    puzzle = by_id()["win-024"]
    messages = played(puzzle, []).join(p.Join(room="practice", seat="p1"))
    view = next(one.view for one in messages if isinstance(one, p.Update))
    assert view is not None
    assert [view.p1.life, view.p2.life] == list(life_totals(puzzle)) == [14, 11]


def test_forecasts_contain_no_notation() -> None:
    for puzzle in by_id().values():
        for lang in ("ja", "en"):
            texts = " ".join([title(puzzle, lang), *hints(puzzle, lang), *solution_text(puzzle, lang)])
            assert not set("$^*→#") & set(texts), (puzzle.id, texts)
            assert hints(puzzle, lang)


@pytest.mark.parametrize("edition", ["6", "9"])
def test_every_puzzle_has_its_day(edition: str) -> None:
    first, puzzles = date(2026, 1, 1), all_puzzles(edition)
    days = {puzzle_of_the_day(first + timedelta(days=n), edition).id for n in range(len(puzzles))}
    assert days == {puzzle.id for puzzle in puzzles}


def test_every_puzzle_belongs_to_one_collection() -> None:
    found = {collection_of(puzzle) for puzzle in all_puzzles()}
    assert found == {one.id for one in COLLECTIONS}
    assert sum(len(one.themes) for one in COLLECTIONS) == len({theme for one in COLLECTIONS for theme in one.themes})
    assert not found & set(by_id()), "an address of the page is one or the other"


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.id)
def test_the_answer_can_be_followed_on_boards(puzzle: Puzzle) -> None:
    for lang in ("ja", "en"):
        steps = solution_boards(puzzle.id, lang)
        assert not steps[0].by
        assert steps[1].by == "p1"
        assert all(step.move for step in steps if step.by)
        assert not any(set("$^*→#") & set(step.move) for step in steps)
    if puzzle.generated and puzzle.task == "win":
        assert steps[-1].view.p2.life == 0


def test_why_shows_the_keys_of_the_answer() -> None:
    reasons = solution_actions(by_id()["10-walls-march"], "en")
    assert [(one.action, one.cards) for one in reasons] == [("surprise_attack", ["C4", "C5"])]
    assert reasons[0].text
    assert solution_actions(by_id()["22-stop-the-king"], "ja") == [], "a block is no action one asks about"
