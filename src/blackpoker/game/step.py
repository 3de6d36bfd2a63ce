"""A step of a game: the move and its effects, for replays, logs and pages."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from mypy_extensions import i64, mypyc_attr

from blackpoker.assist.decision import prompts, tagged_prompts
from blackpoker.engine import visibility as vis
from blackpoker.engine.engine import Engine
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.views import EventView, Player
from blackpoker.engine.visibility import Report
from blackpoker.errors import WrongValue, refuse_subclass
from blackpoker.game.events import Event, typed_event
from blackpoker.game.history import History
from blackpoker.game.outcome import decode_end, end_reason
from blackpoker.game.start import GameStart
from blackpoker.notation.move import Move, MoveWriter, move_of
from blackpoker.text.log import LogLine, LogWriter, drafted_targets
from blackpoker.text.prompts import Prompts

if TYPE_CHECKING:
    from blackpoker.game.game import Game


@mypyc_attr(free_list_len=1)
class GameStep:
    """A step of a game: a move, a part of one, or an end from outside the rules. Its properties are computed on demand,
    so that pushing costs nothing, and they stay the same after an undo."""

    __slots__ = ("_history", "_start", "_stop", "complete", "game")

    def __init__(self, game: Game, start: i64, stop: i64) -> None:
        self.game: Game = game
        self._history: History = game._history
        self._start: i64 = start  # indices of the history; both are 0 for the deal
        self._stop: i64 = stop
        self.complete: bool = True  # False only for the last step of a game, if its move is unfinished

    def __init_subclass__(cls) -> None:
        refuse_subclass("GameStep")

    def _engines(self) -> tuple[Engine, Engine]:
        return self._history.around(self._start, self._stop)

    def _end(self) -> tuple[str, Player] | None:
        """Return the word and the player of an end from outside the rules; None for a move."""
        entry = self._history.entries[self._stop - 1] if self._start < self._stop else 0
        if entry >= 0:
            return None
        word, player = decode_end(entry)
        return word, PLAYERS[player]

    def _options(self) -> list[int]:
        return [entry for entry in self._history.entries[self._start : self._stop] if entry >= 0]

    def _writer(self) -> MoveWriter:
        """Return the writer of the move's text."""
        writer = MoveWriter()
        engine = self._engines()[0].copy()
        for option in self._options():
            writer.push(engine, option)
        return writer

    @property
    def player(self) -> Player:
        """Return the player who moved or ended the game."""
        end = self._end()
        return PLAYERS[self._engines()[0].asked] if end is None else end[1]

    @property
    def text(self) -> str:
        """Return the text of the move, or the word of an end from outside the rules."""
        end = self._end()
        return self._writer().text() if end is None else end[0]

    @property
    def line(self) -> str:
        """Return the step as a record writes it: ``p1: end``, with an ellipsis if the move is unfinished."""
        return f"{self.player}: {self.text if self.complete else self._writer().partial_text()}"

    @property
    def move(self) -> Move | None:
        """Return the step as a move; None for an end from outside the rules."""
        return None if self._end() is not None else move_of(self._engines()[0], self._options())

    @property
    def before(self) -> Game:
        """Return the game before the step."""
        return self._game(self._engines()[0])

    @property
    def after(self) -> Game:
        """Return the game after the step; it has no history."""
        end = self._end()
        return self._game(self._engines()[1], "" if end is None else end_reason(end[0]))

    def _game(self, engine: Engine, end_reason: str = "") -> Game:
        from blackpoker.game.game import game_at

        engine = engine.copy()
        engine.source.injected = None
        new = game_at(engine, self.game.regulation, GameStart("state"), end_reason)
        new.names = self.game.names[:]
        return new

    def events(self, audience: Player | int) -> list[Event]:
        """Return the events of the step, as this audience may know them."""
        return [typed_event(view) for view in self.event_views(audience)]

    def event_views(self, audience: Player | int) -> list[EventView]:
        """Return the events as flat data, for JSON."""
        seat = checked_audience(audience)
        return [vis.seen(report, seat) for report in self._reports()]

    def _reports(self) -> list[Report]:
        """Return the reports of the step, unfiltered by audience."""
        game, past = self.game, self._history
        past.record(game._engine if game._history is past else None)
        return past.reports_of(self._start, self._stop)

    def lines(self, lang: str, audience: Player | int, short: bool = True) -> list[str]:
        """Return the lines of the log for this audience; a short log omits what every request causes."""
        return [line.text for line in self._log_lines(prompts(self.game.regulation.edition, lang), audience, short)]

    def _log(self, lang: str, audience: Player | int) -> list[LogLine]:
        """Return the short log; each line has its event, its author, and the players and rules it names."""
        return self._log_lines(tagged_prompts(self.game.regulation.edition, lang), audience, True)

    def _log_lines(self, texts: Prompts, audience: Player | int, short: bool) -> list[LogLine]:
        before, after = self._engines()
        writer = LogWriter(texts, before, drafted_targets(before, self._options()), after)
        return writer.lines([report.raw for report in self._reports()], checked_audience(audience), short)

    def __copy__(self) -> GameStep:
        return self

    def __deepcopy__(self, memo: object) -> GameStep:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the step with the game up to its end; later moves and an undo are not part of it."""
        from blackpoker.game.game import game_until

        opens = self._start == 0 and self._stop == 0
        game = game_until(self.game, self._history, int(self._stop))
        return _step_again, (game, int(self._start), int(self._stop), bool(self.complete), opens)

    def __eq__(self, other: object) -> bool:
        """Return whether both steps lead from the same state by the same options to the same state."""
        if self is other:
            return True
        if not isinstance(other, GameStep) or self.complete != other.complete:
            return False
        mine = self._history.entries[self._start : self._stop]
        if mine != other._history.entries[other._start : other._stop]:
            return False
        return self.before == other.before and self.after == other.after

    def __hash__(self) -> int:
        return hash((self.player, self.text, self.complete))

    def __repr__(self) -> str:
        return f"<GameStep {self.player}: {self.text}>"


def _step_again(game: Game, start: int, stop: int, complete: bool, opens: bool) -> GameStep:
    """Rebuild a step from the parts of ``__reduce__``."""
    if opens:
        return next(game.steps(deal=True))
    step = GameStep(game, start, stop)
    step.complete = complete
    return step


def seat_of(player: Player | int) -> int:
    """Return the number of a seat; raise `WrongValue` if there is none of that number."""
    number = index(player)
    if 0 <= number <= 1:
        return number
    raise WrongValue(f"a player is Player.P1 or Player.P2, not {player!r}")


def checked_audience(audience: Player | int) -> int:
    """Return the number of an audience; raise `WrongValue` if there is none of that number."""
    number = audience if isinstance(audience, int) else index(audience)
    if 0 <= number <= 3:
        return number
    raise WrongValue(f"an audience is a player, Audience.PUBLIC or Audience.JUDGE, not {audience!r}")
