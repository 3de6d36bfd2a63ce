"""What is told of a game, per seat: events for the animation, lines for the log. Bounded; the view has the rest."""

from __future__ import annotations

from collections import deque
from typing import Final

from blackpoker.assist.autopass import REASONS
from blackpoker.assist.decision import marked_prompts
from blackpoker.ending import play
from blackpoker.game import Game
from blackpoker.regulation import default_edition
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.shapes import Event
from blackpoker.rules.visibility import AUDIENCES, Audience, Report, seen
from blackpoker.texts.log import LogWriter, worded
from blackpoker.wire.protocol import Line, SeatName
from blackpoker.wire.questions import marks

MOST_EVENTS: Final = 400
MOST_LINES: Final = 400
SEATS: Final[tuple[SeatName, SeatName]] = ("p1", "p2")


class Feed:
    """The telling of one game."""

    def __init__(self) -> None:
        self.events: deque[tuple[int, Report]] = deque(maxlen=MOST_EVENTS)
        self.fresh: int = 0  # those of the game in play
        self.narrators: dict[str, LogWriter] = {}
        self.told: dict[tuple[str, int], deque[Line]] = {}
        #: automatic passes: seq, seat, reason, stop that would have asked
        self.passes: deque[tuple[int, int, str, str]] = deque(maxlen=MOST_LINES)

    def before(self, engine: Engine) -> None:
        """Call before a sentence is pushed: an event may tell of something that is gone afterwards."""
        for narrator in self.narrators.values():
            narrator.look(engine)

    def hear(self, engine: Engine, option: int) -> None:
        """Call before each word of it."""
        if self.narrators:
            aimed = worded(engine, option)
            if aimed is not None:
                for narrator in self.narrators.values():
                    narrator.heard(engine, aimed)

    def next_game(self) -> None:
        """What is added from here on is of another game of the match."""
        self.fresh = 0

    def add(self, seq: int, raw: list[RawEvent], engine: Engine) -> None:
        self.fresh += len(raw)
        for event in raw:
            self.events.append((seq, Report(event, engine)))
        for lang, narrator in self.narrators.items():
            self._narrate(lang, narrator, seq, raw, engine)

    def _narrate(self, lang: str, narrator: LogWriter, seq: int, raw: list[RawEvent], engine: Engine) -> None:
        for audience in AUDIENCES:
            told = self.told[lang, audience]
            for line in narrator.lines(engine, raw, audience, short=True):
                told.append(Line(line.text, seq, line.kind, line.by, line.turn, marks(line.marks)))

    def forget(self, seq: int) -> None:
        """What was said after this number has been taken back."""
        self.fresh -= sum(at > seq for at, _ in self.events)
        self.events = deque((one for one in self.events if one[0] <= seq), maxlen=MOST_EVENTS)
        self.passes = deque((one for one in self.passes if one[0] <= seq), maxlen=MOST_LINES)
        for key, lines in self.told.items():
            self.told[key] = deque((line for line in lines if line.seq <= seq), maxlen=MOST_LINES)

    def passed(self, seq: int, seat: int, why: str, stop: str) -> None:
        """An automatic pass: only its own seat reads why."""
        self.passes.append((seq, seat, why, stop))

    def events_since(self, seq: int, audience: Audience) -> list[Event]:
        out = []
        for at, report in reversed(self.events):
            if at <= seq:
                break
            out.append(seen(report, audience))
        out.reverse()
        return out

    def lines_since(self, seq: int, audience: Audience, lang: str) -> list[Line]:
        out = [line for line in self.told.get((lang, audience), ()) if line.seq > seq]
        if audience != Audience.PUBLIC:
            for at, seat, why, stop in self.passes:
                if seat == audience and at > seq:
                    ja, en = REASONS.get(why, (why, why))
                    text = f"自動パス：{ja}" if lang == "ja" else f"Passed for you: {en}"
                    out.append(Line(text, at, "passed", SEATS[seat], auto=True, stop=stop))
            out.sort(key=lambda line: line.seq)
        return out

    def begin(self, lang: str, game: Game | None, seqs: list[int]) -> None:
        """Start telling in a language; what has happened so far is told by playing it again. ``seqs``: the number of
        the sentence each option of the history belongs to."""
        if lang in self.narrators:
            return
        edition = default_edition() if game is None else game.regulation.edition
        narrator = LogWriter(marked_prompts(edition, lang))
        self.narrators[lang] = narrator
        for audience in AUDIENCES:
            self.told[lang, audience] = deque(maxlen=MOST_LINES)
        if game is None:
            return
        engine = game.walker()
        first = seqs[0] if seqs else 0
        self._narrate(lang, narrator, first, game.opening.moment().events, engine)
        for place, option in enumerate(game.history):
            narrator.look(engine)
            aimed = worded(engine, option)
            if aimed is not None:
                narrator.heard(engine, aimed)
            raw: list[RawEvent] = []
            engine.log = raw
            play(engine, option)
            engine.log = None
            self._narrate(lang, narrator, seqs[place] if place < len(seqs) else first, raw, engine)
