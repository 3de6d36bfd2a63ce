"""Log lines for one audience. The reader is "you". Cards that the audience may not know are counted, never named
(R-210…R-216)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from blackpoker.definitions.model import SUMMON
from blackpoker.engine import events as ev
from blackpoker.engine.cards import SIGNS, count, members
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request import NO_TARGET, PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.request_builder import set_target
from blackpoker.engine.state import State
from blackpoker.engine.tables import AIM_OPPONENT, TOKEN_TARGET
from blackpoker.engine.views import EventName, Player
from blackpoker.engine.visibility import EVENT_NAMES, Audience, sees
from blackpoker.text.cards import sign
from blackpoker.text.catalogue import LINES, OTHER_LINES, PAYMENT_LINES, YOU, YOUR_LINES, ZONES
from blackpoker.text.markup import TextSpan, parse
from blackpoker.text.prompts import Prompts, unit_cards
from blackpoker.text.resources import in_lang

#: Events that every request causes; a short log omits them. It keeps driving and charging where that is the purpose of
#: an action, and triggers that neither a turn nor an attack causes.
MINOR: Final = frozenset(
    {
        ev.RAISED,
        ev.STAGED,
        ev.RESOLVING,
        ev.KEYS_SPENT,
        ev.DROVE,
        ev.CHARGED,
        ev.SHUFFLED,
        ev.TRUMP_SET,
        ev.DEALT,
        ev.SET_ASIDE,
        ev.PACKED,
        ev.FOGGED,
        ev.UNCOVERED,
    }
)
#: Consecutive events that share a line: any of the first set, of the second set only with the same result.
_GROUPED: Final = frozenset({ev.DREW, ev.DROVE, ev.CHARGED, ev.ATTACKED, ev.BURIED})
_GROUPED_IF_EQUAL: Final = frozenset({ev.ENTERED, ev.TURNED, ev.RAISED})
#: Causes of triggers, and payments: reported after the event they trigger.
_CAUSES: Final = frozenset({ev.BURIED, ev.RETURNED, ev.DISCARDED, ev.DROVE})
#: Payments are part of the line of their request.
_PAYMENTS: Final = frozenset({ev.DROVE, ev.DAMAGED, ev.DISCARDED, ev.BURIED})
#: A list longer than _FOLDED names only its first _NAMED cards.
_FOLDED: Final = 8
_NAMED: Final = 5
#: Events of cards: without a card they have no line.
_OF_CARDS: Final = frozenset({ev.MILLED, ev.SUNK, ev.TOPPED, ev.REVEALED})
#: Events that show a trump with its name.
_OF_TRUMPS: Final = frozenset({ev.OPENED, ev.CLOSED, ev.TRUMP_LOST})
#: [goes|go]: singular, plural
_PLURAL: Final = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


class LogLine(NamedTuple):
    """A line of the log with its event kind, the acting player and, at the start of a turn, its number. With tagged
    prompts ``spans`` has the spans of the players and rules in the text."""

    text: str
    kind: EventName
    player: Player | None
    turn: int
    spans: list[TextSpan]


class _KnownUnit(NamedTuple):
    """A unit as it was last seen."""

    owner: int
    text: str  # its public name
    cards: int
    bulwark: bool


class _Target(NamedTuple):
    """The target of a request as it was last seen: its owner (-1: none), its name with the owner, and without (of a
    player: empty)."""

    owner: int
    text: str
    bare: str


#: events without hidden cards in their lines
_WITHOUT_CARDS: Final = frozenset(
    (
        ev.DECLARED,
        ev.RESOLVING,
        ev.FIZZLED,
        ev.NEGATED,
        ev.RAISED,
        ev.STAGED,
        ev.WON,
        ev.TURN,
        ev.RETARGETED,
        ev.DROVE,
        ev.CHARGED,
        ev.ATTACKED,
        ev.BLOCKED,
        ev.BONUS,
        ev.DROPPED,
    )
)


def drafted_targets(before: Engine, options: list[int]) -> list[Request]:
    """Return the requests that get a target by one of these options of a move."""
    out: list[Request] = []
    last = len(options) - 1
    engine = before.copy() if last > 0 else before
    for index, option in enumerate(options):
        request = draft_with_target(engine, option)
        if request is not None:
            out.append(request)
        if index < last:
            engine.push(option)
    return out


def draft_with_target(s: State, option: int) -> Request | None:
    """Return a copy of the draft request with this option as its target, or None if there is no draft or no target.
    Call it before the option is pushed: an immediate action is gone afterwards."""
    draft = s.draft
    if draft is None:
        return None
    draft = draft.copy()
    if s.tokens[s.token_index] == TOKEN_TARGET:
        set_target(s, s.rules.plans[draft.action], draft, option)
    return draft if draft.target_kind != NO_TARGET else None


class LogWriter:
    """Writes log lines for the events between two states. It remembers earlier names, because an event may concern a
    unit or request that is gone. ``targeted``: requests that got a target in between."""

    def __init__(self, prompts: Prompts, before: State, targeted: Iterable[Request], after: State) -> None:
        self.prompts = prompts
        self.after = after
        self.units: dict[int, _KnownUnit] = {}
        self.requests: dict[int, str] = {}
        self.targets: dict[int, _Target] = {}
        #: the action that took effect before the first event drives or charges units
        self.turns_units: bool = before.active is not None and self.is_magic(before, int(before.active.action))
        self.remember(before)
        for request in targeted:
            self.targets[request.id] = self.target_of(before, request)
        self.remember(after)

    def remember(self, s: State) -> None:
        """Remember the current names of units and requests."""
        prompts = self.prompts
        for owner, side in enumerate(s.sides):
            for unit in side.soldiers:
                self.units[unit.id] = _KnownUnit(owner, unit_cards(unit), unit.cards, False)
            for place, unit in enumerate(side.bulwarks, 1):
                self.units[unit.id] = _KnownUnit(owner, prompts.label("wall", place), unit.cards, True)
        for request in (s.current, s.active, *s.stage, *s.buffer):
            if request is not None:
                self.requests[request.id] = prompts.request(s, request)
                self.targets[request.id] = self.target_of(s, request)

    def target_of(self, s: State, request: Request) -> _Target:
        prompts = self.prompts
        text = prompts.target(s, request, Audience.PUBLIC)
        kind, target = request.target_kind, request.target
        if kind == PLAYER:
            return _Target(int(target), text, "")
        owner, bare = -1, ""
        unit = s.unit(target) if kind == UNIT else None
        if unit is not None:
            owner = int(s.owner_of(target))
            bare = prompts.bare_unit(s, owner, unit, Audience.PUBLIC)
        elif kind == TRUMP:
            owner = int(target // 64)
            bare = prompts.bare_trump(s, owner, int(target % 64), Audience.PUBLIC)
        elif kind == REQUEST and s.staged_request(target) is None:
            text = self.requests.get(target, text)
        return _Target(owner, text, bare)

    def lines(self, events: list[RawEvent], audience: int, short: bool = False) -> list[LogLine]:
        """Return the lines for an audience; a short log omits what every request causes."""
        s = self.after
        turning = self.turns_units
        events = log_order(events)
        out: list[LogLine] = []
        index = 0
        while index < len(events):
            event = events[index]
            kind, player, _, _, a, _ = event
            group = line_group(events, index)
            if kind == ev.RESOLVING:
                turning = self.is_magic(s, int(a))
                if self.had_no_effect(s, events, index):
                    name = self.requests.get(event[5]) or self.prompts.request_name(s, int(a), 0)
                    text_with_tags = self.phrase(
                        "your_vain" if audience == player else "in_vain", self.player_name(player, audience), name
                    )
                    rich = parse(text_with_tags)
                    out.append(LogLine(rich.text, EVENT_NAMES[ev.FIZZLED - 1], PLAYERS[player], 0, rich.spans))
            index += len(group)
            if short and kind in MINOR and not self.in_short_log(s, event, turning):
                continue
            rich = parse(self.line(s, group, audience))
            if rich.text:
                if kind == ev.WON:
                    player = a
                by = PLAYERS[player] if player in (0, 1) else None
                out.append(LogLine(rich.text, EVENT_NAMES[kind - 1], by, int(a) if kind == ev.TURN else 0, rich.spans))
        return out

    def in_short_log(self, s: State, event: RawEvent, turning: bool) -> bool:
        """Return whether a short log keeps this event although it omits most of its kind."""
        if event[0] in (ev.DROVE, ev.CHARGED):
            return turning
        if event[0] == ev.RAISED:
            action = self.prompts.action(s, int(event[4]))
            return not action.is_combat and not action.advances_turn
        return False

    def had_no_effect(self, s: State, events: list[RawEvent], at: int) -> bool:
        """Return whether a player's request has taken effect without changing anything."""
        _, _, _, _, action, id = events[at]
        if (s.active is not None and s.active.id == id) or not self.prompts.action(s, action).direct:
            return False
        for event in events[at + 1 :]:
            if event[0] == ev.RESOLVING:
                break
            if event[0] not in (ev.KEYS_SPENT, ev.KEYS_RETURNED):
                return False
        return True

    def is_magic(self, s: State, index: int) -> bool:
        action = self.prompts.action(s, index)
        return not action.is_combat and not action.advances_turn and action.kind is not SUMMON

    def line(self, s: State, group: list[RawEvent], audience: int) -> str:
        """Return one line: a request with its payment, a group of events, or a single event."""
        kind, player, cards, _, a, b = group[0]
        if kind not in LINES or (kind in _OF_CARDS and cards == 0):
            return ""
        if kind == ev.WON:
            player = a if a in (0, 1) else player
        mine = audience == player
        name = self.player_name(player, audience)
        pair = (LINES[kind][0], YOUR_LINES.get(kind, LINES[kind][1]) if mine else LINES[kind][1])
        if kind == ev.LOOKED and audience == 1 - player:
            pair = OTHER_LINES["you_look"]
        values = (
            self.event_values(s, group, audience) if kind in _WITHOUT_CARDS else self.card_values(s, group, audience)
        )
        if values is None:
            return self.phrase("drawn")
        plural = b < 0 if kind == ev.BONUS else sum(count(event[2]) for event in group) > 1
        if kind in (ev.BURIED, ev.RETURNED) and self.is_bulwark(int(b)):
            plural = len(group) > 1
        if kind in (ev.DROVE, ev.CHARGED):
            plural = len(group) > 1
        return self.fill(pair, plural, name, *values)

    def player_name(self, player: int, audience: int) -> str:
        return in_lang(YOU, self.prompts.lang) if audience == player else self.prompts.names[player]

    def is_bulwark(self, id: int) -> bool:
        """Return whether the unit is a bulwark, which is named by its position only."""
        known = self.units.get(id)
        return known is not None and known.bulwark

    def event_values(self, s: State, group: list[RawEvent], audience: int) -> tuple[object, ...] | None:
        """Return the values of a line about requests, combat or turns; None if the game is drawn."""
        kind, player, cards, _, a, b = group[0]
        if kind == ev.WON:
            return () if a in (0, 1) else None
        if kind == ev.TURN:
            return (a,)
        if kind == ev.RETARGETED:
            return (self.new_target(s, a, b, audience),)
        if kind == ev.BLOCKED:
            return self.unit_name(b), self.unit_name(a)
        if kind == ev.BONUS:
            return self.phrase("all_soldiers") if b < 0 else self.unit_name(b), self.phrase(
                "less" if a < 0 else "more", abs(a)
            )
        if kind in (ev.DROVE, ev.CHARGED, ev.ATTACKED):
            return (self.join([self.unit_name(event[5]) for event in group]),)
        what = self.requests.get(b) or self.prompts.request_name(s, a, cards)
        if kind not in (ev.DECLARED, ev.RAISED):
            return (what,)
        aim = self.targets.get(b)
        if aim is None and kind == ev.DECLARED and s.rules.plans[a].aim == AIM_OPPONENT:
            aim = _Target(1 - int(player), self.prompts.names[1 - player], "")
        target = self.target_text(aim, audience, int(player))
        target = self.phrase("aimed" if kind == ev.DECLARED else "aimed_at", target) if target else ""
        if kind == ev.RAISED:
            return what, target, self.phrase("times", len(group)) if len(group) > 1 else ""
        return what, target, self.payment(s, group[1:], audience)

    def payment(self, s: State, events: list[RawEvent], audience: int) -> str:
        """Return the payment of a request: driven units, damage, discards, sacrifices."""
        parts: list[tuple[str, str]] = []
        while events:
            group = line_group(events, 0)
            events = events[len(group) :]
            name = PAYMENT_LINES[group[0][0]]
            values = (
                self.event_values(s, group, audience)
                if group[0][0] == ev.DROVE
                else self.card_values(s, group, audience)
            )
            parts.append((self.phrase(name, *(values or ())), self.phrase(name + "_last", *(values or ()))))
        if not parts:
            return ""
        phrases = [part for part, _ in parts[:-1]] + [parts[-1][1]]
        plain = self.prompts.lang == "ja" or any(self.phrase("and") in part for part in phrases)
        return self.phrase("price", self.phrase("pays").join(phrases) if plain else self.join(phrases))

    def card_values(self, s: State, group: list[RawEvent], audience: int) -> tuple[object, ...]:
        """Return the values of a line about cards, as far as the audience sees them."""
        kind, _, cards, _, a, _ = group[0]
        visible = sees(group[0], audience)
        shown = self.cards([sees(event, audience) for event in group], [event[2] for event in group])
        if kind == ev.DAMAGED:
            return self.phrase("shown", shown) if visible and shown else "", a
        if kind == ev.LOOKED:
            return self.looked_at(group[0], shown, audience)
        if kind == ev.DISCARDED and not visible:
            return (self.count(a),)
        if kind == ev.PACKED:
            return shown, a
        if kind == ev.SET_ASIDE:
            return shown, self.phrase("scenario_hand") if a == ev.HAND else in_lang(ZONES[a], self.prompts.lang)
        if kind == ev.TOOK:
            return shown, in_lang(ZONES.get(a, ZONES[ev.LIFE]), self.prompts.lang)
        if kind in _OF_TRUMPS and visible:
            return (" ".join(self.trump(card) for card in members(cards)),)
        if kind in (ev.BURIED, ev.RETURNED, ev.TURNED):
            shown = self.join([self.unit_text(event, audience) for event in group])
        if kind in (ev.ENTERED, ev.ATTACHED, ev.TURNED):
            return shown, self.prompts.character(s.rules.kinds[a].id, len(group))
        return (shown,)

    def looked_at(self, event: RawEvent, shown: str, audience: int) -> tuple[str, str, str]:
        """Return the cards seen, the player who looked, and what was looked at: a zone, or a unit by its name."""
        _, player, cards, _, zone, id = event
        what = self.unit_name(id) if id >= 0 else in_lang(ZONES[zone], self.prompts.lang)
        seen = self.phrase("shown", shown) if cards else self.phrase("empty" if zone == ev.HAND else "empty_zone")
        if id >= 0 and not sees(event, audience):
            seen = ""  # one card: that it is one is no news
        return seen, self.player_name(1 - player, audience), what

    def unit_text(self, event: RawEvent, audience: int) -> str:
        """Return a unit that leaves or turns: its earlier name if its cards are hidden or if it was a bulwark."""
        kind, _, cards, _, _, id = event
        visible = sees(event, audience)
        shown = self.cards([visible], [cards])
        known = self.units.get(id)
        if known is None:
            return shown
        if not visible:
            return known.text
        # a turned unit became a bulwark only now
        return self.prompts.label("about", known.text, shown) if known.bulwark and kind != ev.TURNED else shown

    def fill(self, pair: tuple[str, str], plural: bool, *values: object) -> str:
        lang = self.prompts.lang
        text = in_lang(pair, lang)
        if lang == "en":
            text = _PLURAL.sub(r"\2" if plural else r"\1", text)
        return text.format(*values)

    def phrase(self, name: str, *values: object) -> str:
        return in_lang(OTHER_LINES[name], self.prompts.lang).format(*values)

    def join(self, names: list[str]) -> str:
        if len(names) < 2:
            return "".join(names)
        return self.phrase("between").join(names[:-1]) + self.phrase("and") + names[-1]

    def trump(self, card: int) -> str:
        name = self.prompts.trump_names.get(SIGNS[card], "")
        return self.phrase("trump", sign(card), name) if name else sign(card)

    def cards(self, visible: list[bool], cards: list[int]) -> str:
        if not all(visible):
            return self.count(sum(count(some) for some in cards))
        names = [sign(card) for some in cards for card in members(some)]
        if len(names) <= _FOLDED:
            return " ".join(names)
        return self.phrase("folded", " ".join(names[:_NAMED]), len(names) - _NAMED)

    def count(self, n: int) -> str:
        return self.prompts.label("a_card") if n == 1 else self.prompts.label("n_cards", n)

    def unit_name(self, id: int) -> str:
        known = self.units.get(id)
        return "?" if known is None else known.text

    def target_text(self, target: _Target | None, audience: int, player: int = -1) -> str:
        """Return the target from the reader's side; ``player`` is the player who chose it."""
        if target is None or target.owner < 0 or target.owner not in (audience, player):
            return "" if target is None else target.text
        mine = target.owner == audience
        if not target.bare:
            return in_lang(YOU, self.prompts.lang) if mine else target.text
        return self.phrase(("your_own" if mine else "their_own") if target.owner == player else "yours", target.bare)

    def new_target(self, s: State, kind: int, target: int, audience: int) -> str:
        request = Request(0, 0, 0, False, False)
        request.target_kind = kind
        request.target = target
        return self.target_text(self.target_of(s, request), audience)


def log_order(events: list[RawEvent]) -> list[RawEvent]:
    """Return the events in log order: triggers after their cause. The driving of attackers is omitted, it is
    implied."""
    out: list[RawEvent] = []
    raised: list[RawEvent] = []
    attackers = {event[5] for event in events if event[0] == ev.ATTACKED}
    for event in events:
        if event[0] == ev.RAISED:
            raised.append(event)
        elif event[0] != ev.DROVE or event[5] not in attackers:
            if event[0] not in _CAUSES:
                out += raised
                raised = []
            out.append(event)
    return out + raised


def line_group(events: list[RawEvent], at: int) -> list[RawEvent]:
    """Return the events from here on that share a line: a request with its payment, or equal events in a row."""
    kind, player, _, _, a, _ = events[at]
    end = at + 1
    while end < len(events):
        event = events[end]
        paid = kind == ev.DECLARED and event[0] in _PAYMENTS and event[1] == player
        alike = (kind in _GROUPED or (kind in _GROUPED_IF_EQUAL and event[4] == a)) and event[:2] == (kind, player)
        if not (paid or alike):
            break
        end += 1
    return events[at:end]
