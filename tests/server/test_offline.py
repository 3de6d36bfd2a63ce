"""The server without its network and database: the version that runs inside a page."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from blackpoker import Game
from blackpoker.server.offline.bridge import PageBridge
from blackpoker.server.offline.site import LocalSite
from blackpoker.server.offline.store import MemoryRows

BLOCKED = ("starlette", "sqlalchemy", "alembic", "itsdangerous", "prometheus_client", "redis", "uvicorn")


class Player:
    """A player at a page: plays the first option, preferring any move to a pass."""

    def __init__(self, site: LocalSite, room: str, name: str = "tab") -> None:
        self.site, self.room, self.name = site, room, name
        self.received: list[dict[str, Any]] = []
        self.closed = 0
        self.answered_seq = -1

    def dial(self) -> None:
        self.site.connect(self.name, lambda text: self.received.append(json.loads(text)), self.on_closed)
        self.send(type="join", room=self.room, seat="p1", lang="en")

    def on_closed(self, code: int, why: str) -> None:
        self.closed = code

    def send(self, **message: Any) -> None:
        self.site.on_message(self.name, json.dumps({"id": 1, **message}))

    def ask(self) -> dict[str, Any] | None:
        """Return the open prompt that has not been answered here."""
        for message in reversed(self.received):
            if message["type"] == "update":
                ask: dict[str, Any] | None = message.get("prompt")
                return ask if ask is not None and ask["seq"] > self.answered_seq else None
        return None

    def over(self) -> bool:
        return any(message["type"] == "game_over" for message in self.received)

    def act(self, text: str = "") -> None:
        ask = self.ask()
        assert ask is not None
        game = self.site.room_manager.rooms[self.room].room_game.game
        assert game is not None
        move_text = text or max((move.text for move in game.legal_moves), key=lambda one: (one != "pass", len(one)))
        self.answered_seq = ask["seq"]
        self.send(type="move", seq=ask["seq"], text=move_text)

    async def until(self, there: Callable[[], Any], tries: int = 4000) -> None:
        for _ in range(tries):
            if there():
                return
            await asyncio.sleep(0.001)
        raise AssertionError(f"it did not come; last heard: {str(self.received[-1:])[:600]}")


def run_story(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 60))


async def open_room(site: LocalSite, opponent: str = "easy") -> str:
    await site.handle_request("GET", "/api/me")
    body = {"regulation": "lite+entry", "opponent": opponent, "window_ms": 0}
    made = await site.handle_request("POST", "/api/rooms", json.dumps(body))
    assert made.status == 201, made
    return str(json.loads(made.text)["room"]["id"])


async def start_game(site: LocalSite, room: str) -> Player:
    player = Player(site, room)
    player.dial()
    await player.until(lambda: player.received)
    player.send(type="ready")
    await player.until(player.ask)
    return player


def test_it_needs_none_of_the_servers_libraries() -> None:
    """These libraries are missing in a page, so importing one breaks it."""
    script = (
        f"import sys, time; del time.thread_time; sys.modules.update(dict.fromkeys({BLOCKED!r}))\n"  # nor that clock
    )
    script += "import blackpoker.server.offline.site; from blackpoker.server.admission import processor_time as clock; clock()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1500:]


def test_a_game_to_its_end_its_record_and_its_replay() -> None:
    async def story() -> None:
        rows = MemoryRows()
        site = await LocalSite.open(rows)
        player = await start_game(site, await open_room(site))
        while not player.over():
            await player.until(lambda: player.ask() or player.over())
            if player.ask():
                player.act()
        (share, *_), *_ = rows.records.values()
        record = json.loads((await site.handle_request("GET", f"/api/records/{share}")).text)
        assert Game.from_record(record["text"]).outcome() is not None
        replay = json.loads(
            (await site.handle_request("GET", f"/api/records/{share}/replay?seat=p1&lang=en&count=5")).text
        )
        assert len(replay["frames"]) == 5
        elsewhere = await LocalSite.open(MemoryRows())  # the exported record opens there
        for _ in range(2):
            brought = await elsewhere.handle_request("POST", "/api/records", json.dumps({"text": record["text"]}))
            assert brought.status == 201
        there = json.loads(
            (await elsewhere.handle_request("GET", f"/api/records/{json.loads(brought.text)['id']}")).text
        )
        assert there["text"] == record["text"]
        assert there["meta"]["winner"] == record["meta"]["winner"]
        await elsewhere.close()
        numbers = [key[1:] for key in rows.entries]
        assert len(numbers) == len(set(numbers)) > 5
        await site.close()

    run_story(story)


def test_a_reopened_page_gets_the_same_prompt() -> None:
    async def story() -> None:
        rows = MemoryRows()
        site = await LocalSite.open(rows)
        room = await open_room(site)
        player = await start_game(site, room)
        player.act()
        await player.until(player.ask)
        before = player.ask()
        await site.close()
        again = Player(await LocalSite.open(rows), room)
        again.dial()
        await again.until(again.ask)
        assert before is not None
        assert again.ask() == before
        await again.site.close()

    run_story(story)


def test_two_engines_on_the_same_rows_write_one_sentence_per_number() -> None:
    """The second one drops the room, and has the moves of the first one after reloading it."""

    async def story() -> None:
        rows = MemoryRows()
        first = await LocalSite.open(rows)
        room = await open_room(first)
        one = await start_game(first, room)
        second = await LocalSite.open(rows)
        two = Player(second, room)
        two.dial()
        await two.until(two.ask)
        one.act()
        await one.until(one.ask)
        two.act()
        await two.until(lambda: two.closed)
        assert two.closed == 1012  # reconnect and reload the state
        two.received.clear()
        two.dial()
        await two.until(lambda: room in second.room_manager.rooms and two.received)
        assert second.room_manager.rooms[room].room_game.seq == first.room_manager.rooms[room].room_game.seq
        for site in (first, second):
            await site.close()

    run_story(story)


def test_a_game_that_is_not_over_goes_to_another_page() -> None:
    """It continues there from the same prompt; importing twice has no effect; invalid games are skipped or refused."""

    async def story() -> None:
        site = await LocalSite.open(MemoryRows())
        room = await open_room(site)
        player = await start_game(site, room)
        player.act()
        await player.until(player.ask)
        before = player.ask()
        taken = await site.handle_request("GET", "/api/unfinished")
        await site.close()
        elsewhere = await LocalSite.open(MemoryRows())
        await elsewhere.handle_request("GET", "/api/me")
        for _ in range(2):
            assert json.loads((await elsewhere.handle_request("POST", "/api/unfinished", taken.text)).text) == {
                "rooms": [room]
            }
        running = await elsewhere.handle_request("POST", "/api/me/games", json.dumps({"rooms": [room]}))
        assert [game["id"] for game in json.loads(running.text)] == [room]
        there = Player(elsewhere, room)
        there.dial()
        await there.until(there.ask)
        assert there.ask() == before
        there.act()
        await there.until(there.ask)
        await elsewhere.close()
        given = json.loads(taken.text)
        fresh = await LocalSite.open(MemoryRows())
        for place, wrong in (
            (0, "another"),
            (1, "over"),
            (2, "{}"),
            (2, "nonsense"),
            (2, given["games"][0]["room"][2].replace('"game":1', '"game":2')),
        ):
            bad = json.loads(taken.text)
            bad["games"][0]["room"][place] = wrong
            assert json.loads((await fresh.handle_request("POST", "/api/unfinished", json.dumps(bad))).text) == {
                "rooms": []
            }
        given["games"][0]["entries"][0] = given["games"][0]["entries"][0][:4]
        assert json.loads((await fresh.handle_request("POST", "/api/unfinished", json.dumps(given))).text) == {
            "rooms": []
        }
        assert (await fresh.handle_request("POST", "/api/unfinished", '{"games": 1}')).status == 422
        await fresh.close()

    run_story(story)


def test_a_store_that_takes_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr("blackpoker.server.offline.store.RETRY_PAUSE", 0.01)
        rows = MemoryRows()
        site = await LocalSite.open(rows)
        player = await start_game(site, await open_room(site))
        write = rows.write

        async def full(rows: str) -> bool:
            raise OSError("no room")

        rows.write = full  # type: ignore[method-assign]
        player.act()
        await player.until(
            lambda: any(message["type"] == "paused" and message["paused"] for message in player.received)
        )
        rows.write = write  # type: ignore[method-assign]
        await player.until(player.ask)
        assert [message["paused"] for message in player.received if message["type"] == "paused"] == [True, False]
        await site.close()

    run_story(story)


def test_refusals_are_those_of_the_server() -> None:
    async def story() -> None:
        site = await LocalSite.open(MemoryRows())
        for method, path, body, status in (
            ("GET", "/api/nothing", "", 404),
            ("GET", "/metrics", "", 404),
            ("GET", "/api/rooms/none", "", 404),
            ("POST", "/api/rooms", "{", 422),
            ("POST", "/api/positions/check", '{"position": "nonsense"}', 422),
            ("GET", "/api/rules?lang=fr", "", 422),
            ("POST", "/api/records", json.dumps({"text": "nonsense"}), 422),
            ("POST", "/api/records", json.dumps({"text": Game("lite+entry", seed=1).record()}), 422),
        ):
            found = await site.handle_request(method, path, body)
            assert found.status == status, (path, found)
            assert json.loads(found.text).keys() >= {"code", "en", "ja"}
        for path in ("/api/school?lang=en", "/api/puzzles?lang=ja", "/api/lobby", "/api/bots", "/api/health"):
            assert (await site.handle_request("GET", path)).status == 200, path
        paper = await site.handle_request("GET", "/api/paper/quick?format=lite&lang=en")
        assert (paper.status, paper.media) == (200, "text/html")
        await site.close()

    run_story(story)


def test_a_worker_exchanges_texts() -> None:
    async def story() -> None:
        posted: list[tuple[Any, ...]] = []
        door = await PageBridge.open(MemoryRows(), lambda *message: posted.append(message))
        player = Player(door.site, "")
        door.warm_up()
        door.request("a.1", "GET", "/api/me", "")
        door.request("a.2", "GET", "/api/nothing", "")
        await player.until(lambda: len(posted) == 2)
        assert {message[:3] for message in posted} == {("answer", "a.1", 200), ("answer", "a.2", 404)}
        door.connect("a.3")
        door.send("a.3", "nonsense")
        door.send("a.3", json.dumps({"type": "join", "id": 7, "room": "none", "seat": "p1"}))
        await player.until(lambda: len(posted) == 4)
        assert [json.loads(message[2])["code"] for message in posted[2:]] == ["bad_message", "no_room"]
        door.disconnect("a.3")
        assert not door.site.connections
        await door.site.close()

    run_story(story)
