"""What is told of a game, per seat: events for the animation, lines for the log. Bounded; the view has the rest."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from blackpoker.assist.autopass import REASONS
from blackpoker.game import Game, play
from blackpoker.regulation import EDITION
from blackpoker.rules import events as ev
from blackpoker.rules.engine import Engine
from blackpoker.rules.feed import Told
from blackpoker.server.protocol import Line
from blackpoker.texts.log import Event, LogWriter
from blackpoker.texts.prompts import Prompts

#: audiences: the seats, then everybody else
WATCHER: Final = 2
MOST_EVENTS: Final = 400
MOST_LINES: Final = 400


class SeatNarrator(LogWriter):
    """Tells watchers what everybody has seen, never what a judge sees."""

    def visible(self, event: Event, seat: int) -> bool:
        if seat == WATCHER:
            return event[3] == ev.EVERYBODY
        return super().visible(event, seat)


class Feed:
    """The telling of one game."""

    def __init__(self) -> None:
        self.events: deque[tuple[int, Told, Engine]] = deque(maxlen=MOST_EVENTS)
        self.narrators: dict[str, SeatNarrator] = {}
        self.told: dict[tuple[str, int], deque[Line]] = {}
        #: automatic passes: seq, seat, reason, stop that would have asked
        self.passes: deque[tuple[int, int, str, str]] = deque(maxlen=MOST_LINES)

    def before(self, engine: Engine) -> None:
        """Call before a sentence is pushed: an event may tell of something that is gone afterwards."""
        for narrator in self.narrators.values():
            narrator.look(engine)

    def add(self, seq: int, raw: list[Event], engine: Engine) -> None:
        for event in raw:
            self.events.append((seq, Told(event, engine), engine))
        for lang, narrator in self.narrators.items():
            self._narrate(lang, narrator, seq, raw, engine)

    def _narrate(self, lang: str, narrator: SeatNarrator, seq: int, raw: list[Event], engine: Engine) -> None:
        for audience in (0, 1, WATCHER):
            told = self.told[lang, audience]
            for text in narrator.lines(engine, raw, audience, short=True):
                told.append(Line(text, seq))

    def passed(self, seq: int, seat: int, why: str, stop: str) -> None:
        """An automatic pass: only its own seat reads why."""
        self.passes.append((seq, seat, why, stop))

    def events_since(self, seq: int, audience: int) -> list[dict[str, Any]]:
        seat = -1 if audience == WATCHER else audience
        out = []
        for at, told, engine in reversed(self.events):
            if at <= seq:
                break
            out.append(told.to(seat, engine))
        out.reverse()
        return out

    def lines_since(self, seq: int, audience: int, lang: str) -> list[Line]:
        out = [line for line in self.told.get((lang, audience), ()) if line.seq > seq]
        if audience != WATCHER:
            for at, seat, why, stop in self.passes:
                if seat == audience and at > seq:
                    ja, en = REASONS.get(why, (why, why))
                    text = f"自動パス：{ja}" if lang == "ja" else f"Passed for you: {en}"
                    out.append(Line(text, at, True, stop))
            out.sort(key=lambda line: line.seq)
        return out

    def begin(self, lang: str, game: Game | None, seqs: list[int]) -> None:
        """Start telling in a language; what has happened so far is told by playing it again. ``seqs``: the number of
        the sentence each option of the history belongs to."""
        if lang in self.narrators:
            return
        narrator = SeatNarrator(Prompts(EDITION, "ja" if lang == "ja" else "en"))
        self.narrators[lang] = narrator
        for audience in (0, 1, WATCHER):
            self.told[lang, audience] = deque(maxlen=MOST_LINES)
        if game is None:
            return
        engine = game.ladder[0].copy()
        source = engine.source
        source.log = game.outcomes[: game.shuffles[0]]
        source.injected = game.outcomes[game.shuffles[0] :]
        first = seqs[0] if seqs else 0
        self._narrate(lang, narrator, first, [told.event for told in game.events_told[: game.first_events]], engine)
        for place, option in enumerate(game.history):
            narrator.look(engine)
            raw: list[Event] = []
            engine.log = raw
            play(engine, option)
            engine.log = None
            self._narrate(lang, narrator, seqs[place] if place < len(seqs) else first, raw, engine)
