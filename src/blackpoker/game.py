"""The public object: one game, its decisions and moves, what each seat may know, its texts.

``push`` of an integer is the hot path: a membership test, the engine's own push, one append. Everything else is made
when it is asked for. Undo restores a copy and plays forward again; there is no code that takes a rule back.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mypy_extensions import i64

from blackpoker.errors import IllegalMove, UnreadableText
from blackpoker.notation import saved_state
from blackpoker.notation.moves import Move, count_sentences, goes_on, move_of, place_of, sentences
from blackpoker.notation.tokens import fill_decision, kind_name, marked, word
from blackpoker.regulation import EDITION, Deck, DeckError, DeckList, Regulation, RegulationError, check_decks, new_game
from blackpoker.rules import refusals as reasons
from blackpoker.rules import visibility as vis
from blackpoker.rules.cards import parse_card
from blackpoker.rules.engine import MOST_TURNS, Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import DRAW, NOTHING, UNDECIDED
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.shapes import Event, ResultView, View
from blackpoker.rules.shuffler import Shuffler, seeded
from blackpoker.rules.visibility import Audience, Report
from blackpoker.texts.prompts import Prompts

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

_SPEAKERS: Final[dict[str, Prompts]] = {}


def speaker(lang: str) -> Prompts:
    if lang not in _SPEAKERS:
        _SPEAKERS[lang] = Prompts(EDITION, "ja" if lang == "ja" else "en")
    return _SPEAKERS[lang]


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


class Word:
    """An offered option: its number, its word in the notation, and at a chance the action it names."""

    def __init__(self, option: int, text: str, action: str | None, label_en: str, label_ja: str) -> None:
        self.option = option
        self.text = text
        self.action = action
        self.label_en = label_en
        self.label_ja = label_ja

    def label(self, lang: str) -> str:
        """What a button says."""
        return self.label_ja if lang == "ja" else self.label_en

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Word({self.option}: {self.text})"


class Decision:
    """Who must choose what. ``options`` are the legal next words; they and the prompt are made when asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._options: list[Word] | None = None
        self.player = int(engine.asked)
        self.kind = kind_name(engine)

    @property
    def prompt(self) -> str:
        return self.prompt_in("en")

    def prompt_in(self, lang: str) -> str:
        """What the asked player reads, in ``ja`` or ``en``."""
        return speaker(lang).prompt(self._engine)

    @property
    def options(self) -> list[Word]:
        made = self._options
        if made is None:
            engine = self._engine
            en = speaker("en")
            ja = speaker("ja")
            made = []
            for option in engine.options:
                text = marked(engine, option)
                action = text if self.kind == "chance" and text != "pass" else None
                made.append(Word(option, text, action, en.option(engine, option), ja.option(engine, option)))
            self._options = made
        return made

    @property
    def words(self) -> list[str]:
        """The texts of the options."""
        return [marked(self._engine, option) for option in self._engine.options]

    def __repr__(self) -> str:
        words = self.words
        shown = " ".join(words[:12]) + (" …" if len(words) > 12 else "")
        return f"Decision({PLAYERS[self.player]} {self.kind}: {shown})"


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
    trial = engine.copy()
    open = True
    for option in move.options:
        if option not in trial.options:
            return False
        before = place_of(trial)
        trial.push(option)
        open = goes_on(trial, before)
    return not open


class Game:
    """A game of BlackPoker."""

    def __init__(
        self,
        regulation: str | Regulation = "master+full",
        seed: int | None = None,
        decks: Sequence[Any] | None = None,
        chance: Shuffler | None = None,
    ) -> None:
        """``decks``: for each player a Deck, a text or list of cards, or None for the regulation's own. ``chance``: a
        source of shuffles, which may have outcomes injected; else a generator of ``seed``, or of a secret one."""
        if chance is _BLANK:
            return
        self.regulation = read_regulation(regulation)
        self.seed = seed
        source = chance if chance is not None else seeded(secrets.randbits(62) if seed is None else seed)
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

    # -- choosing --------------------------------------------------------------------------------------------------

    @property
    def options(self) -> list[int]:
        """The engine's own list of what may be chosen now; empty when the game is over. Do not change it."""
        return self.engine.options

    @property
    def player(self) -> int:
        """Who must choose; -1 when the game is over."""
        return self.engine.asked

    def push(self, move: int | Move) -> None:
        """Choose an option, or say a whole sentence."""
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
            if len(history) % RUNG == 0:
                self.climb()
        else:
            self.push_move(move)

    def push_move(self, move: Move) -> None:
        if move.player != self.engine.asked or not fits(self.engine, move):
            why = reasons.OTHER_ASKED if move.player != self.engine.asked else reasons.WORD_MISFIT
            raise IllegalMove(f"{move.text!r}: {why.en}", f"「{move.text}」：{why.ja}", why.ruling)
        start = len(self.history)
        for option in move.options:
            self.push(option)
        if len(self.history) > start + 1:
            self.spans.append((start, len(self.history)))

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

    def resign(self, player: int) -> None:
        """Give up: a loss (R-223)."""
        self.end("resign", player)

    def end(self, how: str, player: int) -> None:
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

    def replayed(self, rung: int, n: int) -> Engine:
        """A new engine at this place of the history: from a rung of the ladder, every shuffle as it was."""
        base = self.ladder[rung]
        engine = base.copy()
        source = engine.source
        outcomes = self.outcomes
        known = self.shuffles[rung]
        waiting = source.injected
        log = outcomes[:known]
        source.injected = outcomes[known:]
        source.log = log
        for option in self.history[rung * RUNG : n]:
            play(engine, option)
        if waiting:
            for done in log[known:]:
                for outcome in waiting:
                    if outcome[0] == done[0]:
                        waiting.remove(outcome)
                        break
        source.injected = waiting
        return engine

    def copy(self) -> Game:
        """An independent game in the same state, with the same past."""
        new = Game(chance=_BLANK)
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
        if new.teller is not None:
            new.teller.log = []
        return new

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """Who must choose what; None when the game is over."""
        return None if self.engine.kind == NOTHING else Decision(self.engine.copy())

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
            "edition": EDITION.name,
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
    def from_json(text: str, chance: Shuffler | None = None) -> Game:
        """A game saved by ``to_json``."""
        from blackpoker.notation.saved import read_saved

        return read_saved(text, chance)

    def hash(self) -> str:
        """A name of the state, the same in every build."""
        return saved_state.state_hash(self.engine)

    def position(self) -> str:
        """The position as a TOML text (docs/notation.md)."""
        from blackpoker.notation.position import write_position

        return write_position(self)

    @staticmethod
    def from_position(text: str, seed: int | None = None) -> Game:
        from blackpoker.notation.position import read_position

        return read_position(text, seed)

    def record(self) -> str:
        """The whole game as text: it needs no generator to be played again."""
        from blackpoker.notation.record import write_record

        return write_record(self)

    @staticmethod
    def from_record(text: str, seed: int | None = None) -> Game:
        from blackpoker.notation.record import read_record

        return read_record(text, seed)

    @staticmethod
    def at(engine: Engine, regulation: Regulation, kind: str, text: str, seed: int | None = None) -> Game:
        """A game that starts from an engine in the middle of play. ``kind`` and ``text`` say so in the record."""
        new = Game(chance=_BLANK)
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


def read_regulation(regulation: str | Regulation) -> Regulation:
    if isinstance(regulation, str):
        try:
            return Regulation.parse(regulation)
        except RegulationError as error:
            raise UnreadableText(error.en, error.ja) from error
    return regulation


def read_decks(regulation: Regulation, decks: Sequence[Any] | None) -> list[Deck | None]:
    """Decks a caller brings, checked (R-190)."""
    if decks is None:
        return [None, None]
    if len(decks) != 2:
        raise UnreadableText("decks are two, one per player", "デッキは2つ（プレイヤーごとに1つ）です")
    out: list[Deck | None] = []
    for deck in decks:
        if deck is None:
            out.append(None)
            continue
        if isinstance(deck, DeckList):
            deck = deck.decks[0]
        if not isinstance(deck, Deck):
            deck = Deck(tuple(sorted(read_card(card) for card in (deck.split() if isinstance(deck, str) else deck))))
        if regulation.frame.decks == 1:
            try:
                check_decks([deck], regulation)
            except DeckError as error:
                raise UnreadableText("; ".join(error.defects), "、".join(error.defects_ja)) from error
        out.append(deck)
    return out


def read_card(card: int | str) -> int:
    if isinstance(card, int):
        return card
    found = parse_card(card)
    if found < 0:
        raise UnreadableText(f"{card!r} is no card", f"「{card}」というカードはありません")
    return found
