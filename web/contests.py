"""Tournament screens for ``moments.py`` and the tests: before, during and after. Guests create them over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
from tests.web.browser import Visit
from tests.web.hands import Hands

NAMES = ("鉄", "紫苑", "Maximilian-Alexander 殿", "楓", "Aoi", "蓮", "Kitsune", "梅")
RULES = {"name": "月曜ライト", "clock": {"bank": 600}, "wait": 600, "pause": 600, "window_ms": 0}


class Organiser:
    """A host and entered guests, over HTTP."""

    def __init__(self, url: str, **rules: Any) -> None:
        self.url = url
        self.host = self.guest("鉄の会")
        self.id: str = self.ask(self.host, "", {**RULES, **rules})["id"]
        self.path = f"/tournament/{self.id}"
        self.guests: dict[str, httpx.Client] = {}

    def guest(self, name: str) -> httpx.Client:
        client = httpx.Client(base_url=self.url, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        client.post("/api/me", json={"name": name}).raise_for_status()
        return client

    def ask(self, who: httpx.Client, what: str, body: Any = None) -> Any:
        place = f"/api/tournaments/{self.id}/{what}" if what else "/api/tournaments"
        answer = who.post(place, json=body) if body is not None else who.post(place)
        answer.raise_for_status()
        return answer.json()

    def enter(self, *names: str) -> None:
        for name in names:
            client = self.guest(name)
            self.guests[self.ask(client, "enter", {})["id"]] = client

    def page(self) -> Any:
        return self.host.get(f"/api/tournaments/{self.id}").json()

    def pair(self) -> None:
        self.ask(self.host, "pair")

    def decide(self, most: int = 100, but: str = "") -> None:
        """Let the host set results: one, two and draw in turn, except at the table of ``but``."""
        tables = [one for one in self.page()["live"]["tables"] if not one.get("outcome")]
        for number, one in enumerate(tables[:most]):
            if but not in (one["one"], one["two"]):
                outcome = "draw" if number == 2 else "one" if number % 2 == 0 else "two"
                self.ask(self.host, "fix", {"round": one["round"], "table": one["number"], "outcome": outcome})


def visited(hands: Hands, held: Organiser, wanted: str) -> None:
    hands.visit.go(held.path)
    hands.page.wait_for_selector(wanted)
    hands.page.wait_for_load_state("load")


def entered(visit: Visit, held: Organiser, name: str) -> str:
    """Enter the visitor's guest; return its id in the tournament."""
    visit.go("/settings")
    visit.page.wait_for_selector("h1", state="attached")
    visit.post("/api/me", {"name": name})
    found: str = visit.post(f"/api/tournaments/{held.id}/enter", {})["id"]
    return found


def listed(hands: Hands) -> None:
    for kind in ("swiss", "arena"):
        Organiser(hands.visit.site.url, kind=kind).enter(*NAMES[:3])
    hands.visit.go("/tournament")
    hands.page.wait_for_selector("[data-tournament]")


def new(hands: Hands) -> None:
    hands.visit.go("/tournament/new")
    hands.page.wait_for_selector("[data-frame]")


def before(hands: Hands) -> None:
    held = Organiser(hands.visit.site.url, name="月曜マスター", regulation="master+constructed40", starts=0.0)
    held.enter(*NAMES)
    for client in list(held.guests.values())[:5]:
        held.ask(client, "deck", {"deck": ""})
    entered(hands.visit, held, "小春")
    visited(hands, held, "[data-part=deck]")


def during(hands: Hands) -> None:
    held = Organiser(hands.visit.site.url, by_itself=False, rounds=4)
    held.enter(*NAMES[:7])
    mine = entered(hands.visit, held, "小春")
    for _ in range(2):
        held.pair()
        held.decide()
    held.pair()
    held.decide(2, but=mine)
    visited(hands, held, ".table, [data-do=ready], .wait")  # the page opens the table by itself
    hands.visit.page.go_back()
    hands.page.wait_for_selector("[data-part=table]")


def arena(hands: Hands) -> None:
    held = Organiser(hands.visit.site.url, kind="arena", name="Lite Arena", minutes=45)
    held.enter(*NAMES[:6])
    held.pair()
    held.decide()
    visited(hands, held, "tbody tr")


def after(hands: Hands) -> None:
    held = Organiser(hands.visit.site.url, by_itself=False, rounds=3)
    held.enter(*NAMES[:7])
    entered(hands.visit, held, "小春")
    for _ in range(3):
        held.pair()
        held.decide()
    held.ask(held.host, "close")
    visited(hands, held, ".podium")


def robin(hands: Hands) -> None:
    """Show a round robin at half-time."""
    held = Organiser(hands.visit.site.url, kind="robin", name="総当たり", by_itself=False)
    held.enter(*NAMES[:7])
    entered(hands.visit, held, "小春")
    for _ in range(4):
        held.pair()
        held.decide()
    visited(hands, held, "[data-part=cross]")


CONTESTS = {
    "tournaments": listed,
    "tournament-new": new,
    "tournament-before": before,
    "tournament-during": during,
    "tournament-arena": arena,
    "tournament-after": after,
    "tournament-robin": robin,
}
