"""The page of a server over HTTPS in a real Chromium: what can be read when the server is away, and updates."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import FLAGS, PATIENCE, STATIC, Visit, chromium
from tests.web.eager_player import EagerPlayer
from tests.web.tls_site import TRUSTING, TlsSite

#: the addresses stored for reading
STORED = """async () => (await (await caches.open('blackpoker reading /')).keys()).map((one) => one.url)"""
#: look for a new version; its state, or an empty text
NEWER = """async () => {
  const found = await navigator.serviceWorker.getRegistration();
  await found.update();
  return found.waiting?.state ?? '';
}"""


@pytest.fixture
def site(able: None, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[TlsSite]:
    found = TlsSite(tmp_path)
    found.start()
    yield found
    found.leave()


@pytest.fixture
def trusting(able: None) -> Iterator[Any]:
    """Return a browser that accepts the site's certificate."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        found = running.chromium.launch(executable_path=chromium(), args=[*FLAGS, TRUSTING])
        yield found
        found.close()


def wait_for(visit: Visit, script: str, good: Any, seconds: float = 90) -> Any:
    """Return the value of a script as soon as it is good."""
    end = time.monotonic() + seconds
    while not good(found := visit.page.evaluate(script)):
        assert time.monotonic() < end, found
        visit.page.wait_for_timeout(300)
    return found


def play_out(visit: Visit) -> str:
    """Play carelessly to the end of the game; return the record's id."""
    hand = EagerPlayer(visit, 1)
    end = time.monotonic() + 300
    while hand.tap() != "over":
        assert time.monotonic() < end, "the game does not end"
        visit.page.wait_for_timeout(20)
    link = visit.page.wait_for_selector("a[href*='/replay/']")
    return str(link.get_attribute("href")).rpartition("/")[2].partition("?")[0]


def test_reading_without_the_server(trusting: Any, site: TlsSite) -> None:
    """Rules, lessons, puzzles and the own record, whose replay was never opened."""
    visit = Visit(trusting, site, lang="en-US")
    page = visit.page
    visit.go("/")
    page.wait_for_function("() => navigator.serviceWorker.controller", timeout=PATIENCE)
    wait_for(visit, STORED, lambda all: sum("/api/puzzles/" in one for one in all) >= 30)
    visit.start_game("lite+entry", "easy")
    page.wait_for_selector(".table[data-prompt*='/']")
    record = play_out(visit)
    wait_for(visit, STORED, lambda all: any(f"/api/records/{record}/replay" in one for one in all))
    assert visit.problems == []
    site.kill()
    visit.forgive = True
    visit.go("/rules/R-62")
    page.wait_for_selector("main h2, main h1")
    assert "R-62" in page.inner_text("main")
    visit.go("/school")
    page.locator("[data-lesson]").first.wait_for()
    visit.go("/puzzles")
    assert page.locator("main a[href*='/puzzles/']").count() or page.wait_for_selector("main a[href*='/puzzles/']")
    visit.go("/replays")
    page.click(f"a[href*='/replay/{record}']")
    page.wait_for_selector(".step[aria-busy=false]")
    page.wait_for_selector(".table .hand, .table [data-card], .table .chip", state="attached")
    visit.shot("served-offline-replay")


def test_an_update_keeps_a_running_game(trusting: Any, site: TlsSite) -> None:
    """A new version waits until the last tab is closed; the game goes on, also after the page is loaded again."""
    visit = Visit(trusting, site, lang="en-US")
    page = visit.page
    visit.go("/")
    page.wait_for_function("() => navigator.serviceWorker.controller", timeout=PATIENCE)
    visit.start_game("lite+entry", "easy")
    page.wait_for_selector(".table[data-prompt*='/']")
    page.evaluate("() => { window.before = true }")
    worker = (STATIC / "sw.js").read_text(encoding="utf-8")
    site.newer = re.sub('const VERSION = "[^"]*"', 'const VERSION = "newer"', worker, count=1).encode()
    assert site.newer != worker.encode()
    wait_for(visit, NEWER, lambda state: state == "installed")
    hand = EagerPlayer(visit, 2)
    moved, end = 0, time.monotonic() + 120
    while moved < 4:
        assert time.monotonic() < end, "no move is possible"
        moved += hand.tap() not in ("wait", "over")
        page.wait_for_timeout(20)
    assert page.evaluate("() => window.before"), "the update loaded the page again"
    page.wait_for_function("() => /\\//.test(document.querySelector('.table')?.dataset.prompt ?? '')")
    prompt = page.get_attribute(".table", "data-prompt")
    page.reload()
    page.wait_for_selector(f".table[data-prompt='{prompt}']")
    assert visit.problems == []
