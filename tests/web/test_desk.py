"""A position built by taps alone: its text, the engine's word on it, and the game played on from there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.hands import Hands

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
    """Fingers on the builder."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.page: Any = visit.page

    def put(self, seat: str, zone: str, *cards: str) -> None:
        self.visit.tap(f"[data-builder] [data-seat={seat}]")
        self.visit.tap(f"[data-builder] [data-target={zone}]")
        for card in cards:
            self.page.locator(f"[data-builder] [data-card={card}]").click(force=True)  # the grey ones too

    def touch(self, word: str, do: str) -> None:
        self.visit.tap(f"[data-builder] [data-word='{word}'] [data-do={do}]")

    def verdict(self, kind: str) -> str:
        found: str = self.page.wait_for_selector(f"[data-builder] [data-verdict={kind}]").inner_text()
        return found

    def text(self) -> str:
        found: str = self.page.locator("textarea").first.input_value()
        return found


def look(visit: Visit, name: str) -> None:
    visit.page.wait_for_timeout(250)
    visit.shot(name)
    assert visit.overflow() == [], name
    assert visit.axe() == [], name


@pytest.mark.parametrize("size", SIZES)
def test_a_position_built_by_taps(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size, LANGUAGES[size])
    page = visit.page
    build = Builder(visit)
    visit.go("/desk")
    visit.tap("[data-do=build]")
    build.verdict("good")
    look(visit, "build-sample")
    visit.tap("[data-builder] [data-do=empty]")
    page.locator("[data-builder] select[name=format]").select_option("extra")
    page.locator("[data-builder] select[name=turn]").select_option("p2")
    build.put("p1", "hand", "C4")
    build.put("p1", "field", "S6")
    build.put("p1", "bulwarks", "D3")
    build.put("p1", "life", "H4", "H6")
    build.put("p2", "hand", "S7", "H3", "C9")
    build.put("p2", "grave", "C2", "CK")
    build.put("p2", "field", "S5", "S9", "H8")
    build.touch("S9", "turn")
    build.touch("H8", "remove")
    build.put("p2", "bulwarks", "D2", "D4")
    build.touch("D4", "turn")
    build.put("p2", "trumps", "SJ", "H4", "H4")  # the second time it is grey, and nothing happens
    build.touch("t:SJ", "turn")
    assert build.text() == BUILT
    assert page.locator("[data-builder] .suit [aria-disabled=true]").count() == 11
    assert "P2" in build.verdict("good")
    look(visit, "build")
    visit.forgive = True  # a refusal stands on the console
    visit.tap("[data-builder] [data-seat=p1]")
    page.locator("[data-builder] [name=fillers]").fill("99")
    page.keyboard.press("Tab")
    assert "life" in build.verdict("bad")
    look(visit, "build-refused")
    page.locator("[data-builder] [name=fillers]").fill("20")
    page.keyboard.press("Tab")
    build.verdict("good")
    visit.forgive = False
    assert build.text() == BUILT
    visit.tap("[data-do=play]")
    page.wait_for_selector(".palette .action")
    hands = Hands(visit)
    hands.request(["summon_soldier", "S7", "$b1"])
    hands.pass_until("action")
    visit.shot("build-played")
    assert visit.problems == []
    visit.context.close()


def test_a_position_written_by_hand_is_taken_up(chromium: Any, site: Site) -> None:
    """What the builder does not know stays as it was written; what it cannot read it says; the keys reach everything."""
    visit = Visit(chromium, site, "desk")
    page = visit.page
    build = Builder(visit)
    visit.go("/desk")
    page.locator("textarea").first.fill(
        'turn_number = 5 # late\n[p2]\nhand = "♥5 s9(known)" # seen\nfield = "S5+S8(new,+3)"\ngrave = "C2 -"\nused = ["attack"]\n'
    )
    page.locator("[data-do=build]").press("Enter")
    build.put("p2", "hand", "D6")
    build.put("p2", "grave", "C3", "H5", "S9", "S5")  # all but the first are placed
    build.touch("S5+S8(new,+3)", "turn")
    page.locator("[data-builder] [data-card=SA]").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert build.text() == (
        'turn_number = 5 # late\n[p2]\nhand = "♥5 s9(known) D6"  # seen\nfield = "S5+S8(d,new,+3)"\n'
        'grave = "C2 C3 H2 -"\nused = ["attack"]\n'
    )
    build.verdict("good")
    page.locator("textarea").first.fill("p1.hand = 'S5'\n")
    page.locator("[data-builder] [data-target]").first.wait_for(state="detached")
    build.verdict("good")
    look(visit, "build-unreadable")
    visit.tap("[data-builder] [data-do=empty]")
    build.put("p1", "hand", "S5")
    assert 'hand = "S5"' in build.text()
    build.verdict("good")
    assert visit.problems == []
    visit.context.close()
