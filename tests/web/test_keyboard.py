"""A whole Lite game by keyboard alone: no clicks, and focus only by keys."""

from __future__ import annotations

import time
from typing import Any

from tests.web.browser import Site, Visit
from tests.web.eager_player import EagerPlayer
from tests.web.page_driver import PageDriver
from tests.web.test_boards import arrange

PATIENCE = 300.0
FOCUSED = """() => {
  const e = document.activeElement, zone = e.closest('[data-zone]');
  if (!zone) return {zone: '', place: -1, many: 0};
  const all = [...zone.querySelectorAll('button, summary')].filter(e => e.offsetParent);
  return {zone: zone.dataset.zone, place: all.indexOf(e), many: all.length};
}"""
PLACES = """selector => {
  const zone = document.querySelector('[data-zone=palette]');
  const all = [...zone.querySelectorAll('button, summary')].filter(e => e.offsetParent);
  return [...zone.querySelectorAll(selector)].map(e => all.indexOf(e));
}"""


class Typist(EagerPlayer):
    """Eager, without a mouse."""

    def __init__(self, visit: Visit, seed: int) -> None:
        super().__init__(visit, seed)
        self.keys = 0

    def press(self, key: str) -> None:
        self.visit.page.keyboard.press(key)
        self.keys += 1

    def main(self) -> None:
        now = self.read_page()
        if now["main"] in ("pass", "end"):
            self.press("p" if now["main"] == "pass" else "e")
            return
        for _ in range(12):  # leave the list, in which Enter would choose
            if self.visit.page.evaluate(FOCUSED)["zone"] != "palette" or now["whole"] or now["chosen"]:
                break
            self.press("ArrowUp")
        self.press("Enter")

    def pick(self, place: int) -> None:
        self.choose_in_palette(".list .pick", place)

    def action(self, place: int) -> None:
        self.choose_in_palette(".action", place)

    def choose_in_palette(self, selector: str, place: int) -> None:
        """Move by arrows to the list and along it, and choose with the space bar."""
        page = self.visit.page
        for _ in range(60):
            places = page.evaluate(PLACES, selector)
            if place >= len(places):
                return  # the prompt disappeared during the input
            wanted = places[place]
            at = page.evaluate(FOCUSED)
            if at["zone"] != "palette":
                self.press("ArrowDown")
            elif at["place"] != wanted:
                self.press("ArrowRight" if (wanted - at["place"]) % at["many"] <= at["many"] / 2 else "ArrowLeft")
            else:
                self.press("Space")
                return
        raise AssertionError(f"the arrows do not come to {selector} {place}: {at}")


def test_a_lite_game_by_keyboard(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site)
    page = visit.page
    visit.go("/")
    page.wait_for_selector("[data-do=choose]")
    tab_to(visit, "[data-do=choose]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-frame=entry]")
    tab_to(visit, "input[name=level]:checked")
    page.keyboard.press("ArrowRight")  # another level, and back
    page.keyboard.press("ArrowLeft")
    tab_to(visit, "[data-do=start]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")
    hand = Typist(visit, 8)
    for left in range(4, -1, -1):
        end = time.monotonic() + PATIENCE
        while (what := hand.tap()) != "over":
            assert time.monotonic() < end, hand.read_page()
            page.wait_for_timeout(25 if what == "wait" else 5)
        print(f"a game of Lite+Entry in {hand.keys} keys; decisions {sorted(hand.seen)}")
        if {"attackers", "blockers"} <= hand.seen or not left:
            break
        tab_to(visit, "dialog[open] .button.main")  # another game, until there was a block
        page.keyboard.press("Enter")
        page.wait_for_selector("#end-title", state="hidden")
    tab_to(visit, "dialog[open] a[href*='/replay/']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".step")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.step').innerText.match(/\\d+/)[0] === '1'")
    assert visit.problems == []
    visit.context.close()


def tab_to(visit: Visit, selector: str) -> None:
    for _ in range(40):
        if visit.page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        visit.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def test_the_keys_are_listed(chromium: Any, site: Site) -> None:
    """The list of keys; cards by number; the mode and the log by key."""
    visit = Visit(chromium, site)
    page = visit.page
    visit.go("/desk")
    page.locator("textarea").first.fill(
        'format = "lite"\n[p1]\nhand = "S7 H9"\nbulwarks = "D2"\n[p2]\nbulwarks = "D5"\n'
    )
    page.click("[data-do=play]")
    page.wait_for_selector(".palette .action")
    page.keyboard.press("1")
    page.wait_for_selector(".hand .chosen[data-card=S7]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".hand:not(:has(.chosen))")
    before = page.get_attribute("[data-mode]", "data-mode")
    page.keyboard.press("f")
    page.wait_for_function("before => document.querySelector('[data-mode]').dataset.mode !== before", arg=before)
    page.keyboard.press("l")
    page.wait_for_selector("dialog[open] .log")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] #keys-title")
    visit.shot("keys")
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


QUESTION = """format = "master"
turn_number = 7
[p1]
life = 14
hand = "SA H3"
field = "S5 H9"
grave = "D9(public)"
[p2]
life = 19
hand = "C4"
field = "H8 D10"
bulwarks = "D4"
"""


def test_a_question_takes_the_focus(chromium: Any, site: Site) -> None:
    """After a pile has been looked at, Enter answers the next prompt; it does not open the pile again."""
    visit = Visit(chromium, site, "desk")
    page = visit.page
    arrange(visit, QUESTION, {})
    page.focus("[data-pile='p1:grave']")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="hidden")
    assert page.evaluate("() => document.activeElement.dataset.pile") == "p1:grave"
    page.keyboard.press("a")
    hands = PageDriver(visit)
    hands.pass_until("block")
    page.wait_for_function("() => document.activeElement.matches('.palette')")
    page.keyboard.press("Enter")  # no block
    page.wait_for_function("() => document.querySelector('.palette').dataset.doing !== 'block'")
    assert page.locator("dialog[open]").count() == 0
    page.wait_for_selector(".table[data-seat=p2] .palette[data-doing=action], .table[data-seat=p1]")
    page.focus("[data-pile='p2:grave']")
    hands.pass_until("action")
    assert visit.problems == []
    visit.context.close()
