"""Every action, every trump and every kind of decision, performed through the page by taps, in both languages.

The positions are those of the scenarios. They are pasted on the desk and played at both seats of one screen; before each
move the page must show the engine's board.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from blackpoker.ruleset import standard_edition
from tests.web.browser import ROOT, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import Script, actions, cover, goals, scripts

#: a few scripts cover everything; the long run plays all
SCRIPTS = list(scripts()) if os.environ.get("BLACKPOKER_LONG") else list(cover())
#: each language at one size
LANGUAGES = {"ja-JP": "desk", "en-US": "phone"}
LEDGER = ROOT / "build" / "page-ledger.json"
SETTINGS = "() => localStorage.setItem('blackpoker', JSON.stringify({mode: 'full', motion: 'reduced'}))"
performed: dict[str, set[str]] = {lang: set() for lang in LANGUAGES}


@pytest.fixture(scope="module")
def desks(chromium: Any, site: Site) -> Iterator[dict[str, PageDriver]]:
    """Yield one browser window per language, with prompts at every chance."""
    found = {}
    for lang, size in LANGUAGES.items():
        visit = Visit(chromium, site, size, lang)
        visit.go("/settings")
        visit.page.wait_for_selector("h1")
        visit.page.evaluate(SETTINGS)
        found[lang] = PageDriver(visit)
    yield found
    for hands in found.values():
        hands.visit.context.close()


def test_the_scenarios_have_everything() -> None:
    """The rest is asked before the first turn, and has its own tests below."""
    found = set().union(*(script.performs for script in scripts()))
    assert goals() - found == {"kind:deck", "kind:trumps"}
    assert len(actions()) == len(standard_edition().actions)
    assert sum(name.startswith("trump:") for name in goals()) == len(standard_edition().trumps)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script(desks: dict[str, PageDriver], script: Script, lang: str) -> None:
    hands = desks[lang]
    performed[lang] |= hands.play(script)
    assert hands.visit.problems == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_trumps_before_the_first_turn(desks: dict[str, PageDriver], lang: str) -> None:
    """Extra: the trumps are chosen and lie face down."""
    hands = desks[lang]
    start_game(hands, "extra+full")
    hands.page.wait_for_selector(".palette[data-kind=trumps] .pick")
    hands.visit.shot(f"trumps-{lang[:2]}")
    for place in range(2):
        hands.visit.tap(".palette .list .pick", place)
        hands.settled()
    assert len(hands.settled()["words"]) == 2
    hands.confirm()
    hands.page.wait_for_selector(".extras button.mini")
    assert hands.page.locator("[data-zone=p1-piles] .extras button.mini").count() == 2
    performed[lang].add("kind:trumps")
    assert hands.visit.problems == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_deck_before_each_game(desks: dict[str, PageDriver], lang: str) -> None:
    """With two decks, the deck is asked for before the game."""
    hands = desks[lang]
    start_game(hands, "master+randomhalf")
    hands.page.wait_for_selector(".palette[data-kind=deck] .pick")
    hands.visit.shot(f"deck-choice-{lang[:2]}")
    hands.visit.tap(".palette .list .pick", 1)
    hands.page.wait_for_selector(".table")
    performed[lang].add("kind:deck")
    assert hands.visit.problems == []


def start_game(hands: PageDriver, regulation: str) -> None:
    """Start a game against the computer."""
    hands.visit.start_game(regulation)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_missing(desks: dict[str, PageDriver], lang: str) -> None:
    """Check the coverage of the tests above."""
    done = {name: sorted(found) for name, found in performed.items()}
    LEDGER.parent.mkdir(exist_ok=True)
    LEDGER.write_text(json.dumps(done, indent=1), encoding="utf-8")
    counts = {kind: sum(name.startswith(kind) for name in performed[lang]) for kind in ("action:", "trump:", "kind:")}
    print(f"{lang}: performed through the page: {counts}")
    fewest = desks[lang].fewest
    print(f"{lang}: taps with every word tapped by hand: most {max(fewest.values(), default=0)}, {fewest}")
    assert goals() - performed[lang] == set()
