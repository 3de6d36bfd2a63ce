"""Public ratings of people: a leaderboard for each format and a page for each player, based on rated games only.
Private games stay private."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from blackpoker.regulation import standard_edition
from blackpoker.server.accounts.ladders import LadderFound, PlayerFound
from blackpoker.server.api.account import accounts_of
from blackpoker.server.api.caller import guest_of, hub_of
from blackpoker.server.api.rule_pages import rules
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.server.net.quick import RATED
from blackpoker.server.store.ratings import (
    PLACED,
    LadderLine,
    PlayedGame,
    PlayerStanding,
    SeasonRow,
    carried,
    own_rating,
    points,
)

Result = Literal["won", "lost", "drawn"]
FormatId = Annotated[str, Meta(min_length=1, max_length=16, pattern="^[a-z]+$")]
PLAYER: Final = re.compile(r"[0-9a-f]{16}")
#: games in which actions are counted, points of a curve, and listed games
LAST: Final = 100
MOST_POINTS: Final = 240
MOST_LISTED: Final = 20


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


def told_season(row: SeasonRow) -> SeasonInfo:
    return SeasonInfo(*row)


def told_line(line: LadderLine) -> RatingLine:
    one = line.standing
    now = points(one.rating)
    change = now - line.curve[-2] if len(line.curve) > 1 else 0
    return RatingLine(
        one.player, line.name, line.crest, line.place, now, change, one.games, one.won, one.drawn, one.streak,
        line.curve,
    )  # fmt: skip


def formats() -> list[str]:
    return [one.id for one in standard_edition().formats]


async def read_ladder(request: HttpRequest, query: LadderQuery) -> RatingLadder:
    """Return the rated people of a format, the best first."""
    ladders = accounts_of(request).ladders
    found: LadderFound | None = None
    if query.format in formats():
        found = await ladders.ladder(query.format, query.season)
    if found is None:
        raise HttpProblem(404, "no_ladder", "there is no such ladder", "番付が見つかりません")
    told = RatingLadder(
        query.format,
        formats(),
        told_season(found.season),
        [told_season(one) for one in found.seasons],
        PLACED,
        [told_line(one) for one in found.lines],
        [SeasonFirst(told_season(season), one.standing.player, one.name, one.crest) for season, one in found.champions],
        wait=hub_of(request).quick.usual(RATED + query.regulation) if query.regulation else None,
    )
    guest = guest_of(request)
    if guest is not None and guest.device:
        player = accounts_of(request).directory.heads[guest.id].player
        mine = await ladders.mine(player, query.format, found.season.number)
        told.mine = None if mine is None else told_line(mine)
    return told


async def read_player(request: HttpRequest, id: str) -> PlayerPage:
    """Return a player with an account: ratings per format and usage statistics."""
    found = await accounts_of(request).ladders.player(id) if PLAYER.fullmatch(id) else None
    if found is None:
        raise HttpProblem(404, "no_player", "there is no such player", "そのプレイヤーはいません")
    told = [told_format(found, format) for format in formats()]
    return PlayerPage(
        found.player, found.name, found.crest, found.created, told_season(found.season), PLACED,
        [one for one in told if one.won + one.drawn + one.lost],
        [told_game(found, one) for one in found.games[:MOST_LISTED]],
    )  # fmt: skip


def told_format(found: PlayerFound, format: str) -> PlayerFormat:
    ever = [one for one in found.standings if one.format == format]
    now = next((one for one in ever if one.season == found.season.number), None)
    if now is None:  # no game in this season yet: the rating at its start
        now = carried(ever[-1] if ever else None, found.player, format, found.season.number)
    games = [one for one in found.games if one.game.format == format]
    last = games[:LAST]
    return PlayerFormat(
        format,
        points(now.rating),
        now.games,
        now.placed,
        found.places.get(format, 0),
        sum(one.won for one in ever),
        sum(one.drawn for one in ever),
        sum(one.games - one.won - one.drawn for one in ever),
        streak_of(games),
        # a streak from an earlier season is in no season's figure, and an old one is not among the games
        max((longest_of(games), *(one.longest for one in ever))),
        [CurvePoint(one.game.at, points(own_rating(one.game, found.player))) for one in reversed(games[:MOST_POINTS])],
        frames_of(games),
        len(last),
        counted(last, "actions"),
        counted(last, "trumps"),
    )


def streak_of(games: Sequence[PlayedGame]) -> int:
    """Return the number of games won in a row up to the last, across seasons."""
    for number, one in enumerate(games):
        if one.result != "won":
            return number
    return len(games)


def longest_of(games: Sequence[PlayedGame]) -> int:
    """Return the longest row of won games, across seasons as in ``streak_of``."""
    longest = 0
    for won, row in groupby(one.result == "won" for one in games):
        if won:
            longest = max(longest, sum(row))
    return longest


def frames_of(games: Sequence[PlayedGame]) -> list[FrameRecord]:
    found: dict[str, FrameRecord] = {}
    for one in games:
        frame = one.regulation.split("+")[1]
        known = found.setdefault(frame, FrameRecord(frame, 0, 0, 0))
        count(known, one)
    return sorted(found.values(), key=lambda one: (-one.games, one.frame))


def count(known: FrameRecord | UsedInGames, game: PlayedGame) -> None:
    known.games += 1
    known.won += game.result == "won"
    known.drawn += game.result == "drawn"


@cache
def chosen_actions() -> frozenset[str]:
    """Return the actions a player decides to use: neither a step of each turn nor an action that another one raises."""
    return frozenset(one.id for one in rules("en") if one.kind == "action" and one.when != "raised" and not one.step)


def counted(games: Sequence[PlayedGame], what: Literal["actions", "trumps"]) -> list[UsedInGames]:
    """Return the usage counts, the most used first."""
    found: dict[str, UsedInGames] = {}
    for one in games:
        used: Iterable[str] = chosen_actions().intersection(one.use.actions) if what == "actions" else one.use.trumps
        for id in used:
            count(found.setdefault(id, UsedInGames(id, 0, 0, 0)), one)
    return sorted(found.values(), key=lambda one: (-one.games, one.id))


def told_game(found: PlayerFound, one: PlayedGame) -> PlayerGame:
    row, other = one.game, 1 - one.seat
    before = own_before(found, one)
    result: Result = "drawn" if one.result == "drawn" else "won" if one.result == "won" else "lost"
    name = one.names[other]
    return PlayerGame(
        row.record,
        "p1" if one.seat == 0 else "p2",
        one.regulation,
        row.format,
        result,
        name,
        row.players[other] if name else "",
        points(own_rating(row, found.player)),
        points(own_rating(row, found.player)) - points(before.rating),
        row.at,
    )


def own_before(found: PlayerFound, one: PlayedGame) -> PlayerStanding:
    """Return the standing of the player before this game."""
    row = one.game
    for other in found.games:
        if other.game.number < row.number and other.game.format == row.format and other.game.season <= row.season:
            last = PlayerStanding(found.player, row.format, other.game.season, own_rating(other.game, found.player))
            same = other.game.season == row.season
            return last if same else carried(last, found.player, row.format, row.season)
    return carried(None, found.player, row.format, row.season)


RATINGS: Final = [
    Endpoint("GET", "/api/ratings", read_ladder, RatingLadder, query=LadderQuery, problems=(404, 503)),
    Endpoint("GET", "/api/players/{id}", read_player, PlayerPage, problems=(404, 503)),
]
