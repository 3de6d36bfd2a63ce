"""A step of a game: the move and its effects, for replays, logs and pages."""

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
    """The replay of a step: the game before and after it, and its events."""

    def __init__(self, before: Engine, options: list[int]) -> None:
        self.before: Engine = before
        self.player: int = int(before.asked)
        self.how: str = ""
        events: list[RawEvent] = []
        after = before.copy()
        after.log = events
        wording = SentenceWriter()
        self.aimed: list[Request] = []  # requests with a target, which may be gone afterwards
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
    """A step of a game: a move, a part of one, or an end from outside the rules. Its properties are computed on demand,
    so that pushing costs nothing, and they stay the same after an undo."""

    def __init__(self, game: Game, start: i64, stop: i64) -> None:
        self.game = game
        self.past: Past = game._past
        self.start: i64 = start  # indices of the history
        self.stop: i64 = stop
        self.shuffles: i64 = -1  # shuffles before the step, if it was opened
        self.complete: bool = True  # False only for the last step of a game, if its move is unfinished
        self.begins: Engine | None = None
        self.seen: _Moment | None = None
        self.reports: list[Report] | None = None

    @staticmethod
    def opened(game: Game) -> PlayedStep:
        """Return a step that begins now and records its events, so that they need no replay. Call ``close`` when all of
        it has been pushed."""
        n = len(game.history)
        step = PlayedStep(game, n, n)
        step.shuffles = len(game.outcomes)
        game.engine.log = []
        return step

    def close(self) -> None:
        """Complete an opened step: all that belongs to it has been pushed."""
        self.stop = len(self.past.history)
        engine = self.game.engine
        raw = engine.log
        engine.log = None
        if raw is not None:
            self.reports = [Report(event, engine) for event in raw]

    def follow(self, earlier: PlayedStep) -> None:
        """Start from the end of an earlier step, if that is known and adjacent; this saves a replay of the history."""
        seen = earlier.seen
        if seen is not None and self.seen is None and self.shuffles >= 0:
            if earlier.past is self.past and earlier.stop == self.start:
                self.begins = seen.after

    def forget(self) -> None:
        """Drop the replay and keep only the events; everything else is computed again on demand."""
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
        """Return the player who moved or ended the game."""
        return self.moment().player

    @property
    def text(self) -> str:
        """Return the text of the move, or the word of an end from outside the rules."""
        return self.moment().text

    @property
    def line(self) -> str:
        """Return the step as a record writes it: ``p1: end``, with an ellipsis if the move is unfinished."""
        moment = self.moment()
        return f"{PLAYERS[moment.player]}: {moment.text if self.complete else moment.half_said}"

    @property
    def move(self) -> Move | None:
        """Return the step as a move; None for an end from outside the rules."""
        moment = self.moment()
        if moment.how:
            return None
        return Move(moment.player, tuple(self.past.history[self.start : self.stop]), moment.text)

    @property
    def before(self) -> Game:
        """Return the game before the step."""
        return self._game(self.moment().before)

    @property
    def after(self) -> Game:
        """Return the game after the step; it has no history."""
        moment = self.moment()
        return self._game(moment.after, reason_of(moment.how) if moment.how else "")

    def _game(self, engine: Engine, ended: str = "") -> Game:
        engine = engine.copy()
        engine.source.injected = None
        new = self.game.at(engine, self.game.regulation, "state", "", None, ended)
        new.names = self.game.names[:]
        return new

    def events(self, audience: int) -> list[Event]:
        """Return the events of the step, as this audience may know them."""
        audience_of(audience)
        return [vis.seen(report, audience) for report in self.heard()]

    def heard(self) -> list[Report]:
        """Return the reports of the step, unfiltered by audience."""
        reports = self.reports
        if reports is None:
            moment = self.moment()
            reports = [Report(event, moment.after) for event in moment.events]
            self.reports = reports
        return reports

    def lines(self, lang: str, audience: int, short: bool = True) -> list[str]:
        """Return the lines of the log for this audience; a short log omits what every request causes."""
        return [line.text for line in self._written(prompts(self.game.regulation.edition, lang), audience, short)]

    def log(self, lang: str, audience: int) -> list[LogLine]:
        """Return the short log; each line has its event, its author, and the players and rules it names."""
        return self._written(marked_prompts(self.game.regulation.edition, lang), audience, True)

    def _written(self, words: Prompts, audience: int, short: bool) -> list[LogLine]:
        moment = self.moment()
        writer = LogWriter(words, moment.before, moment.aimed, moment.after)
        return writer.lines(moment.events, audience_of(audience), short)

    def __repr__(self) -> str:
        return f"<PlayedStep {PLAYERS[self.player]}: {self.text}>"


def audience_of(number: int) -> int:
    """Return the number of an audience; raise `ValueError` if there is none of that number."""
    if 0 <= number <= 3:
        return number
    raise ValueError(f"an audience is P1, P2, PUBLIC or JUDGE, not {number!r}")
