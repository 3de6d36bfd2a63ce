"""Rated games in a real browser: two accounts meet from the leaderboard, and are listed there afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.rated_accounts import fill


def good(visit: Visit, name: str) -> None:
    visit.page.wait_for_load_state("networkidle")
    visit.shot(name)
    assert visit.overflow() == [], name
    assert visit.axe() == [], name
    assert visit.problems == [], name


def with_account(chromium: Any, site: Site, size: str, lang: str, name: str) -> tuple[Visit, str]:
    visit = Visit(chromium, site, size, lang)
    visit.go("/settings")
    visit.page.wait_for_load_state("networkidle")  # the page has loaded its identity
    assert visit.post("/api/account", {"name": name, "crest": "HQ"})["name"] == name
    found = visit.page.evaluate("async () => (await fetch('/api/me')).json()")
    return visit, str(found["player"])


def meet(one: Visit, two: Visit) -> None:
    """Wait until both play; on a busy machine a browser may miss a round of the queue and must search again."""
    for _ in range(20):
        for visit in (one, two):
            visit.page.wait_for_selector(".table, [data-do=look-again], .dots")
            if visit.page.locator("[data-do=look-again]").count():
                visit.tap("[data-do=look-again]")
        if one.page.locator(".table").count() and two.page.locator(".table").count():
            return
        one.page.wait_for_timeout(3000)
    raise AssertionError("they did not meet")


@pytest.mark.parametrize(("size", "lang"), [("phone", "ja-JP"), ("desk", "en-US")])
def test_two_are_rated(chromium: Any, site: Site, size: str, lang: str) -> None:
    one, mine = with_account(chromium, site, size, lang, f"Rated {size}")
    two, _ = with_account(chromium, site, "desk", "en-US", f"Rival {size}")
    one.go("/ladder/standard")
    one.page.wait_for_selector("[data-do=rated]")
    good(one, "ladder-empty")
    for visit in (one, two):
        visit.go("/ladder/standard")
        visit.tap("[data-do=rated]")
    meet(one, two)
    two.page.locator(".top button").first.click()
    two.page.click("dialog[open] .danger")
    two.page.click("dialog[open] .danger")
    one.page.wait_for_selector("dialog[open] [data-part=rating]")
    good(one, "end-rated")
    change = one.page.inner_text("dialog[open] [data-part=rating] .change")
    before, after = map(int, one.page.inner_text("dialog[open] [data-part=rating] .num").split(" → "))
    assert after > before
    assert change == f"+{after - before}"
    one.go("/ladder/standard")
    one.page.wait_for_selector(f"tr.own[data-player='{mine}']")
    assert one.page.inner_text("tr.own .points .change") == change
    assert "?" in one.page.inner_text("tr.own .points"), "after one game it is not worth much"
    one.tap("tr.own a")
    one.page.wait_for_selector(".seal.won")
    assert one.page.locator(".change", has_text=change).count() == 1
    good(one, "player-first")


def test_months_of_games(chromium: Any, site: Site) -> None:
    """All parts of a leaderboard and a player's page."""
    visit, mine = with_account(chromium, site, "phone", "ja-JP", "千鶴")
    fill(site.folder / "games.db", mine, games=160)
    visit.go("/ladder/master")
    visit.page.wait_for_selector("tr[data-player]")
    good(visit, "ladder-full")
    visit.go(f"/player/{mine}")
    visit.page.wait_for_selector(".actions li")
    good(visit, "player-full")
    visit.tap("[data-format=extra]")
    visit.page.wait_for_selector(".trumps li")
    good(visit, "player-extra")
