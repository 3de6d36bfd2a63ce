"""Bounds on what one connection or one address may ask for."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Per connection: bytes of a message, messages per second and at once, messages and bytes that may wait to be sent.
    Per address: connections, requests per second and at once, rooms per second and at once, games to
    analyse likewise."""

    message_bytes: int = 16_384
    message_rate: float = 100.0
    message_burst: int = 200
    queue_messages: int = 256
    queue_bytes: int = 4_000_000
    connections: int = 200
    request_rate: float = 20.0
    request_burst: int = 200
    rooms_rate: float = 1.0
    rooms_burst: int = 30
    body_bytes: int = 262_144
    rooms: int = 20_000


#: for benchmarks and trusted networks
UNLIMITED = Limits(
    message_rate=1e9, message_burst=10**9, connections=10**6, request_rate=1e9, request_burst=10**9, rooms_rate=1e9,
    rooms_burst=10**9,
)  # fmt: skip


class Bucket:
    """Tokens that come back over time."""

    __slots__ = ("at", "tokens")

    def __init__(self, burst: float, now: float) -> None:
        self.tokens = burst
        self.at = now

    def take(self, rate: float, burst: float, now: float) -> bool:
        self.tokens = min(burst, self.tokens + (now - self.at) * rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """One bucket per address; the longest unused are forgotten."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.most = most
        self.known: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, now: float) -> bool:
        bucket = self.known.get(key)
        if bucket is None:
            bucket = self.known[key] = Bucket(self.burst, now)
            if len(self.known) > self.most:
                self.known.popitem(last=False)
        else:
            self.known.move_to_end(key)
        return bucket.take(self.rate, self.burst, now)
