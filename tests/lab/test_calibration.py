"""A short version of ``python -m tests.long.lab_calibration``, which runs a hundred experiments."""

from __future__ import annotations

from blackpoker import seeded
from blackpoker.lab import Arm, game_runner
from tests.long.lab_calibration import (
    PLANTED,
    SEED_STEP,
    begin_planted,
    detected,
    nothing_differs,
    planted,
)


def test_nothing_differs_where_nothing_was_changed() -> None:
    results = [nothing_differs(number * SEED_STEP, 60, 1, "random") for number in range(5)]
    assert [package for package, _ in results] == [True] * 5
    assert sum(dice for _, dice in results) >= 4


def test_a_planted_change_is_found() -> None:
    """Uses the number of deals that the report of an earlier experiment asked for."""
    pilot = planted(900 * SEED_STEP, 300, 1)
    change = pilot.differences[0].main
    assert change.change.value < 0
    assert change.as_seen is not None
    assert detected(planted(950 * SEED_STEP, min(1500, change.as_seen), 1))


def test_the_planted_change_has_its_stated_effect() -> None:
    arm = Arm(PLANTED, "lite+entry")
    setting = game_runner.setting_of(arm)
    for seed in range(20):
        whole = game_runner.deal_game(arm, setting, seed, 0)
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
