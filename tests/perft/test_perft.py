"""Perft: counts of continuations, token by token, from fixed openings.

A changed number means that an option is now offered or withheld that was not before. Numbers may only be changed
together with the ruling that explains the difference.
"""

from __future__ import annotations

import pytest

from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import UNDECIDED
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import SHOWN_KIND
from blackpoker.ruleset import Regulation, new_game, standard_edition

#: the definitions the counts belong to; other definitions need new counts
EDITION_HASH = "d19ceb0ece38df38"

# regulation, seed, random tokens played first, counts at depth 1, 2, 3, …
COUNTS: tuple[tuple[str, int, int, tuple[int, ...]], ...] = (
    ("lite+entry", 1, 0, (6, 15, 73, 176, 475, 1278, 3069, 8866, 21310)),
    ("lite+entry", 2, 45, (2, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 2)),
    ("lite+entry", 12, 60, (2, 3, 4, 5, 6, 7, 10, 20, 31, 89, 129, 260, 373, 668)),
    ("lite+entry", 13, 30, (1, 1, 1, 2, 17, 39, 134, 255, 524, 1123, 2073, 4797, 9733, 20725)),
    ("lite+full", 3, 40, (4, 8, 27, 39, 77, 202, 426, 923, 2072, 4281, 10348, 20518)),
    ("standard+full", 4, 80, (1, 1, 1, 1, 2, 8, 14, 26, 48, 70, 112, 176, 272, 554)),
    ("pro+full", 5, 60, (2, 2, 6, 10, 17, 18, 24, 31, 48, 82, 144, 208, 309, 439)),
    ("pro+full", 6, 150, (1, 1, 4, 4, 8, 10, 13, 19, 28, 38, 80, 108, 215, 342)),
    ("pro+full", 16, 120, (1, 1, 1, 2, 14, 24, 91, 138, 267, 472, 710, 1312, 2587, 5535)),
    ("master+full", 18, 120, (1, 1, 3, 3, 3, 6, 6, 6, 25, 25, 50, 56, 87, 108)),
    ("standard+full", 14, 50, (1, 5, 12, 27, 43, 67, 122, 207, 437, 802, 1705, 3558, 7627, 16240)),
    ("master+full", 7, 0, (7, 19, 106, 320, 837, 2453, 7270, 24442)),
    ("master+full", 8, 100, (2, 8, 12, 16, 24, 30, 40, 73, 112, 183, 303, 452, 745, 1112)),
    ("master+full", 9, 200, (1, 4, 6, 8, 12, 15, 20, 44, 83, 192, 415, 817, 1637, 2984)),
    ("master+entry", 10, 50, (1, 1, 2, 2, 2, 2, 2, 3, 11, 17, 39, 55, 87, 120)),
)


def position(regulation: str, seed: int, words: int) -> Engine:
    engine = new_game(Regulation.parse(regulation), seeded(seed))
    engine.advance()
    chance = seeded(seed)
    for _ in range(words):
        engine.push(engine.options[chance.below(len(engine.options))])
    return engine


def perft(engine: Engine, depth: int) -> int:
    if engine.winner != UNDECIDED:
        return 0
    if depth == 1:
        return len(engine.options)
    total = 0
    for option in engine.options:
        after = engine.copy()
        after.push(option)
        total += perft(after, depth - 1)
    return total


#: rows from before R-211 let the owner choose which discarded card is seen; with its default they still hold
BEFORE_SHOWN: dict[tuple[str, int, int], tuple[int, ...]] = {
    ("lite+full", 3, 40): (4, 8, 27, 39, 77, 202, 426, 923, 2072, 4281, 10348, 20482),
}


def by_default(engine: Engine, depth: int) -> int:
    """Return ``perft`` with the default taken at each R-211 decision, which is not counted as a token."""
    while engine.kind == SHOWN_KIND:
        engine.push(engine.options[-1])
    if engine.winner != UNDECIDED:
        return 0
    if depth == 1:
        return len(engine.options)
    total = 0
    for option in engine.options:
        after = engine.copy()
        after.push(option)
        total += by_default(after, depth - 1)
    return total


@pytest.mark.parametrize("row", BEFORE_SHOWN)
def test_perft_before_the_choice_of_the_seen_card(row: tuple[str, int, int]) -> None:
    counts = BEFORE_SHOWN[row]
    assert tuple(by_default(position(*row), depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(("regulation", "seed", "words", "counts"), COUNTS)
@pytest.mark.skipif(standard_edition().hash != EDITION_HASH, reason="the counts belong to other definitions")
def test_perft(regulation: str, seed: int, words: int, counts: tuple[int, ...]) -> None:
    engine = position(regulation, seed, words)
    assert tuple(perft(engine, depth) for depth in range(1, len(counts) + 1)) == counts
