"""What is felt at the table: clocks in sight, blows with their weight, a second game that begins as the first did."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import Site, Visit

#: both clocks, each whole in the window and on one line
CLOCKS = """() => [...document.querySelectorAll('.person .clock')].map(e => {
  const r = e.getBoundingClientRect();
  const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
  return r.width > 0 && r.height < 44 && r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight
    && !!top && (e.contains(top) || top.contains(e));
})"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (360, 640)])
def test_both_clocks_are_in_sight_on_a_phone(chromium: Any, site: Site, width: int, height: int) -> None:
    visit = Visit(chromium, site, "phone")
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.go("/")
    made = visit.post("/api/rooms", {"regulation": "lite+entry", "opponent": "easy", "clock": {"bank": 754}})
    visit.go(made["path"])
    visit.page.wait_for_selector(".palette")
    visit.page.wait_for_selector(".person .clock", state="attached")
    visit.page.wait_for_timeout(200)
    visit.shot(f"clocks-{width}")
    assert visit.page.evaluate(CLOCKS) == [True, True]
    assert visit.problems == []
    visit.context.close()


def test_the_second_game_of_a_match_of_two_decks(chromium: Any, site: Site) -> None:
    """Its hand is its own: what was held in the first game is not on the table when it is dealt."""
    visit = Visit(chromium, site, "desk", speed="fast")
    page = visit.page
    visit.go("/")
    made = visit.post("/api/rooms", {"regulation": "master+randomhalf", "opponent": "easy"})
    visit.go(made["path"])
    page.wait_for_selector(".palette[data-kind=deck] .pick")
    visit.tap(".palette .list .pick", 0)
    page.wait_for_selector(".hand [data-card]")
    page.wait_for_function("() => !document.querySelector('[data-playing]')")
    page.click(".top button")
    page.click("dialog[open] .danger")
    page.click("dialog[open] .danger")
    page.wait_for_selector(".palette[data-kind=deck] .pick")
    visit.tap(".palette .list .pick", 0)
    page.wait_for_selector(".palette[data-kind=deck]", state="detached")
    page.wait_for_selector(".palette[data-doing=action]")
    held: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.hand [data-card]')].map(e => e.dataset.card)"
    )
    assert len(held) == len(set(held))
    assert len(held) <= 8
    assert visit.problems == []
    visit.context.close()
