"""The table of a tournament, from its matches alone: points, then the tie-breaks card games use, exact.

1. match points: 3 for a match won, 1 drawn; a bye is a match won;
2. the mean match-win rate of the opponents, each at least a third;
3. one's own game-win rate, at least a third;
4. the mean game-win rate of the opponents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

WON: Final = 3
DRAWN: Final = 1
#: nobody counts as weaker: an opponent who lost everything would else spoil the table of whoever met him
FLOOR: Final = Fraction(1, 3)


class MatchScore(NamedTuple):
    """A match that is over: games won by each, and drawn. Without ``two``: a bye of ``one``."""

    one: str
    two: str
    games: tuple[int, int, int]

    def points(self, id: str) -> int:
        if not self.two:
            return WON
        mine, theirs = self.games[:2] if id == self.one else (self.games[1], self.games[0])
        return WON if mine > theirs else DRAWN if mine == theirs else 0


class StandingLine(NamedTuple):
    """A line of the table; ``place`` is shared by whom nothing tells apart."""

    place: int
    id: str
    points: int
    matches: int
    opponents_matches: Fraction
    games: Fraction
    opponents_games: Fraction


def standings(ids: Sequence[str], scores: Iterable[MatchScore]) -> list[StandingLine]:
    """The best first."""
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
    table: list[StandingLine] = []
    for number, id in enumerate(order, 1):
        tied = bool(table) and keys[table[-1].id] == keys[id]
        points, opponents, own_games, their_games = keys[id]
        table.append(
            StandingLine(
                table[-1].place if tied else number, id, points, len(played[id]), opponents, own_games, their_games
            )
        )
    return table


def game_rate(id: str, own: Sequence[MatchScore]) -> Fraction:
    """A drawn game is a third of one that is won."""
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
