"""Bounds on what one connection, one guest or one address may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from blackpoker.server.buckets import Buckets

T = TypeVar("T")
#: seconds this thread has used of a processor; in a page there are no threads, and no such clock
processor_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)


@dataclass(frozen=True)
class Limits:
    """Per connection: bytes of a message, and those that may wait to be sent. Per guest and per address, over all
    sockets and requests: milliseconds of the server's own time per second, and at once; what a message, a request, a
    new connection and a WebSocket's handshake cost at least. Per address: connections, rooms per second and at once,
    games to analyse likewise, new accounts. ``header_seconds``: how long a request's head may take."""

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
    guest_ms=NO_LIMIT, guest_burst_ms=NO_LIMIT, address_ms=NO_LIMIT, address_burst_ms=NO_LIMIT, connections=10**6,
    rooms_rate=1e9, rooms_burst=10**9, accounts_rate=1e9, accounts_burst=10**9,
)  # fmt: skip


@lru_cache(4096)
def network_of(address: str) -> str:
    """Who counts as one: an address of IPv4, a network of /64 of IPv6, which everybody who has one has whole."""
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
    """Await it instead of the work itself: ``ms`` is the processor time its own steps have taken so far. What others do
    while it waits is none of its."""

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
            except BaseException as error:  # whoever waits for it is being stopped: so is the work
                given, step = error, self.steps.throw


class Budget:
    """How much of the server's time a guest and an address have used, over everything they do. Something is begun while
    there is any left, and its cost is counted when it is known: whoever overdrew waits until it has come back."""

    def __init__(self, limits: Limits) -> None:
        self.guests: Buckets = Buckets(limits.guest_ms, limits.guest_burst_ms)
        self.addresses: Buckets = Buckets(limits.address_ms, limits.address_burst_ms)
        self.lifted: bool = limits.guest_ms >= NO_LIMIT and limits.address_ms >= NO_LIMIT
        self.sharing = False  # with other processes
        self.unshared: dict[str, float] = {}  # what they have not heard of yet

    def wait(self, guest: str, network: str, now: float) -> float:
        """Seconds before anything more may be begun; 0: now."""
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
        """What was used here, or in another process."""
        (self.guests if name.startswith("g:") else self.addresses).spend(name[2:], ms, now)
