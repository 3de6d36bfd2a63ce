"""The history of a game: the options chosen, every shuffle, and engine checkpoints for undo."""

from __future__ import annotations

from typing import Final

from blackpoker.ending import push_entry
from blackpoker.rules.engine import Engine

#: decisions between two checkpoints
RUNG: Final = 64


class Past:
    """The history of one game; it only grows. On undo the game continues with another `History` and leaves this one as
    it is, so that a `GameStep` keeps its content."""

    __slots__ = ("history", "injected_at", "ladder", "outcomes", "shuffles", "spans")

    def __init__(self, first: Engine, outcomes: list[tuple[int, list[int]]]) -> None:
        """``first``: the engine before the first choice; it is owned by this object. ``outcomes``: all shuffles of the
        game, shared with the log of its source."""
        self.history: list[int] = []  # options; a negative entry ends the game from outside (``encode_end``)
        self.spans: list[tuple[int, int]] = []  # moves pushed whole, as index ranges of the history
        self.ladder: list[Engine] = [first]
        self.shuffles: list[int] = [len(outcomes)]  # number of shuffles before each checkpoint
        self.outcomes: list[tuple[int, list[int]]] = outcomes
        self.injected_at: int = 0  # number of shuffles at ``inject``: later ones have consumed injected outcomes

    def inject(self, shuffles: list[tuple[int, list[int]]] | None) -> None:
        """Set the outcomes of the next shuffles, also of those that are repeated after an undo."""
        self.ladder = [rung.copy() for rung in self.ladder]  # copies of the game share the checkpoints
        self.injected_at = len(self.outcomes)
        for rung in self.ladder:
            rung.source.injected = None if shuffles is None else shuffles[:]

    def climb(self, engine: Engine) -> None:
        """Store a copy of the engine for undo."""
        self.ladder.append(engine.copy())
        self.shuffles.append(len(self.outcomes))

    def until(self, n: int, outcomes: list[tuple[int, list[int]]]) -> Past:
        """Return the history of the first ``n`` options, which continues with these shuffles."""
        new = Past(self.ladder[0], outcomes)
        rungs = n // RUNG + 1
        new.history = self.history[:n]
        new.spans = [span for span in self.spans if span[1] <= n]
        new.ladder = self.ladder[:rungs]
        new.shuffles = self.shuffles[:rungs]
        new.injected_at = min(self.injected_at, len(outcomes))
        return new

    def walker(self, rung: int = 0) -> Engine:
        """Return a new engine at a checkpoint, with the shuffles that followed it injected."""
        engine = self.ladder[rung].copy()
        known = self.shuffles[rung]
        engine.source.log = self.outcomes[:known]
        engine.source.injected = self.outcomes[known:]
        return engine

    def walked_to(self, n: int) -> Engine:
        """Return a new engine at index ``n`` of the history, with the shuffles that followed it injected."""
        rung = n // RUNG
        engine = self.walker(rung)
        for option in self.history[rung * RUNG : n]:
            push_entry(engine, option)
        return engine

    def back_at(self, n: int) -> Engine:
        """Return an engine to continue with from index ``n``. It has the shuffles up to there in its log; the next
        shuffles are the injected outcomes not yet used, then those of the generator."""
        rung = n // RUNG
        waiting = self.ladder[rung].source.copy().injected
        engine = self.walked_to(n)
        source = engine.source
        if waiting and source.log is not None:
            for done in source.log[max(self.shuffles[rung], self.injected_at) :]:
                for outcome in waiting:
                    if outcome[0] == done[0]:
                        waiting.remove(outcome)
                        break
        source.injected = waiting
        return engine
