"""What happened, as sentences for one audience: a player is "you" to himself, cards the audience may not know are
counted, never named (R-210…R-216)."""

from __future__ import annotations

from typing import Final, NamedTuple

from blackpoker.rules import events as ev
from blackpoker.rules.cards import count
from blackpoker.rules.events import RawEvent
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.request import UNIT, Request
from blackpoker.rules.shapes import EventName, PlayerName
from blackpoker.rules.state import State
from blackpoker.rules.visibility import EVENT_NAMES, Audience, sees
from blackpoker.texts.catalogue import LINES, OTHER_LINES, YOU, YOUR_LINES, ZONES
from blackpoker.texts.marks import Mark, unmarked
from blackpoker.texts.prompts import Prompts, cards_list, unit_cards
from blackpoker.texts.rulebook import choose

#: What happens at every request; a short log leaves it out.
MINOR: Final = frozenset(
    {ev.RAISED, ev.STAGED, ev.RESOLVING, ev.KEYS_SPENT, ev.DROVE, ev.CHARGED, ev.SHUFFLED, ev.TRUMP_SET, ev.DEALT}
)
#: Events that are told together when they follow each other.
_TOGETHER: Final = frozenset({ev.DREW, ev.DROVE, ev.CHARGED, ev.ATTACKED})


class LogLine(NamedTuple):
    """A line of the log: what it tells of, whose doing it is, the number of the turn where one begins; with marked
    prompts also which players and rules the text names."""

    text: str
    kind: EventName
    by: PlayerName | None
    turn: int
    marks: list[Mark]


class _Known(NamedTuple):
    """A unit as it was last seen."""

    owner: int
    text: str  # as everybody may name it
    cards: int
    bulwark: bool


#: events whose lines name no cards that somebody may not see
_WITHOUT_CARDS: Final = frozenset(
    (
        ev.DECLARED, ev.RESOLVING, ev.FIZZLED, ev.NEGATED, ev.RAISED, ev.STAGED, ev.WON, ev.TURN, ev.RETARGETED,
        ev.DROVE, ev.CHARGED, ev.ATTACKED, ev.BLOCKED, ev.BONUS,
    )
)  # fmt: skip


class LogWriter:
    """Words what happened. ``look`` before a choice is pushed, ``lines`` with the events afterwards."""

    def __init__(self, prompts: Prompts) -> None:
        self.prompts = prompts
        self.units: dict[int, _Known] = {}
        self.requests: dict[int, str] = {}

    def look(self, s: State) -> None:
        """Remember how units and requests are called now: an event may tell of one that is gone."""
        prompts = self.prompts
        for owner, side in enumerate(s.sides):
            for unit in side.soldiers:
                self.units[unit.id] = _Known(owner, unit_cards(unit), unit.cards, False)
            for place, unit in enumerate(side.bulwarks, 1):
                self.units[unit.id] = _Known(owner, prompts.label("wall", place), unit.cards, True)
        for request in (s.current, s.active, *s.stage, *s.buffer):
            if request is not None:
                target = prompts.target(s, request, Audience.PUBLIC)
                self.requests[request.id] = f" → {target}" if target else ""

    def lines(self, s: State, events: list[RawEvent], audience: int, short: bool = False) -> list[LogLine]:
        """Lines for an audience; a short log leaves out what every request brings."""
        self.look(s)
        out: list[LogLine] = []
        index = 0
        while index < len(events):
            event = events[index]
            group = [event]
            while event[0] in _TOGETHER and index + 1 < len(events) and events[index + 1][:2] == event[:2]:
                index += 1
                group.append(events[index])
            index += 1
            if short and event[0] in MINOR:
                continue
            text, marks = unmarked(self.line(s, group, audience))
            if text:
                kind, player, _, _, a, _ = event
                if kind == ev.WON:
                    player = a
                by = PLAYERS[player] if player in (0, 1) else None
                out.append(LogLine(text, EVENT_NAMES[kind - 1], by, int(a) if kind == ev.TURN else 0, marks))
        return out

    def line(self, s: State, group: list[RawEvent], audience: int) -> str:
        kind, player, cards, _, a, _ = group[0]
        prompts = self.prompts
        if kind not in LINES or (kind == ev.MILLED and cards == 0):
            return ""
        if kind == ev.WON:
            player = a if a in (0, 1) else player
        mine = audience == player
        who = choose(YOU, prompts.lang) if mine else prompts.names[player]
        pair = (LINES[kind][0], YOUR_LINES.get(kind, LINES[kind][1]) if mine else LINES[kind][1])
        values = self.said(s, group) if kind in _WITHOUT_CARDS else self.of_cards(s, group, audience)
        return choose(OTHER_LINES["drawn"], prompts.lang) if values is None else self.put(pair, who, *values)

    def said(self, s: State, group: list[RawEvent]) -> tuple[object, ...] | None:
        """What stands in a line about requests, fights and turns; None: the game is drawn."""
        kind, _, cards, _, a, b = group[0]
        if kind == ev.WON:
            return () if a in (0, 1) else None
        if kind == ev.TURN:
            return (a,)
        if kind == ev.RETARGETED:
            return (self.new_target(s, a, b),)
        if kind == ev.BLOCKED:
            return self.unit_name(b), self.unit_name(a)
        if kind == ev.BONUS:
            return choose(OTHER_LINES["all_soldiers"], self.prompts.lang) if b < 0 else self.unit_name(b), a
        if kind in (ev.DROVE, ev.CHARGED, ev.ATTACKED):
            return (" ".join(self.unit_name(event[5]) for event in group),)
        what = self.prompts.action_name(s, a)
        if kind == ev.DECLARED:
            what += (f" {cards_list(cards)}" if cards else "") + self.requests.get(b, "")
        return (what,)

    def of_cards(self, s: State, group: list[RawEvent], audience: int) -> tuple[object, ...]:
        """What stands in a line about cards, as far as the audience sees them."""
        kind, _, _, _, a, b = group[0]
        lang = self.prompts.lang
        visible = sees(group[0], audience)
        shown = self.cards([sees(event, audience) for event in group], [event[2] for event in group])
        if kind == ev.DAMAGED:
            return choose(OTHER_LINES["shown"], lang).format(shown) if visible else "", a
        if kind == ev.DISCARDED and not visible:
            return (self.count(a),)
        if kind == ev.TOOK:
            return shown, choose(ZONES.get(a, ZONES[ev.LIFE]), lang)
        if kind in (ev.ENTERED, ev.ATTACHED, ev.TURNED):
            return shown, self.prompts.character_name(s.rules.kinds[a].id)
        if kind in (ev.BURIED, ev.RETURNED):
            known = self.units.get(b)
            if known is not None and known.bulwark:
                shown = known.text + (f"[{shown}]" if visible else "")
        return (shown,)

    def put(self, pair: tuple[str, str], *values: object) -> str:
        return choose(pair, self.prompts.lang).format(*values)

    def cards(self, visible: list[bool], cards: list[int]) -> str:
        if all(visible):
            return " ".join(cards_list(some) for some in cards)
        return self.count(sum(count(some) for some in cards))

    def count(self, n: int) -> str:
        return self.prompts.label("a_card") if n == 1 else self.prompts.label("n_cards", n)

    def unit_name(self, id: int) -> str:
        known = self.units.get(id)
        return "?" if known is None else known.text

    def new_target(self, s: State, kind: int, target: int) -> str:
        if kind == UNIT:
            return self.unit_name(target)
        request = Request(0, 0, 0, False, False)
        request.target_kind = kind
        request.target = target
        return self.prompts.target(s, request, 2)
