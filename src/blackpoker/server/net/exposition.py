"""What Prometheus reads at /metrics. One registry for each text: servers, and tests, do not share counters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from blackpoker.server.net.metrics import SECONDS, Metrics

TYPE = CONTENT_TYPE_LATEST


class Exposition(Collector):
    def __init__(self, counted: Metrics) -> None:
        self.counted = counted

    def collect(self) -> Iterable[Metric]:
        counted = self.counted
        yield GaugeMetricFamily("blackpoker_connections", "Open WebSockets", counted.connections)
        yield GaugeMetricFamily("blackpoker_rooms", "Rooms in memory", counted.rooms)
        yield CounterMetricFamily("blackpoker_messages", "Messages of clients", counted.messages)
        yield CounterMetricFamily("blackpoker_decisions", "Stored sentences", counted.decisions)
        yield CounterMetricFamily("blackpoker_games", "Finished games", counted.games)
        for name, text, label, counts in (
            ("blackpoker_errors", "Refused messages", "code", counted.errors),
            ("blackpoker_evicted", "Connections closed by us", "why", counted.evicted),
        ):
            family = CounterMetricFamily(name, text, labels=[label])
            for value, count in counts.items():
                family.add_metric([value], count)
            yield family
        names = [*(str(seconds) for seconds in SECONDS), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(counted.stored)), strict=True))
        yield HistogramMetricFamily(
            "blackpoker_store_seconds", "From a sentence to its commit", buckets, counted.stored_seconds
        )


def exposition(counted: Metrics) -> bytes:
    registry = CollectorRegistry()
    registry.register(Exposition(counted))
    return generate_latest(registry)
