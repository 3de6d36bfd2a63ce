"""A robot that plays through the page beside a mirror of the engine: what the page says it will say, what it sends and what
then happens must be the same, on slow, doubled and cut lines, in two browsers or at one screen.

    python -m tests.web.robot [--acts 10000] [--minutes 60] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blackpoker.assist.decision import Draft
from blackpoker.game import Game
from blackpoker.rules.cards import parse_card
from blackpoker.rules.engine import Engine
from blackpoker.server.rooms.room import Room
from tests.server.live import Live
from tests.web.browser import PATIENCE, Site, Visit, browser
from tests.web.hands import BOARD
from tests.web.scripts import Script, actions, all_kinds, board, kind_at, kind_of, scripts

SCRIPT = Path(__file__).with_name("robot.js")
DELAYS = (0, 150, 300, 800)
#: of these lines one in twenty is cut while something is being said
CUTS = 0.05
#: so many rooms are played with the same two browsers
ROOMS = 8
STYLES = ("list", "card", "hasty")
MODES = ("full", "auto")
SETTINGS = "mode => localStorage.setItem('blackpoker', JSON.stringify({mode, motion: 'reduced', sound: false}))"


@dataclass
class Ledger:
    """What was done, and every difference between said, sent and done."""

    acts: int = 0
    rooms: int = 0
    cuts: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    delays: Counter[int] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    styles: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        missing = sorted(actions() - set(self.actions))
        kinds = sorted(all_kinds() - set(self.kinds))
        return "\n".join(
            (
                f"{self.acts} acts in {self.rooms} rooms, {self.cuts} lines cut, {len(self.faults)} differences",
                f"  by delay: {dict(self.delays)}; by format: {dict(self.formats)}; by hand: {dict(self.styles)}",
                f"  actions: {len(self.actions)} of {len(actions())}; not met: {' '.join(missing) or 'none'}",
                f"  kinds of decisions: {len(set(self.kinds) & all_kinds())} of {len(all_kinds())}; not met: {' '.join(kinds) or 'none'}",
                *(f"  {fault[:1500]}" for fault in self.faults[:20]),
            )
        )


class There(Site):
    """The server of this process, to look into."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.url = live.url

    def room(self, id: str) -> Room:
        assert self.live.state is not None
        return self.live.state.hub.rooms[id]


class Robot:
    def __init__(self, chromium: Any, there: There, seed: int, ledger: Ledger) -> None:
        self.chance = random.Random(seed)
        self.there = there
        self.ledger = ledger
        self.mode = self.chance.choice(MODES)
        self.both = self.chance.random() < 0.3
        sizes = [("desk", "ja-JP"), ("phone", "en-US")]
        self.chance.shuffle(sizes)
        self.visits = [self.visit(chromium, size, lang) for size, lang in sizes[: 1 if self.both else 2]]

    def visit(self, chromium: Any, size: str, lang: str) -> Visit:
        visit = Visit(chromium, self.there, size, lang)
        visit.context.add_init_script(SCRIPT.read_text(encoding="utf-8"))
        visit.forgive = True  # lines are cut on purpose
        visit.go("/settings")
        visit.page.wait_for_selector("h1")
        visit.page.evaluate(SETTINGS, self.mode)
        return visit

    def close(self) -> None:
        for visit in self.visits:
            visit.context.close()

    # -- one room ------------------------------------------------------------------------------------------------------

    def play(self, script: Script, most: int) -> None:
        """What a scenario says, then whatever is legal."""
        made = self.visits[0].post(
            "/api/positions/play", {"position": script.position, "opponent": "human", "window_ms": 0}
        )
        path = made["path"] if "path" in made else f"/room/{made['room']}"
        self.id = path.rsplit("/", 1)[1].partition("?")[0]
        delay = self.chance.choice(DELAYS)
        double = self.chance.random() < 0.15
        for visit in self.visits:
            visit.go(f"/both/{self.id}" if self.both else f"/room/{self.id}")
            visit.page.wait_for_selector(".table, .lobby, main")
            visit.page.evaluate("([delay, double]) => { line.delay = delay; line.double = double; }", [delay, double])
        if not self.both:
            for visit in self.visits:
                visit.page.evaluate(
                    "async () => { for (let n = 0; n < 400 && !document.querySelector('.table'); n++) {"
                    " document.querySelector('[data-do=ready]:not(:disabled)')?.click(); await new Promise(d => setTimeout(d, 25)); } }"
                )
        self.ledger.rooms += 1
        self.ledger.formats[script.position.partition('format = "')[2].partition('"')[0] or "master"] += 1
        room = self.there.room(self.id)
        queue = list(script.said)
        for number in range(most):
            game = room.table.game
            if game is None or room.phase != "playing":
                return
            seq = room.table.seq
            if self.wait_for(lambda: room.windows.verdict is not None or room.phase != "playing"):
                return
            where = f"{script.name} [{number}] both={self.both} mode={self.mode} delay={delay} double={double}"
            words, text, kind = self.next(game, queue, seq)
            self.ledger.delays[delay] += 1
            if not self.act(where, room, words, text, kind):
                return

    def wait_for(self, happened: Any) -> bool:
        """False once it has happened."""
        end = time.monotonic() + PATIENCE / 1000
        while not happened():
            if time.monotonic() > end:
                return True
            time.sleep(0.01)
        return False

    def next(self, game: Game, queue: list[Any], seq: int) -> tuple[list[str], str, str]:
        """What the script says, while it can be said; else something legal, rarely a pass."""
        while queue:
            said = queue.pop(0)
            if self.mode == "auto" and said.words == ["pass"]:
                continue
            try:
                draft = game.say(said.words, finish=True)
            except Exception:
                continue
            if said.seat == f"p{game.player + 1}":
                return draft.words, draft.text, kind_of(game)
        draft = Draft(game.engine)
        while not draft.complete:
            options = draft.engine.options
            if not draft.options and len(options) > 1 and self.chance.random() < 0.7:
                options = options[1:]
            draft.push(self.chance.choice(options))
        return draft.words, draft.text, kind_of(game)

    # -- one sentence --------------------------------------------------------------------------------------------------

    def act(self, where: str, room: Room, words: list[str], text: str, kind: str) -> bool:
        """Said, sent and done; False where the room cannot go on."""
        table = room.table
        game = table.game
        assert game is not None
        seq, player = table.seq, table.player
        start = game.engine.copy()
        options = list(game.say(words, finish=True).options)
        visit = self.visits[0] if self.both else self.seated(player)
        page = visit.page
        what = f"{where} {text!r}"
        fidgets = self.chance.random() < 0.15 and kind == "chance"
        style = self.chance.choice(STYLES)
        try:
            page.evaluate(
                "seq => { const wanted = `/${seq}`; return new Promise((done, failed) => { const end = performance.now() + 40000;"
                " (function look() { const now = robot.look(); if (now.over || (now.asked.endsWith(wanted) && !now.busy && !now.lost))"
                " return done(); if (performance.now() > end) return failed(new Error('prompt ' + seq + ' does not come: ' +"
                " JSON.stringify(now))); setTimeout(look, 10); })(); }); }",
                seq,
            )
            self.same_board(what, page, game, player)
            if self.chance.random() < CUTS:
                self.ledger.cuts += 1
                page.evaluate(
                    "([after, ms]) => setTimeout(() => line.cut(ms), after)", [self.chance.randrange(0, 400), 300]
                )
            shown = (
                page.evaluate("([seed, taps]) => robot.fidget(seed, taps)", [self.chance.randrange(1 << 30), 4])
                if fidgets
                else None
            )
            if shown is None:
                shown = page.evaluate(
                    "([kind, words, text, style]) => robot.say(kind, words, text, style)",
                    [self.ui_kind(game, kind), words, text, style],
                )
            else:
                style = "fidget"
        except Exception as error:
            message = str(error).split("\n")[0]
            self.ledger.faults.append(f"{what}: {message}")
            return False
        self.ledger.styles[style] += 1
        if self.wait_for(lambda: table.seq > seq or room.windows.pending is not None):
            self.ledger.faults.append(f"{what}: shown {shown}, and nothing happened")
            return False
        return self.compare(what, room, game, visit, seq, player, words, options, shown, style, start)

    def compare(
        self, what: str, room: Room, game: Game, visit: Visit, seq: int, player: int, words: list[str],
        options: list[int], shown: dict[str, str], style: str, start: Engine,
    ) -> bool:  # fmt: skip
        entry = next((one for one in room.table.entries if one.seq == seq and one.kind == "say"), None)
        said = shown["shown"].split(" ")
        sent = [one for one in visit.page.evaluate("() => line.sent") if one["seq"] == seq]
        if not sent:
            self.ledger.faults.append(f"{what}: shown {shown}, nothing sent")
            return False
        for one in sent:
            if one["words"] != sent[0]["words"]:
                self.ledger.faults.append(f"{what}: sent {sent}")
                return False
        if self.normal(sent[0]["words"]) != self.normal(said):
            self.ledger.faults.append(f"{what}: shown {shown}, sent {sent[0]['words']}")
            return False
        if style != "fidget" and self.normal(said) != self.normal(words):
            self.ledger.faults.append(f"{what}: meant {words}, shown {shown}")
            return False
        if entry is None or entry.seat != player:
            self.ledger.faults.append(f"{what}: said {said}, and {entry} was done")
            return False
        if style != "fidget" and entry.options != options:
            self.ledger.faults.append(f"{what}: meant {options}, done {entry.options}")
            return False
        self.ledger.acts += 1
        for option in entry.options:  # what was asked, word by word
            self.ledger.kinds[kind_at(start)] += 1
            start.push(option)
        if shown["laid"] and not self.laid(what, room, game, seq, player, shown["laid"]):
            return False
        for event in room.table.feed.events_since(seq, 0):  # type: ignore[arg-type]
            if event.event == "resolving" and event.action:
                self.ledger.actions[event.action.removesuffix("@")] += 1
        return room.phase == "playing"

    def laid(self, what: str, room: Room, game: Game, seq: int, player: int, place: str) -> bool:
        """A card that stood on the button answers the question the action asks: nothing else does."""
        if game.kind != "card" or room.table.player != player:
            return True
        self.wait_for(lambda: room.table.seq > seq + 1)
        entry = next((one for one in room.table.entries if one.seq == seq + 1 and one.kind == "say"), None)
        card = parse_card(place.rsplit(":", 1)[1])
        if entry is None or entry.options != [card]:
            self.ledger.faults.append(f"{what}: {place} stood on the button, and {entry} was done")
            return False
        self.ledger.acts += 1
        self.ledger.kinds["card"] += 1
        return True

    @staticmethod
    def normal(words: list[str]) -> list[str]:
        return [word for word in words if word != "done"]

    @staticmethod
    def ui_kind(game: Game, kind: str) -> str:
        return game.kind

    def seated(self, player: int) -> Visit:
        for visit in self.visits:
            if visit.page.evaluate("() => document.querySelector('.table')?.dataset.seat") == f"p{player + 1}":
                return visit
        raise AssertionError("nobody sits there")

    def same_board(self, what: str, page: Any, game: Game, player: int) -> None:
        wanted = board(game, player)
        found = None
        for _ in range(150):
            found = page.evaluate(BOARD)
            if found == wanted:
                return
            page.wait_for_timeout(20)
        raise AssertionError(f"the page shows {found}, the engine has {wanted}")


def run(
    acts: int, minutes: float, seed: int, ledger: Ledger, order: list[Script] | None = None, more: int = 25
) -> Ledger:
    """``more``: so many sentences are said in a room after those of its script."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "games.db") as live, browser() as chromium:
        there = There(live)
        end = time.monotonic() + minutes * 60
        robot: Robot | None = None
        for number, script in enumerate(order or endless(chance)):
            if ledger.acts >= acts or time.monotonic() > end:
                break
            if robot is None or number % ROOMS == 0:
                if robot is not None:
                    robot.close()
                    print(ledger, flush=True)
                robot = Robot(chromium, there, seed * 100_003 + number, ledger)
            try:
                robot.play(script, len(script.said) + more)
            except Exception as error:  # the page did not open, or broke
                ledger.faults.append(f"{script.name}: {type(error).__name__}: {str(error).splitlines()[0]}")
                robot.close()
                robot = None
        if robot is not None:
            robot.close()
    return ledger


def endless(chance: random.Random) -> Iterator[Script]:
    """All scripts in another order each time; first those that hold everything."""
    from tests.web.scripts import cover

    yield from cover()
    found = list(scripts())
    while True:
        chance.shuffle(found)
        yield from found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.robot", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--acts", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    ledger = run(given.acts, given.minutes, given.seed, Ledger())
    print(ledger)
    return 1 if ledger.faults else 0


if __name__ == "__main__":
    sys.exit(main())
