"""What the parts of a running server share."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from blackpoker.server.api.analysis import Analyst
from blackpoker.server.net.guests import Guests
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import Buckets, Limits
from blackpoker.server.net.metrics import Metrics


@dataclass
class Server:
    hub: Hub
    guests: Guests
    limits: Limits
    metrics: Metrics
    origins: frozenset[str] = frozenset()  # allowed besides the server's own
    new_rooms: Buckets = field(init=False)
    requests: Buckets = field(init=False)
    analyses: Buckets = field(init=False)
    analyst: Analyst = field(init=False)
    connected: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.new_rooms = Buckets(self.limits.rooms_rate, self.limits.rooms_burst)
        self.requests = Buckets(self.limits.request_rate, self.limits.request_burst)
        self.analyses = Buckets(self.limits.rooms_rate, self.limits.rooms_burst)
        self.analyst = Analyst(self.hub.thinkers, self.hub.spawn)

    def address(self, request: HTTPConnection) -> str:
        return request.client.host if request.client is not None else "?"

    def own_origin(self, request: HTTPConnection) -> bool:
        """Whether a browser that names an origin came from our own page."""
        origin = request.headers.get("origin")
        if origin is None:
            return True  # no browser
        host = request.headers.get("host", "")
        return origin in (f"http://{host}", f"https://{host}") or origin in self.origins
