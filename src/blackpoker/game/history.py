"""The history of a game: the options chosen, every shuffle, and engine checkpoints for undo."""

from __future__ import annotations

from typing import Final

from blackpoker.game.outcome import apply_entry
from blackpoker.engine.engine import Engine

#: decisions between two checkpoints
CHECKPOINT_EVERY: Final = 64


class History:
    """The history of one game; it only grows. On undo the game continues with another `History` and leaves this one as
    it is, so that a `GameStep` keeps its content."""

    __slots__ = ("entries", "injected_at", "checkpoints", "shuffles", "shuffle_counts", "spans")

    def __init__(self, start: Engine, shuffles: list[tuple[int, list[int]]]) -> None:
        """``first``: the engine before the first choice; it is owned by this object. ``outcomes``: all shuffles of the
        game, shared with the log of its source."""
        self.entries: list[int] = []  # options; a negative entry ends the game from outside (``encode_end``)
        self.spans: list[tuple[int, int]] = []  # moves pushed whole, as index ranges of the history
        self.checkpoints: list[Engine] = [start]
        self.shuffle_counts: list[int] = [len(shuffles)]  # number of shuffles before each checkpoint
        self.shuffles: list[tuple[int, list[int]]] = shuffles
        self.injected_at: int = 0  # number of shuffles at ``inject``: later ones have consumed injected outcomes

    def inject(self, shuffles: list[tuple[int, list[int]]] | None) -> None:
        """Set the outcomes of the next shuffles, also of those that are repeated after an undo."""
        self.checkpoints = [checkpoint.copy() for checkpoint in self.checkpoints]  # copies of the game share the checkpoints
        self.injected_at = len(self.shuffles)
        for checkpoint in self.checkpoints:
            checkpoint.source.injected = None if shuffles is None else shuffles[:]

    def add_checkpoint(self, engine: Engine) -> None:
        """Store a copy of the engine for undo."""
        self.checkpoints.append(engine.copy())
        self.shuffle_counts.append(len(self.shuffles))

    def truncated(self, n: int, shuffles: list[tuple[int, list[int]]]) -> History:
        """Return the history of the first ``n`` options, which continues with these shuffles."""
        new = History(self.checkpoints[0], shuffles)
        checkpoints = n // CHECKPOINT_EVERY + 1
        new.entries = self.entries[:n]
        new.spans = [span for span in self.spans if span[1] <= n]
        new.checkpoints = self.checkpoints[:checkpoints]
        new.shuffle_counts = self.shuffle_counts[:checkpoints]
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

    def rewind(self, n: int) -> Engine:
        """Return an engine to continue with from index ``n``. It has the shuffles up to there in its log; the next
        shuffles are the injected outcomes not yet used, then those of the generator."""
        index = n // CHECKPOINT_EVERY
        pending = self.checkpoints[index].source.copy().injected
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
