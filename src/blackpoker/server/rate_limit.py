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

    def __init__(self, rate: float, burst: float, max_keys: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.max_keys = max_keys
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def get(self, key: str, now: float) -> Bucket:
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = Bucket(self.burst, now)
            if len(self.buckets) > self.max_keys:
                self.buckets.popitem(last=False)
        else:
            self.buckets.move_to_end(key)
        return bucket

    def take(self, key: str, now: float) -> bool:
        return self.get(key, now).take(self.rate, self.burst, now)

    def wait(self, key: str, now: float) -> float:
        """Return the seconds until a token is available."""
        return max(0.0, -self.get(key, now).fill(self.rate, self.burst, now) / self.rate)

    def spend(self, key: str, amount: float, now: float) -> None:
        bucket = self.get(key, now)
        bucket.fill(self.rate, self.burst, now)
        bucket.tokens -= amount
