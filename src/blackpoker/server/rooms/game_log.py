"""A game's log per audience: events for the animation, lines for the log panel. Bounded; the view has the rest."""

from __future__ import annotations

from collections import deque
from typing import Final

from blackpoker import Audience, EventView, Player
from blackpoker.assist.autopass import PASS_REASONS
from blackpoker.game.step import GameStep
from blackpoker.protocol.messages import LogEntry, SeatName

MAX_STEPS: Final = 600
MAX_EVENTS: Final = 400
MAX_LINES: Final = 400
SEATS: Final[tuple[SeatName, SeatName]] = (Player.P1, Player.P2)


class GameLog:
    """The log of one game: its steps with their move numbers. Lines are rendered per language and audience on first
    use."""

    def __init__(self) -> None:
        self.steps: deque[tuple[int, GameStep]] = deque(maxlen=MAX_STEPS)
        self.rendered: dict[tuple[str, int], deque[LogEntry]] = {}
        #: number of the last rendered move
        self.rendered_to: dict[tuple[str, int], int] = {}
        #: number of each move after which a match dealt again: number of the game
        self.game_starts: dict[int, int] = {}
        #: automatic passes: seq, seat, reason, the stop that would have prevented it
        self.auto_passes: deque[tuple[int, int, str, str]] = deque(maxlen=MAX_LINES)

    def add(self, seq: int, step: GameStep) -> None:
        self.steps.append((seq, step))

    def truncate(self, seq: int) -> None:
        """Drop everything after this move number (rewind)."""
        while self.steps and self.steps[-1][0] > seq:
            self.steps.pop()
        self.auto_passes = deque((auto_pass for auto_pass in self.auto_passes if auto_pass[0] <= seq), maxlen=MAX_LINES)
        for key, lines in self.rendered.items():
            self.rendered[key] = deque((line for line in lines if line.seq <= seq), maxlen=MAX_LINES)
            self.rendered_to[key] = min(self.rendered_to[key], seq)

    def start_game(self, seq: int, number: int) -> None:
        """Start a new game of the match; the next step added is its deal."""
        self.game_starts[seq] = number

    def add_auto_pass(self, seq: int, seat: int, reason: str, stop: str) -> None:
        """Record an automatic pass; only its own seat sees the reason."""
        self.auto_passes.append((seq, seat, reason, stop))

    def steps_since(self, seq: int) -> list[tuple[int, GameStep]]:
        out = []
        for step_seq, step in reversed(self.steps):
            if step_seq <= seq:
                break
            out.append((step_seq, step))
        out.reverse()
        return out

    @property
    def current_game_events(self) -> int:
        """Return the number of events of the game in play."""
        game = self.steps[-1][1].game
        return sum(len(step._reports()) for _, step in self.steps if step.game is game)

    def events_since(self, seq: int, audience: Audience) -> list[EventView]:
        out: list[EventView] = []
        for _, step in reversed(self.steps_since(seq)):
            out[:0] = step.event_views(audience)
            if len(out) >= MAX_EVENTS:
                return out[-MAX_EVENTS:]
        return out

    def lines_since(self, seq: int, audience: Audience, lang: str) -> list[LogEntry]:
        out = [line for line in self._rendered_lines(audience, lang) if line.seq > seq]
        if audience != Audience.PUBLIC:
            for pass_seq, seat, reason, stop in self.auto_passes:
                if seat == audience and pass_seq > seq:
                    ja, en = PASS_REASONS.get(reason, (reason, reason))
                    text = f"自動パス：{ja}" if lang == "ja" else f"Passed for you: {en}"
                    out.append(LogEntry(text, pass_seq, "passed", SEATS[seat], automatic=True, stop=stop))
            out.sort(key=lambda line: line.seq)
        return out

    def _rendered_lines(self, audience: Audience, lang: str) -> deque[LogEntry]:
        """Return all lines, after rendering the steps added since the last call."""
        self.render(audience, lang, MAX_STEPS)
        return self.rendered[lang, audience]

    def render(self, audience: Audience, lang: str, max_steps: int) -> bool:
        """Render up to ``most`` more steps. Return True if none are left."""
        key = (lang, audience)
        lines = self.rendered.setdefault(key, deque(maxlen=MAX_LINES))
        pending = self.steps_since(self.rendered_to.get(key, -1))
        for step_seq, step in pending[:max_steps]:
            if step_seq in self.game_starts:
                number = self.game_starts[step_seq]
                lines.append(LogEntry(f"第{number}ゲーム" if lang == "ja" else f"Game {number}", step_seq, "game"))
            for line in step._log(lang, audience):
                lines.append(LogEntry(line.text, step_seq, line.kind, line.player, line.turn, line.spans))
            self.rendered_to[key] = step_seq
        return len(pending) <= max_steps
