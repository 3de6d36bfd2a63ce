"""A window looks the same to all others whether or not a seat is prompted: the same messages, byte for byte, at the
same times, with clocks, whatever the prompted seat does meanwhile (R-210)."""

from __future__ import annotations

import random

import pytest

from blackpoker.assist.autopass import PassDecision
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.response_window import ResponseWindow
from blackpoker.server.rooms.seats import Seats
from blackpoker.server.rooms.timing import QUIET_AFTER, QUIET_BEFORE, SEND_TICK, quiet_delay
from tests.server.room_driver import Driver

QUICK = p.ClockRules(bank=600)  # the clock of a quick match
LONG = 10_000


class WindowGame:
    """One game of ``a`` and ``b`` that does not depend on b's prompts: in a window both pass, elsewhere the move's
    number seeds the choice. If ``asked``, b is prompted everywhere, responds at a random moment of the window, and
    toggles its settings."""

    def __init__(self, seed: int, prompted_everywhere: bool, clock: p.ClockRules, regulation: str) -> None:
        self.seed = seed
        self.prompted_everywhere = prompted_everywhere
        self.chosen = random.Random(seed)
        self.received: dict[str, list[tuple[float, bytes]]] = {"a": [], "b": [], "w": []}
        self.windows = 0
        self.prompted = 0
        self.driver = Driver(regulation, seed, clock=clock, window_ms=None)
        self.driver.listener = self.record
        if prompted_everywhere:
            self.driver.send(
                "b", p.SetAssist(mode="firm", stops=["summon", "magic", "attack", "block", "judgement", "end"])
            )

    def record(self, key: str, data: bytes) -> None:
        self.received[key].append((round(self.driver.now, 6), data))

    def play(self, most: int) -> None:
        driver = self.driver
        driver.start()
        for _ in range(most):
            if driver.room.phase != "playing":
                return
            self.step(driver)

    def step(self, driver: Driver) -> None:
        room = driver.room
        windows = room.windows
        open_window = driver.now < windows.release_at
        key = driver.prompted()
        has_moved = windows.pending_move is not None and windows.pending_move.kind == "say"
        if open_window and room.room_game.player == 1 and not has_moved:
            self.windows += 1
            self.prompted += key == "b"
            if self.prompted_everywhere:
                self.toggle_settings(driver)
                key = driver.prompted()
        if key:
            self.answer(driver, key, open_window)
            return
        due = room.due()
        assert due is not None
        driver.now = max(driver.now, due)
        room.tick(driver.now)
        driver.collect()

    def toggle_settings(self, driver: Driver) -> None:
        """Toggle the settings inside the window, and hold it."""
        for message in (
            p.SetAssist(mode="auto", stops=[]),
            p.SetAssist(mode="firm"),
            p.SetAssist(stop_next=True),
            p.RequestResync(1),
        ):
            driver.now += self.chosen.uniform(0.0, 0.1)
            driver.send("b", message)

    def answer(self, driver: Driver, key: str, open_window: bool) -> None:
        ask = driver.asks[key]
        assert ask is not None
        if open_window:
            words = ["pass"]
            driver.now += self.chosen.uniform(0.0, 0.5) if key == "b" else 0.25
        else:
            driver.random = random.Random(self.seed * 1000 + driver.room.room_game.seq)
            words = driver.random_move(key)
        driver.asks[key] = None
        assert isinstance(driver.send(key, p.SubmitMove(4, ask.seq, words))[0], p.Ack)


def pairs(count: int) -> list[tuple[int, p.ClockRules, str]]:
    clocks = (QUICK, p.ClockRules(bank=60, each=5, chance=20), p.ClockRules())
    return [(seed, clocks[seed % 3], ("lite+entry", "master+full")[seed // 3 % 2]) for seed in range(2, count + 2)]


@pytest.mark.parametrize(("seed", "clock", "regulation"), pairs(6))
def test_others_receive_the_same_for_a_prompt_and_an_automatic_pass(
    seed: int, clock: p.ClockRules, regulation: str
) -> None:
    automatic = WindowGame(seed, False, clock, regulation)
    automatic.play(60)
    prompted = WindowGame(seed, True, clock, regulation)
    prompted.play(LONG if automatic.driver.room.phase != "playing" else 200)
    assert automatic.windows > 3
    assert prompted.prompted > automatic.prompted, "nothing was compared"
    for key in ("a", "w"):
        one, two = automatic.received[key], prompted.received[key]
        count = min(len(one), len(two))
        assert count > 20
        for place in range(count):
            assert one[place] == two[place], f"message {place} to {key}"


def test_no_work_starts_for_a_prompt_just_before_a_beat() -> None:
    """A response delayed past the tick by a draft would reveal that the seat was prompted."""
    for place in range(1000):
        now = 1_700_000_000 + place * 0.0007
        wait = quiet_delay(now)
        since = (now + wait) % SEND_TICK
        assert QUIET_AFTER - 1e-6 <= since <= SEND_TICK - QUIET_BEFORE + 1e-6, (now, wait)
        assert 0.0 <= wait <= QUIET_BEFORE + QUIET_AFTER
        if QUIET_AFTER + 1e-6 < now % SEND_TICK < SEND_TICK - QUIET_BEFORE - 1e-6:
            assert wait == 0.0, now


def test_the_commit_of_an_automatic_pass_avoids_the_beats_too() -> None:
    """Otherwise a tick delayed by a commit would reveal that the seat was not prompted."""
    settings = p.RoomSettings(regulation="lite+entry", window_ms=400)
    windows = ResponseWindow(settings, Seats(settings), 0.0)
    for place in range(1000):
        now = 1_700_000_000 + place * 0.0007
        windows.random = random.Random(place).random
        windows.open_window(now, PassDecision(0, "summon", "useless"))
        assert windows.decoy_write_at is not None
        assert quiet_delay(windows.decoy_write_at) < 1e-6, (now, windows.decoy_write_at)
        assert now < windows.decoy_write_at < windows.release_at
