"""Endpoints of the public bot leaderboard and of a page for each bot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from blackpoker.server.admission import READ
from blackpoker.server.http.api.context import room_manager_of
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest

if TYPE_CHECKING:
    from blackpoker.server.storage.bot_ratings import BotStanding, RatedGame

BotResult = Literal["won", "lost", "drawn"]
ID = re.compile(r"[0-9a-f]{16}")


class BotLine(Struct):
    """A bot of the leaderboard, sorted by ``rating``: ``mu`` minus three times ``sigma``."""

    id: str
    name: str
    rating: float
    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    faults: int  # games lost because it broke
    played: float  # end of its last game


class BotGame(Struct):
    """A rated game from the bot's side."""

    record: str
    seat: Literal["p1", "p2"]
    result: BotResult
    opponent: str
    opponent_id: str
    regulation: str
    at: float


class BotPlays(Struct):
    regulation: str
    games: int


class BotPage(Struct):
    """A bot: its regulations, its rank, its last games."""

    bot: BotLine
    place: int
    plays: list[BotPlays]
    games: list[BotGame]


def bot_row(bot: BotStanding) -> BotLine:
    mu, sigma = bot.rating
    return BotLine(
        bot.id,
        bot.name,
        round(bot.rating.conservative, 2),
        round(mu, 2),
        round(sigma, 2),
        bot.games,
        bot.won,
        bot.drawn,
        bot.faults,
        bot.played,
    )


def bot_game(played: RatedGame, id: str) -> BotGame:
    seat_index = played.bots.index(id)
    seat: Literal["p1", "p2"] = "p1" if seat_index == 0 else "p2"
    result: BotResult = "drawn" if played.winner == "draw" else "won" if played.winner == seat else "lost"
    return BotGame(
        played.record,
        seat,
        result,
        played.names[1 - seat_index],
        played.bots[1 - seat_index],
        played.regulation,
        played.at,
    )


def bot_page(row: tuple[BotStanding, int, dict[str, int], list[RatedGame]]) -> BotPage:
    bot, rank, plays, games = row
    return BotPage(
        bot_row(bot), rank, [BotPlays(*item) for item in plays.items()], [bot_game(played, bot.id) for played in games]
    )


async def read_bot_leaderboard(request: HttpRequest) -> list[BotLine]:
    """Return the bots that have played each other on this server, the best first."""
    return [bot_row(rung) for rung in await room_manager_of(request).store.bot_leaderboard()]


async def read_bot(request: HttpRequest, id: str) -> BotPage:
    """Return a bot: its regulations, its rating, its last games."""
    found = await room_manager_of(request).store.bot(id) if ID.fullmatch(id) else None
    if found is None:
        raise HttpProblem(404, "no_bot", "there is no such bot", "そのボットはいません")
    return bot_page(found)


BOT_ENDPOINTS = [
    Endpoint("GET", "/api/bots", read_bot_leaderboard, list[BotLine], cost=READ),
    Endpoint("GET", "/api/bots/{id}", read_bot, BotPage, problems=(404,), cost=READ),
]
