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


def test_a_deck_is_handed_in_and_nobody_comes(chromium: Any, site: Site) -> None:
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
