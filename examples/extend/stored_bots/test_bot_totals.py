"""The totals of the leaderboard of bots agree with the leaderboard itself."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from blackpoker.server.http.api.bots import BotTotals, read_bot_totals
from blackpoker.server.http.types import HttpRequest


def totals(*standings: Any) -> BotTotals:
    """Return what the endpoint answers if these bots are stored, the best first."""

    async def bot_leaderboard() -> list[Any]:
        return list(standings)

    manager = SimpleNamespace(store=SimpleNamespace(bot_leaderboard=bot_leaderboard))
    app = SimpleNamespace(state=SimpleNamespace(server=SimpleNamespace(room_manager=manager)))
    return asyncio.run(read_bot_totals(cast(HttpRequest, SimpleNamespace(app=app))))


def test_totals_of_the_stored_bots() -> None:
    assert totals() == BotTotals(0, 0, "")
    best, other = SimpleNamespace(name="Ada", games=3), SimpleNamespace(name="Bob", games=3)
    assert totals(best, other) == BotTotals(2, 3, "Ada")
