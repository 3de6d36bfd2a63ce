"""Tournament screens: before, during and after. Guests create the tournaments over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
from tests.web.browser import Visit
from tests.web.page_driver import PageDriver

NAMES = ("鉄", "紫苑", "Maximilian-Alexander 殿", "楓", "Aoi", "蓮", "Kitsune", "梅")
RULES = {"name": "月曜ライト", "clock": {"bank": 600}, "wait": 600, "pause": 600, "window_ms": 0}


class Organiser:
    """A host and entered guests, over HTTP."""

    def __init__(self, url: str, **rules: Any) -> None:
        self.url = url
        self.host = self.guest("鉄の会")
        self.id: str = self.post(self.host, "", {**RULES, **rules})["id"]
        self.path = f"/tournament/{self.id}"
        self.guests: dict[str, httpx.Client] = {}

    def guest(self, name: str) -> httpx.Client:
        client = httpx.Client(base_url=self.url, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        client.post("/api/me", json={"name": name}).raise_for_status()
        return client

    def post(self, client: httpx.Client, action: str, body: Any = None) -> Any:
        place = f"/api/tournaments/{self.id}/{action}" if action else "/api/tournaments"
        answer = client.post(place, json=body) if body is not None else client.post(place)
        answer.raise_for_status()
        return answer.json()

    def enter(self, *names: str) -> None:
        for name in names:
            client = self.guest(name)
            self.guests[self.post(client, "enter", {})["id"]] = client

    def page(self) -> Any:
        return self.host.get(f"/api/tournaments/{self.id}").json()

    def pair(self) -> None:
        self.post(self.host, "pair")

    def decide(self, most: int = 100, but: str = "") -> None:
        """Let the host set results: one, two and draw in turn, except at the table of ``but``."""
        tables = [one for one in self.page()["live"]["tables"] if not one.get("outcome")]
        for number, one in enumerate(tables[:most]):
            if but not in (one["one"], one["two"]):
                outcome = "draw" if number == 2 else "one" if number % 2 == 0 else "two"
                self.post(self.host, "fix", {"round": one["round"], "table": one["number"], "outcome": outcome})


def visited(hands: PageDriver, organiser: Organiser, wanted: str) -> None:
    hands.visit.go(organiser.path)
    hands.page.wait_for_selector(wanted)
    hands.page.wait_for_load_state("load")


def entered(visit: Visit, organiser: Organiser, name: str) -> str:
    """Enter the visitor's guest; return its id in the tournament."""
    visit.go("/settings")
    visit.page.wait_for_selector("h1", state="attached")
    visit.post("/api/me", {"name": name})
    found: str = visit.post(f"/api/tournaments/{organiser.id}/enter", {})["id"]
    return found


def listed(hands: PageDriver) -> None:
    for kind in ("swiss", "arena"):
        Organiser(hands.visit.site.url, kind=kind).enter(*NAMES[:3])
    hands.visit.go("/tournament")
    hands.page.wait_for_selector("[data-tournament]")


def new(hands: PageDriver) -> None:
    hands.visit.go("/tournament/new")
    hands.page.wait_for_selector("[data-frame]")


def before(hands: PageDriver) -> None:
    organiser = Organiser(hands.visit.site.url, name="月曜マスター", regulation="master+constructed40", starts=0.0)
    organiser.enter(*NAMES)
    for client in list(organiser.guests.values())[:5]:
        organiser.post(client, "deck", {"deck": ""})
    entered(hands.visit, organiser, "小春")
    visited(hands, organiser, "[data-part=deck]")


def during(hands: PageDriver) -> None:
    organiser = Organiser(hands.visit.site.url, by_itself=False, rounds=4)
    organiser.enter(*NAMES[:7])
    mine = entered(hands.visit, organiser, "小春")
    for _ in range(2):
        organiser.pair()
        organiser.decide()
    organiser.pair()
    organiser.decide(2, but=mine)
    visited(hands, organiser, ".table, [data-do=ready], .wait")  # the page opens the table by itself
    hands.visit.page.go_back()
    hands.page.wait_for_selector("[data-part=table]")


def arena(hands: PageDriver) -> None:
    organiser = Organiser(hands.visit.site.url, kind="arena", name="Lite Arena", minutes=45)
    organiser.enter(*NAMES[:6])
    organiser.pair()
    organiser.decide()
    visited(hands, organiser, "tbody tr")


def after(hands: PageDriver) -> None:
    organiser = Organiser(hands.visit.site.url, by_itself=False, rounds=3)
    organiser.enter(*NAMES[:7])
    entered(hands.visit, organiser, "小春")
    for _ in range(3):
        organiser.pair()
        organiser.decide()
    organiser.post(organiser.host, "close")
    visited(hands, organiser, ".podium")


def robin(hands: PageDriver) -> None:
    """Show a round robin at half-time."""
    organiser = Organiser(hands.visit.site.url, kind="robin", name="総当たり", by_itself=False)
    organiser.enter(*NAMES[:7])
    entered(hands.visit, organiser, "小春")
    for _ in range(4):
        organiser.pair()
        organiser.decide()
    visited(hands, organiser, "[data-part=cross]")


CONTESTS = {
    "tournaments": listed,
    "tournament-new": new,
    "tournament-before": before,
    "tournament-during": during,
    "tournament-arena": arena,
    "tournament-after": after,
    "tournament-robin": robin,
}
