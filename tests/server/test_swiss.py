"""Rounds of a Swiss tournament and its table. The thousand tournaments are in ``python -m tests.server.swiss``."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from blackpoker.server.tournaments.pairing import SwissEntrant, swiss_round
from blackpoker.server.tournaments.standings import MatchScore, standings
from tests.server.swiss import can_be_new, check, tournament


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9])
def test_few_play_until_they_must_meet_again(size: int) -> None:
    """Against every round there could be, also where all have met and all have had a bye."""
    counts = tournament(size, size + 2, random.Random(size), leaves=0)
    assert counts["rounds"] == size + 2
    assert counts["met_again"] > 0


@pytest.mark.parametrize("size", [16, 33, 64])
def test_many_never_meet_again(size: int) -> None:
    counts = tournament(size, 7, random.Random(size))
    assert (counts["met_again"], counts["second_byes"]) == (0, 0)


def test_a_round_that_is_worse_is_found_out() -> None:
    entrants = [SwissEntrant(name, points, {}, 0) for name, points in (("a", 6), ("b", 6), ("c", 0), ("d", 0))]
    good = swiss_round(entrants, random.Random(1))
    assert sorted(good.pairs) == [("a", "b"), ("c", "d")]
    with pytest.raises(AssertionError):
        check(entrants, good._replace(pairs=[("a", "c"), ("b", "d")]))
    met = [entrants[0]._replace(met={"b": 1}), entrants[1]._replace(met={"a": 1}), *entrants[2:]]
    assert can_be_new(met)
    assert ("a", "b") not in swiss_round(met, random.Random(1)).pairs


def test_the_bye_goes_to_the_last_who_had_none() -> None:
    entrants = [SwissEntrant("a", 3, {}, 0), SwissEntrant("b", 3, {}, 0), SwissEntrant("c", 0, {}, 1)]
    assert swiss_round(entrants, random.Random(1)).bye in ("a", "b")
    assert swiss_round([one._replace(byes=0) for one in entrants], random.Random(1)).bye == "c"
    with pytest.raises(ValueError, match="twice"):
        swiss_round([entrants[0], entrants[0]], random.Random(1))
    assert swiss_round([], random.Random(1)) == ([], "")


def test_the_same_lot_gives_the_same_round() -> None:
    entrants = [SwissEntrant(str(number), 0, {}, 0) for number in range(20)]
    rounds = {str(swiss_round(entrants, random.Random(seed))) for seed in (1, 1, 2, 3)}
    assert len(rounds) == 3


def test_the_table() -> None:
    """Worked out by hand: a wins both, b and c one each against the same two, d none; e had a bye and came no more."""
    scores = [
        MatchScore("a", "b", (2, 0, 0)), MatchScore("c", "d", (2, 1, 0)), MatchScore("e", "", (0, 0, 0)),
        MatchScore("a", "c", (2, 1, 0)), MatchScore("b", "d", (2, 0, 0)),
    ]  # fmt: skip
    table = standings(["a", "b", "c", "d", "e"], scores)
    assert [(line.place, line.id, line.points) for line in table] == [
        (1, "a", 6), (2, "b", 3), (2, "c", 3), (4, "e", 3), (5, "d", 0)
    ]  # fmt: skip
    lines = {line.id: line for line in table}
    assert lines["a"].opponents_matches == Fraction(1, 2)
    assert lines["b"].opponents_matches == lines["c"].opponents_matches == Fraction(2, 3)  # a: 1, d: a third
    assert lines["c"].games == Fraction(1, 2)
    assert lines["b"].games == Fraction(1, 2)
    assert lines["c"].opponents_games == (Fraction(4, 5) + Fraction(1, 3)) / 2  # d has won one game of five
    assert lines["e"].opponents_matches == Fraction(1, 3)


def test_whom_nothing_tells_apart_shares_a_place() -> None:
    table = standings(["a", "b", "c", "d"], [MatchScore("a", "b", (1, 1, 0)), MatchScore("c", "d", (1, 1, 0))])
    assert [line.place for line in table] == [1, 1, 1, 1]
