"""A short version of ``python -m tests.long.lab_calibration``, which runs a hundred experiments."""

from __future__ import annotations

from blackpoker import seeded
from blackpoker.lab import Arm, one_game
from tests.lab.truth import (
    APART,
    PLANTED,
    begin_planted,
    found_with_the_right_sign,
    nothing_differs,
    planted,
)


def test_nothing_differs_where_nothing_was_changed() -> None:
    said = [nothing_differs(number * APART, 60, 1, "random") for number in range(5)]
    assert [package for package, _ in said] == [True] * 5
    assert sum(dice for _, dice in said) >= 4


def test_a_planted_change_is_found() -> None:
    """Uses the number of deals that the report of an earlier experiment asked for."""
    pilot = planted(900 * APART, 300, 1)
    change = pilot.differences[0].main
    assert change.change.value < 0
    assert change.as_seen is not None
    assert found_with_the_right_sign(planted(950 * APART, min(1500, change.as_seen), 1))


def test_the_planted_change_is_what_it_says() -> None:
    arm = Arm(PLANTED, "lite+entry")
    setting = one_game.setting_of(arm)
    for seed in range(20):
        whole = one_game.begin(arm, setting, seed, 0)
        less = begin_planted(arm, setting, seed, 0)
        assert less.turn == whole.turn
        for seat in (0, 1):
            missing = int(seat == whole.turn)
            assert less.sides[seat].hand_count == whole.sides[seat].hand_count - missing
            assert len(less.sides[seat].life) == len(whole.sides[seat].life) + missing
        assert less.sides[less.turn].life[:-1] == whole.sides[less.turn].life
        dice = seeded(seed)
        while less.options:
            less.push(less.options[dice.below(len(less.options))])
        assert less.winner in (0, 1, 2)
