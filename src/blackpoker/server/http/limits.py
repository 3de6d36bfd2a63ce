"""Limits per connection, guest and address."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from blackpoker.server.rate_limit import Buckets

T = TypeVar("T")
#: CPU seconds of this thread; a page has neither threads nor such a clock
processor_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)


@dataclass(frozen=True)
class Limits:
    """Limits. Per connection: bytes of a message, and bytes that may wait to be sent. Per guest and per address, over
    all sockets and requests: milliseconds of server time per second and in one burst; the minimum cost of a message, a
    request, a new connection and a WebSocket handshake. Per address: connections, new rooms per second and in one
    burst, games to analyse likewise, new accounts. ``header_seconds`` limits the head of a request."""

    message_bytes: int = 16_384
    queue_bytes: int = 4_000_000
    guest_ms: float = 50.0
    guest_burst_ms: float = 1_500.0
    address_ms: float = 150.0
    address_burst_ms: float = 3_000.0
    message_cost: float = 0.2
    request_cost: float = 1.0
    connection_cost: float = 0.5
    handshake_cost: float = 1.5
    connections: int = 200
    rooms_rate: float = 1.0
    rooms_burst: int = 30
    accounts_rate: float = 1 / 600
    accounts_burst: float = 5
    body_bytes: int = 262_144
    rooms: int = 20_000
    header_seconds: float = 10.0


NO_LIMIT = 1e12
#: for benchmarks and trusted networks
UNLIMITED = Limits(
    guest_ms=NO_LIMIT,
    guest_burst_ms=NO_LIMIT,
    address_ms=NO_LIMIT,
    address_burst_ms=NO_LIMIT,
    connections=10**6,
    rooms_rate=1e9,
    rooms_burst=10**9,
    accounts_rate=1e9,
    accounts_burst=10**9,
)


@lru_cache(4096)
def network_of(address: str) -> str:
    """Return the network that shares one limit: an IPv4 address, or an IPv6 /64, because a subscriber owns a whole
    /64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))
    return str(found)


class Measured(Generic[T]):
    """Awaitable that measures the work it wraps: ``ms`` is the CPU time of its own steps, without those of other tasks
    while it waits."""

    def __init__(self, work: Awaitable[T]) -> None:
        self.steps: Any = work.__await__()
        self.ms: float = 0.0

    def __await__(self) -> Generator[Any, Any, T]:
        step = self.steps.send
        given: Any = None
        while True:
            begun = processor_time()
            try:
                waits_for = step(given)
            except StopIteration as done:
                result: T = done.value
                return result
            finally:
                self.ms += 1000 * (processor_time() - begun)
            try:
                given = yield waits_for
                step = self.steps.send
            except BaseException as error:  # the awaiting task is cancelled: so is the work
                given, step = error, self.steps.throw


class Budget:
    """Server time used per guest and address, over all of their work. Work may start while any budget is left, and is
    charged when its cost is known. After an overdraft, new work waits until the budget is positive again."""

    def __init__(self, limits: Limits) -> None:
        self.guests: Buckets = Buckets(limits.guest_ms, limits.guest_burst_ms)
        self.addresses: Buckets = Buckets(limits.address_ms, limits.address_burst_ms)
        self.lifted: bool = limits.guest_ms >= NO_LIMIT and limits.address_ms >= NO_LIMIT
        self.sharing = False  # with other processes
        self.unshared: dict[str, float] = {}  # usage not reported to them yet

    def wait(self, guest: str, network: str, now: float) -> float:
        """Return the seconds before new work may start; 0 if it may start now."""
        if self.lifted:
            return 0.0
        return max(self.guests.wait(guest, now) if guest else 0.0, self.addresses.wait(network, now))

    def spend(self, guest: str, network: str, ms: float, now: float) -> None:
        if self.lifted:
            return
        for kind, key in (("g", guest), ("a", network)):
            if key:
                name = f"{kind}:{key}"
                self.count(name, ms, now)
                if self.sharing:
                    self.unshared[name] = self.unshared.get(name, 0.0) + ms

    def count(self, name: str, ms: float, now: float) -> None:
        """Charge usage of this process or of another one."""
        (self.guests if name.startswith("g:") else self.addresses).spend(name[2:], ms, now)
