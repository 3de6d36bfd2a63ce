"""Ratings of bots: each game between two bots is rated once, in the commit that stores its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, Select, func, or_, select, update

from blackpoker.players.rating import Rating, updated_ratings
from blackpoker.server.rooms.seats import SEAT_NAMES, FinishedGame
from blackpoker.server.storage.schema import BOTS, BOUTS
from blackpoker.server.storage.statements import upsert

MAX_BOTS: Final = 100
MAX_GAMES: Final = 20
#: endings that count: played to the end, or lost by a bot that broke; and the least turns for other endings
PLAYED_REASONS: Final = frozenset(("life", "turns", "fault"))
MIN_TURNS: Final = 6


class BotStanding(NamedTuple):
    """A bot's place on the leaderboard."""

    id: str
    name: str
    rating: Rating
    games: int
    won: int
    drawn: int
    faults: int
    played: float


class RatedGame(NamedTuple):
    record: str
    bots: tuple[str, str]
    names: tuple[str, str]
    winner: str  # p1, p2, draw
    regulation: str
    at: float


def is_rated(game: FinishedGame) -> bool:
    """Return True if a game is rated: two different bots paired by matchmaking, no practice, not abandoned by both, and
    really played. A game given up or abandoned at once is no evidence about either bot."""
    meta = game.meta
    first, second = meta.get("bots", ("", ""))
    abandoned = meta["winner"] == "draw" and meta["reason"] == "abandoned"
    really_played = meta["reason"] in PLAYED_REASONS or meta["turns"] >= MIN_TURNS
    matched = bool(first and second and first != second and meta.get("queue"))
    return matched and really_played and not meta["practice"] and not abandoned


def rate_bots(connection: Connection, finished: Sequence[FinishedGame]) -> None:
    """Rate these games. A game that is rated already (a retried commit) changes nothing."""
    for game in finished:
        if is_rated(game) and insert_if_new(connection, game):
            rate_one(connection, game)


def insert_if_new(connection: Connection, game: FinishedGame) -> bool:
    meta = game.meta
    row = {
        "record": game.record_id,
        "p1": meta["bots"][0],
        "p2": meta["bots"][1],
        "names": msgspec.json.encode(meta["names"]).decode(),
        "winner": meta["winner"],
        "regulation": meta["regulation"],
        "at": meta["at"],
    }
    new = upsert(connection, BOUTS).values(row).on_conflict_do_nothing().returning(BOUTS.c.record)
    return connection.execute(new).first() is not None  # rowcount is not set by PostgreSQL's driver


def rate_one(connection: Connection, game: FinishedGame) -> None:
    meta = game.meta
    # same order in every process, against deadlocks
    for id, name in sorted(zip(meta["bots"], meta["names"], strict=True)):
        fresh = Rating()
        row = {
            "id": id,
            "name": name,
            "mu": fresh.mu,
            "sigma": fresh.sigma,
            "games": 0,
            "won": 0,
            "drawn": 0,
            "faults": 0,
            "played": meta["at"],
        }
        statement = upsert(connection, BOTS)
        # an update even without changes: it locks the row until the commit
        connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_={"name": name}), row)
    known = {found.id: found for found in connection.execute(select(BOTS).where(BOTS.c.id.in_(meta["bots"])))}
    pair = [known[id] for id in meta["bots"]]
    winner = None if meta["winner"] == "draw" else SEAT_NAMES.index(meta["winner"])
    first, second = (Rating(bot.mu, bot.sigma) for bot in pair)
    for index, (bot, rating) in enumerate(zip(pair, updated_ratings(first, second, winner), strict=True)):
        connection.execute(
            update(BOTS)
            .where(BOTS.c.id == bot.id)
            .values(
                mu=rating.mu,
                sigma=rating.sigma,
                games=bot.games + 1,
                won=bot.won + (winner == index),
                drawn=bot.drawn + (winner is None),
                faults=bot.faults + (meta["reason"] == "fault" and winner == 1 - index),
                played=max(bot.played, meta["at"]),
            )
        )


# -- queries -----------------------------------------------------------------------------------------------------------


def standing_of(row: Any) -> BotStanding:
    return BotStanding(
        row.id, row.name, Rating(row.mu, row.sigma), row.games, row.won, row.drawn, row.faults, row.played
    )


def bot_leaderboard(connection: Connection) -> list[BotStanding]:
    """Return the leaderboard, the best first."""
    order = (BOTS.c.mu - 3 * BOTS.c.sigma).desc()
    return [standing_of(row) for row in connection.execute(select(BOTS).order_by(order, BOTS.c.id).limit(MAX_BOTS))]


def games_of(id: str) -> Select[Any]:
    return select(BOUTS).where(or_(BOUTS.c.p1 == id, BOUTS.c.p2 == id))


def find_bot(connection: Connection, id: str) -> tuple[BotStanding, int, dict[str, int], list[RatedGame]] | None:
    """Return a bot with its rank, game counts by regulation and last games; None if unknown."""
    row = connection.execute(select(BOTS).where(BOTS.c.id == id)).first()
    if row is None:
        return None
    bot = standing_of(row)
    above = select(func.count()).select_from(BOTS).where(BOTS.c.mu - 3 * BOTS.c.sigma > bot.rating.conservative)
    rank = int(connection.execute(above).scalar_one()) + 1
    played = games_of(id).subquery()
    plays = connection.execute(
        select(played.c.regulation, func.count()).group_by(played.c.regulation).order_by(func.count().desc())
    )
    last = connection.execute(games_of(id).order_by(BOUTS.c.at.desc(), BOUTS.c.record).limit(MAX_GAMES))
    games = [
        RatedGame(
            game.record,
            (game.p1, game.p2),
            tuple(msgspec.json.decode(game.names)),
            game.winner,
            game.regulation,
            game.at,
        )
        for game in last
    ]
    return bot, rank, {str(text): int(count) for text, count in plays}, games
