"""The whole game without a server (``make static``): after one visit the host stops and everything still works.

Not part of ``make test``, because it needs the static page built by ``make static``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blackpoker import Game
from blackpoker.learn.puzzles.model import by_id
from tests.web.browser import PATIENCE, Visit
from tests.web.eager_player import EagerPlayer
from tests.web.page_driver import PageDriver
from tests.web.static_site import EXCLUDED, PLAYER, READY, STATIC, StaticSite
from tests.web.test_puzzles import answer_move

#: rows of a store in the page's own database
ROWS = """([name, table]) => new Promise((done, failed) => {
  const opening = indexedDB.open(name);
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const asked = opening.result.transaction(table).objectStore(table).getAll();
    asked.onsuccess = () => { opening.result.close(); done(asked.result); };
  };
})"""


@pytest.fixture(params=["/", "/blackpoker/"], ids=["root", "folder"])
def host(request: pytest.FixtureRequest, able: None, tmp_path: Path) -> Iterator[StaticSite]:
    if not (STATIC / "sw.js").exists():
        pytest.skip("there is no static page (make static)")
    found = StaticSite(tmp_path, request.param)
    found.draw_from(request.node.nodeid)
    found.start()
    yield found
    found.kill()


def database(host: StaticSite) -> str:
    """Return the base name of the page's stores, which contains its folder on the host."""
    return f"blackpoker{host.prefix.rstrip('/')}"


def rows(visit: Visit, table: str) -> list[list[Any]]:
    site: Any = visit.site
    found: list[list[Any]] = visit.page.evaluate(ROWS, [database(site), table])
    return found


def wait_until_cached(visit: Visit) -> None:
    """Wait until the service worker has cached everything and the engine is ready."""
    visit.page.wait_for_function("() => navigator.serviceWorker.controller", timeout=2 * PATIENCE)
    visit.page.wait_for_function(READY)


def play_out(visit: Visit, seed: int = 1) -> None:
    """Play carelessly to the end of the game, until its record is stored."""
    hand = EagerPlayer(visit, seed)
    before = len(rows(visit, "records"))
    end = time.monotonic() + 600
    while len(rows(visit, "records")) == before:
        assert time.monotonic() < end, "the game does not end"
        for _ in range(8):
            hand.tap()
            visit.page.wait_for_timeout(20)


def test_excluded_files_exist() -> None:
    """Excluded tests exist: after a renaming the exclusion would silently not apply."""
    here = Path(__file__).parent
    for name in EXCLUDED:
        file, _, test = name.partition("::")
        assert f"def {test}" in (here / file).read_text(encoding="utf-8"), name


def test_a_deep_link(chromium: Any, host: StaticSite) -> None:
    """A file host has no screens: 404.html redirects to them, and so does the service worker."""
    visit = Visit(chromium, host, lang="en-US")
    visit.forgive = True  # the host's 404
    visit.page.goto(host.url + "/rules/R-62?x=1")
    visit.page.wait_for_selector("main h2, main h1")
    assert visit.page.url == host.url + "/rules/R-62?x=1"
    visit.forgive = False
    wait_until_cached(visit)
    visit.page.goto(host.url + "/school")
    visit.page.wait_for_selector("[data-lesson]")
    assert visit.page.url == host.url + "/school"
    assert visit.problems == []


def ask_hint(visit: Visit) -> None:
    """Ask for a hint: first a thought, then a move."""
    page = visit.page
    page.click(".top button")
    page.click("dialog[open] [data-do=hint]")
    page.click(".hint [data-do=hint-move]")
    page.wait_for_selector(".hint [data-do=hint-move]", state="detached")
    assert len(page.inner_text(".hint")) > 8


def test_after_one_visit_without_a_host(chromium: Any, host: StaticSite) -> None:
    visit = Visit(chromium, host, lang="en-US")
    page = visit.page
    visit.go("/")
    page.wait_for_selector("[data-do=now]:not([disabled])")
    assert visit.problems == []
    wait_until_cached(visit)
    host.kill()
    page.goto(host.url + "/")
    page.wait_for_selector("[data-do=now]:not([disabled])")
    page.goto(host.url + "/play?with=ai")
    page.wait_for_selector("[data-level]")
    levels = page.eval_on_selector_all("[data-level]", "all => all.map(one => one.dataset.level)")
    assert len(levels) >= 4
    page.click(f"[data-level={levels[0]}]")
    page.click("[data-format=lite]")
    page.click("[data-do=start]")
    page.wait_for_selector(".table[data-prompt*='/']")
    prompt = page.get_attribute(".table", "data-prompt")
    page.reload()  # during the game: the same prompt
    page.wait_for_selector(f".table[data-prompt='{prompt}']")
    ask_hint(visit)
    play_out(visit)
    for level in levels[1:]:  # the other levels without the user interface, which has been tested
        page.evaluate(PLAYER, [database(host), level, "lite+entry"])
    records = rows(visit, "records")
    assert len(records) == len(levels)
    assert all(Game.from_record(record[4]).outcome() for record in records)
    page.goto(f"{host.url}/replay/{records[0][0]}")
    page.wait_for_selector(".step[aria-busy=false]")
    page.wait_for_selector(".story .turning[aria-busy=false]", timeout=3 * PATIENCE)
    page.wait_for_selector(".story .turning ol", state="attached")  # the coach has analysed it
    page.goto(host.url + "/desk")
    page.wait_for_selector("[data-verdict=good] li")
    page.goto(host.url + "/decks")
    page.click("[data-do=new]")
    page.click("[data-frame=constructed40]")
    page.click("[data-do=sample]")
    page.wait_for_selector("[data-put=SA]")
    page.locator("main input[maxlength='40']").fill("Red Moon")
    page.click("[data-do=keep]")
    page.wait_for_selector("[data-do=keep]:disabled", state="attached")
    puzzle, hands = by_id()["win-024"], PageDriver(visit)
    page.goto(f"{host.url}/puzzles/{puzzle.id}")
    page.wait_for_selector(".lesson[data-state=open]")
    hands.wait_for_prompt(0)
    hands.play_move(answer_move(puzzle, good=True))
    page.wait_for_selector(".result .mini")
    page.goto(host.url + "/school")
    page.locator("[data-lesson]").first.click()
    page.wait_for_selector(".lesson[data-state=open]")
    page.wait_for_selector(".table[data-prompt*='/']")
    page.goto(host.url + "/play?with=both")
    page.click("[data-do=start]")
    page.wait_for_selector(".curtain, .table[data-prompt*='/']")
    if page.locator(".curtain").count():  # the second seat begins
        page.click("[data-do=uncover]")
    page.wait_for_selector(".table[data-prompt*='/']")
    assert "/both/" in page.url
    assert [one for one in visit.problems if "ERR_CONNECTION_REFUSED" not in one and "static.json" not in one] == []


@pytest.mark.parametrize("folder", ["", "blackpoker"])
def test_any_server_of_files(chromium: Any, able: None, tmp_path: Path, folder: str) -> None:
    """Uses ``python -m http.server``, which has no special support for us."""
    if not (STATIC / "sw.js").exists():
        pytest.skip("there is no static page (make static)")
    place = STATIC
    if folder:
        place = tmp_path
        (tmp_path / folder).symlink_to(STATIC)
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(place), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().partition(" port ")[2].split()[0]
        page = chromium.new_context(locale="en-US").new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"http://127.0.0.1:{port}/{folder}")
        page.wait_for_selector("[data-do=now]:not([disabled])")
        page.wait_for_function(READY)
        name = f"blackpoker/{folder}".rstrip("/")
        assert len(page.evaluate(PLAYER, [name, "easy", "lite+entry"])["times"]) > 3
        page.context.close()
        server.kill()


def test_two_tabs_in_one_room(chromium: Any, host: StaticSite) -> None:
    """One move per number; when the tab that runs the engine closes, the other continues at the same point."""
    visit = Visit(chromium, host, lang="en-US")
    page = visit.page
    visit.start_game("lite+entry", "easy")
    page.wait_for_selector(".table[data-prompt*='/']")
    second = visit.context.new_page()
    second.set_default_timeout(PATIENCE)
    second.goto(page.url.replace(host.url, host.url + "/?go=").replace("?go=/", "?go=%2F"))
    second.wait_for_selector(".table[data-prompt*='/']")
    assert second.get_attribute(".table", "data-prompt") == page.get_attribute(".table", "data-prompt")
    hands = [EagerPlayer(visit, 1), EagerPlayer(visit, 2)]
    for turn in range(24):  # both tabs answer, the first one wins
        visit.page = (page, second)[turn % 2]
        hands[turn % 2].tap()
        visit.page.wait_for_timeout(60)
    page.close()  # this tab runs the engine
    visit.page = second
    play_out(visit, 3)
    entries = [tuple(row[:3]) for row in rows(visit, "entries")]
    assert len(entries) == len(set(entries)) > 6
    (record,) = rows(visit, "records")
    assert Game.from_record(record[4]).outcome() is not None


def test_an_engine_failure_is_shown_and_retried(chromium: Any, host: StaticSite) -> None:
    visit = Visit(chromium, host, lang="en-US")
    visit.forgive = True
    visit.context.route("**/blackpoker.pack", lambda route: route.abort())
    visit.go("/")
    notice = visit.page.wait_for_selector("[data-engine=failed]", timeout=2 * PATIENCE)
    assert "could not be made ready" in notice.inner_text()
    visit.context.unroute("**/blackpoker.pack")
    visit.page.click("[data-do=engine-again]")
    visit.page.wait_for_selector("[data-engine=failed]", state="detached")
    visit.page.wait_for_function(READY)
