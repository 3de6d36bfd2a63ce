"""What is counted. It happens at every message, so it is plain numbers here; the text Prometheus reads is made of them
when it is asked for (``exposition``)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Metrics:
    def __init__(self) -> None:
        self.connections = 0
        self.rooms = 0
        self.messages = 0
        self.decisions = 0
        self.games = 0
        self.errors: Counter[str] = Counter()
        self.evicted: Counter[str] = Counter()
        self.stored: list[int] = [0] * (len(SECONDS) + 1)
        self.stored_seconds: float = 0.0

    def observe_stored(self, seconds: float) -> None:
        """How long a sentence took to be safe."""
        self.stored[bisect_left(SECONDS, seconds)] += 1
        self.stored_seconds += seconds
