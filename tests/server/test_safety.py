"""Safety between players: muted players stay muted, operators get reports, and typed text contains only letters."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import time
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError

from blackpoker import cli
from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.protocol import messages as p
from blackpoker.server.admission import Bucket, Limits
from blackpoker.server.cluster.bus import RedisBus
from blackpoker.server.rooms.sanitize import MAX_COMBINING, printable
from blackpoker.server.rooms.seats import handle_of
from blackpoker.server.storage import moderation as rows
from blackpoker.server.storage.database import make_engine, migrate
from blackpoker.server.storage.moderation import ReportRow
from tests.long.scaling import redis
from tests.server.live import Live, get, wait_until
from tests.server.room_driver import Driver

NASTY = (
    "\u202eevil\u202c",
    "a\u200bb\u200d\ufeff",
    "Z" + "\u0301\u0302\u0303\u0304" * 20,
    "\u2066\u2069\u061cx",
    "\x00\x07x\x1b[31m",
    "<script>alert(1)</script>",
    "\U000e0041tag",
    "\ue000\uf8ff",
    "line\none\rtwo\u2028three",
    "\u115f\u3164\u2800",
)


def plain(text: str) -> bool:
    """Return whether the text is one line of visible letters, without direction marks or stacked marks."""
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or marks > MAX_COMBINING:
            return False
    return True


def lines(driver: Driver, key: str) -> list[str]:
    return [one.phrase or one.text for one in driver.inbox.get(key, []) if isinstance(one, p.ChatLine)]


@pytest.mark.parametrize("text", NASTY)
def test_nothing_typed_is_more_than_letters(text: str) -> None:
    assert plain(printable(text))
    driver = Driver(seed=1)
    driver.send("a", p.Chat(1, f"x{text}"))
    (shown,) = lines(driver, "b")
    assert plain(shown)
    driver.send("b", p.ReportPlayer(2, handle_of("room", "guest-a"), "chat", text[:300]))
    (aside,) = driver.room.moderation_requests
    assert plain(aside.text)
    assert all(plain(part) for one in json.loads(aside.chat_json) for part in one)


def test_phrases_where_the_host_wants_no_others() -> None:
    driver = Driver(seed=1, chat="phrases")
    driver.send("a", p.Chat(1, "hello there"))
    assert driver.errors[-1].code == "phrases"
    driver.send("a", p.Chat(2, phrase="hello"))
    assert lines(driver, "b") == ["hello"]
    assert Driver(seed=1).send("a", p.Chat(2, phrase="hello")), "they are said in every room"
    driver.send("a", p.Chat(3))
    assert driver.errors[-1].code == "empty"


def test_a_muted_player_is_not_shown() -> None:
    """All other players still receive the messages."""
    received: dict[str, list[str]] = {"a": [], "b": [], "w": []}

    def record(key: str, data: bytes) -> None:
        message = p.decode_server(data)
        if isinstance(message, p.ChatLine):
            received[key].append(message.text)

    driver = Driver(seed=1, listener=record)
    driver.send("a", p.Chat(1, "one"))
    driver.send("b", p.MutePlayer(2, handle_of("room", "guest-a")))
    driver.send("a", p.Chat(3, "two"))
    assert received["b"] == ["one"]
    assert received["w"] == ["one", "two"]
    (aside,) = driver.room.moderation_requests
    assert (aside.kind, aside.owner, aside.target) == ("mute", "guest-b", "guest-a")
    driver.send("b", p.MutePlayer(4, handle_of("room", "guest-a"), on=False))
    driver.send("a", p.Chat(5, "three"))
    assert received["b"] == ["one", "three"]
    for handle in ("", "nobody", handle_of("room", "guest-b"), handle_of("other", "guest-a")):
        driver.send("b", p.MutePlayer(6, handle))
        assert driver.errors[-1].code == "no_such_person", handle


def test_a_delayed_spectator_does_not_receive_a_muted_player() -> None:
    driver = Driver(seed=1, spectator_delay=10)
    driver.send("a", p.Chat(1, "one"))
    driver.send("w", p.MutePlayer(2, handle_of("room", "guest-a")))
    driver.now += 11
    driver.room.tick(driver.now)
    driver.collect()
    assert lines(driver, "w") == []


def test_tables_of_safety(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(str(tmp_path / "safety.db"))
    with engine.begin() as connection:
        migrate(connection)
        monkeypatch.setattr(rows, "MAX_MUTED", 2)
        assert rows.mute(connection, "me", "one", "One", 1.0)
        assert rows.mute(connection, "me", "two", "Two", 2.0)
        assert not rows.mute(connection, "me", "three", "Three", 3.0), "nearly nobody is heard any more"
        assert rows.mute(connection, "me", "one", "One again", 4.0)
        found = rows.muted_by(connection, "me")
        assert [(one.name, one.since) for one in found] == [("One again", 4.0), ("Two", 2.0)]
        assert not rows.unmute(connection, "other", 5.0, id=found[0].id), "nobody else's"
        assert rows.unmute(connection, "me", 5.0, id=found[0].id)
        assert not rows.unmute(connection, "me", 5.0, id=found[0].id)
        assert rows.unmute(connection, "me", 5.0, target="two")
        assert rows.muted_by(connection, "me") == []
        found_changes, until = rows.mute_changes_since(connection, 0.0)
        assert len(found_changes) == 2
        assert rows.mute_changes_since(connection, until) == ([], until)
        rows.add_report(connection, ReportRow("id", 1.0, "me", "Me", "you", "You", "chat", "", "r", "", "[]", 0.0))
        rows.delete_person(connection, "you")
        assert [(one.whom_name, one.owner_name) for one in rows.open_reports(connection, 9)] == [("", "Me")]
    engine.dispose()


def run_admin(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    with pytest.raises(SystemExit):
        cli.main(["admin", *given, "--lang", "en"])
    output = capsys.readouterr()
    return output.out + output.err


async def wait_for_message(seat: ServerSeat, *kinds: type[Any]) -> Any:
    while True:
        message = await seat.receive()
        if isinstance(message, kinds):
            return message


def test_mutes_last_and_reports_reach_the_operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Over the network: a muted player stays muted in another room until the mute is lifted; a report is listed."""
    path = tmp_path / "games.db"
    with Live(path) as live:

        async def story() -> None:
            async with Client(live.url, "Kind") as kind, Client(live.url, "Rude") as rude:
                rooms = [await kind.create_room(window_ms=0) for _ in range(2)]
                async with kind.join(rooms[0].id) as one, rude.join(rooms[0].id) as two:
                    await two.send(p.Chat(two.next_id(), "you fool"))
                    line = await wait_for_message(one, p.ChatLine)
                    assert line.name == "Rude"
                    await one.send(p.MutePlayer(one.next_id(), line.handle))
                    await wait_for_message(one, p.Ack)
                    await one.send(p.ReportPlayer(one.next_id(), line.handle, "chat", "he called me a fool"))
                    await wait_for_message(one, p.Ack)
                (mine,) = await muted_list(kind)
                assert mine["name"] == "Rude"
                async with kind.join(rooms[1].id) as one, rude.join(rooms[1].id) as two:
                    await two.send(p.Chat(two.next_id(), "again me"))
                    await wait_for_message(two, p.ChatLine)
                    await one.send(p.Ping(one.next_id()))
                    assert not isinstance(await wait_for_message(one, p.ChatLine, p.Pong), p.ChatLine)
                    with pytest.raises(Refused):
                        await rude.request("POST", "/api/muted/lift", {"id": mine["id"]})
                    assert await kind.request("POST", "/api/muted/lift", {"id": mine["id"]}) == []
                    await two.send(p.Chat(two.next_id(), "friends?"))
                    assert (await wait_for_message(one, p.ChatLine)).text == "friends?"

        async def muted_list(kind: Client) -> list[dict[str, Any]]:
            assert live.state is not None
            await wait_until(lambda: live.state is not None and live.state.accounts.moderation.muted, "it is kept")
            return list(await kind.request("GET", "/api/muted"))

        asyncio.run(story())
    listed = run_admin(capsys, "reports", "-d", str(path))
    assert "Rude ← Kind  he called me a fool" in listed
    id = listed.split()[0]
    whole = run_admin(capsys, "reports", "--id", id, "-d", str(path))
    assert "p2 Rude: you fool" in whole
    assert "/room/" in whole
    assert "dealt with" in run_admin(capsys, "reports", "--id", id, "--yes", "-d", str(path))
    assert "there are no reports" in run_admin(capsys, "reports", "-d", str(path))
    assert "there is no report" in run_admin(capsys, "reports", "--id", "nothing", "-d", str(path))
    assert "--id" in run_admin(capsys, "reports", "--yes", "-d", str(path))


def test_claims_of_names_are_rate_limited(tmp_path: Path) -> None:
    """A few guests per address may choose names; trying names in bulk is rate-limited."""
    with Live(tmp_path / "games.db", Limits()) as live:
        assert live.state is not None
        live.state.ledger.tokens.buckets["names:a:127.0.0.1"] = Bucket(3.0, time.monotonic())

        async def story() -> str:
            for number in range(20):
                try:
                    async with Client(live.url, f"Guest{number}"):
                        pass
                except Refused as refused:
                    assert number >= 3  # after three
                    return refused.code
            return ""

        assert asyncio.run(story()) == "rate"


# -- files, headers, health --------------------------------------------------------------------------------------------------


def test_the_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    old = os.umask(0o022)
    try:
        with Live(path) as live:
            assert get(f"{live.url}/api/me").status_code == 200
            for file in tmp_path.glob("games.db*"):
                assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    finally:
        os.umask(old)


def test_hsts_is_sent_behind_tls_only(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db") as live:
        url = f"{live.url}/api/health"
        assert "strict-transport-security" not in get(url).headers
        assert (
            get(url, headers={"X-Forwarded-Proto": "https"}).headers["strict-transport-security"].startswith("max-age")
        )


def test_health_reports_that_redis_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: a server without its Redis reported to be well."""
    with Live(tmp_path / "games.db") as live:
        url = f"{live.url}/api/health"
        well = get(url).json()
        assert (well["status"], well["redis"], well["database"]) == ("ok", True, True)

        async def away() -> bool:
            return False

        assert live.state is not None
        monkeypatch.setattr(live.state.room_manager.bus, "is_reachable", away)
        ill = get(url)
        assert (ill.status_code, ill.json()["redis"], ill.json()["database"]) == (503, False, True)


def test_a_process_notices_that_redis_is_away_and_receives_messages_before() -> None:
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")

        async def story() -> None:
            one, two = await RedisBus.connect(address), await RedisBus.connect(address)
            received: list[dict[str, object]] = []
            for bus in (one, two):
                await bus.start(received.append, lambda: None)
            one.send(two.process_id, {"op": "hello"})
            await wait_until(lambda: received, "it arrives")
            assert received == [{"op": "hello"}]
            assert await two.is_reachable()
            for bus in (one, two):
                for task in bus.tasks:
                    task.cancel()
                await asyncio.gather(*bus.tasks, return_exceptions=True)
            with suppress(RedisError):
                await one.redis.shutdown(nosave=True)
            assert not await two.is_reachable()
            for bus in (one, two):
                await bus.redis.connection_pool.disconnect()

        asyncio.run(story())
