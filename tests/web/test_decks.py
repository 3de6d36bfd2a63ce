"""Decks on the page: a shelf with boxes, a builder with statistics, trumps with their whole effect, a share link."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.test_screens import LANGUAGES

STUB = "() => { navigator.share = undefined; navigator.clipboard.writeText = async text => { window.link = text } }"


def start_deck(visit: Visit, frame: str, how: str = "sample") -> None:
    visit.go("/decks")
    visit.tap("[data-do=new]")
    visit.tap(f"[data-frame={frame}]")
    visit.tap(f"[data-do={how}]")
    visit.page.wait_for_selector("[data-put=SA]")


def save(visit: Visit) -> None:
    visit.tap("[data-do=keep]" if visit.size == "desk" else "[data-do=keep-small]")
    visit.page.wait_for_selector("[data-do=keep]:disabled", state="attached")


def check_screen(visit: Visit, name: str) -> None:
    visit.page.wait_for_timeout(250)
    visit.shot(name)
    assert visit.overflow() == [], name
    assert visit.axe() == [], name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_deck_is_built_from_a_sample_and_played(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    start_deck(visit, "constructed40")
    check_screen(visit, f"decks-builder-{lang[:2]}")
    assert page.inner_text("[data-count]") == "40"
    visit.tap("[data-put=DJ]")  # one too many: explained in words, and saving is disabled
    page.wait_for_selector(".notes .problem", state="attached")
    assert page.locator("[data-do=keep]").is_disabled()
    visit.tap("[data-put=D2]")
    page.wait_for_selector(".notes .problem", state="detached")
    assert page.locator(".uses li").count() > 20
    visit.tap("[data-do=seven]")
    page.wait_for_selector(".fan span")
    page.keyboard.press("u")
    assert page.inner_text("[data-count]") == "41"
    visit.tap("[data-put=D2]")
    page.locator("main input[maxlength='40']").fill("赤い月")
    save(visit)
    visit.go("/decks")
    page.wait_for_selector("[data-deck]")
    check_screen(visit, f"decks-shelf-{lang[:2]}")
    visit.tap("[data-do=use]")
    page.wait_for_url("**/play")
    stored = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker'))")
    assert stored["regulation"] == "master+constructed40"
    assert stored["decks"]["standard+constructed40"] == stored["shelf"][0]["text"]
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_trumps_have_their_whole_effect_and_a_deck_is_passed_on(
    chromium: Any, site: Site, size: str, lang: str
) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    start_deck(visit, "regular")
    page.locator("main input[maxlength='40']").fill("赤い月")
    page.locator("[data-do=format]").select_option("extra")
    visit.tap("[data-do=trumps]")
    visit.page.wait_for_selector("[data-set]")
    assert visit.page.locator("[data-set]").count() == 3, "three pairs before the wall of thirty"
    first = visit.page.locator("[data-set]").first
    first.click()
    visit.page.wait_for_selector("[data-set=few][aria-pressed=true]")
    assert visit.page.locator(".do [data-do=decide]").inner_text().find("2") >= 0
    visit.shot(f"decks-trump-sets-{lang[:2]}")
    for name in visit.page.locator(".picked + .row button").all_inner_texts():
        assert name in first.inner_text()
    for _ in range(2):  # and out again, for the choice by hand below
        visit.page.locator(".picked + .row button").first.click()
        visit.tap("[data-do=choose]")
    for card in ("S2", "SK"):
        visit.tap(f"[data-trump={card}]")
        visit.tap("[data-do=choose]")
    assert page.locator(".whole ol li").count() == 4  # all clauses of 魔王召喚
    check_screen(visit, f"decks-trumps-{lang[:2]}")
    visit.tap("[data-trump=D9]")
    visit.tap("[data-do=choose]")  # a third one: one must be dropped
    page.locator("aside .row .button", has_text="スラッシュ" if lang[:2] == "ja" else "Slash").last.click()
    visit.tap("[data-do=decide]")
    save(visit)
    visit.go("/decks")
    page.evaluate(STUB)
    visit.tap("[data-do=share]")
    visit.tap("[data-do=send]")
    link = page.evaluate("() => window.link")
    other = Visit(chromium, site, size, lang)
    other.page.goto(link)
    other.page.wait_for_selector("[data-deck]")
    shelf = other.page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker')).shelf")
    assert [(one["name"], "DK" in one["text"], "D9" in one["text"]) for one in shelf] == [("赤い月", True, True)]
    other.context.close()

    page.click("[data-do=close]")
    visit.tap("[data-do=use]")
    page.wait_for_url("**/play")
    made = visit.post("/api/rooms", {"regulation": "extra+regular", "opponent": "random"})
    visit.go(made["path"])
    page.wait_for_selector(".palette .pick")
    page.wait_for_function("() => document.querySelectorAll('.palette .pick.chosen').length === 2")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_two_decks_beside_each_other_and_a_text_with_a_foreign_card(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    start_deck(visit, "constructed40")  # on the shelf at once
    visit.go("/decks")
    page.wait_for_selector("[data-deck]")
    page.locator("button[data-do=read]:visible, .tools button:visible").first.click()
    page.locator("dialog textarea").fill("スペード Ａ ２ ３ １４\nハートの５、クラブ６")
    visit.tap("[data-do=read-it]")
    page.wait_for_selector("dialog .problem")
    check_screen(visit, "decks-unread")
    visit.tap("[data-do=rest]")
    page.wait_for_function("() => document.querySelectorAll('[data-deck]').length === 2")
    page.wait_for_selector(".notes .problem")  # too few, in words, with the ruling
    assert "R-190" in page.inner_text(".notes .problem")
    assert page.locator("[data-do=use]").is_disabled()
    visit.tap("[data-do=compare]")
    visit.tap("[data-with]")
    page.wait_for_selector(".compare li")
    check_screen(visit, "decks-compare")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_how_a_random_half_is_split(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/decks/new")
    visit.tap("[data-frame=randomhalf]")
    page.locator("[data-split]").fill("20")
    check_screen(visit, "decks-frames")
    visit.tap("[data-do=use]")
    stored = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker')).decks['master+randomhalf']")
    assert stored == "split: 20"
    assert visit.problems == []
    visit.context.close()
