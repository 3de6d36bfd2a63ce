"""Batched games are the same in every build: translated to C++ or stepped by Python."""

from __future__ import annotations

import random
from array import array

import pytest

from blackpoker import native
from blackpoker.engine.observation import encode
from blackpoker.engine.shuffler import seeded
from blackpoker.envs.layout import SIZE
from blackpoker.native import batch as native_batch
from blackpoker.native.batch import MASK, MAX_OPTIONS, Batch, step_many
from blackpoker.ruleset import Regulation, new_game

COLUMNS = (
    "observations",
    "masks",
    "counts",
    "asked",
    "acted",
    "ended",
    "winners",
    "rewards",
    "lengths",
    "turns",
    "finals",
)
needs_native = pytest.mark.skipif(not native.available(), reason="the translated rules are not built (make native)")


def columns(batch: Batch) -> dict[str, bytes | list[float]]:
    out: dict[str, bytes | list[float]] = {}
    for name in COLUMNS:
        column = getattr(batch, name)
        out[name] = list(column) if isinstance(column, array) else bytes(column)
    out["offered"] = b"".join(
        batch.options[i * MAX_OPTIONS : i * MAX_OPTIONS + batch.counts[i]] for i in range(len(batch))
    )
    return out


def any_options(batch: Batch, dice: random.Random) -> list[int]:
    return [
        batch.options[i * MAX_OPTIONS + dice.randrange(batch.counts[i])] if batch.counts[i] else 0
        for i in range(len(batch))
    ]


@needs_native
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full", "master+random40+pack"])
def test_the_same_in_every_build(regulation: str, opponent: str | None) -> None:
    fast = Batch(regulation, range(12), opponent=opponent)
    slow = Batch(regulation, range(12), opponent=opponent, native=False)
    dice = random.Random(3)
    ended = 0
    for _ in range(700):
        assert columns(fast) == columns(slow)
        options = any_options(fast, dice)
        step_many(fast, options)
        step_many(slow, options)
        ended += sum(fast.ended)
    assert ended >= 12
    assert [fast.number(i) for i in range(12)] == [slow.number(i) for i in range(12)]
    for i in range(12):
        for seat in range(2):
            assert fast.observe(i, seat) == slow.observe(i, seat)
        assert fast.state(i).options == slow.state(i).options


@needs_native
def test_threads_change_nothing() -> None:
    one, four = Batch("lite+entry", range(50)), Batch("lite+entry", range(50))
    dice = random.Random(1)
    for _ in range(100):
        options = any_options(one, dice)
        step_many(one, options)
        step_many(four, options, threads=4)
        assert columns(one) == columns(four)


@needs_native
def test_games_that_outgrow_machine_code_continue_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are moved to Python in the middle of their games; nothing else changes."""
    fast = Batch("master+full", range(6))
    slow = Batch("master+full", range(6), native=False)
    dice = random.Random(8)
    handed = 0
    for step in range(500):
        options = any_options(fast, dice)
        step_many(fast, options)
        step_many(slow, options)
        i = step % 6
        if step % 50 == 7 and i not in fast._rows and fast._native is not None:  # as if out of memory
            number, history = fast._native.row_history(i)
            fast.where[i] = 1
            fast._rows[i] = native_batch._Row(fast, i, number, history)
            handed += 1
        assert columns(fast) == columns(slow)
    assert handed > 4


@pytest.mark.parametrize("native_too", [True, False])
def test_masks_and_observations_are_the_engine_s(native_too: bool) -> None:
    for regulation in ("lite+entry", "master+full", "extra+full"):
        batch = Batch(regulation, [4], forced=False, restart=False, native=native_too)
        engine = new_game(Regulation.parse(regulation), seeded(4))
        engine.advance()
        dice = random.Random(2)
        while engine.options:
            assert [option for option in range(256) if batch.masks[option]] == sorted(engine.options)
            assert list(batch.options[: batch.counts[0]]) == engine.options
            row = [0] * SIZE
            encode(engine, engine.asked, row)
            assert bytes(row) == bytes(batch.observations)
            option = dice.choice(engine.options)
            engine.push(option)
            step_many(batch, bytes([option]))
        assert batch.ended[0] == 1
        assert batch.winners[0] == engine.winner
        assert not any(batch.masks)
        step_many(batch, b"\0")  # the game is over: nothing happens
        assert batch.ended[0] == 0


@pytest.mark.parametrize("native_too", [True, False])
def test_an_option_that_is_not_offered(native_too: bool) -> None:
    batch = Batch("lite+entry", range(3), native=native_too)
    before = columns(batch)
    with pytest.raises(ValueError, match="game 1: option 250 is not offered"):
        step_many(batch, bytes([batch.options[0], 250, batch.options[2 * MAX_OPTIONS]]))
    assert columns(batch) == before
    with pytest.raises(ValueError, match="3 games need as many options, not 2"):
        step_many(batch, [0, 0])
    with pytest.raises(ValueError, match="no opponent"):
        Batch("lite+entry", range(3), opponent="easy")


def test_the_seats_change_from_game_to_game() -> None:
    batch = Batch("lite+entry", [10, 11], opponent="random")
    seats: list[tuple[int, ...]] = []
    dice = random.Random(0)
    while batch.number(0) < 3:
        seats.append((batch.number(0) % 2, batch.asked[0]))
        step_many(batch, any_options(batch, dice))
    assert set(seats) == {(0, 0), (1, 1)}


@pytest.mark.parametrize("native_too", [True, False])
def test_a_game_can_sit_out(native_too: bool) -> None:
    batch = Batch("lite+entry", range(2), native=native_too)
    before = bytes(batch.observations[:SIZE])
    batch.waits[0] = 1
    dice = random.Random(0)
    for _ in range(30):
        options = any_options(batch, dice)
        step_many(batch, bytes([254, options[1]]))
        assert bytes(batch.observations[:SIZE]) == before
    assert batch.number(1) > 0 or bytes(batch.observations[SIZE:]) != before


def test_masks_are_as_long_as_options_go() -> None:
    batch = Batch("extra+full", range(2))
    assert len(batch.masks) == 2 * MASK
    assert len(batch.observations) == 2 * SIZE
