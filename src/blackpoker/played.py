"""A step of a game: what was said and what came of it, for replays, logs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from blackpoker.assist.decision import marked_prompts, prompts
from blackpoker.ending import end_of, push_entry, reason_of
from blackpoker.past import Past
from blackpoker.rules import visibility as vis
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.request import Request
from blackpoker.rules.shapes import Event
from blackpoker.rules.visibility import Report
from blackpoker.texts.log import LogLine, LogWriter, worded
from blackpoker.texts.prompts import Prompts
from blackpoker.words.moves import Move, SentenceWriter

if TYPE_CHECKING:
    from blackpoker.game import Game


class _Moment:
    """A step played again: the game before and after it, and what was reported."""

    def __init__(self, before: Engine, options: list[int]) -> None:
        self.before: Engine = before
        self.player: int = int(before.asked)
        self.how: str = ""
        events: list[RawEvent] = []
        after = before.copy()
        after.log = events
        wording = SentenceWriter()
        self.aimed: list[Request] = []  # what was worded with a target: it may be gone afterwards
        for option in options:
            if option < 0:
                how, player = end_of(option)
                self.how = how
                self.player = player
                push_entry(after, option)
                continue
            kind = int(after.kind)
            aimed = worded(after, option)
            if aimed is not None:
                self.aimed.append(aimed)
            wording.add(after, option)
            after.push(option)
            wording.after(after, kind, option)
        after.log = None
        self.after = after
        self.events = events
        self.text: str = self.how or wording.text()
        self.half_said: str = wording.half_said()


@mypyc_attr(free_list_len=1)
class PlayedStep:
    """What was said, and what came of it: a sentence, a word of one, or an end from outside the rules. All of it is
    worked out when it is asked for, so that pushing costs nothing, and stays what it was whatever is taken back."""

    def __init__(self, game: Game, start: i64, stop: i64) -> None:
        self.game = game
        self.past: Past = game._past
        self.start: i64 = start  # places in the history
        self.stop: i64 = stop
        self.shuffles: i64 = -1  # how many there had been, of a step that was opened
        self.complete: bool = True  # of the steps of a game only the last may be a sentence that goes on
        self.begins: Engine | None = None
        self.seen: _Moment | None = None
        self.reports: list[Report] | None = None

    @staticmethod
    def opened(game: Game) -> PlayedStep:
        """A step that begins now: it need not be played again to know what happened. ``close`` it when all of it has
        been pushed."""
        n = len(game.history)
        step = PlayedStep(game, n, n)
        step.shuffles = len(game.outcomes)
        game.engine.log = []
        return step

    def close(self) -> None:
        """All that belongs to an opened step has been pushed."""
        self.stop = len(self.past.history)
        engine = self.game.engine
        raw = engine.log
        engine.log = None
        if raw is not None:
            self.reports = [Report(event, engine) for event in raw]

    def follow(self, earlier: PlayedStep) -> None:
        """Begin where an earlier step has ended, if that is known and is the place: nobody has to walk there."""
        seen = earlier.seen
        if seen is not None and self.seen is None and self.shuffles >= 0:
            if earlier.past is self.past and earlier.stop == self.start:
                self.begins = seen.after

    def forget(self) -> None:
        """Keep only what happened; the rest is worked out again when it is asked for."""
        if self.start < self.stop:
            self.begins = None
            self.seen = None

    def moment(self) -> _Moment:
        seen = self.seen
        if seen is None:
            before = self.begins
            if before is None:
                before = self.past.walked_to(self.start)
            elif self.shuffles >= 0:
                before.source.injected = self.past.outcomes[self.shuffles :]
            seen = _Moment(before, self.past.history[self.start : self.stop])
            self.seen = seen
        return seen

    @property
    def player(self) -> int:
        """Who spoke."""
        return self.moment().player

    @property
    def text(self) -> str:
        """The sentence, or the word of an end from outside the rules."""
        return self.moment().text

    @property
    def line(self) -> str:
        """The step as a record writes it: ``p1: end``, and with dots where the sentence goes on."""
        moment = self.moment()
        return f"{PLAYERS[moment.player]}: {moment.text if self.complete else moment.half_said}"

    @property
    def move(self) -> Move | None:
        """The sentence as a move; None for an end from outside the rules."""
        moment = self.moment()
        if moment.how:
            return None
        return Move(moment.player, tuple(self.past.history[self.start : self.stop]), moment.text)

    @property
    def before(self) -> Game:
        """The game as it stood before."""
        return self._game(self.moment().before)

    @property
    def after(self) -> Game:
        """The game as it stood afterwards; it has no past."""
        moment = self.moment()
        return self._game(moment.after, reason_of(moment.how) if moment.how else "")

    def _game(self, engine: Engine, ended: str = "") -> Game:
        engine = engine.copy()
        engine.source.injected = None
        new = self.game.at(engine, self.game.regulation, "state", "", None, ended)
        new.names = self.game.names[:]
        return new

    def events(self, audience: int) -> list[Event]:
        """What happened, as this audience may hear it."""
        audience_of(audience)
        return [vis.seen(report, audience) for report in self.heard()]

    def heard(self) -> list[Report]:
        """What happened, before anybody's eyes are asked for."""
        reports = self.reports
        if reports is None:
            moment = self.moment()
            reports = [Report(event, moment.after) for event in moment.events]
            self.reports = reports
        return reports

    def lines(self, lang: str, audience: int, short: bool = True) -> list[str]:
        """What happened, as lines of the log for this audience; a short log leaves out what every request brings."""
        return [line.text for line in self._written(prompts(self.game.regulation.edition, lang), audience, short)]

    def log(self, lang: str, audience: int) -> list[LogLine]:
        """The short log with what each line tells of, whose doing it is, and which players and rules it names."""
        return self._written(marked_prompts(self.game.regulation.edition, lang), audience, True)

    def _written(self, words: Prompts, audience: int, short: bool) -> list[LogLine]:
        moment = self.moment()
        writer = LogWriter(words, moment.before, moment.aimed, moment.after)
        return writer.lines(moment.events, audience_of(audience), short)

    def __repr__(self) -> str:
        return f"<PlayedStep {PLAYERS[self.player]}: {self.text}>"


def audience_of(number: int) -> int:
    """The number of an audience, checked."""
    if 0 <= number <= 3:
        return number
    raise ValueError(f"an audience is P1, P2, PUBLIC or JUDGE, not {number!r}")
