"""Leaderboards and player pages, cached for a few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from blackpoker.server.admission import BoundedCache, declare_cache
from blackpoker.server.storage import ratings as rows
from blackpoker.server.storage.ratings import LeaderboardRow, PlayerStanding, RatedGameDetails, SeasonRow
from blackpoker.server.storage.schema import ACCOUNTS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from blackpoker.server.storage.database import GameStore

T = TypeVar("T")
#: seconds a result is cached
CACHE_SECONDS: Final = 5.0
CACHE: Final = declare_cache("leaderboards and players", 200, "known")
#: players of a leaderboard, and games of each in its curve
MAX_ROWS: Final = 100
CURVE_GAMES: Final = 20
#: most rated games read per player
MAX_GAMES: Final = 2000
#: the season before an operator has set one
NO_SEASON: Final = SeasonRow(0, "", "", 0.0, 0.0)


class Leaderboard(NamedTuple):
    """``champions``: the first of every season before."""

    season: SeasonRow
    seasons: list[SeasonRow]
    rows: list[LeaderboardRow]
    champions: list[tuple[SeasonRow, LeaderboardRow]]


class PlayerProfile(NamedTuple):
    """A player with an account; ``standings`` of every season, ``places`` by format in the present season."""

    player: str
    name: str
    crest: str
    created: float
    season: SeasonRow
    standings: list[PlayerStanding]
    ranks: dict[str, int]
    games: list[RatedGameDetails]


class Leaderboards:
    def __init__(self, store: GameStore) -> None:
        self.store = store
        self.cache: BoundedCache[tuple[Any, ...], tuple[float, Any]] = BoundedCache(CACHE)

    async def cached(self, key: tuple[Any, ...], work: Callable[..., T], *given: Any) -> T:
        now = time.monotonic()
        entry = self.cache.get(key)
        if entry is not None and now - entry[0] < CACHE_SECONDS:
            found: T = entry[1]
            return found
        found = await self.store.query(work, *given)
        if found is not None:  # a miss is no key: a client may ask for anything
            self.cache[key] = now, found
        return found

    async def leaderboard(self, format: str, season: int | None) -> Leaderboard | None:
        """Return the leaderboard of a season, by default the present one; None if there is no such season."""
        return await self.cached(("ladder", format, season), load_leaderboard, format, season, time.time())

    async def player(self, player: str) -> PlayerProfile | None:
        return await self.cached(("player", player), load_player, player, time.time())

    async def own_row(self, player: str, format: str, season: int) -> LeaderboardRow | None:
        """Return a player's own row of a leaderboard, ranked or not; None if the account is unknown."""
        return await self.store.query(load_own_row, player, format, season, time.time())


def load_leaderboard(connection: Connection, format: str, season_number: int | None, now: float) -> Leaderboard | None:
    known = [*rows.seasons(connection), NO_SEASON]
    number = rows.season_at(connection, now) if season_number is None else season_number
    season = next((candidate for candidate in known if candidate.number == number), None)
    if season is None:
        return None
    ranked = rows.leaderboard(connection, format, number, now, MAX_ROWS, CURVE_GAMES)
    champions = []
    for earlier in known:
        if earlier.number < number:
            champions += [
                (earlier, candidate) for candidate in rows.leaderboard(connection, format, earlier.number, now, 1, 0)
            ]
    return Leaderboard(season, [candidate for candidate in known if candidate.began <= now], ranked, champions)


def load_own_row(connection: Connection, player: str, format: str, season: int, now: float) -> LeaderboardRow | None:
    row = connection.execute(ACCOUNTS.select().where(ACCOUNTS.c.player == player)).first()
    if row is None:
        return None
    standing = rows.standing_in(connection, player, format, season)
    rank = rows.rank_of(connection, standing, now)
    return rows.make_leaderboard_row(connection, standing, row.name, row.crest, rank, CURVE_GAMES)


def load_player(connection: Connection, player: str, now: float) -> PlayerProfile | None:
    row = connection.execute(ACCOUNTS.select().where(ACCOUNTS.c.player == player, ACCOUNTS.c.gone == 0.0)).first()
    if row is None:
        return None
    number = rows.season_at(connection, now)
    season = next((standing for standing in rows.seasons(connection) if standing.number == number), NO_SEASON)
    standings = rows.standings_of(connection, player)
    present = [standing for standing in standings if standing.season == number]
    ranks = (
        {standing.format: rows.rank_of(connection, standing, now) for standing in present} if row.banned <= now else {}
    )
    games = rows.rated_games(connection, player, MAX_GAMES)
    return PlayerProfile(player, row.name, row.crest, row.created, season, standings, ranks, games)
