"""Puzzles as exercises: the answer solves, another first move fails, harmless detours are allowed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from blackpoker.players.puzzle_texts import COLLECTIONS, best_of, collection_of, explained, hints, title, why
from blackpoker.players.puzzles import Puzzle, by_id, every, made, solves
from blackpoker.school.puzzle import PuzzleExercise, of_the_day
from blackpoker.server.api.puzzles import line, lives
from blackpoker.server.rooms.practice import Practice
from blackpoker.wire import protocol as p

SOME = [*made()[::40], *(one for one in every() if not one.made and not one.said)][:18]


def played(puzzle: Puzzle, said: list[str]) -> Practice:
    return Practice(PuzzleExercise(puzzle), puzzle.start().regulation.text, said, "auto")


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.id)
def test_the_answer_solves_it(puzzle: Puzzle) -> None:
    assert played(puzzle, []).standing.state == "open"
    best = best_of(puzzle.id)
    moves = [move.text for move in puzzle.start().legal_moves if solves(puzzle, move.text)]
    assert moves, best
    assert played(puzzle, [moves[0]]).standing.state == "done"


@pytest.mark.parametrize("puzzle", made()[::55], ids=lambda puzzle: puzzle.id)
def test_ending_the_turn_or_not_blocking_fails(puzzle: Puzzle) -> None:
    game = puzzle.start()
    assert game.decision is not None
    word = next(one for one in ("end", "done", "pass") if one in game.decision.words)
    standing = played(puzzle, [word]).standing
    assert standing.state == "astray"
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
    standing = played(by_id()[id], [said]).standing
    assert standing.state == "astray"
    assert standing.text.ja.endswith(reply)
    assert "Their reply: " in standing.text.en


def test_the_table_counts_the_life_the_puzzle_tells() -> None:
    """Also above ten, where a game would show 10+ (R-210)."""
    puzzle = by_id()["win-024"]
    told = played(puzzle, []).join(p.Join(room="practice", seat="p1"))
    view = next(one.view for one in told if isinstance(one, p.Update))
    assert view is not None
    assert [view.p1.life, view.p2.life] == list(lives(puzzle)) == [14, 11]


def test_what_is_told_has_no_notation_in_it() -> None:
    for puzzle in every():
        for lang in ("ja", "en"):
            said = " ".join([title(puzzle, lang), *hints(puzzle, lang), *explained(puzzle, lang)])
            assert not set("$^*→#") & set(said), (puzzle.id, said)
            assert hints(puzzle, lang)


def test_every_puzzle_has_its_day() -> None:
    first = date(2026, 1, 1)
    days = {of_the_day(first + timedelta(days=n)).id for n in range(len(every()))}
    assert days == set(by_id())


def test_every_puzzle_belongs_to_one_collection() -> None:
    found = {collection_of(puzzle) for puzzle in every()}
    assert found == {one.id for one in COLLECTIONS}
    assert sum(len(one.themes) for one in COLLECTIONS) == len({theme for one in COLLECTIONS for theme in one.themes})
    assert not found & set(by_id()), "an address of the page is one or the other"


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.id)
def test_the_answer_can_be_followed_on_boards(puzzle: Puzzle) -> None:
    for lang in ("ja", "en"):
        steps = line(puzzle.id, lang)
        assert not steps[0].by
        assert steps[1].by == "p1"
        assert all(step.said for step in steps if step.by)
        assert not any(set("$^*→#") & set(step.said) for step in steps)
    if puzzle.made and puzzle.task == "win":
        assert steps[-1].view.p2.life == 0


def test_why_shows_the_keys_of_the_answer() -> None:
    told = why(by_id()["10-walls-march"], "en")
    assert [(one.action, one.cards) for one in told] == [("surprise_attack", ["C4", "C5"])]
    assert told[0].text
    assert why(by_id()["22-stop-the-king"], "ja") == [], "a block is no action one asks about"
