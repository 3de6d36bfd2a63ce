"""A tournament in a real browser: a host, two entrants by link, automatic navigation to their table, a game and the
end; in both languages, on a phone and on a desk."""

from __future__ import annotations

from typing import Any

import pytest
from tools.screenshots.screens import resign
from tools.screenshots.tournaments import Organiser, entered

from tests.web.browser import Site, Visit


def good(visit: Visit, name: str) -> None:
    """Check overflow, accessibility and errors."""
    visit.shot(name)
    assert visit.overflow() == [], name
    assert visit.axe() == [], name
    assert visit.problems == [], name


@pytest.mark.parametrize(("size", "lang"), [("phone", "ja-JP"), ("desk", "en-US")])
def test_a_tournament_by_link(chromium: Any, site: Site, size: str, lang: str) -> None:
    host, guest = Visit(chromium, site, size, lang), Visit(chromium, site, size, lang)
    host.go("/lobby")
    host.tap("[data-do=tournaments]")
    host.page.wait_for_selector("[data-do=hold]")
    good(host, f"tournaments-{lang}")
    host.tap("[data-do=hold]")
    host.page.wait_for_selector("[data-frame]")
    host.page.fill("[name=name]", "Monday")
    host.page.click("[data-kind=knockout]")
    good(host, f"tournament-new-{lang}")
    host.tap("[data-do=make]")
    host.page.wait_for_selector("[data-do=enter]")
    path = host.page.evaluate("() => location.pathname")
    host.tap("[data-do=enter]")
    host.page.wait_for_selector("[data-part=in]")
    guest.go(path)
    guest.tap("[data-do=enter]")
    guest.page.wait_for_selector("[data-part=in]")
    host.page.wait_for_function("() => document.querySelectorAll('.people li').length === 2")  # by the socket
    good(host, f"tournament-before-{lang}")
    host.tap("[data-do=start]")
    for visit in (host, guest):  # at their table, and ready
        visit.page.wait_for_url("**/room/*")
        visit.page.wait_for_selector(".table")
    guest.page.wait_for_selector("dialog .danger", state="attached")  # the menu has resigning, not taking back
    assert guest.page.locator("[data-do=rewind]").count() == 0
    resign(guest)
    guest.page.wait_for_selector("dialog[open] [data-do=tournament]")
    assert guest.page.locator("[data-do=rematch]").count() == 0
    for visit in (host, guest):
        visit.tap("dialog[open] [data-do=tournament]")
        visit.page.wait_for_selector(".podium")
    good(guest, f"tournament-after-{lang}")
    assert guest.page.locator("tr.me .place").inner_text() == "2"
    guest.tap("summary")
    assert guest.page.locator("details a[href^='/replay/']").count() == 1
    for visit in (host, guest):
        assert visit.problems == []
        visit.context.close()


def test_a_deck_is_registered_and_the_opponent_does_not_appear(chromium: Any, site: Site) -> None:
    """The page follows the standings by itself, including the unplayed loss."""
    organiser = Organiser(site.url, regulation="lite+constructed40", wait=2, rounds=1, name="Decks")
    visit = Visit(chromium, site, "desk", "en-US")
    mine = entered(visit, organiser, "Chizuru")
    visit.go(organiser.path)
    visit.tap("[data-do=deck]")
    visit.page.wait_for_selector("[data-part=deck] .good")
    good(visit, "tournament-deck")
    organiser.enter("Nobody")
    organiser.post(next(iter(organiser.guests.values())), "deck", {"deck": ""})
    visit.page.wait_for_function("() => document.querySelectorAll('.people .in').length === 2")
    organiser.pair()
    visit.page.wait_for_url("**/room/*")
    visit.page.wait_for_url("**/tournament/*")  # the other one did not appear
    visit.page.wait_for_selector(".podium")
    assert visit.page.locator(f"tr[data-entrant='{mine}'] .place").inner_text() == "1"
    assert visit.page.locator("details pre").count() == 2, "decks are shown when it is over"
    assert visit.problems == []
    visit.context.close()


def test_a_link_that_leads_nowhere(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "phone")
    visit.forgive = True
    visit.go("/tournament/nothing")
    visit.page.wait_for_selector("a[href='/tournament']")
    assert visit.overflow() == []
    visit.context.close()


def test_the_copied_link_opens_the_tournament(chromium: Any, site: Site) -> None:
    """Also behind a root path, which the link contains once."""
    organiser = Organiser(site.url)
    visit = Visit(chromium, site)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.go(organiser.path)
    visit.tap("[data-do=share]")
    visit.page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('/tournament/')")
    link = visit.page.evaluate("() => navigator.clipboard.readText()")
    assert link == site.address(organiser.path)
    visit.page.goto(link)
    visit.page.wait_for_selector("[data-do=enter]")
    visit.context.close()


@pytest.mark.parametrize(("size", "lang"), [("phone", "ja-JP"), ("desk", "en-US")])
def test_the_end_card_calls_to_the_next_round(chromium: Any, site: Site, size: str, lang: str) -> None:
    """Of four players one stays on the end card and one reads the rules; both are called and moved by countdown."""
    organiser = Organiser(site.url, rounds=2, pause=1, wait=40)
    visits = [Visit(chromium, site, size, lang) for _ in range(4)]
    ids = [entered(visit, organiser, f"Player {number}") for number, visit in enumerate(visits)]
    for visit in visits:
        visit.go(organiser.path)
        visit.page.wait_for_selector("[data-part=in]")
    organiser.pair()
    for visit in visits:
        visit.page.wait_for_url("**/room/*")
        visit.page.wait_for_selector(".table")
    table = organiser.page()["live"]["tables"]
    one, two = (visits[ids.index(table[0][place])] for place in ("one", "two"))
    first = one.page.evaluate("() => location.pathname")
    resign(one)
    for visit in (one, two):
        visit.page.wait_for_selector("dialog[open] [data-part=next-round]")
    good(one, f"tournament-next-round-{lang}")
    two.tap("dialog[open] a[href='/']")
    two.page.wait_for_selector("main")
    resign(visits[ids.index(table[1]["one"])])
    for visit in (one, two):
        visit.page.wait_for_selector("dialog[open] [data-part=call]")
        assert visit.page.title().startswith("●")
    assert one.page.evaluate("() => location.pathname") == first
    good(one, f"tournament-call-{lang}")
    two.page.keyboard.press("Enter")
    for visit in (one, two):
        visit.page.wait_for_function("first => !location.pathname.endsWith(first)", arg=first)
        visit.page.wait_for_url("**/room/*")
        visit.page.wait_for_selector(".table")  # both players of the table came
        assert visit.page.locator("dialog[open]").count() == 0
    rows = organiser.page()["live"]["lines"]
    assert not [row for row in rows if row.get("away")]
    for visit in visits:
        assert visit.problems == []
        visit.context.close()
