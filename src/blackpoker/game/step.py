"""A step of a game: the move and its effects, for replays, logs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from blackpoker.assist.decision import tagged_prompts, prompts
from blackpoker.game.outcome import decode_end, apply_entry, end_reason
from blackpoker.game.history import History
from blackpoker.engine import visibility as vis
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request import Request
from blackpoker.engine.views import Event
from blackpoker.engine.visibility import Report
from blackpoker.text.log import LogLine, LogWriter, draft_with_target
from blackpoker.text.prompts import Prompts
from blackpoker.notation.move import Move, MoveWriter

if TYPE_CHECKING:
    from blackpoker.game.game import Game


class _Replay:
    """The replay of a step: the game before and after it, and its events."""

    def __init__(self, before: Engine, options: list[int]) -> None:
        self.before: Engine = before
        self.player: int = int(before.asked)
        self.end_word: str = ""
        events: list[RawEvent] = []
        after = before.copy()
        after.log = events
        writer = MoveWriter()
        self.targeted: list[Request] = []  # requests with a target, which may be gone afterwards
        for option in options:
            if option < 0:
                end_word, player = decode_end(option)
                self.end_word = end_word
                self.player = player
                apply_entry(after, option)
                continue
            kind = int(after.kind)
            target_request = draft_with_target(after, option)
            if target_request is not None:
                self.targeted.append(target_request)
            writer.add(after, option)
            after.push(option)
            writer.add_implied_cost(after, kind, option)
        after.log = None
        self.after = after
        self.events = events
        self.text: str = self.end_word or writer.text()
        self.partial_text: str = writer.partial_text()


@mypyc_attr(free_list_len=1)
class GameStep:
    """A step of a game: a move, a part of one, or an end from outside the rules. Its properties are computed on demand,
    so that pushing costs nothing, and they stay the same after an undo."""

    def __init__(self, game: Game, start: i64, stop: i64) -> None:
        self.game = game
        self.history: History = game._history
        self.start: i64 = start  # indices of the history
        self.stop: i64 = stop
        self.shuffle_count: i64 = -1  # shuffles before the step, if it was opened
        self.complete: bool = True  # False only for the last step of a game, if its move is unfinished
        self.start_engine: Engine | None = None
        self.replay: _Replay | None = None
        self.reports: list[Report] | None = None

    @staticmethod
    def recording(game: Game) -> GameStep:
        """Return a step that begins now and records its events, so that they need no replay. Call ``close`` when all of
        it has been pushed."""
        n = len(game.history)
        step = GameStep(game, n, n)
        step.shuffle_count = len(game.outcomes)
        game.engine.log = []
        return step

    def close(self) -> None:
        """Complete an opened step: all that belongs to it has been pushed."""
        self.stop = len(self.history.entries)
        engine = self.game.engine
        raw = engine.log
        engine.log = None
        if raw is not None:
            self.reports = [Report(event, engine) for event in raw]

    def continue_from(self, previous: GameStep) -> None:
        """Start from the end of an earlier step, if that is known and adjacent; this saves a replay of the history."""
        replay = previous.replay
        if replay is not None and self.replay is None and self.shuffle_count >= 0:
            if previous.history is self.history and previous.stop == self.start:
                self.start_engine = replay.after

    def drop_replay(self) -> None:
        """Drop the replay and keep only the events; everything else is computed again on demand."""
        if self.start < self.stop:
            self.start_engine = None
            self.replay = None

    def replayed(self) -> _Replay:
        replay = self.replay
        if replay is None:
            before = self.start_engine
            if before is None:
                before = self.history.engine_at(self.start)
            elif self.shuffle_count >= 0:
                before.source.injected = self.history.shuffles[self.shuffle_count :]
            replay = _Replay(before, self.history.entries[self.start : self.stop])
            self.replay = replay
        return replay

    @property
    def player(self) -> int:
        """Return the player who moved or ended the game."""
        return self.replayed().player

    @property
    def text(self) -> str:
        """Return the text of the move, or the word of an end from outside the rules."""
        return self.replayed().text

    @property
    def line(self) -> str:
        """Return the step as a record writes it: ``p1: end``, with an ellipsis if the move is unfinished."""
        replay = self.replayed()
        return f"{PLAYERS[replay.player]}: {replay.text if self.complete else replay.partial_text}"

    @property
    def move(self) -> Move | None:
        """Return the step as a move; None for an end from outside the rules."""
        replay = self.replayed()
        if replay.end_word:
            return None
        return Move(replay.player, tuple(self.history.entries[self.start : self.stop]), replay.text)

    @property
    def before(self) -> Game:
        """Return the game before the step."""
        return self._game(self.replayed().before)

    @property
    def after(self) -> Game:
        """Return the game after the step; it has no history."""
        replay = self.replayed()
        return self._game(replay.after, end_reason(replay.end_word) if replay.end_word else "")

    def _game(self, engine: Engine, end_reason: str = "") -> Game:
        engine = engine.copy()
        engine.source.injected = None
        new = self.game.at(engine, self.game.regulation, "state", "", None, end_reason)
        new.names = self.game.names[:]
        return new

    def events(self, audience: int) -> list[Event]:
        """Return the events of the step, as this audience may know them."""
        checked_audience(audience)
        return [vis.seen(report, audience) for report in self.all_reports()]

    def all_reports(self) -> list[Report]:
        """Return the reports of the step, unfiltered by audience."""
        reports = self.reports
        if reports is None:
            replay = self.replayed()
            reports = [Report(event, replay.after) for event in replay.events]
            self.reports = reports
        return reports

    def lines(self, lang: str, audience: int, short: bool = True) -> list[str]:
        """Return the lines of the log for this audience; a short log omits what every request causes."""
        return [line.text for line in self._log_lines(prompts(self.game.regulation.edition, lang), audience, short)]

    def log(self, lang: str, audience: int) -> list[LogLine]:
        """Return the short log; each line has its event, its author, and the players and rules it names."""
        return self._log_lines(tagged_prompts(self.game.regulation.edition, lang), audience, True)

    def _log_lines(self, texts: Prompts, audience: int, short: bool) -> list[LogLine]:
        replay = self.replayed()
        writer = LogWriter(texts, replay.before, replay.targeted, replay.after)
        return writer.lines(replay.events, checked_audience(audience), short)

    def __repr__(self) -> str:
        return f"<PlayedStep {PLAYERS[self.player]}: {self.text}>"


def checked_audience(number: int) -> int:
    """Return the number of an audience; raise `ValueError` if there is none of that number."""
    if 0 <= number <= 3:
        return number
    raise ValueError(f"an audience is P1, P2, PUBLIC or JUDGE, not {number!r}")
