"""Touch input: number of taps, ignored taps, dragging, details, and the warning about a last blow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import Script

TURN = """format = "lite"
turn = "p2"
chance = "p2"
turn_number = 4
[p1]
life = 14
hand = "S7 H9 D4"
field = "S8"
bulwarks = "D2 C4"
[p2]
life = 20
hand = "H2"
bulwarks = "D5(d)"
"""
FIGHT = """format = "master"
turn_number = 7
[p1]
life = 14
hand = "H3 C9 S4 D5 JK"
field = "S5 H9"
bulwarks = "D2 D3"
[p2]
life = 9
hand = "C2"
field = "H8"
bulwarks = "D4"
"""
MOST_TURN = 6


def sit(chromium: Any, site: Site, size: str, position: str, mode: str = "auto", lang: str = "ja-JP") -> PageDriver:
    visit = Visit(chromium, site, size, lang)
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    visit.page.evaluate(
        "mode => localStorage.setItem('blackpoker', JSON.stringify({mode, motion: 'reduced', sound: false}))", mode
    )
    hands = PageDriver(visit)
    hands.open(Script("", position))
    visit.page.wait_for_selector(".palette[data-doing=action]")
    return hands


@pytest.fixture
def table(chromium: Any, site: Site) -> Iterator[Callable[..., PageDriver]]:
    made: list[PageDriver] = []

    def open_table(size: str, position: str, mode: str = "auto", lang: str = "ja-JP") -> PageDriver:
        made.append(sit(chromium, site, size, position, mode, lang))
        return made[-1]

    yield open_table
    for hands in made:
        assert hands.visit.problems == []
        hands.visit.context.close()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_taps_for_an_ordinary_turn(table: Callable[..., PageDriver], size: str) -> None:
    """Draw two, summon, attack with all soldiers, end."""
    hands = table(size, TURN)
    page = hands.page
    hands.close_chance("end")
    page.wait_for_selector(".table[data-seat=p1] .palette[data-kind=yes_no]")
    taps_before = hands.visit.taps
    hands.tap(".palette [data-word=yes]")
    page.wait_for_selector(".palette[data-doing=action]")
    hands.tap(".hand [data-card=S7]")
    page.wait_for_selector(".dock [data-do=confirm]:not(:disabled)")
    assert "draft" in hands.settled()["doing"]
    hands.tap(".dock [data-do=confirm]")
    page.wait_for_selector("[data-places='p1.S7']")
    page.wait_for_selector(".dock [data-do=all]")
    page.wait_for_timeout(750)
    hands.tap(".dock [data-do=all]")
    page.wait_for_selector(".unit.attacker")
    page.wait_for_timeout(750)
    if page.locator(".table[data-seat=p1] .dock [data-do=accept]").count():
        hands.tap(".dock [data-do=accept]")  # pass in all windows of the attack
    for _ in range(60):  # the other seat passes
        if page.locator(".table[data-seat=p1] .dock [data-do=end]").count():
            break
        if hands.read_page()["seat"] == "p2":
            page.keyboard.press("p")
        page.wait_for_timeout(100)
    page.wait_for_timeout(750)
    hands.tap(".dock [data-do=end]")
    page.wait_for_selector(".table[data-seat=p2]")
    print(f"an ordinary turn, {size}: {hands.visit.taps - taps_before} taps")
    assert hands.visit.taps - taps_before <= MOST_TURN


def test_new_elements_ignore_taps_at_first(table: Callable[..., PageDriver]) -> None:
    hands = table("desk", TURN.replace('turn = "p2"\nchance = "p2"\n', ""))
    page = hands.page
    hands.tap(".hand [data-card=S7]")
    gold = page.wait_for_selector(".dock [data-do=confirm]:not(:disabled)").bounding_box()
    where = gold["x"] + gold["width"] / 2, gold["y"] + gold["height"] / 2
    before = hands.settled()["asked"]
    page.mouse.click(*where)
    page.wait_for_selector("[data-places='p1.S7']")
    page.wait_for_function(
        "asked => ![asked, ''].includes(document.querySelector('.table').dataset.prompt)", arg=before
    )
    now = hands.settled()["asked"]
    under = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button')?.dataset.do", where)
    assert under, "another button stands there now"
    for _ in range(2):
        page.mouse.click(*where)
        page.wait_for_timeout(150)
    assert hands.settled()["asked"] == now
    page.wait_for_timeout(700)
    page.mouse.click(*where)
    page.wait_for_function("asked => document.querySelector('.table').dataset.prompt !== asked", arg=now)


def test_an_end_with_an_attack_left_is_confirmed_once(table: Callable[..., PageDriver]) -> None:
    hands = table("desk", FIGHT)
    page = hands.page
    page.wait_for_timeout(750)
    assert not page.locator(".dock [data-do=end].main").count(), "gold is not on the end of the turn"
    hands.tap(".dock [data-do=end]")
    page.wait_for_selector(".dock [data-do=end].alarm")
    assert hands.settled()["seat"] == "p1"
    hands.tap(".dock [data-do=end]")
    page.wait_for_selector(".table[data-seat=p2]")


BARE = """format = "lite"
turn_number = 2
[p1]
life = 20
hand = "SA H3 D7 C9 H5"
[p2]
life = 20
hand = "C4"
bulwarks = "D5"
"""


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_gold_is_the_sensible_next_thing(table: Callable[..., PageDriver], size: str) -> None:
    """Without soldiers and bulwarks, gold is on the bulwark, then on the end of the turn, and never on an attack
    without a soldier."""
    hands = table(size, BARE)
    page = hands.page
    page.wait_for_timeout(750)
    assert not page.locator(".dock .main").count()
    assert page.locator(".palette .opt.good [data-action=set_bulwark]").count() == 1
    hands.tap(".palette [data-action=attack]")
    page.wait_for_selector(".dock [data-do=confirm]:not(:disabled)")
    assert not page.locator(".dock .main").count(), "an attack with nobody is not gold"
    hands.tap(".dock [data-do=cancel]")
    hands.tap(".hand [data-card=C9]")
    page.wait_for_selector(".palette .opt.on [data-action=set_bulwark]")
    page.wait_for_selector(".dock [data-do=confirm].main:not(:disabled)")
    hands.tap(".dock [data-do=confirm]")
    page.wait_for_selector("[data-zone=p1-bulwarks] .unit")  # the card was selected already: it is not asked for again
    page.wait_for_selector(".hand [data-card=C9]", state="detached")


def test_another_card_is_another_choice(table: Callable[..., PageDriver]) -> None:
    """A second card joins the first only if an action takes both."""
    hands = table("desk", FIGHT)
    page = hands.page
    hands.tap(".hand [data-card=S4]")
    page.wait_for_selector(".palette .word[data-word=S4]")
    hands.settled()
    hands.tap(".hand [data-card=D5]")
    page.wait_for_selector(".palette .word[data-word=D5]")
    assert "S4" not in hands.settled()["words"]


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 3


def drag(page: Any, start: str, end: str, touch: bool) -> None:
    (x0, y0), (x1, y1) = middle(page, start), middle(page, end)
    if not touch:
        page.mouse.move(x0, y0)
        page.mouse.down()
        for step in range(1, 9):
            page.mouse.move(x0 + (x1 - x0) * step / 8, y0 + (y1 - y0) * step / 8)
        page.mouse.up()
        return
    line = page.context.new_cdp_session(page)
    for _ in range(5):
        line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x0, "y": y0}]})
        for step in range(1, 9):
            point = {"x": x0 + (x1 - x0) * step / 8, "y": y0 + (y1 - y0) * step / 8}
            line.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        if not page.locator("dialog[open]").count():
            return
        page.keyboard.press("Escape")  # the machine was so slow that the drag became a long press
        page.wait_for_selector("dialog[open]", state="detached")
    raise AssertionError("the finger was never fast enough")


@pytest.mark.parametrize(("size", "touch"), [("desk", False), ("phone", True)])
def test_dragging_is_two_taps(table: Callable[..., PageDriver], size: str, touch: bool) -> None:
    """A card to its target; a soldier forward; a blocker to an attacker. Dropping confirms nothing."""
    hands = table(size, FIGHT)
    page = hands.page
    drag(page, ".hand [data-card=S4]", "[data-places='p2.H8']", touch)
    page.wait_for_selector(".palette .word.aim")
    now = hands.settled()
    assert now["words"][0] == "down"
    assert now["words"][1] == "S4"
    assert now["words"][-1] == ">p2.H8"
    assert now["seat"] == "p1"
    assert page.locator(".stage .item").count() == 0
    hands.tap(".dock [data-do=cancel]")
    drag(page, "[data-places='p1.S5']", "[data-pile='p2:life']", touch)
    page.wait_for_selector(".palette .action[data-action=attack][aria-pressed=true]")
    hands.confirm()
    hands.pass_until("block")
    assert hands.settled()["fights"] == ["S5"]
    drag(page, "[data-places='p2.H8']", "[data-places='p1.S5']", touch)
    page.wait_for_selector(".palette .list .pick.chosen[data-word=H8]")


def test_looking_closer(table: Callable[..., PageDriver]) -> None:
    """By hovering, by key, and by a long press: a unit, a card, an action."""
    hands = table("desk", FIGHT)
    page = hands.page
    page.mouse.move(*middle(page, "[data-places='p2.H8']"))
    page.wait_for_selector(".column [data-about='unit:p2:H8']")
    page.mouse.move(700, 400)
    page.wait_for_selector(".column [data-about]", state="detached")
    page.focus(".hand [data-card=C9]")
    page.keyboard.press("i")
    page.wait_for_selector(".column [data-about='card:p1:C9']")
    assert hands.visit.axe() == []
    page.keyboard.press("Escape")
    page.wait_for_selector(".column [data-about]", state="detached")
    small = table("phone", FIGHT)
    line = small.page.context.new_cdp_session(small.page)
    x, y = middle(small.page, "[data-places='p1.H9']")
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    small.page.wait_for_selector("dialog[open] [data-about='unit:p1:H9']")
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    small.page.wait_for_timeout(300)
    assert small.page.locator("dialog[open]").count() == 1
    assert small.settled()["doing"] == "action"
    assert small.visit.axe() == []


def test_a_last_blow_is_marked_lethal(table: Callable[..., PageDriver]) -> None:
    """The attacker reads that the attack wins, if that is public; the defender that it is lost."""
    hands = table("desk", FIGHT.replace("life = 9", "life = 4"), lang="en-US")
    page = hands.page
    page.wait_for_timeout(750)
    hands.request(["attack"])
    hands.pass_until("attack")
    hands.tap(".dock [data-do=everybody]")
    page.wait_for_selector("[data-pile='p2:life'] .lethal")
    assert "wins" in page.inner_text(".dock [data-do=confirm]")
    hands.confirm()
    hands.pass_until("block")
    page.wait_for_selector(".dock .alarm")
    assert "lose" in page.inner_text(".dock [data-do=confirm]")
    page.wait_for_selector("[data-pile='p2:life'] .lethal")
    hands.visit.shot("lethal")
    assert hands.visit.axe() == []
