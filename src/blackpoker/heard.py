"""The events of a game, for queries after they happened."""

from __future__ import annotations

from blackpoker.ending import push_entry
from blackpoker.past import Past
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.visibility import Report


def twin(engine: Engine) -> Engine:
    """Return a copy that keeps the log of shuffles, which ``Engine.copy`` leaves behind."""
    new = engine.copy()
    if engine.source.log is not None:
        new.source.log = engine.source.log[:]
    return new


class Heard:
    """All reports since the deal. A second engine replays the game for them on demand, so that playing costs nothing
    extra."""

    __slots__ = ("first", "follower", "heard", "reports")

    def __init__(self, reports: list[Report]) -> None:
        """``reports``: those before the first choice."""
        self.reports: list[Report] = reports
        self.first: int = len(reports)
        self.follower: Engine | None = None
        self.heard: int = 0  # entries of the history the follower has replayed

    def opening(self) -> list[RawEvent]:
        """Return the events before the first choice."""
        return [report.raw for report in self.reports[: self.first]]

    def now(self, past: Past) -> list[Report]:
        """Return all reports up to the last choice."""
        follower = self.follower
        if follower is None:
            follower = past.ladder[0].copy()
            self.heard = 0
            del self.reports[self.first :]
        source = follower.source
        source.log = past.outcomes[: past.shuffles[0]] if source.log is None else source.log
        source.injected = past.outcomes[len(source.log) :]
        for option in past.history[self.heard :]:
            happened: list[RawEvent] = []
            follower.log = happened
            push_entry(follower, option)
            self.reports += [Report(event, follower) for event in happened]
        self.heard = len(past.history)
        self.follower = follower
        return self.reports

    def back_to(self, n: int) -> None:
        """Drop the reports after the first ``n`` entries of the history."""
        if self.heard > n:
            self.follower = None

    def copy(self) -> Heard:
        new = Heard(self.reports[:])
        new.first = self.first
        new.follower = None if self.follower is None else twin(self.follower)
        new.heard = self.heard
        return new
