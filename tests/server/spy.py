"""A recording client that trusts nothing: every byte it receives is searched for what R-210…R-216 hide.

It computes from the rulings and the true state what each seat may know, and does not use the engine's own view.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import zip_longest
from typing import Any

from blackpoker.assist.autopass import AssistSettings, decide
from blackpoker.assist.decision import Decision, Draft, refused_actions
from blackpoker.engine.cards import BIT, NAMES
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import ATTACKERS_KIND
from blackpoker.engine.visibility import AUDIENCES, Audience
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions
from blackpoker.protocol.view_changes import apply_changes
from blackpoker.server.rooms.seats import RoomClient
from tests.hidden_cards import permute_hidden
from tests.server.room_driver import Driver

#: events that may name a card of the other player: keys on the stage, and cards moved face up (R-213, R-214)
PUBLIC_EVENTS = frozenset(
    (
        "declared",
        "resolving",
        "fizzled",
        "negated",
        "raised",
        "staged",
        "keys_spent",
        "keys_returned",
        "took",
        "entered",
        "attached",
        "buried",
        "returned",
        "topped",
        "sunk",
        "turned",
        "revealed",
        "milled",
        "opened",
        "closed",
        "trump_lost",
        "flipped",
        "looked",
        "discarded",
        "damaged",
        "drove",
        "charged",
        "attacked",
        "blocked",
    )
)
#: events that never may
PRIVATE_EVENTS = frozenset(("drew", "shuffled", "trump_set", "pack_opened", "dealt"))
_CARD = re.compile(r"([♠♡♢♣])(10|[2-9AJQK])|(JK2?)")
_LETTER = {"♠": "S", "♡": "H", "♢": "D", "♣": "C"}
_NAME = re.compile(r"^(?:[SHDC](?:10|[2-9AJQK])|JK2?)$")


def drafted(engine: Engine, words: list[str]) -> Draft:
    draft = Draft(engine)
    draft.extend(words)
    return draft


class Spy:
    """Checks the messages of one room."""

    def __init__(self) -> None:
        self.driver: Driver | None = None
        self.leaks: list[str] = []
        self.known: dict[tuple[str, int], set[str]] = {}  # by listener and owner: cards the listener has been shown
        self.tops: dict[int, list[set[str]]] = {0: [], 1: []}  # cards buried together: one was on top
        self.views: dict[str, Any] = {}  # by listener: the last view
        self.counted = 0
        self.bytes = self.update_bytes = 0
        self.messages: Counter[str] = Counter()

    def __call__(self, key: str, data: bytes) -> None:
        self.bytes += len(data)
        message = json.loads(data)
        self.messages[message["type"]] += 1
        seat = {"a": 0, "b": 1}.get(key)
        kind = message["type"]
        if kind == "update":
            self.update_bytes += len(data)
            self.update(key, seat, message)
        elif kind == "over":
            assert self.driver is not None
            if self.driver.room.phase != "over" and (message.get("secret") or message.get("record_id")):
                self.leaks.append("a secret is opened before the match is over")
            if message.get("view"):
                self.view(key, seat, message["view"], f"{key} over")
        elif kind in ("assist_settings", "preview_result", "refusals", "ack"):
            if seat is None:
                self.leaks.append(f"a watcher got {kind}")
        elif kind in ("welcome", "room"):
            text = json.dumps(message["room"])
            if any(word in text for word in ('"mode"', '"stops"', '"secret"', '"deck"')):
                self.leaks.append(f"{kind} tells settings or secrets")
            if self.driver is not None and self.driver.room.secret.hex() in text:
                self.leaks.append("the secret itself")

    def note_tops(self) -> None:
        """R-211: when cards go to a grave together, one of them is visible until the next card arrives."""
        assert self.driver is not None
        for _, step in self.driver.room.room_game.log.steps_since(self.counted):
            for owner in (0, 1):
                for event in step.event_views(owner):
                    if event.player == f"p{owner + 1}" and event.event in ("damaged", "discarded", "milled"):
                        self.tops[owner].append(set(event.cards or ()))
        self.counted = self.driver.room.room_game.seq

    def unexplained(self, owner: int, cards: set[str]) -> set[str]:
        """Return the cards that were never the visible one of a group that moved together."""
        left = set(cards)
        for moved in self.tops[owner]:
            if len(moved & left) == 1:
                left -= moved
        return left

    def cards_of(self, key: str, owner: int) -> set[str]:
        return self.known.setdefault((key, owner), set())

    def update(self, key: str, seat: int | None, message: dict[str, Any]) -> None:
        where = f"{key} seq {message['seq']}"
        if message["since"] < 0:
            self.known = {pair: set() for pair in self.known if pair[0] != key} | {
                pair: cards for pair, cards in self.known.items() if pair[0] != key
            }
        if message.get("prompt") is not None and (seat is None or self.prompted_seat() != seat):
            self.leaks.append(f"{where}: somebody else's prompt")
        self.note_tops()
        events = message.get("events", ())
        for event, then in zip_longest(events, events[1:]):
            if event["event"] == "trump_set" and then is not None and then["event"] == "opened":
                if (event["player"], event.get("cards")) == (then["player"], then.get("cards")):
                    continue  # 切札再生 puts it there face up
            self.event(key, seat, event, where)
        if (changes := message.get("view_changes")) is not None:
            message["view"] = apply_changes(self.views[key], changes)
        self.views[key] = message.get("view")
        if message.get("view"):
            self.view(key, seat, message["view"], where)
        for line in message.get("lines", ()):
            self.line(key, seat, line["text"], where)
        match = message.get("match")
        if match:
            self.match(seat, match, where)

    def prompted_seat(self) -> int:
        assert self.driver is not None
        return self.driver.room.room_game.player

    def event(self, key: str, seat: int | None, event: dict[str, Any], where: str) -> None:
        owner = int(event["player"][1]) - 1
        cards = event.get("cards")
        if event["event"] == "turn":
            return
        if owner == seat or not cards:
            return
        if (
            event["event"] in PRIVATE_EVENTS
            or event["event"] not in PUBLIC_EVENTS
            or (event["event"] == "looked" and seat is None)
        ):
            self.leaks.append(f"{where}: {event}")
        if event["event"] == "entered" and event.get("kind") == "bulwark" and set(cards) - self.cards_of(key, owner):
            self.leaks.append(f"{where}: the face of a bulwark: {event}")
        if event["event"] in ("damaged", "discarded") and len(cards) > 1 and event["event"] == "damaged":
            self.leaks.append(f"{where}: more than the top of what was lost: {event}")
        if event["event"] == "took" and event["zone"] not in ("life", "grave", "pack", "trumps", "field", "hand"):
            self.leaks.append(f"{where}: {event}")
        self.cards_of(key, owner).update(cards)

    def view(self, key: str, seat: int | None, view: dict[str, Any], where: str) -> None:
        driver = self.driver
        assert driver is not None
        game = driver.room.room_game.game or driver.room.room_game.last_game
        assert game is not None
        engine = game._engine
        decision = view.get("decision")
        if decision and decision["options"] and decision["player"] != f"p{(seat if seat is not None else 8) + 1}":
            self.leaks.append(f"{where}: options of another seat")
        for request in (*view["stage"], *([view["resolving"]] if view["resolving"] else [])):
            self.cards_of(key, int(request["controller"][1]) - 1).update(request["keys"])
        for owner in (0, 1):
            if owner == seat:
                continue
            shown = view[f"p{owner + 1}"]
            side = engine.sides[owner]
            public: set[str] = set()
            for unit in side.soldiers:
                public |= {NAMES[card] for card in range(54) if unit.cards & BIT[card]}
            public |= {NAMES[card] for card in side.trumps if side.open_trumps & BIT[card]}
            public |= {NAMES[card] for card in range(54) if side.aside & BIT[card]}
            if side.grave_top >= 0:
                public.add(NAMES[side.grave_top])
                self.cards_of(key, owner).add(NAMES[side.grave_top])
            for unit in side.soldiers:
                self.cards_of(key, owner).update(NAMES[card] for card in range(54) if unit.cards & BIT[card])
            for request in engine.stage:
                if request.controller == owner:
                    public |= {NAMES[card] for card in range(54) if request.keys & BIT[card]}
            named = {text for text in strings(shown) if _NAME.match(text)}
            extra = named - public - self.cards_of(key, owner)
            extra = self.unexplained(owner, extra)
            if extra:
                self.leaks.append(f"{where}: p{owner + 1}'s {sorted(extra)}")
            if len(side.life) >= 10 and shown["life"] != "10+":
                self.leaks.append(f"{where}: the number of p{owner + 1}'s life cards")
            if shown["hand"]["cards"] is not None or (
                shown["pack"] and (shown["pack"]["cards"], shown["pack"]["count"]) != (None, None)
            ):
                self.leaks.append(f"{where}: hand or pack")

    def line(self, key: str, seat: int | None, text: str, where: str) -> None:
        head = re.match(r"(P[12])[：: ]", text)
        if head is None:
            return
        owner = int(head[1][1]) - 1
        if owner == seat:
            return
        counted = re.search(r"(?:life|ライフ)\D{0,6}\d\d", text)
        if counted is not None:
            self.leaks.append(f"{where}: line {text!r} counts life cards")
        own_part = re.sub(r"^.*を対象に", "", text[3:])  # the target is named as well, which is allowed
        own_part = re.sub(
            r"\(as [^)]*\)|（[^）]*の扱い）", "", own_part
        )  # the value a card counts as is not a card
        body = re.split(r"→| on |P[12]'s|P[12]の|your |あなたの", own_part)[0]
        cards = {_LETTER[suit] + number if suit else joker for suit, number, joker in _CARD.findall(body)}
        extra = cards - self.cards_of(key, owner)
        if "block" in text or "ブロック" in text:  # names the attacker too
            extra -= self.cards_of(key, 1 - owner)
            extra = set() if 1 - owner == seat else extra
        if extra:
            self.leaks.append(f"{where}: line {text!r} tells {sorted(extra)}")

    def match(self, seat: int | None, match: dict[str, Any], where: str) -> None:
        driver = self.driver
        assert driver is not None
        played = driver.room.room_game.match
        assert played is not None
        for owner in (0, 1):
            name = f"p{owner + 1}"
            if owner != seat and not played.series.playing and match["picks"][name] is not None and not match["over"]:
                self.leaks.append(f"{where}: the deck {name} has picked")
            for deck in match["decks"][name]:
                # of a retired deck only the top card is public; the other deck would follow from its cards.
                if owner != seat and deck["cards"] is not None and not played.series.over:
                    self.leaks.append(f"{where}: the cards of {name}'s deck")

    # -- equal messages for equal knowledge
    # ----------------------------------------------------------------------------------

    def check_questions(self, engine: Engine, copy: Engine, what: str) -> None:
        """Check that the prompted seat gets the same questions, warnings and refusals in both states."""
        driver = self.driver
        assert driver is not None
        where = f"seq {driver.room.room_game.seq}: p{engine.asked + 1}'s"
        if engine.kind == CHANCE_KIND and decide(copy, AssistSettings()) != decide(engine.copy(), AssistSettings()):
            self.leaks.append(f"{where} being asked depends on {what}")
        asks = [
            p.encode(questions.prompt_message(Decision(state), 0, "en", False, "", None)) for state in (engine, copy)
        ]
        if asks[0] != asks[1]:
            self.leaks.append(f"{where} prompt depends on {what}")
        reasons = [p.encode(refused_actions(state, int(state.asked))) for state in (engine, copy)]
        if reasons[0] != reasons[1]:
            self.leaks.append(f"{where} reasons depend on {what}")
        for words in self.sample_moves(engine):
            drafts = [
                p.encode(questions.preview_result(drafted(state, words), 1, 1, "ja", False)) for state in (engine, copy)
            ]
            if drafts[0] != drafts[1]:
                self.leaks.append(f"{where} draft of {words} depends on {what}")

    def sample_moves(self, engine: Engine) -> list[list[str]]:
        """Return the empty move, the first token of some options, one complete proposed move, and an attack with all
        soldiers."""
        words = [[word] for word in Decision(engine).words]
        out = [[], *words[:6]]
        proposal = Decision(engine).proposal
        all_tokens = [word for (word,) in words]
        if engine.kind == ATTACKERS_KIND:
            out.append([word for word in all_tokens if word != "done"])
        return [*out, proposal] if proposal else out

    def check_indistinguishable(self, chance: int) -> None:
        """Exchange what a seat cannot know; its messages must be equal byte for byte, as must the auto-pass decision."""
        driver = self.driver
        assert driver is not None
        game = driver.room.game_in_play()
        if game is None:
            return
        engine = game._engine
        for audience in AUDIENCES:
            if audience == engine.asked:
                self.check_questions(engine, recounted(engine, audience, chance), "hidden counts")
                continue
            copy = recounted(engine, audience, chance)
            permute_hidden(copy, audience, seeded(chance))
            seat = None if audience == Audience.PUBLIC else int(audience)
            encoded = []
            for state in (engine, copy):
                game._engine = state
                client = RoomClient(
                    "x", "", "", lang="ja", seat=seat, game=driver.room.game_number, seq=driver.room.room_game.seq
                )
                driver.room.broadcast.update(client)
                encoded.append([p.encode(message) for key, message in driver.room.broadcast.outbox if key == "x"])
                driver.room.broadcast.outbox = [item for item in driver.room.broadcast.outbox if item[0] != "x"]
            game._engine = engine
            if encoded[0] != encoded[1]:
                self.leaks.append(f"seq {driver.room.room_game.seq}: seat {audience} is told what it may not know")


def recounted(engine: Engine, audience: int, chance: int) -> Engine:
    """Return a copy in which the other players have fewer life cards, as far as this audience cannot count them
    (R-210): some unseen cards are removed from the bottom. Decks may differ in size (R-198), and the grave is countable
    by all. One unseen card stays below, between and above the seen ones, because the audience knows that a card lies
    there."""
    copy = engine.copy()
    chosen = random.Random(chance)
    for owner in (0, 1):
        side = copy.sides[owner]
        unseen: list[int] = []
        below = True  # the card below has been seen, or there is none
        for card in side.life[: max(0, len(side.life) - 10)]:
            known = bool((side.public | side.seen) & BIT[card])
            if not known and not below:
                unseen.append(card)
            below = known
        if owner != audience and unseen:
            for card in chosen.sample(unseen, chosen.randint(1, len(unseen))):
                side.life.remove(card)
    return copy


def strings(thing: Any) -> list[str]:
    if isinstance(thing, str):
        return [thing]
    if isinstance(thing, dict):
        return [text for value in thing.values() for text in strings(value)]
    if isinstance(thing, list):
        return [text for value in thing for text in strings(value)]
    return []


def spied_game(regulation: str, seed: int, interval: int = 4) -> Spy:
    """Play a random game with a spy at both seats and among the spectators; return the spy."""
    spy = Spy()
    driver = Driver(regulation, seed, window_ms=1200 if seed % 3 == 0 else 0, mode=("", "full", "firm")[seed % 3])
    spy.driver = driver
    driver.listener = spy
    driver.start()
    step = 0
    while driver.step():
        step += 1
        if driver.finished and driver.room.phase == "playing":
            spy.leaks.append(f"seq {driver.room.room_game.seq}: a record of an unfinished match")
        if step % interval == 0:
            spy.check_indistinguishable(seed * 1000 + step)
    return spy
