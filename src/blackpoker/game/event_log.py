"""The events of a game, for queries after they happened."""

from __future__ import annotations

from blackpoker.game.outcome import apply_entry
from blackpoker.game.history import History
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.visibility import Report


def clone_engine(engine: Engine) -> Engine:
    """Return a copy that keeps the log of shuffles, which ``Engine.copy`` leaves behind."""
    new = engine.copy()
    if engine.source.log is not None:
        new.source.log = engine.source.log[:]
    return new


class EventLog:
    """All reports since the deal. A second engine replays the game for them on demand, so that playing costs nothing
    extra."""

    __slots__ = ("opening_count", "follower", "replayed", "reports")

    def __init__(self, reports: list[Report]) -> None:
        """``reports``: those before the first choice."""
        self.reports: list[Report] = reports
        self.opening_count: int = len(reports)
        self.follower: Engine | None = None
        self.replayed: int = 0  # entries of the history the follower has replayed

    def opening_events(self) -> list[RawEvent]:
        """Return the events before the first choice."""
        return [report.raw for report in self.reports[: self.opening_count]]

    def events(self, history: History) -> list[Report]:
        """Return all reports up to the last choice."""
        follower = self.follower
        if follower is None:
            follower = history.checkpoints[0].copy()
            self.replayed = 0
            del self.reports[self.opening_count :]
        source = follower.source
        source.log = history.shuffles[: history.shuffle_counts[0]] if source.log is None else source.log
        source.injected = history.shuffles[len(source.log) :]
        for option in history.entries[self.replayed :]:
            raw_events: list[RawEvent] = []
            follower.log = raw_events
            apply_entry(follower, option)
            self.reports += [Report(event, follower) for event in raw_events]
        self.replayed = len(history.entries)
        self.follower = follower
        return self.reports

    def truncate(self, n: int) -> None:
        """Drop the reports after the first ``n`` entries of the history."""
        if self.replayed > n:
            self.follower = None

    def copy(self) -> EventLog:
        new = EventLog(self.reports[:])
        new.opening_count = self.opening_count
        new.follower = None if self.follower is None else clone_engine(self.follower)
        new.replayed = self.replayed
        return new
