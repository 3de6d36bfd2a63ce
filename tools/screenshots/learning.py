"""Screens of learning for ``tools.screenshots``: the school's path, puzzles and their results."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from tests.web.page_driver import PageDriver
from tests.web.test_puzzles import answer_move

from blackpoker.learn.puzzles.model import by_id
from tools.screenshots.decks import at, down, on_the_way

SCHOOL, PUZZLES = "blackpoker-school", "blackpoker-puzzles"
#: three lessons done, in the middle of the fourth
HALF_WAY = {
    "done": ["life", "attack", "block"],
    "passed": ["bulwark/0"],
    "clean": ["life/0", "life/1", "attack/0", "attack/1", "block/1", "bulwark/0"],
    "at": {"lesson": "bulwark", "task": 1, "moves": []},
}
LESSONS = (
    "life attack block bulwark summon quick pairs turn standard_units standard_pairs pro master_pairs master_hands"
    " trumps trump_spades trump_hearts trump_diamonds trump_clubs"
).split()
SOLVED, MISSED = "win-024", "survive-001"


def experienced_progress() -> dict[str, Any]:
    """Return the progress of a player after some weeks."""
    made = [one for one in by_id() if one.startswith("win-")]
    steps = (14, -9, 12, 11, -16, -11, 13, 12, 15, -8, 12, 13, 10, -7, 14, 12, -9, 13, 12, 11)
    now = int(time.time() * 1000)
    curve, rating = [], 1200
    for place, step in enumerate(steps):
        rating += step
        curve.append([now - (len(steps) - place) * 43_200_000, rating])
    today = datetime.now().astimezone().date()
    days = [(today - timedelta(days=n)).isoformat() for n in (1, 2, 3, 4)]
    tried = [*made[30:71], "22-stop-the-king", "50-drain-the-last-two", MISSED, "38-spare-the-king"]
    return {
        "rating": rating,
        "solved": made[30:71],
        "tried": tried,
        "day": days[0],
        "streak": 4,
        "best": 6,
        "days": days,
        "curve": curve,
    }


def store_progress(hands: PageDriver, key: str, value: dict[str, Any]) -> None:
    hands.page.evaluate("([key, value]) => localStorage.setItem(key, JSON.stringify(value))", [key, value])


def school(path: str, wanted: str, progress: dict[str, Any]) -> Callable[[PageDriver], None]:
    def step(hands: PageDriver) -> None:
        store_progress(hands, SCHOOL, progress)
        at(path, wanted)(hands)

    return step


def finished(hands: PageDriver) -> None:
    """Finish a lesson. Its last task is only read, or done as shown."""
    lesson = {**HALF_WAY, "at": {"lesson": "bulwark", "task": 2, "moves": ["S10: b1"]}}
    school("/school/bulwark", ".lesson[data-state=done]", lesson)(hands)
    hands.page.click("[data-do=next]")
    hands.page.wait_for_selector(".finished")


def puzzles(path: str, wanted: str) -> Callable[[PageDriver], None]:
    def step(hands: PageDriver) -> None:
        store_progress(hands, PUZZLES, experienced_progress())
        at(path, wanted)(hands)

    return step


def solved(hands: PageDriver) -> None:
    puzzles(f"/puzzles/{SOLVED}", ".lesson[data-state=open]")(hands)
    hands.wait_for_prompt(0)
    hands.play_move(answer_move(by_id()[SOLVED], good=True))
    hands.page.wait_for_selector(".result .mini")


def astray(hands: PageDriver) -> None:
    puzzles(f"/puzzles/{MISSED}", ".lesson[data-state=open]")(hands)
    hands.wait_for_prompt(0)
    hands.play_move(answer_move(by_id()[MISSED], good=False))
    hands.page.wait_for_selector(".lesson[data-state=astray]")


def gone(hands: PageDriver) -> None:
    """Open a link to a missing puzzle. The browser's message about the response is not a fault."""
    hands.visit.forgive = True
    hands.visit.go("/puzzles/nothing")
    hands.page.wait_for_selector(".state")


LEARNING = {
    "school": school("/school", ".road .mini, .hero .mini, .bubble", HALF_WAY),
    "school-new": at("/school", ".hero .mini, .bubble"),
    "school-done": school("/school", "[data-lesson=trump_clubs]", {"done": LESSONS, "guided": True}),
    "school-finished": finished,
    "lesson": school("/school/bulwark", ".lesson[data-state]", HALF_WAY),
    "guide": at("/guide", ".palette[data-doing=action]"),
    "school-down": down("**/api/school?**", "/school"),
    "school-on-the-way": on_the_way("**/api/school?**", "/school"),
    "puzzles": puzzles("/puzzles", ".kinds .mini"),
    "puzzles-new": at("/puzzles", ".kinds .mini"),
    "puzzles-kind": puzzles("/puzzles/hold", ".kind .mini"),
    "puzzles-missed": puzzles("/puzzles/missed", ".kind .mini"),
    "puzzle": puzzles(f"/puzzles/{SOLVED}", ".lesson[data-state=open]"),
    "puzzle-solved": solved,
    "puzzle-astray": astray,
    "puzzle-gone": gone,
    "puzzles-down": down("**/api/puzzles?**", "/puzzles"),
    "puzzles-on-the-way": on_the_way("**/api/puzzles?**", "/puzzles"),
}
