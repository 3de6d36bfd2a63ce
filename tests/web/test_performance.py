"""The performance figures of PRODUCT §5 that depend on the page: measured, printed and checked."""

from __future__ import annotations

import os
import statistics
import time
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import Script, scripts
from tests.web.test_boards import MIDDLE

MOST_TAPS = 3
#: medians from a tap to the changed frame and to the server's answer; the long run is for a quiet machine
LONG = bool(os.environ.get("BLACKPOKER_LONG"))
MOST_FRAME_MS = 16.0 if LONG else 100.0
MOST_SETTLED_MS = 60.0 if LONG else 400.0
MOST_RECONNECT = 2.0
MOST_FIRST_BYTES = 180_000
MOST_FIRST_REQUESTS = 15

#: tap and return the milliseconds until the next changed frame, and until the selection is answered
REACTION = """async selector => {
  const table = document.querySelector('.table'), begun = performance.now();
  const drawn = new Promise(done => {
    const watch = new MutationObserver(() => { watch.disconnect(); requestAnimationFrame(() => done(performance.now() - begun)) });
    watch.observe(table, {subtree: true, childList: true, attributes: true, characterData: true});
  });
  document.querySelector(selector).click();
  const changed = await drawn;
  while (table.querySelector('.palette[aria-busy=true]')) await new Promise(done => setTimeout(done));
  return [changed, performance.now() - begun];
}"""


@pytest.fixture(params=["phone"])
def phone(request: pytest.FixtureRequest, chromium: Any, site: Site) -> Any:
    visit = Visit(chromium, site, request.param, "en-US")
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    visit.page.evaluate("() => localStorage.setItem('blackpoker', JSON.stringify({mode: 'full', motion: 'reduced'}))")
    yield visit
    assert visit.problems == []
    visit.context.close()


def shortest() -> dict[str, tuple[Script, int]]:
    """Return for every action a player can request the script that plays it soonest."""
    found: dict[str, tuple[Script, int]] = {}
    for script in scripts():
        for place, move in enumerate(script.moves):
            name = move.words[0].removesuffix("@")
            if move.kind != "chance" or move.loose or name in ("pass", "end"):
                continue
            if name not in found or place < found[name][1]:
                found[name] = (script, place)
    return found


def test_taps_for_an_action(phone: Visit) -> None:
    """From the list of actions to the last confirmation; the page chooses the rest."""
    hands = PageDriver(phone)
    taps: dict[str, int] = {}
    for name, (script, place) in sorted(shortest().items()):
        hands.open(script)
        for number, move in enumerate(script.moves[: place + 1]):
            hands.wait_for_prompt(number)
            if number < place:
                hands.play_move(move)
        word = script.moves[place].words[0]
        taps_before = phone.taps
        phone.tap(f".palette .action[data-action='{word}']")
        now = hands.settled()
        if not now["whole"]:
            phone.tap("[data-do=fill]")
            hands.page.wait_for_selector(".palette .ok")
        hands.confirm()
        hands.page.wait_for_function(
            "asked => document.querySelector('.table').dataset.prompt !== asked", arg=now["asked"]
        )
        taps[name] = phone.taps - taps_before
    most = max(taps.values())
    print(f"taps per action on a phone: {len(taps)} actions, most {most}, mean {statistics.mean(taps.values()):.2f}")
    assert most <= MOST_TAPS, {name: count for name, count in taps.items() if count > MOST_TAPS}


@pytest.mark.parametrize("phone", SIZES, indirect=True)
def test_reaction_to_a_tap(phone: Visit) -> None:
    hands = PageDriver(phone)
    page = phone.page
    took: dict[str, list[list[float]]] = {"card": [], "action": [], "option": [], "cancel": []}
    hands.open(Script("", MIDDLE))
    page.wait_for_selector(".palette[data-doing=action]")
    for _ in range(12):
        took["card"].append(page.evaluate(REACTION, ".hand [data-card=H3]"))
        took["card"].append(page.evaluate(REACTION, ".hand [data-card=H3]"))
        took["action"].append(page.evaluate(REACTION, ".palette .action[data-action=up]"))
        hands.settled()
        took["option"].append(page.evaluate(REACTION, ".palette .word.pay"))  # proposed: another one is wanted
        page.wait_for_selector(".palette .list .pick")
        hands.settled()
        took["option"].append(page.evaluate(REACTION, ".palette .list .pick"))
        hands.settled()
        took["cancel"].append(page.evaluate(REACTION, ".dock [data-do=cancel]"))
        hands.settled()
    for place, name, most in ((0, "changed frame", MOST_FRAME_MS), (1, "answer", MOST_SETTLED_MS)):
        for kind, some in took.items():
            print(
                f"{phone.size}, tap on a {kind} to {name}: median {statistics.median(one[place] for one in some):.1f} ms"
            )
        every = sorted(one[place] for some in took.values() for one in some)
        print(
            f"{phone.size}, any tap to {name}: median {statistics.median(every):.1f} ms, 95 % {every[len(every) * 19 // 20]:.1f}"
        )
        assert statistics.median(every) <= most
        # a busy machine may delay single frames; the page itself may not
        assert place or LONG or every[len(every) * 9 // 10] <= most


def test_back_to_the_same_prompt(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site, "phone")
    page = visit.page
    lines: list[Any] = []

    def through(line: Any) -> None:
        lines.append(line)
        line.connect_to_server()

    page.route_web_socket("**/ws?*", through)
    visit.start_game()
    page.wait_for_selector(".palette:not([data-doing=wait])")
    took = []
    for _ in range(5):
        before = page.get_attribute(".table", "data-prompt")
        count = len(lines)
        started = time.monotonic()
        lines[-1].close(code=1011, reason="test")
        while len(lines) == count and time.monotonic() < started + 5:
            page.wait_for_timeout(5)
        page.wait_for_function(
            "asked => !document.querySelector('[data-lost]') && document.querySelector('.table').dataset.prompt === asked",
            arg=before,
        )
        took.append(time.monotonic() - started)
    print(f"back to the same prompt after a broken line: most {max(took):.2f} s of {len(took)}")
    assert max(took) <= MOST_RECONNECT
    assert visit.problems == []
    visit.context.close()


def test_first_load(chromium: Any, site: Site) -> None:
    """Bytes and requests of a first visit on the wire, and the time until the first screen is readable. The code of the
    table comes with the first game."""
    visit = Visit(chromium, site, "phone")
    page = visit.page
    visit.go("/")
    page.wait_for_selector("[data-do=now]:enabled")
    page.wait_for_selector("[data-tile=puzzle] .mini")
    page.wait_for_selector("[data-tile=watch] .mini")
    page.wait_for_load_state("networkidle")
    found = page.evaluate(
        "() => { const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];"
        " const paint = performance.getEntriesByName('first-contentful-paint')[0];"
        " return {requests: all.length, page: all.filter(e => !e.name.includes('/api/')).reduce((n, e) => n + e.transferSize, 0),"
        " all: all.reduce((n, e) => n + e.transferSize, 0), paint: paint ? paint.startTime : 0} }"
    )
    print(
        f"first load: {found['requests']} requests, {found['page']} bytes of the page, {found['all']} with its data; readable after {found['paint']:.0f} ms"
    )
    assert found["all"] <= MOST_FIRST_BYTES
    assert found["requests"] <= MOST_FIRST_REQUESTS
    assert visit.problems == []
    visit.context.close()
