"""Leaderboards and player pages, cached for a few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from blackpoker.server.store import ratings as rows
from blackpoker.server.store.ratings import LadderLine, PlayedGame, PlayerStanding, SeasonRow
from blackpoker.server.store.schema import ACCOUNTS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from blackpoker.server.store.database import GameStore

T = TypeVar("T")
#: seconds a result is cached
KEPT: Final = 5.0
#: most cached results
MOST_KEPT: Final = 200
#: players of a leaderboard, and games of each in its curve
MOST_LINES: Final = 100
CURVE: Final = 20
#: most rated games read per player
MOST_GAMES: Final = 2000
#: the season before an operator has set one
FIRST: Final = SeasonRow(0, "", "", 0.0, 0.0)


class LadderFound(NamedTuple):
    """``champions``: the first of every season before."""

    season: SeasonRow
    seasons: list[SeasonRow]
    lines: list[LadderLine]
    champions: list[tuple[SeasonRow, LadderLine]]


class PlayerFound(NamedTuple):
    """A player with an account; ``standings`` of every season, ``places`` by format in the present season."""

    player: str
    name: str
    crest: str
    created: float
    season: SeasonRow
    standings: list[PlayerStanding]
    places: dict[str, int]
    games: list[PlayedGame]


class Ladders:
    def __init__(self, store: GameStore) -> None:
        self.store = store
        self.kept: dict[tuple[Any, ...], tuple[float, Any]] = {}

    async def remembered(self, key: tuple[Any, ...], work: Callable[..., T], *given: Any) -> T:
        now = time.monotonic()
        known = self.kept.get(key)
        if known is not None and now - known[0] < KEPT:
            found: T = known[1]
            return found
        found = await self.store.ask(work, *given)
        if len(self.kept) >= MOST_KEPT:
            self.kept.clear()
        self.kept[key] = now, found
        return found

    async def ladder(self, format: str, season: int | None) -> LadderFound | None:
        """Return the leaderboard of a season, by default the present one; None if there is no such season."""
        return await self.remembered(("ladder", format, season), find_ladder, format, season, time.time())

    async def player(self, player: str) -> PlayerFound | None:
        return await self.remembered(("player", player), find_player, player, time.time())

    async def mine(self, player: str, format: str, season: int) -> LadderLine | None:
        """Return a player's own row of a leaderboard, ranked or not; None if the account is unknown."""
        return await self.store.ask(find_mine, player, format, season, time.time())


def find_ladder(connection: Connection, format: str, wanted: int | None, now: float) -> LadderFound | None:
    known = [*rows.seasons(connection), FIRST]
    number = rows.season_at(connection, now) if wanted is None else wanted
    season = next((one for one in known if one.number == number), None)
    if season is None:
        return None
    lines = rows.ladder(connection, format, number, now, MOST_LINES, CURVE)
    champions = []
    for earlier in known:
        if earlier.number < number:
            champions += [(earlier, one) for one in rows.ladder(connection, format, earlier.number, now, 1, 0)]
    return LadderFound(season, [one for one in known if one.began <= now], lines, champions)


def find_mine(connection: Connection, player: str, format: str, season: int, now: float) -> LadderLine | None:
    row = connection.execute(ACCOUNTS.select().where(ACCOUNTS.c.player == player)).first()
    if row is None:
        return None
    one = rows.standing_in(connection, player, format, season)
    place = rows.place_of(connection, one, now)
    return LadderLine(one, row.name, row.crest, place, rows.curve_of(connection, one, CURVE))


def find_player(connection: Connection, player: str, now: float) -> PlayerFound | None:
    row = connection.execute(ACCOUNTS.select().where(ACCOUNTS.c.player == player, ACCOUNTS.c.gone == 0.0)).first()
    if row is None:
        return None
    number = rows.season_at(connection, now)
    season = next((one for one in rows.seasons(connection) if one.number == number), FIRST)
    standings = rows.standings_of(connection, player)
    here = [one for one in standings if one.season == number]
    places = {one.format: rows.place_of(connection, one, now) for one in here} if row.banned <= now else {}
    games = rows.rated_games(connection, player, MOST_GAMES)
    return PlayerFound(player, row.name, row.crest, row.created, season, standings, places, games)
