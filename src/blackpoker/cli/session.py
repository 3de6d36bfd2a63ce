"""A terminal game: the game, its players, undo to the last own choice, the log of both seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from blackpoker.ai.levels import RANDOM
from blackpoker.assist import autopass
from blackpoker.assist.decision import Decision, Option
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.players.engine_players import Level, make_player
from blackpoker.players.player_view import PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.text.prompts import Prompts
from blackpoker.text.resources import LANGUAGES, Lang

SEATS = (0, 1)
NAMES = ("P1", "P2")


@dataclass(frozen=True)
class LogEntry:
    """The log lines of one choice, for every language and seat."""

    at: int  # length of the history before the choice
    full: dict[tuple[Lang, int], list[str]]
    short: dict[tuple[Lang, int], list[str]]


class Session:
    """A game with its players. ``people`` are the human seats; a computer player of this level plays the others."""

    def __init__(self, game: Game, people: frozenset[int], chance: Random, level: Level = RANDOM) -> None:
        self.game = game
        self.people = people
        self.chance = chance
        self.level = level
        self.computer: SandboxedPlayer | None = None
        self.assist: autopass.AssistSettings = autopass.AssistSettings()
        self.prompts: dict[Lang, Prompts] = {lang: Prompts(game.regulation.edition, lang, NAMES) for lang in LANGUAGES}
        self.log: list[LogEntry] = []
        self.undo_points: list[int] = []  # lengths of the history at human choices

    # -- playing

    def push(self, move: int | str) -> None:
        """Choose an option, or play a move in notation."""
        game = self.game
        before = len(game.history)
        step = game.push(move if isinstance(move, int) else game.parse(move))
        self.add_log(before, lambda lang, seat, short: step.lines(lang, seat, short))

    def add_log(self, before: int, lines: Callable[[Lang, int, bool], list[str]]) -> None:
        full, short = (
            {(lang, seat): lines(lang, seat, short) for lang in LANGUAGES for seat in SEATS} for short in (False, True)
        )
        self.log.append(LogEntry(before, full, short))

    def add_remark(self, texts: dict[Lang, str], seat: int) -> None:
        """Add a log line for this seat only."""
        lines = {(lang, seat): [text] for lang, text in texts.items()}
        self.log.append(LogEntry(len(self.game.history), lines, lines))

    def log_opening(self) -> None:
        """Log the events before the first choice (the deal)."""
        self.add_log(0, next(self.game.steps(deal=True)).lines)

    def automatic(self) -> tuple[int, str] | None:
        """Return the option to take without asking a person, and the reason: ``forced``, or a reason of auto-pass as on
        the server. Return None to ask."""
        decision = self.decision
        if len(decision.options) == 1:
            only = decision.options[0]
            return only.option, "nothing" if decision.kind == "chance" and only.text == "pass" else "forced"
        verdict = Assistant(self.game).automatic(self.assist)
        return None if verdict.option is None else (verdict.option, verdict.reason)

    @property
    def decision(self) -> Decision:
        """The current decision; only while the game is not over."""
        decision = self.game.decision
        assert decision is not None
        return decision

    def option_for(self, text: str) -> Option | None:
        """Return the option with this token, or None if it is not offered."""
        return next((word for word in self.decision.options if word.text == text), None)

    @property
    def has_draft(self) -> bool:
        """True while a draft request exists."""
        decision = self.game.decision
        return decision is not None and bool(decision.so_far)

    @property
    def ask_everywhere(self) -> bool:
        return self.assist.mode == autopass.FULL

    @ask_everywhere.setter
    def ask_everywhere(self, on: bool) -> None:
        self.assist.mode = autopass.FULL if on else autopass.AUTO

    def play_computer(self) -> None:
        """Let the computer player of this seat choose, with the knowledge of the seat only."""
        game = self.game
        known = prior_knowledge(game.regulation)
        if self.computer is None:
            player = make_player(self.level, game.regulation, int(game.player), self.chance.randrange(2**31), known)
            self.computer = SandboxedPlayer(player, self.level.en)
            self.computer.attend(game)
        seat = PlayerView(game, int(game.player), known)
        self.push(self.computer.choose(seat, seat.decision))

    # -- undo

    def mark_undo_point(self) -> None:
        """Record that a person is asked at this point."""
        n = len(self.game.history)
        if not self.undo_points or self.undo_points[-1] != n:
            self.undo_points.append(n)

    def undo(self) -> bool:
        """Return to the previous human choice; return False if there is none."""
        n = len(self.game.history)
        while self.undo_points and self.undo_points[-1] >= n:
            self.undo_points.pop()
        if not self.undo_points:
            return False
        self.go_to(self.undo_points.pop())
        return True

    def cancel(self) -> bool:
        """Drop the draft request; return False if there is none."""
        if not self.has_draft:
            return False
        words = len(self.game.history)
        while self.has_draft and words > 0:
            words -= 1
            self.game.go_to(words)
        self.truncate_log(words)
        return True

    def go_to(self, n: int) -> None:
        self.game.go_to(n)
        self.computer = None  # its search state is no longer valid
        self.truncate_log(n)

    def truncate_log(self, n: int) -> None:
        self.log = [entry for entry in self.log if entry.at < n or (n == 0 and entry is self.log[0])]
        while self.undo_points and self.undo_points[-1] >= n:
            self.undo_points.pop()
