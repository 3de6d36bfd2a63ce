"""A terminal game: the game, its players, undo to the last own choice, the log of both seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from blackpoker.assist import autopass
from blackpoker.assist.decision import Decision, Word
from blackpoker.game import Game
from blackpoker.players.known_before import briefing_of
from blackpoker.players.levels import Level, make_player
from blackpoker.players.seat import Contained, Seat
from blackpoker.texts.prompts import Prompts
from blackpoker.texts.rulebook import LANGUAGES, Lang
from blackpoker.thinking.levels import RANDOM

SEATS = (0, 1)
NAMES = ("P1", "P2")


@dataclass(frozen=True)
class Noted:
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
        self.computer: Contained | None = None
        self.assist: autopass.Assist = autopass.Assist()
        self.speakers: dict[Lang, Prompts] = {lang: Prompts(game.regulation.edition, lang, NAMES) for lang in LANGUAGES}
        self.log: list[Noted] = []
        self.asked: list[int] = []  # lengths of the history at human choices

    # -- playing

    def push(self, move: int | str) -> None:
        """Choose an option, or play a move in notation."""
        game = self.game
        before = len(game.history)
        step = game.push(move if isinstance(move, int) else game.parse(move))
        self.note(before, lambda lang, seat, short: step.lines(lang, seat, short))

    def note(self, before: int, lines: Callable[[Lang, int, bool], list[str]]) -> None:
        full, short = (
            {(lang, seat): lines(lang, seat, short) for lang in LANGUAGES for seat in SEATS} for short in (False, True)
        )
        self.log.append(Noted(before, full, short))

    def remark(self, texts: dict[Lang, str], seat: int) -> None:
        """Add a log line for this seat only."""
        lines = {(lang, seat): [text] for lang, text in texts.items()}
        self.log.append(Noted(len(self.game.history), lines, lines))

    def opening(self) -> None:
        """Log the events before the first choice (the deal)."""
        self.note(0, self.game.opening.lines)

    def automatic(self) -> tuple[int, str] | None:
        """Return the option to take without asking a person, and the reason: ``forced``, or a reason of auto-pass as on
        the server. Return None to ask."""
        decision = self.decision
        if len(decision.options) == 1:
            only = decision.options[0]
            return only.option, "nothing" if decision.kind == "chance" and only.text == "pass" else "forced"
        verdict = self.game.automatic(self.assist)
        return None if verdict.option is None else (verdict.option, verdict.why)

    @property
    def decision(self) -> Decision:
        """The current decision; only while the game is not over."""
        decision = self.game.decision
        assert decision is not None
        return decision

    def offered(self, text: str) -> Word | None:
        """Return the option with this token, or None if it is not offered."""
        return next((word for word in self.decision.options if word.text == text), None)

    @property
    def wording(self) -> bool:
        """True while a draft request exists."""
        decision = self.game.decision
        return decision is not None and bool(decision.said)

    @property
    def ask_everywhere(self) -> bool:
        return self.assist.mode == autopass.FULL

    @ask_everywhere.setter
    def ask_everywhere(self, on: bool) -> None:
        self.assist.mode = autopass.FULL if on else autopass.AUTO

    def play_computer(self) -> None:
        """Let the computer player of this seat choose, with the knowledge of the seat only."""
        game = self.game
        known = briefing_of(game.regulation)
        if self.computer is None:
            player = make_player(self.level, game.regulation, game.player, self.chance.randrange(2**31), known)
            self.computer = Contained(player, self.level.en)
            self.computer.attend(game)
        seat = Seat(game, game.player, known)
        self.push(self.computer.choose(seat, seat.decision))

    # -- undo

    def mark(self) -> None:
        """Record that a person is asked at this point."""
        n = len(self.game.history)
        if not self.asked or self.asked[-1] != n:
            self.asked.append(n)

    def undo(self) -> bool:
        """Return to the previous human choice; return False if there is none."""
        n = len(self.game.history)
        while self.asked and self.asked[-1] >= n:
            self.asked.pop()
        if not self.asked:
            return False
        self.back_to(self.asked.pop())
        return True

    def cancel(self) -> bool:
        """Drop the draft request; return False if there is none."""
        if not self.wording:
            return False
        words = len(self.game.history)
        while self.wording and words > 0:
            words -= 1
            self.game.go_to(words)
        self.forget(words)
        return True

    def back_to(self, n: int) -> None:
        self.game.go_to(n)
        self.computer = None  # its search state is no longer valid
        self.forget(n)

    def forget(self, n: int) -> None:
        self.log = [entry for entry in self.log if entry.at < n or (n == 0 and entry is self.log[0])]
        while self.asked and self.asked[-1] >= n:
            self.asked.pop()
