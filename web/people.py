"""The rooms of people and their states, for ``moments.py``: the ladder, a player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.browser import Site
from tests.web.hands import Hands
from tests.web.rated_people import fill

#: by database and language: the player one is in it, and what says so
WORLDS: dict[tuple[Path, bool], tuple[str, Any]] = {}


def enter(hands: Hands, path: str, wanted: str) -> None:
    hands.visit.go(path)
    hands.page.wait_for_selector(wanted)
    hands.page.wait_for_load_state("networkidle")


def sign_up(hands: Hands, name: str) -> str:
    """An account; how everybody may know it."""
    hands.page.wait_for_load_state("networkidle")  # the page asks who it is, and is told
    hands.visit.post("/api/account", {"name": name, "crest": "HQ"})
    found: dict[str, Any] = hands.page.evaluate("async () => (await fetch('/api/me')).json()")
    return str(found["player"])


def database_of(hands: Hands) -> Path:
    site = hands.visit.site
    assert isinstance(site, Site)
    return site.folder / "games.db"


def rated(hands: Hands) -> str:
    """Somebody among others who have played for months: always the same person for a server and a language."""
    ja = hands.page.evaluate("() => navigator.language").startswith("ja")
    world = database_of(hands), ja
    context = hands.page.context
    if world not in WORLDS:
        player = sign_up(hands, "千鶴" if ja else "Chizuru")
        fill(world[0], player, seed=32 + len(WORLDS))
        WORLDS[world] = player, context.cookies()
    player, cookies = WORLDS[world]
    context.add_cookies(cookies)
    return player


def ladder(hands: Hands) -> None:
    rated(hands)
    enter(hands, "/ladder/master", "tr[data-player]")


def ladder_empty(hands: Hands) -> None:
    enter(hands, "/ladder/standard", ".empty")


def player(hands: Hands) -> None:
    enter(hands, f"/player/{rated(hands)}", ".curve svg")


def player_new(hands: Hands) -> None:
    name = "あたらしい人" if hands.page.evaluate("() => navigator.language").startswith("ja") else "Newcomer"
    enter(hands, f"/player/{sign_up(hands, name)}", ".none")


PEOPLE = {"ladder-empty": ladder_empty, "player-new": player_new, "player": player, "ladder": ladder}
