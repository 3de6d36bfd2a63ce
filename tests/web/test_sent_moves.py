"""The page sends what it shows: quick taps on slow connections, cut connections, soldiers of several cards, equal cards
on both sides. The robot's share of ``make test-web`` is at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.robot import SCRIPT, Ledger, run
from tests.web.tap_scripts import Script, cover

AIMS = """format = "master"
turn_number = 5
[p1]
life = 14
hand = "H3 C4 S6"
field = "H10"
bulwarks = "D2 D3"
[p2]
life = 15
hand = "C2"
field = "H4 S9"
"""
PAIR = """format = "lite"
turn_number = 5
[p1]
life = 14
hand = "S7"
field = "C5+C3 D5 S2"
[p2]
life = 20
hand = "D9"
"""
HANDS = """format = "master"
turn_number = 5
[p1]
life = 14
hand = "D8 C8 S7 DJ H2"
bulwarks = "D2"
[p2]
life = 15
hand = "S7 DJ"
"""
WALL = """format = "lite"
turn = "p2"
chance = "p2"
turn_number = 6
[p1]
life = 14
hand = "H2"
field = "H3 D4"
[p2]
life = 15
field = "S6"
hand = "C2"
"""
FULL = """format = "lite"
turn_number = 5
[p1]
life = 14
hand = "S2 S3 S4 S5 S6 S7 H8 D9 CK"
[p2]
life = 20
hand = "D9"
"""


@pytest.fixture
def table(chromium: Any, site: Site) -> Iterator[Callable[..., PageDriver]]:
    """Open a position at one screen, with a connection that can be slowed and cut."""
    made: list[PageDriver] = []

    def sit(position: str, size: str = "desk", mode: str = "auto") -> PageDriver:
        visit = Visit(chromium, site, size, "en-US")
        visit.context.add_init_script(SCRIPT.read_text(encoding="utf-8"))
        visit.go("/settings")
        visit.page.wait_for_selector("h1")
        visit.page.evaluate(
            "mode => localStorage.setItem('blackpoker', JSON.stringify({mode, motion: 'reduced', sound: false}))", mode
        )
        hands = PageDriver(visit)
        hands.open(Script("", position))
        visit.page.wait_for_selector(".palette:not([data-doing=wait])")
        hands.settled()
        made.append(hands)
        return hands

    yield sit
    for hands in made:
        assert hands.visit.problems == []
        hands.visit.context.close()


def sent(hands: PageDriver) -> list[list[str]]:
    found: list[list[str]] = hands.page.evaluate("() => line.sent.map(one => one.tokens)")
    return found


def click(hands: PageDriver, selector: str) -> None:
    """Tap at once, without waiting."""
    hands.page.evaluate("selector => document.querySelector(selector).click()", selector)


def shown(hands: PageDriver) -> str:
    text: str = hands.page.locator(".dock [data-do=confirm]").get_attribute("data-words") or ""
    return text


@pytest.mark.parametrize("delay", [0, 300])
def test_a_quick_change_of_selection_sends_what_is_shown(table: Callable[..., PageDriver], delay: int) -> None:
    hands = table(AIMS)
    page = hands.page
    page.evaluate("delay => { line.delay = delay; }", delay)
    click(hands, ".hand [data-card=H3]")
    click(hands, ".palette [data-action=up]") if page.locator(".palette [data-action=up]").count() else None
    click(hands, ".unit[data-place='unit:p2:H4']")
    click(hands, ".unit[data-place='unit:p1:H10']")
    click(hands, ".dock [data-do=confirm]") if page.locator(".dock [data-do=confirm]").count() else None
    hands.settled()
    if not sent(hands):
        shown_move = shown(hands)
        assert shown_move
        hands.confirm()
        assert [" ".join(words) for words in sent(hands)] == [shown_move]
    assert hands.read_page()["problem"] == "", "quick taps give no false refusals"


def test_quick_taps_lose_no_tap(table: Callable[..., PageDriver]) -> None:
    """On a slow connection: a card, its action and its target, tapped at full speed."""
    hands = table(AIMS)
    hands.page.evaluate("() => { line.delay = 300; }")
    click(hands, ".palette [data-action=up]")
    click(hands, ".unit[data-place='unit:p2:S9']")
    hands.settled()
    assert shown(hands).split()[0] == "up"
    assert shown(hands).split()[-1] == ">p2.S9"


def test_a_soldier_of_two_cards_attacks_as_named(table: Callable[..., PageDriver]) -> None:
    """C5+C3: its location is the card it was first made of, not its lowest."""
    hands = table(PAIR)
    for place in ("C5", "D5", "S2"):
        hands.tap(f".unit[data-place='unit:p1:{place}']")
        hands.settled()
    assert "♣" in hands.page.inner_text(".dock [data-do=confirm]")
    hands.confirm()
    assert hands.page.evaluate("() => line.sent[0].attackers") == ["C5", "D5", "S2"]
    hands.page.wait_for_function(
        "() => document.querySelector('[data-pile=\"p2:life\"] .count').innerText.trim() === '5'"
    )


def test_all_attack_is_not_forgotten_at_one_screen_in_mode_full(table: Callable[..., PageDriver]) -> None:
    hands = table(PAIR, mode="full")
    hands.tap(".dock [data-do=all]")
    for _ in range(2):
        hands.pass_until("action")
        if hands.page.locator(".unit.attacker").count():
            break
        hands.close_chance("pass")
    hands.page.wait_for_function("() => document.querySelectorAll('.unit.attacker').length === 3")


def test_a_taken_back_move_is_not_sent(table: Callable[..., PageDriver]) -> None:
    hands = table(AIMS)
    page = hands.page
    hands.compose(["summon_soldier", "H3", "$b1"])
    page.evaluate("() => line.cut(1500)")
    page.wait_for_selector("[data-lost]")
    click(hands, ".dock [data-do=confirm]")
    page.wait_for_selector("[data-held]")
    click(hands, ".dock [data-do=cancel]")
    page.wait_for_selector("[data-held]", state="detached")
    page.wait_for_selector("[data-lost]", state="detached")
    hands.settled()
    page.wait_for_timeout(300)
    assert sent(hands) == []
    assert hands.read_page()["doing"] == "action"


def test_a_move_confirmed_while_disconnected_is_sent_once(table: Callable[..., PageDriver]) -> None:
    hands = table(AIMS)
    page = hands.page
    hands.compose(["summon_soldier", "H3", "$b1"])
    page.evaluate("() => line.cut(800)")
    page.wait_for_selector("[data-lost]")
    click(hands, ".dock [data-do=confirm]")
    page.wait_for_selector("[data-held]")
    page.wait_for_selector(".unit[data-place='unit:p1:H3'], .stage .item[data-action=summon_soldier]")
    assert sent(hands) == [["summon_soldier", "H3", "$b1"]]


def test_a_pending_move_can_be_taken_back_after_another_disconnect(table: Callable[..., PageDriver]) -> None:
    """The move was sent when the connection returned, with unknown result: a late cancellation is reported."""
    hands = table(AIMS)
    page = hands.page
    hands.compose(["summon_soldier", "H3", "$b1"])
    page.evaluate("() => { line.delay = 500; line.cut(300); }")
    page.wait_for_selector("[data-lost]")
    click(hands, ".dock [data-do=confirm]")
    page.wait_for_selector("[data-held]")
    page.wait_for_function("() => line.sent.length === 1")
    page.evaluate("() => line.cut(1500)")
    page.wait_for_selector(".dock [data-held]")
    click(hands, ".dock [data-do=cancel]")
    page.wait_for_selector("[data-held]", state="detached")
    page.wait_for_selector("[data-lost]", state="detached")
    page.wait_for_selector(".toast")
    page.wait_for_selector(".unit[data-place='unit:p1:H3'], .stage .item[data-action=summon_soldier]")
    assert sent(hands) == [["summon_soldier", "H3", "$b1"]]


def test_cards_are_discarded_in_any_order(table: Callable[..., PageDriver]) -> None:
    """Nine cards at the end of a turn (R-51), the highest first: the rules list a set in ascending order."""
    hands = table(FULL)
    page = hands.page
    hands.close_chance("end")
    page.wait_for_selector(".palette .pick[data-word=S2]")
    hands.settled()
    for card in ("CK", "S2", "H8"):  # the third instead of the lowest
        click(hands, f".hand [data-card={card}]")
        hands.settled()
        if card == "S2":
            hands.tap(".palette .pick[data-word='^CK']")
            hands.settled()
    hands.tap(".palette .pick[data-word='^H8']")
    hands.settled()
    assert shown(hands) == "H8 CK ^H8"
    label = "".join(page.inner_text(".dock [data-do=confirm]").split())
    assert [label.count(sign) for sign in ("♠2", "♡8", "♣K")] == [0, 2, 1], "discarded, and the one that is seen"
    hands.confirm()
    page.wait_for_selector(".hand [data-card=H8]", state="detached")
    assert sent(hands)[-1] == ["H8", "CK", "^H8"]


def test_attackers_chosen_during_a_cut_come_back_whole(table: Callable[..., PageDriver]) -> None:
    hands = table(PAIR, mode="full")
    page = hands.page
    hands.compose(["attack"])
    hands.confirm()
    hands.pass_until("attack")
    page.evaluate("() => line.cut(1200)")
    page.wait_for_selector("[data-lost]")
    for place in ("C5", "S2"):
        click(hands, f".unit[data-place='unit:p1:{place}']")
    page.wait_for_selector("[data-lost]", state="detached")
    page.wait_for_selector(".dock [data-do=confirm]:not(:disabled)")
    assert shown(hands) == "C5 S2"
    hands.confirm()
    page.wait_for_function("() => document.querySelectorAll('.unit.attacker').length === 2")


def test_no_question_is_answered_by_itself(table: Callable[..., PageDriver]) -> None:
    """A card tapped before Hand Destruction does not choose the opponent's discard, and the equal card of the own hand
    is not meant."""
    hands = table(HANDS, mode="auto")
    page = hands.page
    for card in ("DJ", "S7"):  # selected before
        hands.tap(f".hand [data-card={card}]")
        hands.settled()
    hands.page.keyboard.press("Escape")
    hands.compose(["hand_destruction", "D8", "C8"])
    hands.confirm()
    page.wait_for_selector(".palette .list .pick[data-word=S7]")
    hands.settled()
    assert len(sent(hands)) == 1, "which card is asked, and not answered"
    assert not page.locator(".hand [data-card=S7].offered, .hand [data-card=DJ].offered").count()
    assert not page.locator(".hand .slot.chosen").count()
    assert not page.locator(".hand [data-offered]").count()
    assert "'s" in page.inner_text(".palette .pick >> nth=0")


def test_two_blockers_show_their_combined_effect(table: Callable[..., PageDriver]) -> None:
    hands = table(WALL, mode="auto")
    page = hands.page
    hands.tap(".unit[data-place='unit:p2:S6']")
    hands.settled()
    hands.confirm()
    hands.pass_until("block")
    page.wait_for_selector(".palette .blockers .num")
    for place in ("H3", "D4"):
        hands.tap(f".unit[data-place='unit:p1:{place}']")
        hands.settled()
    page.wait_for_function(
        "() => { const rows = [...document.querySelectorAll('.palette .blockers .pick .num')].map(e => e.innerText);"
        " return rows.length === 2 && rows.every(text => text.includes('7')); }"
    )
    hands.tap(".dock [data-do=cancel]")
    page.wait_for_function(
        "() => { const rows = [...document.querySelectorAll('.palette .blockers .pick .num')].map(e => e.innerText);"
        " return rows.length === 2 && rows.some(text => text.includes('3')); }"
    )


def test_on_a_phone_the_hand_stays_within_reach(table: Callable[..., PageDriver]) -> None:
    """With a request on the stage and a card selected, every card of the hand can be tapped."""
    hands = table(AIMS.replace('"C2"', '"C2 D7 S8 H5"'), "phone", "full")
    page = hands.page
    hands.compose(["up", "H3", "$C4", ">p1.H10"])
    hands.confirm()
    hands.close_chance("pass")
    page.wait_for_selector(".hand [data-card=S8]")
    click(hands, ".hand [data-card=S8]")
    page.wait_for_selector(".palette .word[data-word=S8]")
    hands.settled()
    covered = page.evaluate(
        "() => [...document.querySelectorAll('.hand .slot')].filter(slot => { const box = slot.getBoundingClientRect();"
        " const [x, y] = [box.left + box.width / 4, box.top + box.height / 4]; const top = document.elementFromPoint(x, y);"
        " return !top || !slot.contains(top); }).map(slot => slot.dataset.card)"
    )
    assert covered == []


def test_the_robot(able: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts with actions and kinds of decisions, played through the page on every kind of connection; the long run
    plays all of them, and games of every regulation."""
    long = os.environ.get("BLACKPOKER_LONG")
    order = None if long else list(cover())[::4]
    with ThreadPoolExecutor(1) as pool:  # it has its own event loop
        ledger = pool.submit(run, 10_000, 600 if long else 20, 1, Ledger(), order, 15 if long else 4).result()
    with capsys.disabled():  # prints the coverage by action and kind of decision
        print(f"\n{ledger}")
    assert ledger.faults == []
    assert ledger.acts >= (10_000 if long else 60)
    if long:
        assert ledger.missing == []
