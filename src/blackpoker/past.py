"""The past of a game: what was chosen, every shuffle, and copies of the engine to come back to."""

from __future__ import annotations

from typing import Final

from blackpoker.ending import push_entry
from blackpoker.rules.engine import Engine

#: a copy is kept every so many decisions, for undo
RUNG: Final = 64


class Past:
    """Grows with its game. Where something is taken back the game goes on with another past and leaves this one as it
    is, so that a step which was played stays what it was."""

    __slots__ = ("history", "injected_at", "ladder", "outcomes", "shuffles", "spans")

    def __init__(self, first: Engine, outcomes: list[tuple[int, list[int]]]) -> None:
        """``first``: the game before anything was chosen, ours to keep. ``outcomes``: every shuffle of the game so far
        and to come, as its source logs them."""
        self.history: list[int] = []  # options; a negative one ends the game from outside (``end_code``)
        self.spans: list[tuple[int, int]] = []  # sentences pushed whole, as places in the history
        self.ladder: list[Engine] = [first]
        self.shuffles: list[int] = [len(outcomes)]  # before each rung
        self.outcomes: list[tuple[int, list[int]]] = outcomes
        self.injected_at: int = 0  # how many shuffles there had been: later ones have used up what was injected

    def inject(self, shuffles: list[tuple[int, list[int]]] | None) -> None:
        """The outcomes of the shuffles to come, also of those that come again after an undo."""
        self.ladder = [rung.copy() for rung in self.ladder]  # copies of the game have the same rungs
        self.injected_at = len(self.outcomes)
        for rung in self.ladder:
            rung.source.injected = None if shuffles is None else shuffles[:]

    def climb(self, engine: Engine) -> None:
        """Keep a copy for undo."""
        self.ladder.append(engine.copy())
        self.shuffles.append(len(self.outcomes))

    def until(self, n: int, outcomes: list[tuple[int, list[int]]]) -> Past:
        """Its first ``n`` options; it goes on with these shuffles."""
        new = Past(self.ladder[0], outcomes)
        rungs = n // RUNG + 1
        new.history = self.history[:n]
        new.spans = [span for span in self.spans if span[1] <= n]
        new.ladder = self.ladder[:rungs]
        new.shuffles = self.shuffles[:rungs]
        new.injected_at = min(self.injected_at, len(outcomes))
        return new

    def walker(self, rung: int = 0) -> Engine:
        """A new engine at a rung of the ladder, with the shuffles that followed waiting in it."""
        engine = self.ladder[rung].copy()
        known = self.shuffles[rung]
        engine.source.log = self.outcomes[:known]
        engine.source.injected = self.outcomes[known:]
        return engine

    def walked_to(self, n: int) -> Engine:
        """The same at any place of the history."""
        rung = n // RUNG
        engine = self.walker(rung)
        for option in self.history[rung * RUNG : n]:
            push_entry(engine, option)
        return engine

    def back_at(self, n: int) -> Engine:
        """An engine to go on with from this place: the shuffles up to here as they were, then what was injected and
        has not come yet, then the generator."""
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
