"""Every screen at both sizes and in both languages: no overflow, no accessibility violations, no errors."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit

LANGUAGES = ["ja-JP", "en-US"]
PATHS = (
    "",
    "rules",
    "settings",
    "replays",
    "decks",
    "desk",
    "school",
    "school/life",
    "nothing",
    "room/nothing",
    "replay/nothing",
)
KANA = re.compile(r"[\u3040-\u30ff]")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_screen(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    for path in PATHS:
        visit.forgive = path == "replay/nothing"  # the server responds that there is none
        visit.go("/" + path)
        page.wait_for_selector("h1")
        if path == "school":
            page.wait_for_selector("[data-lesson=trump_clubs]")
        elif path == "school/life":
            page.wait_for_selector(".lesson[data-state=open]")
        elif path == "room/nothing":
            page.wait_for_selector(".state.gone")
        check_screen(visit, f"{path.replace('/', '-') or 'home'}-{lang[:2]}")
        if lang == "en-US":
            body_text = page.inner_text("body").replace("日本語", "")
            assert not KANA.search(body_text) or path in ("rules", "decks"), body_text  # those show both names
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_screens_that_open_fit_the_window(chromium: Any, site: Site, size: str, lang: str) -> None:
    """Every way to start a game, the invitation from both sides, a rule, a deck of every frame."""
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/")
    page.click("[data-do=choose]:visible, .tabs [href='/play']:visible")  # a phone has a tab for it
    page.wait_for_selector("[data-level=easy]")
    check_screen(visit, f"choose-{lang[:2]}")
    for way in ("both", "anybody", "friend"):
        page.click(f"[data-with={way}]")
        check_screen(visit, f"choose-{way}-{lang[:2]}")
    page.click("[data-do=start]")
    page.wait_for_selector("input.link", state="attached")
    page.wait_for_selector("text=✓")  # the host is ready
    check_screen(visit, f"waiting-{lang[:2]}")
    guest = Visit(chromium, site, size, lang)
    guest.go(page.evaluate("() => location.pathname"))
    guest.page.wait_for_selector("[data-do=ready]")
    check_screen(guest, f"letter-{lang[:2]}")
    assert guest.problems == []
    guest.context.close()
    visit.go("/rules")
    page.wait_for_selector("input")
    page.locator("input").first.fill("R-32")
    check_screen(visit, f"rules-found-{lang[:2]}")
    visit.go("/decks/new")
    page.wait_for_selector("[data-frame]")
    for frame in page.locator("[data-frame]").evaluate_all("all => all.map(e => e.dataset.frame)"):
        page.click(f"[data-frame={frame}]")
        page.wait_for_timeout(60)
        assert visit.overflow() == [], frame
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def check_screen(visit: Visit, name: str) -> None:
    visit.page.wait_for_timeout(250)
    visit.shot(name)
    assert visit.overflow() == [], name
    assert visit.axe() == [], name
