"""Standings from match results alone: points, then the tie-breaks usual for card games, as exact fractions.

1. match points: 3 for a match won, 1 drawn; a bye is a match won;
2. the mean match-win rate of the opponents, each at least a third;
3. the own game-win rate, at least a third;
4. the mean game-win rate of the opponents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

WON: Final = 3
DRAWN: Final = 1
#: points of an arena; after this many wins in a row they are doubled
ARENA_WON: Final = 2
ARENA_DRAWN: Final = 1
STREAK: Final = 2
#: least rate: an opponent who lost everything must not spoil the tie-breaks of all others
FLOOR: Final = Fraction(1, 3)


class MatchScore(NamedTuple):
    """A finished match: games won by each, and drawn. Without ``two``: a bye of ``one``. ``lost``: both lost."""

    one: str
    two: str
    games: tuple[int, int, int]
    lost: bool = False

    def points(self, id: str) -> int:
        if not self.two:
            return WON
        if self.lost:
            return 0
        mine, theirs = self.games[:2] if id == self.one else (self.games[1], self.games[0])
        return WON if mine > theirs else DRAWN if mine == theirs else 0


class StandingLine(NamedTuple):
    """A row of the standings; equal entrants share a ``place``."""

    place: int
    id: str
    points: int
    matches: int
    opponents_matches: Fraction
    games: Fraction
    opponents_games: Fraction


def standings(ids: Sequence[str], scores: Iterable[MatchScore]) -> list[StandingLine]:
    """Return the standings, the best first."""
    played: dict[str, list[MatchScore]] = {id: [] for id in ids}
    for score in scores:
        for id in filter(None, (score.one, score.two)):
            played[id].append(score)
    won = {
        id: rate(sum(one.points(id) for one in own if one.two), sum(WON for one in own if one.two))
        for id, own in played.items()
    }
    games = {id: game_rate(id, own) for id, own in played.items()}
    keys = {}
    for id, own in played.items():
        others = [one.two if one.one == id else one.one for one in own if one.two]
        keys[id] = (
            sum(one.points(id) for one in own),
            mean([won[other] for other in others]),
            games[id],
            mean([games[other] for other in others]),
        )
    order = sorted(ids, key=lambda id: keys[id], reverse=True)
    places = shared_places(order, keys)
    return [StandingLine(places[id], id, keys[id][0], len(played[id]), *keys[id][1:]) for id in order]


def points_of(ids: Iterable[str], scores: Iterable[MatchScore]) -> dict[str, int]:
    """Return the match points by id."""
    points = dict.fromkeys(ids, 0)
    for score in scores:
        for id in filter(None, (score.one, score.two)):
            points[id] += score.points(id)
    return points


def arena_runs(ids: Iterable[str], scores: Iterable[MatchScore]) -> dict[str, list[int]]:
    """Return the points of each arena game, in order: 2 for a win, 1 for a draw, doubled after two wins in a row until
    a game is not won."""
    runs: dict[str, list[int]] = {id: [] for id in ids}
    streak = dict.fromkeys(runs, 0)
    for score in scores:
        for id in (score.one, score.two):
            points = score.points(id)
            brought = ARENA_WON if points == WON else ARENA_DRAWN if points == DRAWN else 0
            runs[id].append(brought * (2 if streak[id] >= STREAK else 1))
            streak[id] = streak[id] + 1 if points == WON else 0
    return runs


def shared_places(order: Sequence[str], keys: Mapping[str, Any]) -> dict[str, int]:
    """Return the rank of each; equal entrants share the better one."""
    places: dict[str, int] = {}
    for number, id in enumerate(order, 1):
        before = order[number - 2] if number > 1 else ""
        places[id] = places[before] if before and keys[before] == keys[id] else number
    return places


def game_rate(id: str, own: Sequence[MatchScore]) -> Fraction:
    """Return the game-win rate; a drawn game counts a third of a win."""
    mine = total = 0
    for one in own:
        if one.two:
            mine += WON * one.games[0 if id == one.one else 1] + DRAWN * one.games[2]
            total += WON * sum(one.games)
    return rate(mine, total)


def rate(got: int, possible: int) -> Fraction:
    return max(FLOOR, Fraction(got, possible)) if possible else FLOOR


def mean(rates: Sequence[Fraction]) -> Fraction:
    return sum(rates, Fraction(0)) / len(rates) if rates else FLOOR
