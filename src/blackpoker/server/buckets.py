"""Rate limits: tokens that are used up and refill over time."""

from __future__ import annotations

from collections import OrderedDict


class Bucket:
    """Tokens that refill over time."""

    __slots__ = ("at", "tokens")

    def __init__(self, burst: float, now: float) -> None:
        self.tokens: float = burst
        self.at: float = now

    def fill(self, rate: float, burst: float, now: float) -> float:
        self.tokens = min(burst, self.tokens + (now - self.at) * rate)
        self.at = now
        return self.tokens

    def take(self, rate: float, burst: float, now: float) -> bool:
        if self.fill(rate, burst, now) < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """One bucket per key; the longest unused are dropped."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.most = most
        self.known: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str, now: float) -> Bucket:
        bucket = self.known.get(key)
        if bucket is None:
            bucket = self.known[key] = Bucket(self.burst, now)
            if len(self.known) > self.most:
                self.known.popitem(last=False)
        else:
            self.known.move_to_end(key)
        return bucket

    def take(self, key: str, now: float) -> bool:
        return self.of(key, now).take(self.rate, self.burst, now)

    def wait(self, key: str, now: float) -> float:
        """Return the seconds until a token is available."""
        return max(0.0, -self.of(key, now).fill(self.rate, self.burst, now) / self.rate)

    def spend(self, key: str, amount: float, now: float) -> None:
        bucket = self.of(key, now)
        bucket.fill(self.rate, self.burst, now)
        bucket.tokens -= amount
