"""Admission: every route, socket, message, job and cache has a class, and the attacks that were possible without one."""

from __future__ import annotations

import ast
import asyncio
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import func, insert, select
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from blackpoker.client import COOKIE, Client
from blackpoker.game.game import Game
from blackpoker.server.admission import (
    CACHES,
    ENTRIES,
    HASH,
    JOB,
    JOBS,
    RECORDS,
    REPORTS,
    ROOMS,
    TOURNAMENTS,
    Job,
    Ledger,
    Limits,
    LocalTokens,
    Owner,
    Rate,
    Refused,
    declare_cache,
    declare_job,
)
from blackpoker.server.app import SERVER_ENDPOINTS
from blackpoker.server.cluster.bus import RedisBus
from blackpoker.server.http.api.records import finished_game
from blackpoker.server.http.api.rule_examples import make_boards
from blackpoker.server.rooms.seats import ModerationRequest
from blackpoker.server.storage import schema
from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.server.storage.retention import delete_some
from blackpoker.server.tournaments import standings
from blackpoker.server.worker_pool import MAX_QUEUED_PER_ADDRESS, THREADS, QueueFull, WorkerPool
from tests.long.scaling import redis
from tests.long.swiss import Simulated
from tests.server.admission_table import TABLE, rows
from tests.server.live import PATIENCE, Live, get, post, wait_until

SERVER: Final = Path(__file__).parents[2] / "src" / "blackpoker" / "server"
#: limits under which time never runs out, so that only the quotas refuse
QUOTAS_ONLY: Final = Limits(guest_ms=1e9, guest_burst_ms=1e9, address_ms=1e9, address_burst_ms=1e9)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path / "games.db", QUOTAS_ONLY) as running:
        yield running


@contextmanager
def visitor(live: Live, address: str) -> Iterator[httpx.Client]:
    """Yield a guest behind an address of its own; the server trusts the header of a proxy on its own machine."""
    headers = {"X-Forwarded-For": address}
    with httpx.Client(base_url=live.url, headers=headers, timeout=PATIENCE) as client:
        client.get("/api/me")
        yield client


# -- every declaration ---------------------------------------------------------------------------------------------------


def test_everything_has_its_class() -> None:
    """The table lists all routes, sockets, messages, jobs, caches and quotas; write it again when one is added."""
    assert rows() == TABLE.read_text().splitlines()


def test_every_write_draws_from_a_quota() -> None:
    """The others only compute, or end what is there."""
    without = {endpoint.path for endpoint in SERVER_ENDPOINTS if endpoint.method != "GET" and not endpoint.draws}
    assert without == {
        "/api/me/games",
        "/api/positions/check",
        "/api/scenarios/run",
        "/api/decks/check",
        "/api/paper/deck",
        "/api/puzzles/boards",
        "/api/puzzles/{id}",
        "/api/records/{id}/moments/{step}",
        "/api/school/{id}/{task}",
        "/api/sign-in/link/whose",
    }


#: calls that would run work or keep results past the ledger, and the modules that may use them
GUARDED: Final = {
    "to_thread": {"app", "storage.database", "tournaments.service", "http.api.lobby"},  # no client's work
    "run_in_executor": {"worker_pool", "storage.database"},
    "ThreadPoolExecutor": {"worker_pool", "storage.database"},
    "ProcessPoolExecutor": {"worker_pool"},
    "cache": set(),
    "lru_cache": {"admission"},
    "Route": {"http.routes"},
    "WebSocketRoute": set(),
}


def unguarded(source: str, module: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module in ("functools", "concurrent.futures", "starlette.routing"):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute):
            names = [node.attr] if node.attr != "cache" or ast.unparse(node.value) == "functools" else []
        elif isinstance(node, ast.AnnAssign) and "cache" in ast.unparse(node.target):
            kept_for_ever = ast.unparse(node.annotation).startswith(("dict", "OrderedDict", "list"))
            names = ["cache"] if kept_for_ever else []
        found += [
            f"{module}:{getattr(node, 'lineno', 0)} {name}"
            for name in names
            if name in GUARDED and module not in GUARDED[name]
        ]
    return found


def test_no_thread_process_cache_or_route_passes_by() -> None:
    found = []
    for path in sorted(SERVER.rglob("*.py")):
        module = ".".join(path.relative_to(SERVER).with_suffix("").parts)
        found += unguarded(path.read_text(), module)
    assert found == []
    assert unguarded("asyncio.to_thread(f)", "http.api.new"), "one is found"
    assert unguarded("from functools import cache", "http.api.new")
    assert unguarded("class A:\n def f(self):\n  self.page_cache: dict[str, str] = {}", "http.api.new")


def test_a_declaration_is_made_once() -> None:
    with pytest.raises(ValueError, match="replay"):
        declare_job("replay", JOB, print)
    with pytest.raises(ValueError, match="more"):
        declare_cache("more", 10, "texts of clients")
    assert "more" not in CACHES
    assert "replay" in JOBS


# -- the ledger ------------------------------------------------------------------------------------------------------------


def test_tokens_are_taken_from_all_buckets_or_none() -> None:
    now = 0.0
    tokens = LocalTokens(lambda: now)
    both = [("a", Rate(1.0, 10.0)), ("g", Rate(0.1, 3.0))]
    assert [tokens.take(both, 1) for _ in range(3)] == [0, 0, 0]
    assert tokens.take(both, 1) == pytest.approx(10.0)
    assert tokens.buckets["a"].tokens == 7, "nothing was taken from the other"
    tokens.take(both, -1)
    assert tokens.take(both, 1) == 0
    now = 100.0
    assert tokens.take([both[0]], 10) == 0, "no more than a burst is saved up"
    assert tokens.take([both[0]], 10.0) == pytest.approx(10.0)


def test_a_refused_request_gives_back_what_it_drew(live: Live) -> None:
    with visitor(live, "10.0.0.1") as one:
        for _ in range(60):
            assert one.post("/api/rooms", json={"regulation": "nothing"}).status_code == 422
        assert one.post("/api/rooms", json={}).status_code == 201


def test_a_refusal_has_retry_after(live: Live) -> None:
    with visitor(live, "10.0.0.2") as one:
        answers = [one.post("/api/rooms", json={}) for _ in range(40)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert all(answer.json()["code"] == "rate" and int(answer.headers["retry-after"]) >= 1 for answer in refused)


def test_two_processes_have_one_quota() -> None:
    """Regression: limits counted per process, so two processes doubled them."""
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")

        async def story() -> list[int]:
            buses = [await RedisBus.connect(address) for _ in range(2)]
            ledgers = [Ledger(QUOTAS_ONLY, bus) for bus in buses]
            counts = []
            for quota in (ROOMS, TOURNAMENTS):
                count = 0
                for number in range(200):
                    with suppress(Refused):
                        await ledgers[number % 2].draw(quota, Owner("10.0.0.3", f"guest {number}"))
                        count += 1
                counts.append(count)
            await ledgers[0].give_back(TOURNAMENTS, Owner("10.0.0.3", ""))
            await ledgers[1].draw(TOURNAMENTS, Owner("10.0.0.3", ""))
            assert await buses[0].exchange_connections({"10.0.0.3": 150}) == {}
            ledgers[1].held_elsewhere = await buses[1].exchange_connections({})
            held = sum(ledgers[1].hold("10.0.0.3") for _ in range(100))
            for bus in buses:
                await bus.redis.aclose()
            return [*counts, held]

        rooms, tournaments, held = asyncio.run(story())
        assert 30 <= rooms <= 33
        assert tournaments == 6
        assert held == 50


def test_without_redis_the_quotas_still_hold() -> None:
    class Away:
        async def take_tokens(self, rates: object, amount: float) -> None:
            return None

    async def story() -> int:
        ledger, count = Ledger(QUOTAS_ONLY, Away()), 0
        for _ in range(20):
            with suppress(Refused):
                await ledger.draw(TOURNAMENTS, Owner("10.0.0.4", ""))
                count += 1
        return count

    assert asyncio.run(story()) == 6


# -- jobs ------------------------------------------------------------------------------------------------------------------


def test_jobs_run_in_turn_and_are_charged_before_they_wait() -> None:
    """Regression: hashes of recovery codes and replays ran as many at once as were asked for."""
    running = most = 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with lock:
            running -= 1

    async def story() -> tuple[int, float]:
        workers, ledger = WorkerPool(), Ledger(Limits())
        job: Job[None] = Job("slow hash", HASH, work)
        flood = [
            asyncio.create_task(workers.run_charged(ledger, Owner("10.0.0.5", f"g{number}"), job))
            for number in range(200)
        ]
        await asyncio.sleep(0)
        assert ledger.wait("", "10.0.0.5", time.monotonic()) > 10, "charged before they run"
        started = time.perf_counter()
        await workers.run_charged(ledger, Owner("10.0.0.6", "victim"), job)
        waited = time.perf_counter() - started
        refused = sum(isinstance(one, QueueFull) for one in await asyncio.gather(*flood, return_exceptions=True))
        workers.stop()
        return refused, waited

    refused, waited = asyncio.run(story())
    assert most == THREADS
    assert refused >= 200 - MAX_QUEUED_PER_ADDRESS - THREADS
    assert waited < 0.2, "the flood of another address does not go first"


# -- sockets ---------------------------------------------------------------------------------------------------------------


def test_a_follower_that_sends_is_closed(live: Live) -> None:
    """Regression: `/ws/tournament` charged nothing; three sockets slowed everything down forty times."""

    async def story() -> int:
        async with Client(live.url, "Host") as host:
            id = (await host.request("POST", "/api/tournaments", {"name": "T"}))["id"]
            url = live.url.replace("http", "ws", 1) + f"/ws/tournament?id={id}"
            async with connect(url, additional_headers={"Cookie": f"{COOKIE}={host.cookie}"}) as socket:
                await socket.recv()
                try:
                    for _ in range(20_000):
                        await socket.send("{}")
                    while True:
                        await socket.recv()
                except ConnectionClosed as closed:
                    return closed.rcvd.code if closed.rcvd is not None else 0

    assert asyncio.run(story()) in (4405, 0)
    assert live.state is not None
    assert live.state.metrics.evicted["follower"] == 1
    ledger = live.state.ledger
    asyncio.run(wait_until(lambda: not ledger.held, "its slot is free again"))


# -- caches ----------------------------------------------------------------------------------------------------------------


def test_no_cache_grows_with_what_clients_invent(live: Live) -> None:
    """Regression: `GET /api/rules/<60 kB>/boards` was kept for ever, misses too."""
    get(f"{live.url}/api/rules/act.counter/boards?lang=en")
    before = make_boards.cache_info().currsize  # type: ignore[attr-defined]
    assert live.state is not None
    boards = live.state.accounts.leaderboards
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        for number in range(300):
            assert client.get(f"/api/rules/{number}{'x' * 5000}/boards").status_code == 404
            assert client.get(f"/api/players/{number:016x}").status_code == 404
            assert client.get(f"/api/ratings?format=lite&season={number + 5}").status_code == 404
            assert client.get(f"/api/school/{number}").status_code == 404
    assert make_boards.cache_info().currsize == before  # type: ignore[attr-defined]
    assert not boards.cache


def test_standings_are_computed_once_for_all_tables(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    """Regression: the list of tables computed all standings once per table, 9.8 s at 256 entrants in round 8."""
    played = Simulated(64, random.Random(1), leaves=0)
    played.pair()
    calls = 0
    compute = standings.compute_ranking

    def counted(tournament: Any) -> Any:
        nonlocal calls
        calls += 1
        return compute(tournament)

    monkeypatch.setattr(standings, "compute_ranking", counted)
    assert live.state is not None
    live.state.tournaments.known["t"] = played.state
    assert len(get(f"{live.url}/api/tournaments/t/tables").json()) == 32
    assert get(f"{live.url}/api/tournaments/t").status_code == 200
    assert calls == 1


# -- stored bytes ------------------------------------------------------------------------------------------------------------


def record_with_comments(comment: str) -> str:
    head, _, rest = resigned_record().partition("\n")
    return "\n".join([head, *[f"# {comment} {number}" for number in range(1500)], "# commitment: " + "0" * 64, rest])


def resigned_record() -> str:
    game = Game("lite+entry", seed=3)
    game.end("resign", 0)
    return str(game.record())


def test_an_imported_record_is_stored_without_what_means_nothing() -> None:
    """Regression: 199 kB of comments were kept for ever."""
    one, two = (finished_game(record_with_comments(comment)) for comment in ("a" * 90, "b" * 90))
    assert len(one.record) < len(resigned_record()) + 200
    assert one.record_id == two.record_id, "the same game"
    assert finished_game(one.record).record == one.record
    with_proof = resigned_record().replace("\n", "\n# commitment: 12ab\n# secret: 34\n", 1)
    assert "# commitment: 12ab\n# secret: 34\n" in finished_game(with_proof).record


def test_records_of_an_address_are_limited_by_their_bytes(live: Live) -> None:
    text = record_with_comments("c" * 90)
    with visitor(live, "10.0.1.1") as one:
        answers = [one.post("/api/records", json={"text": text}) for _ in range(12)]
    accepted = [answer for answer in answers if answer.status_code == 201]
    assert 1 <= len(accepted) <= RECORDS.address.burst // len(text) if RECORDS.address else False
    assert int(answers[-1].headers["retry-after"]) > 60
    with visitor(live, "10.0.1.2") as other:
        assert other.post("/api/records", json={"text": resigned_record()}).status_code == 201


def test_imported_records_expire(tmp_path: Path) -> None:
    async def story(live: Live) -> None:
        assert post(f"{live.url}/api/records", json={"text": resigned_record()}).status_code == 201

    with Live(tmp_path / "games.db") as live:
        asyncio.run(story(live))
    engine = make_engine(str(tmp_path / "games.db"))
    count = select(func.count()).select_from(schema.RECORDS)
    with engine.begin() as connection:
        delete_some(connection, RetentionPolicy(), time.time() + 89 * 86_400)
        assert connection.execute(count).scalar_one() == 1
        delete_some(connection, RetentionPolicy(), time.time() + 91 * 86_400)
        assert connection.execute(count).scalar_one() == 0
    engine.dispose()


# -- slots in public lists -----------------------------------------------------------------------------------------------------


def test_empty_rooms_do_not_hide_a_live_one(live: Live) -> None:
    """Regression: 62 empty rooms filled the lobby."""

    async def story() -> list[str]:
        async with Client(live.url, "Real") as real:
            room = await real.create_room(listed=True)
            async with real.join(room.id) as seat:
                await seat.ready(salt="1")
                for number in range(62):
                    with visitor(live, f"10.1.{number % 7}.1") as one:
                        made = one.post("/api/rooms", json={"listed": True}).json()["room"]["id"]
                    async with Client(live.url, f"Puppet {number}") as puppet, puppet.join(made) as other:
                        await other.ready(salt="1")
                assert live.state is not None
                live.state.lobby.cached = None
                shown = [entry["id"] for entry in get(f"{live.url}/api/lobby").json()["open"]]
                assert room.id in shown
                return shown

    assert len(asyncio.run(story())) == 1, "those whose player has left are not shown"


def test_tournaments_of_few_addresses_do_not_bury_the_others(live: Live) -> None:
    """Regression: 70 tournaments of few addresses filled the list."""
    with visitor(live, "10.2.0.1") as real:
        wanted = real.post("/api/tournaments", json={"name": "Real"}).json()["id"]
    made = 0
    for number in range(70):
        with visitor(live, f"10.2.1.{number % 7}") as other:
            made += other.post("/api/tournaments", json={"name": f"Spam {number}"}).status_code == 201
    assert 0 < made <= 7 * 6
    listed = [entry["id"] for entry in get(f"{live.url}/api/tournaments").json()]
    assert wanted in listed
    assert len(listed) <= 1 + 7 * 4


def test_reports_of_few_addresses_do_not_bury_the_others(live: Live) -> None:
    """Regression: 295 reports of few addresses."""
    assert live.state is not None
    moderation, store = live.state.accounts.moderation, live.state.accounts.store

    async def story() -> int:
        for number in range(295):
            request = ModerationRequest(
                "report", f"g{number}", "A", "victim", "V", "chat", network=f"10.3.0.{number % 3}"
            )
            await moderation.handle_requests("room", [request])
        again = ModerationRequest("report", "g0", "A", "victim", "V", "cheat", network="10.3.9.9")
        await moderation.handle_requests("room", [again])
        return int(
            await store.query(
                lambda connection: connection.execute(select(func.count()).select_from(schema.REPORTS)).scalar_one()
            )
        )

    loop = store.failed.get_loop()
    count = asyncio.run_coroutine_threadsafe(story(), loop).result(PATIENCE)
    assert REPORTS.address is not None
    assert count <= 3 * REPORTS.address.burst


def test_leaving_and_entering_in_a_loop_is_limited(live: Live) -> None:
    """Regression: 1,052 acts in 20 seconds."""
    with visitor(live, "10.4.0.1") as host, visitor(live, "10.4.0.2") as one:
        id = host.post("/api/tournaments", json={"name": "T"}).json()["id"]
        codes = []
        for _ in range(30):
            codes += [one.post(f"/api/tournaments/{id}/{act}", json={}).status_code for act in ("enter", "leave")]
    assert ENTRIES.guest is not None
    assert codes.count(200) <= ENTRIES.guest.burst + 2
    assert codes[-1] == 429


def test_open_tournaments_cost_nothing_while_they_wait(tmp_path: Path) -> None:
    """Regression: 4,000 open tournaments raised the processor time of an idle server from 3 % to 60 %."""
    with Live(tmp_path / "games.db") as live:
        with httpx.Client(base_url=live.url, timeout=PATIENCE) as host:
            host.get("/api/me")
            first = host.post("/api/tournaments", json={"name": "T", "starts": time.time() + 3000}).json()["id"]
        assert live.state is not None
        tournaments = live.state.tournaments
        engine = make_engine(str(tmp_path / "games.db"))
        with engine.begin() as connection:
            (text,) = connection.execute(select(schema.ACTS.c.text)).scalars()
            made = [f"copy-{number}" for number in range(500)]
            now = time.time()
            connection.execute(
                insert(schema.TOURNAMENTS),
                [{"id": id, "phase": "open", "listed": 0, "updated": now, "seq": 1, "due": 0.0} for id in made],
            )
            connection.execute(insert(schema.ACTS), [{"tournament": id, "seq": 0, "text": text} for id in made])

        def waiting() -> int:
            with engine.connect() as connection:
                query = (
                    select(func.count()).select_from(schema.TOURNAMENTS).where(schema.TOURNAMENTS.c.due <= time.time())
                )
                return int(connection.execute(query).scalar_one())

        asyncio.run(wait_until(lambda: not waiting(), "each has been looked at once"))
        looked = 0
        check = tournaments.check

        async def counted(id: str, seq: int) -> None:
            nonlocal looked
            looked += 1
            await check(id, seq)

        tournaments.check = counted  # type: ignore[method-assign]
        time.sleep(2.5)
        assert looked == 0
        with httpx.Client(base_url=live.url, timeout=PATIENCE) as guest:
            guest.get("/api/me")
            guest.post(f"/api/tournaments/{first}/enter", json={})
        asyncio.run(wait_until(lambda: looked, "an event makes it due"))
        engine.dispose()
