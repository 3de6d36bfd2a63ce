"""The turning points of a finished game: on the end screen, and from there in the replay."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.eager_player import EagerPlayer

#: falls by choices, or other turning points
MOST_POINTS = 8
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
    assert 1 <= links.count() <= MOST_POINTS
    graph = page.locator("dialog[open] .turning figure")
    assert len((graph.locator("polyline").get_attribute("points") or "").split()) > 2
    assert graph.locator(".marks b").count() == links.count()
    assert re.search(r"\d+% → \d+%", links.last.inner_text())
    check_causes(page, lang)
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


def check_causes(page: Any, lang: str) -> None:
    """Every large fall has a sentence of cause; the reader's worst one stands beside the result, with a way back."""
    causes = page.locator("dialog[open] .turning .cause").all_inner_texts()
    assert all(text.endswith("。" if lang == "ja-JP" else ".") for text in causes)
    if page.locator("dialog[open] [data-cause]").count():
        assert any(cause in page.locator("dialog[open] [data-cause]").inner_text() for cause in causes)
        assert page.locator("dialog[open] [data-do=moment]").is_enabled()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_shared_decision_hides_the_answer_at_first(chromium: Any, site: Site, size: str) -> None:
    """The link of the end screen opens the decision with what the player knew; the result is one tap away."""
    visit = Visit(chromium, site, size, "en-US")
    page = visit.page
    give_up(visit)
    page.wait_for_selector("dialog[open] .turning ol a", timeout=60_000)
    page.click("dialog[open] [data-do=share]")
    link = page.locator("dialog[open] input").input_value()
    found = re.search(r"(/replay/[\w-]+)\?step=(\d+)&ask=1$", link)
    assert found is not None, link
    assert f"&step={found[2]}" in (page.locator("dialog[open] img").get_attribute("src") or "")
    page.wait_for_function("() => document.querySelector('dialog[open] img').naturalWidth === 1200")
    visit.go(found[0])
    page.wait_for_selector("[data-ask]")
    assert "What would you do?" in page.locator("[data-ask]").inner_text()
    page.wait_for_selector(".hand [data-card]")
    assert page.locator(".far-hand .known").count() == 0
    assert page.locator(".story").filter(visible=True).count() == 0
    assert visit.overflow() == []
    page.click("[data-do=ask-see]")
    page.wait_for_function(
        "n => document.querySelector('.step strong')?.innerText.match(/\\d+/)[0] === n", arg=str(int(found[2]) + 1)
    )
    assert page.locator("[data-ask]").count() == 0
    visit.go(found[0])
    page.click("[data-do=ask-play]")
    page.wait_for_url("**/room/**")
    page.wait_for_selector(".table")
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
