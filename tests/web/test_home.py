"""Coming back: a game that was left goes on, a lobby with three rooms, something to watch, replays with their facts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.hands import Hands
from tests.web.test_screens import LANGUAGES, SIZES


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_resume_after_leaving(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/")
    page.wait_for_selector("[data-tile=learn]")
    assert page.locator("[data-tile=resume]").count() == 0
    page.click("[data-do=now]")
    page.wait_for_selector(".table")
    Hands(visit).asked(0)
    where = page.url
    before = page.evaluate("() => document.querySelectorAll('.hand .slot').length")
    visit.go("/")
    page.wait_for_selector("[data-tile=resume]")
    page.wait_for_timeout(400)
    visit.shot(f"home-resume-{lang[:2]}")
    assert visit.overflow() == []
    assert visit.axe() == []
    page.click("[data-tile=resume]")
    page.wait_for_selector(".table")
    Hands(visit).asked(0)
    assert page.url == where
    assert page.evaluate("() => document.querySelectorAll('.hand .slot').length") >= before
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lobby_with_three_rooms(chromium: Any, site: Site, size: str, lang: str) -> None:
    """One waits, one is played, one is nobody's business."""
    host, guest, third = (Visit(chromium, site, size, lang) for _ in range(3))
    for visit in (host, guest, third):
        visit.go("/")
        visit.page.wait_for_selector("[data-do=now]")
    played = host.post("/api/rooms", {"opponent": "human", "listed": True, "window_ms": 0})
    secret = host.post("/api/rooms", {"opponent": "human"})
    for visit in (host, guest):
        visit.go(played["path"])
        visit.page.click("[data-do=ready]")
    for visit in (host, guest):
        visit.page.wait_for_selector(".table")
    opener = Visit(chromium, site, size, lang)
    opener.go("/lobby")
    opener.page.wait_for_selector("[data-wait]")
    opener.page.click("[data-do=open]")
    opener.page.wait_for_selector("[data-do=ready]")

    page = third.page
    third.go("/lobby")
    page.wait_for_selector("[data-list=open] [data-room]")
    page.wait_for_selector("[data-list=live] [data-room]")
    mine = page.locator(f"[data-room='{played['room']['id']}']")
    assert mine.count() == 1
    assert page.locator(f"[data-room='{secret['room']['id']}']").count() == 0
    assert page.locator("[data-list=shown] a").count() >= 1
    page.wait_for_timeout(300)
    third.shot(f"lobby-{lang[:2]}")
    assert third.overflow() == []
    assert third.axe() == []
    mine.click()  # to watch
    page.wait_for_selector(".table")
    assert page.locator(".dock [data-do=confirm]").count() == 0
    third.go("/lobby")
    page.locator("[data-list=open] [data-room]").first.click()
    page.wait_for_selector("[data-do=ready]")  # a seat
    for visit in (host, guest, third, opener):
        assert visit.problems == []
        visit.context.close()


def test_there_is_always_something_to_watch(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site)
    page = visit.page
    visit.go("/lobby")
    page.locator("[data-list=shown] a").first.click()
    page.wait_for_selector(".step")
    page.wait_for_function(
        "() => / [1-9]/.test(document.querySelector('.step').innerText) || /[1-9]\\d* \\//.test(document.querySelector('.step').innerText)"
    )
    assert visit.problems == []
    visit.context.close()
