"""The public object: one game, its decisions and moves, the views of each seat, its texts.

``push`` of an integer is the hot path: a membership test, the engine's own push, one append. Everything else is made on
demand. Undo restores a checkpoint and replays from it; no code reverts a rule.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Final, overload

from mypy_extensions import i64

from blackpoker.assist.decision import Decision, Draft, prompts
from blackpoker.assist.legal_moves import LegalMoves, is_legal
from blackpoker.assist.set_selection import canonical_order
from blackpoker.assist.text_board import TextBoard
from blackpoker.engine import visibility as vis
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import NOTHING, UNDECIDED
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import SHOWN_KIND
from blackpoker.engine.views import EventView, Player, ResultView, View
from blackpoker.engine.visibility import Audience, Report
from blackpoker.errors import IllegalMove, WrongIndex, WrongType, WrongValue, refuse_subclass
from blackpoker.game.events import Event, typed_event
from blackpoker.game.history import History, clone_engine
from blackpoker.game.outcome import ENDS, Outcome, apply_entry, encode_end, outcome_of
from blackpoker.game.start import GameStart
from blackpoker.game.step import GameStep, checked_audience, seat_of
from blackpoker.notation import state_writer
from blackpoker.notation.move import ELLIPSIS, Move, decision_key, expects_more, move_of
from blackpoker.notation.options import (
    kind_name,
    tokens_so_far,
    view_of,
)
from blackpoker.notation.state_reader import read_state
from blackpoker.ruleset import AnyDeck, Edition, Regulation, new_game, read_decks, read_regulation
from blackpoker.text import refusals as reasons

if TYPE_CHECKING:
    from blackpoker.formats.position_editor import Position

#: passed to ``__init__`` to leave the fields unset (compiled, ``__new__`` would run ``__init__`` all the same)
_BLANK: Final = Shuffler(0)


class Game:
    """A game of BlackPoker.

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> game.push_text("summon_ace SA")
    <GameStep p1: summon_ace SA>
    >>> game.push_text("pass").lines("en", bp.Player.P2)
    ['P1 passes.']
    >>> game
    Game('lite+entry', seed=7, moves=['p1: summon_ace SA', 'p1: pass'])
    >>> game.pop()
    Move.from_text('p1: pass')
    >>> [step.text for step in game.steps()]
    ['summon_ace SA']
    >>> import copy
    >>> copy.deepcopy(game) == game
    True
    """

    __slots__ = ("_engine", "_history", "_reproducible", "_saved_end", "_start", "names", "regulation")

    def __init__(
        self,
        regulation: str | Regulation = "master+full",
        seed: int | None = None,
        decks: Sequence[AnyDeck] | None = None,
        shuffler: Shuffler | None = None,
        moves: Sequence[str] = (),
    ) -> None:
        """``decks``: for each player a Deck, a text or list of cards, or None for the regulation's own. ``shuffler``: a
        source of shuffles, which may have outcomes injected; else a generator of ``seed``, or of a secret one.
        ``moves``: moves pushed at once, as a record writes them, ``p1: end`` or ``end``."""
        if shuffler is _BLANK:
            return
        self.regulation: Regulation = read_regulation(regulation)
        source = shuffler if shuffler is not None else seeded(secrets.randbits(62) if seed is None else seed)
        engine = new_game(self.regulation, source, read_decks(self.regulation, decks))
        #: how the game began; for the modules of the package that save and check games
        self._start: GameStart = GameStart("deal", "", [sorted(side.life) for side in engine.sides], seed)
        self.names: list[str] = ["", ""]
        events: list[RawEvent] = []
        source.log = []
        engine.log = events
        engine.advance()
        engine.log = None
        self._begin_history(engine, events)
        dealt = decks is None and shuffler is None and self.regulation.edition.is_standard
        self._reproducible: bool = dealt and seed is not None
        for line in moves:
            self._push_line(line)

    def __init_subclass__(cls) -> None:
        refuse_subclass("Game")

    def _push_line(self, line: str) -> None:
        """Push a line of a record: ``p1: end``, ``end``, ``p1: resign``, or an unfinished move: ``p1: up H3 ...``."""
        move = Move.from_text(line)
        if move.text in ENDS and move.player is not None:
            self.end(move.text, move.player)
        elif move.text.endswith(ELLIPSIS):
            draft = Draft(self._engine)
            draft.extend_text(move.text[: -len(ELLIPSIS)])
            for option in draft.options:
                self.push(option)
        else:
            self._push_move(move)

    def _begin_history(self, engine: Engine, events: list[RawEvent]) -> None:
        """Start an empty history at this engine."""
        if engine.source.log is None:
            engine.source.log = []
        #: direct access for modules that work on the engine's own data; tests/unit/test_imports.py lists them
        self._engine: Engine = engine
        reports = [Report(event, engine) for event in events]
        self._history: History = History.begun(engine.copy(), engine.source.log, reports)
        self._saved_end: str = ""  # reason of an end from outside, in a game loaded after one
        self._reproducible = False  # True if seed and moves reproduce the game

    # -- choosing --------------------------------------------------------------------------------------------------

    @property
    def options(self) -> list[int]:
        """Return the engine's own list of options; empty when the game is over. Do not change it."""
        return self._engine.options

    @property
    def player(self) -> Player:
        """Return the player who must choose; raise `IllegalMove` when the game is over."""
        asked = self._engine.asked
        if asked < 0:
            raise IllegalMove(reasons.GAME_OVER.en, reasons.GAME_OVER.ja, reasons.GAME_OVER.ruling)
        return PLAYERS[asked]

    @property
    def history(self) -> list[int]:
        """Return every option chosen so far; a negative one ends the game from outside the rules. Do not change the
        list."""
        return self._history.entries

    @overload
    def push(self, move: int) -> GameStep: ...
    @overload
    def push(self, move: Move) -> GameStep: ...
    def push(self, move: object) -> GameStep:
        """Push an option or a whole move and return the step; raise `IllegalMove` if it is not legal now."""
        if isinstance(move, int) and not isinstance(move, bool):
            engine = self._engine
            if move < 0 or move > 255:  # no option is outside of this range; larger numbers do not fit an i64
                self._refuse(move)
            option: i64 = move
            offered = False
            for other in engine.options:
                if other == option:
                    offered = True
                    break
            if not offered:
                self._refuse(move)
            engine.push(option)
            n = self._history.add(engine, move)
            return GameStep(self, n - 1, n)
        if isinstance(move, Move):
            return self._push_move(move)
        raise WrongType(f"push takes an option (a number) or a Move, not {move!r}; push_text takes a text")

    def _push_move(self, move: Move) -> GameStep:
        if not move.options:
            move = self.parse(move.text, move.player)
        asked = move.player is not None and index(move.player) == self._engine.asked
        if not asked or not is_legal(self._engine, move):
            refusal = reasons.OPTION_MISFIT if asked else reasons.OTHER_ASKED
            raise IllegalMove(f"{move.text!r}: {refusal.en}", f"「{move.text}」：{refusal.ja}", refusal.ruling)
        start = len(self.history)
        for option in move.options:
            self.push(option)
        if len(self.history) > start + 1:
            self._history.spans.append((start, len(self.history)))
        return GameStep(self, start, len(self.history))

    def push_text(self, text: str, player: Player | int | None = None) -> GameStep:
        """Push a move given in any of its written forms; raise `UnreadableText`, `IllegalMove` or `AmbiguousMove`."""
        return self._push_move(self.parse(text, player))

    def parse(self, text: str, player: Player | int | None = None) -> Move:
        """Return the move that this text means now; raise `UnreadableText`, `IllegalMove` or `AmbiguousMove`."""
        from blackpoker.notation.parser import parse_move

        return parse_move(self._engine, text, None if player is None else index(player))

    def _refuse(self, option: int) -> None:
        """Raise `IllegalMove` with the reason why an option is not offered."""
        engine = self._engine
        refusal = reasons.OPTION_MISFIT
        if engine.kind == NOTHING:
            refusal = reasons.GAME_OVER
        elif kind_name(engine) == "chance" and 0 <= option <= len(engine.rules.plans):
            specific = reasons.why_not_pass(engine, engine.chance)
            if option > 0:
                specific = reasons.why_not(engine, engine.chance, engine.rules.plans[option - 1].id)
            refusal = specific if specific is not None else refusal
        elif engine.kind == SHOWN_KIND:
            refusal = reasons.SHOWN_MISFIT
        raise IllegalMove(f"option {option}: {refusal.en}", f"選択肢{option}：{refusal.ja}", refusal.ruling)

    def end(self, how: str, player: Player | int) -> GameStep:
        """End the game from outside the rules. This player resigns (``resign``), is out of ``time``, has left for good
        (``abandon``), or is a program that broke (``fault``), and loses; or accepts a draw offer (``agree``), or both
        players have left (``void``). Raise `IllegalMove` if the game is over."""
        if how not in ENDS:
            raise WrongValue(f"a game ends by one of {', '.join(ENDS)}, not {how!r}")
        if self._engine.winner != UNDECIDED:
            raise IllegalMove(reasons.GAME_OVER.en, reasons.GAME_OVER.ja, reasons.GAME_OVER.ruling)
        code = encode_end(how, seat_of(player))
        apply_entry(self._engine, code)
        n = self._history.add(self._engine, code)
        return GameStep(self, n - 1, n)

    # -- undo ------------------------------------------------------------------------------------------------------

    def pop(self) -> Move | None:
        """Undo the last push, a whole move if it was pushed whole, and return it; None if it was an end from outside
        the rules. Raise `IndexError` if the history is empty."""
        n = len(self.history)
        if n == 0:
            raise WrongIndex("nothing has been pushed")
        spans = self._history.spans
        start = spans[-1][0] if spans and spans[-1][1] == n else n - 1
        options = self.history[start:]
        self.go_to(start)
        return move_of(self._engine, options) if options[0] >= 0 else None

    def go_to(self, n: int) -> None:
        """Go back to the state after the first ``n`` options of the history and drop the later ones."""
        if not 0 <= n <= len(self.history):
            raise WrongIndex(f"the history has {len(self.history)} options")
        engine = self._history.rewind(n)
        assert engine.source.log is not None
        past = self._history.truncated(n, engine.source.log)
        if self._history.recording:
            past.record(engine)
        self._history = past
        self._engine = engine

    def steps(self, deal: bool = False) -> Iterator[GameStep]:
        """Yield the game so far move by move: the player, the move, its events, the position after it. ``deal``: yield
        the step before the first choice first."""
        if deal:
            yield GameStep(self, 0, 0)
        past = self._history
        after = past.replayer()
        n = len(past.entries)
        start = 0
        while start < n:
            before = after
            after = clone_engine(before)
            stop = start
            complete = False
            while stop < n and not complete:
                option = past.entries[stop]
                key = decision_key(after)
                apply_entry(after, option)
                stop += 1
                complete = option < 0 or not expects_more(after, key)
            past.keep(start, stop, before, after)
            step = GameStep(self, start, stop)
            step.complete = complete
            yield step
            start = stop

    def copy(self) -> Game:
        """Return an independent game in the same state, with the same history."""
        new = Game(shuffler=_BLANK)
        new.regulation = self.regulation
        new._start = self._start
        new.names = self.names[:]
        new._engine = clone_engine(self._engine)
        assert new._engine.source.log is not None
        new._history = self._history.truncated(len(self.history), new._engine.source.log)
        new._saved_end = self._saved_end
        new._reproducible = self._reproducible
        return new

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game with all its history."""
        source, history = self._engine.source, self._history
        first = state_writer.canonical(state_writer.dump(history.checkpoints[0]))
        opening = [report.raw for report in history.reports_of(0, 0)]
        shuffler: object = int(source.state) if type(source) is Shuffler else source
        start = int(history.checkpoints[0].source.state)
        fields = (
            self._start,
            self.names,
            self._saved_end,
            self._reproducible,
        )
        progress = (
            history.shuffles,
            history.shuffle_counts[0],
            opening,
            history.entries,
            history.spans,
            start,
            shuffler,
            source.injected,
        )
        return Game._rebuild, (self.regulation, fields, first, progress)

    @staticmethod
    def _rebuild(regulation: Regulation, fields: tuple[Any, ...], first: str, progress: tuple[Any, ...]) -> Game:
        """Rebuild a game from the parts of ``__reduce__``: its first state and its history."""
        outcomes, shuffle_count, opening, history, spans, start, shuffler, injected = progress
        source = Shuffler(shuffler) if isinstance(shuffler, int) else shuffler
        state = source.copy()
        state.state = start
        state.injected = None
        engine = read_state(regulation.rules(), json.loads(first), state)
        state.log = outcomes[:shuffle_count]
        new = Game(shuffler=_BLANK)
        new.regulation = regulation
        new._begin_history(engine, opening)
        new._start, new.names, new._saved_end, new._reproducible = fields
        engine.source.injected = outcomes[shuffle_count:]
        game_history = new._history
        for option in history:
            apply_entry(engine, option)
            game_history.add(engine, option)
        game_history.spans = spans
        game_history.shuffles = outcomes[:]
        source.log = game_history.shuffles
        source.injected = injected
        engine.source = source
        return new

    def __eq__(self, other: object) -> bool:
        """Return whether both games continue alike: same edition, regulation, names, state and future shuffles. Their
        histories may differ."""
        return self is other or (isinstance(other, Game) and self.to_json() == other.to_json())

    def __hash__(self) -> int:
        """Raise `TypeError`: a game is mutable; ``hash()`` names its present state."""
        raise TypeError("unhashable type: 'Game'; game.hash() names its state")

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """Return the present decision on a copy of the state; None when the game is over."""
        return None if self._engine.kind == NOTHING else Decision(self._engine.copy(), tokens_so_far(self._engine))

    def draft(self, words: Sequence[str] | Move = (), finish: bool = False) -> Draft:
        """Try words of the notation one after another, or a move, on a copy of the game. The draft has the move to
        push, warnings and the forecast of a fight. ``finish``: it must be a whole move; a final ``done`` is implied.
        The elements of a set may be named in any order. Raise `IllegalMove` if a word is not legal."""
        draft = Draft(self._engine)
        if isinstance(words, Move):
            move = words if words.options else self.parse(words.text, words.player)
            for option in move.options:
                draft.push(option)
        else:
            draft.extend(canonical_order(self._engine, words))
        if finish:
            draft.finish()
        return draft

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self._engine.copy())

    @property
    def turn_number(self) -> int:
        return self._engine.turn_number

    def outcome(self) -> Outcome | None:
        """Return the outcome, or None until the game is over."""
        if self._engine.winner == UNDECIDED:
            return None
        return outcome_of(self._engine, self.history[-1] if self.history else 0, self._saved_end)

    def view(self, audience: Player | int) -> View:
        """Return all that this audience may know (R-210…R-216); a seat's number is its audience."""
        out = view_of(self._engine, checked_audience(audience))
        over = self.outcome()
        if over is not None:
            out.over = ResultView(over.winner, over.reason)
        return out

    def events(self, audience: Player | int, since: int = 0) -> list[Event]:
        """Return the events so far, as this audience may know them; ``since``: the number of events to skip."""
        return [typed_event(view) for view in self.event_views(audience, since)]

    def event_views(self, audience: Player | int, since: int = 0) -> list[EventView]:
        """Return the events so far as flat data, for JSON."""
        seat = checked_audience(audience)
        self._history.record(self._engine)
        return [vis.seen(report, seat) for report in self._history.reports[since:]]

    # -- texts -----------------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the state as text; ``from_json`` continues exactly from here."""
        from blackpoker.formats.savegame import write_saved

        return write_saved(self)

    @staticmethod
    def from_json(text: str, shuffler: Shuffler | None = None, edition: Edition | None = None) -> Game:
        """Return a game saved by ``to_json``; raise `UnreadableText` for any other text."""
        from blackpoker.formats.savegame import read_saved

        return read_saved(text, shuffler, edition)

    def hash(self) -> str:
        """Return a name of the state, the same in every build."""
        return state_writer.state_hash(self._engine)

    def position(self) -> str:
        """Return the position as a TOML text (docs/notation.md)."""
        from blackpoker.formats.position_text import write_position

        return write_position(self)

    @staticmethod
    def from_position(text: str | Position, seed: int | None = None, edition: Edition | None = None) -> Game:
        """Return a game that starts from a position as ``position`` writes it (docs/notation.md), or from a `Position`;
        raise `UnreadableText` if it is none."""
        from blackpoker.formats.position import read_position
        from blackpoker.formats.position_editor import Position

        return read_position(str(text) if isinstance(text, Position) else text, seed, edition)

    def record(self) -> str:
        """Return the whole game as text; it can be replayed without a generator."""
        from blackpoker.formats.record import write_record

        return write_record(self)

    @staticmethod
    def from_record(text: str, seed: int | None = None, edition: Edition | None = None) -> Game:
        """Return the game of a record. ``seed`` is for the shuffles still to come, ``edition`` the one it was played
        by. Raise `UnreadableText` if it is no valid record."""
        from blackpoker.formats.record import read_record

        return read_record(text, seed, edition)

    def board(self, audience: Player | int, lang: str = "en", width: int = 80) -> str:
        """Draw the table as this seat may see it, the opponent on top; PUBLIC and JUDGE look from P1's side."""
        view = self.view(audience)
        seat = checked_audience(audience) if checked_audience(audience) < Audience.PUBLIC else 0
        texts = prompts(self.regulation.edition, lang)
        return "\n".join(TextBoard(texts, texts.names).draw(view, seat, self.regulation.text, width))

    def _repr_html_(self) -> str:
        """Draw the table in a notebook, as the asked player sees it; when the game is over, the public view."""
        from blackpoker.assist.svg_board import SvgBoard

        asked = self._engine.asked if self._engine.winner == UNDECIDED else -1
        view = self.view(Audience.PUBLIC if asked < 0 else asked)
        return SvgBoard(prompts(self.regulation.edition, "en")).draw(view, max(int(asked), 0), self.regulation.text)

    def __str__(self) -> str:
        """Draw the table as the asked player sees it; when the game is over, the public view."""
        over = self.outcome()
        if over is None:
            return self.board(self.player)
        result = prompts(self.regulation.edition, "en").result(over.winner, over.reason)
        return f"{self.board(Audience.PUBLIC)}\n{result}"

    def __repr__(self) -> str:
        """Return an expression that recreates this game: the seed and the moves of a plain deal, else the saved
        game."""
        if not self._reproducible:
            return f"Game.from_json({self.to_json()!r})"
        moves = f", moves={[step.line for step in self.steps()]!r}" if self.history else ""
        return f"Game({self.regulation.text!r}, seed={self._start.seed}{moves})"


# -- for the modules of the package that build and replay games --------------------------------------------------------


def game_at(engine: Engine, regulation: Regulation, start: GameStart, ended: str = "") -> Game:
    """Return a game that starts from an engine in the middle of play. ``start`` is how the record describes it;
    ``ended`` is the reason of an end from outside the rules."""
    new = Game(shuffler=_BLANK)
    new.regulation = regulation
    new._start = start
    new.names = ["", ""]
    new._begin_history(engine, [])
    new._saved_end = ended
    return new


def game_until(game: Game, past: History, stop: int) -> Game:
    """Return an independent game that ends with a step of its history, also of one that was undone."""
    new = game.copy()
    engine = past.engine_at(stop)
    assert engine.source.log is not None
    engine.source.injected = None
    new._engine = engine
    new._history = past.truncated(stop, engine.source.log)
    return new


def replayer(game: Game) -> Engine:
    """Return a new engine before the first choice of a game, with the shuffles that followed injected."""
    return game._history.replayer()


def shuffles_of(game: Game) -> list[tuple[int, list[int]]]:
    """Return every shuffle so far: player, cards from the top."""
    return game._history.shuffles


def inject(game: Game, shuffles: list[tuple[int, list[int]]] | None) -> None:
    """Set the outcomes of the next shuffles, also after an undo; None: they come from the generator."""
    game._engine.source.injected = None if shuffles is None else shuffles[:]
    game._history.inject(shuffles)
