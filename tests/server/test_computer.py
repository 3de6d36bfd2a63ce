"""A computer player moves even if its search fails, so that its opponent never waits forever."""

from __future__ import annotations

import asyncio

import pytest

from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.players.computer_moves import choose_move
from blackpoker.server.admission import SERVER_OWNER, Owner
from blackpoker.server.offline.site import LocalSite
from blackpoker.server.offline.store import MemoryRows
from blackpoker.server.worker_pool import WorkerPool
from tests.server.test_offline import open_room, run_story, start_game


@pytest.mark.parametrize("error", [ArithmeticError, BlackPokerError, KeyError])
def test_thinking_that_fails_does_not_leave_the_computer_silent(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    async def story() -> None:
        failed = 0

        async def fails(self: WorkerPool, level: str, game: Game, seed: int, owner: Owner = SERVER_OWNER) -> list[int]:
            nonlocal failed
            failed += 1
            raise error("unforeseen", "不測")

        monkeypatch.setattr(WorkerPool, "choose_move", fails)
        site = await LocalSite.open(MemoryRows())
        player = await start_game(site, await open_room(site))
        for _ in range(12):
            await player.until(lambda: player.ask() or player.over())
            if player.over():
                break
            player.act()
        assert failed > 3
        assert not player.closed
        await site.close()

    run_story(story)


def test_a_room_fetched_again_while_its_computer_thinks_is_thought_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        free = asyncio.Event()
        began = asyncio.Event()

        async def slowly(self: WorkerPool, level: str, game: Game, seed: int, owner: Owner = SERVER_OWNER) -> list[int]:
            began.set()
            await free.wait()
            return choose_move(level, game, seed)

        site = await LocalSite.open(MemoryRows())
        room = await open_room(site)
        player = await start_game(site, room)
        monkeypatch.setattr(WorkerPool, "choose_move", slowly)
        while not began.is_set():
            if player.ask():
                player.act()
            await asyncio.sleep(0.001)
        first = site.room_manager.rooms[room]
        site.room_manager.evict(room)
        await player.until(lambda: player.closed)
        player.received.clear()
        player.dial()
        await player.until(lambda: player.received and room in site.room_manager.rooms)
        assert site.room_manager.rooms[room] is not first
        assert player.ask() is None
        free.set()  # the result for the old room is discarded; the new room's player is asked and moves
        await player.until(lambda: player.ask() or player.over())
        await site.close()

    run_story(story)
