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
from typing import Any

import pytest

from blackpoker.server.net.app import SERVED
from blackpoker.server.net.bus import Bus
from blackpoker.server.net.game_clock import GameClock
from blackpoker.server.net.guests import COOKIE, Guest
from blackpoker.server.net.http import respond
from blackpoker.server.net.hub import Hub
from blackpoker.server.net.limits import UNLIMITED
from blackpoker.server.net.metrics import Metrics
from blackpoker.server.net.running import Server
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.seats import RoomOutcome
from blackpoker.server.store.database import GameStore, PendingWrite, make_engine, migrate
from blackpoker.server.store.promises import Keeping
from blackpoker.server.tournaments import contests, permits
from blackpoker.server.tournaments.acts import TournamentRules
from blackpoker.server.tournaments.contests import Tournaments
from blackpoker.server.tournaments.course import Entrant, Tournament
from blackpoker.wire import protocol as p
from tests.server.virtual import Person, run_virtually

DELAY = 60
#: seconds: when the worlds start to differ; the end of the comparison
DOES, END = 20, 20 + DELAY + 24
#: public endpoints
ROADS = [
    "/api/tournaments", "/api/tournaments/{id}", "/api/tournaments/{id}/tables", "/api/tournaments/{id}/mine",
    "/api/tournaments/{id}/export.json", "/api/tournaments/{id}/export.csv", "/api/lobby",
]  # fmt: skip
CLOCK = p.ClockRules(bank=600, grace=30)


class InlineStore(GameStore):
    """The store without threads: writes happen at once and are confirmed slightly later."""

    async def call(self, threads: Any, work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    def keep(self, room: str, outcome: RoomOutcome, now: float, then: Callable[[bool], None]) -> None:
        self.write([PendingWrite(room, outcome, now, then)])
        asyncio.get_running_loop().call_later(0.01, then, True)


@dataclass
class Asking:
    """A request with or without a guest."""

    app: Any
    path_params: dict[str, str]
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    query_params: dict[str, str] = field(default_factory=dict)
    client: Any = None
    url: Any = None
    method: str = "GET"


class Sitting(Person):
    def hear(self, message: p.ServerMessage) -> None:
        if isinstance(message, p.Welcome) and message.room.phase == "waiting":
            self.said(p.Ready(1, salt=self.who.guest))


class Follower:
    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard

    def write(self, *messages: bytes) -> int:
        for one in messages:
            self.heard(one)
        return 1


class Held:
    """A world in which four players play a tournament with a delay while a spectator watches."""

    def __init__(self, path: Path, kind: str = "swiss", wait: int = 10) -> None:
        self.engine = make_engine(str(path))
        with self.engine.begin() as connection:
            migrate(connection)
        self.rules = TournamentRules(
            "T", kind, clock=CLOCK, rounds=2, pause=5, wait=wait, spectator_delay=DELAY, window_ms=0  # type: ignore[arg-type]
        )  # fmt: skip
        self.heard: list[tuple[int, str, bytes]] = []
        self.second = 0
        self.people: dict[str, Sitting] = {}

    def start(self) -> None:
        """Start a server on the stored data."""
        loop = asyncio.get_running_loop()

        def now() -> float:
            return round(loop.time(), 3)

        bus = Bus()
        bus.clock = now
        self.hub = Hub(InlineStore(self.engine), bus, Metrics(), UNLIMITED, Keeping(), GameClock(now, now))
        self.contests = Tournaments(self.hub.store, self.hub, UNLIMITED)  # type: ignore[arg-type]
        guests = SimpleNamespace(read=lambda cookie: None if cookie is None else Guest(cookie, cookie.upper()))
        server = Server(self.hub, guests, UNLIMITED, self.hub.metrics, tournaments=self.contests)  # type: ignore[arg-type]
        self.app = SimpleNamespace(state=SimpleNamespace(server=server))
        self.hub.spawn(self.contests.look_on())

    def killed(self) -> None:
        """Stop the server without a clean shutdown."""
        self.hub.stopping = True
        for _, timer in self.hub.timers.values():
            timer.cancel()
        for task in self.hub.tasks:
            task.cancel()

    async def hold(self) -> None:
        self.start()
        found = await self.contests.announce(self.rules, "host", "Host")
        self.id = found.id
        for guest in ("ann", "bob", "cat", "dan"):
            who = Entrant("", guest, guest.title())
            await self.contests.act(self.id, lambda one, now, who=who: permits.enter(one, who, False, now))  # type: ignore[misc]
        self.follow()
        await self.contests.pair_now(self.id, permits.may_pair)

    def follow(self) -> None:
        self.contests.follow(self.id, "f", Follower(lambda data: self.heard.append((self.second, "follows", data))))  # type: ignore[arg-type]

    async def ask(self, path: str, guest: str = "") -> bytes:
        self.contests.pages.made.clear()  # their age follows the machine's real clock
        endpoint = next(one for one in SERVED if one.path == path and one.method == "GET")
        asking = Asking(self.app, {"id": self.id} if "{id}" in path else {}, {COOKIE: guest} if guest else {})
        told = await respond(endpoint, asking, 1000)  # type: ignore[arg-type]
        data = told.data if isinstance(told.data, bytes) else str(told.data).encode()
        return b"%d %s %s" % (told.status, repr(sorted(told.headers.items())).encode(), data)

    async def tournament(self) -> Tournament:
        found = await self.contests.find(self.id)
        assert found is not None
        return found

    async def sit_down(self, but: str = "") -> None:
        """Let every current player join the table, except ``but``."""
        found = await self.tournament()
        for table in found.open.values():
            for id in (table.seat.one, table.seat.two):
                guest = found.entrants[id].guest
                if guest != but:
                    self.people[guest] = Sitting(self.hub, guest)
                    await self.people[guest].join(table.room)

    async def pass_time(self, does: Callable[[Held], Any], restart: bool = False) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for self.second in range(END):
            await asyncio.sleep(begun + self.second + 0.5 - loop.time())
            if self.second == DOES:
                does(self)
            if restart and self.second == DOES + 20:
                self.killed()
                self.start()
                self.follow()
                await self.sit_down()
            if self.second % 3:
                continue
            self.heard += [(self.second, road, await self.ask(road)) for road in ROADS]
            for table in (await self.tournament()).tables.values():
                info = await self.hub.info(table.room, "")
                self.heard.append((self.second, table.room, p.encode(p.RoomState(info)) if info is not None else b""))
        self.killed()
        self.engine.dispose()


def nothing(world: Held) -> None:
    pass


def ann_resigns(world: Held) -> None:
    world.people["ann"].said(p.Resign(9))


def all_resign(world: Held) -> None:
    for person in world.people.values():
        person.said(p.Resign(9))


def bob_leaves(world: Held) -> None:
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

    monkeypatch.setattr(contests, "new_room", lambda: f"room{next(numbers)}")
    monkeypatch.setattr(secrets, "randbits", lambda bits: 7)
    monkeypatch.setattr(fairness, "new_secret", lambda: next(numbers).to_bytes(32, "big"))
    monkeypatch.setattr(asyncio, "to_thread", inline)
    return begin


def lived(path: Path, does: Callable[[Held], Any], kind: str, but: str = "", restart: bool = False) -> Held:
    world = Held(path, kind)

    async def story() -> None:
        await world.hold()
        await world.sit_down(but)
        await world.pass_time(does, restart)

    run_virtually(story)
    return world


@pytest.mark.parametrize(
    ("does", "kind", "restart"),
    [
        (ann_resigns, "swiss", False), (ann_resigns, "swiss", True), (all_resign, "arena", False),
        (all_resign, "knockout", True), (bob_leaves, "swiss", False),
    ],
)  # fmt: skip
def test_what_comes_of_a_table_is_told_later(
    tmp_path: Path, alike: Callable[[], None], does: Callable[[Held], Any], kind: str, restart: bool
) -> None:
    """Also if the server is killed in between: the delay runs from the stored end of the game."""
    worlds = []
    for name, act in (("quiet", nothing), ("busy", does)):
        alike()
        worlds.append(lived(tmp_path / f"{name}.db", act, kind, restart=restart))
    quiet, busy = worlds
    told = [[one for one in world.heard if one[0] < DOES + DELAY] for world in worlds]
    for one, two in zip(*told, strict=True):
        assert one == two
    assert {road for _, road, _ in told[0]} > {*ROADS, "follows", "room1"}
    assert quiet.heard != busy.heard, "and everything afterwards"
    if does is not bob_leaves:
        page = [data for second, road, data in busy.heard if road == ROADS[1] and second == END // 3 * 3][-1]
        assert b'"outcome":"' in page


def test_who_does_not_come_is_told_later_too(tmp_path: Path, alike: Callable[[], None]) -> None:
    worlds = []
    for name, but in (("both", ""), ("one", "dan")):
        alike()
        worlds.append(lived(tmp_path / f"{name}.db", nothing, "swiss", but))
    for second, road, data in worlds[1].heard:
        if second < 10 + DELAY and road in ROADS:
            assert (second, road, data) in worlds[0].heard
    pages = [data for second, road, data in worlds[1].heard if road == ROADS[1] and second == END // 3 * 3]
    assert b'"why":"missed"' in pages[-1]


def test_whoever_plays_knows_at_once_and_when_it_counts(tmp_path: Path, alike: Callable[[], None]) -> None:
    world = Held(tmp_path / "games.db")

    async def story() -> None:
        await world.hold()
        await world.sit_down()
        await asyncio.sleep(1)  # both are ready and the game starts
        assert b'"room":"room' in await world.ask("/api/tournaments/{id}/mine", "ann")
        world.people["ann"].said(p.Resign(9))
        await asyncio.sleep(1)
        now = world.hub.clock()
        mine = await world.ask("/api/tournaments/{id}/mine", "ann")
        assert b'"room":""' in mine
        counts_at = float(mine.partition(b'"counts_at":')[2].rstrip(b"}"))
        assert now + DELAY - 2 < counts_at <= now + DELAY
        await asyncio.sleep(counts_at - now - 1.5)
        assert not [one for one in (await world.tournament()).tables.values() if one.decided]
        await asyncio.sleep(4)
        assert len([one for one in (await world.tournament()).tables.values() if one.decided]) == 1
        world.killed()
        world.engine.dispose()

    run_virtually(story)
