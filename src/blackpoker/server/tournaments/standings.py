"""Standings of a tournament of any kind, the best first, with the results that led to them.

In a Swiss tournament and a round robin: points, then the tie-breaks usual for card games, as exact fractions.

1. match points: 3 for a match won, 1 drawn; a bye is a match won;
2. the mean match-win rate of the opponents, each at least a third;
3. the own game-win rate, at least a third;
4. the mean game-win rate of the opponents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from blackpoker.server.tournaments.state import DRAWN, WON, MatchScore, Tournament

#: points of an arena; after this many wins in a row they are doubled
ARENA_WON: Final = 2
ARENA_DRAWN: Final = 1
STREAK_LENGTH: Final = 2
#: least rate: an opponent who lost everything must not spoil the tie-breaks of all others
MIN_RATE: Final = Fraction(1, 3)
#: won, drawn, lost, a bye, advanced without a game, open
CellResult = Literal["won", "drawn", "lost", "bye", "through", "open"]


class StandingCell(NamedTuple):
    """An entrant's result in a round. ``other``: the opponent; ``points``: points scored."""

    round: int
    table: int
    result: CellResult
    opponent: str
    points: int


class RankedEntrant(NamedTuple):
    """``ties``: the tie-breaks in their order, of a Swiss tournament and a round robin."""

    rank: int
    id: str
    points: int
    won: int
    drawn: int
    lost: int
    tie_breaks: tuple[Fraction, ...]
    cells: tuple[StandingCell, ...]


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
        id: floored_rate(
            sum(match.points(id) for match in own_scores if match.two), sum(WON for match in own_scores if match.two)
        )
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


def rank_entrants(tournament: Tournament) -> list[RankedEntrant]:
    """Return the entrants in their order, computed once for each version of the tournament."""
    seq, ranking = tournament.ranking
    if seq != tournament.seq:
        ranking = compute_ranking(tournament)
        tournament.ranking = tournament.seq, ranking
    return ranking


def compute_ranking(tournament: Tournament) -> list[RankedEntrant]:
    cells = make_cells(tournament)
    ids = list(tournament.entrants)
    counts = {id: count_results(cells[id]) for id in ids}
    tie_breaks: dict[str, tuple[Fraction, ...]] = dict.fromkeys(ids, ())
    kind = tournament.rules.kind
    if kind == "arena":
        points = {id: sum(cell.points for cell in cells[id]) for id in ids}
        keys = {id: (points[id], counts[id][0], -counts[id][2]) for id in ids}
        order = sorted(ids, key=lambda id: keys[id], reverse=True)
        ranks = shared_ranks(order, keys)
    elif kind == "knockout":
        points = match_points(ids, tournament.scores())
        reached = {id: rounds_survived(tournament, id) for id in ids}
        order = sorted(ids, key=lambda id: reached[id], reverse=True)
        ranks = shared_ranks(order, reached)
    else:
        rows = standings(ids, tournament.scores())
        order = [row.id for row in rows]
        ranks = {row.id: row.rank for row in rows}
        points = {row.id: row.points for row in rows}
        tie_breaks = {row.id: (row.opponents_matches, row.games, row.opponents_games) for row in rows}
    return [RankedEntrant(ranks[id], id, points[id], *counts[id], tie_breaks[id], tuple(cells[id])) for id in order]


def count_results(cells: list[StandingCell]) -> tuple[int, int, int]:
    """Return the matches won (byes included), drawn and lost."""
    results = [cell.result for cell in cells]
    return results.count("won") + results.count("bye"), results.count("drawn"), results.count("lost")


def rounds_survived(tournament: Tournament, id: str) -> int:
    """Return the last round an entrant has survived in a knock-out."""
    reached = 0
    for paired in tournament.rounds:
        if id in paired.byes or id in paired.through:
            reached = paired.round
        for pairing in paired.tables:
            if id in (pairing.one, pairing.two):
                table = tournament.tables[paired.round, pairing.number]
                reached = paired.round - (0 if table.winner == id else 1)
    return reached


def make_cells(tournament: Tournament) -> dict[str, list[StandingCell]]:
    cells: dict[str, list[StandingCell]] = {id: [] for id in tournament.entrants}
    runs = arena_points_by_game(cells, tournament.arena_scores()) if tournament.rules.kind == "arena" else {}
    next_index = dict.fromkeys(cells, 0)
    arena_points: dict[tuple[int, int, str], int] = {}
    if runs:
        for table in tournament.decided_tables():
            for id in (table.pairing.one, table.pairing.two):
                arena_points[(*table.key, id)] = runs[id][next_index[id]]
                next_index[id] += 1
    for paired in tournament.rounds:
        for pairing in paired.tables:
            score = tournament.tables[paired.round, pairing.number].score
            for id, opponent in ((pairing.one, pairing.two), (pairing.two, pairing.one)):
                points = 0 if score is None else score.points(id)
                result: CellResult = "open"
                if score is not None:
                    result = "won" if points == WON else "drawn" if points == DRAWN else "lost"
                shown_points = arena_points.get((paired.round, pairing.number, id), 0) if runs else points
                cells[id].append(StandingCell(paired.round, pairing.number, result, opponent, shown_points))
        for id in paired.byes:
            cells[id].append(StandingCell(paired.round, 0, "bye", "", WON))
        for id in paired.through:
            cells[id].append(StandingCell(paired.round, 0, "through", "", 0))
    return cells
