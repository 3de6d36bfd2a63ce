"""A game by ear: read through the accessibility tree and the live regions, played by keyboard alone."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest

from tests.web.browser import Site, Visit
from tests.web.ear_player import EarPlayer, begin
from tests.web.screen_reader import ScreenReader, words
from tests.web.test_boards import arrange

#: announcements of an ordinary turn
MOST = 8
LANGUAGES = {"en": "en-US", "ja": "ja-JP"}
POSITION = """format = "master"
turn_number = 7
[p1]
life = 14
hand = "SA"
field = "H9 C4"
bulwarks = "D2"
[p2]
life = 19
field = "S7 D10"
"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lite_game_by_ear(chromium: Any, site: Site, lang: str) -> None:
    """The game is started, played to its end and understood without the picture."""
    visit = Visit(chromium, site, lang=LANGUAGES[lang])
    reader = ScreenReader(visit)
    shared = words(lang)
    level, format, frame = {"en": ("Easy", "Lite", "Entry"), "ja": ("やさしい", "ライト", "エントリー")}[lang]
    begin(reader, level, format, frame, lang)
    visit.page.wait_for_selector("main")
    account = EarPlayer(reader, lang).play()
    assert account.result in ("won", "lost", "drawn"), account
    assert {"action", "confirm"} <= set(account.kinds), account.kinds
    turns = [many for turn, many in account.turns.items() if turn > 0]
    assert median(turns) <= MOST, account.turns
    texts = [text for _, text in reader.heard]
    assert not [text for text in texts if any(sign in text for sign in "♠♡♢♣→_{}")], texts
    assert any(shared["spoken_enter"] in text for text in texts)
    assert visit.problems == []
    visit.context.close()


def test_names_and_keys(chromium: Any, site: Site) -> None:
    """Landmarks with headings, one name per thing, one tab stop per zone, and keys that read."""
    visit = Visit(chromium, site, lang="en-US")
    reader = ScreenReader(visit)
    arrange(visit, POSITION, {})
    visit.page.wait_for_selector(".palette .action")
    tree = reader.tree()
    regions = [one.name for one in tree.all("region", "complementary")]
    assert {"Situation", "Stage", "What you can do", "Hand", "Log"} <= set(regions), regions
    headings = {one.name for one in tree.all("heading")}
    assert set(regions) - {"Situation"} <= headings | set(regions), headings
    nine = tree.find("button", "9 of hearts")
    assert nine is not None
    assert nine.name == "9 of hearts, charged, can attack"
    for bar in tree.all("toolbar"):
        assert len([one for one in bar.all("button") if one.name.count(one.name.partition(",")[0]) > 1]) == 0
    for key, name in {"h": "A of spades", "m": "9 of hearts", "o": "7 of spades", "c": "Set Bulwark"}.items():
        reader.press(key)
        now = reader.focused()
        assert now is not None
        assert now.name.startswith(name), (key, now.name)
    reader.press("m")
    reader.press("End")
    now = reader.focused()
    assert now is not None
    last = now.name
    reader.press("h")
    reader.press("m")
    now = reader.focused()
    assert now is not None
    assert now.name == last  # a zone is entered where it was left
    situation = reader.read_situation("s")
    assert "Life 14" in situation
    assert "9 of hearts charged" in situation
    assert visit.axe() == []
    visit.context.close()


def test_shortcuts_can_be_switched_off(chromium: Any, site: Site) -> None:
    """Without shortcuts a letter does nothing; Tab and Enter are enough (WCAG 2.1.4)."""
    visit = Visit(chromium, site, lang="en-US")
    reader = ScreenReader(visit)
    arrange(visit, POSITION, {"shortcuts": False})
    visit.page.wait_for_selector(".palette .action")
    reader.page.wait_for_timeout(300)
    assert reader.read_situation("s") == ""
    reader.tab_to("Attack", "button")
    reader.press("Enter")
    visit.page.wait_for_selector(".dock [data-do=confirm]:not(:disabled)")
    reader.tab_to("Attack", "button")
    visit.context.close()
