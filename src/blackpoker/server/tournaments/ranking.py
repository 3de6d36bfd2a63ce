"""Standings of a tournament of any kind, the best first, with the results that led to them."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from blackpoker.server.tournaments.state import Tournament
from blackpoker.server.tournaments.standings import DRAWN, WON, arena_points_by_game, match_points, shared_ranks, standings

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


def rank_entrants(tournament: Tournament) -> list[RankedEntrant]:
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
