"""The puzzles of edition 9: its own are proven here, those kept from edition 6 hold to the end of their lines, and some of
them are proven again. `blackpoker puzzles check` proves all of them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from blackpoker.cli.puzzles import actions_of
from blackpoker.engine.locations import PLAYERS
from blackpoker.learn.puzzles.maker import WIN, candidates, simplify, start_game
from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, by_id, generated, hand_made, in_edition, kept, solves
from blackpoker.learn.puzzles.proof import holds, refuted
from blackpoker.learn.puzzles.text import COLLECTIONS, collection_of, hints, solution_text
from blackpoker.text.resources import LANGUAGES

OWN = (*hand_made("9"), *generated("9"))
#: proofs of these take a minute
LONG = ("9-54",)


def name(puzzle: Puzzle) -> str:
    return puzzle.id


@pytest.mark.parametrize("puzzle", OWN, ids=name)
def test_its_own_are_proven(puzzle: Puzzle) -> None:
    assert holds(puzzle)


@pytest.mark.parametrize("puzzle", [one for one in kept("9") if not one.id.startswith(LONG)], ids=name)
def test_the_line_of_a_kept_puzzle_holds(puzzle: Puzzle) -> None:
    assert refuted(puzzle) == ""


@pytest.mark.parametrize("puzzle", [one for one in kept("9") if one.generated][::30], ids=name)
def test_some_kept_puzzles_are_proven_again(puzzle: Puzzle) -> None:
    assert holds(puzzle)


def test_a_puzzle_that_edition_9_changes_is_not_kept() -> None:
    """Encourage is gone; the second card of a draw is no choice any more (N-203)."""
    ids = {puzzle.id for puzzle in kept("9")}
    assert not {"9-52-cheer-him-on", "9-36-leave-the-last-card"} & ids
    assert refuted(in_edition(by_id()["36-leave-the-last-card"], "9", "9:lite+pack"))


def test_they_are_puzzles_of_edition_9() -> None:
    puzzles = all_puzzles("9")
    assert len(puzzles) >= 30
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert not {puzzle.id for puzzle in puzzles} & {puzzle.id for puzzle in all_puzzles()}
    formats = set()
    for puzzle in puzzles:
        regulation = puzzle.start().regulation
        assert regulation.edition.id == puzzle.edition == "9"
        formats.add(regulation.format.id)
        assert any(solves(puzzle, move.text) for move in puzzle.start().legal_moves), puzzle.id
    assert formats == {"lite", "standard", "pro", "master"}
    assert {collection_of(puzzle) for puzzle in puzzles} <= {collection.id for collection in COLLECTIONS}


def test_new_actions_solve_some() -> None:
    used = {action for puzzle in OWN for action in actions_of(puzzle)}
    assert {"open_pack", "trap_counter", "slash", "allure", "reverse", "quick_set_bulwark"} <= used


def test_texts_are_there_in_both_languages() -> None:
    for puzzle in OWN:
        for lang in LANGUAGES:
            assert hints(puzzle, lang)
            assert solution_text(puzzle, lang)
        assert puzzle.title.ja
        assert puzzle.title.en.isascii()


def test_a_wrong_answer_is_not_proven() -> None:
    puzzle = by_id()["9-61-cut-the-way"]
    assert not holds(replace(puzzle, best=("end",)))
    assert not holds(replace(puzzle, best=("no such move",)))


def test_making_deals_what_a_frame_brings() -> None:
    table = next(candidates("9:master+extra", 1))
    found = [simplify(random.Random(seed), table, WIN) for seed in range(8)]
    assert {one["regulation"] for one in found} == {"9:master+extra"}
    assert all(one[seat]["pack_opened"] for one in found for seat in PLAYERS)
    assert any("rare" in one["p1"] for one in found)
    assert any(one["p1"]["trumps"] for one in found)
    assert all(start_game(one, "") is not None for one in found)
