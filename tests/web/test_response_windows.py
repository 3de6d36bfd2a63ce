"""Settings around a chance: planned attackers, hold, cards to stop for, stops, skipping, taking back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import Script
from tests.web.test_boards import MIDDLE


@pytest.fixture(params=SIZES)
def hands(request: Any, chromium: Any, site: Site) -> Iterator[PageDriver]:
    """Yield both seats of one table, with prompts in every window."""
    visit = Visit(chromium, site, request.param, "en-US")
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    visit.page.evaluate("() => localStorage.setItem('blackpoker', JSON.stringify({mode: 'full', motion: 'reduced'}))")
    found = PageDriver(visit)
    found.open(Script("", MIDDLE))
    visit.page.wait_for_selector(".palette[data-doing=action]")
    yield found
    assert visit.problems == []
    visit.context.close()


def test_attackers_planned_before_the_attack_resolves(hands: PageDriver) -> None:
    page = hands.page
    hands.request(["attack"])
    page.wait_for_selector(".table[data-seat=p1] .stage .item[data-action=attack]")
    page.click("[data-places='p1.S5']")
    page.wait_for_selector("[data-places='p1.S5'].chosen")
    assert "♠5" in "".join(page.inner_text(".palette [role=status]").split())
    hands.pass_until("block")
    assert hands.settled()["fights"] == ["S5"]


def test_taking_back_is_free_with_both_seats(hands: PageDriver) -> None:
    page = hands.page
    before = hands.board()
    hands.request(["up", "H3", "$C9", ">p1.S5"])
    page.wait_for_selector(".stage .item[data-action=up]")
    page.click(".top button")
    page.get_by_text("Ask to take back").click()
    page.wait_for_selector(".stage .item", state="detached")
    page.wait_for_selector(".palette[data-doing=action]")
    hands.same_board(before, "taken back")


def test_kept_ready_stops_and_skips_are_kept(hands: PageDriver) -> None:
    page = hands.page
    page.click(".hand [data-card=JK]")
    page.get_by_text("Keep ready").click()
    page.wait_for_selector(".hand [data-card=JK] .armed")
    page.click(".dock [data-do=hold]")
    page.wait_for_selector(".dock [data-do=hold][aria-pressed=true]")
    page.click(".dock [data-do=hold]")
    page.wait_for_selector(".dock [data-do=hold][aria-pressed=false]")
    page.click(".top button")
    page.locator("dialog[open] input[type=checkbox]").first.check()
    page.select_option("dialog[open] select", "turn")
    page.keyboard.press("Escape")
    page.click(".top button")
    assert page.locator("dialog[open] input[type=checkbox]").first.is_checked()
    assert page.input_value("dialog[open] select") == "turn"


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_on_its_way_is_seen(chromium: Any, site: Site, size: str) -> None:
    """Until the server has accepted a move the prompt is busy, so that it does not look open."""
    visit = Visit(chromium, site, size, "en-US")
    page = visit.page
    pending: list[Any] = []

    def through(line: Any) -> None:
        server = line.connect_to_server()
        line.on_message(
            lambda message: pending.append((server, message)) if '"type":"move"' in message else server.send(message)
        )

    page.route_web_socket("**/ws?*", through)
    hands = PageDriver(visit)
    hands.open(Script("", MIDDLE))
    page.wait_for_selector(".palette[data-doing=action]")
    before = hands.settled()
    page.keyboard.press("a")
    page.wait_for_selector(".palette[aria-busy=true]")
    page.keyboard.press("a")  # sent once already
    page.wait_for_timeout(200)
    now = hands.read_page()
    assert (now["asked"], now["busy"], len(pending)) == (before["asked"], True, 1)
    server, message = pending.pop()
    server.send(message)
    page.wait_for_function("asked => document.querySelector('.table').dataset.prompt !== asked", arg=before["asked"])
    assert visit.problems == []
    visit.context.close()
