"""The picture for streams: everything a spectator may see, in the page's own cards, and reachable from the room's menu."""

from __future__ import annotations

from typing import Any

from tests.web.browser import Site, Visit

POSITION = """format = "extra"
turn_number = 7
[p1]
life = 14
trumps = "T:S3 t:D9"
grave = "H4 S7"
hand = "SA H3 H7 C9"
field = "S5 H9 SK(d)"
bulwarks = "D2 D3 C2(d)"
[p2]
life = 9
trumps = "T:S2 t:H5"
grave = "C6"
hand = "C4 D8 S6"
field = "H8 D10 S9"
bulwarks = "D4 C5(d)"
"""
#: names of the symbols that the faces of a side consist of
FACES = """side => [...document.querySelectorAll(side + " use")].map(use => use.getAttribute("href").slice(1))
  .filter(id => id.startsWith("m-")).map(id => id.slice(2))"""


def test_an_overlay_shows_trumps_and_graves_and_no_secret(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "desk", "en-US")
    visit.go("/desk")
    visit.page.locator("textarea").first.fill(POSITION)
    visit.page.click("[data-do=play]")
    visit.page.wait_for_selector(".palette[data-doing=action]")
    visit.page.get_by_role("button", name="Menu").first.click()
    link = visit.page.locator("dialog[open] [data-do=overlay]")
    assert link.get_attribute("target") == "_blank"
    visit.go(link.get_attribute("href") or "")
    visit.page.wait_for_selector(".overlay .side header")
    near, far = (visit.page.evaluate(FACES, f".side.{side}") for side in ("near", "far"))
    assert sorted(near) == sorted(["SK", "S7", "S5", "H9", "SK"])  # crest, top of the grave, soldiers
    assert sorted(far) == sorted(["HQ", "C6", "H8", "D10", "S9"])
    text = visit.page.locator(".overlay").inner_text()
    for shown in ("Drain", "Slash", "grave 2", "grave 1", "hand 4", "hand 3", "10+", "9"):
        assert shown in text, shown
    assert visit.page.locator(".side.near .trump").count() == 2
    assert visit.problems == []
    visit.context.close()
