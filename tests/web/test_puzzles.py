"""Puzzles in a real browser: one solved, one failed, one with hints; the day's puzzle, the streak, the rating."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from blackpoker.learn.puzzles.model import Puzzle, by_id, solves
from blackpoker.learn.puzzles.play import puzzle_of_the_day
from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import ScriptMove
from tests.web.test_screens import LANGUAGES


def answer_move(puzzle: Puzzle, good: bool) -> ScriptMove:
    """Return the answer, or a minimal wrong one."""
    game = puzzle.start()
    assert game.decision is not None
    words = game.decision.words
    if good:
        move = next(move for move in game.legal_moves if solves(puzzle, move.text))
    else:
        move = game.parse(next(one for one in ("end", "done", "pass") if one in words))
    return ScriptMove("p1", move.text, game.draft(move).words, game.decision.kind, {})


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_solved_failed_and_hinted(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    hands = PageDriver(visit)
    win, survive = by_id()["win-024"], by_id()["survive-001"]
    visit.go(f"/puzzles/{win.id}")
    page.wait_for_selector(".lesson[data-state=open]")
    hands.wait_for_prompt(0)
    visit.shot(f"puzzle-{lang[:2]}")
    assert visit.overflow() == []
    hands.play_move(answer_move(win, good=True))
    page.wait_for_selector(".result .mini")
    assert page.locator(".result .why li").count() > 1  # the explanation is shown
    visit.shot(f"puzzle-solved-{lang[:2]}")
    assert visit.overflow() == []
    assert visit.axe() == []
    last = page.inner_text(".result .summary")
    page.keyboard.press("ArrowLeft")  # the answer, step by step
    assert page.inner_text(".result .summary") != last
    after_one = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-puzzles'))")
    assert after_one["solved"] == [win.id]
    assert after_one["rating"] > 1200

    visit.go(f"/puzzles/{survive.id}")
    page.wait_for_selector(".lesson[data-state=open]")
    hands.wait_for_prompt(0)
    hands.play_move(answer_move(survive, good=False))
    page.wait_for_selector(".lesson[data-state=astray]")
    after_two = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-puzzles'))")
    assert after_two["rating"] < after_one["rating"]
    page.click(".lesson [data-do=back]")
    page.wait_for_selector(".lesson[data-state=open]")
    page.click(".lesson [data-do=hint]")
    page.click(".lesson [data-do=hint]")
    assert page.locator(".lesson .hint").count() == 2
    hands.wait_for_prompt(0)
    hands.play_move(answer_move(survive, good=True))
    page.wait_for_selector(".result .mini")
    after_three = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-puzzles'))")
    assert after_three["rating"] == after_two["rating"], "only the first answer counts"
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_puzzle_of_the_day_and_the_row(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    today = puzzle_of_the_day(datetime.now().astimezone().date())
    visit.go("/puzzles")
    page.evaluate(
        "day => localStorage.setItem('blackpoker-puzzles', JSON.stringify({day, streak: 3, best: 3}))",
        (datetime.now().astimezone() - timedelta(days=1)).date().isoformat(),
    )
    page.reload()
    page.wait_for_selector("[data-do=today]")
    assert page.text_content("[data-streak]") == "3"
    visit.shot("puzzles")
    assert visit.overflow() == []
    assert visit.axe() == []
    page.click("[data-do=today]")
    page.wait_for_selector(".lesson[data-state=open]")
    hands = PageDriver(visit)
    hands.wait_for_prompt(0)
    hands.play_move(answer_move(today, good=True))
    page.wait_for_selector(".result .mini")
    visit.go("/puzzles")
    page.wait_for_selector("[data-do=today]")
    assert page.text_content("[data-streak]") == "4"
    page.click("[data-kind=hold]")  # a kind of puzzles, and back from there
    page.wait_for_selector("[data-puzzle] .mini")
    assert visit.axe() == []
    page.go_back()
    page.wait_for_selector("[data-do=today]")
    assert visit.problems == []
    visit.context.close()
