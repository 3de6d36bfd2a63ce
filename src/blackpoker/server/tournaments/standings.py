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
STREAK_LENGTH: Final = 2
#: least rate: an opponent who lost everything must not spoil the tie-breaks of all others
MIN_RATE: Final = Fraction(1, 3)


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


class Standing(NamedTuple):
    """A row of the standings; equal entrants share a ``place``."""

    rank: int
    id: str
    points: int
    matches: int
    opponents_matches: Fraction
    games: Fraction
    opponents_games: Fraction


def standings(ids: Sequence[str], scores: Iterable[MatchScore]) -> list[Standing]:
    """Return the standings, the best first."""
    played: dict[str, list[MatchScore]] = {id: [] for id in ids}
    for score in scores:
        for id in filter(None, (score.one, score.two)):
            played[id].append(score)
    won = {
        id: floored_rate(sum(match.points(id) for match in own_scores if match.two), sum(WON for match in own_scores if match.two))
        for id, own_scores in played.items()
    }
    games = {id: game_rate(id, own_scores) for id, own_scores in played.items()}
    keys = {}
    for id, own_scores in played.items():
        opponents = [match.two if match.one == id else match.one for match in own_scores if match.two]
        keys[id] = (
            sum(match.points(id) for match in own_scores),
            mean([won[other] for other in opponents]),
            games[id],
            mean([games[other] for other in opponents]),
        )
    order = sorted(ids, key=lambda id: keys[id], reverse=True)
    ranks = shared_ranks(order, keys)
    return [Standing(ranks[id], id, keys[id][0], len(played[id]), *keys[id][1:]) for id in order]


def match_points(ids: Iterable[str], scores: Iterable[MatchScore]) -> dict[str, int]:
    """Return the match points by id."""
    points = dict.fromkeys(ids, 0)
    for score in scores:
        for id in filter(None, (score.one, score.two)):
            points[id] += score.points(id)
    return points


def arena_points_by_game(ids: Iterable[str], scores: Iterable[MatchScore]) -> dict[str, list[int]]:
    """Return the points of each arena game, in order: 2 for a win, 1 for a draw, doubled after two wins in a row until
    a game is not won."""
    runs: dict[str, list[int]] = {id: [] for id in ids}
    streak = dict.fromkeys(runs, 0)
    for score in scores:
        for id in (score.one, score.two):
            points = score.points(id)
            base_points = ARENA_WON if points == WON else ARENA_DRAWN if points == DRAWN else 0
            runs[id].append(base_points * (2 if streak[id] >= STREAK_LENGTH else 1))
            streak[id] = streak[id] + 1 if points == WON else 0
    return runs


def shared_ranks(order: Sequence[str], keys: Mapping[str, Any]) -> dict[str, int]:
    """Return the rank of each; equal entrants share the better one."""
    ranks: dict[str, int] = {}
    for number, id in enumerate(order, 1):
        previous = order[number - 2] if number > 1 else ""
        ranks[id] = ranks[previous] if previous and keys[previous] == keys[id] else number
    return ranks


def game_rate(id: str, scores: Sequence[MatchScore]) -> Fraction:
    """Return the game-win rate; a drawn game counts a third of a win."""
    won = total = 0
    for score in scores:
        if score.two:
            won += WON * score.games[0 if id == score.one else 1] + DRAWN * score.games[2]
            total += WON * sum(score.games)
    return floored_rate(won, total)


def floored_rate(got: int, possible: int) -> Fraction:
    return max(MIN_RATE, Fraction(got, possible)) if possible else MIN_RATE


def mean(rates: Sequence[Fraction]) -> Fraction:
    return sum(rates, Fraction(0)) / len(rates) if rates else MIN_RATE
