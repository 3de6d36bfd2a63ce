"""Fair use: budgets for everything a guest does, turns for searches, quick matches, slow and malformed requests."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from blackpoker.client import COOKIE, Client
from blackpoker.protocol import messages as p
from blackpoker.server.admission import READ, Ledger, Limits, Measured, Owner, network_of
from blackpoker.server.cluster.bus import MAX_CONNECTIONS, QueueEntry, RedisBus
from blackpoker.server.http.allowed_hosts import AllowedHosts
from blackpoker.server.http.connection_limits import ConnectionGate
from blackpoker.server.http.signed_sessions import SignedGuestSessions
from blackpoker.server.identity import display_name
from blackpoker.server.rooms.offers import MAX_REWINDS
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import RoomClient
from blackpoker.server.worker_pool import FairQueue
from tests.long import search_queue
from tests.long.scaling import redis
from tests.server.live import PATIENCE, Live, get, wait_until
from tests.server.room_driver import Driver

# -- frames of a WebSocket ---------------------------------------------------------------------------------------------


class RawSocket:
    """A WebSocket with hand-written frames, several in one write."""

    def __init__(self, live: Live, cookie: str) -> None:
        self.line = open_socket(live)
        self.line.settimeout(PATIENCE)
        head = (
            "GET /ws HTTP/1.1",
            f"Host: {live.url[7:]}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            f"Cookie: {COOKIE}={cookie}",
        )
        self.line.sendall("\r\n".join((*head, "", "")).encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            self.data += self.line.recv(4096)
        assert b" 101 " in self.data
        self.data = self.data.partition(b"\r\n\r\n")[2]

    def send(self, *frames: tuple[int, bytes]) -> None:
        self.line.sendall(b"".join(bytes((first, 0x80 | len(text))) + bytes(4) + text for first, text in frames))

    def take(self, count: int) -> bytes:
        while len(self.data) < count:
            more = self.line.recv(65_536)
            assert more, "the server has let go"
            self.data += more
        found, self.data = self.data[:count], self.data[count:]
        return found

    def frame(self) -> tuple[int, bytes]:
        first, size = self.take(2)
        if size == 126:
            size = int.from_bytes(self.take(2), "big")
        elif size == 127:
            size = int.from_bytes(self.take(8), "big")
        return first, self.take(size)


TEXT, PING, PONG = 0x81, 0x89, 0x8A


async def room_of_one(live: Live) -> tuple[str, str]:
    async with Client(live.url, "One") as client:
        return (await client.create_room()).id, client.cookie


def test_frames_of_one_packet_are_handled_in_order(tmp_path: Path) -> None:
    """Whatever pauses processing in between: loading a room, or other guests' turns."""
    with Live(tmp_path / "games.db") as live:
        room, cookie = asyncio.run(room_of_one(live))
        for _ in range(10):
            raw = RawSocket(live, cookie)
            pings = [msgspec.json.encode({"type": "ping", "id": number}) for number in range(1, 401)]
            join = msgspec.json.encode({"type": "join", "room": room, "detail": "lean"})
            raw.send(
                (TEXT, join), *((TEXT, text) for text in pings[:200]), (PING, b"now"), *((TEXT, t) for t in pings[200:])
            )
            received: list[int] = []
            pongs = 0
            while len(received) < 400 or not pongs:
                first, text = raw.frame()
                answer: dict[str, Any] = msgspec.json.decode(text) if first == TEXT else {"type": "frame"}
                pongs += first == PONG
                if answer["type"] == "pong":
                    received.append(answer["id"])
            assert received == list(range(1, 401))
            raw.line.close()


@pytest.mark.parametrize(("first", "more"), [(PING, PING), (0x01, 0x00)], ids=["pings", "parts"])
def test_a_client_flooding_with_invalid_frames_is_slowed_down(tmp_path: Path, first: int, more: int) -> None:
    """Regression: one connection that sent only pings blocked all others."""
    each = 1e6  # large enough to dominate all other costs
    limits = Limits(message_cost=each, guest_ms=1e-6, guest_burst_ms=50 * each, address_ms=1e12, address_burst_ms=1e12)
    with Live(tmp_path / "games.db", limits) as live:
        _, cookie = asyncio.run(room_of_one(live))
        raw = RawSocket(live, cookie)
        raw.send((first, b""), *[(more, b"")] * 5000)
        assert live.state is not None
        ledger = live.state.ledger
        asyncio.run(
            wait_until(lambda: any(one.tokens < 0 for one in ledger.guests.buckets.values()), "the budget is used up")
        )
        assert get(f"{live.url}/api/health").status_code == 200, "somebody else is answered"
        left = min(one.tokens for one in ledger.guests.buckets.values())
        assert left > -2 * each, "nothing more was looked at"
        raw.line.close()


# -- 5: take-backs and budgets ------------------------------------------------------------------------------------------


def test_take_backs_cost_the_same_every_time_and_are_bounded() -> None:
    """Against the computer they are free: the hundredth must not cost more than the first, and there is a limit."""
    room = Room("room", p.RoomSettings(opponent="random"), 0.0)
    room.join(RoomClient("a", "ga", "A"), p.Join(room="room", detail="lean"), 0.0)
    room.receive("a", p.Ready(), 0.0)
    took: list[float] = []
    refused = ""
    for number in range(MAX_REWINDS + 5):
        wanted = room.bot_turn()
        while wanted is not None:
            game = room.room_game.game
            assert game is not None
            options = [next(iter(game.options))]
            room.bot_move(wanted[0], wanted[1], options, 0.0)
            wanted = room.bot_turn()
        assert room.phase == "playing"
        game = room.room_game.game
        assert game is not None
        assert game.decision is not None
        room.receive(
            "a",
            p.SubmitMove(1, room.room_game.seq, ["pass"] if "pass" in game.decision.words else game.decision.words[:1]),
            0.0,
        )
        room.take()
        started = time.process_time()
        room.receive("a", p.MakeOffer(number + 1, "rewind"), 0.0)
        took.append(time.process_time() - started)
        errors = [message for _, message in room.take().messages if isinstance(message, p.Error)]
        if errors:
            refused = errors[0].code
            break
    assert refused == "rewind"
    assert len(took) == MAX_REWINDS + 1
    early, late = sorted(took[20:60])[20], sorted(took[-60:-1])[30]
    assert late < 4 * early + 0.002


def test_one_budget_for_all_a_guest_does() -> None:
    ledger = Ledger(Limits(guest_ms=10, guest_burst_ms=100, address_ms=20, address_burst_ms=150))
    assert ledger.wait("g", "n", 0.0) == 0
    ledger.spend("g", "n", 130, 0.0)
    assert ledger.wait("g", "n", 0.0) == pytest.approx(3.0), "overdrawn by 30 at 10 a second"
    assert ledger.wait("other", "n", 0.0) == 0, "another guest of the same address"
    ledger.spend("other", "n", 60, 0.0)
    assert ledger.wait("third", "n", 0.0) == pytest.approx(2.0), "the address is overdrawn by 40 at 20 a second"
    assert ledger.wait("third", "elsewhere", 0.0) == 0
    assert ledger.wait("g", "n", 4.0) == 0


def use_processor(ms: float) -> None:
    """Use this much processor time."""
    end = time.thread_time() + ms / 1000
    while time.thread_time() < end:
        pass


def test_work_is_measured_by_its_own_steps() -> None:
    """Neither waiting nor other tasks' work is counted."""

    async def work() -> str:
        use_processor(20)
        await asyncio.sleep(0.01)
        use_processor(20)
        return "done"

    async def others() -> None:
        for _ in range(10):
            use_processor(50)
            await asyncio.sleep(0)

    async def story() -> float:
        beside = asyncio.create_task(others())
        measured = Measured(work())
        assert await measured == "done"
        await beside
        return measured.ms

    assert 40 <= asyncio.run(story()) < 400


def test_work_that_is_measured_fails_and_is_stopped_like_any_other() -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            use_processor(5)
            cleaned.append("up")

    async def bad() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    async def story() -> None:
        with pytest.raises(ValueError, match="no"):
            await Measured(bad())
        measured = Measured(work())

        async def waits() -> None:
            await measured

        task = asyncio.create_task(waits())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert measured.ms >= 5

    asyncio.run(story())
    assert cleaned == ["up"]


def test_a_request_is_charged_what_it_took(tmp_path: Path) -> None:
    """For work in the server itself, in a thread, and at least the minimum price."""
    limits = Limits(guest_ms=1e-6, guest_burst_ms=1e9, address_ms=1e9, address_burst_ms=1e9, request_cost=0.0)
    with Live(tmp_path / "games.db", limits) as live, httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        me = client.get("/api/me").json()["id"]
        assert live.state is not None
        bucket = live.state.ledger.guests.get(me, time.monotonic())

        def cost(path: str, **body: object) -> float:
            before = bucket.tokens
            answer = client.post(path, json=body) if body else client.get(path)
            assert answer.status_code == 200, answer.text
            client.get("/api/health")  # the cost is booked after the response, and before the next request
            return before - bucket.tokens - 2 * READ.ms  # what it took beyond the minimum

        small = min(cost("/api/health") for _ in range(10))
        assert small > 0
        position = 'format = "master"\n[p1]\nhand = "S5 H6 D7 C8 SA"\nfield = "S9 H10"\n[p2]\nfield = "D9"\n'
        assert cost("/api/positions/check", position=position) > 3 * small
        (game, *_) = client.get("/api/lobby").json()["shown"]
        assert cost(f"/api/records/{game['id']}/replay?count=60") > 20 * small


def test_an_ipv6_guest_is_its_network() -> None:
    assert network_of("2001:db8:1:2:aaaa::1") == network_of("2001:db8:1:2::9") != network_of("2001:db8:1:3::9")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") != network_of("192.0.2.8")


def test_a_budget_is_one_over_processes() -> None:
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")

        async def story() -> None:
            one, two = await RedisBus.connect(address), await RedisBus.connect(address)
            assert await one.exchange_usage({"g:x": 70.0}) == {}
            assert await two.exchange_usage({"g:x": 5.0}) == {"g:x": 70.0}
            assert await one.exchange_usage({"g:x": 1.0}) == {"g:x": 5.0}
            assert await two.exchange_usage({"g:x": 1.0}) == {"g:x": 1.0}
            for bus in (one, two):
                await bus.redis.aclose()

        asyncio.run(story())


def test_all_clients_may_connect_to_several_processes_at_once() -> None:
    """After a restart hundreds of clients join at once: each finds the process of its room."""
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")

        async def story() -> list[str]:
            bus = await RedisBus.connect(address)
            await bus.send_heartbeat()
            found = await asyncio.gather(*(bus.resolve_owner(f"room {number}") for number in range(400)))
            assert set(found) == {bus.process_id}
            clients = len(await bus.redis.client_list())
            await bus.redis.aclose()
            assert clients <= MAX_CONNECTIONS
            return found

        assert len(asyncio.run(story())) == 400


def test_a_client_over_its_budget_is_slowed_down_and_others_are_not(tmp_path: Path) -> None:
    limits = Limits(guest_ms=20, guest_burst_ms=60, address_ms=1e9, address_burst_ms=1e9)
    with Live(tmp_path / "games.db", limits) as live:

        async def story() -> float:
            async with Client(live.url, "greedy") as one, Client(live.url, "modest") as two:
                room = await one.create_room(opponent="easy")
                async with one.join(room.id) as greedy, two.join(room.id, "watch") as modest:
                    began = time.monotonic()
                    for number in range(1, 600):
                        await greedy.send(p.RequestResync(number))

                    async def answered() -> float:
                        await greedy.send(p.Ping(999))
                        while True:
                            message = await greedy.receive()
                            if isinstance(message, p.Pong) and message.id == 999:
                                return time.monotonic() - began

                    slow = asyncio.create_task(answered())
                    await modest.send(p.Ping(7))
                    while not isinstance(await modest.receive(), p.Pong):
                        pass
                    assert not slow.done(), "who came later was heard later"
                    return await slow

        slow = asyncio.run(story())
        least = (599 * limits.message_cost - limits.guest_burst_ms) / limits.guest_ms
        assert slow > 0.9 * least, f"about {least:.1f} s, if what he asks for cost nothing"
        assert get(f"{live.url}/api/health").status_code == 200, "no guest, so nobody's budget but the address's"


def test_a_large_scenario_is_worked_on_elsewhere_and_ends(tmp_path: Path) -> None:
    """27 kB of moves block no room: meanwhile the server responds at once."""
    head = 'id = "long"\nruling = "R-01"\n[position]\nformat = "lite"\n[p1]\nhand = "S7"\n[p2]\n'
    text = head + "play = '''\n" + "p1: pass\np2: pass\n" * 1400 + "'''\n"
    with Live(tmp_path / "games.db") as live:

        async def story() -> int:
            async with httpx.AsyncClient(base_url=live.url, timeout=120) as client:
                await client.get("/api/rule-search?search=x")  # cached after the first call
                work = asyncio.create_task(client.post("/api/scenarios/run", json={"scenario": text[:29_000]}))
                meanwhile = 0
                while not work.done():
                    assert (await client.get("/api/health")).status_code == 200
                    meanwhile += not work.done()
                assert (await work).status_code in (200, 422)
                return meanwhile

        assert asyncio.run(story()) > 5, "worked on where everything else is answered: one at most would come before it"


# -- 6: turns for searches
# -----------------------------------------------------------------------------------------------


def test_many_rooms_of_one_address_delay_no_other_client() -> None:
    """25 rooms search 40 ms each on two workers; a newcomer waits for one of them, whatever its address, and so does a
    second guest of the same address."""
    order: list[str] = []

    async def think(queue: FairQueue, owner: Owner, name: str) -> None:
        async with queue.turn(owner):
            order.append(name)
            await asyncio.sleep(0.04)

    async def story() -> None:
        queue = FairQueue(2)
        crowd = [asyncio.create_task(think(queue, Owner("a", "g1"), f"g1 {n}")) for n in range(25)]
        await asyncio.sleep(0.01)
        late = [asyncio.create_task(think(queue, Owner("b", "g2"), "newcomer"))]
        late += [asyncio.create_task(think(queue, Owner("a", "g3"), "neighbour"))]
        cancelled = asyncio.create_task(think(queue, Owner("c", "g4"), "gone"))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.gather(*crowd, *late)
        assert queue.free == 2
        assert queue.waiting_count == 0

    asyncio.run(story())
    assert order[2:4] == ["newcomer", "neighbour"], "they come next, whoever was there before"
    assert "gone" not in order


def test_a_newcomers_opponent_is_the_next_to_think() -> None:
    """Five rooms of another guest keep requesting searches. ``tests.long.search_queue`` measures the strongest level."""
    own, all_turns = search_queue.play(rooms=5, level="normal", turns=3)
    assert [turn.others for turn in own] == [0] * len(own), "somebody was called before him who came later"
    assert len(all_turns) > len(own)


# -- 7: quick matches ---------------------------------------------------------------------------------------------------


def test_the_queue_is_one_over_processes() -> None:
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")

        async def story() -> None:
            one, two = await RedisBus.connect(address), await RedisBus.connect(address)
            elder, younger, third = (QueueEntry("x", f"room {n}", f"g{n}", "", float(n), "here") for n in (1, 2, 3))
            for waiting in (elder, younger, third):
                await one.enqueue(waiting)
            assert await two.available_entries("x") == [elder, younger, third]
            assert await two.reserve_pair(elder, younger, 5.0)
            assert not await one.reserve_pair(elder, third, 5.0)
            assert not await one.reserve_pair(third, younger, 5.0)
            assert await one.available_entries("x") == [third], "and nobody is taken by a promise that was not made"
            await two.dequeue(younger)
            await two.redis.delete("bp:waits:room 3")  # its process is gone and no longer refreshes it
            assert await one.available_entries("x") == []
            for bus in (one, two):
                await bus.redis.aclose()

        asyncio.run(story())


def test_a_seat_is_free_again_after_its_first_player_left() -> None:
    driver = Driver()
    driver.send("a", p.Ready(1))
    driver.room.leave("a", 1.0)
    driver.room.leave("b", 1.0)
    assert driver.room.info().p1.kind == "human", "somebody who was ready may come back"
    driver.room.join(RoomClient("c", "guest-c", "C"), p.Join(1, "room"), 2.0)
    driver.room.join(RoomClient("d", "guest-d", "D"), p.Join(1, "room"), 2.0)
    assert {driver.room.seats.clients[key].seat for key in ("c", "d")} == {0, 1}
    assert not driver.room.seats[0].ready


# -- 8: slow and malformed requests
# --------------------------------------------------------------------------------------


def test_chat_limits_survive_a_reconnect() -> None:
    driver = Driver()
    for number in range(6):
        assert isinstance(driver.send("w", p.Chat(1, f"line {number}"))[0], p.ChatLine)
    driver.room.leave("w", driver.now)
    driver.join("w")
    answer = driver.send("w", p.Chat(1, "and on"))[0]
    assert isinstance(answer, p.Error)
    assert answer.code == "rate"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Aki\u200b\u202e", "Aki"),
        ("z\u0301\u0301\u0301\u0301\u0301", "\u017a"),
        ("\u3164\u2800", ""),
        ("Easy", ""),
        ("ｍａｓｔｅｒ", ""),
        ("あき", "あき"),
        ("e\ufe0f\u20dd", "e"),
    ],
)
def test_a_name_shows_what_it_is(name: str, shown: str) -> None:
    found = display_name(name)
    assert found.startswith(shown)
    assert len(found) <= len(shown) + 2
    guest = SignedGuestSessions(b"key").new(name)
    assert guest.name
    assert guest.name.casefold() not in ("easy", "master")


def test_names_the_server_answers_by() -> None:
    hosts = AllowedHosts(frozenset(("play.example.org",)))
    for name in (
        "127.0.0.1:8080",
        "localhost",
        "[::1]:80",
        "192.168.1.7:8080",
        "play.example.org",
        "box.local:8080",
        "",
    ):
        assert hosts.allows(name), name
    for name in ("evil.example", "play.example.org.evil.example", "127.0.0.1.evil.example:8080", "[", "a b"):
        assert not hosts.allows(name), name
    assert AllowedHosts(frozenset("*")).allows("evil.example")


def test_slow_requests_are_let_go(tmp_path: Path) -> None:
    limits = Limits(header_seconds=0.5)
    with Live(tmp_path / "games.db", limits, door=ConnectionGate(limits, 1000), hosts=frozenset()) as live:
        slow = open_socket(live)
        started = time.monotonic()
        slow.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        assert closed(slow), "its head never ends"
        assert time.monotonic() - started > 0.3


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET /", b"a" * 1000),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"a" * 1000),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Many: " + b"a" * 990 + b"\r\n"),
        (
            b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n",
            b"X-Trailer: " + b"a" * 987 + b"\r\n",
        ),
    ],
    ids=["address", "line", "lines", "trailer"],
)
def test_a_head_without_end_is_let_go(tmp_path: Path, begin: bytes, more: bytes) -> None:
    """The parser would read on, and take longer with every piece."""
    limits = Limits(header_seconds=600.0)
    with Live(tmp_path / "games.db", limits, door=ConnectionGate(limits, 1000), hosts=frozenset()) as live:
        endless = open_socket(live)
        endless.sendall(begin)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            send_repeatedly(endless, more)
        endless.close()


def send_repeatedly(line: socket.socket, more: bytes) -> None:
    for _ in range(2**20):  # a gigabyte
        line.sendall(more)


def test_heads_are_counted_without_bodies_and_one_by_one(tmp_path: Path) -> None:
    limits = Limits()
    with (
        Live(tmp_path / "games.db", limits, door=ConnectionGate(limits, 1000), hosts=frozenset()) as live,
        httpx.Client(base_url=live.url, timeout=PATIENCE) as client,
    ):
        for _ in range(40):
            assert client.get("/api/health", headers={"x-large": "a" * 4000}).status_code == 200
        found = client.post("/api/positions/check", json={"position": "#" * 100_000})
        assert found.status_code == 422, "read, and too long for a position"


def test_requests_that_do_not_wait_for_answers_are_bounded(tmp_path: Path) -> None:
    """Otherwise all of them would be buffered, two gigabytes in a few seconds."""
    limits = Limits()
    request = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with Live(tmp_path / "games.db", limits, door=ConnectionGate(limits, 1000), hosts=frozenset()) as live:
        few = open_socket(live)
        few.settimeout(PATIENCE)
        few.sendall(5 * request)
        received = b""
        while received.count(b"HTTP/1.1 200") < 5:
            received += few.recv(4096)
        few.close()
        many = open_socket(live)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            send_repeatedly(many, 500 * request)
        many.close()


def test_a_crowd_of_one_address_is_let_in_only_so_far(tmp_path: Path) -> None:
    limits = Limits(connections=5, header_seconds=600.0)  # no connection is closed for slowness
    door = ConnectionGate(limits, 1000)
    door.trusted_proxies = set()
    with Live(tmp_path / "games.db", limits, door=door, hosts=frozenset()) as live:
        crowd = [open_socket(live) for _ in range(8)]
        turned_away = crowd[5:]  # the last connections
        assert [closed(one) for one in turned_away] == [True] * 3
        for one in crowd[:5]:
            one.settimeout(0.05)
            with pytest.raises(TimeoutError):
                one.recv(1)
            one.close()
        asyncio.run(wait_until(lambda: not door.open_connections, "the server notices that they have left"))
        assert get(f"{live.url}/api/health").status_code == 200
        strange = get(f"{live.url}/api/health", headers={"host": "evil.example"})
        assert strange.status_code == 421


def open_socket(live: Live) -> socket.socket:
    host, port = live.url[7:].split(":")
    return socket.create_connection((host, int(port)))


def closed(one: socket.socket) -> bool:
    """Wait until the server closes this connection; return whether it closed without data."""
    one.settimeout(120)
    try:
        return one.recv(100) == b""
    except ConnectionResetError:
        return True
    finally:
        one.close()
