"""Sound and touch: a touch is answered within 10 ms, seven dealt cards give seven onsets, the three levels, and the
screen that stays awake."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

from tests.web.browser import Site, Visit

#: init script: record each started sound with its start on the page's clock, and each pointer event
RECORDED = """
window.sounds = []; window.touches = [];
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
  if (!this.loop) sounds.push({at: performance.now() + Math.max(0, when - this.context.currentTime) * 1000,
    rate: this.playbackRate.value, length: this.buffer.length});
  return start.call(this, when, ...rest);
};
addEventListener('pointerdown', event => touches.push(event.timeStamp), {capture: true});
const request = navigator.wakeLock?.request.bind(navigator.wakeLock);
window.awake = 0;
if (request) navigator.wakeLock.request = async kind => {
  awake++;
  const lock = await request(kind);
  lock.addEventListener('release', () => awake--);
  return lock;
};
"""
LIMIT_MS = 10
#: length of the buffer of a dealt card, in samples
PAPER = "Math.ceil(0.16 * 32000)"


def heard(chromium: Any, site: Site, size: str = "desk", speed: str = "normal") -> Visit:
    visit = Visit(chromium, site, size, "en-US", speed)
    visit.context.add_init_script(RECORDED)
    return visit


def ready(visit: Visit) -> None:
    """Open the audio by a first touch, and wait until the sounds of touch are drawn."""
    for _ in range(3):
        visit.page.mouse.click(3, 3)
        visit.page.wait_for_timeout(700)
    visit.page.evaluate("() => { sounds.length = touches.length = 0 }")


def test_a_touch_is_answered_within_ten_milliseconds(chromium: Any, site: Site) -> None:
    visit = heard(chromium, site)
    page = visit.page
    visit.go("/guide")
    page.wait_for_selector(".hand [data-place]")
    page.wait_for_timeout(1500)
    ready(visit)
    cards = page.locator(".hand [data-place]")
    delays = []
    for n in range(12):
        before = page.evaluate("() => sounds.length")
        box = cards.nth(n % cards.count()).bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
        page.mouse.down()
        found = page.evaluate("before => ({sound: sounds[before]?.at, touch: touches.at(-1)})", before)
        page.mouse.up()
        page.wait_for_timeout(120)
        assert found["sound"], "a touch without a sound"
        delays.append(found["sound"] - found["touch"])
    assert median(delays) <= LIMIT_MS, sorted(delays)
    assert visit.problems == []
    visit.context.close()


def test_seven_dealt_cards_give_seven_onsets(chromium: Any, site: Site) -> None:
    visit = heard(chromium, site)
    page = visit.page
    visit.go("/play")
    page.wait_for_selector("[data-do=start]:enabled")
    ready(visit)
    page.click("[data-do=start]")
    page.wait_for_selector(".table")
    page.wait_for_function("() => document.querySelectorAll('.hand .slot').length >= 7")
    page.wait_for_timeout(1800)
    onsets = page.evaluate(f"() => sounds.filter(one => one.length === {PAPER}).map(one => one.at)")
    assert len(onsets) >= 7, onsets
    gaps = [two - one for one, two in pairwise(onsets)]
    assert all(gap >= 12 for gap in gaps), "each card is heard by itself"
    assert visit.problems == []
    visit.context.close()


def test_off_low_and_full(chromium: Any, site: Site) -> None:
    visit = heard(chromium, site)
    page = visit.page
    visit.go("/settings")
    page.wait_for_selector("[data-sound=full]")
    ready(visit)
    page.click("[data-sound=off]")
    page.evaluate("() => { sounds.length = 0 }")
    page.mouse.click(3, 3)
    page.click("nav a >> nth=0")
    page.wait_for_timeout(300)
    assert page.evaluate("() => sounds.length") == 0
    visit.go("/settings")
    page.click("[data-sound=full]")
    stored = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker'))")
    assert stored["sound"] is True
    full = stored["volume"]
    page.click("[data-sound=low]")
    page.wait_for_function("full => JSON.parse(localStorage.getItem('blackpoker')).volume < full", arg=full)
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def test_the_screen_stays_awake_during_a_game(chromium: Any, site: Site) -> None:
    visit = heard(chromium, site, speed="instant")
    page = visit.page
    visit.go("/guide")
    page.wait_for_selector(".hand [data-place]")
    if page.evaluate("() => 'wakeLock' in navigator"):
        page.wait_for_function("() => awake === 1")
        page.click(".top .icon-only, .table [aria-haspopup=dialog]")
        for _ in range(2):
            page.click("dialog[open] .button.danger")
        page.wait_for_selector("#end-title")
        page.wait_for_function("() => awake === 0")
    assert visit.problems == []
    visit.context.close()
