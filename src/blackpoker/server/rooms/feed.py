"""A game's log per audience: events for the animation, lines for the log panel. Bounded; the view has the rest."""

from __future__ import annotations

from collections import deque
from typing import Final

from blackpoker import Audience, Event
from blackpoker.assist.autopass import REASONS
from blackpoker.played import PlayedStep
from blackpoker.wire.protocol import Line, SeatName
from blackpoker.wire.questions import marks

MOST_STEPS: Final = 600
MOST_EVENTS: Final = 400
MOST_LINES: Final = 400
#: the latest steps, which keep their rendered events and lines cached
AT_HAND: Final = 8
SEATS: Final[tuple[SeatName, SeatName]] = ("p1", "p2")


class Feed:
    """The log of one game: its steps with their move numbers. Lines are rendered per language and audience on first
    use."""

    def __init__(self) -> None:
        self.steps: deque[tuple[int, PlayedStep]] = deque(maxlen=MOST_STEPS)
        self.told: dict[tuple[str, int], deque[Line]] = {}
        #: number of the last rendered move
        self.told_to: dict[tuple[str, int], int] = {}
        #: number of each move after which a match dealt again: number of the game
        self.deals: dict[int, int] = {}
        #: automatic passes: seq, seat, reason, the stop that would have prevented it
        self.passes: deque[tuple[int, int, str, str]] = deque(maxlen=MOST_LINES)

    def add(self, seq: int, step: PlayedStep) -> None:
        if self.steps:
            step.follow(self.steps[-1][1])
        if len(self.steps) >= AT_HAND:
            self.steps[-AT_HAND][1].forget()
        self.steps.append((seq, step))

    def forget(self, seq: int) -> None:
        """Drop everything after this move number (rewind)."""
        while self.steps and self.steps[-1][0] > seq:
            self.steps.pop()
        self.passes = deque((one for one in self.passes if one[0] <= seq), maxlen=MOST_LINES)
        for key, lines in self.told.items():
            self.told[key] = deque((line for line in lines if line.seq <= seq), maxlen=MOST_LINES)
            self.told_to[key] = min(self.told_to[key], seq)

    def heading(self, seq: int, number: int) -> None:
        """Start a new game of the match; the next step added is its deal."""
        self.deals[seq] = number

    def passed(self, seq: int, seat: int, why: str, stop: str) -> None:
        """Record an automatic pass; only its own seat sees the reason."""
        self.passes.append((seq, seat, why, stop))

    def since(self, seq: int) -> list[tuple[int, PlayedStep]]:
        out = []
        for at, step in reversed(self.steps):
            if at <= seq:
                break
            out.append((at, step))
        out.reverse()
        return out

    @property
    def fresh(self) -> int:
        """Return the number of events of the game in play."""
        game = self.steps[-1][1].game
        return sum(len(step.heard()) for _, step in self.steps if step.game is game)

    def events_since(self, seq: int, audience: Audience) -> list[Event]:
        out: list[Event] = []
        for _, step in reversed(self.since(seq)):
            out[:0] = step.events(audience)
            if len(out) >= MOST_EVENTS:
                return out[-MOST_EVENTS:]
        return out

    def lines_since(self, seq: int, audience: Audience, lang: str) -> list[Line]:
        out = [line for line in self._told(audience, lang) if line.seq > seq]
        if audience != Audience.PUBLIC:
            for at, seat, why, stop in self.passes:
                if seat == audience and at > seq:
                    ja, en = REASONS.get(why, (why, why))
                    text = f"自動パス：{ja}" if lang == "ja" else f"Passed for you: {en}"
                    out.append(Line(text, at, "passed", SEATS[seat], auto=True, stop=stop))
            out.sort(key=lambda line: line.seq)
        return out

    def _told(self, audience: Audience, lang: str) -> deque[Line]:
        """Return all lines, after rendering the steps added since the last call."""
        self.tell(audience, lang, MOST_STEPS)
        return self.told[lang, audience]

    def tell(self, audience: Audience, lang: str, most: int) -> bool:
        """Render up to ``most`` more steps. Return True if none are left."""
        key = (lang, audience)
        told = self.told.setdefault(key, deque(maxlen=MOST_LINES))
        waiting = self.since(self.told_to.get(key, -1))
        before: PlayedStep | None = None
        for at, step in waiting[:most]:
            if before is not None:
                step.follow(before)  # so that all of them share one replay
            if at in self.deals:
                number = self.deals[at]
                told.append(Line(f"第{number}ゲーム" if lang == "ja" else f"Game {number}", at, "game"))
            for line in step.log(lang, audience):
                told.append(Line(line.text, at, line.kind, line.by, line.turn, marks(line.marks)))
            self.told_to[key] = at
            if before is not None and at + AT_HAND <= self.steps[-1][0]:
                before.forget()
            before = step
        if before is not None and len(waiting) > most + AT_HAND:
            before.forget()
        return len(waiting) <= most
