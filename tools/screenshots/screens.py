"""Screens around the table for ``tools.screenshots``: filled, empty, loading, failed, offline.

A step sets up the screen on its page. Other visitors that it needs (a friend, an opponent) are opened in their own
contexts and stay open until the picture is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.web.browser import Visit
from tests.web.page_driver import PageDriver

from tools.screenshots.decks import MAKING, at, down, on_the_way
from tools.screenshots.learning import LEARNING
from tools.screenshots.players import PEOPLE
from tools.screenshots.tournaments import CONTESTS

LONG = "Maximilian-Alexander 殿"


#: the screen shows an error, and the page shows that the server is unreachable
CUT = ".cut ~ main .state"


def enter(hands: PageDriver, path: str, wanted: str = "h1") -> None:
    hands.visit.go(path)
    hands.page.wait_for_selector(wanted, state="attached")
    hands.page.wait_for_load_state("networkidle")


def other_visitor(hands: PageDriver, name: str = "") -> Visit:
    """Return another visitor at the same server, in the same language."""
    visit = Visit(hands.page.context.browser, hands.visit.site, "desk", hands.page.evaluate("() => navigator.language"))
    visit.go("/settings")
    visit.page.wait_for_selector("h1", state="attached")
    if name:
        visit.post("/api/me", {"name": name})
    return visit


def home(hands: PageDriver) -> None:
    enter(hands, "/", "[data-tile=puzzle] .mini")


def resumed(hands: PageDriver) -> None:
    """Show home with a game in progress."""
    hands.visit.start_game()
    hands.page.wait_for_selector(".table")
    enter(hands, "/", "[data-tile=resume] .mini")


def play(hands: PageDriver) -> None:
    enter(hands, "/play", "[data-level]")


def friend(hands: PageDriver) -> None:
    enter(hands, "/play?with=friend", "[data-frame]")
    hands.page.click("[data-format=master]")
    hands.page.click("[data-frame=full]")


def anybody(hands: PageDriver) -> None:
    enter(hands, "/play?with=anybody", "[data-wait]")


def two_here(hands: PageDriver) -> None:
    enter(hands, "/play?with=both", "[data-frame]")


def waiting(hands: PageDriver) -> None:
    hands.visit.start_game("master+full", opponent_kind="friend")
    hands.page.wait_for_selector("text=✓")


def letter(hands: PageDriver) -> None:
    host = other_visitor(hands, LONG)
    host.start_game("master+full", opponent_kind="friend")
    host.page.wait_for_selector("text=✓")
    hands.visit.go(host.page.evaluate("() => location.pathname"))
    hands.page.wait_for_selector("[data-do=ready]")


def rematch(hands: PageDriver) -> None:
    """Show the end of a game in which the opponent wants a rematch."""
    host = other_visitor(hands, LONG)
    made = host.post("/api/rooms", {"opponent": "human", "window_ms": 0, "regulation": "lite+entry"})
    for visit in (host, hands.visit):
        visit.go(made["path"])
        visit.page.click("[data-do=ready]")
    for visit in (host, hands.visit):
        visit.page.wait_for_selector(".table")
    resign(host)
    host.page.wait_for_selector("[data-do=rematch]")
    host.page.click("[data-do=rematch]")
    hands.page.wait_for_selector("[data-again=asks]")
    hands.page.wait_for_selector("dialog[open] .turning[aria-busy=false]", timeout=120_000)


def resign(visit: Visit) -> None:
    visit.page.locator(".top button").first.click()
    visit.page.click("dialog[open] .danger")
    visit.page.click("dialog[open] .danger")


def between(hands: PageDriver) -> None:
    """Show a match of two decks after its first game."""
    made = hands.visit.post("/api/rooms", {"regulation": "master+randomhalf", "opponent": "easy"})
    hands.visit.go(made["path"])
    hands.page.wait_for_selector(".palette[data-kind=deck] .pick")
    hands.page.locator(".palette .list .pick").first.click()
    hands.page.wait_for_selector(".hand [data-card]")
    resign(hands.visit)
    hands.page.wait_for_selector("[data-between] .palette .pick")


def share(hands: PageDriver) -> None:
    """Share a finished game as a picture."""
    shown: list[dict[str, Any]] = hands.page.evaluate("async () => (await (await fetch('/api/lobby')).json()).shown")
    hands.visit.go(shown[0]["path"])
    hands.page.wait_for_selector(".step[aria-busy=false]")
    if not hands.page.locator("[data-do=share]").count():
        hands.page.click("[data-do=more]")
    hands.page.locator("[data-do=share]").first.click()
    hands.page.wait_for_function("() => document.querySelector('dialog[open] img')?.complete")


def lobby_quiet(hands: PageDriver) -> None:
    enter(hands, "/lobby", "[data-tile=puzzle] .mini")


def lobby_live(hands: PageDriver) -> None:
    """Show a lobby with two games and a waiting player."""
    for first, second in ((LONG, "蓮"), ("Kaede", "Guest")):
        one, two = other_visitor(hands, first), other_visitor(hands, second)
        made = one.post(
            "/api/rooms", {"opponent": "human", "listed": True, "window_ms": 0, "regulation": "master+full"}
        )
        for visit in (one, two):
            visit.go(made["path"])
            visit.page.click("[data-do=ready]")
        for visit in (one, two):
            visit.page.wait_for_selector(".table")
    open_room = other_visitor(hands, LONG)
    open_room.go("/lobby")
    open_room.page.click("[data-do=open]")
    open_room.page.wait_for_selector("text=✓")
    time.sleep(2.2)  # the lobby is cached for two seconds
    enter(hands, "/lobby", "[data-list=open] [data-room]")


def replays_empty(hands: PageDriver) -> None:
    enter(hands, "/replays", ".state")


KEPT = [
    {"id": "a", "text": "", "rival": "", "result": "won", "regulation": "master+full"},
    {"id": "b", "text": "", "rival": LONG, "result": "lost", "regulation": "standard+constructed40+preset2+pack"},
    {"id": "c", "text": "", "rival": "蓮", "result": "draw", "regulation": "lite+entry"},
]


def replays(hands: PageDriver) -> None:
    now = int(time.time() * 1000)
    games = [{**one, "at": now - place * 86_400_000} for place, one in enumerate(KEPT)]
    games[0]["rival"] = (
        "コンピューター・つよい" if hands.page.evaluate("() => navigator.language") == "ja-JP" else "Strong computer"
    )
    hands.visit.go("/replays")
    hands.page.evaluate(
        "kept => localStorage.setItem('blackpoker',"
        " JSON.stringify({...JSON.parse(localStorage.blackpoker), replays: kept}))",
        games,
    )
    enter(hands, "/replays", "a.one")


def replay(hands: PageDriver) -> None:
    """Show a game of computers at its linked chapter."""
    shown: list[dict[str, Any]] = hands.page.evaluate("async () => (await (await fetch('/api/lobby')).json()).shown")
    hands.visit.go(f"{shown[0]['path']}?step={shown[0]['step']}")
    hands.page.wait_for_selector(".step[aria-busy=false]")
    if hands.page.locator(".story").count():
        hands.page.wait_for_selector(".story .turning[aria-busy=false]", timeout=120_000)
        hands.page.wait_for_load_state("networkidle")


BOTS = [
    {
        "id": f"bot{place}",
        "name": name,
        "rating": 24.6 - 3.1 * place,
        "mu": 30.2 - 2.2 * place,
        "sigma": 1.9,
        "games": 120 - 31 * place,
        "won": 81 - 27 * place,
        "drawn": 2,
        "faults": place // 2,
        "played": 1_790_000_000.0,
    }
    for place, name in enumerate(("Rook", "ふくろう", "Maximilian-Alexander's Very Patient Bot"))
]
BOT = {
    "bot": BOTS[0],
    "place": 1,
    "plays": [{"regulation": "lite+entry", "games": 97}, {"regulation": "master+full", "games": 23}],
    "games": [
        {
            "record": f"r{place}",
            "seat": "p1",
            "result": result,
            "opponent": BOTS[1 + place % 2]["name"],
            "opponent_id": "bot1",
            "regulation": "lite+entry",
            "at": 1_790_000_000.0 - 4000 * place,
        }
        for place, result in enumerate(("won", "lost", "drawn", "won"))
    ],
}


def gone(path: str) -> Callable[[PageDriver], None]:
    """Return a step that opens a link to something that no longer exists."""

    def step(hands: PageDriver) -> None:
        hands.visit.forgive = True
        enter(hands, path, ".state")

    return step


def bots(path: str, answer: Any, wanted: str) -> Callable[[PageDriver], None]:
    """Return a step with a mocked list of bots, because none has played on this server."""

    def step(hands: PageDriver) -> None:
        hands.page.route(f"**/api{path}", lambda route: route.fulfill(json=answer))
        enter(hands, path, wanted)

    return step


def settings(hands: PageDriver) -> None:
    enter(hands, "/settings", "[data-stop]")


def me(hands: PageDriver) -> None:
    hands.visit.post("/api/me", {"name": LONG})
    enter(hands, "/me", "form")


def nowhere(hands: PageDriver) -> None:
    enter(hands, "/nothing", ".state")


def cut(hands: PageDriver) -> None:
    """Disconnect while a screen is open."""
    enter(hands, "/play", "[data-level]")
    hands.visit.forgive = True
    hands.page.route("**/api/health", lambda route: route.abort())
    hands.page.evaluate("() => dispatchEvent(new Event('offline'))")
    hands.page.wait_for_selector(".cut")


#: the part of a moment to scroll to on a small page
ABOUT = {"decks-seven": ".test", "desk-impossible": "aside .no", "consent": "[data-do=cast]", "unheard": "#unheard"}
SCREENS = {
    "home": home,
    "resumed": resumed,
    "home-down": down("**/api/**", "/", ".cut"),
    "play": play,
    "play-down": down("**/api/**", "/play", CUT),
    "play-on-the-way": on_the_way("**/api/levels", "/play"),
    "friend": friend,
    "anybody": anybody,
    "two-here": two_here,
    "waiting": waiting,
    "letter": letter,
    "room-gone": gone("/room/nothing"),
    "rematch": rematch,
    "between": between,
    "share": share,
    "lobby": lobby_quiet,
    "lobby-live": lobby_live,
    "lobby-down": down("**/api/**", "/lobby", CUT),
    "lobby-on-the-way": on_the_way("**/api/lobby", "/lobby"),
    "replays": replays,
    "replays-empty": replays_empty,
    "replay": replay,
    "replay-gone": gone("/replay/nothing"),
    "replay-on-the-way": on_the_way("**/api/records/**", "/replay/nothing"),
    "bots": bots("/bots", BOTS, "[data-bot]"),
    "bots-empty": at("/bots", ".state"),
    "bots-down": down("**/api/**", "/bots", CUT),
    "bots-on-the-way": on_the_way("**/api/bots", "/bots"),
    "bot": bots("/bots/bot0", BOT, ".games li"),
    "settings": settings,
    "me": me,
    "nowhere": nowhere,
    "cut": cut,
    **CONTESTS,
    **MAKING,
    **LEARNING,
    **PEOPLE,
}
