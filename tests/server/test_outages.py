"""The server waits while a database is unavailable; game time does not follow the machine's clock."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from blackpoker.client import Client, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server.clock import GameClock
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.rooms.seats import GameEntry, RoomChanges
from blackpoker.server.storage.database import GameStore, PendingWrite, WriteConflict
from blackpoker.server.storage.interface import StoreError
from tests.server.live import PATIENCE, Live, get, play_seat, wait_until
from tests.server.room_driver import Driver


def test_a_locked_database_is_waited_for_and_nothing_is_lost(tmp_path: Path) -> None:
    """Another process locks the file for some seconds while two players play with clocks."""
    path = tmp_path / "games.db"
    with Live(path) as live:
        assert live.state is not None
        store = live.state.room_manager.store
        assert isinstance(store, GameStore)
        received: list[p.AnyServerMessage] = []
        banks: list[float] = []

        def health() -> int:
            return get(f"{live.url}/api/health").status_code

        async def hold_lock(room: str) -> None:
            """Lock the file until the server reports it, and for ten more samples of its clocks."""
            lock = await asyncio.to_thread(
                sqlite3.connect, path, isolation_level=None, timeout=PATIENCE, check_same_thread=False
            )
            await asyncio.to_thread(lock.execute, "BEGIN IMMEDIATE")
            await wait_until(lambda: health() == 503, "health says that nothing can be stored")
            room_manager = live.state.room_manager if live.state else None
            await wait_until(
                lambda: room_manager is not None and room_manager.clock.stopped is not None,
                "somebody's sentence waits for it",
            )
            for _ in range(10):
                banks.append(sum(seat.clock.to_wire(live_now(live)).left_ms for seat in live_seats(live, room)))
                await asyncio.sleep(0.1)
            assert health() == 503
            lock.execute("ROLLBACK")
            lock.close()

        async def story() -> tuple[ServerSeat, ServerSeat]:
            async with Client(live.url, "A") as one, Client(live.url, "B") as two:
                clock = p.ClockRules(bank=600, each=0)  # a long game: it does not end before the lock
                room = await one.create_room(regulation="master+full", window_ms=0, clock=clock)
                async with one.join(room.id, "watch") as watcher:
                    watcher.on_message = received.append
                    playing = asyncio.gather(play_seat(one, room.id, 1), play_seat(two, room.id, 2))
                    await wait_until(lambda: store.commits >= 5, "they play")
                    await hold_lock(room.id)
                    assert len(set(banks)) == 1, "the clocks ran while nothing could be stored"
                    seats = await playing
                    while not any(isinstance(message, p.GameOver) for message in received):
                        await watcher.receive()
                    return seats

        first, second = asyncio.run(story())
        assert first.result is not None
        assert second.result is not None
        record = get(f"{live.url}/api/records/{first.result.record_id}").json()
        assert verify_record(record["text"], first.receipt).proven
        paused = [message.paused for message in received if isinstance(message, p.Paused)]
        assert paused[:2] == [True, False]
        assert paused == [True, False] * (len(paused) // 2), "a slow disk may stall it once more, and it is told again"
        asyncio.run(wait_until(lambda: health() == 200, "it is back"))


def test_a_client_may_receive_the_pause_before_the_welcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Storage fails while a client joins: every connected client is notified."""
    with Live(tmp_path / "games.db") as live:
        assert live.state is not None
        room_manager = live.state.room_manager
        usual = room_manager.join

        async def join(key: str, line: Any, identity: Any, message: p.Join) -> bool:
            line.send(p.encode(p.Paused(True)))
            return await usual(key, line, identity, message)

        monkeypatch.setattr(room_manager, "join", join)

        async def story() -> None:
            async with Client(live.url, "A") as one:
                room = await one.create_room()
                async with one.join(room.id) as seat:
                    assert seat.seat == "p1"

        asyncio.run(story())


def live_room(live: Live, id: str) -> Any:
    assert live.state is not None
    return live.state.room_manager.rooms[id]


def live_seats(live: Live, id: str) -> Any:
    return list(live_room(live, id).seats)


def live_now(live: Live) -> float:
    assert live.state is not None
    return live.state.room_manager.clock()


def entry(seq: int, at: float = 1.0) -> GameEntry:
    return GameEntry(1, seq, "say", 0, [1, 2], at)


def connection_lost() -> OperationalError:
    return OperationalError("insert", {}, Exception("server closed the connection unexpectedly"))


def test_a_commit_of_unknown_result_is_made_once(tmp_path: Path) -> None:
    """The connection is lost after the database has committed and before the response arrives."""

    async def story() -> None:
        store = await GameStore.open(str(tmp_path / "games.db"))
        honest = store.write
        failures = 2

        def unlucky(batch: Any, maybe_stored: bool = False) -> None:
            nonlocal failures
            honest(batch, maybe_stored)
            if failures:
                failures -= 1
                raise connection_lost()

        store.write = unlucky  # type: ignore[method-assign]
        confirmed: list[bool] = []
        store.save("room", RoomChanges(None, [entry(0), entry(1)], [], [], []), 1.0, confirmed.append)
        await store.flush()
        assert confirmed == [True]
        with store.engine.connect() as connection:
            assert connection.exec_driver_sql("select count(*) from entries").scalar_one() == 2
        store.save(
            "room", RoomChanges(None, [entry(1, at=9.0)], [], [], []), 1.0, confirmed.append
        )  # another entry with the same key
        await store.flush()
        assert confirmed == [True, False]
        with pytest.raises(WriteConflict):
            store.write([pending_write("room", entry(0, at=7.0))], True)
        await store.close()

    asyncio.run(story())


def pending_write(room: str, one: GameEntry) -> Any:
    return PendingWrite(room, RoomChanges(None, [one], [], [], []), 1.0, lambda kept: None)


@pytest.mark.parametrize(("words", "waited"), [("database or disk is full", False), ("database is locked", True)])
def test_only_a_lasting_fault_ends_the_server(tmp_path: Path, words: str, waited: bool) -> None:
    async def story() -> None:
        store = await GameStore.open(str(tmp_path / "games.db"))
        tries = 0

        def broken(batch: Any, maybe_stored: bool = False) -> None:
            nonlocal tries
            tries += 1
            raise OperationalError("insert", {}, Exception(words))

        store.write = broken  # type: ignore[method-assign]
        store.retry_seconds = 0.4
        store.save("room", RoomChanges(None, [entry(0)], [], [], []), 1.0, lambda kept: None)
        with pytest.raises(StoreError):
            await asyncio.wait_for(store.failed, PATIENCE)
        assert (tries > 1) == waited
        await store.close()

    asyncio.run(story())


def test_game_time_does_not_follow_the_machines_clock() -> None:
    """Neither bank nor window changes when the time of day jumps by an hour, and both stop while storage fails."""
    elapsed, wall = [0.0], [1_700_000_000.0]
    clock = GameClock(lambda: elapsed[0], lambda: wall[0])
    started = clock()
    driver = Driver(seed=1, clock=p.ClockRules(bank=60, each=0), window_ms=1200)
    driver.now = clock()
    driver.start()
    for step in (3600.0, -7200.0):
        wall[0] += step
        elapsed[0] += 1.0
    assert clock() == pytest.approx(started + 2.0)
    key = driver.prompted()
    seat = driver.room.seats["ab".index(key)]
    driver.now = clock()
    assert seat.clock.to_wire(driver.now).left_ms == pytest.approx(58_000, abs=1)
    clock.stop()
    elapsed[0] += 600.0
    assert clock() == pytest.approx(started + 2.0)
    clock.resume()
    elapsed[0] += 1.0
    assert clock() == pytest.approx(started + 3.0)
