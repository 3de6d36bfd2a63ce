"""Edition 9 in a real browser, by page clicks only: the choice of the edition, the draft, and a whole game of every
recommended regulation against a computer."""

from __future__ import annotations

import time
from typing import Any

import pytest

from blackpoker.ruleset import editions
from tests.web.browser import Site, Visit
from tests.web.eager_player import EagerPlayer
from tests.web.test_keyboard import Typist

RECOMMENDED = [f"9:{format.id}+{frame}" for format in editions()["9"].formats for frame in format.recommended]
VISITS = [("phone", "ja-JP"), ("desk", "en-US")]
#: seconds for a whole game on a busy machine
LONGEST = 240


def choose_edition(visit: Visit) -> None:
    """Choose edition 9 on the home screen."""
    visit.go("/")
    visit.page.click("[data-edition='9']")
    visit.page.wait_for_function("() => JSON.parse(localStorage.getItem('blackpoker')).regulation.startsWith('9:')")


def start(visit: Visit, regulation: str) -> None:
    visit.go("/play")
    visit.page.click("[data-level=easy]")
    visit.page.click(f"[data-rung='{regulation}']")
    visit.page.click("[data-do=start]")
    visit.page.wait_for_selector(".table")


def play(player: EagerPlayer, until: str = "over") -> None:
    """Tap until the game is over, or a state such as ``action`` is reached."""
    end = time.monotonic() + LONGEST
    while True:
        state = player.tap() if player.read_page()["doing"] != until else until
        if state == until:
            return
        assert time.monotonic() < end, player.read_page()
        if state == "wait":
            player.visit.page.wait_for_timeout(20)


@pytest.mark.parametrize(("size", "lang"), VISITS)
@pytest.mark.parametrize("regulation", RECOMMENDED)
def test_a_recommended_regulation_is_played_to_its_end(
    chromium: Any, site: Site, regulation: str, size: str, lang: str
) -> None:
    visit = Visit(chromium, site, size, lang)
    choose_edition(visit)
    start(visit, regulation)
    play(EagerPlayer(visit, 3))
    assert visit.page.locator("#end-title").inner_text().strip()
    assert visit.overflow() == []
    assert visit.problems == []


def test_the_path_of_a_newcomer_goes_on_with_the_next_rung(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "phone", "ja-JP")
    choose_edition(visit)
    visit.page.click("[data-do=now]")
    visit.page.wait_for_selector(".table")
    play(EagerPlayer(visit, 5))
    visit.go("/play")
    assert visit.page.locator("[data-edition='9'] input").is_checked()  # it is remembered
    played = visit.page.locator(f"[data-rung='{RECOMMENDED[0]}']")
    played.locator(".done").wait_for()
    following = visit.page.locator(f"[data-rung='{RECOMMENDED[1]}']")
    assert following.locator("em").inner_text() == "次はここ"
    assert visit.problems == []


def keep_and_divide(visit: Visit, player: EagerPlayer) -> None:
    """Draft six cards and divide them; the tray shows each of them."""
    page = visit.page
    page.wait_for_selector("[data-tray]")
    for picked in range(6):
        page.wait_for_function("n => document.querySelectorAll('[data-tray] .card').length === n", arg=picked)
        assert page.locator(".palette .list .pick").count() == 3
        before = player.read_page()["asked"]
        end = time.monotonic() + 60
        while player.read_page()["asked"] == before:
            player.main() if player.read_page()["main"] else page.wait_for_timeout(20)
            page.wait_for_timeout(100)
            assert time.monotonic() < end
    page.wait_for_function("() => document.querySelectorAll('.palette .list .pick').length === 6")
    play(player, "action")
    rare = page.locator("[data-zone='p1-zones'] [data-rare], [data-zone='p2-zones'] [data-rare]")
    assert rare.count() == 2
    assert page.locator(".table .trump").count() == 4
    assert visit.problems == []


def test_a_draft_by_touch(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "phone", "ja-JP")
    choose_edition(visit)
    start(visit, "9:master+draft")
    keep_and_divide(visit, EagerPlayer(visit, 4))


def test_a_draft_by_keyboard(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "desk", "en-US")
    choose_edition(visit)
    start(visit, "9:master+draft")
    keep_and_divide(visit, Typist(visit, 4))
