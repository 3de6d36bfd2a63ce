"""WCAG 2.2 AA in a browser: 400 % zoom, target size, focus that stays visible, forced colours, no keyboard traps."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.test_boards import arrange
from tests.web.test_keyboard_navigation import ROOMS, SHELF, STORE_SHELF

#: 1280 × 1024 px at 400 % and 200 %
ZOOM = {"zoom400": (320, 256), "zoom200": (640, 512)}
#: by how much the page scrolls sideways, and what does; a rounded pixel is none
WIDTH = """() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide <= 1) return [];
  return [wide + ' px', ...[...document.querySelectorAll('body *')].filter(e => {
    const r = e.getBoundingClientRect();
    return r.width && r.right > innerWidth + 1 && !e.closest('.sr');
  }).slice(0, 3).map(e => e.outerHTML.slice(0, 100))];
}"""
#: the reason why the focused element cannot be seen; empty if it can, "end" outside of the page
HIDDEN = """() => {
  const e = document.activeElement;
  if (!e || e === document.body) return 'end';
  const shown = e.matches('.sr') || getComputedStyle(e).opacity === '0' ? e.closest('label') ?? e.parentElement : e;
  const r = shown.getBoundingClientRect(), what = shown.outerHTML.slice(0, 140);
  if (r.bottom < 1 || r.top > innerHeight - 1 || r.right < 1 || r.left > innerWidth - 1) return 'outside: ' + what;
  for (let y = 0.1; y < 1; y += 0.2) for (let x = 0.1; x < 1; x += 0.2) {
    const [px, py] = [r.left + r.width * x, r.top + r.height * y];
    const top = px < 0 || py < 0 ? null : document.elementFromPoint(px, py);
    if (top && (shown.contains(top) || top.contains(shown))) return '';
  }
  return 'covered: ' + what;
}"""
MOST = 600
POSITION = """format = "extra"
turn_number = 7
[p1]
life = 14
hand = "SA H3 C7 D5 JK"
field = "S5 H9 CK"
bulwarks = "D2 C3"
grave = "D9(public)"
[p2]
life = 19
hand = "C4"
field = "H8 D10"
bulwarks = "D4"
"""


def zoomed(browser: Any, site: Site, size: str) -> Visit:
    SIZES.update(ZOOM)
    visit = Visit(browser, site, size, lang="en-US")
    visit.go("/settings")
    visit.page.wait_for_selector("h1", state="attached")
    visit.page.evaluate(STORE_SHELF, SHELF)
    return visit


@pytest.mark.parametrize("size", ZOOM)
def test_text_reflows_at_zoom(chromium: Any, site: Site, size: str) -> None:
    """Nothing is lost and nothing scrolls sideways, on any screen; axe includes the target size."""
    visit = zoomed(chromium, site, size)
    faults: list[str] = []
    for path, there in ROOMS.items():
        visit.go(path)
        visit.page.wait_for_selector(there, state="attached")
        visit.page.wait_for_load_state("networkidle")
        faults += [f"{path} wide: {what}" for what in visit.page.evaluate(WIDTH)]
        faults += [f"{path} {fault}" for fault in visit.axe()]
    arrange(visit, POSITION, {})
    faults += [f"table wide: {what}" for what in visit.page.evaluate(WIDTH)]
    faults += [f"table {fault}" for fault in visit.axe()]
    assert faults == []
    visit.context.close()


def test_the_focus_stays_visible(chromium: Any, site: Site) -> None:
    """Bars that stay on screen never cover the focused element, and Tab always leaves."""
    faults: list[str] = []
    for size in ("desk", "phone"):
        visit = zoomed(chromium, site, size)
        for path, there in ROOMS.items():
            visit.go(path)
            visit.page.wait_for_selector(there, state="attached")
            visit.page.wait_for_load_state("networkidle")
            for _ in range(MOST):
                visit.page.keyboard.press("Tab")
                found = visit.page.evaluate(HIDDEN)
                if found == "end":
                    break
                if found:
                    faults.append(f"{size} {path} {found}")
            else:
                faults.append(f"{size} {path}: Tab does not leave")
        visit.context.close()
    assert sorted(set(faults)) == []


@pytest.mark.parametrize("media", [{"forced_colors": "active"}, {"contrast": "more"}])
def test_forced_colours_and_contrast(chromium: Any, site: Site, media: dict[str, str]) -> None:
    """States of cards are shown without shadows: offered and chosen cards have an outline."""
    visit = Visit(chromium, site, lang="en-US")
    visit.page.emulate_media(**media)
    arrange(visit, POSITION, {})
    card = visit.page.locator(".hand .slot").first
    card.click()
    visit.page.wait_for_selector(".hand .slot.chosen")
    style = card.evaluate("e => [getComputedStyle(e).outlineStyle, parseFloat(getComputedStyle(e).outlineWidth)]")
    visit.shot(f"table-{next(iter(media))}")
    if "forced_colors" in media:  # axe computes contrast from the page's own colours, which forced colours replace
        assert style[0] != "none", style
        assert style[1] >= 3, style
    else:
        assert visit.axe() == []
    visit.context.close()
