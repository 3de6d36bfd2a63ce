"""Retention: automatic and manual deletion; older databases; logs without secrets."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import random
import sqlite3
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from itsdangerous import URLSafeTimedSerializer
from websockets.exceptions import ConnectionClosed

from blackpoker import cli
from blackpoker.client import Client, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server import log_setup
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.rooms.room import Room
from blackpoker.server.storage.database import GameStore
from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.server.storage.retention import DAY
from tests.server.live import Live, get, play_seat
from tests.server.room_driver import Driver
from tests.server.test_live import hostile_message

OLD = Path(__file__).parent / "data" / "schema_8cba12b.sql"


def old_database(folder: Path) -> Path:
    path = folder / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(OLD.read_text(encoding="utf-8"))
    connection.close()
    return path


def aged(path: Path, room: str, days: float, now: float) -> None:
    """Age the room as if it had been idle for ``days`` days."""
    connection = sqlite3.connect(path)
    connection.execute("update rooms set updated = ? where id = ?", (now - days * DAY, room))
    connection.execute("update entries set at = ? where room = ?", (now - days * DAY, room))
    connection.commit()
    connection.close()


def rooms_of(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    found = {row[0] for row in connection.execute("select id from rooms")}
    left = {row[0] for row in connection.execute("select distinct room from entries")}
    connection.close()
    assert left <= found, "entries of a forgotten room"
    return found


ALL = {"waiting-room", "playing-lite", "playing-extra", "playing-half", "over-room"}


def test_a_database_of_before_is_played_on(tmp_path: Path) -> None:
    """Games started with the schema and shuffles of 8cba12b end by the old rules; their records are proven."""
    path = old_database(tmp_path)

    async def story() -> None:
        store = await GameStore.open(str(path))
        for id in sorted(ALL):
            found = await store.room(id)
            assert found is not None
            room = Room.load(*found, 0.0)
            assert room.phase == found[0]["phase"]
            if room.phase == "playing":
                assert room.room_game.seq == len(found[2])
                place = room.room_game.player
                assert room.windows.verdict is not None, f"{id}: nobody is asked"
                assert place in (0, 1)
        await store.close()

    asyncio.run(story())


def test_a_guest_of_before_keeps_what_it_had(tmp_path: Path) -> None:
    """The old cookie, signed with the stored key, is the same guest: its seat, its game, and its last record. An
    account keeps this identity."""
    path, key = old_database(tmp_path), b"k" * 32
    connection = sqlite3.connect(path)
    connection.execute("insert into keys (name, value) values ('guests', ?)", (key,))
    connection.commit()
    connection.close()
    cookie = str(URLSafeTimedSerializer(key, salt="guest").dumps(["guest-a", "Old Friend"]))
    for id in ALL:
        aged(path, id, 0.0, time.time())

    async def story(live: Live) -> None:
        async with Client(live.url, cookie=cookie) as client:
            me = await client.request("GET", "/api/me")
            assert (me["id"], me["name"]) == ("guest-a", "Old Friend")
            assert (await client.request("GET", f"/api/records/{json_ids(path)[0]}"))["text"]
            for room in ("playing-lite", "playing-extra", "playing-half"):
                async with client.join(room) as seat:
                    assert seat.seat is not None, room
            await client.request("POST", "/api/account", {"name": "Old Friend", "crest": "SA"})
            assert (await client.request("GET", "/api/me"))["id"] == "guest-a"
            async with client.join("playing-lite") as seat:
                assert seat.seat is not None

    with Live(path) as live:
        asyncio.run(asyncio.wait_for(story(live), 60))


def test_old_records_fit_themselves_and_a_strange_stream_is_one_line(tmp_path: Path) -> None:
    connection = sqlite3.connect(old_database(tmp_path))
    (text,) = connection.execute("select text from records where room = 'over-room'").fetchone()
    connection.close()
    assert "told openly" in verify_record(text).en
    for stream in ("-1", "2", "x"):
        changed = text.replace("# stream: 1", f"# stream: {stream}")
        assert changed != text
        with pytest.raises(Exception, match="number of the stream") as caught:
            verify_record(changed)
        assert "\n" not in str(caught.value)


def test_idle_rooms_expire_and_records_stay(tmp_path: Path) -> None:
    path = old_database(tmp_path)
    now = time.time()
    for id, days in (("waiting-room", 2), ("playing-lite", 31), ("playing-extra", 29), ("over-room", 8)):
        aged(path, id, days, now)
    aged(path, "playing-half", 0.1, now)

    async def purge(keeping: RetentionPolicy) -> set[str]:
        store = await GameStore.open(str(path))
        deleted = await store.purge(keeping, now)
        record = await store.record(json_ids(path)[0])
        await store.close()
        assert record is not None
        return set(deleted)

    assert asyncio.run(purge(RetentionPolicy(0, 0, 0))) == set()
    assert asyncio.run(purge(RetentionPolicy())) == {"waiting-room", "playing-lite", "over-room"}
    assert rooms_of(path) == {"playing-extra", "playing-half"}


def json_ids(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    found = [row[0] for row in connection.execute("select id from records order by created")]
    connection.close()
    return found


def test_admin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = old_database(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(["admin", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    code, out, _ = run("stats", "-d", str(path), "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["waiting"], found["playing"], found["over"], found["records"]) == (1, 3, 1, 1)
    code, out, _ = run("purge", "-d", str(path))
    assert code == 0
    assert "5" in out
    assert rooms_of(path) == ALL, "without --yes nothing is forgotten"
    code, out, _ = run("purge", "-d", str(path), "--yes", "--keep-unfinished", "0")
    assert code == 0
    assert len(rooms_of(path)) == 3
    folder = tmp_path / "records"
    for _ in range(2):
        assert run("export", "-d", str(path), "--to", str(folder))[0] == 0
    (file,) = folder.iterdir()
    assert verify_record(file.read_text(encoding="utf-8"))
    for wrong in (("stats", "-d", str(tmp_path / "none.db")), ("export", "-d", str(path)), ("sing",)):
        code, _, complaint = run(*wrong)
        assert code == 2
        assert len(complaint.strip().splitlines()) == 1


def test_messages_in_a_room_leave_no_garbage() -> None:
    """The server collects garbage only after rooms have gone, so neither play nor invalid messages may create any."""
    driver = Driver(seed=4)
    driver.start()
    chosen = random.Random(4)

    def on(steps: int) -> None:
        for _ in range(steps):
            assert driver.step()
            for key in ("a", "b", "w"):
                with suppress(msgspec.MsgspecError, UnicodeError):
                    driver.send(key, p.decode(hostile_message(chosen, "room", driver.room.room_game.seq + 3, ["pass"])))
        driver.inbox.clear()

    on(5)  # fills the caches
    gc.collect()
    gc.disable()
    try:
        on(20)
        gc.set_debug(gc.DEBUG_SAVEALL)  # keeps the garbage for inspection
        gc.collect()
        ours = [type(one) for one in gc.garbage if type(one).__module__.startswith("blackpoker")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert ours == []


def test_a_page_left_open_keeps_nothing_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Live(path) as live:
        assert live.state is not None
        room_manager = live.state.room_manager

        async def story() -> None:
            async with Client(live.url, "A") as one:
                room = await one.create_room()
                async with one.join(room.id) as seat:
                    aged(path, room.id, 2, time.time())
                    deleted = await asyncio.wrap_future(
                        asyncio.run_coroutine_threadsafe(
                            room_manager.store.purge(room_manager.retention, time.time()), live_loop(room_manager)
                        )
                    )
                    assert deleted == [room.id]
                    live_loop(room_manager).call_soon_threadsafe(room_manager.evict, room.id)
                    with pytest.raises(ConnectionClosed) as caught:
                        await forever(seat)
                    assert caught.value.rcvd is not None
                    assert caught.value.rcvd.code == 1012
                answer = await asyncio.to_thread(get, f"{live.url}/api/rooms/{room.id}")
                assert answer.status_code == 404

        asyncio.run(story())


async def forever(seat: ServerSeat) -> None:
    while True:
        await seat.receive()


def live_loop(room_manager: object) -> asyncio.AbstractEventLoop:
    return room_manager.store.failed.get_loop()  # type: ignore[attr-defined, no-any-return]


def test_debug_logs_carry_no_cookie_salt_or_room(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    log_setup.configure("debug")
    try:
        with Live(tmp_path / "games.db") as live:

            async def story() -> tuple[str, str, str]:
                async with Client(live.url, "A") as one, Client(live.url, "B") as two:
                    room = await one.create_room(window_ms=0)
                    seats = await asyncio.gather(play_seat(one, room.id, 77_001), play_seat(two, room.id, 77_002))
                    assert seats[0].result is not None
                    return room.id, one.cookie, seats[0].result.record_id

            room, cookie, record = asyncio.run(story())
            get(f"{live.url}/api/records/{record}")
    finally:
        root.handlers[:], root.level = before
    logged = capfd.readouterr().err
    assert '"message"' in logged, "nothing was logged"
    for secret in (room, cookie, record, "77001", "77002"):
        assert secret not in logged


def test_invalid_text_is_one_line_of_the_log() -> None:
    try:
        b"\xff".decode()
    except UnicodeDecodeError:
        record = logging.makeLogRecord({"msg": "Invalid UTF-8 sequence received", "exc_info": sys.exc_info()})
    assert "trace" not in json.loads(log_setup.JsonFormatter().format(record))
    try:
        raise ValueError("ours")
    except ValueError:
        record = logging.makeLogRecord({"msg": "a mistake", "exc_info": sys.exc_info()})
    assert "trace" in json.loads(log_setup.JsonFormatter().format(record))


@pytest.mark.parametrize(
    "path",
    [
        "/api/rooms/a%00b",
        "/api/records/a%00b",
        "/api/records/a%00b/replay",
        "/api/rooms/%FF%FE",
        "/api/rooms/..%2f..",
        "/api/records/%C0%80/turning-points",
    ],
)
def test_a_strange_id_is_not_found(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    with Live(tmp_path_factory.mktemp("ids") / "games.db") as live:
        assert get(live.url + path).status_code == 404
