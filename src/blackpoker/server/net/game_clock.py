"""Game time: seconds that only grow, whatever happens to the machine's clock, and stand while nothing can be stored.

It begins at the time of day, so that what is kept can be dated, and goes on with the monotonic clock: a step of the
time of day changes no bank and no window.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class GameClock:
    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self.monotonic = monotonic
        self.offset: float = wall() - monotonic()
        self.stopped: float | None = None  # the game time at which it stands

    def __call__(self) -> float:
        return self.monotonic() + self.offset if self.stopped is None else self.stopped

    def stop(self) -> None:
        if self.stopped is None:
            self.stopped = self()

    def go_on(self) -> None:
        """From where it stopped."""
        if self.stopped is not None:
            self.offset = self.stopped - self.monotonic()
            self.stopped = None
