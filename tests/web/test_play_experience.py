"""Play experience: visible clocks, heavy blows, a second game that starts like the first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.page_driver import PageDriver

#: both clocks, each completely in the window and on one line
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
    """Its hand is new: cards held in the first game are not shown when it is dealt."""
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
    hand_cards: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.hand [data-card]')].map(e => e.dataset.card)"
    )
    assert len(hand_cards) == len(set(hand_cards))
    assert len(hand_cards) <= 8
    assert visit.problems == []
    visit.context.close()


QUESTION = """format = "lite"
turn_number = 5
turn = "p2"
chance = "p2"
[p1]
life = 22
hand = "SA H3 D7"
bulwarks = "D2 D3(d)"
[p2]
life = 21
hand = "C4 D8"
"""
BLOW = """format = "master"
turn_number = 9
turn = "p2"
chance = "p2"
[p1]
life = "SQ CK JK C9 D2 S3 HA D6 +22"
hand = "H4"
bulwarks = "D4"
[p2]
life = 24
hand = "D5"
field = "S10 H9"
"""


def arrange(visit: Visit, position: str) -> PageDriver:
    visit.go("/desk")
    visit.page.locator("textarea").first.fill(position)
    visit.page.click("[data-do=play]")
    visit.page.wait_for_selector(".palette[data-doing=action]")
    return PageDriver(visit)


@pytest.mark.parametrize("key", ["y", "n", "1", "Enter"])
def test_a_question_is_answered_by_a_key(chromium: Any, site: Site, key: str) -> None:
    """Yes and no by letter, by position and, as proposed, by Enter."""
    visit = Visit(chromium, site, "desk")
    hands = arrange(visit, QUESTION)
    hands.close_chance("end")
    hands.pass_until("choice")
    assert hands.settled()["kind"] == "yes_no"
    visit.page.evaluate("() => document.activeElement.blur()")
    visit.page.wait_for_timeout(800)  # an element that just appeared ignores input briefly
    visit.page.keyboard.press(key)
    visit.page.wait_for_selector(".palette[data-kind=yes_no]", state="detached")
    assert visit.problems == []
    visit.context.close()


def test_a_heavy_blow_spills_the_life(chromium: Any, site: Site) -> None:
    """Nineteen cards fan out face up, because their owner sits here, with the number above them and the best one named;
    a key skips to the end, and life matches the engine."""
    visit = Visit(chromium, site, "desk", speed="instant")
    page = visit.page
    hands = arrange(visit, BLOW)
    hands.request(["attack"])
    hands.pass_until("attack")
    hands.pick("S10")
    hands.pick("H9")
    hands.confirm()
    hands.pass_until("block")
    page.click(".top button")
    page.select_option("dialog[open] select:has(option[value=slow])", "slow")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    hands.confirm()
    while not page.locator("[data-playing] .motion-node.blow").count():
        if page.locator(".dock [data-do=pass]:not(:disabled)").count():
            hands.close_chance("pass")
        page.wait_for_timeout(50)
    assert page.inner_text(".motion-node.blow") == "−19"
    page.wait_for_function("() => document.querySelectorAll('.motion-node.fallen .card').length >= 5")
    page.keyboard.press(" ")
    page.wait_for_function("() => !document.querySelector('[data-playing], .motion-node')")
    assert page.inner_text("[data-pile='p1:life'] .count") in ("11", "10+")
    assert visit.problems == []
    visit.context.close()


def test_two_friends_play_again(chromium: Any, site: Site) -> None:
    """Both see the resignation, the offer appears in the other's end screen, and acceptance starts the next game
    without another ready. Chat has a badge on a phone; spectators see names."""
    anna, ken = Visit(chromium, site, "desk", "en-US"), Visit(chromium, site, "phone", "ja-JP")
    for visit, name in ((anna, "Anna"), (ken, "Ken")):
        visit.go("/settings")
        visit.page.wait_for_selector("h1", state="attached")
        visit.post("/api/me", {"name": name})
    made = anna.post("/api/rooms", {"regulation": "lite+entry", "opponent": "human", "window_ms": 0})
    for visit in (anna, ken):
        visit.go(made["path"])
        visit.page.click("[data-do=ready]")
    for visit in (anna, ken):
        visit.page.wait_for_selector(".table")
    watcher = Visit(chromium, site, "desk", "en-US")
    watcher.go(made["path"] + "?watch")
    flag = watcher.page.locator(".table svg.flag")
    flag.wait_for()
    assert flag.get_attribute("aria-label").partition(",")[0] in ("Anna", "Ken")
    watcher.context.close()
    anna.page.locator(".tabs button").nth(1).click()
    anna.page.fill(".chat input", "Hello!")
    anna.page.keyboard.press("Enter")
    ken.page.wait_for_selector(".book .unread")
    ken.page.click(".book")
    ken.page.wait_for_selector("dialog[open] .chat p")
    ken.page.keyboard.press("Escape")
    ken.page.wait_for_selector(".book .unread", state="detached")
    ken.page.locator(".top button").first.click()
    ken.page.click("dialog[open] .danger")
    ken.page.click("dialog[open] .danger")
    anna.page.wait_for_selector("dialog[open] #end-title")
    ken.page.wait_for_selector("dialog[open] #end-title")
    assert "Ken resigned" in anna.page.inner_text(".end .how")
    assert "あなたが投了しました" in ken.page.inner_text(".end .how")
    assert anna.axe() == []
    anna.page.click("[data-do=rematch]")
    ken.page.wait_for_selector("[data-again=asks]")
    assert ken.page.locator(".toast").count() == 0
    ken.page.click("[data-do=rematch]")
    for visit in (anna, ken):
        visit.page.wait_for_selector("#end-title", state="hidden")
        visit.page.wait_for_selector(".palette:not([data-doing=wait]), .palette .wait")
        visit.page.wait_for_function("() => document.querySelectorAll('.hand .slot').length >= 7")
        assert visit.page.locator("[data-do=ready]").count() == 0
        assert visit.problems == []
        visit.context.close()
