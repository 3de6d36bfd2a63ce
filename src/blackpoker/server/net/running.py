"""State shared by the parts of a running server."""

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
    open_metrics: bool = False  # metrics may be read from every machine, not only from this one
    people: Accounts | None = None  # None in a page without a server
    tournaments: Tournaments | None = None  # likewise
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
        """Return the network a request is charged to."""
        return network_of(request.client.host) if request.client is not None else "?"

    def owner(self, request: HttpConnection) -> TurnOwner:
        """Return the owner of work for a request, for the fair queue and the budget."""
        guest = self.guests.read(request.cookies.get(COOKIE))
        return TurnOwner(self.network(request), "" if guest is None else guest.id)

    def own_origin(self, request: HttpConnection) -> bool:
        """Return whether the request has no Origin header or comes from our own page."""
        origin = request.headers.get("origin")
        if origin is None:
            return True  # no browser
        host = request.headers.get("host", "")
        return origin in (f"http://{host}", f"https://{host}") or origin in self.origins
