"""Returning to the page: a left game continues, a lobby with three rooms, a game to watch, replays with their facts."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.eager_player import EagerPlayer
from tests.web.page_driver import PageDriver
from tests.web.test_screens import LANGUAGES


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_resume_after_leaving(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/")
    page.wait_for_selector("[data-tile=learn]")
    assert page.locator("[data-tile=resume]").count() == 0
    page.click("[data-do=now]")
    page.wait_for_selector(".table")
    PageDriver(visit).wait_for_prompt(0)
    where = page.url
    before = page.evaluate("() => document.querySelectorAll('.hand .slot').length")
    visit.go("/")
    page.wait_for_selector("[data-tile=resume]")
    page.wait_for_timeout(400)
    visit.shot(f"home-resume-{lang[:2]}")
    assert visit.overflow() == []
    assert visit.axe() == []
    page.click("[data-tile=resume]")
    page.wait_for_selector(".table")
    PageDriver(visit).wait_for_prompt(0)
    assert page.url == where
    assert page.evaluate("() => document.querySelectorAll('.hand .slot').length") >= before
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lobby_with_three_rooms(chromium: Any, site: Site, size: str, lang: str) -> None:
    """One room waits, one is in play, one is private."""
    host, guest, third = (Visit(chromium, site, size, lang) for _ in range(3))
    for visit in (host, guest, third):
        visit.go("/")
        visit.page.wait_for_selector("[data-do=now]")
    played = host.post("/api/rooms", {"opponent": "human", "listed": True, "window_ms": 0})
    secret = host.post("/api/rooms", {"opponent": "human"})
    for visit in (host, guest):
        visit.go(played["path"])
        visit.page.click("[data-do=ready]")
    for visit in (host, guest):
        visit.page.wait_for_selector(".table")
    opener = Visit(chromium, site, size, lang)
    opener.go("/lobby")
    opener.page.wait_for_selector("[data-wait]")
    opener.page.click("[data-do=open]")
    opener.page.wait_for_selector("text=✓")

    page = third.page
    third.go("/lobby")
    page.wait_for_selector("[data-list=open] [data-room]")
    page.wait_for_selector("[data-list=live] [data-room]")
    mine = page.locator(f"[data-room='{played['room']['id']}']")
    assert mine.count() == 1
    assert page.locator(f"[data-room='{secret['room']['id']}']").count() == 0
    assert page.locator("[data-list=shown] a").count() >= 1
    page.wait_for_timeout(300)
    third.shot(f"lobby-{lang[:2]}")
    assert third.overflow() == []
    assert third.axe() == []
    mine.click()  # to watch
    page.wait_for_selector(".table")
    assert page.locator(".dock [data-do=confirm]").count() == 0
    third.go("/lobby")
    page.locator("[data-list=open] [data-room]").first.click()
    page.wait_for_selector("[data-do=ready]")  # a free seat
    for visit in (host, guest, third, opener):
        assert visit.problems == []
        visit.context.close()


def test_there_is_always_something_to_watch(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site)
    page = visit.page
    visit.go("/lobby")
    page.locator("[data-list=shown] a").first.click()
    page.wait_for_selector(".step")
    page.wait_for_function(
        "() => / [1-9]/.test(document.querySelector('.step').innerText) || /[1-9]\\d* \\//.test(document.querySelector('.step').innerText)"
    )
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_replay_played_on_and_the_same_again(chromium: Any, site: Site, size: str, lang: str) -> None:
    """A lost game is listed in the replays with its facts, continued from its middle, and restarted."""
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.start_game(level="random")
    rival = "ランダム" if lang == "ja-JP" else "Random"
    page.wait_for_selector(".table")
    first = page.url
    hand = EagerPlayer(visit, 3)
    end = time.monotonic() + 60
    while int(hand.read_page()["asked"].partition("/")[2] or 0) < 4:  # a middle to return to
        assert time.monotonic() < end, hand.read_page()
        hand.tap()
        page.wait_for_timeout(25)
    page.click(".top button")
    for _ in range(2):  # and confirm
        page.click("dialog[open] .button.danger")
    page.wait_for_selector("#end-title")
    visit.go("/replays")
    facts = page.locator("main a.one").first.inner_text()
    assert rival in facts
    assert ("負け" if lang == "ja-JP" else "lost") in facts
    assert re.search(r"\d:\d\d", facts)  # the day is the heading above
    page.locator("main a.one").first.click()
    page.wait_for_selector(".step[aria-busy=false]")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.search === '?step=4'")
    if size == "phone":
        page.click("[data-do=more]")
    page.locator(".panel button", has_text=rival).last.click()
    page.wait_for_url("**/room/*")
    page.wait_for_selector(".table")
    assert rival in page.inner_text(".person.far strong")
    assert page.url != first
    visit.go("/")
    again = page.locator("[data-do=now]")
    page.wait_for_function("rival => document.querySelector('[data-do=now]').innerText.includes(rival)", arg=rival)
    again.click()  # one tap
    page.wait_for_selector(".table")
    assert rival in page.inner_text(".person.far strong")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_quick_match(chromium: Any, site: Site, size: str) -> None:
    """The first caller sees an estimate and waits; the second joins there."""
    one, two = (Visit(chromium, site, size, lang) for lang in LANGUAGES)
    for visit in (one, two):
        visit.go("/lobby")
        visit.page.click("[data-format=pro]")  # no other test uses it
        visit.page.wait_for_selector("[data-wait]")
        assert visit.page.inner_text("[data-wait]").strip()
        visit.page.click("[data-do=quick]")
        visit.page.wait_for_url("**/room/*")
    for visit in (one, two):  # no ready button: requesting the game counts as ready
        visit.page.wait_for_selector(".table")
    assert one.page.url == two.page.url  # one was moved to the other's room
    for visit in (one, two):
        assert visit.problems == []
        visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_first_visitor_wins_with_one_move(chromium: Any, site: Site, size: str, lang: str) -> None:
    """The home of a first visit is a won position: the card is dragged onto the opponent's life; the guided game is
    next. The forecast and the result are the engine's."""
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/")
    page.wait_for_selector("[data-do=strike]:enabled")
    before = int(page.inner_text(".counts b"))
    assert page.inner_text(".counts .after") == "0"
    assert int(page.inner_text(".chip-damage .num")) >= before
    assert visit.overflow() == []
    assert visit.axe() == []
    card, pile = (page.locator(name).bounding_box() for name in (".attacker", ".pile.far"))
    assert card
    assert pile
    page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    page.mouse.down()
    page.mouse.move(card["x"] + 20, card["y"] - 10, steps=3)
    page.mouse.up()  # dropped beside the pile: the card returns, and nothing is played
    page.wait_for_timeout(300)
    assert page.get_attribute("[data-first]", "data-first") == "open"
    page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    page.mouse.down()
    page.mouse.move(pile["x"] + pile["width"] / 2, pile["y"] + pile["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_selector("[data-first=won]")
    assert page.inner_text(".counts b") == "0"
    assert visit.axe() == []
    page.click("[data-do=again]")
    page.wait_for_selector("[data-do=strike]:enabled")
    page.focus("[data-do=strike]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-first=won]")
    page.click("[data-do=now]")
    page.wait_for_url("**/guide")
    page.wait_for_selector(".table")
    visit.go("/")  # the guided game is not finished: the move is still there
    page.wait_for_selector("[data-do=strike]:enabled")
    page.evaluate("() => localStorage.setItem('blackpoker-school', JSON.stringify({guided: true}))")
    visit.go("/")
    page.wait_for_selector(".fan .card")
    assert page.locator("[data-do=strike]").count() == 0
    assert visit.problems == []
    visit.context.close()
