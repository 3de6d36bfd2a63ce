"""A game at the terminal: the game, who sits where, undo to the last own choice, the log of both seats."""

from __future__ import annotations

from dataclasses import dataclass

from blackpoker.assist import autopass
from blackpoker.game import Game
from blackpoker.players.levels import RANDOM, Level, make_player
from blackpoker.players.seat import Contained, Seat
from blackpoker.players.setup import briefing_of
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import CHANCE_KIND, PASS
from blackpoker.rules.shuffler import Shuffler
from blackpoker.texts.log import LogWriter
from blackpoker.texts.prompts import Prompts
from blackpoker.texts.rulebook import LANGUAGES, Lang

SEATS = (0, 1)
NAMES = ("P1", "P2")


@dataclass(frozen=True)
class Entry:
    """What one choice brought about, worded for every language and seat."""

    at: int  # length of the history before the choice
    full: dict[tuple[Lang, int], list[str]]
    short: dict[tuple[Lang, int], list[str]]


class Session:
    """Wraps a game. ``people`` are the seats a person sits at; the others are played by a computer of this level."""

    def __init__(self, game: Game, people: frozenset[int], chance: Shuffler, level: Level = RANDOM) -> None:
        self.game = game
        self.people = people
        self.chance = chance
        self.level = level
        self.computer: Contained | None = None
        self.assist = autopass.Assist()
        self.speakers: dict[Lang, Prompts] = {lang: Prompts(game.regulation.edition, lang, NAMES) for lang in LANGUAGES}
        self.narrators = {lang: LogWriter(self.speakers[lang]) for lang in LANGUAGES}
        self.log: list[Entry] = []
        self.asked: list[int] = []  # lengths of the history at which a person was asked

    # -- playing

    def push(self, move: int | str) -> None:
        """Choose an option, or a sentence of the notation."""
        game = self.game
        before = len(game.history)
        for narrator in self.narrators.values():
            narrator.look(game.engine)
        events: list[RawEvent] = []
        game.engine.log = events
        try:
            if isinstance(move, int):
                game.push(move)
            else:
                game.push_text(move)
        finally:
            game.engine.log = None
        self.note(before, events)

    def note(self, before: int, events: list[RawEvent]) -> None:
        engine = self.game.engine
        both = {
            short: {
                (lang, seat): narrator.lines(engine, events, seat, short)
                for lang, narrator in self.narrators.items()
                for seat in SEATS
            }
            for short in (False, True)
        }
        self.log.append(Entry(before, both[False], both[True]))

    def remark(self, texts: dict[Lang, str], seat: int) -> None:
        """Add a line only this seat reads."""
        lines = {(lang, seat): [text] for lang, text in texts.items()}
        self.log.append(Entry(len(self.game.history), lines, lines))

    def opening(self) -> None:
        """Word what happened before the first choice (the deal)."""
        self.note(0, [report.raw for report in self.game.reports])

    def automatic(self) -> tuple[int, str] | None:
        """The option that is taken without asking a person, and why: ``forced``, or a reason of auto-pass, which is the
        server's as well; None to ask."""
        engine = self.game.engine
        options = engine.options
        if len(options) == 1:
            return options[0], "nothing" if engine.kind == CHANCE_KIND and options[0] == PASS else "forced"
        verdict = autopass.decide(engine, self.assist)
        return None if verdict.option is None else (verdict.option, verdict.why)

    @property
    def ask_everywhere(self) -> bool:
        return self.assist.mode == autopass.FULL

    @ask_everywhere.setter
    def ask_everywhere(self, on: bool) -> None:
        self.assist.mode = autopass.FULL if on else autopass.AUTO

    def play_computer(self) -> None:
        """The computer at this seat chooses, knowing no more than the seat may."""
        game = self.game
        known = briefing_of(game.regulation)
        if self.computer is None:
            player = make_player(self.level, game.regulation, game.player, int(self.chance.below(2**31)), known)
            self.computer = Contained(player, self.level.en)
        seat = Seat(game.engine, game.player, known)
        self.push(self.computer.choose(seat, seat.decision))

    # -- undo

    def mark(self) -> None:
        """A person is asked here."""
        n = len(self.game.history)
        if not self.asked or self.asked[-1] != n:
            self.asked.append(n)

    def undo(self) -> bool:
        """Back to the choice a person made before this one; False if there is none."""
        n = len(self.game.history)
        while self.asked and self.asked[-1] >= n:
            self.asked.pop()
        if not self.asked:
            return False
        self.back_to(self.asked.pop())
        return True

    def cancel(self) -> bool:
        """Drop the request that is being worded; False if there is none."""
        if self.game.engine.draft is None:
            return False
        words = len(self.game.history)
        while self.game.engine.draft is not None and words > 0:
            words -= 1
            self.game.go_to(words)
        self.forget(words)
        return True

    def back_to(self, n: int) -> None:
        self.game.go_to(n)
        self.computer = None  # what it had thought of is no longer so
        self.forget(n)

    def forget(self, n: int) -> None:
        self.log = [entry for entry in self.log if entry.at < n or (n == 0 and entry is self.log[0])]
        while self.asked and self.asked[-1] >= n:
            self.asked.pop()
