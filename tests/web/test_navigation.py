"""The screens around the table: a newcomer's tasks counted in taps; back navigation; a cut connection; two at one
screen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.test_screens import LANGUAGES
from tests.web.test_turning_points import give_up


def test_two_friends_one_of_them_on_a_phone(chromium: Any, site: Site) -> None:
    """Standard with a deck of forty, by link: four taps for the host, one for the guest."""
    host, guest = Visit(chromium, site, "desk", "en-US"), Visit(chromium, site, "phone", "ja-JP")
    host.go("/")
    for tap in ("[data-do=friend]", "[data-format=standard]", "[data-frame=constructed40]", "[data-do=start]"):
        host.tap(tap)
    link = host.page.wait_for_selector("input.link", state="attached").input_value()
    host.page.wait_for_selector("text=✓")
    guest.page.goto(link)
    guest.page.wait_for_selector(".letter")
    assert guest.overflow() == []
    guest.page.fill("input[autocomplete=nickname]", "蓮")
    guest.tap("[data-do=ready]")
    for visit in (host, guest):
        visit.page.wait_for_selector(".table")
        assert visit.problems == []
    host.page.wait_for_function("() => document.querySelector('.person.far').innerText.includes('蓮')")
    assert (host.taps, guest.taps) == (4, 1)
    for visit in (host, guest):
        visit.context.close()


@pytest.mark.parametrize(("size", "lang", "most"), [("desk", "en-US", 3), ("phone", "ja-JP", 5)])
def test_yesterdays_game_and_where_it_turned(chromium: Any, site: Site, size: str, lang: str, most: int) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    give_up(visit, 30)
    visit.taps = 0  # taps of the game do not count
    visit.go("/")
    page.evaluate(
        "() => { const kept = JSON.parse(localStorage.blackpoker); kept.replays[0].at -= 86400000;"
        " localStorage.setItem('blackpoker', JSON.stringify(kept)) }"
    )
    visit.go("/")
    if size == "phone":
        visit.tap(".tabs a[href='/me']")
        visit.tap("main a[href='/replays']")
    else:
        visit.tap(".bar a[href='/replays']")
    assert page.wait_for_selector("main h2").inner_text() == ("Yesterday" if lang == "en-US" else "昨日")
    visit.tap("main a.one")
    page.wait_for_selector(".step[aria-busy=false]")
    if size == "phone":
        visit.tap("[data-do=more]")
    page.wait_for_selector(".story .turning[aria-busy=false]", timeout=120_000)
    chapters = page.locator(".story .turning ol a")
    if chapters.count():  # a game resigned early may have no turning point
        step = (chapters.first.get_attribute("href") or "").partition("?step=")[2]
        visit.tap(".story .turning ol a")
        page.wait_for_function("step => location.search === `?step=${step}`", arg=step)
    assert visit.taps <= most
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_way_back_is_where_one_came_from(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/me")
    page.click("main a[href='/settings']")
    page.wait_for_selector("[data-stop]")
    page.click("[data-stop=block]")
    if size == "phone":
        page.click("[data-do=back]")
    else:
        page.go_back()
    page.wait_for_url("**/me")
    visit.go("/settings")  # opened by a link: back leads to the parent screen
    page.wait_for_selector("[data-stop=block][aria-pressed=true]")
    if size == "phone":
        page.click("[data-do=back]")
        page.wait_for_url("**/me")
        assert page.locator(".tabs [aria-current=page]").get_attribute("href") == "/me"
    else:
        assert page.locator("[data-do=me][aria-current=page]").count() == 1
    assert visit.problems == []
    visit.context.close()


def test_two_at_one_screen(chromium: Any, site: Site) -> None:
    """A hand is covered before the other player takes the screen."""
    visit = Visit(chromium, site, "phone", "en-US")
    page = visit.page
    visit.start_game("lite+entry", opponent_kind="both")
    page.wait_for_selector(".table, .curtain")
    if page.locator(".curtain").count():  # the other player begins
        page.click("[data-do=uncover]")
    page.wait_for_selector(".hand [data-card]")
    mine = page.evaluate("() => [...document.querySelectorAll('.hand [data-card]')].map(e => e.dataset.card)")
    hands = PageDriver(visit)
    hands.close_chance("end")
    for _ in range(4):  # a hand of more than seven must discard first
        page.wait_for_selector(".curtain, .palette .list .pick")
        if page.locator(".curtain").count():
            break
        visit.tap(".palette .list .pick")
        hands.confirm()
    page.wait_for_selector(".curtain")
    assert page.locator(".hand").count() == 0
    assert visit.axe() == []
    page.click("[data-do=uncover]")
    page.wait_for_selector(".hand [data-card]")
    theirs = page.evaluate("() => [...document.querySelectorAll('.hand [data-card]')].map(e => e.dataset.card)")
    assert theirs != mine
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lost_connection_is_shown(chromium: Any, site: Site, lang: str) -> None:
    visit = Visit(chromium, site, "phone", lang)
    page = visit.page
    visit.go("/play")
    page.wait_for_selector("[data-level]")
    visit.forgive = True
    visit.context.set_offline(True)
    page.click("[data-do=start]")
    page.wait_for_selector(".cut")
    page.wait_for_selector(".problem")
    assert visit.overflow() == []
    visit.context.set_offline(False)
    page.wait_for_selector(".cut", state="detached")
    page.click("[data-do=start]")
    page.wait_for_selector(".table")
    visit.context.close()


def test_a_lost_connection_is_shown_until_the_server_answers(chromium: Any, site: Site) -> None:
    """One failed request is not a cut connection; an unreachable server is, through every retry, also behind a proxy."""
    visit = Visit(chromium, site)
    page = visit.page
    visit.forgive = True
    page.route("**/api/lobby", lambda route: route.abort())
    visit.go("/lobby")
    page.wait_for_selector(".state")
    page.evaluate(
        "() => { window.said = []; new MutationObserver(() => { const now = !!document.querySelector('.cut');"
        " if (now !== said.at(-1)) said.push(now) }).observe(document.body, {childList: true, subtree: true}) }"
    )
    page.wait_for_timeout(4500)  # the lobby polls every four seconds
    assert page.evaluate("() => said.includes(true)") is False
    page.route("**/api/**", lambda route: route.fulfill(status=502, body="<html>Bad Gateway</html>"))
    page.wait_for_selector(".cut ~ main .state")
    assert "HTML" not in page.inner_text(".state").upper()
    page.wait_for_timeout(6000)  # health is polled every five
    page.unroute_all()
    page.wait_for_selector(".cut", state="detached")
    page.wait_for_selector(".lobby")
    assert page.evaluate("() => said.filter(one => one).length") == 1
    visit.context.close()


def test_the_table_opens_without_an_identity(chromium: Any, site: Site) -> None:
    """The server fails once at the request for the identity: the table opens anyway."""
    visit = Visit(chromium, site)
    page = visit.page
    visit.forgive = True
    failed: list[str] = []

    def once(route: Any) -> None:
        failed.append(route.request.url)
        if len(failed) == 1:
            route.fulfill(status=500, body="{}")
        else:
            route.continue_()

    page.route("**/api/me", once)
    visit.go("/play")
    page.wait_for_function(
        "() => document.querySelector('[data-do=start]') && !document.querySelector('[data-do=start]').disabled"
    )
    page.click("[data-do=start]")
    page.wait_for_selector(".table")
    assert len(failed) > 1
    visit.context.close()
