"""Players who try to end the game: they take options, attack whenever possible and rarely block."""

from __future__ import annotations

import random
from typing import Any

from tests.web.browser import Visit
from tests.web.page_driver import READ_PAGE

#: timeout of a tap in milliseconds: after that the element has disappeared
PATIENCE = 4000
SUMMONS = ("summon_soldier", "summon_hero", "summon_ace", "set_bulwark")


class EagerPlayer:
    """Plays one tap at a time at one screen."""

    def __init__(self, visit: Visit, seed: int) -> None:
        self.visit = visit
        self.hand = random.Random(seed)
        self.tried: set[tuple[str, str]] = set()
        self.seen: set[str] = set()

    def read_page(self) -> dict[str, Any]:
        found: dict[str, Any] = self.visit.page.evaluate(READ_PAGE)
        return found

    def tap(self) -> str:
        """Do one tap; return ``wait``, ``over``, or the state it was in (``attack``, ``block``, ``draft`` …)."""
        from playwright.sync_api import Error

        now = self.read_page()
        if now["over"]:
            return "over"
        if now["busy"] or not now["doing"] or now["doing"] == "wait":
            return "wait"
        try:
            self.answer(now)
        except Error:
            return "wait"  # the prompt disappeared during the tap
        self.seen.add(now["kind"])
        return str(now["doing"])

    def answer(self, now: dict[str, Any]) -> None:
        doing = now["doing"]
        if doing == "action":
            self.act(now)
        elif doing == "draft":
            if now["whole"]:
                self.main()
            elif now["picks"]:
                self.pick(self.hand.randrange(len(now["picks"])))
        elif doing == "attack":
            left = [n for n, word in enumerate(now["picks"]) if word not in now["chosen"]]
            if left and len(now["chosen"]) < 6:
                self.pick(left[0])
            else:
                self.main()
        elif doing == "block":
            free = [n for n, word in enumerate(now["picks"]) if word not in now["chosen"]]
            if free and not now["chosen"] and self.hand.random() < 0.15:
                self.pick(self.hand.choice(free))
            else:
                self.main()
        else:
            self.choose(now)

    def act(self, now: dict[str, Any]) -> None:
        fresh = [name for name in now["actions"] if (now["asked"], name) not in self.tried]
        wanted = [name for name in fresh if name == "attack"] or [name for name in fresh if name in SUMMONS]
        others = [name for name in fresh if name not in wanted]
        if now["main"] == "end" and wanted and self.hand.random() < 0.9:
            name = self.hand.choice(wanted)
        elif others and self.hand.random() < 0.12:
            name = self.hand.choice(others)
        else:
            self.main()
            return
        self.tried.add((now["asked"], name))
        self.action(now["actions"].index(name))

    def choose(self, now: dict[str, Any]) -> None:
        """Make a choice inside an effect: one more item while needed, else confirm."""
        left = [n for n, word in enumerate(now["picks"]) if word not in now["chosen"]]
        if now["main"] and (now["chosen"] or not left or self.hand.random() < 0.3):
            self.main()
        elif left:
            self.pick(self.hand.choice(left))

    def main(self) -> None:
        self.visit.tap(f".dock [data-do={self.read_page()['main']}]", patience=PATIENCE)

    def action(self, place: int) -> None:
        self.visit.tap(".palette .action", place, PATIENCE)

    def pick(self, place: int) -> None:
        self.visit.tap(".palette .list .pick", place, PATIENCE)
