"""Every screen at both sizes and in both languages: nothing sticks out, nothing is inaccessible, nothing fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit

CROWD = """format = "master"
[p1]
life = 20
hand = "SA SK CA CK HA DA DK"
field = "S2 S3(d) S4 S5(d) S6 S7(d) S8 S9(d) S10 H2"
bulwarks = "D2 D3(d) D4 D5(d) D6 D7(d) D8 D9 D10 C2"
[p2]
life = 20
field = "S2 S3 S4 S5 S6 S7 S8 S9 S10 H2 H3(d) H4(d) H5(d) H6(d) H7(d) H8(d) H9(d) H10(d) D2(d) D3(d)"
"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["ja-JP", "en-US"])
def test_every_screen(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    for path in ("", "rules", "settings", "replays", "decks", "desk", "tutorial", "nothing"):
        visit.go("/" + path)
        visit.page.wait_for_selector("h1")
        if path == "tutorial":
            visit.page.wait_for_selector(".palette .action")
        visit.page.wait_for_timeout(250)
        visit.shot(f"{path or 'home'}-{lang[:2]}")
        assert visit.overflow() == [], path
        assert visit.axe() == [], path
    visit.go("/")
    visit.page.click(".tile.main")
    visit.page.wait_for_selector("dialog[open] select")
    visit.shot(f"choose-{lang[:2]}")
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_twenty_units_fit(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    visit.go("/")
    visit.page.wait_for_selector("h1")
    made = visit.post("/api/positions/play", {"position": CROWD, "opponent": "easy"})
    visit.go(made["path"])
    visit.page.wait_for_selector(".unit")
    visit.page.wait_for_timeout(600)
    visit.shot("crowd")
    assert visit.page.locator(".unit").count() == 40
    assert visit.overflow() == []
    cut = visit.page.evaluate(
        "() => [...document.querySelectorAll('.unit')].filter(e => { const r = e.getBoundingClientRect(),"
        " b = e.closest('.units').getBoundingClientRect();"
        " return r.left < b.left - 1 || r.right > b.right + 1 || r.top < b.top - 1 || r.bottom > b.bottom + 1 || r.width < 14 }).length"
    )
    assert cut == 0
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def test_a_deck_with_a_mistake_is_refused(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "phone", "en-US")
    visit.go("/decks")
    visit.page.wait_for_selector(".grid .card")
    visit.page.get_by_text("Put all in").click()
    visit.page.get_by_text("Check", exact=True).click()
    visit.page.wait_for_selector(".problem")
    assert "54 cards" in visit.page.inner_text(".problem")
    for place in range(14):
        visit.page.locator(".grid .card").nth(place * 3).click()
    visit.page.get_by_text("Use it for these rules").click()
    visit.page.wait_for_selector(".good")
    visit.shot("deck-legal")
    assert visit.problems == []
    visit.context.close()


def test_a_judge_tries_a_position(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "desk", "en-US")
    visit.go("/desk")
    visit.page.get_by_text("Examine", exact=True).click()
    visit.page.wait_for_selector("ul li .chip")
    visit.shot("desk-examined")
    visit.page.locator("textarea").nth(1).fill("p1: summon_soldier S7 $b1\nexpect stage summon_soldier\n")
    visit.page.get_by_text("Run the scenario").click()
    visit.page.wait_for_selector(".good")
    visit.page.locator("textarea").nth(1).fill("p1: summon_soldier S7 $b1\nexpect stage empty\n")
    visit.page.get_by_text("Run the scenario").click()
    visit.page.wait_for_selector("[role=status] .problem")
    with visit.page.expect_download() as saved:
        visit.page.get_by_text("Save as a scenario").click()
    assert saved.value.suggested_filename.endswith(".toml")
    assert visit.problems == []
    visit.context.close()
