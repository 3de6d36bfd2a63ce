"""Metrics in the Prometheus text format. Each text has its own registry: servers and tests share no counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from blackpoker.server.metrics import SECONDS, ServerMetrics

CONTENT_TYPE = CONTENT_TYPE_LATEST


class PrometheusCollector(Collector):
    """Collector of the metrics of all processes. Counters are summed over the processes; gauges have the process as a
    label."""

    def __init__(self, metrics: ServerMetrics) -> None:
        self.metrics = metrics

    def collect(self) -> Iterable[Metric]:
        processes = list(self.metrics.all().values())
        for name, text in (("connections", "Open WebSockets"), ("rooms", "Rooms in memory")):
            gauge = GaugeMetricFamily(f"blackpoker_{name}", text, labels=["process"])
            for process, value in self.metrics.by_process(name).items():
                gauge.add_metric([process], value)
            yield gauge
        for name, text in (
            ("messages", "Messages of clients"),
            ("decisions", "Stored sentences"),
            ("games", "Finished games"),
        ):
            yield CounterMetricFamily(
                f"blackpoker_{name}", text, sum(getattr(process_metrics, name) for process_metrics in processes)
            )
        restarts = sum(process_metrics.restarts for process_metrics in processes)
        yield CounterMetricFamily("blackpoker_restarts", "Processes that died and were started again", restarts)
        for name, text, label in (
            ("errors", "Refused messages", "code"),
            ("evicted", "Connections closed by us", "why"),
        ):
            family = CounterMetricFamily(f"blackpoker_{name}", text, labels=[label])
            counts: Counter[str] = Counter()
            for process_metrics in processes:
                counts.update(dict(getattr(process_metrics, name).items()))
            for label_value, count in counts.items():
                family.add_metric([label_value], count)
            yield family
        names = [*(str(seconds) for seconds in SECONDS), "+Inf"]
        bucket_counts = [
            sum(column) for column in zip(*(process_metrics.stored for process_metrics in processes), strict=True)
        ]
        buckets = list(zip(names, map(float, accumulate(bucket_counts)), strict=True))
        seconds = sum(process_metrics.stored_ns for process_metrics in processes) / 1e9
        yield HistogramMetricFamily("blackpoker_store_seconds", "From a sentence to its commit", buckets, seconds)


def render_metrics(metrics: ServerMetrics) -> bytes:
    registry = CollectorRegistry()
    registry.register(PrometheusCollector(metrics))
    return generate_latest(registry)
