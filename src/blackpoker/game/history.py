"""The history of a game: the options chosen, every shuffle, the events, and engine checkpoints for undo."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.engine import Engine
from blackpoker.engine.visibility import Report
from blackpoker.game.outcome import apply_entry

#: decisions between two checkpoints
CHECKPOINT_EVERY: Final = 64


def clone_engine(engine: Engine) -> Engine:
    """Return a copy that keeps the log of shuffles, which ``Engine.copy`` leaves behind."""
    new = engine.copy()
    if engine.source.log is not None:
        new.source.log = engine.source.log[:]
    return new


class History:
    """The history of one game; it only grows. On undo the game continues with another `History` and leaves this one as
    it is, so that a `GameStep` keeps its content.

    Recording events takes a third of the time of a push, and most games never read them. So it starts with the first
    query, which replays the entries before it once; from then on every push records its own events."""

    __slots__ = (
        "after",
        "before",
        "entries",
        "injected_at",
        "checkpoints",
        "shuffles",
        "recording",
        "replay_start",
        "replay_stop",
        "report_ends",
        "reports",
        "shuffle_counts",
        "spans",
    )

    def __init__(
        self,
        history: list[int],
        spans: list[tuple[int, int]],
        ladder: list[Engine],
        shuffle_counts: list[int],
        shuffles: list[tuple[int, list[int]]],
        reports: list[Report],
        report_ends: list[int],
    ) -> None:
        self.entries: list[int] = history  # options; a negative entry ends the game from outside (``encode_end``)
        self.spans: list[tuple[int, int]] = spans  # moves pushed whole, as index ranges of the history
        self.checkpoints: list[Engine] = ladder
        self.shuffle_counts: list[int] = shuffle_counts  # number of shuffles before each checkpoint
        self.shuffles: list[tuple[int, list[int]]] = shuffles
        self.injected_at: int = 0  # number of shuffles at ``inject``: later ones have consumed injected outcomes
        self.reports: list[Report] = reports
        #: number of reports before the first choice and after each recorded entry
        self.report_ends: list[int] = report_ends
        self.recording: bool = False  # True if all entries are recorded, and the next one will be
        # the last replay: two indices of the history, and the engines there
        self.replay_start: i64 = -1
        self.replay_stop: i64 = -1
        self.before: Engine | None = None
        self.after: Engine | None = None

    @staticmethod
    def begun(first: Engine, outcomes: list[tuple[int, list[int]]], reports: list[Report]) -> History:
        """Return an empty history. ``first``: the engine before the first choice; it is owned by the history.
        ``outcomes``: all shuffles of the game, shared with the log of its source. ``reports``: the events of the
        deal."""
        return History([], [], [first], [len(outcomes)], outcomes, reports, [len(reports)])

    def add(self, engine: Engine, entry: int) -> i64:
        """Append an entry, which the engine has just applied, and return the length of the history."""
        self.entries.append(entry)
        if self.recording:
            self._report(engine)
        n: i64 = len(self.entries)
        if n % CHECKPOINT_EVERY == 0:
            self.add_checkpoint(engine)
        return n

    # -- events ----------------------------------------------------------------------------------------------------

    def _report(self, engine: Engine) -> None:
        """Move the events of one entry from the engine's log to the reports."""
        log = engine.log
        if log:
            for event in log:
                self.reports.append(Report(event, engine))
            engine.log = []
        self.report_ends.append(len(self.reports))

    def record(self, engine: Engine | None) -> None:
        """Make the reports complete. ``engine``: the one to which later entries are applied; None if there are none."""
        if self.recording:
            return
        n = len(self.report_ends) - 1
        if n < len(self.entries):
            replayed = self.engine_at(n)
            replayed.log = []
            for entry in self.entries[n:]:
                apply_entry(replayed, entry)
                self._report(replayed)
        if engine is not None:
            engine.log = []
            self.recording = True

    def reports_of(self, start: i64, stop: i64) -> list[Report]:
        """Return the reports of these recorded entries. No entries at the start mean the deal."""
        ends = self.report_ends
        return self.reports[0 if stop == 0 else ends[start] : ends[stop]]

    # -- undo ------------------------------------------------------------------------------------------------------

    def inject(self, shuffles: list[tuple[int, list[int]]] | None) -> None:
        """Set the outcomes of the next shuffles, also of those that are repeated after an undo."""
        self.checkpoints = [
            checkpoint.copy() for checkpoint in self.checkpoints
        ]  # copies of the game share the checkpoints
        self.injected_at = len(self.shuffles)
        for checkpoint in self.checkpoints:
            checkpoint.source.injected = None if shuffles is None else shuffles[:]

    def add_checkpoint(self, engine: Engine) -> None:
        """Store a copy of the engine for undo."""
        self.checkpoints.append(engine.copy())
        self.shuffle_counts.append(len(self.shuffles))

    def truncated(self, n: int, shuffles: list[tuple[int, list[int]]]) -> History:
        """Return the history of the first ``n`` options, which continues with these shuffles."""
        checkpoints = n // CHECKPOINT_EVERY + 1
        spans = len(self.spans)
        while spans > 0 and self.spans[spans - 1][1] > n:
            spans -= 1
        ends = self.report_ends[: n + 1]
        new = History(
            self.entries[:n],
            self.spans[:spans],
            self.checkpoints[:checkpoints],
            self.shuffle_counts[:checkpoints],
            shuffles,
            self.reports[: ends[-1]],
            ends,
        )
        new.injected_at = min(self.injected_at, len(shuffles))
        return new

    def replayer(self, index: int = 0) -> Engine:
        """Return a new engine at a checkpoint, with the shuffles that followed it injected."""
        engine = self.checkpoints[index].copy()
        known = self.shuffle_counts[index]
        engine.source.log = self.shuffles[:known]
        engine.source.injected = self.shuffles[known:]
        return engine

    def engine_at(self, n: int) -> Engine:
        """Return a new engine at index ``n`` of the history, with the shuffles that followed it injected."""
        index = n // CHECKPOINT_EVERY
        engine = self.replayer(index)
        for option in self.entries[index * CHECKPOINT_EVERY : n]:
            apply_entry(engine, option)
        return engine

    def around(self, start: i64, stop: i64) -> tuple[Engine, Engine]:
        """Return the engines before and after these entries; do not change them. The last replay is kept, so that
        steps read in their order are replayed once."""
        before, after = self.before, self.after
        if before is not None and after is not None and self.replay_start == start and self.replay_stop == stop:
            return before, after
        before = after if after is not None and self.replay_stop == start else self.engine_at(start)
        source = before.source
        if source.log is not None:  # the game may have shuffled since the last replay
            source.injected = self.shuffles[len(source.log) :]
        after = before
        if start < stop:
            after = clone_engine(before)
            for entry in self.entries[start:stop]:
                apply_entry(after, entry)
        self.keep(start, stop, before, after)
        return before, after

    def keep(self, start: i64, stop: i64, before: Engine, after: Engine) -> None:
        """Keep a replay for ``around``."""
        self.replay_start = start
        self.replay_stop = stop
        self.before = before
        self.after = after

    def rewind(self, n: int) -> Engine:
        """Return an engine to continue with from index ``n``. It has the shuffles up to there in its log; the next
        shuffles are the injected outcomes not yet used, then those of the generator."""
        index = n // CHECKPOINT_EVERY
        known = self.checkpoints[index].source.injected
        pending = known[:] if known else None
        engine = self.engine_at(n)
        source = engine.source
        if pending and source.log is not None:
            for shuffle in source.log[max(self.shuffle_counts[index], self.injected_at) :]:
                for injected in pending:
                    if injected[0] == shuffle[0]:
                        pending.remove(injected)
                        break
        source.injected = pending
        return engine
