"""Spectators of a tournament with a delay: whatever happens at its tables, everyone who does not sit there receives the
same until the delay has passed, on every channel. Players are informed at once."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from blackpoker.protocol import messages as p
from blackpoker.server.admission import UNLIMITED
from blackpoker.server.app import SERVER_ENDPOINTS
from blackpoker.server.clock import GameClock
from blackpoker.server.cluster.bus import Bus
from blackpoker.server.fairness import seal
from blackpoker.server.http.endpoint import respond
from blackpoker.server.http.sessions import COOKIE, GuestSessions
from blackpoker.server.http.state import AppState
from blackpoker.server.identity import Identity
from blackpoker.server.metrics import Metrics
from blackpoker.server.room_manager import RoomManager
from blackpoker.server.rooms.seats import RoomChanges
from blackpoker.server.storage.database import GameStore, PendingWrite, make_engine, migrate
from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.server.tournaments import commands, service
from blackpoker.server.tournaments.events import TournamentRules
from blackpoker.server.tournaments.service import Tournaments
from blackpoker.server.tournaments.state import Entrant, Tournament
from tests.server.virtual_time import Person, run_virtually

DELAY = 60
#: seconds: when the worlds start to differ; the end of the comparison
ACTION_TIME, END = 20, 20 + DELAY + 24
#: public endpoints
ENDPOINTS = [
    "/api/tournaments",
    "/api/tournaments/{id}",
    "/api/tournaments/{id}/tables",
    "/api/tournaments/{id}/mine",
    "/api/tournaments/{id}/export.json",
    "/api/tournaments/{id}/export.csv",
    "/api/lobby",
]
CLOCK = p.ClockRules(bank=600, grace=30)


class InlineStore(GameStore):
    """The store without threads: writes happen at once and are confirmed slightly later."""

    async def run_in(self, threads: Any, work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    def save(self, room: str, outcome: RoomChanges, now: float, then: Callable[[bool], None]) -> None:
        self.write([PendingWrite(room, outcome, now, then)])
        asyncio.get_running_loop().call_later(0.01, then, True)


@dataclass
class FakeRequest:
    """A request with or without a guest."""

    app: Any
    path_params: dict[str, str]
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    query_params: dict[str, str] = field(default_factory=dict)
    client: Any = None
    url: Any = None
    method: str = "GET"


class SeatedPlayer(Person):
    def on_message(self, message: p.AnyServerMessage) -> None:
        if isinstance(message, p.Welcome) and message.room.phase == "waiting":
            self.deliver(p.Ready(1, salt=self.identity.guest))


class Follower:
    def __init__(self, callback: Callable[[bytes], None]) -> None:
        self.callback = callback

    def write(self, *messages: bytes) -> int:
        for one in messages:
            self.callback(one)
        return 1


def entering(entrant: Entrant) -> service.Command:
    return lambda tournament, now: commands.enter(tournament, entrant, False, now)


class TournamentWorld:
    """A world in which four players play a tournament with a delay while a spectator watches."""

    def __init__(self, path: Path, kind: str = "swiss", wait: int = 10) -> None:
        self.engine = make_engine(str(path))
        with self.engine.begin() as connection:
            migrate(connection)
        self.rules = TournamentRules(
            "T",
            kind,  # type: ignore[arg-type]
            clock=CLOCK,
            rounds=2,
            pause=5,
            wait=wait,
            spectator_delay=DELAY,
            window_ms=0,
        )
        self.received: list[tuple[int, str, bytes]] = []
        self.second = 0
        self.people: dict[str, SeatedPlayer] = {}

    def start(self) -> None:
        """Start a server on the stored data."""
        loop = asyncio.get_running_loop()

        def now() -> float:
            return round(loop.time(), 3)

        bus = Bus()
        bus.clock = now
        self.room_manager = RoomManager(
            InlineStore(self.engine), bus, Metrics(), UNLIMITED, RetentionPolicy(), GameClock(now, now)
        )
        self.contests = Tournaments(self.room_manager.store, self.room_manager)  # type: ignore[arg-type]
        guests = SimpleNamespace(read=lambda cookie: None if cookie is None else Identity(cookie, cookie.upper()))
        server = AppState(
            self.room_manager,
            cast(GuestSessions, guests),
            UNLIMITED,
            self.room_manager.metrics,
            maybe_tournaments=self.contests,
        )
        self.app = SimpleNamespace(state=SimpleNamespace(server=server))
        self.room_manager.spawn(self.contests.run_loop())

    def kill(self) -> None:
        """Stop the server without a clean shutdown."""
        self.room_manager.stopping = True
        for _, timer in self.room_manager.timers.values():
            timer.cancel()
        for task in self.room_manager.tasks:
            task.cancel()

    async def announce(self) -> None:
        self.start()
        found = await self.contests.announce(self.rules, "host", "Host")
        self.id = found.id
        for guest in ("ann", "bob", "cat", "dan"):
            entrant = Entrant("", guest, guest.title())
            await self.contests.submit(self.id, entering(entrant))
        self.follow()
        await self.contests.pair_now(self.id, commands.check_may_pair)

    def follow(self) -> None:
        self.contests.follow(self.id, "f", Follower(lambda data: self.received.append((self.second, "follows", data))))  # type: ignore[arg-type]

    async def ask(self, path: str, guest: str = "") -> bytes:
        self.contests.pages.pages.clear()  # their age follows the machine's real clock
        endpoint = next(one for one in SERVER_ENDPOINTS if one.path == path and one.method == "GET")
        asking = FakeRequest(self.app, {"id": self.id} if "{id}" in path else {}, {COOKIE: guest} if guest else {})
        response = await respond(endpoint, asking, 1000)  # type: ignore[arg-type]
        data = response.data if isinstance(response.data, bytes) else str(response.data).encode()
        return b"%d %s %s" % (response.status, repr(sorted(response.headers.items())).encode(), data)

    async def tournament(self) -> Tournament:
        found = await self.contests.find(self.id)
        assert found is not None
        return found

    async def sit_down(self, but: str = "") -> None:
        """Let every current player join the table, except ``but``."""
        found = await self.tournament()
        for table in found.open_tables.values():
            for id in (table.pairing.one, table.pairing.two):
                guest = found.entrants[id].guest
                if guest != but:
                    self.people[guest] = SeatedPlayer(self.room_manager, guest)
                    await self.people[guest].join(table.room)

    async def pass_time(self, action: Callable[[TournamentWorld], Any], restart: bool = False) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        for self.second in range(END):
            await asyncio.sleep(started + self.second + 0.5 - loop.time())
            if self.second == ACTION_TIME:
                action(self)
            if restart and self.second == ACTION_TIME + 20:
                self.kill()
                self.start()
                self.follow()
                await self.sit_down()
            if self.second % 3:
                continue
            self.received += [(self.second, endpoint, await self.ask(endpoint)) for endpoint in ENDPOINTS]
            for table in (await self.tournament()).tables.values():
                info = await self.room_manager.room_info(table.room, "")
                self.received.append(
                    (self.second, table.room, p.encode(p.RoomState(info)) if info is not None else b"")
                )
        self.kill()
        self.engine.dispose()


def nothing(world: TournamentWorld) -> None:
    pass


def ann_resigns(world: TournamentWorld) -> None:
    world.people["ann"].deliver(p.Resign(9))


def all_resign(world: TournamentWorld) -> None:
    for person in world.people.values():
        person.deliver(p.Resign(9))


def bob_leaves(world: TournamentWorld) -> None:
    """For good: half a minute later the opponent wins."""
    world.people["bob"].leave()


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make random values equal in every world and run thread work inline; return a function that resets them."""
    numbers = itertools.count()

    def begin() -> None:
        nonlocal numbers
        numbers = itertools.count()

    async def inline(work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    monkeypatch.setattr(service, "new_id", lambda: f"room{next(numbers)}")
    monkeypatch.setattr(secrets, "randbits", lambda bits: 7)
    monkeypatch.setattr(seal, "new_secret", lambda: next(numbers).to_bytes(32, "big"))
    monkeypatch.setattr(asyncio, "to_thread", inline)
    return begin


def run_world(
    path: Path, action: Callable[[TournamentWorld], Any], kind: str, but: str = "", restart: bool = False
) -> TournamentWorld:
    world = TournamentWorld(path, kind)

    async def story() -> None:
        await world.announce()
        await world.sit_down(but)
        await world.pass_time(action, restart)

    run_virtually(story)
    return world


@pytest.mark.parametrize(
    ("does", "kind", "restart"),
    [
        (ann_resigns, "swiss", False),
        (ann_resigns, "swiss", True),
        (all_resign, "arena", False),
        (all_resign, "knockout", True),
        (bob_leaves, "swiss", False),
    ],
)
def test_results_of_a_table_are_published_later(
    tmp_path: Path, alike: Callable[[], None], does: Callable[[TournamentWorld], Any], kind: str, restart: bool
) -> None:
    """Also if the server is killed in between: the delay runs from the stored end of the game."""
    worlds = []
    for name, act in (("quiet", nothing), ("busy", does)):
        alike()
        worlds.append(run_world(tmp_path / f"{name}.db", act, kind, restart=restart))
    quiet, busy = worlds
    received = [[one for one in world.received if one[0] < ACTION_TIME + DELAY] for world in worlds]
    for one, two in zip(*received, strict=True):
        assert one == two
    assert {endpoint for _, endpoint, _ in received[0]} > {*ENDPOINTS, "follows", "room1"}
    assert quiet.received != busy.received, "and everything afterwards"
    if does is not bob_leaves:
        page = [
            data for second, endpoint, data in busy.received if endpoint == ENDPOINTS[1] and second == END // 3 * 3
        ][-1]
        assert b'"outcome":"' in page


def test_no_shows_are_published_later_too(tmp_path: Path, alike: Callable[[], None]) -> None:
    worlds = []
    for name, but in (("both", ""), ("one", "dan")):
        alike()
        worlds.append(run_world(tmp_path / f"{name}.db", nothing, "swiss", but))
    for second, endpoint, data in worlds[1].received:
        if second < 10 + DELAY and endpoint in ENDPOINTS:
            assert (second, endpoint, data) in worlds[0].received
    pages = [
        data for second, endpoint, data in worlds[1].received if endpoint == ENDPOINTS[1] and second == END // 3 * 3
    ]
    assert b'"why":"missed"' in pages[-1]


def test_players_see_their_room_at_once_and_others_later(tmp_path: Path, alike: Callable[[], None]) -> None:
    world = TournamentWorld(tmp_path / "games.db")

    async def story() -> None:
        await world.announce()
        await world.sit_down()
        await asyncio.sleep(1)  # both are ready and the game starts
        assert b'"room":"room' in await world.ask("/api/tournaments/{id}/mine", "ann")
        world.people["ann"].deliver(p.Resign(9))
        await asyncio.sleep(1)
        now = world.room_manager.clock()
        mine = await world.ask("/api/tournaments/{id}/mine", "ann")
        assert b'"room":""' in mine
        counts_at = float(mine.partition(b'"counts_at":')[2].rstrip(b"}"))
        assert now + DELAY - 2 < counts_at <= now + DELAY
        await asyncio.sleep(counts_at - now - 1.5)
        assert not [one for one in (await world.tournament()).tables.values() if one.decided]
        await asyncio.sleep(4)
        assert len([one for one in (await world.tournament()).tables.values() if one.decided]) == 1
        world.kill()
        world.engine.dispose()

    run_virtually(story)
