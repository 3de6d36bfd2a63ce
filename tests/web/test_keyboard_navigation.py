"""Every screen by keyboard alone: Tab reaches every control, the focus is visible, and there is a way out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit

CARDS = "♠ A 3 4 5 6 7 8 9 10 J\n♡ A 3 4 5 6 7 8 9 10 Q\n♢ A 2 3 5 6 8 9 10 K\n♣ A 2 3 5 6 8 9 10 K\nJK JK2"
SHELF = [
    {"id": "forty", "name": "四十", "frame": "constructed40", "format": "master", "text": f"name: 四十\n{CARDS}"},
    {
        "id": "trumps",
        "name": "切札",
        "frame": "regular",
        "format": "extra",
        "text": f"name: 切札\n{CARDS}\ntrumps: SA DK",
    },
]
STORE_SHELF = """shelf => localStorage.setItem('blackpoker',
  JSON.stringify({...JSON.parse(localStorage.getItem('blackpoker') ?? '{}'), shelf}))"""
#: a path, and the element to wait for
ROOMS = {
    "/": "[data-tile=puzzle] .mini",
    "/play": "[data-level]",
    "/play?with=friend": "[data-frame]",
    "/lobby": "[data-list=shown] .mini",  # independent of other guests
    "/school": "[data-lesson]",
    "/puzzles": ".kinds .mini",
    "/puzzles/hold": ".kind .mini",
    "/decks": "aside .notes li",
    "/decks/forty": ".uses li",
    "/decks/compare?a=forty&b=trumps": ".compare li",
    "/decks/new": "[data-frame]",
    "/rules": ".booklet",
    "/rules/counter": ".boards",
    "/rules/actions": "[data-rule]",
    "/desk": "[data-verdict=good] li",
    "/replays": ".state",
    "/settings": "[data-stop]",
    "/me": "form",
    "/tournament": "[data-do=hold]",
    "/tournament/new": "[data-frame]",
    "/ladder/standard": ".empty",
    "/bots": ".state",
    "/print": "[data-ready=true]",
}
#: number the usable controls; a group navigated by arrows counts as one
NUMBER = """() => {
  const wanted = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const groups = new Map();
  let n = 0;
  for (const e of document.querySelectorAll(wanted)) {
    const style = getComputedStyle(e), r = e.getBoundingClientRect();
    if (e.disabled || e.type === 'hidden' || style.visibility === 'hidden' || !e.checkVisibility()) continue;
    if (!r.width || !r.height || e.closest('[inert], [aria-hidden=true]')) continue;
    const group = e.type === 'radio' ? 'radio ' + e.name
      : e.tabIndex < 0 ? [...document.querySelectorAll('[role=radiogroup], [role=tablist], [role=listbox], [data-zone], [role=toolbar], [role=grid]')].findIndex(g => g.contains(e)) : '';
    if (e.tabIndex < 0 && group === -1) { e.dataset.n = 'lost ' + n++; continue; }
    const key = group === '' ? n++ : groups.get(group) ?? (groups.set(group, n), n++);
    e.dataset.n = key;
  }
  return [...new Set([...document.querySelectorAll('[data-n]')].map(e => e.dataset.n))];
}"""
#: the focused element, and whether the focus is visible
FOCUS = """() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const shown = one => { const s = getComputedStyle(one); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'; };
  const around = [e, e.closest('label'), e.id && document.querySelector(`label[for="${e.id}"]`), e.nextElementSibling, e.parentElement];
  return {n: e.dataset.n ?? '', seen: around.some(one => one && shown(one)), what: e.outerHTML.slice(0, 120)};
}"""
WHAT = "n => document.querySelector(`[data-n='${n}']`).outerHTML.slice(0, 140)"
MOST = 600


@pytest.mark.parametrize("size", SIZES)
def test_tab_goes_through_every_room(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/settings")
    page.wait_for_selector("h1", state="attached")
    page.evaluate(STORE_SHELF, SHELF)
    faults: list[str] = []
    for path, there in ROOMS.items():
        visit.go(path)
        page.wait_for_selector(there, state="attached")
        page.wait_for_load_state("networkidle")
        left = set(page.evaluate(NUMBER))
        assert left, path
        unseen: set[str] = set()
        for _ in range(MOST):
            page.keyboard.press("Tab")
            now = page.evaluate(FOCUS)
            if now is None:  # past the last one: the focus leaves the page
                break
            left.discard(now["n"])
            if not now["seen"]:
                unseen.add(now["what"])
        else:
            faults.append(f"{path}: no end")
        faults += [f"{path} not reached: {page.evaluate(WHAT, n)}" for n in sorted(left)]
        faults += [f"{path} focus not seen: {what}" for what in sorted(unseen)]
    assert faults == []
    assert visit.problems == []
