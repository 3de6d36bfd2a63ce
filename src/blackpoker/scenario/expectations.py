"""Expectations of a script's lines (docs/notation.md).

A line can be wrong in two ways: what it states does not hold (``Failure``), or it cannot hold at all, because of a
misspelt word or a missing unit (``Malformed``). ``expect not`` accepts the first only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from blackpoker.engine.atoms import fog_cards
from blackpoker.engine.cards import BIT, NAMES, members, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, DRAW, UNDECIDED
from blackpoker.engine.locations import PLAYERS, target_text, unit_location
from blackpoker.engine.state import ATTACKER, BLOCKER, Side, Unit
from blackpoker.engine.views import SIDE_ZONES
from blackpoker.engine.visibility import EVENT_NAMES, Audience
from blackpoker.game.game import Game
from blackpoker.game.step import GameStep
from blackpoker.notation.display import canonical_token, is_token
from blackpoker.notation.limits import quoted
from blackpoker.notation.move import is_drafting
from blackpoker.notation.options import MARK_SIGNS, QUESTION_NAMES, TOKEN_MARKS, kind_name, option_token

_ZONES: Final = (*SIDE_ZONES, "soldiers", "bulwarks", "stage")
#: zones with an order that can be checked
_ORDERED: Final = ("life", "trumps")
_ROLES: Final = {ATTACKER: "attacker", BLOCKER: "blocker"}
_SHOWN_COUNT: Final = re.compile(r"\d+\+")  # "10+" for a life that is not counted


class Failure(Exception):
    """Raised for an expectation that does not hold, or a move that could not be made."""


class Malformed(Failure):
    """Raised for a line that cannot be read, or that names something that does not exist."""


def card_of(text: str) -> int:
    card = parse_card(text)
    if card < 0:
        raise Malformed(f"{quoted(text)} is no card")
    return card


def seat_of(text: str) -> int:
    if text not in PLAYERS:
        raise Malformed(f"{quoted(text)} is neither p1 nor p2")
    return PLAYERS.index(text)


def parse_int(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text):
        raise Malformed(f"{quoted(text)} is no whole number")
    return int(text)


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Failure(message)


def card_names(cards: list[int]) -> str:
    return " ".join(NAMES[card] for card in cards) or "none"


class Expectations:
    """The forms of ``expect``. ``said_from``: length of the history before the last line that pushed something."""

    def __init__(self, game: Game, history_start: int) -> None:
        self.game = game
        self.engine: Engine = game._engine
        self.history_start = history_start

    def check(self, text: str) -> None:
        """Check the text after ``expect``; raise `Failure` or `Malformed`."""
        negative = text.startswith("not ")
        try:
            self.check_positive(text[4:].strip() if negative else text)
        except Malformed:
            raise
        except Failure:
            if not negative:
                raise
            return
        if negative:
            raise Failure("it does hold")

    def check_positive(self, text: str) -> None:
        name, _, rest = text.partition(" ")
        words = rest.split()
        seat, dot, zone = name.partition(".")
        if dot and seat in PLAYERS and zone in _ZONES:
            self.expect_count([name, *words])
            return
        entry: tuple[Callable[[list[str]], None], int, int] | None = self.forms().get(name)
        if entry is None:
            raise Malformed(f"{quoted(name)} cannot be expected")
        form, min_words, max_words = entry
        if not min_words <= len(words) <= max_words:
            problem = "too few" if len(words) < min_words else "too many"
            raise Malformed(f"{problem} words after {name}")
        form(words)

    def forms(self) -> dict[str, tuple[Callable[[list[str]], None], int, int]]:
        """Return every form with its least and greatest number of words."""
        unlimited = 80
        return {
            "stage": (self.expect_stage, 1, unlimited),
            "chance": (self.expect_chance, 1, 1),
            "asked": (self.expect_asked, 1, 2),
            "options": (self.expect_options, 1, unlimited),
            "offers": (self.expect_offers, 1, unlimited),
            "actions": (self.expect_actions, 2, unlimited),
            "turn": (self.expect_turn, 1, 1),
            "turn_number": (self.expect_turn_number, 1, 1),
            "over": (self.expect_over, 1, 1),
            "event": (self.expect_event, 1, unlimited),
            "zone": (self.expect_zone, 3, unlimited),
            "in": (self.expect_in, 2, unlimited),
            "top": (self.expect_top, 2, unlimited),
            "bottom": (self.expect_bottom, 2, unlimited),
            "gravetop": (self.expect_gravetop, 2, 2),
            "number": (self.expect_number, 2, 2),
            "driven": (self.expect_driven, 1, 1),
            "charged": (self.expect_charged, 1, 1),
            "new": (self.expect_new, 1, 1),
            "role": (self.expect_role, 2, 2),
            "kind": (self.expect_kind, 2, 2),
            "target": (self.expect_target, 2, 2),
            "open": (self.expect_open, 1, 1),
            "view": (self.expect_view, 3, unlimited),
        }

    # -- the flow

    def actions_named(self, words: list[str]) -> list[str]:
        known = {plan.id for plan in self.engine.rules.plans}
        for text in words:
            if text not in known and text != "pass":
                raise Malformed(f"{quoted(text)} is no action of this format")
        return words

    def expect_stage(self, words: list[str]) -> None:
        actions = [self.engine.rules.plans[request.action].id for request in self.engine.stage]
        wanted = [] if words == ["empty"] else self.actions_named(words)
        require(actions == wanted, f"the stage is {' '.join(actions) or 'empty'}")

    def expect_chance(self, words: list[str]) -> None:
        engine = self.engine
        require(engine.asked == seat_of(words[0]) and engine.kind == CHANCE_KIND, f"now: {self.game!r}")

    def expect_asked(self, words: list[str]) -> None:
        engine = self.engine
        seat = seat_of(words[0])
        if len(words) > 1 and words[1] not in QUESTION_NAMES:
            raise Malformed(f"{quoted(words[1])} is no question; there are {' '.join(QUESTION_NAMES)}")
        inside = engine.kind != CHANCE_KIND and not is_drafting(engine) and engine.asked == seat
        require(inside and (len(words) < 2 or kind_name(engine) == words[1]), f"now: {self.game!r}")

    def offered_tokens(self) -> list[str]:
        return [option_token(self.engine, option) for option in self.engine.options]

    def canonical_tokens(self, words: list[str]) -> list[str]:
        """Return the words as they are offered. A word with the mark of the decision is the same word; with another
        mark it matches none."""
        mark = TOKEN_MARKS.get(int(self.engine.kind), "")
        out: list[str] = []
        for text in words:
            bare = text[1:] if text[:1] and text[0] in MARK_SIGNS else text
            if not is_token(canonical_token(bare), self.game.regulation.edition):
                raise Malformed(f"{quoted(text)} is no word of the notation")
            out.append(canonical_token(bare) if text in (bare, mark + bare) else text)
        return out

    def expect_options(self, words: list[str]) -> None:
        require(
            sorted(self.offered_tokens()) == sorted(self.canonical_tokens(words)),
            f"offered are {' '.join(self.offered_tokens())}",
        )

    def expect_offers(self, words: list[str]) -> None:
        """Check that all are offered. With ``not`` none of them may be offered, so each is checked."""
        missing = [text for text in self.canonical_tokens(words) if text not in self.offered_tokens()]
        if missing and len(missing) < len(words):
            raise Malformed(f"only {' '.join(missing)} not offered; write a line for each")
        require(not missing, f"{' '.join(missing)} not offered; offered are {' '.join(self.offered_tokens())}")

    def expect_actions(self, words: list[str]) -> None:
        engine = self.engine
        if engine.kind != CHANCE_KIND or engine.asked != seat_of(words[0]):
            raise Malformed(f"{words[0]} does not hold the chance: {self.game!r}")
        require(
            sorted(self.offered_tokens()) == sorted(self.actions_named(words[1:])),
            f"offered are {' '.join(self.offered_tokens())}",
        )

    def expect_turn(self, words: list[str]) -> None:
        require(self.engine.turn == seat_of(words[0]), f"it is the turn of {PLAYERS[self.engine.turn]}")

    def expect_turn_number(self, words: list[str]) -> None:
        require(self.engine.turn_number == parse_int(words[0]), f"it is turn {self.engine.turn_number}")

    def expect_over(self, words: list[str]) -> None:
        if words[0] not in (*PLAYERS, "draw", "no"):
            raise Malformed("over is p1, p2, draw or no")
        winner = self.engine.winner
        now = "no" if winner == UNDECIDED else "draw" if winner == DRAW else PLAYERS[winner]
        require(now == words[0], f"over: {now}")

    # -- events

    def recent_events(self) -> list[dict[str, Any]]:
        """Return the events of the last line that pushed something, with all their cards."""
        stop = len(self.game.history)
        if stop == 0:
            return []
        out: list[dict[str, Any]] = []
        for event in GameStep(self.game, self.history_start, stop).event_views(Audience.JUDGE):
            fields = {name: value for name, value in asdict(event).items() if value is not None}
            if event.target is not None:
                fields["target"] = event.target.text
            out.append(fields)
        return out

    def expect_event(self, words: list[str]) -> None:
        """``event NAME [PLAYER] [CARD …] [FIELD=VALUE …]``: one event has all of it."""
        name = words[0]
        if name not in EVENT_NAMES:
            raise Malformed(f"{quoted(name)} is no event; there are {' '.join(sorted(EVENT_NAMES))}")
        player = ""
        cards: list[str] = []
        fields: dict[str, str] = {}
        for text in words[1:]:
            field, equals, value = text.partition("=")
            if equals:
                fields[field] = value
                if field == "action":
                    self.actions_named([value.removesuffix("@")])
            elif text in PLAYERS:
                player = text
            else:
                cards.append(NAMES[card_of(text)])
        events = [event for event in self.recent_events() if event["event"] == name]
        for event in events:
            unknown = sorted(set(fields) - set(event))
            if unknown:
                raise Malformed(f"{name} has no {unknown[0]}; it has {' '.join(sorted(set(event) - {'event'}))}")
        require(
            any(
                (not player or event["player"] == player)
                and set(cards) <= set(event.get("cards") or ())
                and all(str(event[field]) == value for field, value in fields.items())
                for event in events
            ),
            f"of that name happened: {'; '.join(_event_text(event) for event in events) or 'nothing'}",
        )

    # -- zones

    def zone(self, name: str) -> list[int]:
        """Return the cards of a zone such as ``p1.hand``; piles from the top."""
        seat, _, zone = name.partition(".")
        player = seat_of(seat)
        if zone not in _ZONES:
            raise Malformed(f"{quoted(name)} is no zone; there are {' '.join(_ZONES)}")
        side = self.engine.sides[player]
        if zone == "life":
            return side.life[::-1]
        if hasattr(side, zone) and isinstance(getattr(side, zone), int):
            return members(int(getattr(side, zone)))
        if zone == "fog":
            return members(int(fog_cards(side)))
        if zone == "trumps":
            return list(side.trumps)
        if zone == "stage":
            requests = [*self.engine.stage, self.engine.active, self.engine.current]
            return [card for r in requests if r is not None and r.controller == player for card in members(r.keys)]
        units: list[Unit] = []
        if zone != "bulwarks":
            units += side.soldiers
        if zone != "soldiers":
            units += side.bulwarks
        return [card for unit in units for card in members(unit.cards)]

    def expect_count(self, words: list[str]) -> None:
        if len(words) != 2:
            raise Malformed(f"{words[0]} and a number; for the cards themselves: zone {words[0]} = …")
        seat, _, zone = words[0].partition(".")
        side = self.engine.sides[seat_of(seat)]
        if zone in ("field", "soldiers", "bulwarks"):
            n = (len(side.soldiers) if zone != "bulwarks" else 0) + (len(side.bulwarks) if zone != "soldiers" else 0)
        else:
            n = len(self.zone(words[0]))
        require(n == parse_int(words[1]), f"{words[0]} is {n}")

    def expect_zone(self, words: list[str]) -> None:
        """``zone p1.hand = S5 H3``: exactly these; life and trumps in this order, from the top or the first place."""
        if words[1] != "=":
            raise Malformed("a zone is written: zone p1.hand = S5 H3, or = empty")
        wanted = [] if words[2:] == ["empty"] else [card_of(text) for text in words[2:]]
        cards = self.zone(words[0])
        ordered = words[0].partition(".")[2] in _ORDERED
        require(cards == wanted if ordered else sorted(cards) == sorted(wanted), f"{words[0]} is {card_names(cards)}")

    def expect_in(self, words: list[str]) -> None:
        """Check that all are there. With ``not`` none of them may be there, so each is checked."""
        cards = self.zone(words[0])
        missing = [text for text in words[1:] if card_of(text) not in cards]
        if missing and len(missing) < len(words) - 1:
            raise Malformed(f"only {' '.join(missing)} not there; write a line for each")
        require(not missing, f"{' '.join(missing)} not there; there are {card_names(cards)}")

    def expect_top(self, words: list[str]) -> None:
        wanted = [card_of(text) for text in words[1:]]
        cards = self.zone(words[0])
        require(cards[: len(wanted)] == wanted, f"from the top: {card_names(cards[: len(wanted) + 2])}")

    def expect_bottom(self, words: list[str]) -> None:
        wanted = [card_of(text) for text in words[1:]]
        cards = self.zone(words[0])[::-1]
        require(cards[: len(wanted)] == wanted, f"from the bottom: {card_names(cards[: len(wanted) + 2])}")

    def expect_gravetop(self, words: list[str]) -> None:
        top = self.engine.sides[seat_of(words[0])].grave_top
        wanted = -1 if words[1] == "none" else card_of(words[1])
        require(top == wanted, f"the public top is {card_names([int(top)]) if top >= 0 else 'none'}")

    # -- units

    def unit(self, name: str) -> tuple[Side, Unit, int]:
        seat, _, rest = name.partition(".")
        player = seat_of(seat)
        side = self.engine.sides[player]
        if rest[:1] == "b" and rest[1:].isdigit():
            place = parse_int(rest[1:])
            if 1 <= place <= len(side.bulwarks):
                return side, side.bulwarks[place - 1], player
        else:
            card = card_of(rest)
            for unit in side.soldiers:
                if unit.cards & BIT[card]:
                    return side, unit, player
        raise Malformed(f"there is no {name} on the field")

    def expect_number(self, words: list[str]) -> None:
        side, unit, _ = self.unit(words[0])
        number = self.engine.number(side, unit)
        require(number == parse_int(words[1]), f"its number is {number}")

    def expect_driven(self, words: list[str]) -> None:
        require(self.unit(words[0])[1].driven, "it is charged")

    def expect_charged(self, words: list[str]) -> None:
        require(not self.unit(words[0])[1].driven, "it is driven")

    def expect_new(self, words: list[str]) -> None:
        side, unit, _ = self.unit(words[0])
        require(unit.cards & ~side.fresh == 0, "it has been there since an earlier turn")

    def expect_role(self, words: list[str]) -> None:
        if words[1] not in (*_ROLES.values(), "none"):
            raise Malformed("a role is attacker, blocker or none")
        role = _ROLES.get(int(self.unit(words[0])[1].role), "none")
        require(role == words[1], f"its role is {role}")

    def expect_kind(self, words: list[str]) -> None:
        kinds = self.engine.rules.kinds
        if words[1] not in [kind.id for kind in kinds]:
            raise Malformed(f"{quoted(words[1])} is no character of this format")
        kind = kinds[self.unit(words[0])[1].kind].id
        require(kind == words[1], f"it is a {kind}")

    def expect_target(self, words: list[str]) -> None:
        place = parse_int(words[0].removeprefix("#"))
        if not words[0].startswith("#") or not 1 <= place <= len(self.engine.stage):
            raise Malformed(f"there is no {words[0]} on the stage")
        target = target_text(self.engine, self.engine.stage[place - 1])
        wanted = words[1]
        if "." in wanted and ".t" not in wanted:
            _, unit, player = self.unit(wanted)
            wanted = f"{PLAYERS[player]}.{unit_location(self.engine, player, unit)}"
        elif not is_token(wanted, self.game.regulation.edition):
            raise Malformed(f"{quoted(wanted)} is no place")
        require(target == wanted, f"its target is {target or 'gone'}")

    def expect_open(self, words: list[str]) -> None:
        seat, _, place = words[0].partition(".t")
        side = self.engine.sides[seat_of(seat)]
        number = parse_int(place)
        if not 1 <= number <= len(side.trumps):
            raise Malformed(f"there is no {words[0]}")
        require(bool(side.open_trumps & BIT[side.trumps[number - 1]]), "it is face down")

    # -- views

    def expect_view(self, words: list[str]) -> None:
        """``view SEAT PATH VALUE`` or ``view SEAT hides CARD``; ``public`` is the view of a spectator."""
        audience = Audience.PUBLIC if words[0] == "public" else Audience(seat_of(words[0]))
        path, value = words[1], " ".join(words[2:])
        view = self.game.view(audience)
        if path == "hides":
            card = card_names([card_of(value)])
            others = [asdict(view.side(player)) for player in (0, 1) if player != audience]
            require(f'"{card}"' not in json.dumps(others), f"{card} is to be seen")
            return
        found: Any = asdict(view)
        for part in path.split("."):
            if isinstance(found, list) and part.isdigit() and parse_int(part) < len(found):
                found = found[parse_int(part)]
            elif isinstance(found, dict) and part in found:
                found = found[part]
            else:
                raise Malformed(f"the view has no {path}")
        require(found == self.value(value), f"the view says {json.dumps(found)}")

    def value(self, text: str) -> object:
        """Return JSON, or a bare word that a view can have; raise `Malformed` for any other text."""
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
        rules = self.engine.rules
        known = (
            {plan.id for plan in rules.plans} | {kind.id for kind in rules.kinds} | {*QUESTION_NAMES, *_ROLES.values()}
        )
        if text not in known and not is_token(text, self.game.regulation.edition) and not _SHOWN_COUNT.fullmatch(text):
            raise Malformed(f"{quoted(text)} is neither JSON nor a word of the notation")
        return text


def _event_text(event: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in event.items() if key != "event")
