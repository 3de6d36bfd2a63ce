"""State shared by the parts of a running server."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from blackpoker.server.admission import Ledger, Limits, Owner, network_of
from blackpoker.server.http.allowed_hosts import AllowedHosts
from blackpoker.server.http.api.analysis import AnalysisQueue
from blackpoker.server.http.lobby_cache import Lobby
from blackpoker.server.http.sessions import COOKIE, GuestSessions
from blackpoker.server.http.types import HttpConnection
from blackpoker.server.identity import Identity
from blackpoker.server.metrics import Metrics
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.seats import is_loopback

if TYPE_CHECKING:
    from blackpoker.server.accounts.service import Accounts
    from blackpoker.server.tournaments.service import Tournaments


@dataclass
class AppState:
    room_manager: RoomManager
    sessions: GuestSessions
    limits: Limits
    metrics: Metrics
    origin_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), kw_only=True)
    metrics_token: str = field(default="", kw_only=True)  # of a reader of the metrics on another machine
    origins: frozenset[str] = frozenset()  # allowed besides the server's own
    allowed_hosts: AllowedHosts = field(default_factory=AllowedHosts)
    open_metrics: bool = False  # metrics may be read from every machine, not only from this one
    maybe_accounts: Accounts | None = None  # None in a page without a server
    maybe_tournaments: Tournaments | None = None  # likewise
    analysis_queue: AnalysisQueue = field(init=False)
    lobby: Lobby = field(init=False)

    def __post_init__(self) -> None:
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
    def ledger(self) -> Ledger:
        return self.room_manager.ledger

    def network(self, request: HttpConnection) -> str:
        """Return the network a request is charged to."""
        return network_of(request.client.host) if request.client is not None else "?"

    def origin(self, request: HttpConnection) -> str:
        """Return a keyed hash of the request's network, stored with what it lists publicly; empty on the server's own
        machine."""
        network = self.network(request)
        if is_loopback(network):
            return ""
        return hashlib.blake2b(network.encode(), key=self.origin_key, digest_size=6).hexdigest()

    def job_owner(self, request: HttpConnection) -> Owner:
        """Return the owner of work for a request, for the fair queue and the budget."""
        identity = self.identity(request)
        return Owner(self.network(request), "" if identity is None else identity.id)

    def identity(self, request: HttpConnection) -> Identity | None:
        """Return the caller's identity, the same on every surface; None without a valid cookie."""
        return self.sessions.read(request.cookies.get(COOKIE))

    def allows_origin(self, request: HttpConnection) -> bool:
        """Return whether the request has no Origin header or comes from our own page."""
        origin = request.headers.get("origin")
        if origin is None:
            return True  # no browser
        host = request.headers.get("host", "")
        return origin in (f"http://{host}", f"https://{host}") or origin in self.origins
