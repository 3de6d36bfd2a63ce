"""Decks on the page: several with names, what they are made of, a link, trumps with their texts, chosen at set-up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.test_screens import LANGUAGES, SIZES


def choose(page: Any, format: str, frame: str) -> None:
    page.locator("main select").nth(0).select_option(format)
    page.locator("main select").nth(1).select_option(frame)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_named_decks_figures_link_and_trumps(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/decks")
    page.wait_for_selector("main select")
    choose(page, "extra", "regular")
    page.click("[data-do=all]")
    page.locator("main input[maxlength='40']").fill("赤い月")
    page.click("[data-trump=S2]")
    page.click("[data-trump=H3]")
    assert page.locator("[data-trump=D9]").is_disabled()  # two are the most
    page.click("[data-do=use]")
    page.wait_for_selector(".good")
    page.click("[data-do=new]")
    page.click("[data-do=all]")
    page.click("[data-do=keep]")
    assert page.locator("[data-deck]").count() == 2
    page.locator("[data-deck]").first.click()
    assert page.locator("[data-trump=S2][aria-pressed=true]").count() == 1
    assert page.locator(".figures tbody tr").count() == 4
    visit.shot(f"decks-{lang[:2]}")
    assert visit.overflow() == []
    assert visit.axe() == []

    page.locator("textarea").fill("スペード Ａ ２ ３\nハートの５、クラブ６\n切札：♠A")
    page.locator("textarea").blur()
    page.wait_for_selector(".problem")  # too few, in words
    assert page.locator(".grid .inside").count() == 5
    assert "R-190" in page.inner_text(".problem")

    page.locator("[data-deck]").first.click()
    page.evaluate(
        "() => { navigator.share = undefined; navigator.clipboard.writeText = async text => { window.link = text } }"
    )
    page.click("[data-do=share]")
    link = page.evaluate("() => window.link")
    other = Visit(chromium, site, size, lang)
    other.page.goto(link)
    other.page.wait_for_selector("[data-trump=S2][aria-pressed=true]")
    assert other.page.locator("main input[maxlength='40']").input_value() == "赤い月"
    other.context.close()

    made = visit.post("/api/rooms", {"regulation": "extra+regular", "opponent": "random"})
    visit.go(made["path"])
    page.wait_for_selector(".palette .pick")
    page.wait_for_function("() => document.querySelectorAll('.palette .pick.chosen').length === 2")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_how_a_random_half_is_split(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/decks")
    page.wait_for_selector("main select")
    choose(page, "master", "randomhalf")
    page.locator("[data-split]").fill("20")
    page.click("[data-do=use]")
    page.wait_for_selector(".good")
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker')).decks['master+randomhalf']")
    assert kept == "split: 20"
    assert visit.problems == []
    visit.context.close()
