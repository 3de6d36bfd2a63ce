"""Game time: seconds that never decrease, independent of the system clock, and that stop while nothing can be stored.

It starts at the time of day, so that stored times can be dated, and continues with the monotonic clock: setting the
system clock changes no time bank and no response window.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class GameClock:
    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self.monotonic = monotonic
        self.offset: float = wall() - monotonic()
        self.stopped: float | None = None  # the game time at which it was stopped

    def __call__(self) -> float:
        return self.monotonic() + self.offset if self.stopped is None else self.stopped

    def stop(self) -> None:
        if self.stopped is None:
            self.stopped = self()

    def resume(self) -> None:
        """Continue from the time at which the clock was stopped."""
        if self.stopped is not None:
            self.offset = self.stopped - self.monotonic()
            self.stopped = None
