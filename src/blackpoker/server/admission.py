"""Admission: the one ledger of what clients may use, asked before the work is done.

Time is counted for each guest (or account) and each address over all sockets and requests. Whatever is stored or takes
a place in a public list is drawn from a `Quota`. Connections are counted while they last. Several processes share all
of it.

Every endpoint, socket, message, job and cache declares its class here or with a type of this module
(``tests/server/test_admission.py`` lists them).
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, cast

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., Any])
#: CPU seconds of this thread; a page has neither threads nor such a clock
processor_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)

HOUR: Final = 3600.0
DAY: Final = 86_400.0


@dataclass(frozen=True)
class Limits:
    """Limits. Per connection: bytes of a message, and bytes that may wait to be sent. Per guest and per address, over
    all sockets and requests: milliseconds of server time per second and in one burst; the minimum cost of a message, a
    request, a new connection and a WebSocket handshake. Per address: connections; new rooms and new accounts per second
    and in one burst. ``header_seconds`` limits the head of a request."""

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
    lifted: bool = False


NO_LIMIT: Final = 1e12
#: for benchmarks and trusted networks
UNLIMITED: Final = Limits(
    guest_ms=NO_LIMIT,
    guest_burst_ms=NO_LIMIT,
    address_ms=NO_LIMIT,
    address_burst_ms=NO_LIMIT,
    connections=10**6,
    rooms_rate=1e9,
    rooms_burst=10**9,
    accounts_rate=1e9,
    accounts_burst=10**9,
    lifted=True,
)


# -- classes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """A kind of work. ``ms`` is charged before the work begins; time beyond it is charged when it is known. ``by_job``:
    charged when the job is queued (`WorkerPool.run_charged`)."""

    name: str
    ms: float
    by_job: bool = False


#: a file or a page from a cache
PAGE: Final = Cost("page", 1.0)
#: data from memory or a few rows
READ: Final = Cost("read", 1.0)
#: computation on the event loop
COMPUTE: Final = Cost("compute", 4.0)
#: change of stored data
WRITE: Final = Cost("write", 2.0)
#: job in a thread or a worker process
JOB: Final = Cost("job", 20.0, by_job=True)
#: slow hash of a recovery code
HASH: Final = Cost("hash", 60.0, by_job=True)
#: reading or changing much of what is stored
BULK: Final = Cost("bulk", 30.0)
#: sockets: one whose client sends messages, and one whose client only receives
TALK: Final = Cost("talk", 1.5)
FOLLOW: Final = Cost("follow", 1.5)
#: messages: a plain one, one that asks for a computation, one whose answer is a job
PLAIN_MESSAGE: Final = Cost("plain message", 0.2)
COMPUTED_MESSAGE: Final = Cost("computed message", 1.0)
JOB_MESSAGE: Final = Cost("job message", 20.0)


class Rate(NamedTuple):
    """Tokens per second, and in one burst."""

    per_second: float
    burst: float


@dataclass(frozen=True)
class Quota:
    """Tokens for what is stored or listed; ``in_bytes``: a token is a byte of the request's body. A refused request
    gives its tokens back unless ``kept`` (guesses). ``strict`` quotas hold even where the limits are lifted.
    ``configured``: the address's rate where it is one of the `Limits`."""

    name: str
    address: Rate | None = None
    guest: Rate | None = None
    everyone: Rate | None = None
    in_bytes: bool = False
    kept: bool = False
    strict: bool = False
    configured: Callable[[Limits], Rate] | None = None

    def rates(self, limits: Limits, guest: str, network: str) -> list[tuple[str, Rate]]:
        """Return the buckets to draw from."""
        address = self.address if self.configured is None else self.configured(limits)
        found = ((f"a:{network}", address), (f"g:{guest}", self.guest if guest else None), ("", self.everyone))
        return [(f"{self.name}:{key}", rate) for key, rate in found if rate is not None]


#: new rooms
ROOMS: Final = Quota("rooms", configured=lambda limits: Rate(limits.rooms_rate, limits.rooms_burst))
#: imported records, by the bytes sent
RECORDS: Final = Quota(
    "records", Rate(6e6 / DAY, 600_000), Rate(3e6 / DAY, 400_000), everyone=Rate(2e8 / DAY, 5e7), in_bytes=True
)
#: games to analyse
ANALYSES: Final = Quota("analyses", configured=lambda limits: Rate(limits.rooms_rate, limits.rooms_burst))
#: new accounts
ACCOUNTS: Final = Quota("accounts", configured=lambda limits: Rate(limits.accounts_rate, limits.accounts_burst))
#: names of guests; a hall full of people has one address
NAMES: Final = Quota("names", Rate(1.0, 250))
#: challenges for passkeys, links to another device, names looked up
CHALLENGES: Final = Quota("challenges", Rate(1 / 30, 50))
#: attempts with a recovery code. At this rate a code of 67 bits is found after ten thousand million times the age of
#: the world, so no limit per name is needed, which strangers could use up
GUESSES: Final = Quota("guesses", Rate(1 / 60, 10), kept=True, strict=True)
#: sessions, passkeys, recovery codes and other changes of an account
ACCOUNT_CHANGES: Final = Quota("account changes", Rate(1.0, 200), Rate(1 / 20, 40))
#: data that a page stores for its owner's other devices, by the bytes sent
PAGE_DATA: Final = Quota("page data", None, Rate(4e3, 2e6), in_bytes=True)
#: files with all data of an account
EXPORTS: Final = Quota("exports", Rate(1 / 20, 20), Rate(1 / 60, 5))
#: new tournaments
TOURNAMENTS: Final = Quota("tournaments", Rate(1 / 1200, 6), Rate(1 / HOUR, 4))
#: entering, leaving and decks; a hall full of people has one address
ENTRIES: Final = Quota("entries", Rate(0.5, 400), Rate(1 / 20, 12))
#: commands of the host of a tournament
HOST_COMMANDS: Final = Quota("host commands", Rate(1.0, 200), Rate(0.5, 100))
#: reports to the operator
REPORTS: Final = Quota("reports", Rate(1 / 300, 6), Rate(1 / 300, 5))
#: players muted by a player
MUTES: Final = Quota("mutes", Rate(0.5, 60), Rate(0.2, 30))

QUOTAS: Final = (
    ROOMS,
    RECORDS,
    ANALYSES,
    ACCOUNTS,
    NAMES,
    CHALLENGES,
    GUESSES,
    ACCOUNT_CHANGES,
    PAGE_DATA,
    EXPORTS,
    TOURNAMENTS,
    ENTRIES,
    HOST_COMMANDS,
    REPORTS,
    MUTES,
)


class Owner(NamedTuple):
    """The network and the guest (or account) that work is charged to."""

    network: str
    guest: str


#: owner of work for all players
SERVER_OWNER: Final = Owner("", "")


class Refused(Exception):
    """Raised before work for which nothing is left. ``seconds``: until enough is left again."""

    def __init__(self, quota: Quota, seconds: float) -> None:
        super().__init__(quota.name)
        self.quota = quota
        self.seconds = seconds


# -- buckets -----------------------------------------------------------------------------------------------------------


class Bucket:
    """Tokens that refill over time."""

    __slots__ = ("at", "tokens")

    def __init__(self, burst: float, now: float) -> None:
        self.tokens: float = burst
        self.at: float = now

    def fill(self, rate: float, burst: float, now: float) -> float:
        self.tokens = min(burst, self.tokens + (now - self.at) * rate)
        self.at = now
        return self.tokens

    def take(self, rate: float, burst: float, now: float) -> bool:
        if self.fill(rate, burst, now) < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """One bucket per key; the longest unused are dropped."""

    def __init__(self, rate: float, burst: float, max_keys: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.max_keys = max_keys
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def get(self, key: str, now: float) -> Bucket:
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = Bucket(self.burst, now)
            if len(self.buckets) > self.max_keys:
                self.buckets.popitem(last=False)
        else:
            self.buckets.move_to_end(key)
        return bucket

    def take(self, key: str, now: float) -> bool:
        return self.get(key, now).take(self.rate, self.burst, now)

    def wait(self, key: str, now: float) -> float:
        """Return the seconds until a token is available."""
        return max(0.0, -self.get(key, now).fill(self.rate, self.burst, now) / self.rate)

    def spend(self, key: str, amount: float, now: float) -> None:
        bucket = self.get(key, now)
        bucket.fill(self.rate, self.burst, now)
        bucket.tokens -= amount


class LocalTokens:
    """The tokens of quotas in the memory of one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, max_keys: int = 20_000) -> None:
        self.clock = clock
        self.max_keys = max_keys
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, rates: Sequence[tuple[str, Rate]], amount: float) -> float:
        """Take the tokens from all buckets, or from none. Return 0, or the seconds until there are enough. A negative
        amount gives tokens back."""
        now, wait = self.clock(), 0.0
        buckets: list[Bucket] = []
        for key, rate in rates:
            bucket = self.buckets.pop(key, None) or Bucket(rate.burst, now)
            self.buckets[key] = bucket
            missing = amount - bucket.fill(rate.per_second, rate.burst, now)
            if missing > 1e-9:
                wait = max(wait, missing / rate.per_second)
            buckets.append(bucket)
        while len(self.buckets) > self.max_keys:
            self.buckets.popitem(last=False)
        if not wait:
            for bucket in buckets:
                bucket.tokens -= amount
        return wait


class SharedTokens(Protocol):
    """The tokens of quotas of all processes; see `LocalTokens.take`."""

    async def take_tokens(self, rates: Sequence[tuple[str, Rate]], amount: float) -> float | None:
        """As `LocalTokens.take`; None if the other processes cannot be reached."""


# -- the ledger --------------------------------------------------------------------------------------------------------


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


class Ledger:
    """What guests and addresses use of this server.

    Time: work may start while any is left, and is charged when its cost is known. After an overdraft, new work waits
    until the balance is positive again. Quotas: drawn before the work, from one store of tokens for all processes.
    Connections: counted while they last, with those of the other processes."""

    def __init__(self, limits: Limits, shared: SharedTokens | None = None) -> None:
        self.limits = limits
        self.guests: Buckets = Buckets(limits.guest_ms, limits.guest_burst_ms)
        self.addresses: Buckets = Buckets(limits.address_ms, limits.address_burst_ms)
        self.lifted: bool = limits.guest_ms >= NO_LIMIT and limits.address_ms >= NO_LIMIT
        self.tokens: LocalTokens = LocalTokens()
        self.shared: SharedTokens | None = shared
        self.sharing = False  # with other processes
        self.unshared: dict[str, float] = {}  # usage not reported to them yet
        self.held: dict[str, int] = {}  # open connections of each network in this process
        self.held_elsewhere: dict[str, int] = {}  # in the other processes

    # -- time ----------------------------------------------------------------------------------------------------------

    def wait(self, guest: str, network: str, now: float) -> float:
        """Return the seconds before new work may start; 0 if it may start now."""
        if self.lifted:
            return 0.0
        return max(self.guests.wait(guest, now) if guest else 0.0, self.addresses.wait(network, now))

    def spend(self, guest: str, network: str, ms: float, now: float) -> None:
        if self.lifted or not ms:
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

    # -- quotas --------------------------------------------------------------------------------------------------------

    async def draw(self, quota: Quota, owner: Owner, amount: float = 1.0) -> None:
        """Draw from a quota; raise `Refused` if too little is left. Without contact to the other processes it is drawn
        from this process's own tokens."""
        if self.limits.lifted and not quota.strict:
            return
        rates = quota.rates(self.limits, owner.guest, owner.network)
        wait = None if self.shared is None else await self.shared.take_tokens(rates, amount)
        if wait is None:
            wait = self.tokens.take(rates, amount)
        if wait:
            raise Refused(quota, wait)

    async def give_back(self, quota: Quota, owner: Owner, amount: float = 1.0) -> None:
        """Return what was drawn for a request that was refused."""
        if not quota.kept:
            await self.draw(quota, owner, -amount)

    # -- connections ---------------------------------------------------------------------------------------------------

    def hold(self, network: str) -> bool:
        """Count an open connection; return False if the network has too many."""
        count = self.held.get(network, 0)
        if count + self.held_elsewhere.get(network, 0) >= self.limits.connections:
            return False
        self.held[network] = count + 1
        return True

    def release(self, network: str) -> None:
        remaining = self.held.get(network, 0) - 1
        if remaining > 0:
            self.held[network] = remaining
        else:
            self.held.pop(network, None)


# -- jobs --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job(Generic[T]):
    """A function that runs in a thread or in a worker process for a client. `JOBS` lists them."""

    name: str
    cost: Cost
    run: Callable[..., T]


JOBS: Final[dict[str, Job[Any]]] = {}


def declare_job(name: str, cost: Cost, run: Callable[..., T]) -> Job[T]:
    """Declare a job; raise `ValueError` for a name that is in use."""
    if name in JOBS:
        raise ValueError(name)
    job = JOBS[name] = Job(name, cost, run)
    return job


# -- caches ------------------------------------------------------------------------------------------------------------


class DeclaredCache(NamedTuple):
    """A cache: its most entries, and where its keys come from. ``keys`` is "own" for values of the program and "known"
    for texts of clients that were found before; nothing else may be a key."""

    name: str
    entries: int
    keys: str


CACHES: Final[dict[str, DeclaredCache]] = {}


def declare_cache(name: str, entries: int, keys: str) -> DeclaredCache:
    if name in CACHES or keys not in ("own", "known"):
        raise ValueError(name)
    cache = CACHES[name] = DeclaredCache(name, entries, keys)
    return cache


def cached(name: str, entries: int, keys: str = "own") -> Callable[[F], F]:
    """Return a decorator that caches the results of a function, declared as `DeclaredCache`."""
    declared = declare_cache(name, entries, keys)

    def apply(function: F) -> F:
        return cast(F, lru_cache(declared.entries)(function))

    return apply


class BoundedCache(OrderedDict[K, V]):
    """A dictionary that drops its oldest entries, declared as `DeclaredCache`."""

    def __init__(self, declared: DeclaredCache) -> None:
        super().__init__()
        self.entries = declared.entries

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        while len(self) > self.entries:
            self.popitem(last=False)
