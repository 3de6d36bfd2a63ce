"""The public object: one game, its decisions and moves, what each seat may know, its texts.

``push`` of an integer is the hot path: a membership test, the engine's own push, one append. Everything else is made
when it is asked for. Undo restores a copy and plays forward again; there is no code that takes a rule back.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from blackpoker.assist.decision import Decision, Draft, prompts, refusals
from blackpoker.errors import IllegalMove
from blackpoker.notation import saved_state
from blackpoker.notation.moves import Move, SentenceWriter, count_sentences, goes_on, move_of, place_of, sentences
from blackpoker.notation.sentence import Sentence
from blackpoker.notation.tokens import fill_decision, kind_name, said_words, word
from blackpoker.regulation import AnyDeck, Edition, Regulation, new_game, read_decks, read_regulation
from blackpoker.rules import refusals as reasons
from blackpoker.rules import visibility as vis
from blackpoker.rules.engine import MOST_TURNS, Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import DRAW, NOTHING, UNDECIDED
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.shapes import Event, ResultView, View
from blackpoker.rules.shuffler import Shuffler, seeded
from blackpoker.rules.visibility import Audience, Report
from blackpoker.texts.log import LogWriter

P1: Final = Audience.P1
P2: Final = Audience.P2
PUBLIC: Final = Audience.PUBLIC
JUDGE: Final = Audience.JUDGE
#: a copy is kept every so many decisions, for undo
RUNG: Final = 64

#: marks a game whose fields the maker sets himself (compiled, ``__new__`` would run ``__init__`` all the same)
_BLANK: Final = Shuffler(0)

#: ends that no rule brings about: the word a record has for each, and the reason it gives
ENDS: Final = ("resign", "time", "abandon", "agree", "void")  # ``draw`` is an action
END_REASONS: Final = ("resigned", "time", "abandoned", "draw", "abandoned")


class Outcome:
    """How a game ended. ``winner`` is None for a draw; ``reason`` is ``life`` (R-45, R-193), ``turns`` (R-220), or from
    outside the rules ``resigned`` (R-223), ``time``, ``abandoned``, ``draw`` (agreed)."""

    def __init__(self, winner: int | None, reason: str) -> None:
        self.winner = winner
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.winner == other.winner and self.reason == other.reason

    def __hash__(self) -> int:
        return hash((self.winner, self.reason))

    def __repr__(self) -> str:
        return f"Outcome({'draw' if self.winner is None else PLAYERS[self.winner]}, {self.reason})"


class LegalMoves:
    """The whole sentences that can be pushed now: iterate, ask ``in`` (a Move or text), or ``count()``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __iter__(self) -> Iterator[Move]:
        return iter(sentences(self._engine))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move):
            return move.player == self._engine.asked and fits(self._engine, move)
        if isinstance(move, str):
            from blackpoker.errors import BlackPokerError
            from blackpoker.notation.parser import parse_move

            try:
                parse_move(self._engine, move)
            except BlackPokerError:
                return False
            return True
        return False

    def count(self) -> int:
        return count_sentences(self._engine)

    def __bool__(self) -> bool:
        return self._engine.kind != NOTHING


def fits(engine: Engine, move: Move) -> bool:
    """Whether the move can be said here as a whole: one sentence, or several of one effect."""
    said = Sentence(engine)
    for option in move.options:
        if option not in said.engine.options:
            return False
        said.push(option)
    return said.complete


class _Moment:
    """A step played again: the game before and after it, and what was reported."""

    def __init__(self, before: Engine, options: list[int]) -> None:
        self.before = before
        self.player = int(before.asked)
        self.how = ""
        events: list[RawEvent] = []
        after = before.copy()
        after.log = events
        wording = SentenceWriter()
        for option in options:
            if option < 0:
                self.how, self.player = end_of(option)
                play(after, option)
                continue
            kind = int(after.kind)
            wording.add(after, option)
            after.push(option)
            wording.after(after, kind, option)
        after.log = None
        self.after = after
        self.events = events
        self.text = self.how or wording.text()


@mypyc_attr(free_list_len=1)
class Step:
    """What was said, and what came of it: a sentence, a word of one, or an end from outside the rules. All of it is
    worked out when it is asked for, so that pushing costs nothing; ask before the game is taken back behind it."""

    def __init__(self, game: Game, start: i64, stop: i64) -> None:
        self.game = game
        self.start: i64 = start  # places in the history
        self.stop: i64 = stop
        self.age: i64 = game.taken_back
        self.begins: Engine | None = None
        self.seen: _Moment | None = None

    def moment(self) -> _Moment:
        seen = self.seen
        if seen is None:
            game = self.game
            before = self.begins
            if before is None:
                if game.taken_back != self.age and self.stop > len(game.history):
                    raise ValueError("the step was taken back")
                before = game.walked_to(self.start)
            seen = _Moment(before, game.history[self.start : self.stop])
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
    def move(self) -> Move | None:
        """The sentence as a move; None for an end from outside the rules."""
        moment = self.moment()
        if moment.how:
            return None
        return Move(moment.player, tuple(self.game.history[self.start : self.stop]), moment.text)

    @property
    def before(self) -> Game:
        """The game as it stood before."""
        return self._game(self.moment().before)

    @property
    def after(self) -> Game:
        """The game as it stood afterwards; it has no past."""
        return self._game(self.moment().after)

    def _game(self, engine: Engine) -> Game:
        engine = engine.copy()
        engine.source.injected = None
        new = Game.at(engine, self.game.regulation, "state", "")
        new.names = self.game.names[:]
        return new

    def events(self, audience: int) -> list[Event]:
        """What happened, as this audience may hear it."""
        moment = self.moment()
        audience_of(audience)
        return [vis.seen(Report(event, moment.after), audience) for event in moment.events]

    def lines(self, lang: str, audience: int, short: bool = True) -> list[str]:
        """What happened, as lines of the log for this audience; a short log leaves out what every request brings."""
        moment = self.moment()
        writer = LogWriter(prompts(self.game.regulation.edition, lang))
        writer.look(moment.before)
        return writer.lines(moment.after, moment.events, audience_of(audience), short)

    def __repr__(self) -> str:
        return f"<Step {PLAYERS[self.player]}: {self.text}>"


class Game:
    """A game of BlackPoker."""

    def __init__(
        self,
        regulation: str | Regulation = "master+full",
        seed: int | None = None,
        decks: Sequence[AnyDeck] | None = None,
        shuffler: Shuffler | None = None,
    ) -> None:
        """``decks``: for each player a Deck, a text or list of cards, or None for the regulation's own. ``shuffler``:
        a source of shuffles, which may have outcomes injected; else a generator of ``seed``, or of a secret one."""
        if shuffler is _BLANK:
            return
        self.regulation = read_regulation(regulation)
        self.seed = seed
        source = shuffler if shuffler is not None else seeded(secrets.randbits(62) if seed is None else seed)
        engine = new_game(self.regulation, source, read_decks(self.regulation, decks))
        self.start_kind = "deal"
        self.start_text = ""
        self.start_decks: list[list[int]] = [sorted(side.life) for side in engine.sides]
        self.names: list[str] = ["", ""]
        events: list[RawEvent] = []
        source.log = []
        engine.log = events
        engine.advance()
        engine.log = None
        self.begin_history(engine, events)

    def begin_history(self, engine: Engine, events: list[RawEvent]) -> None:
        """Nothing has been pushed yet."""
        if engine.source.log is None:
            engine.source.log = []
        self.engine: Engine = engine
        self.history: list[int] = []  # options; a negative one ends the game from outside (``end_code``)
        self.saved_end: str = ""  # the reason, in a game that was saved after such an end
        self.spans: list[tuple[int, int]] = []  # sentences pushed whole, as places in the history
        self.ladder: list[Engine] = [engine.copy()]
        self.shuffles: list[int] = [len(engine.source.log)]  # before each rung
        self.first_shuffles: list[tuple[int, list[int]]] = engine.source.log[:]
        self.reports: list[Report] = [Report(event, engine) for event in events]
        self.first_events: int = len(events)  # those before the first push
        self.teller: Engine | None = None
        self.told: int = 0
        self.taken_back: i64 = 0  # how often something was: a step of before is no longer one of this game

    # -- choosing --------------------------------------------------------------------------------------------------

    @property
    def options(self) -> list[int]:
        """The engine's own list of what may be chosen now; empty when the game is over. Do not change it."""
        return self.engine.options

    @property
    def player(self) -> int:
        """Who must choose; -1 when the game is over."""
        return self.engine.asked

    def push(self, move: int | Move) -> Step:
        """Choose an option, or say a whole sentence; what came of it is in the step that is returned."""
        if isinstance(move, int):
            engine = self.engine
            if move < 0 or move > 255:  # no option is; larger ones do not even fit an i64
                self.refuse(move)
            option: i64 = move
            offered = False
            for other in engine.options:
                if other == option:
                    offered = True
                    break
            if not offered:
                self.refuse(move)
            engine.push(option)
            history = self.history
            history.append(move)
            n: i64 = len(history)
            if n % RUNG == 0:
                self.climb()
            return Step(self, n - 1, n)
        return self.push_move(move)

    def push_move(self, move: Move) -> Step:
        if move.player != self.engine.asked or not fits(self.engine, move):
            why = reasons.OTHER_ASKED if move.player != self.engine.asked else reasons.WORD_MISFIT
            raise IllegalMove(f"{move.text!r}: {why.en}", f"「{move.text}」：{why.ja}", why.ruling)
        start = len(self.history)
        for option in move.options:
            self.push(option)
        if len(self.history) > start + 1:
            self.spans.append((start, len(self.history)))
        return Step(self, start, len(self.history))

    def push_text(self, text: str, player: int | None = None) -> Move:
        """Say a sentence in any of its written forms; gives the move that was pushed."""
        move = self.parse(text, player)
        self.push_move(move)
        return move

    def parse(self, text: str, player: int | None = None) -> Move:
        """The move this text means now."""
        from blackpoker.notation.parser import parse_move

        return parse_move(self.engine, text, player)

    def refuse(self, option: int) -> None:
        """Say why an option is none."""
        engine = self.engine
        why = reasons.WORD_MISFIT
        if engine.kind == NOTHING:
            why = reasons.GAME_OVER
        elif kind_name(engine) == "chance" and 0 <= option <= len(engine.rules.plans):
            found = (
                reasons.why_not_pass(engine, engine.chance)
                if option == 0
                else reasons.why_not(engine, engine.chance, engine.rules.plans[option - 1].id)
            )
            why = found if found is not None else why
        raise IllegalMove(f"option {option}: {why.en}", f"選択肢{option}：{why.ja}", why.ruling)

    def why_not(self, action: str, player: int | None = None) -> reasons.Refusal | None:
        """Why an action cannot be requested now (by the asked player, or by this one); None if it can."""
        return reasons.why_not(self.engine, self.engine.asked if player is None else player, action)

    def climb(self) -> None:
        """Keep a copy for undo."""
        self.ladder.append(self.engine.copy())
        self.shuffles.append(len(self.outcomes))

    @property
    def outcomes(self) -> list[tuple[int, list[int]]]:
        """Every shuffle so far: player, cards from the top."""
        log = self.engine.source.log
        assert log is not None
        return log

    def resign(self, player: int) -> Step:
        """Give up: a loss (R-223)."""
        return self.end("resign", player)

    def end(self, how: str, player: int) -> Step:
        """End the game from outside the rules. This player gives up (``resign``), is out of ``time``, or has left for
        good (``abandon``), and loses; or takes the draw he was offered (``agree``), or both have left (``void``)."""
        if how not in ENDS:
            raise ValueError(f"a game ends by one of {', '.join(ENDS)}, not {how!r}")
        if self.engine.winner != UNDECIDED:
            raise IllegalMove(reasons.GAME_OVER.en, reasons.GAME_OVER.ja, reasons.GAME_OVER.ruling)
        if player not in (P1, P2):
            raise ValueError("a player is 0 or 1")
        code = end_code(how, player)
        play(self.engine, code)
        self.history.append(code)
        if len(self.history) % RUNG == 0:
            self.climb()
        return Step(self, len(self.history) - 1, len(self.history))

    # -- undo ------------------------------------------------------------------------------------------------------

    def pop(self) -> None:
        """Undo what was pushed last: a whole sentence if it was pushed whole, else a word."""
        n = len(self.history)
        if n == 0:
            raise IndexError("nothing has been pushed")
        if self.spans and self.spans[-1][1] == n:
            self.go_to(self.spans.pop()[0])
        else:
            self.go_to(n - 1)

    def go_to(self, n: int) -> None:
        """The state after the first ``n`` options of the history; later ones are forgotten."""
        if not 0 <= n <= len(self.history):
            raise IndexError(f"the history has {len(self.history)} options")
        rung = n // RUNG
        self.engine = self.replayed(rung, n)
        del self.history[n:]
        del self.ladder[rung + 1 :]
        del self.shuffles[rung + 1 :]
        while self.spans and self.spans[-1][1] > n:
            self.spans.pop()
        if self.told > n:
            self.teller = None
        self.taken_back += 1

    def replayed(self, rung: int, n: int) -> Engine:
        """A new engine at this place of the history: from a rung of the ladder, every shuffle as it was."""
        waiting = self.ladder[rung].source.copy().injected
        known = self.shuffles[rung]
        engine = self.walker(rung)
        for option in self.history[rung * RUNG : n]:
            play(engine, option)
        source = engine.source
        if waiting and source.log is not None:
            for done in source.log[known:]:
                for outcome in waiting:
                    if outcome[0] == done[0]:
                        waiting.remove(outcome)
                        break
        source.injected = waiting
        return engine

    def walker(self, rung: int = 0) -> Engine:
        """A new engine at a rung of the ladder, with the shuffles that followed waiting in it."""
        engine = self.ladder[rung].copy()
        known = self.shuffles[rung]
        engine.source.log = self.outcomes[:known]
        engine.source.injected = self.outcomes[known:]
        return engine

    def walked_to(self, n: int) -> Engine:
        """The same at any place of the history."""
        engine = self.walker(n // RUNG)
        for option in self.history[n // RUNG * RUNG : n]:
            play(engine, option)
        return engine

    def steps(self) -> Iterator[Step]:
        """The game so far, sentence by sentence: who said what, its events, the position after it."""
        engine = self.walker()
        n = len(self.history)
        start = 0
        while start < n:
            before = engine.copy()
            stop = start
            ended = False
            while stop < n and not ended:
                option = self.history[stop]
                mark = place_of(engine)
                play(engine, option)
                stop += 1
                ended = option < 0 or not goes_on(engine, mark)
            step = Step(self, start, stop)
            step.begins = before
            yield step
            start = stop

    def copy(self) -> Game:
        """An independent game in the same state, with the same past."""
        new = Game(shuffler=_BLANK)
        engine = self.engine.copy()
        engine.source.log = self.outcomes[:]
        new.regulation = self.regulation
        new.seed = self.seed
        new.start_kind = self.start_kind
        new.start_text = self.start_text
        new.start_decks = self.start_decks
        new.names = self.names[:]
        new.engine = engine
        new.history = self.history[:]
        new.saved_end = self.saved_end
        new.spans = self.spans[:]
        new.ladder = self.ladder[:]
        new.shuffles = self.shuffles[:]
        new.first_shuffles = self.first_shuffles
        new.reports = self.reports[:]
        new.first_events = self.first_events
        new.teller = None if self.teller is None else self.teller.copy()
        new.told = self.told
        new.taken_back = 0
        if new.teller is not None:
            new.teller.log = []
        return new

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """Who must choose what; None when the game is over."""
        return None if self.engine.kind == NOTHING else Decision(self.engine.copy(), said_words(self.engine))

    def ask(self, words: Sequence[str] = ()) -> Decision | None:
        """What is asked after these words, with all a client shows of it: prompts, labels, what may follow, a proposal,
        refusals. None when they are a whole sentence."""
        return self.say(words).decision if words else self.decision

    def say(self, words: Sequence[str] | Move = (), finish: bool = False) -> Draft:
        """Try words of the notation one after another, or a move; the game does not move. The draft has the move to
        push, warnings and the forecast of a fight. ``finish``: it must be a whole sentence, a last ``done`` is
        understood."""
        draft = Draft(self.engine)
        if isinstance(words, Move):
            for option in words.options:
                draft.push(option)
        else:
            draft.say_all(words)
        if finish:
            draft.finish()
        return draft

    def refusals(self, player: int) -> dict[str, reasons.Refusal]:
        """Every action of the format this player cannot request now, and the ruling that says so."""
        return refusals(self.engine, player)

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self.engine.copy())

    @property
    def turn(self) -> int:
        return self.engine.turn

    @property
    def turn_number(self) -> int:
        return self.engine.turn_number

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        engine = self.engine
        if engine.winner == UNDECIDED:
            return None
        winner = None if engine.winner == DRAW else int(engine.winner)
        if self.history and self.history[-1] < 0:
            return Outcome(winner, END_REASONS[(-1 - self.history[-1]) // 2])
        if self.saved_end:
            return Outcome(winner, self.saved_end)
        if engine.sides[0].life and engine.sides[1].life:
            return Outcome(winner, "turns" if engine.turn_number > MOST_TURNS else "resigned")
        return Outcome(winner, "life")

    def view(self, audience: int) -> View:
        """What this audience may know (R-210…R-216); a seat's number is its audience."""
        engine = self.engine
        shown = vis.view(engine, audience_of(audience))
        fill_decision(engine, shown, audience)
        over = self.outcome()
        if over is not None:
            shown.over = ResultView("draw" if over.winner is None else PLAYERS[over.winner], over.reason)
        return shown

    def events(self, audience: int, since: int = 0) -> list[Event]:
        """What has happened, as this audience may hear it; ``since`` leaves out so many of the first ones."""
        self.tell()
        audience_of(audience)
        return [vis.seen(report, audience) for report in self.reports[since:]]

    def tell(self) -> None:
        """Bring the feed up to date: an engine of its own follows the game, so that playing pays nothing for it."""
        teller = self.teller
        if teller is None:
            teller = self.ladder[0].copy()
            self.told = 0
            del self.reports[self.first_events :]
        source = teller.source
        source.log = self.outcomes[: self.shuffles[0]] if source.log is None else source.log
        source.injected = self.outcomes[len(source.log) :]
        for option in self.history[self.told :]:
            happened: list[RawEvent] = []
            teller.log = happened
            play(teller, option)
            for event in happened:
                self.reports.append(Report(event, teller))
        self.told = len(self.history)
        self.teller = teller

    # -- texts -----------------------------------------------------------------------------------------------------

    def move_of(self, options: list[int]) -> Move:
        """The sentence these options make now."""
        return move_of(self.engine, options)

    def word(self, option: int) -> str:
        return word(self.engine, option)

    def to_json(self) -> str:
        """The state as text; ``from_json`` goes on exactly from here."""
        data: dict[str, Any] = {
            "blackpoker": saved_state.VERSION,
            "edition": self.regulation.edition.text,
            "regulation": self.regulation.text,
            "names": self.names,
            "state": saved_state.dump(self.engine),
            "generator": int(self.engine.source.state),
        }
        if self.engine.source.injected:
            data["injected"] = [[player, cards] for player, cards in self.engine.source.injected]
        over = self.outcome()
        if over is not None and over.reason in END_REASONS:
            data["ended"] = over.reason
        return saved_state.canonical(data)

    @staticmethod
    def from_json(text: str, shuffler: Shuffler | None = None, edition: Edition | None = None) -> Game:
        """A game saved by ``to_json``."""
        from blackpoker.notation.saved import read_saved

        return read_saved(text, shuffler, edition)

    def hash(self) -> str:
        """A name of the state, the same in every build."""
        return saved_state.state_hash(self.engine)

    def position(self) -> str:
        """The position as a TOML text (docs/notation.md)."""
        from blackpoker.notation.position import write_position

        return write_position(self)

    @staticmethod
    def from_position(text: str, seed: int | None = None, edition: Edition | None = None) -> Game:
        """A game that starts from a position as ``position`` writes it (docs/notation.md)."""
        from blackpoker.notation.position import read_position

        return read_position(text, seed, edition)

    def record(self) -> str:
        """The whole game as text: it needs no generator to be played again."""
        from blackpoker.notation.record import write_record

        return write_record(self)

    @staticmethod
    def from_record(text: str, seed: int | None = None, edition: Edition | None = None) -> Game:
        """Play a record again; ``seed`` is for the shuffles still to come, ``edition`` what it was played by."""
        from blackpoker.notation.record import read_record

        return read_record(text, seed, edition)

    @staticmethod
    def at(engine: Engine, regulation: Regulation, kind: str, text: str, seed: int | None = None) -> Game:
        """A game that starts from an engine in the middle of play. ``kind`` and ``text`` say so in the record."""
        new = Game(shuffler=_BLANK)
        new.regulation = regulation
        new.seed = seed
        new.start_kind = kind
        new.start_text = text
        new.start_decks = [[], []]
        new.names = ["", ""]
        new.begin_history(engine, [])
        return new

    def __repr__(self) -> str:
        over = self.outcome()
        where = repr(over) if over is not None else repr(self.decision)
        return f"Game({self.regulation.text}, turn {self.turn_number}, {where})"


def play(engine: Engine, option: int) -> None:
    """Push an entry of a history."""
    if option >= 0:
        engine.push(option)
        return
    how, player = end_of(option)
    engine.draft = None
    engine.winner = DRAW if how in ("agree", "void") else 1 - player
    engine.finish()


def end_code(how: str, player: int) -> int:
    """An end as an entry of a history: -1 and -2 are resignations, -3 and -4 losses on time, and so on."""
    return -1 - player - 2 * ENDS.index(how)


def end_of(code: int) -> tuple[str, int]:
    """What a negative entry of a history means: the word and the player."""
    return ENDS[(-1 - code) // 2], (-1 - code) % 2


def audience_of(number: int) -> Audience:
    try:
        return Audience(number)
    except ValueError:
        raise ValueError(f"an audience is P1, P2, PUBLIC or JUDGE, not {number!r}") from None
