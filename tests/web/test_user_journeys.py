"""Main use cases, from the first screen to the last, by taps alone and at both sizes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.eager_player import EagerPlayer
from tests.web.page_driver import BOARD, READ_PAGE, PageDriver

#: timeout in seconds for a whole game
PATIENCE = 420.0


@pytest.fixture
def own_site(able: None, tmp_path: Path) -> Iterator[Site]:
    """Yield a server that may be killed."""
    found = Site(tmp_path)
    found.start()
    yield found
    found.kill()


# -- a newcomer --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_a_newcomer(chromium: Any, site: Site, size: str) -> None:
    """Home, the first lesson, then a whole guided game of Lite+Entry against the computer."""
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/")
    page.click(".home a[href='/school']")
    page.click("[data-do=start]")
    first_lesson(visit)
    visit.shot("lesson-end")
    assert visit.axe() == []
    visit.go("/guide")
    page.wait_for_selector(".table")
    play_on(visit, 5)
    page.wait_for_timeout(300)
    visit.shot("game-over")
    assert visit.axe() == []
    page.click("dialog[open] a[href*='/replay/']")
    page.wait_for_selector(".dock [data-do=play]")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    visit.shot("replay")
    assert visit.overflow() == []
    assert visit.axe() == []
    visit.go("/replays")
    page.click("main a[href*='/replay/']")
    page.wait_for_selector(".step")
    assert visit.problems == []
    visit.context.close()


def first_lesson(visit: Visit) -> None:
    """Play the first lesson: the goal, the costs, a winning attack."""
    page = visit.page
    page.wait_for_selector(".lesson[data-task='1']")
    page.click(".lesson [data-do=next]")
    page.wait_for_selector(".lesson[data-task='2']")
    page.click(".lesson [data-do=next]")
    page.wait_for_selector(".lesson[data-task='3']")
    page.click(".dock [data-do=all]")
    page.wait_for_selector(".lesson[data-state=done]")
    visit.shot("lesson-1")
    assert visit.overflow() == []
    page.click(".lesson [data-do=next]")
    page.wait_for_selector(".finished")


def play_on(visit: Visit, seed: int) -> None:
    """Play to the end; check each new state more closely."""
    hand = EagerPlayer(visit, seed)
    seen: set[str] = set()
    end = time.monotonic() + PATIENCE
    while (what := hand.tap()) != "over":
        assert time.monotonic() < end, hand.read_page()
        if what == "wait":
            visit.page.wait_for_timeout(25)
        elif what not in seen:
            seen.add(what)
            visit.page.wait_for_timeout(300)
            visit.shot(f"game-{what}")
            assert visit.overflow() == [], what
            assert visit.axe() == [], what


# -- two friends -------------------------------------------------------------------------------------------------------


class Friends:
    """Two players at their own screens."""

    def __init__(self, host: Visit, guest: Visit, site: Site) -> None:
        self.visits = [host, guest]
        self.site = site
        self.lines: list[Any] = []
        guest.page.route_web_socket("**/ws?*", self.through)
        self.hands = [EagerPlayer(visit, seed) for seed, visit in enumerate(self.visits, 3)]
        self.taps = 0

    def through(self, line: Any) -> None:
        self.lines.append(line)
        line.connect_to_server()

    def meet(self, regulation: str) -> str:
        """Invite by link, join and get ready; return the link."""
        host, guest = (visit.page for visit in self.visits)
        self.visits[0].start_game(regulation, opponent_kind="friend")
        link: str = host.wait_for_selector("input.link", state="attached").input_value()
        guest.goto(link)
        guest.click("[data-do=ready]")  # the guest's seat: the host is ready already
        for page in (host, guest):
            page.wait_for_selector(".palette")
        return link

    def play(self, until: int | None = None, patience: float = PATIENCE) -> bool:
        """Tap until the end, or this many taps; return True at the end."""
        end = time.monotonic() + patience
        over = [False, False]
        while not all(over) and (until is None or self.taps < until):
            assert time.monotonic() < end, [hand.read_page() for hand in self.hands]
            idle = True
            for place, hand in enumerate(self.hands):
                what = hand.tap()
                over[place] = what == "over"
                if what not in ("wait", "over"):
                    idle = False
                    self.taps += 1
            if idle:
                self.visits[0].page.wait_for_timeout(20)
        return all(over)

    def calm(self) -> list[Any]:
        """Return the prompt and the board of both screens once nothing moves."""
        last: list[Any] = []
        end = time.monotonic() + 20
        while time.monotonic() < end:
            now = []
            busy = False  # a pending response would change the state
            for visit in self.visits:
                state = visit.page.evaluate(READ_PAGE)
                table = visit.page.locator(".table").count()
                busy = busy or state["busy"]
                if state["doing"] == "draft":  # a draft is local to the page
                    visit.page.keyboard.press("Escape")
                    busy = True
                now.append((state["asked"], state["kind"], visit.page.evaluate(BOARD) if table else None))
            if now == last and not busy and any(prompt for prompt, _, _ in now):
                return now
            last = now
            self.visits[0].page.wait_for_timeout(250)
        raise AssertionError(f"the screens do not come to rest: {last}")

    def connected(self) -> None:
        for visit in self.visits:
            visit.page.wait_for_function("() => !document.querySelector('[data-lost]')", timeout=15_000)

    def reload(self) -> None:
        before = self.calm()
        self.visits[0].page.reload()
        self.visits[0].page.wait_for_selector(".palette")
        assert self.calm() == before

    def drop(self) -> float:
        """Break the guest's connection; return the seconds until the same prompt is back."""
        before = self.calm()
        count = len(self.lines)
        started = time.monotonic()
        self.lines[-1].close(code=1011, reason="test")
        while len(self.lines) == count:
            self.visits[1].page.wait_for_timeout(10)
            assert time.monotonic() < started + 5
        self.connected()
        took = time.monotonic() - started
        assert self.calm() == before
        return took

    def crash(self) -> None:
        """Kill the server and start it again."""
        before = self.calm()
        for visit in self.visits:
            visit.forgive = True
        self.site.kill()
        for visit in self.visits:
            visit.page.wait_for_selector("[data-lost]", timeout=10_000)
        self.visits[0].shot("server-gone")
        self.site.start()
        self.connected()
        assert self.calm() == before
        for visit in self.visits:
            visit.forgive = False


STORIES = {"desk": ("master+full", "phone"), "phone": ("extra+full", "desk")}


@pytest.mark.parametrize("size", STORIES)
def test_two_friends_by_link(chromium: Any, own_site: Site, size: str) -> None:
    """A whole Master game, a whole Extra match: a reload, a dropped connection, a killed server, and nothing is lost."""
    regulation, other = STORIES[size]
    friends = Friends(Visit(chromium, own_site, size), Visit(chromium, own_site, other, "en-US"), own_site)
    link = friends.meet(regulation)
    third = Visit(chromium, own_site, other)
    for taps, incident in ((15, friends.reload), (30, friends.drop), (45, friends.crash)):
        if taps == 45:
            third.page.goto(link)
            third.page.wait_for_selector(".table")
            third.forgive = True
        assert not friends.play(taps), "it ended too soon to have a middle"
        seconds = incident()
        if seconds is not None:
            print(f"{regulation}: the same prompt {seconds:.2f} s after the line broke")
            assert seconds < 2
    third.page.wait_for_function("() => !document.querySelector('[data-lost]')", timeout=15_000)
    third.forgive = False
    third.shot("watching")
    friends.play()
    print(f"{regulation}: {friends.taps} taps, decisions {sorted(friends.hands[0].seen | friends.hands[1].seen)}")
    host, guest = friends.visits
    results = [visit.page.inner_text("#end-title") for visit in friends.visits]
    assert set(results) in ({"勝利", "You lose"}, {"敗北", "You win"}, {"引き分け", "Drawn"})
    third.page.wait_for_selector("#end-title")
    guest.shot("friend-over")
    replay(third, host.page.get_attribute("dialog[open] a[href*='/replay/']", "href") or "")
    rematch(host, guest)
    for visit in (host, guest, third):
        assert visit.problems == []
        visit.context.close()


@pytest.mark.skipif(not os.environ.get("BLACKPOKER_LONG"), reason="a match of two decks is in make soak-web")
def test_a_match_of_two_decks(chromium: Any, own_site: Site) -> None:
    """Up to three games; both choose a deck before each."""
    friends = Friends(Visit(chromium, own_site, "desk"), Visit(chromium, own_site, "phone", "en-US"), own_site)
    friends.meet("master+randomhalf")
    friends.play(patience=3 * PATIENCE)
    assert "deck" in friends.hands[0].seen | friends.hands[1].seen
    print(f"master+randomhalf: {friends.taps} taps; {friends.visits[1].page.inner_text('dialog[open]')}")
    friends.visits[0].shot("match-over")
    for visit in friends.visits:
        assert visit.problems == []
        visit.context.close()


def replay(visit: Visit, path: str) -> None:
    """Open the link of a finished game as another user, from the first step to the last."""
    page = visit.page
    visit.go(path)
    page.wait_for_selector(".dock [data-do=play]")
    for key in ("ArrowRight", "ArrowRight", "End"):
        page.keyboard.press(key)
    page.wait_for_function(
        "() => { const [n, all] = document.querySelector('.step strong').innerText.match(/\\d+/g);"
        " return n === all && n > 0 && !document.querySelector('[aria-busy=true]') }"
    )
    visit.shot("replay-end")
    assert visit.overflow() == []


def rematch(one: Visit, two: Visit) -> None:
    two.page.click("[data-do=rematch]")
    one.page.wait_for_selector("[data-again=asks]")
    one.page.click("[data-do=rematch]")
    for visit in (one, two):  # both accepted: no ready button, and the game starts
        visit.page.wait_for_selector("#end-title", state="hidden")
        assert visit.page.locator("[data-do=ready]").count() == 0
    for _ in range(600):
        if any(visit.page.locator("[data-prompt^='2/']").count() for visit in (one, two)):
            return
        one.page.wait_for_timeout(100)
    raise AssertionError("nobody is asked anything in the second game")


# -- a judge -----------------------------------------------------------------------------------------------------------

QUESTION = """format = "master"
turn = "p1"
[p1]
life = 20
hand = "S7 H3 C9"
field = "S5 S9(d)"
bulwarks = "D2(d)"
[p2]
life = 20
hand = "C4 D8"
field = "H8"
bulwarks = "D4 D5(d)"
"""


@pytest.mark.parametrize("size", SIZES)
def test_a_judge(chromium: Any, site: Site, size: str, tmp_path: Path) -> None:
    """A pasted position, an action refused with its ruling, the saved scenario; ``blackpoker scenario`` passes it."""
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/desk")
    page.locator("textarea").first.fill(QUESTION)
    page.click("[data-do=check]")
    refused = page.wait_for_selector("li[data-action=summon_soldier]")
    assert "R-32" in refused.inner_text()  # no charged bulwark pays for it
    visit.shot("desk-examined")
    assert visit.axe() == []
    page.click("[data-do=play]")
    page.wait_for_selector(".palette[data-doing=action]")
    if page.locator(".palette:not([data-whole]) .all").count():
        page.click(".palette .all")  # on a phone the refused actions are in the sheet of all actions
    page.wait_for_selector(".palette details")
    page.click(".palette summary")
    assert "R-32" in page.inner_text(".palette li[data-action=summon_soldier]")
    page.click(".palette li[data-action=summon_soldier] .button")
    visit.shot("refused")
    assert visit.overflow() == []
    assert visit.axe() == []
    hands = PageDriver(visit)
    hands.request(["attack"])
    hands.pass_until("attack")
    hands.pick("S5")
    hands.confirm()
    hands.pass_until("block")
    hands.block("S5: H8")
    page.wait_for_selector(".palette[data-doing=action]")
    page.click(".top button")
    page.click("dialog[open] [data-do=scenario]")
    script = page.locator("textarea").nth(1)
    assert "illegal p1 summon_soldier because R-32" in script.input_value()
    assert "p2: S5: H8" in script.input_value()
    script.fill(script.input_value() + "\nexpect turn p1")
    page.locator("input:not([type=file])").first.fill("A judge's question")
    page.click("[data-do=run]")
    page.wait_for_selector("[role=status] .good")
    with page.expect_download() as saved:
        page.click("[data-do=save]")
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    done = subprocess.run(
        [sys.executable, "-m", "blackpoker.cli", "scenario", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr + file.read_text(encoding="utf-8")
    visit.go("/desk")
    page.set_input_files("input[type=file]", file)
    page.click("[data-do=run]")
    page.wait_for_selector("[role=status] .good")
    assert "p2: S5: H8" in script.input_value()
    script.fill(script.input_value() + "\nexpect p1.life 3")
    page.click("[data-do=run]")
    page.wait_for_selector("[role=status] .problem")
    visit.shot("desk-failed")
    assert visit.overflow() == []
    assert visit.problems == []
    visit.context.close()
