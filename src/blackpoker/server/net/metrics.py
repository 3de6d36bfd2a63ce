"""What Prometheus reads at /metrics.

Counting happens at every message, so it is plain numbers here; the library, which takes a lock for each, makes its
text of them when it is asked for. One registry per server, so that tests do not share counters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

TYPE = CONTENT_TYPE_LATEST
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Metrics(Collector):
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
        self.registry: CollectorRegistry = CollectorRegistry()
        self.registry.register(self)

    def observe_stored(self, seconds: float) -> None:
        """How long a sentence took to be safe."""
        self.stored[bisect_left(SECONDS, seconds)] += 1
        self.stored_seconds += seconds

    def collect(self) -> Iterable[Metric]:
        yield GaugeMetricFamily("blackpoker_connections", "Open WebSockets", self.connections)
        yield GaugeMetricFamily("blackpoker_rooms", "Rooms in memory", self.rooms)
        yield CounterMetricFamily("blackpoker_messages", "Messages of clients", self.messages)
        yield CounterMetricFamily("blackpoker_decisions", "Stored sentences", self.decisions)
        yield CounterMetricFamily("blackpoker_games", "Finished games", self.games)
        for name, text, label, counts in (
            ("blackpoker_errors", "Refused messages", "code", self.errors),
            ("blackpoker_evicted", "Connections closed by us", "why", self.evicted),
        ):
            family = CounterMetricFamily(name, text, labels=[label])
            for value, count in counts.items():
                family.add_metric([value], count)
            yield family
        names = [*(str(seconds) for seconds in SECONDS), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(self.stored)), strict=True))
        yield HistogramMetricFamily(
            "blackpoker_store_seconds", "From a sentence to its commit", buckets, self.stored_seconds
        )

    def text(self) -> bytes:
        return generate_latest(self.registry)
