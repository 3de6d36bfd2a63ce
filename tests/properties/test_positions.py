"""Five laws for positions of a grammar: saved, read back equal, every token completes, cards are conserved and seen."""

import os

import pytest

from tests.properties.positions import FOCUSES, check_laws, check_saved, position

LONG = bool(os.environ.get("BLACKPOKER_LONG"))
#: positions of every focus; together more than 500, and 20,000 in a long run
COUNT = 2_000 if LONG else 48
PART = 24


@pytest.mark.parametrize("first", range(0, COUNT, PART))
@pytest.mark.parametrize("focus", FOCUSES)
def test_the_laws_of_positions(focus: str, first: int) -> None:
    for seed in range(first, min(COUNT, first + PART)):
        check_laws(seed, focus)


def test_positions_differ_and_have_everything() -> None:
    texts = [position(seed, focus) for focus in FOCUSES for seed in range(48)]
    assert len(set(texts)) == len(texts) > 500
    together = "".join(texts)
    for part in (
        "passed",
        "stall",
        "used",
        "pack",
        "attacks",
        "blocks:",
        "laid",
        "own",
        "known",
        "public",
        "new",
        "(d",
        "+3",
        "-2",
        "T:",
        "t:",
        ">gone",
        ">#1",
        ">p1.t1",
        ' -"',
    ):
        assert part in together, part
    games = [check_saved(text) for text in texts[:48]]
    assert {len(game._engine.stage) for game in games} >= {0, 1, 2}
    assert len({game.regulation.text for game in games}) > 3
