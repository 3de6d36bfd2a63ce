"""Clocks: a bank for a seat's own decisions, a limit for a chance, a grace period for a lost connection.

Time is a number of seconds that only grows; this module reads no real clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from blackpoker.protocol.messages import Clock, ClockRules


@dataclass
class SeatClock:
    """A seat's clock. ``since``: start of the running interval, None while the clock is stopped."""

    remaining: float
    grace: float
    running_since: float | None = None
    disconnected_at: float | None = None  # time at which the connection was lost

    def settle(self, now: float) -> None:
        """Charge the elapsed time: first to the grace of a lost connection, then to the bank."""
        if self.running_since is None:
            return
        spent = max(0.0, now - self.running_since)
        if self.disconnected_at is not None:
            from_grace = min(self.grace, max(0.0, now - max(self.running_since, self.disconnected_at)))
            self.grace -= from_grace
            spent -= from_grace
        self.remaining = max(0.0, self.remaining - spent)
        self.running_since = now
        if self.disconnected_at is not None:
            self.disconnected_at = now

    def start(self, now: float, increment: float) -> None:
        if self.running_since is None:
            self.running_since = now
            self.remaining += increment

    def stop(self, now: float) -> None:
        self.settle(now)
        self.running_since = None

    def disconnected(self, now: float) -> None:
        self.settle(now)
        self.disconnected_at = now

    def connected(self, now: float) -> None:
        self.settle(now)
        self.disconnected_at = None

    def empty_at(self) -> float | None:
        """Return the time at which the bank will be empty; None if the clock is stopped."""
        if self.running_since is None:
            return None
        return self.running_since + self.remaining + (self.grace if self.disconnected_at is not None else 0.0)

    def to_wire(self, now: float) -> Clock:
        copy = SeatClock(self.remaining, self.grace, self.running_since, self.disconnected_at)
        copy.settle(now)
        return Clock(
            int(copy.remaining * 1000),
            self.running_since is not None,
            int(copy.grace * 1000) if self.disconnected_at else 0,
        )


def new_clock(rules: ClockRules) -> SeatClock:
    return SeatClock(float(rules.bank), float(rules.grace))
