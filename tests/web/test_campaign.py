"""The campaign: seven masks, card backs and tables that are won, and that the opponent sees the chosen back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit

#: script: store a collection before the page opens
WON = """try { if (!localStorage.getItem('blackpoker-collection'))
  localStorage.setItem('blackpoker-collection', JSON.stringify(%s)); } catch {}"""
#: fill of a side's card backs
BACK = "side => document.querySelector(`#back-${side} stop`)?.getAttribute('stop-color')"


def visit_with(chromium: Any, site: Site, won: dict[str, Any], size: str = "desk", lang: str = "en-US") -> Visit:
    visit = Visit(chromium, site, size, lang)
    visit.context.add_init_script(WON % json.dumps({"back": "", "ground": "", "won": won, "seasons": {}}))
    return visit


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["ja-JP", "en-US"])
def test_backs_are_won_and_never_bought(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = visit_with(chromium, site, {"easy": ["a", "b", "c", "d"]}, size, lang)
    page = visit.page
    visit.go("/campaign")
    page.wait_for_selector("[data-mask]")
    assert page.locator("[data-mask]").count() == 7
    assert page.locator("[data-back]").count() == 18
    assert page.locator("[data-back]:enabled").count() == 2, "only those of the start"
    assert page.locator("[data-table-choice]:enabled").count() == 2
    visit.shot(f"campaign-{lang[:2]}")
    assert visit.overflow() == []
    assert visit.axe() == []
    page.evaluate(
        "() => { const kept = JSON.parse(localStorage.getItem('blackpoker-collection'));"
        " kept.won.easy.push('e'); localStorage.setItem('blackpoker-collection', JSON.stringify(kept)); }"
    )
    page.reload()
    page.wait_for_selector("[data-back=foxfire]:enabled")
    page.click("[data-back=foxfire]")
    assert page.get_attribute("[data-back=foxfire]", "aria-pressed") == "true"
    assert page.evaluate(BACK, "near") == "#a85a1c"
    page.reload()
    page.wait_for_selector("[data-back=foxfire][aria-pressed=true]")
    assert page.evaluate(BACK, "near") == "#a85a1c", "kept on the device"
    assert visit.problems == []
    visit.context.close()


def test_every_deck_of_a_mask_can_be_copied_and_is_legal(chromium: Any, site: Site) -> None:
    visit = visit_with(chromium, site, {})
    page = visit.page
    visit.go("/campaign")
    masks = page.locator("[data-mask]")
    for n in range(masks.count()):
        masks.nth(n).click()
        page.click("[data-do=copy]")
        page.wait_for_selector(".words [role=status]")
    shelf = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker')).shelf")
    assert len(shelf) == 7
    for deck in shelf:
        format = "extra" if "trumps" in deck["text"] else "master"
        answer = visit.post("/api/decks/check", {"regulation": f"{format}+{deck['frame']}", "deck": deck["text"]})
        assert answer["legal"], (deck, answer)
    assert visit.problems == []
    visit.context.close()


def test_the_opponent_sees_the_chosen_back(chromium: Any, site: Site) -> None:
    """Two people: each sees the other's back; against a mask it is the mask's own."""
    host = visit_with(chromium, site, {"easy": list("abcde")})
    host.go("/campaign")
    host.page.click("[data-back=foxfire]")
    guest = visit_with(chromium, site, {})
    guest.go("/")
    room = host.post("/api/rooms", {"opponent": "human", "listed": False, "window_ms": 0})
    for visit in (host, guest):
        visit.go(room["path"])
        visit.page.click("[data-do=ready]")
    for visit in (host, guest):
        visit.page.wait_for_selector(".table")
    assert guest.page.evaluate(BACK, "far") == "#a85a1c"
    assert host.page.evaluate(BACK, "near") == "#a85a1c"
    assert host.page.evaluate(BACK, "far") != "#a85a1c"
    guest.start_game(level="easy")
    guest.page.wait_for_selector(".table")
    guest.page.wait_for_function("() => document.documentElement.dataset.ground === 'leaves'")
    assert guest.page.evaluate(BACK, "far") == "#a85a1c", "the fox's own back"
    for visit in (host, guest):
        assert visit.problems == []
        visit.context.close()


def test_home_shows_the_campaign(chromium: Any, site: Site) -> None:
    visit = visit_with(chromium, site, {"tanuki": ["a"]})
    page = visit.page
    visit.context.add_init_script("localStorage.setItem('blackpoker-school', JSON.stringify({guided: true}))")
    visit.go("/")
    tile = page.locator("[data-tile=campaign]")
    tile.wait_for()
    assert "1 of 7" in tile.inner_text()
    assert visit.overflow() == []
    visit.shot("home-campaign")
    tile.click()
    page.wait_for_selector("[data-mask=easy][aria-pressed=true]")
    assert visit.problems == []
    visit.context.close()
