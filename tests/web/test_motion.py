"""The event player: everything a recorded Extra game tells is shown in order and ends where the engine is."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from typing import Any

import msgspec
import pytest

from blackpoker import Game
from blackpoker.server.api.replay import Frame, replay
from tests.web import browser as b
from tests.web.hands import BOARD

#: a game that shows 28 kinds of events
REGULATION, SEED = "extra+full", 1
#: what is told at the table, and what the board showed when it was told
LISTEN = """
window.played = [];
document.addEventListener('played', e => {
  const life = seat => document.querySelector(`[data-pile="${seat}:life"] .count`)?.innerText.trim() ?? '';
  window.played.push({...e.detail, shown: [life('p1'), life('p2')]});
});
"""
BUSY = "() => document.querySelector('.motion-layer').childElementCount > 0"


@pytest.fixture(scope="module")
def recorded(site: b.Site) -> tuple[str, list[Frame]]:
    """A finished Extra game in the server's store, and its frames as somebody sees them who may see everything."""
    game = Game(REGULATION, seed=SEED)
    hand = random.Random(SEED)
    while game.outcome() is None:
        game.push(hand.choice(list(game.options)))
    text = game.record()
    meta = json.dumps({"regulation": REGULATION, "names": ["A", "B"]})
    store = sqlite3.connect(site.folder / "games.db", timeout=10)
    row = ("motion-extra", "motion", 1, 0, text, meta, time.time())
    store.execute("insert into records (id, room, game, part, text, meta, created) values (?, ?, ?, ?, ?, ?, ?)", row)
    store.commit()
    store.close()
    frames: list[Frame] = []
    while len(frames) <= (whole := replay("motion-extra", text, {}, "both", "ja", len(frames), 60)).steps:
        frames += whole.frames
    return "motion-extra", frames


def told(events: list[Any]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in msgspec.to_builtins(event).items() if value not in (None, 0)}
        for event in events
    ]


def heard(visit: b.Visit) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = visit.page.evaluate("() => window.played")
    return [
        {name: value for name, value in event.items() if value not in (None, 0) and name != "shown"} for event in found
    ]


def open_replay(visit: b.Visit, path: str, step: int = 0) -> None:
    visit.context.add_init_script(LISTEN)
    visit.go(f"/replay/{path}?step={step}")
    visit.page.wait_for_selector(".table")
    visit.page.wait_for_function("() => document.querySelector('.step')?.getAttribute('aria-busy') === 'false'")


def play_to(visit: b.Visit, last: int, seconds: float) -> None:
    visit.page.click("[data-do=play]")
    visit.page.wait_for_function(
        "last => new URLSearchParams(location.search).get('step') >= last", arg=last, timeout=seconds * 1000
    )


def settled(visit: b.Visit, count: int) -> None:
    """Everything that was to be told has been told, and nothing moves any more."""
    visit.page.wait_for_function("n => window.played.length >= n", arg=count, timeout=30_000)
    visit.page.wait_for_function("() => !document.querySelector('.motion-node')", timeout=15_000)
    visit.page.wait_for_timeout(400)


def board_of(frame: Frame) -> dict[str, Any]:
    """What the page's board must show of an engine's position, from the first player's side."""
    views = frame.views
    mine = views["p1"]

    def side(seat: str) -> dict[str, Any]:
        own = views[seat].side(int(seat[1]) - 1)
        units = [*own.soldiers, *own.bulwarks]
        return {
            "life": str(own.life),
            "grave": str(own.grave.count),
            "soldiers": len(own.soldiers),
            "bulwarks": len(own.bulwarks),
            "driven": sum(1 for unit in units if unit.driven),
            "trumps": len(own.trumps),
        }

    stage = [request.action for request in reversed(mine.stage)]
    if mine.resolving is not None:
        stage.insert(0, mine.resolving.action)
    return {"stage": stage, "p1": side("p1"), "p2": side("p2"), "hand": mine.p1.hand.count}


@pytest.mark.parametrize("how", ["fast", "instant", "reduced"])
def test_every_event_in_order_to_the_end(
    chromium: Any, site: b.Site, recorded: tuple[str, list[Frame]], how: str
) -> None:
    path, frames = recorded
    visit = b.Visit(chromium, site, speed="instant" if how == "instant" else "fast")
    if how == "reduced":
        visit.page.emulate_media(reduced_motion="reduce")
    open_replay(visit, path)
    visit.page.select_option(".panel select >> nth=2", "4")
    play_to(visit, frames[-1].step, 400)
    expected = [event for frame in frames[1:] for event in told(frame.events)]
    settled(visit, len(expected))
    assert heard(visit) == expected
    kinds = {event["event"] for event in expected}
    assert len(kinds) >= 25, sorted(kinds)
    assert visit.page.evaluate(BOARD) == board_of(frames[-1])
    assert visit.problems == []


def test_board_is_never_ahead(chromium: Any, site: b.Site, recorded: tuple[str, list[Frame]]) -> None:
    """When an event is told, the board still shows what was before it; step by step it ends in the engine's position."""
    path, frames = recorded
    start = next(n for n in range(20, len(frames)) if any(event.event == "damaged" for event in frames[n].events))
    visit = b.Visit(chromium, site, speed="normal")
    open_replay(visit, path, start - 1)
    count = 0
    for step in range(start, min(start + 12, len(frames))):
        visit.page.click("[aria-label='次へ'], .ways button >> nth=2")
        count += len(frames[step].events)
        settled(visit, count)
        assert visit.page.evaluate(BOARD) == board_of(frames[step]), step
        if frames[step].events:
            first = visit.page.evaluate("n => window.played[n]", count - len(frames[step].events))
            before = frames[step - 1].views
            assert first["shown"] == [str(before["p1"].p1.life), str(before["p2"].p2.life)], step
    assert visit.problems == []


def test_skip(chromium: Any, site: b.Site, recorded: tuple[str, list[Frame]]) -> None:
    """Space brings what plays to its end at once."""
    path, frames = recorded
    step = max(
        range(1, len(frames)), key=lambda n: sum(event.count for event in frames[n].events if event.event == "damaged")
    )
    visit = b.Visit(chromium, site, speed="slow")
    open_replay(visit, path, step - 1)
    visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_function(BUSY)
    begun = time.monotonic()
    visit.page.keyboard.press(" ")
    visit.page.wait_for_function("() => !document.querySelector('.motion-node')", timeout=5000)
    assert time.monotonic() - begun < 1.0
    assert visit.page.evaluate(BOARD) == board_of(frames[step])
