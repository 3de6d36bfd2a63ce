"""Public ratings of people: a leaderboard for each format and a page for each player, based on rated games only.
Private games stay private."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from blackpoker.ruleset import editions
from blackpoker.server.accounts.leaderboard import Leaderboard, PlayerProfile
from blackpoker.server.admission import READ, cached
from blackpoker.server.http.api.account import accounts_of
from blackpoker.server.http.api.context import current_guest, room_manager_of
from blackpoker.server.http.api.rule_pages import rules
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.matchmaking import RATED_PREFIX
from blackpoker.server.storage.ratings import (
    MIN_RANKED_GAMES,
    LeaderboardRow,
    PlayerStanding,
    RatedGameDetails,
    SeasonRow,
    carried_over,
    own_rating,
    points,
)

Result = Literal["won", "lost", "drawn"]
FormatId = Annotated[str, Meta(min_length=1, max_length=16, pattern="^([0-9]+:)?[a-z]+$")]
PLAYER: Final = re.compile(r"[0-9a-f]{16}")
#: games in which actions are counted, points of a curve, and listed games
COUNTED_GAMES: Final = 100
MAX_CURVE_POINTS: Final = 240
MAX_LISTED: Final = 20


class SeasonInfo(Struct):
    """``number`` 0: before an operator has set a season. ``ends`` 0: not decided yet."""

    number: int
    ja: str
    en: str
    began: float
    ends: float


class RatingLine(Struct):
    """``place`` 0: no rank yet, because of too few games. ``change``: by the last game; ``streak``: games won in a row;
    ``curve``: points after each of the last games."""

    player: str
    name: str
    crest: str
    place: int
    points: int
    change: int
    games: int
    won: int
    drawn: int
    streak: int
    curve: list[int]


class SeasonFirst(Struct):
    season: SeasonInfo
    player: str
    name: str
    crest: str


class RatingLadder(Struct):
    """``placed``: games needed for a rank. ``wait``: usual seconds of waiting for a rated game in the format's own
    quick match, None if unknown. ``mine``: the row of the caller, if signed in."""

    format: str
    formats: list[str]
    season: SeasonInfo
    seasons: list[SeasonInfo]
    placed: int
    lines: list[RatingLine]
    champions: list[SeasonFirst]
    mine: RatingLine | None = None
    wait: int | None = None


class LadderQuery(Struct):
    """``regulation``: the regulation for which the wait is returned."""

    format: FormatId = "lite"
    season: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    regulation: Annotated[str, Meta(max_length=120)] = ""


class CurvePoint(Struct):
    at: float
    points: int


class UsedInGames(Struct):
    """An action by its id, or a trump by its card: the number of last games that used it, and their results."""

    id: str
    games: int
    won: int
    drawn: int


class FrameRecord(Struct):
    frame: str
    games: int
    won: int
    drawn: int


class PlayerFormat(Struct):
    """A player in a format. Points, rank and ``games`` are of the current season, the other figures of all seasons;
    actions and trumps are counted in ``counted`` games."""

    format: str
    points: int
    games: int
    placed: bool
    place: int
    won: int
    drawn: int
    lost: int
    streak: int
    longest: int
    curve: list[CurvePoint]
    frames: list[FrameRecord]
    counted: int
    actions: list[UsedInGames]
    trumps: list[UsedInGames]


class PlayerGame(Struct):
    """``opponent_id`` is empty if the opponent's account was deleted."""

    record: str
    seat: Literal["p1", "p2"]
    regulation: str
    format: str
    result: Result
    opponent: str
    opponent_id: str
    points: int
    change: int
    at: float


class PlayerPage(Struct):
    player: str
    name: str
    crest: str
    since: float
    season: SeasonInfo
    placed: int
    formats: list[PlayerFormat]
    games: list[PlayerGame]


def season_info(row: SeasonRow) -> SeasonInfo:
    return SeasonInfo(*row)


def rating_row(row: LeaderboardRow) -> RatingLine:
    standing = row.standing
    current_points = points(standing.rating)
    return RatingLine(
        standing.player,
        row.name,
        row.crest,
        row.rank,
        current_points,
        current_points - row.before,
        standing.games,
        standing.won,
        standing.drawn,
        standing.streak,
        row.curve,
    )


def formats() -> list[str]:
    """Return the names of the leaderboards: one per edition and format, as regulations begin with them."""
    return [edition.prefix + one.id for edition in editions().values() for one in edition.formats]


async def read_leaderboard(request: HttpRequest, query: LadderQuery) -> RatingLadder:
    """Return the rated people of a format, the best first."""
    leaderboards = accounts_of(request).leaderboards
    found: Leaderboard | None = None
    if query.format in formats():
        found = await leaderboards.leaderboard(query.format, query.season)
    if found is None:
        raise HttpProblem(404, "no_ladder", "there is no such ladder", "番付が見つかりません")
    leaderboard = RatingLadder(
        query.format,
        formats(),
        season_info(found.season),
        [season_info(one) for one in found.seasons],
        MIN_RANKED_GAMES,
        [rating_row(one) for one in found.rows],
        [SeasonFirst(season_info(season), one.standing.player, one.name, one.crest) for season, one in found.champions],
        wait=room_manager_of(request).matchmaker.usual_wait(RATED_PREFIX + query.regulation)
        if query.regulation
        else None,
    )
    guest = current_guest(request)
    if guest is not None and guest.device:
        player = accounts_of(request).directory.accounts[guest.id].player
        mine = await leaderboards.own_row(player, query.format, found.season.number)
        leaderboard.mine = None if mine is None else rating_row(mine)
    return leaderboard


async def read_player(request: HttpRequest, id: str) -> PlayerPage:
    """Return a player with an account: ratings per format and usage statistics."""
    found = await accounts_of(request).leaderboards.player(id) if PLAYER.fullmatch(id) else None
    if found is None:
        raise HttpProblem(404, "no_player", "there is no such player", "そのプレイヤーはいません")
    format_infos = [format_info(found, format) for format in formats()]
    return PlayerPage(
        found.player,
        found.name,
        found.crest,
        found.created,
        season_info(found.season),
        MIN_RANKED_GAMES,
        [item for item in format_infos if item.won + item.drawn + item.lost],
        [game_info(found, item) for item in found.games[:MAX_LISTED]],
    )


def format_info(found: PlayerProfile, format: str) -> PlayerFormat:
    standings = [item for item in found.standings if item.format == format]
    current = next((item for item in standings if item.season == found.season.number), None)
    if current is None:  # no game in this season yet: the rating at its start
        current = carried_over(standings[-1] if standings else None, found.player, format, found.season.number)
    games = [item for item in found.games if item.game.format == format]
    recent = games[:COUNTED_GAMES]
    return PlayerFormat(
        format,
        points(current.rating),
        current.games,
        current.ranked,
        found.ranks.get(format, 0),
        sum(item.won for item in standings),
        sum(item.drawn for item in standings),
        sum(item.games - item.won - item.drawn for item in standings),
        current_streak(games),
        # a streak from an earlier season is in no season's figure, and an old one is not among the games
        max((longest_streak(games), *(item.longest for item in standings))),
        [
            CurvePoint(item.game.at, points(own_rating(item.game, found.player)))
            for item in reversed(games[:MAX_CURVE_POINTS])
        ],
        frame_records(games),
        len(recent),
        usage_counts(recent, "actions"),
        usage_counts(recent, "trumps"),
    )


def current_streak(games: Sequence[RatedGameDetails]) -> int:
    """Return the number of games won in a row up to the last, across seasons."""
    for number, played in enumerate(games):
        if played.result != "won":
            return number
    return len(games)


def longest_streak(games: Sequence[RatedGameDetails]) -> int:
    """Return the longest row of won games, across seasons as in ``streak_of``."""
    longest = 0
    for won, run in groupby(one.result == "won" for one in games):
        if won:
            longest = max(longest, sum(run))
    return longest


def frame_records(games: Sequence[RatedGameDetails]) -> list[FrameRecord]:
    records: dict[str, FrameRecord] = {}
    for played in games:
        frame = played.regulation.split("+")[1]
        record = records.setdefault(frame, FrameRecord(frame, 0, 0, 0))
        add_game(record, played)
    return sorted(records.values(), key=lambda played: (-played.games, played.frame))


def add_game(record: FrameRecord | UsedInGames, game: RatedGameDetails) -> None:
    record.games += 1
    record.won += game.result == "won"
    record.drawn += game.result == "drawn"


@cached("counted actions", 1)
def counted_actions() -> frozenset[str]:
    """Return the actions a player decides to use: neither a step of each turn nor an action that another one raises."""
    pages = (one for edition in editions().values() for one in rules("en", edition))
    return frozenset(one.id for one in pages if one.kind == "action" and one.when != "raised" and not one.step)


def usage_counts(games: Sequence[RatedGameDetails], category: Literal["actions", "trumps"]) -> list[UsedInGames]:
    """Return the usage counts, the most used first."""
    counts: dict[str, UsedInGames] = {}
    for played in games:
        ids: Iterable[str] = (
            counted_actions().intersection(played.use.actions) if category == "actions" else played.use.trumps
        )
        for id in ids:
            add_game(counts.setdefault(id, UsedInGames(id, 0, 0, 0)), played)
    return sorted(counts.values(), key=lambda played: (-played.games, played.id))


def game_info(found: PlayerProfile, played: RatedGameDetails) -> PlayerGame:
    row, other = played.game, 1 - played.seat
    before = standing_before(found, played)
    result: Result = "drawn" if played.result == "drawn" else "won" if played.result == "won" else "lost"
    name = played.names[other]
    return PlayerGame(
        row.record,
        "p1" if played.seat == 0 else "p2",
        played.regulation,
        row.format,
        result,
        name,
        row.players[other] if name else "",
        points(own_rating(row, found.player)),
        points(own_rating(row, found.player)) - points(before.rating),
        row.at,
    )


def standing_before(found: PlayerProfile, played: RatedGameDetails) -> PlayerStanding:
    """Return the standing of the player before this game."""
    row = played.game
    for earlier in found.games:
        if earlier.game.number < row.number and earlier.game.format == row.format and earlier.game.season <= row.season:
            last = PlayerStanding(found.player, row.format, earlier.game.season, own_rating(earlier.game, found.player))
            same_season = earlier.game.season == row.season
            return last if same_season else carried_over(last, found.player, row.format, row.season)
    return carried_over(None, found.player, row.format, row.season)


RATING_ENDPOINTS: Final = [
    Endpoint("GET", "/api/ratings", read_leaderboard, RatingLadder, query=LadderQuery, problems=(404, 503), cost=READ),
    Endpoint("GET", "/api/players/{id}", read_player, PlayerPage, problems=(404, 503), cost=READ),
]
