"""Clocks: a bank for a seat's own decisions, a limit for a chance, a grace period for a lost connection.

Time is a number of seconds that only grows; this module reads no real clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from blackpoker.wire.protocol import Clock, ClockRules


@dataclass
class SeatClock:
    """A seat's clock. ``since``: start of the running interval, None while the clock is stopped."""

    left: float
    grace: float
    since: float | None = None
    lost: float | None = None  # time at which the connection was lost

    def settle(self, now: float) -> None:
        """Charge the elapsed time: first to the grace of a lost connection, then to the bank."""
        if self.since is None:
            return
        spent = max(0.0, now - self.since)
        if self.lost is not None:
            free = min(self.grace, max(0.0, now - max(self.since, self.lost)))
            self.grace -= free
            spent -= free
        self.left = max(0.0, self.left - spent)
        self.since = now
        if self.lost is not None:
            self.lost = now

    def start(self, now: float, each: float) -> None:
        if self.since is None:
            self.since = now
            self.left += each

    def stop(self, now: float) -> None:
        self.settle(now)
        self.since = None

    def disconnected(self, now: float) -> None:
        self.settle(now)
        self.lost = now

    def connected(self, now: float) -> None:
        self.settle(now)
        self.lost = None

    def runs_out(self) -> float | None:
        """Return the time at which the bank will be empty; None if the clock is stopped."""
        if self.since is None:
            return None
        return self.since + self.left + (self.grace if self.lost is not None else 0.0)

    def shown(self, now: float) -> Clock:
        copy = SeatClock(self.left, self.grace, self.since, self.lost)
        copy.settle(now)
        return Clock(int(copy.left * 1000), self.since is not None, int(copy.grace * 1000) if self.lost else 0)


def new_clock(rules: ClockRules) -> SeatClock:
    return SeatClock(float(rules.bank), float(rules.grace))
