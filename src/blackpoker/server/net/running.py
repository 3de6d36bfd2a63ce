"""What the parts of a running server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from blackpoker.server.api.analysis import Analyst
from blackpoker.server.buckets import Buckets
from blackpoker.server.net.exchange import HttpConnection
from blackpoker.server.net.guests import COOKIE, Guests
from blackpoker.server.net.hosts import Hosts
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import Budget, Limits, network_of
from blackpoker.server.net.lobby import Lobby
from blackpoker.server.net.metrics import Metrics
from blackpoker.server.net.thinkers import TurnOwner

if TYPE_CHECKING:
    from blackpoker.server.accounts.service import Accounts
    from blackpoker.server.tournaments.contests import Tournaments


@dataclass
class Server:
    hub: Hub
    guests: Guests
    limits: Limits
    metrics: Metrics
    origins: frozenset[str] = frozenset()  # allowed besides the server's own
    hosts: Hosts = field(default_factory=Hosts)
    open_metrics: bool = False  # told to every machine, not to this one alone
    people: Accounts | None = None  # a page without a server has none
    tournaments: Tournaments | None = None  # nor these
    new_rooms: Buckets = field(init=False)
    analyses: Buckets = field(init=False)
    analyst: Analyst = field(init=False)
    lobby: Lobby = field(init=False)
    connected: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.new_rooms = Buckets(self.limits.rooms_rate, self.limits.rooms_burst)
        self.analyses = Buckets(self.limits.rooms_rate, self.limits.rooms_burst)
        self.lobby = Lobby(self.hub)
        self.analyst = Analyst(self.hub.thinkers, self.hub.spawn)

    @property
    def accounts(self) -> Accounts:
        assert self.people is not None
        return self.people

    @property
    def contests(self) -> Tournaments:
        assert self.tournaments is not None
        return self.tournaments

    @property
    def budget(self) -> Budget:
        return self.hub.budget

    def network(self, request: HttpConnection) -> str:
        """Whom a request is counted for."""
        return network_of(request.client.host) if request.client is not None else "?"

    def owner(self, request: HttpConnection) -> TurnOwner:
        """Whom work for a request is done for."""
        guest = self.guests.read(request.cookies.get(COOKIE))
        return TurnOwner(self.network(request), "" if guest is None else guest.id)

    def own_origin(self, request: HttpConnection) -> bool:
        """Whether a browser that names an origin came from our own page."""
        origin = request.headers.get("origin")
        if origin is None:
            return True  # no browser
        host = request.headers.get("host", "")
        return origin in (f"http://{host}", f"https://{host}") or origin in self.origins
