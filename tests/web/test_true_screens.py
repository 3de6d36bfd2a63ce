"""Screens that once stated something false: buttons, gold, the next puzzle, plaques, small boards."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from blackpoker.learn.puzzles.model import by_id
from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import Script
from tests.web.test_puzzles import answer_move

EMPTY_HAND = """format = "lite"
turn_number = 5
[p1]
life = 9
hand = ""
field = "S5(d)"
[p2]
life = 9
hand = "C2"
"""
QUICK = """format = "pro"
turn = "p2"
chance = "p2"
turn_number = 6
[p1]
life = 12
hand = "SA C4 D9"
[p2]
life = 12
hand = "C2"
field = "S6"
"""
#: plaques whose name touches the text below it, or leaves its button
TOUCHING = """() => [...document.querySelectorAll('.palette .pick.plaque')].flatMap(pick => {
  const [name, text, whole] = [pick.querySelector('b'), pick.querySelector('small'), pick].map(e => e.getBoundingClientRect());
  const apart = name.bottom <= text.top + 1 || name.right <= text.left - 3;
  return apart && name.left >= whole.left && name.right <= whole.right ? [] : [pick.innerText];
})"""
#: cards of a small board that its frame cuts, by more than their shadow
CUT = """() => [...document.querySelectorAll('svg.mini')].flatMap(board => {
  const frame = board.getBoundingClientRect();
  return [...board.querySelectorAll('.thing .shade')].filter(card => {
    const box = card.getBoundingClientRect(), by = box.width / 16;
    return box.left < frame.left - by || box.right > frame.right + by || box.top < frame.top - by || box.bottom > frame.bottom + by;
  }).map(() => board.getAttribute('aria-label') ?? board.outerHTML.slice(0, 80));
})"""


@pytest.mark.parametrize("size", SIZES)
def test_an_action_without_effect_is_neither_gold_nor_counted(chromium: Any, site: Site, size: str) -> None:
    """Set Bulwark with an empty hand costs a life and does nothing."""
    visit = Visit(chromium, site, size, "en-US")
    hands = PageDriver(visit)
    hands.open(Script("", EMPTY_HAND))
    visit.page.wait_for_selector(".dock [data-do=end].main")
    hands.settled()
    assert visit.page.locator(".palette .opt.good").count() == 0
    assert visit.page.locator(".dock [data-do=end] small").count() == 0, "nothing is counted as possible"
    visit.tap(".palette [data-action=set_bulwark]")
    visit.page.wait_for_selector(".palette [data-warn]")
    assert visit.page.locator(".dock [data-do=confirm].main").count() == 0, "nor is its button gold"
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize(("lang", "names"), [("en-US", {"as an ace", "as a bulwark"}), ("ja-JP", {"エース", "防壁"})])
def test_the_buttons_name_what_the_question_names(chromium: Any, site: Site, lang: str, names: set[str]) -> None:
    """Quick Summon of an ace: as an ace or as a bulwark (R-151)."""
    visit = Visit(chromium, site, "desk", lang)
    hands = PageDriver(visit)
    hands.open(Script("", QUICK))
    hands.request(["attack"])
    visit.page.wait_for_selector(".table[data-seat=p1] .palette[data-doing=action]")
    hands.request(["quick_summon", "SA", "$C4"])
    hands.pass_until("choice")
    visit.page.wait_for_selector(".palette[data-kind=form] .pick")
    found = {text.split("\n")[0] for text in visit.page.locator(".palette .list .pick").all_inner_texts()}
    assert found == names
    assert visit.problems == []
    visit.context.close()


def test_the_next_puzzle_is_a_new_one(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "desk", "en-US")
    page = visit.page
    hands = PageDriver(visit)
    visit.go("/puzzles/win-024")
    seen: list[str] = []
    for _ in range(4):
        page.wait_for_selector(".lesson[data-state=open]")
        hands.wait_for_prompt(0)
        seen.append(urlsplit(page.url).path.rpartition("/")[2])
        hands.play_move(answer_move(by_id()[seen[-1]], good=True))
        page.click(".result [data-do=next], .lesson [data-do=next]")
        page.wait_for_function("id => !location.pathname.endsWith(id)", arg=seen[-1])
    assert len(set(seen)) == 4, seen
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("lang", ["en-US", "ja-JP"])
@pytest.mark.parametrize("size", SIZES)
def test_the_name_of_a_trump_has_its_own_space(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    visit.start_game("extra+full")
    visit.page.wait_for_selector(".palette[data-kind=trumps] .pick.plaque")
    assert visit.page.locator(".palette .pick.plaque").count() >= 20
    assert visit.page.evaluate(TOUCHING) == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_small_boards_show_whole_hands(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size, "en-US")
    for path in ("/puzzles", "/puzzles?kind=hold"):
        visit.go(path)
        visit.page.wait_for_selector("svg.mini .shade", state="attached")
        visit.page.wait_for_load_state("networkidle")
        assert visit.page.evaluate(CUT) == [], path
    visit.context.close()
