"""Bots on a server: ``blackpoker bot join``, the detail option of ``join``, the ladder, a bot's page."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from blackpoker.cli.bot import BotClient
from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.players.bots.bot_names import bot_of
from blackpoker.players.bots.process import terminate_all
from blackpoker.players.rating import Rating, updated_ratings
from blackpoker.protocol import messages as p
from tests.server.live import Live

ROOT = Path(__file__).parents[2]
CLASS = f"{ROOT}/examples/bots/first.py:Bot"
LINES = f'exec:"{sys.executable} {ROOT}/examples/bots/seeded_lines.py"'


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield
    terminate_all()


def traveller(name: str, url: str, called: str, room: str = "") -> BotClient:
    bot = bot_of(name)
    assert bot is not None
    return BotClient(bot, url, room, called, "en")


def get(url: str, path: str) -> Any:
    async def fetch() -> Any:
        async with Client(url) as client:
            return await client.request("GET", path)

    return asyncio.run(fetch())


def test_two_bots_meet_and_are_rated(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db") as live:
        pair = [traveller(CLASS, live.url, "First"), traveller(LINES, live.url, "Second")]

        async def play() -> None:
            await asyncio.gather(*(one.run(2) for one in pair))

        asyncio.run(play())
        assert [one.faults for one in pair] == [[], []]
        ladder = get(live.url, "/api/bots")
        page = get(live.url, f"/api/bots/{ladder[0]['id']}")
        again = traveller(CLASS, live.url, "First").cookie()
    assert again  # the account is kept for the next run
    assert {line["name"] for line in ladder} == {"First", "Second"}
    assert [line["games"] for line in ladder] == [2, 2]
    assert ladder[0]["rating"] >= ladder[1]["rating"]
    assert sum(line["won"] for line in ladder) + ladder[0]["drawn"] == 2
    assert page["place"] == 1
    assert page["plays"] == [{"regulation": "lite+entry", "games": 2}]
    assert len(page["games"]) == 2
    # the ratings follow from the games in their order
    ratings = [Rating(), Rating()]
    for game in reversed(page["games"]):
        winner = {"won": 0, "lost": 1, "drawn": None}[game["result"]]
        ratings[0], ratings[1] = updated_ratings(ratings[0], ratings[1], winner)
    assert ladder[0]["mu"] == round(ratings[0].mu, 2)
    assert ladder[1]["sigma"] == round(ratings[1].sigma, 2)


@pytest.mark.parametrize("name", [CLASS, LINES])
def test_a_bot_comes_back_after_a_lost_connection(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = 0
    lost = 0
    send = ServerSeat.send

    async def sometimes(self: ServerSeat, message: p.AnyClientMessage) -> None:
        nonlocal sent, lost
        if isinstance(message, p.SubmitMove | p.PreviewMove):
            sent += 1
            if sent in (1, 2, 4) and self.socket is not None:  # every game is longer than this
                lost += 1
                await self.socket.close()
        await send(self, message)

    monkeypatch.setattr(ServerSeat, "send", sometimes)
    with Live(tmp_path / "games.db") as live:

        async def play() -> None:
            async with Client(live.url) as client:
                room = (await client.create_room(opponent="easy")).id
            bot = traveller(name, live.url, "Robin", room)
            await bot.run(1)
            assert bot.faults == []
            assert bot.played == 1

        asyncio.run(play())
    assert lost == 3


def test_a_bad_bot_on_a_server_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "class Bot:\n    def choose(self, seat, decision):\n        return seat.sample_world(1).options[0]\n"
    )
    with Live(tmp_path / "games.db") as live:

        async def play() -> list[str]:
            async with Client(live.url) as client:
                room = (await client.create_room(opponent="random")).id
            bot = traveller(f"{path}:Bot", live.url, "Bad", room)
            await bot.run(1)
            return bot.faults

        faults = asyncio.run(play())
    assert len(faults) == 1
    assert "WorldUnavailable: on a server a bot receives its view and the tokens" in faults[0]
    assert faults[0].endswith("; the game is lost")


def test_a_bot_that_breaks_loses_in_the_ladder(tmp_path: Path) -> None:
    """Two bots meet in the queue. One breaks at its first decision: a rated loss, and the ladder counts the fault."""
    path = tmp_path / "bad.py"
    path.write_text("class Bot:\n    def choose(self, seat, decision):\n        return 1 // 0\n")
    with Live(tmp_path / "games.db") as live:
        pair = [traveller(CLASS, live.url, "Good"), traveller(f"{path}:Bot", live.url, "Bad")]

        async def play() -> None:
            await asyncio.gather(*(one.run(1) for one in pair))

        asyncio.run(play())
        ladder = get(live.url, "/api/bots")
        record = get(live.url, f"/api/bots/{ladder[0]['id']}")["games"][0]["record"]
        text = get(live.url, f"/api/records/{record}")["text"]
    assert [(one["name"], one["games"], one["won"], one["faults"]) for one in ladder] == [
        ("Good", 1, 1, 0),
        ("Bad", 1, 0, 1),
    ]
    assert len(pair[1].faults) == 1
    assert text.rstrip().endswith(": fault")


def test_a_fault_may_be_forgiven_on_a_server(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("class Bot:\n    def choose(self, seat, decision):\n        return 1 // 0\n")
    with Live(tmp_path / "games.db") as live:

        async def play() -> list[str]:
            async with Client(live.url) as client:
                room = (await client.create_room(opponent="random")).id
            bot = traveller(f"{path}:Bot", live.url, "Bad", room)
            bot.forgive = 2
            await bot.run(1)
            return bot.faults

        ends = [line.rpartition("; ")[2] for line in asyncio.run(play())]
    assert ends == ["the default instead", "the default instead", "the game is lost"]


@pytest.mark.parametrize("detail", ["bot", "lean", "full"])
def test_the_word_of_join(detail: p.Detail, tmp_path: Path) -> None:
    """``bot``: whole views, no texts, no auto-pass."""
    with Live(tmp_path / "games.db") as live:

        async def play() -> tuple[list[p.Update], ServerSeat]:
            updates: list[p.Update] = []
            async with Client(live.url, "Robin") as client:
                room = await client.create_room(opponent="random")
                async with client.join(room.id, detail=detail) as seat:
                    seat.on_message = lambda message: updates.append(message) if isinstance(message, p.Update) else None
                    await seat.ready()
                    async for ask in seat.prompts():
                        await seat.choose(ask, lambda options: options[0])
                        if len(updates) > 30:
                            break
                    return updates, seat

        updates, seat = asyncio.run(play())
    asks = [update.prompt for update in updates if update.prompt is not None]
    assert asks
    assert all((update.view is None) == (detail == "lean") for update in updates)
    assert any(update.lines for update in updates) == (detail == "full")
    assert any(option.label for ask in asks for option in ask.options) == (detail == "full")
    assert seat.info is not None
    mine = seat.info.p1 if seat.seat == "p1" else seat.info.p2
    assert bool(mine.bot) == (detail != "full")


def test_refusals_are_raised(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db") as live:

        async def play() -> None:
            async with Client(live.url, "Robin") as client:
                room = await client.create_room(opponent="random")
                async with client.join(room.id) as seat:
                    await seat.ready()
                    async for ask in seat.prompts():
                        with pytest.raises(Refused, match="does not have that action"):
                            await seat.choose(ask, lambda options: p.Option("nonsense"))
                        with pytest.raises(Refused):
                            await seat.submit(ask, "fly to the moon")
                        reasons = await seat.refusals()
                        assert all(one.reason.ruling for one in reasons)
                        break

        asyncio.run(play())


def test_people_and_practice_are_not_rated(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db") as live:

        async def play() -> None:
            async with Client(live.url, "Robin") as client:
                room = await client.create_room(opponent="random")
                async with client.join(room.id) as seat:
                    await seat.ready()
                    async for _ in seat.prompts():
                        await seat.send(p.Resign(seat.next_id()))

        asyncio.run(play())
        assert get(live.url, "/api/bots") == []
        with pytest.raises(Refused) as caught:
            get(live.url, "/api/bots/0123456789abcdef")
    assert caught.value.code == "no_bot"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not here")
def test_node_plays_on_a_server(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db") as live:

        async def play() -> list[str]:
            async with Client(live.url) as client:
                room = (await client.create_room(opponent="easy")).id
            bot = traveller(f'exec:"node {ROOT}/examples/bots/seeded.js"', live.url, "Robin", room)
            await bot.run(1)
            return bot.faults

        assert asyncio.run(play()) == []
