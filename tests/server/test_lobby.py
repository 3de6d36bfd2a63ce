"""The lobby lists only rooms opened as public; resuming needs a seat; a lesson message costs little and stores nothing."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from blackpoker.client import Client, ServerSeat
from blackpoker.learn.puzzles.play import puzzle_of_the_day
from blackpoker.protocol import messages as p
from blackpoker.server.http import lobby_cache as board
from tests.server.live import PATIENCE, Live, get, post, wait_until, wait_until_playing


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path / "lobby.db") as running:
        yield running


def lobby_of(live: Live) -> dict[str, Any]:
    assert live.state is not None
    live.state.lobby.cached = None  # expires the cached list
    found: dict[str, Any] = get(f"{live.url}/api/lobby").json()
    return found


async def connect_seat(client: Client, room: str) -> Any:
    """Return a seat that stays until it is closed."""
    seat = ServerSeat(client.url, room, client.cookie)
    await seat.connect()
    return seat


async def start_game(one: Client, two: Client, room: str) -> tuple[Any, Any]:
    first, second = await connect_seat(one, room), await connect_seat(two, room)
    await first.ready(salt="a")
    await second.ready(salt="b")
    await asyncio.gather(wait_until_playing(first), wait_until_playing(second))
    return first, second


def test_only_what_is_listed_is_shown(live: Live) -> None:
    async def story() -> None:
        async with Client(live.url, "Host") as host, Client(live.url, "Guest") as guest:
            waits = await host.create_room(listed=True)
            secret = await host.create_room()
            empty = await host.create_room(listed=True)
            plays = await host.create_room(listed=True, window_ms=0)
            unwatched = await host.create_room(listed=True, spectators=False, window_ms=0)
            against = await host.create_room(listed=True, opponent="random")
            seats = [await connect_seat(host, waits.id), await connect_seat(host, secret.id)]
            pairs = [await start_game(host, guest, plays.id), await start_game(host, guest, unwatched.id)]
            page = lobby_of(live)
            assert [room["id"] for room in page["open"]] == [waits.id]
            assert [room["id"] for room in page["live"]] == [plays.id]
            assert [one["name"] for one in page["open"][0]["people"]] == ["Host", ""]
            assert [one["kind"] for one in page["open"][0]["people"]] == ["human", "open"]
            text = str(page)
            for hidden in (secret.id, empty.id, unwatched.id, against.id, "guest'", "salt", "seal", "secret", "deck"):
                assert hidden not in text, hidden
            await seats[0].close()
            await wait_until(lambda: not lobby_of(live)["open"], "nobody waits there any more")
            for seat in (*seats[1:], *(one for pair in pairs for one in pair)):
                await seat.close()

    asyncio.run(story())


def test_a_board_in_the_lobby_is_what_a_watcher_sees(live: Live) -> None:
    """No board is shown for rooms without spectators or with a delay."""

    async def story() -> None:
        async with (
            Client(live.url, "Host") as host,
            Client(live.url, "Guest") as guest,
            Client(live.url, "Third") as third,
        ):
            plays = await host.create_room(listed=True, window_ms=0)
            later = await host.create_room(listed=True, window_ms=0, spectator_delay=60)
            seats = [*await start_game(host, guest, plays.id), *await start_game(host, guest, later.id)]
            boards = {room["id"]: room["view"] for room in lobby_of(live)["live"]}
            assert later.id not in boards, "it is found when its watchers would see it"
            view = boards[plays.id]
            for side in (view["p1"], view["p2"]):
                assert side["hand"]["cards"] is None
                assert side["life"] == "10+"
                assert all(one["card"] is None for one in side["bulwarks"])
            assert view["you"] is None
            watcher = ServerSeat(third.url, plays.id, third.cookie, "watch", detail="full")
            await watcher.connect()
            received = await watcher.receive()
            while not isinstance(received, p.Update):
                received = await watcher.receive()
            assert msgspec.to_builtins(received.view) == view
            (mine,) = await host.request("POST", "/api/me/games", {"rooms": [plays.id]})
            assert mine["view"]["you"] == mine["you"]
            assert len(mine["view"][mine["you"]]["hand"]["cards"]) == mine["view"][mine["you"]]["hand"]["count"]
            for seat in (*seats, watcher):
                await seat.close()

    asyncio.run(story())


def test_the_lobby_does_not_reveal_changed_settings(live: Live) -> None:
    """Neither by time nor by order: a seat's settings and its actions in a window are private to it."""

    async def story() -> None:
        assert live.state is not None
        room_manager = live.state.room_manager
        async with Client(live.url, "Host") as host, Client(live.url, "Guest") as guest:
            rooms = [(await host.create_room(listed=True, window_ms=0)).id for _ in range(2)]
            pairs = [await start_game(host, guest, room) for room in rooms]
            for age, room in zip((900, 500), rooms, strict=True):
                room_manager.rooms[room].since -= age  # the age of these games
            for seat in (pairs[1][0], pairs[0][0], pairs[0][1]):
                await seat.send(p.SetAssist(seat.next_id(), mode="firm", stop_next=True))
                while not isinstance(await seat.receive(), p.AssistState):
                    pass
            page = lobby_of(live)["live"]
            assert [one["id"] for one in page] == [rooms[1], rooms[0]], "the latest game first"
            assert [one["seconds"] >= age for one, age in zip(page, (500, 900), strict=True)] == [True, True]
            for pair in pairs:
                for seat in pair:
                    await seat.close()

    asyncio.run(story())


def test_empty_rooms_displace_no_other_room(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest who opens many rooms hides neither the rooms with a waiting player nor the games to watch."""
    monkeypatch.setattr(board, "MAX_ROOMS", 2)

    async def story() -> None:
        assert live.state is not None
        async with Client(live.url, "Host") as host, Client(live.url, "Guest") as guest:
            waits = await host.create_room(listed=True)
            plays = await host.create_room(listed=True, window_ms=0)
            seats = [await connect_seat(host, waits.id), *await start_game(host, guest, plays.id)]
            for _ in range(12):
                await guest.create_room(listed=True)
            page = lobby_of(live)
            assert [one["id"] for one in page["open"]] == [waits.id]
            assert [one["id"] for one in page["live"]] == [plays.id]
            for seat in seats:
                await seat.close()

    asyncio.run(story())


def test_the_selection_of_shown_games_reveals_no_activity(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "MAX_ROOMS", 1)

    async def story() -> None:
        async with Client(live.url, "Host") as host, Client(live.url, "Guest") as guest:
            rooms = [(await host.create_room(listed=True, window_ms=0)).id for _ in range(2)]
            pairs = [await start_game(host, guest, room) for room in rooms]
            assert [one["id"] for one in lobby_of(live)["live"]] == [rooms[1]], "the game that began last"
            seat = pairs[0][0]
            await seat.send(p.SetAssist(seat.next_id(), mode="firm", stop_next=True))
            while not isinstance(await seat.receive(), p.AssistState):
                pass
            assert [one["id"] for one in lobby_of(live)["live"]] == [rooms[1]]
            for pair in pairs:
                for seat in pair:
                    await seat.close()

    asyncio.run(story())


def test_there_is_always_something_to_watch(live: Live) -> None:
    page = lobby_of(live)
    assert page["live"] == []
    assert page["shown"]
    for one in page["shown"]:
        found = get(f"{live.url}/api/records/{one['id']}/replay?count=2").json()
        assert found["steps"] > 20
        assert found["meta"]["levels"] == ["master", "master"]
        there = get(f"{live.url}/api/records/{one['id']}/replay?count=1&first={one['step']}&seat=both").json()
        for seat in ("p1", "p2"):  # the board belongs to its step, and a fight is on
            assert there["frames"][0]["views"]["p1"][seat]["soldiers"] == one["view"][seat]["soldiers"]
        assert any(unit["role"] == "attacker" for seat in ("p1", "p2") for unit in one["view"][seat]["soldiers"])


def test_a_reconnect_needs_a_seat(live: Live) -> None:
    async def story() -> None:
        async with Client(live.url, "Host") as host, Client(live.url, "Guest") as guest, Client(live.url, "X") as other:
            room = await host.create_room(window_ms=0)
            first, second = await start_game(host, guest, room.id)
            body = {"rooms": [room.id, "nothing", room.id]}
            (mine,) = await host.request("POST", "/api/me/games", body)
            assert (mine["id"], mine["you"], mine["phase"], mine["turn"]) == (room.id, "p1", "playing", 1)
            (theirs,) = await guest.request("POST", "/api/me/games", body)
            assert theirs["you"] == "p2"
            assert mine["your_turn"] != theirs["your_turn"]
            assert await other.request("POST", "/api/me/games", body) == []
            await first.close()
            await second.close()

    asyncio.run(story())
    assert post(f"{live.url}/api/me/games", json={"rooms": ["a"] * 13}).status_code == 422
    assert post(f"{live.url}/api/me/games", json={"rooms": ["a b"]}).status_code == 422


def test_a_reconnect_loads_no_room_that_is_in_memory(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while part of it is being written: the response time must not reveal that a player moved."""
    assert live.state is not None
    room_manager = live.state.room_manager
    queried: list[str] = []
    heads = room_manager.store.summaries

    async def counted(ids: list[str]) -> list[Any]:
        queried.extend(ids)
        return await heads(ids)

    monkeypatch.setattr(room_manager.store, "summaries", counted)

    async def story() -> None:
        async with Client(live.url, "Host") as host, Client(live.url, "Guest") as guest:
            room = await host.create_room(window_ms=0)
            first, second = await start_game(host, guest, room.id)
            room_manager.pending_writes[room.id] = 1
            for client in (host, guest):
                (found,) = await client.request("POST", "/api/me/games", {"rooms": [room.id, "elsewhere"]})
                assert (found["id"], found["phase"]) == (room.id, "playing")
            del room_manager.pending_writes[room.id]
            await first.close()
            await second.close()
            room_manager.drop(room.id)  # as after two minutes without clients
            (found,) = await host.request("POST", "/api/me/games", {"rooms": [room.id]})
            assert (found["id"], found["phase"], found["you"], found["turn"]) == (room.id, "playing", "p1", 0)

    asyncio.run(story())
    assert queried == ["elsewhere", "elsewhere", queried[-1]]


def test_a_quick_match_shows_its_expected_wait(live: Live) -> None:
    assert live.state is not None
    quick = live.state.room_manager.matchmaker
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as one:
        one.get("/api/me")
        assert one.post("/api/quick", json={"regulation": "standard+full"}).json()["seconds"] is None
        assert lobby_of(live)["quick"] == [], "a call alone is nothing"
        quick.wait_samples["standard+full"] = deque([(quick.room_manager.clock(), 90.0)])
        assert one.post("/api/quick", json={"regulation": "standard+full"}).json()["seconds"] == 90
        live.state.lobby.cached = None
        (entry,) = lobby_of(live)["quick"]
        assert (entry["regulation"], entry["waiting"], entry["seconds"]) == ("standard+full", False, 90)


def test_many_viewers_cause_one_query(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    assert live.state is not None
    asked = 0
    store = live.state.room_manager.store
    listed = store.public_rooms

    async def counted(waiting: float, playing: float, most: int) -> list[Any]:
        nonlocal asked
        asked += 1
        return await listed(waiting, playing, most)

    monkeypatch.setattr(store, "public_rooms", counted)
    lobby_of(live)

    async def story() -> None:
        async with httpx.AsyncClient(base_url=live.url, timeout=PATIENCE) as client:
            await asyncio.gather(*(client.get("/api/lobby") for _ in range(100)))

    started = time.monotonic()
    asyncio.run(story())
    assert asked <= 1 + (time.monotonic() - started) / board.CACHE_SECONDS + 1


# -- lessons and puzzles
# -------------------------------------------------------------------------------------------------


def post_lesson_message(live: Live, path: str, message: dict[str, Any], **more: Any) -> httpx.Response:
    return post(live.url + path, json={"message": message, "lang": "en", **more}, timeout=60)


def test_a_lesson_over_http(live: Live) -> None:
    path = "/api/school/life/3"
    joined = post_lesson_message(live, path, {"type": "join", "room": "practice", "seat": "p1"}).json()
    assert [one["type"] for one in joined["messages"]] == ["welcome", "assist_settings", "update"]
    act = post_lesson_message(live, path, {"type": "move", "id": 4, "seq": 0, "tokens": ["attack"]}, since=0).json()
    assert act["moves"] == ["attack"]
    assert act["state"] == "open"
    seq = act["messages"][-1]["seq"]
    done = post_lesson_message(
        live, path, {"type": "move", "id": 5, "seq": seq, "text": "S8"}, moves=["attack"], since=seq
    ).json()
    assert done["state"] == "done"
    assert "game_over" not in [one["type"] for one in done["messages"]]
    wrong = post_lesson_message(live, path, {"type": "move", "id": 6, "seq": 0, "tokens": ["end"]}, since=0).json()
    assert wrong["state"] == "astray"
    assert wrong["text"]
    assert live.state is not None
    assert not live.state.room_manager.rooms, "nothing is kept"


def test_a_lesson_refuses_what_is_none(live: Live) -> None:
    join = {"type": "join", "room": "practice", "seat": "p1"}
    assert post_lesson_message(live, "/api/school/nothing/1", join).status_code == 404
    assert post_lesson_message(live, "/api/school/life/9", join).status_code == 404
    assert post_lesson_message(live, "/api/school/life/x", join).status_code == 404
    assert post_lesson_message(live, "/api/school/life/3", join, moves=["nonsense"]).status_code == 422
    assert post_lesson_message(live, "/api/school/life/3", join, moves=["pass"] * 61).status_code == 422
    for message in ({"type": "resign"}, {"type": "chat", "text": "hi"}, {"type": "ready"}):
        answer = post_lesson_message(live, "/api/school/life/3", message).json()
        assert [one["type"] for one in answer["messages"]] == ["error"]
        assert answer["moves"] == []


def test_a_puzzle_over_http(live: Live) -> None:
    page = get(f"{live.url}/api/puzzles?lang=ja").json()
    now = datetime.now(UTC).date()
    for days in (-1, 0, 1):  # each is today's date in some time zone
        day = now + timedelta(days=days)
        assert get(f"{live.url}/api/puzzles?day={day}").json()["today"] == puzzle_of_the_day(day).id
    for wrong, status in ((now + timedelta(days=3), 404), ("yesterday", 422)):
        assert get(f"{live.url}/api/puzzles?day={wrong}").status_code == status
    assert page["today"] in [one["id"] for one in page["puzzles"]]
    boards = post(f"{live.url}/api/puzzles/boards", json={"puzzles": ["win-024", "nothing"]}).json()
    assert list(boards) == ["win-024"]
    assert boards["win-024"]["p2"]["hand"]["cards"] is not None  # all cards are open
    line = get(f"{live.url}/api/puzzles/win-024/line?lang=en").json()
    assert [step["by"] for step in line][:2] == ["", "p1"]
    assert line[-1]["view"]["p2"]["life"] == 0  # the solution to its end
    assert get(f"{live.url}/api/puzzles/nothing/line").status_code == 404
    path = "/api/puzzles/win-024"
    joined = post_lesson_message(live, path, {"type": "join", "room": "practice", "seat": "p1"}).json()
    assert joined["state"] == "open"
    good = post_lesson_message(
        live, path, {"type": "move", "id": 1, "seq": 0, "text": "death_lance SQ D5 >p2.D10"}, since=0
    ).json()
    assert good["state"] == "done"
    bad = post_lesson_message(live, path, {"type": "move", "id": 1, "seq": 0, "text": "end"}, since=0).json()
    assert bad["state"] == "astray"
    assert post_lesson_message(live, path, {"type": "join"}, moves=["nonsense"]).status_code == 422
    assert get(f"{live.url}/api/puzzles/nothing").status_code == 404
