"""A position built by taps alone: its text, the engine's verdict, an attack to answer, and a game played from it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver

LANGUAGES = {"desk": "en-US", "phone": "ja-JP"}
BUILT = """format = "extra"
turn = "p2"

[p1]
life = "H4 H6 +20"
hand = "C4"
field = "S6"
bulwarks = "D3"

[p2]
life = 20
hand = "S7 H3 C9"
grave = "C2 CK"
field = "S5 S9(d)"
bulwarks = "D2 D4(d)"
trumps = "T:SJ t:H4"
"""


class Builder:
    """Taps on the desk."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.page: Any = visit.page

    def put(self, seat: str, zone: str, *cards: str) -> None:
        self.visit.tap(f"[data-builder] [data-seat-of={seat}]")
        for card in cards:
            suit = self.page.locator(f"[data-builder] [data-suit={card[0]}]")  # a phone shows one suit at a time
            if suit.count():
                suit.click()
            self.visit.tap(f"[data-builder] [data-card={card}]")
            self.visit.tap(f"[data-builder] [data-target={zone}][data-of={seat}]")

    def touch(self, word: str, do: str) -> None:
        self.visit.tap(f"[data-builder] [data-word='{word}']")
        self.visit.tap(f"[data-builder] .tools [data-do={do}]")

    def text(self) -> str:
        found: str = self.page.locator("textarea").first.input_value()
        return found


def check_screen(visit: Visit, name: str) -> None:
    visit.page.wait_for_timeout(400)
    visit.shot(name)
    assert visit.overflow() == [], name
    assert visit.axe() == [], name


def close(build: Builder, word: str) -> None:
    """Deselect the selected unit."""
    build.visit.tap(f"[data-builder] [data-word='{word}']")


@pytest.mark.parametrize("size", SIZES)
def test_a_position_built_by_taps(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size, LANGUAGES[size])
    page = visit.page
    build = Builder(visit)
    visit.go("/desk")
    page.wait_for_selector("[data-verdict=good] li")
    check_screen(visit, "desk")
    visit.tap("[data-builder] [data-do=empty]")
    page.locator("[data-builder] select[name=format]").select_option("extra")
    visit.tap("[data-set=turn-p2]")
    build.put("p1", "life", "H4", "H6")
    build.put("p1", "hand", "C4")
    build.put("p1", "field", "S6")
    build.put("p1", "bulwarks", "D3")
    build.put("p2", "hand", "S7", "H3", "C9")
    build.put("p2", "grave", "C2", "CK")
    build.put("p2", "field", "S5", "S9", "H8")
    build.touch("S9", "turn")
    close(build, "S9(d)")
    build.touch("H8", "remove")
    build.put("p2", "bulwarks", "D2", "D4")
    build.touch("D4", "turn")
    close(build, "D4(d)")
    build.put("p2", "trumps", "SJ", "H4")
    build.touch("t:SJ", "turn")
    close(build, "T:SJ")
    assert build.text() == BUILT
    visit.tap("[data-builder] [data-seat-of=p2]")
    assert page.locator("[data-builder] .suit [aria-disabled=true]").count() == 11
    page.wait_for_selector("[data-verdict=good] li")
    check_screen(visit, "desk-built")
    visit.tap("[data-do=life-less][data-life=p2]")
    assert "life = 19" in build.text()
    visit.tap("aside [data-do=undo]")
    assert build.text() == BUILT
    visit.forgive = True  # a refusal is written to the console
    page.locator("textarea").first.fill(BUILT.replace('hand = "C4"', 'hand = "C4 S6"'))
    page.wait_for_selector("aside .problem")
    check_screen(visit, "desk-impossible")
    visit.tap("[data-fix=hand]")  # either of the two zones fixes it
    assert build.text() == BUILT
    page.wait_for_selector("aside .problem", state="detached")
    visit.forgive = False
    visit.tap("[data-do=play]")
    page.wait_for_selector(".palette .action")
    hands = PageDriver(visit)
    hands.request(["summon_soldier", "S7", "$b1"])
    hands.pass_until("action")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_question_about_two_attackers(chromium: Any, site: Site, size: str) -> None:
    """Three taps from the position to the answer: the attack, the possible actions and the reasons for the others."""
    visit = Visit(chromium, site, size, LANGUAGES[size])
    page = visit.page
    visit.go("/desk")
    page.locator("textarea").first.fill(
        'format = "lite"\nturn = "p2"\n[p1]\nlife = 12\nhand = "H3 C9 D5"\nfield = "S5"\nbulwarks = "D2"\n'
        '[p2]\nlife = 20\nhand = "C4"\nfield = "H8(d) D9(d)"\n'
    )
    visit.tap("[data-do=attacked]")
    page.wait_for_function("() => document.querySelectorAll('.unit.hot').length === 2")
    page.locator("[data-verdict=good] a[href='/rules/up']").wait_for()
    visit.tap("[data-ask=p2]")  # the answer for the other seat, as if it held the chance
    page.wait_for_selector("[data-ask=p2][aria-pressed=true]")
    page.wait_for_selector("[data-verdict=good] a[href='/rules/up']", state="detached")
    visit.tap("[data-ask=p1]")
    page.locator("[data-verdict=good] a[href='/rules/up']").wait_for()
    assert page.locator("li[data-action=attack]").count() == 1  # not now, and why
    check_screen(visit, "desk-attacked")
    page.evaluate(
        "() => { navigator.share = undefined; navigator.clipboard.writeText = async text => { window.link = text } }"
    )
    page.locator("textarea").nth(1).fill("p1: up H3 $D5 >p1.S5")
    visit.tap("aside [data-do=share]")
    link = page.wait_for_function("() => window.link").json_value()
    other = Visit(chromium, site, size)
    other.page.goto(link)
    other.page.wait_for_function("() => document.querySelectorAll('textarea')[1]?.value === 'p1: up H3 $D5 >p1.S5'")
    assert "attacks" in other.page.locator("textarea").first.input_value()
    other.context.close()
    assert visit.problems == []
    visit.context.close()


def test_a_position_written_by_hand_is_taken_up(chromium: Any, site: Site) -> None:
    """Unknown parts of a hand-written position stay unchanged; unreadable parts are reported; the keyboard reaches
    everything."""
    visit = Visit(chromium, site, "desk")
    page = visit.page
    build = Builder(visit)
    visit.go("/desk")
    page.locator("textarea").first.fill(
        'turn_number = 5 # late\n[p2]\nhand = "♥5 s9(known)" # seen\nfield = "S5+S8(new,+3)"\ngrave = "C2 -"\nused = ["attack"]\n'
    )
    build.put("p2", "hand", "D6")
    build.put("p2", "grave", "C3")
    build.touch("S5+S8(new,+3)", "turn")
    page.locator("[data-builder] [data-card=SA]").focus()
    for key in ("ArrowRight", "Enter"):  # to S2, in hand
        page.keyboard.press(key)
    visit.tap("[data-target=grave][data-of=p2]")
    assert build.text() == (
        'turn_number = 5 # late\n[p2]\nhand = "♥5 s9(known) D6"  # seen\nfield = "S5+S8(d,new,+3)"\n'
        'grave = "C2 C3 S2 -"\nused = ["attack"]\n'
    )
    page.wait_for_selector("[data-verdict=good] li")
    page.locator("textarea").first.fill("p1.hand = 'S5'\n")
    page.locator("[data-builder] [data-target]").first.wait_for(state="detached")
    visit.tap("[data-builder] [data-do=empty]")
    build.put("p1", "hand", "S5")
    assert 'hand = "S5"' in build.text()
    page.wait_for_selector("[data-verdict=good] li")
    assert visit.problems == []
    visit.context.close()
