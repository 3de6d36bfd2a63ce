"""One table of the robot: its players, their connections, and per move the comparison of shown, sent and done."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from blackpoker.assist import draft_text
from blackpoker.assist.completion import decisions_before
from blackpoker.assist.decision import Decision, Draft, Option
from blackpoker.assist.forecast import ForecastClash
from blackpoker.assist.set_selection import canonical_order
from blackpoker.engine.cards import parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.state import ATTACKERS_KIND, BLOCKERS_KIND, SETUP_KIND
from blackpoker.errors import IllegalMove
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game, game_at, replayer
from blackpoker.game.match import DeckDecision
from blackpoker.game.start import GameStart
from blackpoker.notation.options import DONE_TOKEN, marked_token
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import GameEntry
from blackpoker.text.markup import RichText
from tests.server.live import Live
from tests.web.browser import PATIENCE, ROOT, SIZES
from tests.web.robot_ledger import Fault, Ledger, raised
from tests.web.tap_scripts import ScriptMove, board, kind_at

SCRIPT: Final = Path(__file__).with_name("robot.js")
#: texts of the page, by language
PAGE_TEXTS: Final = ROOT / "web" / "src" / "i18n"
#: response delays in milliseconds and their weights; most real connections are fast
DELAYS: Final = {0: 40, 150: 25, 300: 20, 800: 15}
#: share of moves during which the connection is cut
CUTS: Final = 0.05
STYLES: Final = ("list", "card", "hasty", "soldiers")
MODES: Final = ("full", "auto")
#: share of chances that are passed although there are options
PASSES: Final = 0.3
#: questions without a one-tap answer: undecided fingers first tap at random
TAPPED: Final = frozenset(("chance", "attackers", "blockers", "cards", "units", "card", "unit", "discard", "order"))
#: the robot does not look at the page: decoration and animation are disabled, because they take most of the time
PLAIN: Final = """addEventListener('DOMContentLoaded', () => document.head.append(Object.assign(document.createElement('style'), {
  textContent: `*, *::before, *::after { animation: none !important; transition: none !important; box-shadow: none !important;
  filter: none !important; backdrop-filter: none !important; text-shadow: none !important; background-image: none !important;
  mask: none !important; } .log { display: none !important; }` })))"""
SETTINGS: Final = """try { localStorage.setItem('blackpoker', JSON.stringify({mode: '%s', speed: 'instant', motion: 'reduced', sound: false}))
} catch {}"""
READY: Final = """async () => { for (let n = 0; n < 2000 && !document.querySelector('.table, .palette'); n++) {
  document.querySelector('[data-do=ready]:not(:disabled)')?.click(); await new Promise(done => setTimeout(done, 25)); } }"""
POST: Final = """async ([path, body]) => (await fetch(path, {method: 'POST', headers: {'content-type': 'application/json'},
  body: JSON.stringify(body)})).json()"""


@dataclass
class Deal:
    """A scenario's position with its moves, or a game from its start; then random legal moves."""

    name: str
    position: str = ""
    regulation: str = ""
    moves: list[ScriptMove] = field(default_factory=list)
    most: int = 25
    #: settings of the table, to reproduce a difference
    line: dict[str, Any] = field(default_factory=dict)
    style: str = ""


class Different(Exception):
    """Shown, sent and done differ."""


class Person:
    """A player at a separate browser."""

    def __init__(self, url: str, size: str, lang: str) -> None:
        self.url, self.size, self.lang = url, size, lang
        self.page: Any = None
        self.seat = ""

    async def open(self, chromium: Any, mode: str) -> None:
        width, height = SIZES[self.size]
        self.context = await chromium.new_context(viewport={"width": width, "height": height}, locale=self.lang)
        await self.context.add_init_script(SETTINGS % mode)
        await self.context.add_init_script(SCRIPT.read_text(encoding="utf-8"))
        await self.context.add_init_script(PLAIN)
        self.page = await self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.broken: list[str] = []
        self.page.on("pageerror", lambda error: self.broken.append(str(error)))
        await self.page.goto(f"{self.url}/print")  # a screen that loads quickly

    async def go(self, path: str) -> None:
        """Navigate inside the page, without reloading it."""
        await self.page.evaluate("path => robot.go(path)", path)


class Table:
    def __init__(self, live: Live, chance: Random, ledger: Ledger, line: dict[str, Any] | None = None) -> None:
        """Create a table. ``line``: its settings, if they are not random."""
        self.live = live
        self.chance = chance
        self.ledger = ledger
        self.line: dict[str, Any] = line or self.drawn()
        self.both: bool = self.line["both"]
        self.people = [Person(live.url, size, lang) for size, lang in self.line["sizes"]]

    def drawn(self) -> dict[str, Any]:
        draw = self.chance
        both = draw.random() < 0.2
        sizes, langs = ["desk", "phone"], ["ja-JP", "en-US"]
        draw.shuffle(sizes)
        draw.shuffle(langs)
        people = [list(one) for one in zip(sizes, langs, strict=True)]
        return {"mode": draw.choice(MODES), "both": both, "sizes": people[: 1 if both else 2]}

    async def open(self, chromium: Any) -> None:
        for person in self.people:
            await person.open(chromium, self.line["mode"])

    async def close(self) -> None:
        for person in self.people:
            await person.context.close()

    # -- one room ------------------------------------------------------------------------------------------------------

    async def sit(self, deal: Deal) -> Room:
        if "delay" not in deal.line:
            self.line["delay"] = self.chance.choices(list(DELAYS), list(DELAYS.values()))[0]
            self.line["double"] = self.chance.random() < 0.15
        more = {"opponent": "human", "window_ms": 0}
        request = (
            ("/api/positions/play", {"position": deal.position, **more})
            if deal.position
            else ("/api/rooms", {"regulation": deal.regulation, **more})
        )
        made = await self.people[0].page.evaluate(POST, list(request))
        if "room" not in made:
            raise Different(f"no room: {made}")
        id = made["room"]["id"]
        assert self.live.state is not None
        room = self.live.state.room_manager.rooms[id]
        for seat, person in enumerate(self.people):  # one after the other: the first gets P1
            await person.page.evaluate("to => Object.assign(line, to)", {n: self.line[n] for n in ("delay", "double")})
            await person.go(f"/both/{id}" if self.both else f"/room/{id}")
            if not await self.until(lambda seat=seat: room.seats[seat].kind != "open"):  # type: ignore[misc]
                raise Different(f"P{seat + 1} does not come in")
        ready = [] if self.both else [person.page.evaluate(READY) for person in self.people]
        await asyncio.gather(self.touch_until_playing(room), *ready)
        return room

    async def touch_until_playing(self, room: Room) -> None:
        """Touch every page until the game begins: after a deal that was left, a page does not deal alone."""
        end = time.monotonic() + PATIENCE / 1000
        while room.phase != "playing":
            if time.monotonic() > end:
                texts = [await person.page.inner_text("body") for person in self.people]
                raise Different(f"the game does not begin: {texts}")
            for person in self.people:
                await person.page.keyboard.press("Shift")
            await asyncio.sleep(0.05)

    async def play(self, deal: Deal) -> None:
        self.deal = deal
        room = self.room = await self.sit(deal)
        self.ledger.rooms += 1
        self.mine: set[int] = set()  # seqs of the robot's moves
        self.plans: dict[int, list[str]] = {}  # by seat: attackers planned with the attack that is on its way
        self.laid: dict[int, str] = {}  # by seat: the selected card, for an action that asks for one later
        script = [option for move in deal.moves for option in move.options]
        for _ in range(deal.most):
            if not await self.until(lambda: room.windows.verdict is not None or room.phase != "playing"):
                raise Different("nobody is asked")
            self.check_automatic_moves()
            if room.phase != "playing":
                return
            if await self.answered_from_plan():
                continue
            await self.play_move(script)

    async def until(self, condition: Callable[[], object]) -> bool:
        end = time.monotonic() + PATIENCE / 1000
        while not condition():
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.01)
        return True

    # -- answers from a plan
    # -------------------------------------------------------------------------------------------------

    def check_automatic_moves(self) -> None:
        """Check that the server's moves are the robot's, except for planned ones: a selected card, the planned
        attackers."""
        for entry in list(self.room.room_game.entries):
            if entry.kind != "say" or entry.seq in self.mine:
                continue
            self.mine.add(entry.seq)
            plan, card = self.plans.pop(entry.seat, None), self.laid.pop(entry.seat, "")
            if card and entry.options == [parse_card(card.rsplit(":", 1)[1])]:
                self.count(entry, "kind:card")
            elif plan and self.attacked(entry, plan):
                self.count(entry, "kind:attackers")
            else:
                before = sorted(self.mine)[-3:]
                raise Different(f"{entry} was said by itself (planned {plan}, laid {card!r}, the last ones {before})")

    def attacked(self, entry: GameEntry, plan: list[str]) -> bool:
        """Return whether a played move names the planned attackers."""
        table = self.room.room_game
        part, length = table.rewind_points[entry.seq]
        game = table.game if table.game is not None and part == table.part else table.last_game
        assert game is not None
        engine = replayer(game)
        for option in game.history[:length]:
            engine.push(option)
        meant = [marked_token(engine, one) for one in engine.options] if plan == ["all"] else plan
        named = []
        for option in entry.options:
            named.append(marked_token(engine, option))
            engine.push(option)
        return normal(sorted(named)) == normal(sorted(meant))

    async def answered_from_plan(self) -> bool:
        """Return whether a selected card or planned attackers answer the current question."""
        room, table = self.room, self.room.room_game
        game, seat, seq = table.game, table.player, table.seq
        if game is None or (seat not in self.laid and seat not in self.plans):
            return False
        verdict = room.windows.verdict
        plan = self.plans.get(seat)
        if plan is not None and (
            Assistant(game).kind == "attackers" or (verdict is not None and verdict.window == "main")
        ):
            del self.plans[seat]
            if Assistant(game).kind == "attackers" and (plan == ["all"] or self.possible(game, plan)):
                raise Different(f"{plan} were to attack, and their player is asked who does")
        if seat not in self.laid:
            return False
        card = self.laid[seat]
        if Assistant(game).kind != "card" or parse_card(card.rsplit(":", 1)[1]) not in game.options:
            del self.laid[seat]
            return False
        if not await self.until(lambda: table.seq > seq):
            raise Different(f"{card} stood on the button, and its player is asked which")
        return True

    @staticmethod
    def possible(game: Game, words: list[str]) -> bool:
        try:
            game.draft(words, finish=True)
        except IllegalMove:
            return False
        return True

    # -- one move
    # ------------------------------------------------------------------------------------------------------------

    def next_move(self, script: list[int]) -> tuple[list[str], str, str, bool]:
        """Return tokens, text and kind of the next move, and whether it is the script's: its next move while the game
        follows the script; else a legal one, rarely played actions first."""
        game = self.room.room_game.game
        if game is None:
            word = self.chance.choice(self.decks())
            return [word], word, "deck", False
        past = list(game.history)
        if len(past) < len(script) and script[: len(past)] == past:
            draft = Draft(game._engine)
            for option in script[len(past) :]:
                if draft.complete or option not in draft._engine.options:
                    break
                draft.push(option)
            if draft.complete:
                return draft.words, draft.text, Assistant(game).kind, True
        draft = Draft(game._engine)
        while not draft.complete:
            options = draft._engine.options
            first = not draft.options and Assistant(game).kind == "chance"
            draft.push(self.least_played(draft._engine, options) if first else self.chance.choice(options))
        return draft.words, draft.text, Assistant(game).kind, False

    def decks(self) -> list[str]:
        """Return the decks that may be picked between two games."""
        decision = self.room.room_game.match.decision  # type: ignore[union-attr]
        assert isinstance(decision, DeckDecision)
        return list(decision.words)

    def least_played(self, engine: Engine, options: list[int]) -> int:
        words = [marked_token(engine, option) for option in options]
        ends = [option for option, word in zip(options, words, strict=True) if word in ("pass", "end")]
        if len(ends) == len(options) or (ends and self.chance.random() < PASSES):
            return self.chance.choice(ends)
        rest = [(option, word) for option, word in zip(options, words, strict=True) if option not in ends]
        weights = [1 / (1 + self.ledger.met[f"action:{word.removesuffix('@')}"]) for _, word in rest]
        return self.chance.choices([option for option, _ in rest], weights)[0]

    def person(self, player: int) -> Person:
        return self.people[0 if self.both else player]

    async def play_move(self, script: list[int]) -> None:
        """Play one move and compare shown, sent and done."""
        room, table = self.room, self.room.room_game
        game, seq, player = table.game, table.seq, table.player
        words, text, kind, scripted = self.next_move(script)
        self.now = (words, game._engine.copy() if game is not None else None)
        options = list(game.draft(words, finish=True).options) if game is not None else [int(words[0].split()[1])]
        person = self.person(player)
        page = person.page
        style = self.deal.style or self.chance.choice(STYLES)
        wanted = board(game, player) if game is not None else None
        await page.evaluate("([seq, kind, board]) => robot.ready(seq, kind, board)", [seq, kind, wanted])
        if self.chance.random() < CUTS:
            self.ledger.cuts += 1
            await page.evaluate("after => void setTimeout(() => line.cut(300), after)", self.chance.randrange(400))
        shown = None
        offers = tokens_at_each_position(game._engine, options) if game is not None else [self.decks()]
        if game is not None and Decision(game._engine).is_set:  # a set is tapped in any order
            named = [word for word in words if not word.startswith("^")]
            self.chance.shuffle(named)
            words = named + [word for word in words if word.startswith("^")]
        if not scripted and kind in TAPPED and self.chance.random() < 0.15:
            shown = await page.evaluate("seed => robot.fidget(seed, 4)", self.chance.randrange(1 << 30))
            style = "fidget"
        if shown is None:
            if style == "fidget" or (style == "soldiers" and words != ["attack"]):
                style = "list"
            shown = await page.evaluate(
                "([kind, words, text, style, offers]) => robot.say(kind, words, text, style, offers)",
                [kind, words, text, style, offers],
            )
        self.style = style
        if not await self.until(lambda: table.seq > seq or room.windows.pending_move is not None):
            raise Different(f"shown {shown}, and nothing happened: {await page.evaluate('() => robot.look()')}")
        await self.compare(person, seq, player, words if style != "fidget" else None, options, shown)

    async def compare(
        self, person: Person, seq: int, player: int, words: list[str] | None, options: list[int], shown: dict[str, Any]
    ) -> None:
        """Compare the results. ``words``: the intended tokens, None after random taps."""
        table = self.room.room_game
        entry = next((one for one in table.entries if one.seq == seq and one.kind == "say"), None)
        found = await person.page.evaluate("() => ({sent: line.sent, planned: line.planned.splice(0)})")
        sent = [one for one in found["sent"] if one["seq"] == seq]
        if not sent or any(one["tokens"] != sent[0]["tokens"] for one in sent):
            raise Different(f"shown {shown}, sent {sent}")
        if normal(sent[0]["tokens"]) != normal(shown["shown"].split(" ")):
            raise Different(f"shown {shown}, sent {sent[0]['tokens']}")
        sent_tokens, start = sent[0]["tokens"], self.now[1]
        if start is not None:
            sent_tokens = canonical_order(start, sent_tokens)
            words = None if words is None else canonical_order(start, words)
        if words is not None and normal(sent_tokens) != normal(words):
            raise Different(f"meant {words}, shown {shown}")
        draft = None if start is None else whole(start, sent_tokens)
        done = options if draft is None else draft.options
        if entry is None or entry.seat != player or entry.options != done or (words is not None and done != options):
            raise Different(f"shown {shown}, meant {options}, sent {sent_tokens}, and {entry} was done")
        if draft is not None:
            self.check_button(draft, shown, person.lang[:2])
            self.check_around(draft, shown, person.lang[:2])
        plan = sent[0].get("attackers")
        if sorted(plan or []) != sorted(shown.get("soldiers", [])):
            raise Different(f"{shown} are to attack, sent {plan}")
        if person.broken:
            raise Different(f"the page broke: {person.broken}")
        self.mine.add(seq)
        for other in (*found["planned"], plan):  # planned while the attack is on the stage, or with it
            if other is not None:
                self.plans[player] = other
        if shown["laid"]:
            self.laid[player] = shown["laid"]
        self.tally(entry, person, seq)

    def check_button(self, draft: Draft, shown: dict[str, Any], lang: str) -> None:
        """Check that the button showed the sent move and its price, and asked twice exactly if the engine warns."""
        labels = shown["labels"]
        if not labels:
            return
        fight = draft._start.kind in (ATTACKERS_KIND, BLOCKERS_KIND)
        warned = "lose" in draft.warnings if fight else bool(draft.warnings)
        if len(labels) != 1 + warned:
            raise Different(f"{draft.words} warns of {draft.warnings}, and the button said {labels}")
        if not draft.is_request or shown["soldiers"]:
            return
        label = "".join(labels[0].split())
        for text in (draft_text.request_text(draft, lang), draft_text.cost_text(draft, lang)):
            for part in ("".join(one.split()) for one in text_between_names(text)):
                at = label.find(part)
                label = label[at + len(part) :]
                if at < 0:
                    raise Different(f"{draft.words} is {text.text!r}, and the button said {labels}")

    def check_around(self, draft: Draft, shown: dict[str, Any], lang: str) -> None:
        """Check everything that stood around the button: the result, the warnings, the selected things, the question of
        a choice, and of a fight the numbers of each attacker, the damage and the life."""
        seen = shown.get("seen")
        if seen is None:
            return
        kind = draft._start.kind
        wrong: list[str] = []

        def has(where: str, *wanted: str) -> None:
            found = joined(seen[where] if where in seen else where)
            wrong.extend(f"{text!r} is missing in {found!r}" for text in wanted if joined(text) not in found)

        marks = marked_places(draft).intersection(seen["here"])
        laid = {shown["laid"]} - {""}
        soldiers = {place for place in seen["chosen"] if shown.get("soldiers") and place.startswith("unit:")}
        rival = "p2" if str(draft.player) == "p1" else "p1"
        blocked = {f"unit:{rival}:{one.attacker}" for one in draft.forecast.clashes if kind == BLOCKERS_KIND}
        if set(seen["chosen"]) - laid - soldiers - blocked != marks:
            wrong.append(f"{sorted(marks)} is selected, and {seen['chosen']} is marked")
        if kind in (ATTACKERS_KIND, BLOCKERS_KIND):
            self.check_fight(draft, shown, lang, has)
        else:
            results = draft_text.with_texts(draft, draft.results, lang)
            if draft.is_request:
                has("results", *(part for one in results for part in text_between_names(one.text)))
                if seen["results"] and not results:
                    wrong.append(f"{seen['results']!r} stands there, and nothing is certain")
            elif kind != SETUP_KIND:
                has(shown["labels"][0], *(part for one in results for part in text_between_names(one.text)))
            has("warnings", *(page_text(lang, f"warn_{name}") for name in draft.warnings))
            if seen["warnings"] and not draft.warnings:
                wrong.append(f"{seen['warnings']!r} is a false alarm")
        if wrong:
            raise Different(f"{draft.words}: {'; '.join(wrong)}")

    @staticmethod
    def check_fight(draft: Draft, shown: dict[str, Any], lang: str, has: Callable[..., None]) -> None:
        """Check the numbers of a fight: each attacker's, the damage, and the life or the loss on the button."""
        forecast, seat = draft.forecast, str(draft.player)
        rival = "p2" if seat == "p1" else "p1"
        label = " ".join(shown["labels"][:1])
        rows = {row["word"]: row["text"] for row in shown["seen"]["fights"]}
        if draft._start.kind == ATTACKERS_KIND:
            attackers = [word for word in draft.words if word != DONE_TOKEN]
            if attackers:
                wins = rival in forecast.lethal_for
                damage = forecast.damage.get(rival, 0)
                has(label, page_text(lang, "attack_wins" if wins else "unblocked_n", damage))
                has("total", page_text(lang, "attack_result", damage))
            return
        for clash in forecast.clashes:
            has(rows.get(clash.attacker, f"no row of {clash.attacker}"), *comparison(clash))
        damage = forecast.damage.get(seat, 0)
        hurt = [one for one in forecast.results if one.kind == "damage" and one.location == f"player:{seat}"]
        life = [page_text(lang, "life_to", one.previous, one.life) for one in hurt if one.life >= 0]
        if seat in forecast.lethal_for:
            life = [page_text(lang, "you_would_lose")]
        has(label, *(life or [page_text(lang, "your_damage", damage)]))
        has("total", page_text(lang, "your_damage", damage))

    def tally(self, entry: GameEntry, person: Person, seq: int) -> None:
        start = self.now[1]
        if start is None:
            self.count(entry, "kind:deck", person=person)
            return
        kinds = []
        first = marked_token(start, entry.options[0]) if kind_at(start) == "chance" else ""
        for option in entry.options:  # the questions, token by token
            kinds.append(f"kind:{kind_at(start)}")
            start.push(option)
        if first not in ("", "pass"):
            kinds.append(f"action:{first.removesuffix('@')}")
        for event in self.room.room_game.log.events_since(seq, 0):  # type: ignore[arg-type]
            if event.event == "resolving" and event.action in raised(self.ledger.edition):
                kinds.append(f"action:{event.action}")
        self.count(entry, *kinds, person=person)

    def count(self, entry: GameEntry, *met: str, person: Person | None = None) -> None:
        ledger, line = self.ledger, self.line
        person = person or self.person(entry.seat)
        style = getattr(self, "style", "list")
        format, frame, *preset = self.room.room_game.regulation.text.split("+")
        ledger.acts += 1
        ledger.met.update(met)
        ledger.acts_by.update(
            (
                f"delay {line['delay']}",
                f"format {format}",
                f"frame {'+'.join([frame, *preset])}",
                f"hand {style}",
                f"at {person.size} {person.lang[:2]}",
                f"mode {line['mode']}",
                f"seats {'one screen' if self.both else 'two browsers'}",
                f"line {'doubled' if line['double'] else 'single'}",
            )
        )

    def fault(self, error: Exception) -> Fault:
        words, start = getattr(self, "now", ([], None))
        room = getattr(self, "room", None)
        position = ""
        if start is not None and room is not None:
            try:
                position = game_at(start, room.room_game.regulation, GameStart("position")).position()
            except Exception as why:  # a partial move has been pushed: the script contains its start
                position = f"# {why}"
        message = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        return Fault(message, self.deal.name, position, words, getattr(self, "style", ""), dict(self.line))


@cache
def page_texts(lang: str) -> dict[str, str]:
    """Return the texts that all screens of the page share."""
    texts: dict[str, str] = json.loads((PAGE_TEXTS / lang / "shared.json").read_text(encoding="utf-8"))
    return texts


def page_text(lang: str, key: str, *values: object) -> str:
    """Return a text of the page with its values filled in."""
    text = page_texts(lang)[key]
    for at, value in enumerate(values):
        text = text.replace(f"{{{at}}}", str(value))
    return text


def joined(text: str) -> str:
    """Return a text without spaces, which line breaks and icons change."""
    return "".join(text.split())


def comparison(clash: ForecastClash) -> list[str]:
    """Return the compared numbers of a clash, as the page writes them; none against a bulwark."""
    if clash.blockers_total is None:
        return [] if clash.blockers else [f"−{clash.number}"]
    sign = "<" if clash.number < clash.blockers_total else ">" if clash.number > clash.blockers_total else "="
    return [f"{clash.number} {sign} {clash.blockers_total}"]


def marked_places(draft: Draft) -> set[str]:
    """Return the locations that the tokens of a draft name."""
    decisions = decisions_before(draft._start, draft.options)
    found = {
        Option(decision._engine, option).location for decision, option in zip(decisions, draft.options, strict=True)
    }
    return found - {""}


def normal(words: list[str]) -> str:
    return " ".join(word for word in words if word != DONE_TOKEN)


def whole(start: Engine, words: list[str]) -> Draft:
    draft = Draft(start)
    draft.extend(words)
    if not draft.complete:
        draft.finish()
    return draft


def tokens_at_each_position(start: Engine, options: list[int]) -> list[list[str]]:
    """Return the possible tokens at each position of a move."""
    if Decision(start).is_set:
        return [[word.text for word in Decision(start).selectable]]
    return [list(decision.words) for decision in decisions_before(start, options)]


def text_between_names(text: RichText) -> list[str]:
    """Return the parts of a text between players' names, which the page fills in itself."""
    out, at = [], 0
    for mark in text.spans:
        if mark.ref.startswith("seat:"):
            out.append(text.text[at : mark.start])
            at = mark.end
    return [*out, text.text[at:]]
