"""The game of a room: entries make the game, and replaying them makes the same one.

This module knows neither time, connections nor response windows: ``start`` sets up the game, ``apply`` applies an
entry.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from blackpoker.assist.compose import Composed
from blackpoker.assist.decision import Decision, Draft
from blackpoker.ending import Outcome as GameOutcome
from blackpoker.game import Game
from blackpoker.played import PlayedStep
from blackpoker.regulation import DeckList, Regulation
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.fairness import Terms
from blackpoker.server.rooms.feed import Feed
from blackpoker.server.rooms.match import SealedMatch
from blackpoker.server.rooms.seats import NAMES, Finished, GameEntry
from blackpoker.wire import protocol as p
from blackpoker.words.moves import Move


@dataclass(frozen=True)
class Seal:
    """Source of the shuffles of a game or match, and its players."""

    terms: Terms
    secret: bytes
    salts: tuple[str, str]
    decks: tuple[str, str]  # as submitted
    names: tuple[str, str]
    levels: tuple[str, str]
    version: int = fairness.VERSION
    bots: tuple[str, str] = ("", "")  # public ids of bots
    queue: bool = False  # True if matchmaking paired the players
    players: tuple[str, str] = ("", "")  # public ids of accounts
    rated: bool = False
    tournament: dict[str, Any] | None = None  # metadata of the tournament it belongs to

    @property
    def key(self) -> bytes:
        if self.version == 1:
            return fairness.key_of_1(self.secret, self.salts)
        if self.version == 2:
            return fairness.key_of_2(self.secret, self.terms.seals, self.terms.room, self.terms.game)
        return fairness.key_of(self.secret, self.terms, self.salts)


NOTHING: Final = Seal(Terms("", 0, "", "", "", "", ("", ""), ("", "")), b"", ("", ""), ("", ""), ("", ""), ("", ""))


class Own(NamedTuple):
    """A move of a seat: number, game of the match, and ``what``: it raised a ``request``, answered a question of an own
    request (``inside``), or neither (empty)."""

    seq: int
    seat: int
    part: int
    what: str


class RoomTable:
    """The games or matches of a room, one after another."""

    def __init__(self, regulation: Regulation) -> None:
        self.regulation = regulation
        self.seal: Seal = NOTHING
        self.match: SealedMatch | None = None
        self.last: Game | None = None  # the last finished game
        self.entries: list[GameEntry] = []
        self.seq: int = 0  # moves applied
        self.marks: list[tuple[int, int]] = []  # per seq: part of the match, length of its history before
        self.own: list[Own] = []  # own moves that have not been taken back
        self.feed: Feed = Feed()
        self.results: list[p.Over] = []
        self.parts: list[tuple[Game, float, str]] = []  # finished games of the match with their end and record
        self.practice: bool = False
        self.rewinds: int = 0
        self.tried: dict[tuple[str, ...], list[int]] = {}  # complete moves of the last draft; they need no second check
        self.finished: list[Finished] = []

    # -- queries -----------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game in play; None between the games of a match, and before and after it."""
        return None if self.match is None else self.match.game

    @property
    def player(self) -> int:
        """The player who must choose; -1: none."""
        return -1 if self.match is None else self.match.player

    @property
    def over(self) -> bool:
        return self.match is not None and self.match.outcome() is not None

    @property
    def part(self) -> int:
        """The number of the game in the match."""
        return 0 if self.match is None else len(self.match.picked)

    def decision(self) -> Decision:
        """Return the present decision of the game in play; valid until the next move."""
        game = self.game
        assert game is not None
        decision = game.glance()
        assert decision is not None
        return decision

    def sentence(self, words: list[str]) -> list[int]:
        """Return the options of a whole move in the game in play; raise `IllegalMove` if it is none."""
        game = self.game
        assert game is not None
        known = self.tried.get(tuple(words))
        return game.sentence(words) if known is None else known

    def compose(self, words: list[str], picks: list[str]) -> Composed:
        """Try tokens and return the proposed completion of the request."""
        game = self.game
        assert game is not None
        found = game.compose(words, picks)
        self.tried = {tuple(found.draft.words): found.draft.options} if found.draft.complete else {}
        return found

    def draft(self, words: list[str] | Move) -> tuple[Draft, list[str]]:
        """Try tokens. Return the draft, and the whole proposed move if it is incomplete."""
        game = self.game
        assert game is not None
        draft = game.draft(words)
        self.tried = {}
        if draft.complete:
            self.tried[tuple(draft.words)] = draft.options
        decision = draft.decision
        rest = None if decision is None else decision.completion()
        if rest is None:
            return draft, []
        proposal = draft.words + rest.words
        if rest.complete:
            self.tried[tuple(proposal)] = draft.options + rest.options
        return draft, proposal

    def rewind_to(self, place: int, wanted: int) -> int | None:
        """Return the number a seat may rewind to: the start of its last act, or ``wanted`` if that move still stands;
        None if there is none. A confirmed request is taken back with its payment and the questions of its effect."""
        inside: int | None = None
        for one in reversed(self.own):
            if one.part != self.part or one.seq < wanted:
                break
            if one.seat != place:
                continue
            if wanted:
                if one.seq == wanted:
                    return wanted
            elif one.what == "request" or (inside is None and one.what == ""):
                return one.seq
            elif inside is None:
                inside = one.seq
        return inside

    # -- playing -----------------------------------------------------------------------------------------------------

    def lay(self, seal: Seal, decks: Sequence[DeckList | None], start: Game | None, practice: bool) -> None:
        """Set up a game before the first move, from the room's row alone (deterministic)."""
        self.seal = seal
        self.practice = practice
        self.entries = []
        self.tried = {}
        self.seq = self.rewinds = 0
        self.marks, self.own, self.results, self.parts = [], [], [], []
        self.feed = Feed()
        self.match = SealedMatch(self.regulation, seal.key, decks, start, seal.version == fairness.VERSION)
        self.match.names = list(seal.names)
        self._game_started()

    def apply(self, entry: GameEntry) -> None:
        """Apply an entry."""
        match = self.match
        assert match is not None
        game = match.game
        part = len(match.picked)
        self.marks.append((part, 0 if game is None else len(game.history)))
        finished = len(match.games)
        if self.tried:
            self.tried = {}
        if entry.kind == "say":
            self.own.append(Own(self.seq, entry.seat, part, "" if game is None else part_of_act(game, entry)))
        self.seq += 1
        if entry.kind in ("say", "auto"):
            self._push(match, game, entry)
        elif entry.kind == "rewind":
            self._rewind(entry.options[0])
        elif entry.kind == "draw":
            match.end("agree", 1 - entry.seat)  # the entry names the seat that offered it
        else:
            match.end(entry.kind, entry.seat)
        if len(match.games) > finished and game is not None:
            self._game_ended(game, entry.at)
        if match.game is not None and match.game is not game:
            self._game_started()

    def _push(self, match: SealedMatch, game: Game | None, entry: GameEntry) -> None:
        if game is None:
            match.push(entry.options[0])
            return
        step = PlayedStep.opened(game)
        for option in entry.options:
            self._unsaid(match, game, entry.seat, option)
            match.push(option)
        if game.kind == "shown" and self.decision().said:
            self._unsaid(match, game, entry.seat)
        step.close()
        self.feed.add(self.seq, step)
        if entry.kind == "auto":
            self.feed.passed(self.seq, entry.seat, entry.why, entry.stop)

    def _unsaid(self, match: SealedMatch, game: Game, seat: int, option: int = -1) -> None:
        """Choose the default card where moves stored before R-211 had its word do not name the card seen."""
        while game.kind == "shown" and (game.player != seat or option not in game.options):
            match.push(game.options[-1])

    def _rewind(self, to: int) -> None:
        part, length = self.marks[to]
        game = self.game
        if game is None or part != self.part:
            return
        game.go_to(length)
        self.feed.forget(to)
        while self.own and self.own[-1].seq >= to:
            self.own.pop()
        self.rewinds += 1
        self.practice = True

    def _game_started(self) -> None:
        """Log the deal."""
        game = self.game
        if game is not None:
            game.names = list(self.seal.names)
            if self.match is not None and self.match.games:
                self.feed.heading(self.seq, self.match.series.number)
            self.feed.add(self.seq, game.opening)

    def _game_ended(self, game: Game, at: float) -> None:
        """Keep the record of a finished game until the match is over: it shows a deck's cards (R-201) and opens the
        secret."""
        self.last = game
        over = game.outcome()
        assert over is not None
        seal = self.seal
        result = p.Over(seal.terms.game, winner_name(over), over.reason, self.over)
        text = game.record()
        if seal.version == fairness.VERSION:
            before = self.results[-1].chain if self.results else ""
            part = len(self.results) + 1
            result.chain = fairness.chain_of(seal.secret, before, seal.terms, part, fairness.lines_of(text))
        self.results.append(result)
        self.parts.append((game, at, text))
        if self.over:
            for number, earlier in enumerate(self.results, 1):
                earlier.record = share_id(seal.secret, seal.terms.game, number)
            result.commitment = seal.terms.commitment
            result.secret = seal.secret.hex()
            result.seals = list(seal.terms.seals)
            result.salts = list(seal.salts)
            hidden = seal.tournament is not None and seal.tournament["hidden"]
            result.decks = [] if hidden else list(seal.decks)  # the record contains them and is published later
            self.finished += [self._finished(number, *played) for number, played in enumerate(self.parts, 1)]

    def _finished(self, part: int, game: Game, at: float, text: str) -> Finished:
        over = game.outcome()
        assert over is not None
        meta: dict[str, Any] = {
            "regulation": self.regulation.text,
            "names": list(self.seal.names),
            "levels": list(self.seal.levels),
            "bots": list(self.seal.bots),
            "queue": self.seal.queue,
            "players": list(self.seal.players),
            "rated": self.seal.rated,
            "winner": winner_name(over),
            "reason": over.reason,
            "turns": int(game.turn_number),
            "practice": self.practice,
            "at": at,
            "part": part,
        }
        if self.seal.tournament is not None:
            meta["tournament"] = self.seal.tournament
        share = share_id(self.seal.secret, self.seal.terms.game, part)
        return Finished(self.seal.terms.game, part, share, self._opened(text, part), meta)

    def _opened(self, text: str, part: int) -> str:
        """Return the record with the verifier's data as comments."""
        head, _, rest = text.partition("\n")
        return "\n".join([head, *(line.rstrip() for line in opened_lines(self.seal, part, self.results)), rest])


def part_of_act(game: Game, entry: GameEntry) -> str:
    """Return the role of a move for its player: "request", "inside" or ""."""
    if game.kind == "chance":
        return "" if game.word(entry.options[0]) == "pass" else "request"
    return "inside" if game.carries_out(entry.seat) else ""


def opened_lines(seal: Seal, part: int, results: list[p.Over]) -> list[str]:
    """Return the comment lines a record opens: what both seats saw before the game, and the secrets."""
    terms, plain = seal.terms, seal.version < fairness.VERSION
    salts = [salt if plain else json.dumps(salt) for salt in seal.salts]
    lines = [f"# commitment: {terms.commitment}", f"# secret: {seal.secret.hex()}"]
    lines += [f"# salt {name}: {salt}" for name, salt in zip(NAMES, salts, strict=True)]
    if seal.version == 1:
        return [*lines, f"# stream: {part}"]
    lines += [f"# seal {name}: {text}" for name, text in zip(NAMES, terms.seals, strict=True)]
    lines += [f"# fair: {seal.version}", f"# room: {terms.room}", f"# game: {terms.game}", f"# part: {part}"]
    if plain:
        return lines
    lines += [f"# seat {name}: {who}" for name, who in zip(NAMES, terms.seats, strict=True)]
    lines += [f"# deck {name}: {json.dumps(deck)}" for name, deck in zip(NAMES, seal.decks, strict=True)]
    before = results[part - 2].chain if part > 1 else ""
    return [*lines, f"# before: {before}", f"# chain: {results[part - 1].chain}"]


def winner_name(over: GameOutcome) -> Literal["p1", "p2", "draw"]:
    return "draw" if over.winner is None else NAMES[over.winner]


def share_id(secret: bytes, game: int, part: int) -> str:
    """Return the address of a record, which cannot be guessed."""
    return hashlib.sha256(b"blackpoker share 1\n" + secret + bytes((game % 256, part % 256))).hexdigest()[:20]


def read_start(text: str) -> Game:
    """Return the game of a saved game (JSON) or a position."""
    return Game.from_json(text) if text.lstrip().startswith("{") else Game.from_position(text)
