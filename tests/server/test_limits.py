"""Limits per address and per room, not per guest, because guest identities cost nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from blackpoker.client import Client
from blackpoker.protocol import messages as p
from blackpoker.server.admission import Ledger, Limits
from blackpoker.server.http.connection_limits import ConnectionGate
from blackpoker.server.http.uvicorn_parts import missing_methods
from blackpoker.server.rooms.seats import FinishedGame, RoomClient
from blackpoker.server.storage.bot_ratings import MIN_TURNS, is_rated
from tests.server.live import Live, get, wait_until
from tests.server.room_driver import Driver


def join_as_spectator(driver: Driver, number: int, network: str) -> str:
    key = f"x{number}"
    driver.room.join(RoomClient(key, f"guest-{number}", "X", network), p.Join(1, "room", "watch"), driver.now)
    driver.collect()
    return key


def test_a_hundred_guests_of_one_address_talk_like_two() -> None:
    """Regression: 600 chat lines in 13 seconds reached a stranger's room, from as many guests of one address."""
    driver = Driver()
    keys = [join_as_spectator(driver, number, "10.0.0.1") for number in range(100)]
    received = 0
    for second in range(13):
        driver.now = float(second)
        for key in keys:
            driver.inbox["a"] = []
            driver.send(key, p.Chat(1, "again"))
            received += sum(isinstance(message, p.ChatLine) for message in driver.inbox["a"])
    assert received <= 12 + 13


def test_a_crowd_of_addresses_does_not_keep_the_players_from_talking() -> None:
    driver = Driver()
    received = 0
    for number in range(100):
        driver.inbox["a"] = []
        driver.send(join_as_spectator(driver, number, f"10.0.0.{number}"), p.Chat(1, "hello"))
        received += sum(isinstance(message, p.ChatLine) for message in driver.inbox["a"])
    assert received <= 24
    assert isinstance(driver.send("a", p.Chat(1, "can you hear me?"))[-1], p.ChatLine)


def test_connections_and_handshakes_are_charged_to_the_address(tmp_path: Path) -> None:
    """Regression: connecting and disconnecting cost the server four times an address's budget; also refused attempts."""
    slow = Limits(address_ms=1.0, address_burst_ms=30.0)
    with Live(tmp_path / "games.db", slow) as live:
        assert live.state is not None
        ledger = live.state.ledger

        async def story() -> int:
            refused = 0
            for _ in range(40):
                try:
                    address = live.url.replace("http", "ws", 1) + "/ws"
                    async with connect(address, additional_headers={"Cookie": "blackpoker_guest=x"}) as line:
                        await line.recv()
                except WebSocketException:
                    refused += 1
            return refused

        assert asyncio.run(story()) > 10, "its share is used up, and it is sent away before anything is read"
        assert ledger.addresses.buckets["127.0.0.1"].tokens < slow.handshake_cost


def test_an_address_that_has_used_up_its_share_is_sent_away_at_the_door() -> None:
    limits = Limits()
    door = ConnectionGate(limits, 1000)
    door.trusted_proxies = set()
    door.ledger = Ledger(limits)
    count = 0
    while door.admit("10.0.0.1"):
        door.release("10.0.0.1")
        count += 1
        assert count < 10_000
    assert count >= limits.address_burst_ms / limits.connection_cost
    assert door.admit("10.0.0.2"), "others are not"


def test_a_join_is_charged_what_it_takes(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db", Limits()) as live:
        assert live.state is not None
        ledger = live.state.ledger
        spent: list[float] = []
        spend = ledger.spend

        def counted(guest: str, network: str, ms: float, now: float) -> None:
            spent.append(ms)
            spend(guest, network, ms, now)

        ledger.spend = counted  # type: ignore[method-assign]

        async def story() -> None:
            async with Client(live.url, "A") as client:
                room = await client.create_room()
                spent.clear()
                async with client.join(room.id):
                    pass

        asyncio.run(story())
        assert Limits().handshake_cost in spent
        assert any(0 < ms < 50 and ms not in (0.2, 1.5) for ms in spent), "the join itself"


def finished(**changed: object) -> FinishedGame:
    meta = {
        "bots": ["1", "2"],
        "queue": True,
        "practice": False,
        "winner": "p1",
        "reason": "life",
        "turns": 9,
        **changed,
    }
    return FinishedGame(1, 1, "share", "", meta)


def test_only_games_of_the_queue_that_were_played_are_rated() -> None:
    """Regression: 47 games resigned by puppets within 18 seconds gave a first place."""
    assert is_rated(finished())
    assert is_rated(finished(reason="life", turns=2)), "a short game that was played to its end"
    assert is_rated(finished(reason="resigned", turns=MIN_TURNS))
    assert not is_rated(finished(queue=False)), "two who have agreed to meet"
    assert not is_rated(finished(reason="resigned", turns=MIN_TURNS - 1))
    assert not is_rated(finished(reason="time", turns=1))
    assert not is_rated(finished(bots=["1", "1"]))


def test_a_rematch_is_agreed_upon_and_not_rated() -> None:
    driver = Driver(seed=1, opponent="bot", detail="lean")
    driver.room.settings.quick = True
    driver.start()
    assert driver.room.room_game.setup.queue
    driver.send("a", p.Resign(1))
    driver.send("a", p.MakeOffer(2, "rematch"))
    driver.send("b", p.AnswerOffer(3, "rematch", True))
    driver.start()
    assert driver.room.game_number == 2
    assert not driver.room.room_game.setup.queue


def test_health_reports_a_read_only_store_without_a_write(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with Live(database) as live:

        def health() -> int:
            return get(f"{live.url}/api/health").status_code

        assert health() == 200
        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # another process locks the file
        asyncio.run(wait_until(lambda: health() == 503, "it is told"))
        other.execute("ROLLBACK")
        other.close()
        asyncio.run(wait_until(lambda: health() == 200, "it is back"))


def test_this_uvicorn_is_one_we_know() -> None:
    assert missing_methods() == []
