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

from blackpoker import Audience, Player
from blackpoker.assist.decision import Decision, Draft
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.game.outcome import Outcome as GameOutcome
from blackpoker.game.step import GameStep
from blackpoker.notation.options import DONE_TOKEN, KIND_NAMES
from blackpoker.players.computer_moves import PLAYER_VERSION
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions
from blackpoker.ruleset import DeckList, Regulation
from blackpoker.server.fairness import seal
from blackpoker.server.fairness.seal import Terms
from blackpoker.server.fairness.sealed_match import SealedMatch
from blackpoker.server.rooms.game_log import GameLog
from blackpoker.server.rooms.seats import SEAT_NAMES, FinishedGame, GameEntry


@dataclass(frozen=True)
class GameSetup:
    """Source of the shuffles of a game or match, and its players."""

    terms: Terms
    secret: bytes
    salts: tuple[str, str]
    decks: tuple[str, str]  # as submitted
    names: tuple[str, str]
    levels: tuple[str, str]
    version: int = seal.VERSION
    bots: tuple[str, str] = ("", "")  # public ids of bots
    queue: bool = False  # True if matchmaking paired the players
    players: tuple[str, str] = ("", "")  # public ids of accounts
    rated: bool = False
    tournament: dict[str, Any] | None = None  # metadata of the tournament it belongs to
    owners: tuple[str, str] = ("", "")  # as ``players``, also for guests, whose games belong to a later account

    @property
    def key(self) -> bytes:
        if self.version == 1:
            return seal.make_key_1(self.secret, self.salts)
        if self.version == 2:
            return seal.make_key_2(self.secret, self.terms.seals, self.terms.room, self.terms.game)
        return seal.make_key(self.secret, self.terms, self.salts)


EMPTY_SETUP: Final = GameSetup(
    Terms("", 0, "", "", "", "", ("", ""), ("", "")), b"", ("", ""), ("", ""), ("", ""), ("", "")
)


class OwnMove(NamedTuple):
    """A move of a seat: number, game of the match, and ``what``: it raised a ``request``, answered a question of an own
    request (``inside``), or neither (empty)."""

    seq: int
    seat: int
    part: int
    role: str


class RoomGame:
    """The games or matches of a room, one after another."""

    def __init__(self, regulation: Regulation) -> None:
        self.regulation = regulation
        self.setup: GameSetup = EMPTY_SETUP
        self.match: SealedMatch | None = None
        self.last_game: Game | None = None  # the last finished game
        self.entries: list[GameEntry] = []
        self.seq: int = 0  # moves applied
        self.rewind_points: list[tuple[int, int]] = []  # per seq: part of the match, length of its history before
        self.own_moves: list[OwnMove] = []  # own moves that have not been taken back
        self.log: GameLog = GameLog()
        self.results: list[p.GameOver] = []
        self.finished_parts: list[tuple[Game, float, str]] = []  # finished games of the match with their end and record
        self.practice: bool = False
        self.rewinds: int = 0
        self.checked_moves: dict[
            tuple[str, ...], list[int]
        ] = {}  # complete moves of the last draft; they need no second check
        self.finished_games: list[FinishedGame] = []

    # -- queries -----------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game in play; None between the games of a match, and before and after it."""
        return None if self.match is None else self.match.game

    @property
    def player(self) -> int:
        """The player who must choose; -1: none."""
        return -1 if self.match is None or self.match.outcome() is not None else int(self.match.player)

    @property
    def is_over(self) -> bool:
        return self.match is not None and self.match.outcome() is not None

    @property
    def part(self) -> int:
        """The number of the game in the match."""
        return 0 if self.match is None else len(self.match.picked)

    @property
    def event_count(self) -> int:
        """Return the number of events of the match so far."""
        games = [game for game, _, _ in self.finished_parts]
        if self.game is not None and all(game is not self.game for game in games):
            games.append(self.game)
        return sum(len(game.event_views(Audience.PUBLIC)) for game in games)

    def decision(self) -> Decision:
        """Return the present decision of the game in play; valid until the next move."""
        game = self.game
        assert game is not None
        decision = Assistant(game).decision
        assert decision is not None
        return decision

    def move_options(self, tokens: list[str]) -> list[int]:
        """Return the options of a whole move in the game in play; raise `IllegalMove` if it is none."""
        game = self.game
        assert game is not None
        options = self.checked_moves.get(tuple(tokens))
        return Assistant(game).options_of(tokens) if options is None else options

    def preview(self, query: p.PreviewMove, lang: str, lean: bool) -> p.PreviewResult:
        """Return the preview of a selection, which a client may request again; raise `BlackPokerError` if it cannot be
        read. A whole move is kept, because it is usually sent next."""
        game = self.game
        assert game is not None
        assistant = Assistant(game)
        self.checked_moves = {}
        if isinstance(query.text, str):
            return self._preview_of(game.draft(game.parse(query.text, self.player)), query.id, lang, lean)
        if not lean and isinstance(query.tap, str):
            selection = assistant.select(query.tokens, query.blocks, query.attacker, query.tap)
            if selection is not None:
                self._keep(selection.draft)
                return questions.fight_preview(selection, query.id, self.seq, lang)
        if (query.complete or query.picks) and assistant.kind == "chance":
            completion = assistant.compose(query.tokens, query.picks, query.complete)
            self._keep(completion.draft)
            return questions.composed_preview(completion, query.id, self.seq, lang, lean)
        part = None if lean else assistant.gather(query.tokens)
        if part is not None:
            return questions.selection_preview(part, query.id, self.seq, lang)
        return self._preview_of(game.draft(query.tokens), query.id, lang, lean)

    def _preview_of(self, draft: Draft, id: int, lang: str, lean: bool) -> p.PreviewResult:
        """Return the preview of a draft, with the whole proposed move if it is incomplete."""
        self._keep(draft)
        decision = draft.decision
        completion = None if decision is None else decision.completion()
        proposal: list[str] = []
        if completion is not None:
            proposal = draft.words + completion.words
            if completion.complete:
                self.checked_moves[tuple(proposal)] = draft.options + completion.options
        return questions.preview_result(draft, id, self.seq, lang, lean, proposal)

    def _keep(self, draft: Draft) -> None:
        if draft.complete:
            self.checked_moves[tuple(draft.words)] = draft.options

    def first_preview(self, prompt: p.Prompt, lang: str) -> p.PreviewResult | None:
        """Return the preview of the selection that is shown before the first tap: no attacker or blocker, the proposed
        answer to a single choice; None if nothing is selected."""
        words = [word for word in prompt.proposal if word != DONE_TOKEN]
        if prompt.kind in ("attackers", "blockers"):
            return self.preview(p.PreviewMove(tap=""), lang, False)
        one_tap = prompt.kind == "trigger" or prompt.kind not in KIND_NAMES.values()  # its answers are words
        if not words or one_tap or (prompt.multiple and prompt.kind != "trumps"):
            return None
        return self.preview(p.PreviewMove(tokens=words), lang, False)

    def rewind_target(self, player: int, wanted: int) -> int | None:
        """Return the number a seat may rewind to: the start of its last act, or ``wanted`` if that move still stands;
        None if there is none. A confirmed request is taken back with its payment and the questions of its effect."""
        inside: int | None = None
        for move in reversed(self.own_moves):
            if move.part != self.part or move.seq < wanted:
                break
            if move.seat != player:
                continue
            if wanted:
                if move.seq == wanted:
                    return wanted
            elif move.role == "request" or (inside is None and move.role == ""):
                return move.seq
            elif inside is None:
                inside = move.seq
        return inside

    # -- playing -----------------------------------------------------------------------------------------------------

    def start(
        self, setup: GameSetup, decks: Sequence[DeckList | None], start_game: Game | None, practice: bool
    ) -> None:
        """Set up a game before the first move, from the room's row alone (deterministic)."""
        self.setup = setup
        self.practice = practice
        self.entries = []
        self.checked_moves = {}
        self.seq = self.rewinds = 0
        self.rewind_points, self.own_moves, self.results, self.finished_parts = [], [], [], []
        self.log = GameLog()
        self.match = SealedMatch(self.regulation, setup.key, decks, start_game, setup.version)
        self.match.names = list(setup.names)
        self._game_started()

    def apply(self, entry: GameEntry) -> None:
        """Apply an entry."""
        match = self.match
        assert match is not None
        game = match.game
        part = len(match.picked)
        self.rewind_points.append((part, 0 if game is None else len(game.history)))
        finished = len(match.games)
        if self.checked_moves:
            self.checked_moves = {}
        if entry.kind == "say":
            self.own_moves.append(OwnMove(self.seq, entry.seat, part, "" if game is None else move_role(game, entry)))
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
        start = len(game.history)
        for option in entry.options:
            self._push_default_cards(match, game, entry.seat, option)
            match.push(option)
        if Assistant(game).kind == "shown" and self.decision().so_far:
            self._push_default_cards(match, game, entry.seat)
        self.log.add(self.seq, GameStep(game, start, len(game.history)))
        if entry.kind == "auto":
            self.log.add_auto_pass(self.seq, entry.seat, entry.why, entry.stop)

    def _push_default_cards(self, match: SealedMatch, game: Game, seat: int, option: int = -1) -> None:
        """Choose the default card where moves stored before R-211 had its word do not name the card seen."""
        while Assistant(game).kind == "shown" and (game.player != SEAT_NAMES[seat] or option not in game.options):
            match.push(game.options[-1])

    def _rewind(self, to: int) -> None:
        part, length = self.rewind_points[to]
        game = self.game
        if game is None or part != self.part:
            return
        game.go_to(length)
        self.log.truncate(to)
        while self.own_moves and self.own_moves[-1].seq >= to:
            self.own_moves.pop()
        self.rewinds += 1
        self.practice = True

    def _game_started(self) -> None:
        """Log the deal."""
        game = self.game
        if game is not None:
            game.names = list(self.setup.names)
            if self.match is not None and self.match.games:
                self.log.start_game(self.seq, self.match.series.number)
            self.log.add(self.seq, next(game.steps(deal=True)))

    def _game_ended(self, game: Game, at: float) -> None:
        """Keep the record of a finished game until the match is over: it shows a deck's cards (R-201) and opens the
        secret."""
        self.last_game = game
        outcome = game.outcome()
        assert outcome is not None
        setup = self.setup
        result = p.GameOver(setup.terms.game, winner_text(outcome), outcome.reason, self.is_over)
        text = game.record()
        if setup.version >= seal.TERMS_VERSION:
            previous = self.results[-1].record_hash if self.results else ""
            part = len(self.results) + 1
            result.record_hash = seal.chain_hash(
                setup.secret, previous, setup.terms, part, seal.significant_lines(text)
            )
        self.results.append(result)
        self.finished_parts.append((game, at, text))
        if self.is_over:
            for number, earlier in enumerate(self.results, 1):
                earlier.record_id = record_id(setup.secret, setup.terms.game, number)
            result.commitment = setup.terms.commitment
            result.secret = setup.secret.hex()
            result.seals = list(setup.terms.seals)
            result.salts = list(setup.salts)
            hidden = setup.tournament is not None and setup.tournament["hidden"]
            result.decks = [] if hidden else list(setup.decks)  # the record contains them and is published later
            self.finished_games += [
                self._finished_game(number, *part_data) for number, part_data in enumerate(self.finished_parts, 1)
            ]

    def computer_seed(self, game: Game) -> int:
        """Return the seed of a computer player's next move."""
        return seal.computer_seed(self.setup.key, self.part, len(game.history))

    def _finished_game(self, part: int, game: Game, at: float, text: str) -> FinishedGame:
        outcome = game.outcome()
        assert outcome is not None
        meta: dict[str, Any] = {
            "regulation": self.regulation.text,
            "names": list(self.setup.names),
            "levels": list(self.setup.levels),
            "bots": list(self.setup.bots),
            "queue": self.setup.queue,
            "players": list(self.setup.players),
            "rated": self.setup.rated,
            "winner": winner_text(outcome),
            "reason": outcome.reason,
            "turns": int(game.turn_number),
            "practice": self.practice,
            "at": at,
            "part": part,
        }
        if self.setup.tournament is not None:
            meta["tournament"] = self.setup.tournament
        id = record_id(self.setup.secret, self.setup.terms.game, part)
        return FinishedGame(
            self.setup.terms.game, part, id, self._record_with_secrets(text, part), meta, self.setup.owners
        )

    def _record_with_secrets(self, text: str, part: int) -> str:
        """Return the record with the verifier's data as comments."""
        head, _, rest = text.partition("\n")
        return "\n".join([head, *(line.rstrip() for line in secret_lines(self.setup, part, self.results)), rest])


def computer_lines(setup: GameSetup) -> list[str]:
    """Return the comment that names the version of a computer player, whose moves can be computed again."""
    return [f"# computer: {PLAYER_VERSION}"] if any(seat.startswith("ai") for seat in setup.terms.seats) else []


def move_role(game: Game, entry: GameEntry) -> str:
    """Return the role of a move for its player: "request", "inside" or ""."""
    if Assistant(game).kind == "chance":
        return "" if Assistant(game).token(entry.options[0]) == "pass" else "request"
    return "inside" if Assistant(game).carries_out(entry.seat) else ""


def secret_lines(setup: GameSetup, part: int, results: list[p.GameOver]) -> list[str]:
    """Return the comment lines a record opens: what both seats saw before the game, and the secrets."""
    terms, unsealed = setup.terms, setup.version < seal.TERMS_VERSION
    salts = [salt if unsealed else json.dumps(salt) for salt in setup.salts]
    lines = [f"# commitment: {terms.commitment}", f"# secret: {setup.secret.hex()}"]
    lines += [f"# salt {name}: {salt}" for name, salt in zip(SEAT_NAMES, salts, strict=True)]
    if setup.version == 1:
        return [*lines, f"# stream: {part}"]
    lines += [f"# seal {name}: {text}" for name, text in zip(SEAT_NAMES, terms.seals, strict=True)]
    lines += [f"# fair: {setup.version}", f"# room: {terms.room}", f"# game: {terms.game}", f"# part: {part}"]
    if unsealed:
        return lines
    lines += [f"# seat {name}: {player}" for name, player in zip(SEAT_NAMES, terms.seats, strict=True)]
    lines += [f"# deck {name}: {json.dumps(deck)}" for name, deck in zip(SEAT_NAMES, setup.decks, strict=True)]
    if setup.version > seal.TERMS_VERSION:
        lines += [f"# key {name}: {key}" for name, key in zip(SEAT_NAMES, terms.keys, strict=True)]
        lines += computer_lines(setup)
    previous = results[part - 2].record_hash if part > 1 else ""
    return [*lines, f"# before: {previous}", f"# chain: {results[part - 1].record_hash}"]


def winner_text(outcome: GameOutcome) -> Literal["p1", "p2", "draw"]:
    return "draw" if outcome.winner is None else "p1" if outcome.winner is Player.P1 else "p2"


def record_id(secret: bytes, game: int, part: int) -> str:
    """Return the address of a record, which cannot be guessed."""
    return hashlib.sha256(b"blackpoker share 1\n" + secret + bytes((game % 256, part % 256))).hexdigest()[:20]


def parse_start(text: str) -> Game:
    """Return the game of a saved game (JSON) or a position."""
    return Game.from_json(text) if text.lstrip().startswith("{") else Game.from_position(text)
