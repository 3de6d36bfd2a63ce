"""A visited room leaves nothing behind: no nodes, no listeners, no warnings of the page."""

from __future__ import annotations

import os
from typing import Any

from tests.web.browser import Site, Visit

ROOMS = 25 if os.environ.get("BLACKPOKER_LONG") else 8


def move_to(visit: Visit, path: str) -> None:
    """Open another screen without loading the page again."""
    script = "path => { history.pushState({behind: 1}, '', path); dispatchEvent(new PopStateEvent('popstate')) }"
    visit.page.evaluate(script, path)


def counters(visit: Visit, session: Any) -> dict[str, int]:
    """Return the page's counts on the start screen; the screen before it is still in memory, so it is always one."""
    move_to(visit, "/settings")
    visit.page.locator("h1").first.wait_for()
    move_to(visit, "/play?with=ai")
    visit.page.locator("[data-do=start]").wait_for()
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
        visit.page.wait_for_timeout(100)
    found: dict[str, int] = session.send("Memory.getDOMCounters")
    return found


def play_and_leave(visit: Visit, number: int) -> None:
    """Start a game against the computer, tap something, and leave in the middle."""
    page = visit.page
    page.locator("[data-do=start]").click()
    page.locator("[data-zone=palette] :is([data-action], [data-word])").first.click()
    if number % 2 and page.locator("[data-do=confirm], [data-do=all]").count():
        page.wait_for_timeout(800)  # a new button ignores early taps
        page.locator("[data-do=confirm]:enabled, [data-do=all]:enabled").first.click()
    move_to(visit, "/play?with=ai")
    page.locator("[data-do=start]").wait_for()


def test_visited_rooms_leave_nothing_behind(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, speed="normal")
    session = visit.context.new_cdp_session(visit.page)
    visit.go("/play?with=ai")
    for number in range(2):  # whatever is loaded once is loaded
        play_and_leave(visit, number)
    before = counters(visit, session)
    for number in range(ROOMS):
        play_and_leave(visit, number)
    after = counters(visit, session)
    assert after["nodes"] <= before["nodes"] * 1.1
    assert after["jsEventListeners"] <= before["jsEventListeners"] * 1.1
    assert visit.problems == []
