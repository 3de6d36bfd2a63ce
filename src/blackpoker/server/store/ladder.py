"""Ratings of bots: each game between two bots is rated once, in the commit that stores its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, Select, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from blackpoker.players.rating import Rating, rated
from blackpoker.server.rooms.seats import NAMES, Finished
from blackpoker.server.store.schema import BOTS, BOUTS

MOST_BOTS: Final = 100
MOST_GAMES: Final = 20
#: endings that count: played to the end, or lost by a bot that broke; and the least turns for other endings
PLAYED: Final = frozenset(("life", "turns", "fault"))
LEAST_TURNS: Final = 6


class Rung(NamedTuple):
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


def counts(done: Finished) -> bool:
    """Return True if a game is rated: two different bots paired by matchmaking, no practice, not abandoned by both, and
    really played. A game given up or abandoned at once is no evidence about either bot."""
    meta = done.meta
    first, second = meta.get("bots", ("", ""))
    left = meta["winner"] == "draw" and meta["reason"] == "abandoned"
    played = meta["reason"] in PLAYED or meta["turns"] >= LEAST_TURNS
    met = bool(first and second and first != second and meta.get("queue"))
    return met and played and not meta["practice"] and not left


def rate(connection: Connection, finished: Sequence[Finished]) -> None:
    """Rate these games. A game that is rated already (a retried commit) changes nothing."""
    for done in finished:
        if counts(done) and is_new(connection, done):
            rate_one(connection, done)


def insert(connection: Connection) -> Any:
    return sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert


def is_new(connection: Connection, done: Finished) -> bool:
    meta = done.meta
    row = {
        "record": done.share,
        "p1": meta["bots"][0],
        "p2": meta["bots"][1],
        "names": msgspec.json.encode(meta["names"]).decode(),
        "winner": meta["winner"],
        "regulation": meta["regulation"],
        "at": meta["at"],
    }
    new = insert(connection)(BOUTS).values(row).on_conflict_do_nothing().returning(BOUTS.c.record)
    return connection.execute(new).first() is not None  # rowcount is not set by PostgreSQL's driver


def rate_one(connection: Connection, done: Finished) -> None:
    meta = done.meta
    # same order in every process, against deadlocks
    for id, name in sorted(zip(meta["bots"], meta["names"], strict=True)):
        fresh = Rating()
        row = {
            "id": id, "name": name, "mu": fresh.mu, "sigma": fresh.sigma, "games": 0, "won": 0, "drawn": 0,
            "faults": 0, "played": meta["at"],
        }  # fmt: skip
        make = insert(connection)(BOTS)
        # an update even without changes: it locks the row until the commit
        connection.execute(make.on_conflict_do_update(index_elements=["id"], set_={"name": name}), row)
    known = {found.id: found for found in connection.execute(select(BOTS).where(BOTS.c.id.in_(meta["bots"])))}
    pair = [known[id] for id in meta["bots"]]
    winner = None if meta["winner"] == "draw" else NAMES.index(meta["winner"])
    first, second = (Rating(one.mu, one.sigma) for one in pair)
    for place, (one, rating) in enumerate(zip(pair, rated(first, second, winner), strict=True)):
        connection.execute(
            update(BOTS)
            .where(BOTS.c.id == one.id)
            .values(
                mu=rating.mu,
                sigma=rating.sigma,
                games=one.games + 1,
                won=one.won + (winner == place),
                drawn=one.drawn + (winner is None),
                faults=one.faults + (meta["reason"] == "fault" and winner == 1 - place),
                played=max(one.played, meta["at"]),
            )
        )


# -- queries -----------------------------------------------------------------------------------------------------------


def rung_of(row: Any) -> Rung:
    return Rung(row.id, row.name, Rating(row.mu, row.sigma), row.games, row.won, row.drawn, row.faults, row.played)


def ladder(connection: Connection) -> list[Rung]:
    """Return the leaderboard, the best first."""
    order = (BOTS.c.mu - 3 * BOTS.c.sigma).desc()
    return [rung_of(row) for row in connection.execute(select(BOTS).order_by(order, BOTS.c.id).limit(MOST_BOTS))]


def games_of(id: str) -> Select[Any]:
    return select(BOUTS).where(or_(BOUTS.c.p1 == id, BOUTS.c.p2 == id))


def account(connection: Connection, id: str) -> tuple[Rung, int, dict[str, int], list[RatedGame]] | None:
    """Return a bot with its rank, game counts by regulation and last games; None if unknown."""
    row = connection.execute(select(BOTS).where(BOTS.c.id == id)).first()
    if row is None:
        return None
    found = rung_of(row)
    better = select(func.count()).select_from(BOTS).where(BOTS.c.mu - 3 * BOTS.c.sigma > found.rating.surely)
    place = int(connection.execute(better).scalar_one()) + 1
    played = games_of(id).subquery()
    plays = connection.execute(
        select(played.c.regulation, func.count()).group_by(played.c.regulation).order_by(func.count().desc())
    )
    last = connection.execute(games_of(id).order_by(BOUTS.c.at.desc(), BOUTS.c.record).limit(MOST_GAMES))
    games = [
        RatedGame(
            one.record, (one.p1, one.p2), tuple(msgspec.json.decode(one.names)), one.winner, one.regulation, one.at
        )
        for one in last
    ]  # fmt: skip
    return found, place, {str(text): int(count) for text, count in plays}, games
