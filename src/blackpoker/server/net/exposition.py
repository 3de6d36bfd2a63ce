"""Metrics in the Prometheus text format. Each text has its own registry: servers and tests share no counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from blackpoker.server.net.metrics import SECONDS, ServerFigures

TYPE = CONTENT_TYPE_LATEST


class Exposition(Collector):
    """Collector of the metrics of all processes. Counters are summed over the processes; gauges have the process as a
    label."""

    def __init__(self, figures: ServerFigures) -> None:
        self.figures = figures

    def collect(self) -> Iterable[Metric]:
        every = list(self.figures.all().values())
        for name, text in (("connections", "Open WebSockets"), ("rooms", "Rooms in memory")):
            gauge = GaugeMetricFamily(f"blackpoker_{name}", text, labels=["process"])
            for process, value in self.figures.by_process(name).items():
                gauge.add_metric([process], value)
            yield gauge
        for name, text in (
            ("messages", "Messages of clients"),
            ("decisions", "Stored sentences"),
            ("games", "Finished games"),
        ):
            yield CounterMetricFamily(f"blackpoker_{name}", text, sum(getattr(one, name) for one in every))
        died = sum(one.restarts for one in every)
        yield CounterMetricFamily("blackpoker_restarts", "Processes that died and were started again", died)
        for name, text, label in (
            ("errors", "Refused messages", "code"),
            ("evicted", "Connections closed by us", "why"),
        ):
            family = CounterMetricFamily(f"blackpoker_{name}", text, labels=[label])
            counts: Counter[str] = Counter()
            for one in every:
                counts.update(dict(getattr(one, name).items()))
            for word, count in counts.items():
                family.add_metric([word], count)
            yield family
        names = [*(str(seconds) for seconds in SECONDS), "+Inf"]
        stored = [sum(column) for column in zip(*(one.stored for one in every), strict=True)]
        buckets = list(zip(names, map(float, accumulate(stored)), strict=True))
        seconds = sum(one.stored_ns for one in every) / 1e9
        yield HistogramMetricFamily("blackpoker_store_seconds", "From a sentence to its commit", buckets, seconds)


def exposition(figures: ServerFigures) -> bytes:
    registry = CollectorRegistry()
    registry.register(Exposition(figures))
    return generate_latest(registry)
