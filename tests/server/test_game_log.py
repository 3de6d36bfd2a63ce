"""The log of a game has the same lines whether it is built during play or afterwards, at once or in parts."""

from __future__ import annotations

import pytest

from blackpoker import Audience
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.broadcaster import MAX_RENDERED_STEPS
from blackpoker.server.rooms.game_log import GameLog
from tests.server.room_driver import Driver


def played(driver: Driver, most: int) -> Driver:
    driver.start()
    for _ in range(most):
        if not driver.step():
            break
    return driver


def rebuilt_lines(feed: GameLog, audience: Audience, lang: str, most: int) -> list[p.LogEntry]:
    """Return every line, built for a reader without a cache."""
    feed.rendered.clear()
    feed.rendered_to.clear()
    for _, step in feed.steps:
        step._history.before = None
    while not feed.render(audience, lang, most):
        pass
    return feed.lines_since(-1, audience, lang)


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full"])
def test_a_late_spectator_reads_the_same_log(regulation: str) -> None:
    driver = played(Driver(regulation, 3), 250)
    feed = driver.room.room_game.log
    assert len(feed.steps) > 60
    for lang, audience in (("en", Audience.P1), ("ja", Audience.P2), ("en", Audience.PUBLIC)):
        live = feed.lines_since(-1, audience, lang)
        assert live
        for most in (1, 7, 10_000):
            assert rebuilt_lines(feed, audience, lang, most) == live, (lang, audience, most)


def test_events_sent_again_after_a_rewind_equal_the_game() -> None:
    driver = played(Driver("master+full", 5), 80)
    table = driver.room.room_game
    assert table.seq > 60
    driver.room.submit("rewind", 0, [40])
    driver.room.advance()
    driver.collect()
    played(driver, 40)
    assert table.rewinds == 1
    live = table.log.lines_since(-1, Audience.PUBLIC, "en")
    assert rebuilt_lines(table.log, Audience.PUBLIC, "en", 16) == live


def test_a_game_of_programs_keeps_no_copies_for_an_unread_log() -> None:
    driver = played(Driver("lite+entry", 3, detail="lean"), 150)
    steps = [step for _, step in driver.room.room_game.log.steps]
    assert len(steps) > 60
    assert all(step._history.before is None for step in steps)


def test_joining_a_long_game_delays_no_other_client() -> None:
    """The log is written in parts before the reader joins; then no work is left."""
    driver = played(Driver("master+full", 1, detail="lean"), 200)
    broadcast, feed = driver.room.broadcast, driver.room.room_game.log
    steps = len(feed.steps)
    assert steps > 3 * MAX_RENDERED_STEPS
    join = p.Join(1, "room", "watch", "ja", "full")
    for turn in range(1, steps // MAX_RENDERED_STEPS + 2):
        whole = broadcast.render_log("somebody", join)
        written = sum(at <= feed.rendered_to["ja", Audience.PUBLIC] for at, _ in feed.steps)
        assert written == min(steps, turn * MAX_RENDERED_STEPS)
        assert whole == (written == steps)
    assert broadcast.render_log("guest-a", p.Join(1, "room", "any", "ja", "lean")), "a program reads no log"
