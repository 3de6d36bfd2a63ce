"""Screens about players for ``tools.screenshots``: the leaderboard, a profile, chat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web import test_boards as boards
from tests.web.browser import Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.rated_accounts import fill

#: by database and language: the player id and its cookies
WORLDS: dict[tuple[Path, bool], tuple[str, Any]] = {}


def enter(hands: PageDriver, path: str, wanted: str) -> None:
    hands.visit.go(path)
    hands.page.wait_for_selector(wanted)
    hands.page.wait_for_load_state("networkidle")


def sign_up(hands: PageDriver, name: str) -> str:
    """Create an account; return its public id."""
    hands.page.wait_for_load_state("networkidle")  # the page requests its own identity first
    hands.visit.post("/api/account", {"name": name, "crest": "HQ"})
    found: dict[str, Any] = hands.page.evaluate("async () => (await fetch('/api/me')).json()")
    return str(found["player"])


def database_of(hands: PageDriver) -> Path:
    site = hands.visit.site
    assert isinstance(site, Site)
    return site.folder / "games.db"


def rated(hands: PageDriver) -> str:
    """Sign in as a player who has rated games; the same account per server and language. Return its public id."""
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


def ladder(hands: PageDriver) -> None:
    rated(hands)
    enter(hands, "/ladder/master", "tr[data-player]")


def ladder_empty(hands: PageDriver) -> None:
    enter(hands, "/ladder/standard", ".empty")


def player(hands: PageDriver) -> None:
    enter(hands, f"/player/{rated(hands)}", ".curve svg")


def player_new(hands: PageDriver) -> None:
    name = "あたらしい人" if hands.page.evaluate("() => navigator.language").startswith("ja") else "Newcomer"
    enter(hands, f"/player/{sign_up(hands, name)}", ".none")


# -- among people ------------------------------------------------------------------------------------------------------


def other_visitor(hands: PageDriver) -> Visit:
    """Return another visitor with a long name."""
    other = Visit(hands.page.context.browser, hands.visit.site, "desk", hands.page.evaluate("() => navigator.language"))
    other.go("/settings")
    other.page.wait_for_selector("h1", state="attached")
    other.post("/api/me", {"name": "Maximilian-Alexander 殿"})
    return other


def sit_down(one: Visit, two: Visit, path: str) -> None:
    for visit in (one, two):
        visit.go(path)
        visit.page.click("[data-do=ready]")
    for visit in (one, two):
        visit.page.wait_for_selector(".table")


def table_for_two(hands: PageDriver, **settings: Any) -> Visit:
    """Start a game with another visitor; return that visitor."""
    other = other_visitor(hands)
    rules = {"opponent": "human", "window_ms": 0, "regulation": "lite+entry", **settings}
    sit_down(other, hands.visit, other.post("/api/rooms", rules)["path"])
    return other


def open_chat(visit: Visit) -> None:
    """Open the log with the chat, on every screen size."""
    visit.page.keyboard.press("l")
    visit.page.wait_for_selector("dialog[open] .chat")


def chat(hands: PageDriver) -> None:
    other = table_for_two(hands)
    open_chat(other)
    for text in (
        "よろしくお願いします",
        "Good luck! This is a longer sentence, which takes more than one line of the box.",
    ):
        other.page.fill("dialog[open] .chat input", text)
        other.page.click("dialog[open] .chat form button[type=submit]")
    open_chat(hands.visit)
    hands.page.wait_for_selector("dialog[open] .chat .message p:nth-child(2)")


def chat_about(hands: PageDriver) -> None:
    chat(hands)
    hands.page.click("dialog[open] .chat [data-do=about] >> nth=0")
    hands.page.wait_for_selector("dialog[open] .chat [data-do=report]")


def chat_phrases(hands: PageDriver) -> None:
    other = table_for_two(hands, chat="phrases")
    open_chat(other)
    for place in (0, 2):
        other.page.click(f"dialog[open] .chat .phrases button >> nth={place}")
    open_chat(hands.visit)
    hands.page.wait_for_selector("dialog[open] .chat .message p:nth-child(2)")


def consent(hands: PageDriver) -> None:
    table_for_two(hands, spectator_delay=60)
    hands.page.locator(".top button").first.click()


def unheard(hands: PageDriver) -> None:
    chat_about(hands)
    hands.page.click("dialog[open] [data-do=unhear]")
    hands.page.wait_for_selector("dialog[open] .chat [role=status]")
    enter(hands, "/settings", "#unheard")


#: a board with trumps and graves
STREAMED = (
    boards.MIDDLE.replace('"master"', '"extra"')
    .replace("life = 14\n", 'life = 14\ntrumps = "T:S3 t:D9"\ngrave = "H4 S7"\n')
    .replace("life = 9\n", 'life = 9\ntrumps = "T:S2 t:H5"\ngrave = "C6"\n')
)


def overlay(hands: PageDriver) -> None:
    """Show the overlay in the middle of a game: a request has a response, and its own player may respond again."""
    enter(hands, "/desk", "[data-do=play]")
    other = other_visitor(hands)
    position = {"position": STREAMED, "opponent": "human", "window_ms": 0}
    path = hands.visit.post("/api/positions/play", position)["path"]
    sit_down(hands.visit, other, path)
    hands.page.wait_for_selector(".palette[data-doing=action]")
    hands.request(["down", "SA", "$C9", ">p2.H8"])
    other.page.wait_for_selector(".palette[data-doing=action]")
    PageDriver(other).request(["counter", "C4", "$S6", ">#1"])
    hands.page.wait_for_selector(".palette[data-doing=action]")
    hands.visit.go(f"/overlay/{path.split('/')[-1]}")
    hands.page.wait_for_selector(".overlay .side header")


PEOPLE = {
    "ladder-empty": ladder_empty,
    "player-new": player_new,
    "player": player,
    "ladder": ladder,
    "chat": chat,
    "chat-about": chat_about,
    "chat-phrases": chat_phrases,
    "consent": consent,
    "unheard": unheard,
    "overlay": overlay,
}
