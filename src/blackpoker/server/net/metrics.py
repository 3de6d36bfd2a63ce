"""What Prometheus reads at /metrics. One registry per server, so that tests do not share counters."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

TYPE = CONTENT_TYPE_LATEST


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.connections = Gauge("blackpoker_connections", "Open WebSockets", registry=self.registry)
        self.rooms = Gauge("blackpoker_rooms", "Rooms in memory", registry=self.registry)
        self.messages = Counter("blackpoker_messages", "Messages of clients", registry=self.registry)
        self.decisions = Counter("blackpoker_decisions", "Stored sentences", registry=self.registry)
        self.games = Counter("blackpoker_games", "Finished games", registry=self.registry)
        self.errors = Counter("blackpoker_errors", "Refused messages", ["code"], registry=self.registry)
        self.evicted = Counter("blackpoker_evicted", "Connections closed by us", ["why"], registry=self.registry)
        self.stored = Histogram(
            "blackpoker_store_seconds",
            "From a sentence to its commit",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
            registry=self.registry,
        )

    def text(self) -> bytes:
        return generate_latest(self.registry)
