"""Records: a whole game as text, replayed without a generator.

    BlackPoker record 2
    edition: act6.1+ex6.30.1 + house 1.0 5c0b2f0c6a8f1d34    packages after it, and the hash of the definitions
    regulation: master+full
    p1: Alice
    p2: Bob
    result: p1 life
    date: 2026-01-31               optional
    deck p1: SA S2 …
    shuffle p1: H4 D9 …            every shuffle in its order, cards from the top
    start: deal                    or position / state, with the text of it in the lines marked |
    turn 1 p2 4cd09a926838d4a1     number and player of a new turn, and the name of the state (Game.hash)
    p2: set_bulwark
    p2: D4

Lines that are empty or begin with ``#`` are comments. An unfinished last move ends with ``...``. An end from outside
the rules is a last line: ``p1: resign``, ``time``, ``abandon``, ``agree``, ``void``, ``fault``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from blackpoker.engine.cards import NAMES, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import UNDECIDED
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import SHOWN_KIND
from blackpoker.errors import BlackPokerError, UnreadableText
from blackpoker.formats.savegame import clean_name
from blackpoker.game.game import Game, game_at, inject, replayer, shuffles_of
from blackpoker.game.outcome import ENDS, apply_entry, decode_end
from blackpoker.game.start import GameStart
from blackpoker.notation import state_writer
from blackpoker.notation.limits import MOST_FILE, checked_text, quoted
from blackpoker.notation.move import ELLIPSIS, MoveWriter
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.notation.state_check import SaveError
from blackpoker.notation.state_reader import read_state
from blackpoker.ruleset import Deck, Edition, Regulation, RegulationError, edition_for_record

HEAD: Final = "BlackPoker record 3"
#: hashes of these records are not compared: they covered the memory of players (1) and numbers of actions (2), which
#: change when an action is added
OLD_HEADS: Final = ("BlackPoker record 1", "BlackPoker record 2")
#: more than any real game: 500 turns of 200 requests each
MOST_LINES: Final = 400_000
_SHOWN_MOVE: Final = re.compile(r"p[12]: *\^")
_TURN: Final = re.compile(r"turn (\d{1,6}) (p[12]) ([0-9a-f]{16})$")


# -- writing -----------------------------------------------------------------------------------------------------------


def write_record(game: Game) -> str:
    out = [
        HEAD,
        f"edition: {game.regulation.edition.text}",
        f"regulation: {game.regulation.text}",
        f"p1: {clean_name(game.names[0])}".rstrip(),
        f"p2: {clean_name(game.names[1])}".rstrip(),
        f"result: {result_text(game)}",
    ]
    if game._start.kind == "deal":
        out += [f"deck {seat}: {_cards(deck)}".rstrip() for seat, deck in zip(PLAYERS, game._start.decks, strict=True)]
    out += [f"shuffle {PLAYERS[player]}: {_cards(cards)}".rstrip() for player, cards in shuffles_of(game)]
    out.append(f"start: {game._start.kind}")
    out += [f"| {line}".rstrip() for line in game._start.text.splitlines()]
    out += _moves(game)
    return "\n".join(out) + "\n"


def result_text(game: Game) -> str:
    over = game.outcome()
    if over is None:
        return "*"
    if over.winner is not None:
        return f"{PLAYERS[over.winner]} {over.reason}"
    return "draw agreed" if over.reason == "draw" else f"draw {over.reason}"


def _cards(cards: list[int]) -> str:
    return " ".join(NAMES[card] for card in cards)


def turn_line(engine: Engine) -> str:
    return f"turn {engine.turn_number} {PLAYERS[engine.turn]} {state_writer.state_hash(engine)}"


def _moves(game: Game) -> list[str]:
    """Return the history as moves, with a checkpoint at the start of each turn."""
    engine = replayer(game)
    out = [turn_line(engine)]
    turn = engine.turn_number
    writer: MoveWriter | None = None
    player = 0
    for option in game.history:
        if option < 0:
            end_word, loser = decode_end(option)
            out.append(f"{PLAYERS[loser]}: {end_word}")
            apply_entry(engine, option)
            writer = None
            continue
        if writer is None:
            writer = MoveWriter()
            player = int(engine.asked)
        if writer.push(engine, option):
            continue
        out.append(f"{PLAYERS[player]}: {writer.text()}")
        writer = None
        if engine.turn_number != turn and engine.winner == UNDECIDED:
            turn = engine.turn_number
            out.append(turn_line(engine))
    if writer is not None:
        out.append(f"{PLAYERS[player]}: {writer.partial_text()}")
    return out


# -- reading -----------------------------------------------------------------------------------------------------------


class _RecordError(Exception):
    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.ja = ja


def read_record(text: str, seed: int | None = None, edition: Edition | None = None) -> Game:
    """Return the game of a record; later shuffles come from ``seed``. Raise `UnreadableText` if it cannot be read or a
    checkpoint differs."""
    text = checked_text(text, MOST_FILE, "a record", "棋譜")
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise UnreadableText(f"a record has at most {MOST_LINES} lines", f"棋譜は{MOST_LINES}行までです")
    reader = _RecordReader(seed, edition)
    for number, line in enumerate(lines, 1):
        try:
            reader.line(line.rstrip())
        except _RecordError as error:
            raise UnreadableText(f"record, line {number}: {error}", f"棋譜{number}行目：{error.ja}") from error
        except BlackPokerError as error:
            raise UnreadableText(f"record, line {number}: {error.en}", f"棋譜{number}行目：{error.ja}") from error
    try:
        return reader.finish()
    except _RecordError as error:
        raise UnreadableText(f"record: {error}", f"棋譜：{error.ja}") from error


class _RecordReader:
    def __init__(self, seed: int | None, edition: Edition | None) -> None:
        self.seed = seed
        self.edition = edition
        self.first = True
        self.head: dict[str, str] = {}
        self.decks: list[list[int] | None] = [None, None]
        self.shuffles: list[tuple[int, list[int]]] = []
        self.start_lines: list[str] = []
        self.started = False
        self.game: Game | None = None
        self.partial = False
        self.has_old_hashes = False

    def line(self, line: str) -> None:
        if not line.strip() or line.startswith("#"):
            return
        if self.first:
            self.has_old_hashes = line.strip() in OLD_HEADS
            if line.strip() not in (HEAD, *OLD_HEADS):
                raise _RecordError(f"a record begins with {HEAD!r}", f"棋譜は「{HEAD}」で始まります")
            self.first = False
        elif self.started:
            self.body_line(line)
        else:
            self.header(line)

    def header(self, line: str) -> None:
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if not colon:
            raise _RecordError(f"{quoted(line)} is no line of the head", f"{quoted(line)} が読めません")
        seat = name[-2:]
        if name in ("deck p1", "deck p2"):
            self.decks[PLAYERS.index(seat)] = _read_cards(value)
        elif name in ("shuffle p1", "shuffle p2"):
            self.shuffles.append((PLAYERS.index(seat), _read_cards(value)))
        elif name in ("edition", "regulation", "p1", "p2", "result", "date", "start"):
            if name in self.head:
                raise _RecordError(f"{name} stands there twice", f"{name} が2回あります")
            self.head[name] = value
            if name == "start":
                if value not in ("deal", "position", "state"):
                    raise _RecordError(
                        "start is deal, position or state", "start は deal・position・state のどれかです"
                    )
                self.started = True
        else:
            raise _RecordError(f"{quoted(name)} is unknown", f"{quoted(name)} は知らない項目です")

    def body_line(self, line: str) -> None:
        if line.strip() in (HEAD, *OLD_HEADS):
            raise _RecordError(
                "another record begins here: Record.read_all reads a file of several",
                "別の棋譜が始まります。複数の棋譜は Record.read_all で読みます",
            )
        if line.startswith("|"):
            if self.game is not None:
                raise _RecordError("the start is already over", "開始局面はもう終わっています")
            self.start_lines.append(line[2:])
            return
        game = self.start_game()
        while game._engine.kind == SHOWN_KIND and game._engine.draft is None and not _SHOWN_MOVE.match(line):
            game.push(game.options[-1])  # missing in earlier records: the default
        if self.partial:
            raise _RecordError("a move follows one that is not complete", "途中の手の後に手があります")
        turn = _TURN.match(line)
        if turn is not None:
            self.checkpoint(game, turn)
            return
        seat, colon, text = line.partition(":")
        text = text.strip()
        if not colon or seat not in PLAYERS:
            raise _RecordError(f"{quoted(line)} is neither a move nor a turn", f"{quoted(line)} が読めません")
        player = PLAYERS.index(seat)
        if text in ENDS:
            game.end(text, player)
        elif text.endswith(ELLIPSIS):
            self.push_partial(game, player, text[: -len(ELLIPSIS)])
        else:
            game.push_text(text, player)

    def checkpoint(self, game: Game, turn: re.Match[str]) -> None:
        engine = game._engine
        if int(turn[1]) != engine.turn_number or turn[2] != PLAYERS[engine.turn]:
            raise _RecordError(
                f"the record says turn {turn[1]} of {turn[2]}, the game is at turn {engine.turn_number} of "
                f"{PLAYERS[engine.turn]}",
                f"棋譜では{turn[1]}ターン目（{turn[2]}）ですが、ゲームは{engine.turn_number}ターン目です",
            )
        if turn[3] != game.hash() and not self.has_old_hashes:
            raise _RecordError(
                f"turn {turn[1]}: the state is not the recorded one ({game.hash()} instead of {turn[3]})",
                f"{turn[1]}ターン目の状態が棋譜と違います",
            )

    def push_partial(self, game: Game, player: int, text: str) -> None:
        """Push the tokens of an unfinished move."""
        self.partial = True
        builder = MoveBuilder(game._engine)
        if builder.seat == player and game.options:
            builder.extend_text(text)
        if not builder.options or builder.complete:
            raise _RecordError("the move that is not complete does not fit", "途中の手が合いません")
        for option in builder.options:
            game.push(option)

    def start_game(self) -> Game:
        """Return the game before its first move, created on the first call."""
        if self.game is not None:
            return self.game
        edition_name = self.head.get("edition", "")
        edition = edition_for_record(edition_name) if self.edition is None else self.edition
        if not edition.matches(edition_name):
            ja, en = edition.mismatch_text(edition_name)
            raise _RecordError(en, ja)
        try:
            regulation = Regulation.parse(self.head.get("regulation", "")[:200], edition)
        except RegulationError as error:
            raise _RecordError(error.en, error.ja) from error
        source = seeded(self.seed) if self.seed is not None else seeded(0)
        source.injected = self.shuffles[:]
        self.game = game = self.start(regulation, source)
        game.names = [clean_name(self.head.get(seat, "")) for seat in PLAYERS]
        game._start = replace(game._start, seed=self.seed)
        return game

    def start(self, regulation: Regulation, source: Shuffler) -> Game:
        kind = self.head["start"]
        text = "\n".join(self.start_lines)
        if kind == "deal":
            if self.decks[0] is None or self.decks[1] is None or text:
                raise _RecordError("a deal needs the decks of both players", "両者のデッキが必要です")
            decks = [Deck(tuple(deck)) for deck in self.decks if deck is not None]
            return Game(regulation, decks=decks, shuffler=source)
        if kind == "position":
            from blackpoker.formats.position import read_position

            game = read_position(text, edition=regulation.edition)
        else:
            from blackpoker.formats.savegame import parse_json

            try:
                engine = read_state(regulation.rules(), parse_json(text, "the record's state"), source)
            except SaveError as error:
                raise _RecordError(str(error), "状態が読めません") from error
            game = game_at(engine, regulation, GameStart(kind, text))
        if game.regulation.rules() is not regulation.rules():
            raise _RecordError("the start has another format", "開始局面のフォーマットが違います")
        game.regulation = regulation
        game._start = replace(game._start, text=text)
        inject(game, self.shuffles)
        return game

    def finish(self) -> Game:
        if self.first or not self.started:
            raise _RecordError("it ends before the game has begun", "ゲームの開始前に終わっています")
        game = self.start_game()
        if game._engine.source.injected:
            raise _RecordError("it has shuffles that never happened", "起こらなかったシャッフルがあります")
        result = self.head.get("result", "")
        if result != result_text(game):
            raise _RecordError(
                f"the result is {result_text(game)!r}, the record says {quoted(result)}", "結果が棋譜と違います"
            )
        # All shuffles of the record are in the log now; later ones are not injected.
        inject(game, None)
        if self.seed is None:
            import secrets

            fresh = seeded(secrets.randbits(62)).state
            game._engine.source.state = fresh
        return game


def _read_cards(text: str) -> list[int]:
    out: list[int] = []
    for name in text.split()[:60]:
        card = parse_card(name)
        if card < 0 or card in out:
            raise _RecordError(f"{quoted(name)} is no card, or stands there twice", f"{quoted(name)} が読めません")
        out.append(card)
    return out
