"""State shared by the parts of a running server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from blackpoker.server.http.allowed_hosts import AllowedHosts
from blackpoker.server.http.api.analysis import AnalysisQueue
from blackpoker.server.http.limits import Budget, Limits, network_of
from blackpoker.server.http.lobby_cache import Lobby
from blackpoker.server.http.sessions import COOKIE, GuestSessions
from blackpoker.server.http.types import HttpConnection
from blackpoker.server.metrics import Metrics
from blackpoker.server.rate_limit import Buckets
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.worker_pool import JobOwner

if TYPE_CHECKING:
    from blackpoker.server.accounts.service import Accounts
    from blackpoker.server.tournaments.service import Tournaments


@dataclass
class AppState:
    room_manager: RoomManager
    sessions: GuestSessions
    limits: Limits
    metrics: Metrics
    origins: frozenset[str] = frozenset()  # allowed besides the server's own
    allowed_hosts: AllowedHosts = field(default_factory=AllowedHosts)
    open_metrics: bool = False  # metrics may be read from every machine, not only from this one
    maybe_accounts: Accounts | None = None  # None in a page without a server
    maybe_tournaments: Tournaments | None = None  # likewise
    room_rate: Buckets = field(init=False)
    analysis_rate: Buckets = field(init=False)
    analysis_queue: AnalysisQueue = field(init=False)
    lobby: Lobby = field(init=False)
    open_sockets: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.room_rate = Buckets(self.limits.rooms_rate, self.limits.rooms_burst)
        self.analysis_rate = Buckets(self.limits.rooms_rate, self.limits.rooms_burst)
        self.lobby = Lobby(self.room_manager)
        self.analysis_queue = AnalysisQueue(self.room_manager.workers, self.room_manager.spawn)

    @property
    def accounts(self) -> Accounts:
        assert self.maybe_accounts is not None
        return self.maybe_accounts

    @property
    def tournaments(self) -> Tournaments:
        assert self.maybe_tournaments is not None
        return self.maybe_tournaments

    @property
    def budget(self) -> Budget:
        return self.room_manager.budget

    def network(self, request: HttpConnection) -> str:
        """Return the network a request is charged to."""
        return network_of(request.client.host) if request.client is not None else "?"

    def job_owner(self, request: HttpConnection) -> JobOwner:
        """Return the owner of work for a request, for the fair queue and the budget."""
        guest = self.sessions.read(request.cookies.get(COOKIE))
        return JobOwner(self.network(request), "" if guest is None else guest.id)

    def allows_origin(self, request: HttpConnection) -> bool:
        """Return whether the request has no Origin header or comes from our own page."""
        origin = request.headers.get("origin")
        if origin is None:
            return True  # no browser
        host = request.headers.get("host", "")
        return origin in (f"http://{host}", f"https://{host}") or origin in self.origins
