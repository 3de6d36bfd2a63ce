"""The turning points of a finished game: on the end screen, and from there in the replay."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.eager_player import EagerPlayer

#: taps before resigning
TAPS = 60


@pytest.mark.parametrize(("size", "lang"), [("desk", "ja-JP"), ("phone", "en-US")])
def test_turning_points(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    give_up(visit)
    page.wait_for_selector("dialog[open] .turning ol", timeout=60_000)
    page.wait_for_timeout(300)
    visit.shot("turning-top")
    assert visit.axe() == []
    links = page.locator("dialog[open] .turning a")
    assert 1 <= links.count() <= 4
    graph = page.locator("dialog[open] .turning figure")
    assert len((graph.locator("polyline").get_attribute("points") or "").split()) > 2
    assert graph.locator(".marks b").count() == links.count()
    assert re.search(r"\d+% → \d+%", links.last.inner_text())
    wide = page.evaluate(
        "() => { const e = document.querySelector('dialog[open]'); return e.scrollWidth - e.clientWidth }"
    )
    assert wide <= 0
    links.last.scroll_into_view_if_needed()
    visit.shot("turning-end")
    step = (links.last.get_attribute("href") or "").partition("?step=")[2]
    links.last.click()
    page.wait_for_function("n => document.querySelector('.step strong')?.innerText.match(/\\d+/)[0] === n", arg=step)
    assert page.url.endswith(f"?step={step}")
    if visit.size == "phone":
        page.click("[data-do=more]")
    page.wait_for_selector(".story .turning a .mini")  # a chapter has its board
    first = page.locator(".story .turning a").first
    step = (first.get_attribute("href") or "").partition("?step=")[2]
    first.click()
    page.wait_for_function("n => document.querySelector('.step strong')?.innerText.match(/\\d+/)[0] === n", arg=step)
    page.wait_for_timeout(300)
    visit.shot("turning-replay")
    assert visit.overflow() == []
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def test_an_analysis_that_fails_spoils_nothing(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "phone")
    visit.page.route("**/turning-points", lambda route: route.fulfill(status=503, body="down"))
    visit.forgive = True
    give_up(visit, 0)
    visit.page.wait_for_selector("dialog[open] .turning[aria-busy=false]")
    assert visit.page.locator("dialog[open] .turning li").count() == 0
    visit.shot("turning-failed")
    visit.page.click("dialog[open] a[href*='/replay/']")
    visit.page.wait_for_selector(".step")
    visit.context.close()


def give_up(visit: Visit, taps: int = TAPS) -> None:
    """Play a game against the computer and resign if it lasts longer than ``taps``."""
    page = visit.page
    visit.start_game()
    page.wait_for_selector(".table")
    hand = EagerPlayer(visit, 7)
    end = time.monotonic() + 120
    while taps > 0 and (what := hand.tap()) != "over":
        assert time.monotonic() < end, hand.read_page()
        if what == "wait":
            page.wait_for_timeout(25)
        else:
            taps -= 1
    if not hand.read_page()["over"]:
        page.click(".top button")
        page.click("dialog[open] .button.danger")
        page.click("dialog[open] .button.danger")
    page.wait_for_selector("#end-title")
