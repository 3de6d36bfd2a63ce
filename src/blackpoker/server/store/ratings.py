"""Ratings of players: each rated game is rated once, in the commit that stores its record; all can be recomputed.

Rated games are numbered. A rating depends on games with smaller numbers only, so that recomputing them in order gives
identical figures.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from blackpoker.players.rating import Rating, rated
from blackpoker.server.rooms.seats import NAMES, Finished
from blackpoker.server.store.schema import ACCOUNTS, PLAYED, RATED, RATINGS, RECORDS, SEASONS

#: games before a rating is shown on the leaderboard
PLACED: Final = 10
#: zero and scale of rating points: 400 points are about ten to one between two certain ratings
ZERO: Final = 1000.0
EACH: Final = 30.0
#: least uncertainty at the start of a new season: half that of a newcomer
LEAST_SIGMA: Final = Rating().sigma / 2
#: id of our advisory lock in PostgreSQL: games are numbered one after the other
RATING: Final = 0xB1AD
#: records read per query
AT_ONCE: Final = 200
#: tokens of a player in a record, and lines of cards alone
SAID: Final = re.compile(r"^(p[12]): ([a-z_]+)(?= |$)", re.MULTILINE)
CHOSEN: Final = re.compile(r"^(p[12]): ((?:[SHDC](?:10|[2-9AJQK])|JK2?)(?: (?:[SHDC](?:10|[2-9AJQK])|JK2?))*)$")
#: moves that use no action
NO_ACTION: Final = frozenset(("pass", "done", "yes", "no"))


def points(rating: Rating) -> int:
    """Return a rating in points, discounted for uncertainty."""
    return round(ZERO + EACH * rating.surely)


class PlayerStanding(NamedTuple):
    """A player in a format and season."""

    player: str
    format: str
    season: int
    rating: Rating = Rating()
    games: int = 0
    won: int = 0
    drawn: int = 0
    streak: int = 0
    longest: int = 0
    played: float = 0.0

    @property
    def placed(self) -> bool:
        return self.games >= PLACED


class RatedRow(NamedTuple):
    """A rated game with the ratings of both players after it."""

    number: int
    record: str
    format: str
    season: int
    players: tuple[str, str]
    winner: str  # p1, p2, draw
    at: float
    ratings: tuple[Rating, Rating]


class SeasonRow(NamedTuple):
    number: int
    ja: str
    en: str
    began: float
    ends: float


class SeatUse(NamedTuple):
    """One seat's trumps, as cards, and its requested actions and other tokens, each once."""

    trumps: list[str]
    actions: list[str]


# -- calculation -------------------------------------------------------------------------------------------------------


def counts(done: Finished) -> bool:
    """Return True if a game is rated: two players with accounts, paired by matchmaking or a tournament as rated,
    neither rewound nor started from a position, and not abandoned by both."""
    meta = done.meta
    first, second = meta.get("players", ("", ""))
    left = meta["winner"] == "draw" and meta["reason"] == "abandoned"
    return bool(meta.get("rated") and first and second and first != second) and not meta["practice"] and not left


def format_of(regulation: str) -> str:
    return regulation.partition("+")[0]


def carried(last: PlayerStanding | None, player: str, format: str, season: int) -> PlayerStanding:
    """Return a player's standing at the start of a season: the previous rating with more uncertainty."""
    if last is None:
        return PlayerStanding(player, format, season)
    mu, sigma = last.rating
    return PlayerStanding(player, format, season, Rating(mu, max(sigma, LEAST_SIGMA)))


def after(one: PlayerStanding, two: PlayerStanding, winner: str, at: float) -> tuple[PlayerStanding, PlayerStanding]:
    """Return both standings after a game."""
    place = None if winner == "draw" else NAMES.index(winner)
    found = rated(one.rating, two.rating, place)
    first, second = (
        moved(standing, rating, place == number, place is None, at)
        for number, (standing, rating) in enumerate(zip((one, two), found, strict=True))
    )
    return first, second


def moved(one: PlayerStanding, rating: Rating, won: bool, drawn: bool, at: float) -> PlayerStanding:
    streak = one.streak + 1 if won else 0
    return one._replace(
        rating=rating,
        games=one.games + 1,
        won=one.won + won,
        drawn=one.drawn + drawn,
        streak=streak,
        longest=max(one.longest, streak),
        played=max(one.played, at),
    )


# -- rating finished games ---------------------------------------------------------------------------------------------


def rate_people(connection: Connection, finished: Sequence[Finished]) -> None:
    """Rate these games. A game that is rated already (a retried commit) changes nothing; nor does one with a deleted
    account."""
    for done in filter(counts, finished):
        lock(connection)
        known = select(RATED.c.number).where(RATED.c.record == done.share)
        if connection.execute(known).first() is None and both_here(connection, done.meta["players"]):
            rate_one(connection, done)


def lock(connection: Connection) -> None:
    """Serialise rating. SQLite has one writer anyway, and this commit has written already."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({RATING})")


def alone(connection: Connection) -> None:
    """Lock rating at the beginning of a transaction, until its end."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    lock(connection)


def both_here(connection: Connection, players: Sequence[str]) -> bool:
    here = select(func.count()).select_from(ACCOUNTS).where(ACCOUNTS.c.player.in_(players), ACCOUNTS.c.gone == 0.0)
    return int(connection.execute(here).scalar_one()) == 2


def rate_one(connection: Connection, done: Finished) -> None:
    meta = done.meta
    format, at = format_of(meta["regulation"]), float(meta["at"])
    season = season_at(connection, at)
    before = [standing_in(connection, player, format, season) for player in meta["players"]]
    one, two = after(before[0], before[1], meta["winner"], at)
    number = int(connection.execute(select(func.coalesce(func.max(RATED.c.number), 0))).scalar_one()) + 1
    players = one.player, two.player
    row = RatedRow(number, done.share, format, season, players, meta["winner"], at, (one.rating, two.rating))
    connection.execute(insert(RATED).values(rated_values(row)))
    for standing in (one, two):
        mine = RATINGS.c.player == standing.player, RATINGS.c.format == format, RATINGS.c.season == season
        connection.execute(delete(RATINGS).where(*mine))
    connection.execute(insert(RATINGS), [standing_values(one), standing_values(two)])


def standing_in(connection: Connection, player: str, format: str, season: int) -> PlayerStanding:
    """Return a player's standing before a game of this season."""
    mine = RATINGS.c.player == player, RATINGS.c.format == format, RATINGS.c.season <= season
    row = connection.execute(select(RATINGS).where(*mine).order_by(RATINGS.c.season.desc()).limit(1)).first()
    last = None if row is None else standing_of(row)
    return last if last is not None and last.season == season else carried(last, player, format, season)


def rating_of(connection: Connection, player: str, format: str, now: float) -> Rating:
    """Return a player's present rating."""
    return standing_in(connection, player, format, season_at(connection, now)).rating


def standing_of(row: Any) -> PlayerStanding:
    return PlayerStanding(
        row.player, row.format, row.season, Rating(row.mu, row.sigma), row.games, row.won, row.drawn, row.streak,
        row.longest, row.played,
    )  # fmt: skip


def standing_values(one: PlayerStanding) -> dict[str, Any]:
    values = one._asdict()
    mu, sigma = values.pop("rating")
    return {**values, "mu": mu, "sigma": sigma}


def rated_of(row: Any) -> RatedRow:
    ratings = Rating(row.mu1, row.sigma1), Rating(row.mu2, row.sigma2)
    return RatedRow(row.number, row.record, row.format, row.season, (row.p1, row.p2), row.winner, row.at, ratings)


def rated_values(row: RatedRow) -> dict[str, Any]:
    values = row._asdict()
    (mu1, sigma1), (mu2, sigma2) = values.pop("ratings")
    p1, p2 = values.pop("players")
    return {**values, "p1": p1, "p2": p2, "mu1": mu1, "sigma1": sigma1, "mu2": mu2, "sigma2": sigma2}


# -- seasons -----------------------------------------------------------------------------------------------------------


def seasons(connection: Connection) -> list[SeasonRow]:
    """Return the seasons, the latest first."""
    return [SeasonRow(*row) for row in connection.execute(select(SEASONS).order_by(SEASONS.c.number.desc()))]


def season_at(connection: Connection, at: float) -> int:
    """Return the season at a time; 0 before the first."""
    found = connection.execute(select(func.max(SEASONS.c.number)).where(SEASONS.c.began <= at)).scalar()
    return int(found or 0)


def begin_season(connection: Connection, ja: str, en: str, began: float, ends: float) -> SeasonRow:
    """Begin the next season and end the previous one at the same time. Raise `ValueError` if it would begin before
    it."""
    alone(connection)
    known = seasons(connection)
    if known and known[0].began >= began:
        raise ValueError("a season begins after the one before")
    row = SeasonRow(known[0].number + 1 if known else 1, ja, en, began, ends)
    if known:
        connection.execute(update(SEASONS).where(SEASONS.c.number == known[0].number).values(ends=began))
    connection.execute(insert(SEASONS).values(row._asdict()))
    return row


# -- recomputing -------------------------------------------------------------------------------------------------------


class Recomputed(NamedTuple):
    """Result of a recomputation: rated games, standings, figures that differed before, and games with a record that
    differs from the list of rated games."""

    games: int
    standings: int
    changed: int
    doubtful: list[str]
    looked_into: int


def recompute(connection: Connection) -> Recomputed:
    """Recompute all ratings from the stored games in the order of their numbers; the winners are read from the
    records."""
    alone(connection)
    before = {key_of(one): one for one in map(standing_of, connection.execute(select(RATINGS)).all())}
    connection.execute(delete(RATINGS))
    rows = [rated_of(row) for row in connection.execute(select(RATED).order_by(RATED.c.number))]
    told = told_by_records(connection, rows)
    found: dict[tuple[str, str, int], PlayerStanding] = {}
    latest: dict[tuple[str, str], list[PlayerStanding]] = {}
    fresh: list[RatedRow] = []
    for row in rows:
        winner, format = told.get(row.record, (row.winner, row.format))
        pair = [begun(latest, player, format, row.season) for player in row.players]
        one, two = after(pair[0], pair[1], winner, row.at)
        fresh.append(row._replace(winner=winner, format=format, ratings=(one.rating, two.rating)))
        for standing in (one, two):
            found[key_of(standing)] = standing
            seen = latest.setdefault((standing.player, format), [])
            seen[:] = [other for other in seen if other.season != row.season] + [standing]
    doubtful = [row.record for row, new in zip(rows, fresh, strict=True) if row[:7] != new[:7]]
    changed = sum(row != new for row, new in zip(rows, fresh, strict=True))
    changed += sum(before.get(key) != one for key, one in found.items()) + len(before.keys() - found.keys())
    if found:
        connection.execute(insert(RATINGS), [standing_values(one) for one in found.values()])
    changes = [rated_values(new) for row, new in zip(rows, fresh, strict=True) if row != new]
    if changes:
        named = [{**values, "which": values["number"]} for values in changes]
        columns: dict[str, Any] = {name: bindparam(name) for name in changes[0] if name != "number"}
        connection.execute(update(RATED).where(RATED.c.number == bindparam("which")).values(columns), named)
    return Recomputed(len(rows), len(found), changed, doubtful, look_into_records(connection))


def key_of(one: PlayerStanding) -> tuple[str, str, int]:
    return one.player, one.format, one.season


def begun(latest: dict[tuple[str, str], list[PlayerStanding]], player: str, format: str, season: int) -> PlayerStanding:
    """Return a player's standing before a game of this season, as ``standing_in`` does, but from memory."""
    known = [one for one in latest.get((player, format), ()) if one.season <= season]
    last = max(known, key=lambda one: one.season, default=None)
    return last if last is not None and last.season == season else carried(last, player, format, season)


def told_by_records(connection: Connection, rows: Sequence[RatedRow]) -> dict[str, tuple[str, str]]:
    """Return winner and format by record, as the stored records have them."""
    out: dict[str, tuple[str, str]] = {}
    for start in range(0, len(rows), AT_ONCE):
        part = [row.record for row in rows[start : start + AT_ONCE]]
        for id, meta in connection.execute(select(RECORDS.c.id, RECORDS.c.meta).where(RECORDS.c.id.in_(part))):
            told = msgspec.json.decode(meta)
            out[id] = told["winner"], format_of(told["regulation"])
    return out


# -- trumps and actions of games ---------------------------------------------------------------------------------------


def uses_of(record: str) -> tuple[SeatUse, SeatUse]:
    """Return the trumps and actions of each seat, parsed from a record."""
    opening, _, played = record.partition("\nturn 1 ")
    trumps: list[list[str]] = [[], []]
    if "regulation: extra" in opening:  # trumps are chosen before any other move
        for line in played.split("\n")[1:3]:
            found = CHOSEN.match(line)
            if found is not None:
                trumps[NAMES.index(found[1])] = found[2].split()
    said: list[dict[str, None]] = [{}, {}]
    for name, word in SAID.findall(played):
        if word not in NO_ACTION:
            said[NAMES.index(name)][word] = None
    first, second = (SeatUse(chosen, sorted(actions)) for chosen, actions in zip(trumps, said, strict=True))
    return first, second


def result_of(winner: str, seat: int) -> str:
    return "drawn" if winner == "draw" else "won" if winner == NAMES[seat] else "lost"


def played_values(record: str, meta: dict[str, Any]) -> list[dict[str, str]]:
    """Return the columns of ``played`` besides the player, for each seat."""
    return [
        {
            "regulation": meta["regulation"],
            "result": result_of(meta["winner"], seat),
            "used": msgspec.json.encode(use).decode(),
        }
        for seat, use in enumerate(uses_of(record))
    ]


def look_into_records(connection: Connection) -> int:
    """Fill in the columns of games stored before these columns existed; return the number of seats filled."""
    count = 0
    while True:
        wanted = select(PLAYED.c.record).where(PLAYED.c.regulation == "").distinct().limit(AT_ONCE)
        ids = list(connection.execute(wanted).scalars())
        if not ids:
            return count
        texts = connection.execute(select(RECORDS.c.id, RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id.in_(ids)))
        known = {id: played_values(text, msgspec.json.decode(meta)) for id, text, meta in texts}
        for id in ids:
            for seat in (0, 1):
                values = known[id][seat] if id in known else {"regulation": "?"}
                one = PLAYED.c.record == id, PLAYED.c.seat == seat
                count += connection.execute(update(PLAYED).where(*one).values(values)).rowcount


# -- queries -----------------------------------------------------------------------------------------------------------


class LadderLine(NamedTuple):
    """A player on the leaderboard, with the ratings after each of the last games."""

    standing: PlayerStanding
    name: str
    crest: str
    place: int  # 0: not ranked yet
    curve: list[int]


SURELY: Final = RATINGS.c.mu - 3 * RATINGS.c.sigma


def ranked(format: str, season: int, now: float) -> Any:
    """Return a query for the ranked players, without deleted and banned accounts."""
    return (
        select(RATINGS, ACCOUNTS.c.name, ACCOUNTS.c.crest)
        .join(ACCOUNTS, ACCOUNTS.c.player == RATINGS.c.player)
        .where(
            RATINGS.c.format == format, RATINGS.c.season == season, RATINGS.c.games >= PLACED, ACCOUNTS.c.gone == 0.0,
            ACCOUNTS.c.banned <= now,
        )
    )  # fmt: skip


def ladder(connection: Connection, format: str, season: int, now: float, most: int, curve: int) -> list[LadderLine]:
    """Return the leaderboard, the best first."""
    order = ranked(format, season, now).order_by(SURELY.desc(), RATINGS.c.player).limit(most)
    return [
        LadderLine(standing, row.name, row.crest, place, curve_of(connection, standing, curve))
        for place, row in enumerate(connection.execute(order), 1)
        for standing in (standing_of(row),)
    ]


def place_of(connection: Connection, one: PlayerStanding, now: float) -> int:
    """Return a player's rank; 0: not ranked yet."""
    if not one.placed:
        return 0
    better = ranked(one.format, one.season, now).where(
        or_(SURELY > one.rating.surely, (SURELY == one.rating.surely) & (RATINGS.c.player < one.player))
    )
    return int(connection.execute(select(func.count()).select_from(better.subquery())).scalar_one()) + 1


def games_of(player: str) -> Any:
    return select(RATED).where(or_(RATED.c.p1 == player, RATED.c.p2 == player))


def curve_of(connection: Connection, one: PlayerStanding, most: int) -> list[int]:
    """Return a player's ratings after each of the last games of a season, the oldest first."""
    last = games_of(one.player).where(RATED.c.format == one.format, RATED.c.season == one.season)
    rows = connection.execute(last.order_by(RATED.c.number.desc()).limit(most)).all()
    return [points(own_rating(rated_of(row), one.player)) for row in reversed(rows)]


def own_rating(row: RatedRow, player: str) -> Rating:
    return row.ratings[row.players.index(player)]


def standings_of(connection: Connection, player: str) -> list[PlayerStanding]:
    """Return all standings of a player, by season."""
    mine = select(RATINGS).where(RATINGS.c.player == player).order_by(RATINGS.c.season, RATINGS.c.format)
    return [standing_of(row) for row in connection.execute(mine)]


class PlayedGame(NamedTuple):
    """A rated game of a player: the game, the own seat, result, trumps and actions, and the names in the record."""

    game: RatedRow
    seat: int
    regulation: str
    result: str
    use: SeatUse
    names: list[str]


def rated_games(connection: Connection, player: str, most: int) -> list[PlayedGame]:
    """Return a player's last rated games, the latest first."""
    found = connection.execute(
        select(RATED, PLAYED.c.seat, PLAYED.c.regulation, PLAYED.c.result, PLAYED.c.used, RECORDS.c.meta)
        .join(PLAYED, (PLAYED.c.record == RATED.c.record) & (PLAYED.c.player == player))
        .join(RECORDS, RECORDS.c.id == RATED.c.record)
        .order_by(RATED.c.number.desc())
        .limit(most)
    )
    return [
        PlayedGame(
            rated_of(row),
            row.seat,
            row.regulation,
            row.result,
            msgspec.json.decode(row.used, type=SeatUse) if row.used else SeatUse([], []),
            msgspec.json.decode(row.meta)["names"],
        )
        for row in found
    ]


# -- deletion ----------------------------------------------------------------------------------------------------------


def disown(connection: Connection, player: str) -> None:
    """Move a deleted account's rated games to a random id, because the ratings of its opponents follow from them."""
    nobody = secrets.token_hex(8)
    for column in (RATED.c.p1, RATED.c.p2):
        connection.execute(update(RATED).where(column == player).values({column: nobody}))
    connection.execute(update(RATINGS).where(RATINGS.c.player == player).values(player=nobody))
