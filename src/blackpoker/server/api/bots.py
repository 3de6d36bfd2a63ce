"""Endpoints of the public bot leaderboard and of a page for each bot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from blackpoker.server.api.caller import hub_of
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint, HttpProblem

if TYPE_CHECKING:
    from blackpoker.server.store.ladder import RatedGame, Rung

Won = Literal["won", "lost", "drawn"]
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
    result: Won
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


def line(rung: Rung) -> BotLine:
    mu, sigma = rung.rating
    return BotLine(
        rung.id, rung.name, round(rung.rating.surely, 2), round(mu, 2), round(sigma, 2), rung.games, rung.won,
        rung.drawn, rung.faults, rung.played,
    )  # fmt: skip


def game(played: RatedGame, id: str) -> BotGame:
    place = played.bots.index(id)
    seat: Literal["p1", "p2"] = "p1" if place == 0 else "p2"
    result: Won = "drawn" if played.winner == "draw" else "won" if played.winner == seat else "lost"
    return BotGame(
        played.record, seat, result, played.names[1 - place], played.bots[1 - place], played.regulation, played.at
    )


def page(found: tuple[Rung, int, dict[str, int], list[RatedGame]]) -> BotPage:
    rung, place, plays, games = found
    return BotPage(
        line(rung), place, [BotPlays(*one) for one in plays.items()], [game(played, rung.id) for played in games]
    )


async def read_ladder(request: HttpRequest) -> list[BotLine]:
    """Return the bots that have played each other on this server, the best first."""
    return [line(rung) for rung in await hub_of(request).store.ladder()]


async def read_bot(request: HttpRequest, id: str) -> BotPage:
    """Return a bot: its regulations, its rating, its last games."""
    found = await hub_of(request).store.bot(id) if ID.fullmatch(id) else None
    if found is None:
        raise HttpProblem(404, "no_bot", "there is no such bot", "そのボットはいません")
    return page(found)


BOTS = [
    Endpoint("GET", "/api/bots", read_ladder, list[BotLine]),
    Endpoint("GET", "/api/bots/{id}", read_bot, BotPage, problems=(404,)),
]
