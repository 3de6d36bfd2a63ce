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
from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update

from blackpoker.players.rating import Rating, updated_ratings
from blackpoker.server.rooms.seats import SEAT_NAMES, FinishedGame
from blackpoker.server.storage.schema import ACCOUNTS, PLAYED, RATED, RATINGS, RECORDS, SEASONS

#: endings of a game that was played to its end; others count only after this many turns, half of them of each player
PLAYED_REASONS: Final = frozenset(("life", "turns"))
MIN_RATED_TURNS: Final = 6
#: rated games of two players with each other in a day
MAX_PAIR_GAMES: Final = 3
DAY: Final = 86_400.0
#: games before a rating is shown on the leaderboard
MIN_RANKED_GAMES: Final = 10
#: zero and scale of rating points: 400 points are about ten to one between two certain ratings
RATING_ZERO: Final = 1000.0
RATING_SCALE: Final = 30.0
#: least uncertainty at the start of a new season: half that of a newcomer
MIN_SEASON_SIGMA: Final = Rating().sigma / 2
#: id of our advisory lock in PostgreSQL: games are numbered one after the other
RATING_LOCK: Final = 0xB1AD
#: records read per query
BATCH: Final = 200
#: tokens of a player in a record, and lines of cards alone
PLAYER_TOKEN: Final = re.compile(r"^(p[12]): ([a-z_]+)(?= |$)", re.MULTILINE)
CARD_LINE: Final = re.compile(r"^(p[12]): ((?:[SHDC](?:10|[2-9AJQK])|JK2?)(?: (?:[SHDC](?:10|[2-9AJQK])|JK2?))*)$")
#: moves that use no action
NO_ACTION: Final = frozenset(("pass", "done", "yes", "no"))


def points(rating: Rating) -> int:
    """Return a rating in points, discounted for uncertainty."""
    return round(RATING_ZERO + RATING_SCALE * rating.conservative)


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
    def ranked(self) -> bool:
        return self.games >= MIN_RANKED_GAMES


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


def is_rated(game: FinishedGame) -> bool:
    """Return True if a game is rated: two players with accounts, paired by matchmaking or a tournament as rated,
    neither rewound nor started from a position, not abandoned by both, and really played: to its end by the rules, or
    for a number of turns of both players."""
    meta = game.meta
    if meta["reason"] not in PLAYED_REASONS and meta["turns"] < MIN_RATED_TURNS:
        return False
    first, second = meta.get("players", ("", ""))
    abandoned = meta["winner"] == "draw" and meta["reason"] == "abandoned"
    return bool(meta.get("rated") and first and second and first != second) and not meta["practice"] and not abandoned


def format_of(regulation: str) -> str:
    return regulation.partition("+")[0]


def carried_over(last: PlayerStanding | None, player: str, format: str, season: int) -> PlayerStanding:
    """Return a player's standing at the start of a season: the previous rating with more uncertainty."""
    if last is None:
        return PlayerStanding(player, format, season)
    mu, sigma = last.rating
    return PlayerStanding(player, format, season, Rating(mu, max(sigma, MIN_SEASON_SIGMA)))


def after_game(
    before1: PlayerStanding, before2: PlayerStanding, winner: str, at: float
) -> tuple[PlayerStanding, PlayerStanding]:
    """Return both standings after a game."""
    place = None if winner == "draw" else SEAT_NAMES.index(winner)
    found = updated_ratings(before1.rating, before2.rating, place)
    first, second = (
        updated(standing, rating, place == number, place is None, at)
        for number, (standing, rating) in enumerate(zip((before1, before2), found, strict=True))
    )
    return first, second


def updated(standing: PlayerStanding, rating: Rating, won: bool, drawn: bool, at: float) -> PlayerStanding:
    streak = standing.streak + 1 if won else 0
    return standing._replace(
        rating=rating,
        games=standing.games + 1,
        won=standing.won + won,
        drawn=standing.drawn + drawn,
        streak=streak,
        longest=max(standing.longest, streak),
        played=max(standing.played, at),
    )


# -- rating finished games ---------------------------------------------------------------------------------------------


def rate_people(connection: Connection, finished: Sequence[FinishedGame]) -> None:
    """Rate these games. A game that is rated already (a retried commit) changes nothing; nor does one with a deleted
    account."""
    for game in filter(is_rated, finished):
        lock(connection)
        existing = select(RATED.c.number).where(RATED.c.record == game.record_id)
        if (
            connection.execute(existing).first() is None
            and both_exist(connection, game.meta["players"])
            and pair_games(connection, game.meta["players"], float(game.meta["at"])) < MAX_PAIR_GAMES
        ):
            rate_one(connection, game)


def pair_games(connection: Connection, players: Sequence[str], at: float) -> int:
    """Return the number of rated games of these two in the day before."""
    first, second = players
    same = or_(
        and_(RATED.c.p1 == first, RATED.c.p2 == second),
        and_(RATED.c.p1 == second, RATED.c.p2 == first),
    )
    recent = RATED.c.at > at - DAY, RATED.c.at <= at
    return int(connection.execute(select(func.count()).select_from(RATED).where(same, *recent)).scalar_one())


def delete_rated_game(connection: Connection, record: str) -> bool:
    """Remove a game from the rated ones and recompute all ratings; the record stays, as an unrated one. Return False if
    it is not rated."""
    lock_exclusively(connection)
    if not connection.execute(delete(RATED).where(RATED.c.record == record)).rowcount:
        return False
    text = connection.execute(select(RECORDS.c.meta).where(RECORDS.c.id == record)).scalar()
    if text is not None:
        meta = {**msgspec.json.decode(text), "rated": False}
        values = {"meta": msgspec.json.encode(meta).decode()}
        connection.execute(update(RECORDS).where(RECORDS.c.id == record).values(values))
    recompute_locked(connection)
    return True


def lock(connection: Connection) -> None:
    """Serialise rating. SQLite has one writer anyway, and this commit has written already."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({RATING_LOCK})")


def lock_exclusively(connection: Connection) -> None:
    """Lock rating at the beginning of a transaction, until its end."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    lock(connection)


def both_exist(connection: Connection, players: Sequence[str]) -> bool:
    query = select(func.count()).select_from(ACCOUNTS).where(ACCOUNTS.c.player.in_(players), ACCOUNTS.c.gone == 0.0)
    return int(connection.execute(query).scalar_one()) == 2


def rate_one(connection: Connection, game: FinishedGame) -> None:
    meta = game.meta
    format, at = format_of(meta["regulation"]), float(meta["at"])
    season = season_at(connection, at)
    before = [standing_in(connection, player, format, season) for player in meta["players"]]
    after1, after2 = after_game(before[0], before[1], meta["winner"], at)
    number = int(connection.execute(select(func.coalesce(func.max(RATED.c.number), 0))).scalar_one()) + 1
    players = after1.player, after2.player
    row = RatedRow(number, game.record_id, format, season, players, meta["winner"], at, (after1.rating, after2.rating))
    connection.execute(insert(RATED).values(rated_values(row)))
    for standing in (after1, after2):
        condition = RATINGS.c.player == standing.player, RATINGS.c.format == format, RATINGS.c.season == season
        connection.execute(delete(RATINGS).where(*condition))
    connection.execute(insert(RATINGS), [standing_values(after1), standing_values(after2)])


def standing_in(connection: Connection, player: str, format: str, season: int) -> PlayerStanding:
    """Return a player's standing before a game of this season."""
    mine = RATINGS.c.player == player, RATINGS.c.format == format, RATINGS.c.season <= season
    row = connection.execute(select(RATINGS).where(*mine).order_by(RATINGS.c.season.desc()).limit(1)).first()
    last = None if row is None else standing_of(row)
    return last if last is not None and last.season == season else carried_over(last, player, format, season)


def rating_of(connection: Connection, player: str, format: str, now: float) -> Rating:
    """Return a player's present rating."""
    return standing_in(connection, player, format, season_at(connection, now)).rating


def standing_of(row: Any) -> PlayerStanding:
    return PlayerStanding(
        row.player,
        row.format,
        row.season,
        Rating(row.mu, row.sigma),
        row.games,
        row.won,
        row.drawn,
        row.streak,
        row.longest,
        row.played,
    )


def standing_values(standing: PlayerStanding) -> dict[str, Any]:
    values = standing._asdict()
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
    lock_exclusively(connection)
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
    differing_records: list[str]
    filled_in: int


def recompute(connection: Connection) -> Recomputed:
    """Recompute all ratings from the stored games in the order of their numbers; the winners are read from the
    records."""
    lock_exclusively(connection)
    return recompute_locked(connection)


def recompute_locked(connection: Connection) -> Recomputed:
    before = {
        standing_key(standing1): standing1 for standing1 in map(standing_of, connection.execute(select(RATINGS)).all())
    }
    connection.execute(delete(RATINGS))
    rows = [rated_of(row) for row in connection.execute(select(RATED).order_by(RATED.c.number))]
    stored = results_by_record(connection, rows)
    found: dict[tuple[str, str, int], PlayerStanding] = {}
    latest: dict[tuple[str, str], list[PlayerStanding]] = {}
    new_rows: list[RatedRow] = []
    for row in rows:
        winner, format = stored.get(row.record, (row.winner, row.format))
        pair = [standing_before(latest, player, format, row.season) for player in row.players]
        standing1, standing2 = after_game(pair[0], pair[1], winner, row.at)
        new_rows.append(row._replace(winner=winner, format=format, ratings=(standing1.rating, standing2.rating)))
        for standing in (standing1, standing2):
            found[standing_key(standing)] = standing
            earlier = latest.setdefault((standing.player, format), [])
            earlier[:] = [other for other in earlier if other.season != row.season] + [standing]
    doubtful = [row.record for row, new in zip(rows, new_rows, strict=True) if row[:7] != new[:7]]
    changed = sum(row != new for row, new in zip(rows, new_rows, strict=True))
    changed += sum(before.get(key) != standing1 for key, standing1 in found.items()) + len(before.keys() - found.keys())
    if found:
        connection.execute(insert(RATINGS), [standing_values(standing1) for standing1 in found.values()])
    changes = [rated_values(new) for row, new in zip(rows, new_rows, strict=True) if row != new]
    if changes:
        parameters = [{**values, "which": values["number"]} for values in changes]
        columns: dict[str, Any] = {name: bindparam(name) for name in changes[0] if name != "number"}
        connection.execute(update(RATED).where(RATED.c.number == bindparam("which")).values(columns), parameters)
    return Recomputed(len(rows), len(found), changed, doubtful, fill_in_uses(connection))


def standing_key(standing: PlayerStanding) -> tuple[str, str, int]:
    return standing.player, standing.format, standing.season


def standing_before(
    latest: dict[tuple[str, str], list[PlayerStanding]], player: str, format: str, season: int
) -> PlayerStanding:
    """Return a player's standing before a game of this season, as ``standing_in`` does, but from memory."""
    earlier = [standing for standing in latest.get((player, format), ()) if standing.season <= season]
    last = max(earlier, key=lambda standing: standing.season, default=None)
    return last if last is not None and last.season == season else carried_over(last, player, format, season)


def results_by_record(connection: Connection, rows: Sequence[RatedRow]) -> dict[str, tuple[str, str]]:
    """Return winner and format by record, as the stored records have them."""
    out: dict[str, tuple[str, str]] = {}
    for start in range(0, len(rows), BATCH):
        ids = [row.record for row in rows[start : start + BATCH]]
        for id, meta in connection.execute(select(RECORDS.c.id, RECORDS.c.meta).where(RECORDS.c.id.in_(ids))):
            fields = msgspec.json.decode(meta)
            out[id] = fields["winner"], format_of(fields["regulation"])
    return out


# -- trumps and actions of games ---------------------------------------------------------------------------------------


def uses_of(record: str) -> tuple[SeatUse, SeatUse]:
    """Return the trumps and actions of each seat, parsed from a record."""
    opening, _, played = record.partition("\nturn 1 ")
    trumps: list[list[str]] = [[], []]
    if "regulation: extra" in opening:  # trumps are chosen before any other move
        for line in played.split("\n")[1:3]:
            found = CARD_LINE.match(line)
            if found is not None:
                trumps[SEAT_NAMES.index(found[1])] = found[2].split()
    tokens: list[dict[str, None]] = [{}, {}]
    for name, token in PLAYER_TOKEN.findall(played):
        if token not in NO_ACTION:
            tokens[SEAT_NAMES.index(name)][token] = None
    first, second = (SeatUse(chosen, sorted(actions)) for chosen, actions in zip(trumps, tokens, strict=True))
    return first, second


def result_of(winner: str, seat: int) -> str:
    return "drawn" if winner == "draw" else "won" if winner == SEAT_NAMES[seat] else "lost"


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


def unused_values(meta: dict[str, Any]) -> list[dict[str, str]]:
    """Return the same columns for a game without accounts, of which no statistics are made."""
    return [
        {"regulation": meta["regulation"], "result": result_of(meta["winner"], seat), "used": ""} for seat in (0, 1)
    ]


def fill_in_uses(connection: Connection) -> int:
    """Fill in the columns of games stored before these columns existed; return the number of seats filled."""
    count = 0
    while True:
        query = select(PLAYED.c.record).where(PLAYED.c.regulation == "").distinct().limit(BATCH)
        ids = list(connection.execute(query).scalars())
        if not ids:
            return count
        texts = connection.execute(select(RECORDS.c.id, RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id.in_(ids)))
        known = {id: played_values(text, msgspec.json.decode(meta)) for id, text, meta in texts}
        for id in ids:
            for seat in (0, 1):
                values = known[id][seat] if id in known else {"regulation": "?"}
                condition = PLAYED.c.record == id, PLAYED.c.seat == seat
                count += connection.execute(update(PLAYED).where(*condition).values(values)).rowcount


# -- queries -----------------------------------------------------------------------------------------------------------


class LeaderboardRow(NamedTuple):
    """A player on the leaderboard, with the points after each of the last games and before the last one."""

    standing: PlayerStanding
    name: str
    crest: str
    rank: int  # 0: not ranked yet
    curve: list[int]
    before: int


def make_leaderboard_row(
    connection: Connection, standing: PlayerStanding, name: str, crest: str, rank: int, games: int
) -> LeaderboardRow:
    """Return the row of a player, with a curve of at most this many games."""
    curve = curve_of(connection, standing, games)
    before = curve[-2] if len(curve) > 1 else points_at_start(connection, standing)
    return LeaderboardRow(standing, name, crest, rank, curve, before)


RATING_ORDER: Final = RATINGS.c.mu - 3 * RATINGS.c.sigma


def ranked_players(format: str, season: int, now: float) -> Any:
    """Return a query for the ranked players, without deleted and banned accounts."""
    return (
        select(RATINGS, ACCOUNTS.c.name, ACCOUNTS.c.crest)
        .join(ACCOUNTS, ACCOUNTS.c.player == RATINGS.c.player)
        .where(
            RATINGS.c.format == format,
            RATINGS.c.season == season,
            RATINGS.c.games >= MIN_RANKED_GAMES,
            ACCOUNTS.c.gone == 0.0,
            ACCOUNTS.c.banned <= now,
        )
    )


def leaderboard(
    connection: Connection, format: str, season: int, now: float, most: int, curve: int
) -> list[LeaderboardRow]:
    """Return the leaderboard, the best first."""
    order = ranked_players(format, season, now).order_by(RATING_ORDER.desc(), RATINGS.c.player).limit(most)
    return [
        make_leaderboard_row(connection, standing_of(row), row.name, row.crest, place, curve)
        for place, row in enumerate(connection.execute(order), 1)
    ]


def rank_of(connection: Connection, standing: PlayerStanding, now: float) -> int:
    """Return a player's rank; 0: not ranked yet."""
    if not standing.ranked:
        return 0
    above = ranked_players(standing.format, standing.season, now).where(
        or_(
            RATING_ORDER > standing.rating.conservative,
            (RATING_ORDER == standing.rating.conservative) & (RATINGS.c.player < standing.player),
        )
    )
    return int(connection.execute(select(func.count()).select_from(above.subquery())).scalar_one()) + 1


def games_of(player: str) -> Any:
    return select(RATED).where(or_(RATED.c.p1 == player, RATED.c.p2 == player))


def curve_of(connection: Connection, standing: PlayerStanding, most: int) -> list[int]:
    """Return a player's ratings after each of the last games of a season, the oldest first."""
    last = games_of(standing.player).where(RATED.c.format == standing.format, RATED.c.season == standing.season)
    rows = connection.execute(last.order_by(RATED.c.number.desc()).limit(most)).all()
    return [points(own_rating(rated_of(row), standing.player)) for row in reversed(rows)]


def points_at_start(connection: Connection, standing: PlayerStanding) -> int:
    """Return a player's points before the first game of the standing's season."""
    before = standing_in(connection, standing.player, standing.format, standing.season - 1)
    return points(carried_over(before, standing.player, standing.format, standing.season).rating)


def own_rating(row: RatedRow, player: str) -> Rating:
    return row.ratings[row.players.index(player)]


def standings_of(connection: Connection, player: str) -> list[PlayerStanding]:
    """Return all standings of a player, by season."""
    mine = select(RATINGS).where(RATINGS.c.player == player).order_by(RATINGS.c.season, RATINGS.c.format)
    return [standing_of(row) for row in connection.execute(mine)]


class RatedGameDetails(NamedTuple):
    """A rated game of a player: the game, the own seat, result, trumps and actions, and the names in the record."""

    game: RatedRow
    seat: int
    regulation: str
    result: str
    use: SeatUse
    names: list[str]


def rated_games(connection: Connection, player: str, most: int) -> list[RatedGameDetails]:
    """Return a player's last rated games, the latest first."""
    found = connection.execute(
        select(RATED, PLAYED.c.seat, PLAYED.c.regulation, PLAYED.c.result, PLAYED.c.used, RECORDS.c.meta)
        .join(PLAYED, (PLAYED.c.record == RATED.c.record) & (PLAYED.c.player == player))
        .join(RECORDS, RECORDS.c.id == RATED.c.record)
        .order_by(RATED.c.number.desc())
        .limit(most)
    )
    return [
        RatedGameDetails(
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


def anonymise(connection: Connection, player: str) -> None:
    """Move a deleted account's rated games to a random id, because the ratings of its opponents follow from them."""
    random_id = secrets.token_hex(8)
    for column in (RATED.c.p1, RATED.c.p2):
        connection.execute(update(RATED).where(column == player).values({column: random_id}))
    connection.execute(update(RATINGS).where(RATINGS.c.player == player).values(player=random_id))
