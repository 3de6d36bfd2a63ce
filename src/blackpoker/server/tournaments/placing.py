"""Standings of a tournament of any kind, the best first, with the results that led to them."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from blackpoker.server.tournaments.course import Tournament
from blackpoker.server.tournaments.standings import DRAWN, WON, arena_runs, points_of, shared_places, standings

#: won, drawn, lost, a bye, advanced without a game, open
CellResult = Literal["won", "drawn", "lost", "bye", "through", "open"]


class PlacedCell(NamedTuple):
    """An entrant's result in a round. ``other``: the opponent; ``points``: points scored."""

    round: int
    table: int
    result: CellResult
    other: str
    points: int


class PlacedLine(NamedTuple):
    """``ties``: the tie-breaks in their order, of a Swiss tournament and a round robin."""

    place: int
    id: str
    points: int
    won: int
    drawn: int
    lost: int
    ties: tuple[Fraction, ...]
    cells: tuple[PlacedCell, ...]


def placed(tournament: Tournament) -> list[PlacedLine]:
    cells = cells_of(tournament)
    ids = list(tournament.entrants)
    counts = {id: tally(cells[id]) for id in ids}
    ties: dict[str, tuple[Fraction, ...]] = dict.fromkeys(ids, ())
    kind = tournament.rules.kind
    if kind == "arena":
        points = {id: sum(cell.points for cell in cells[id]) for id in ids}
        keys = {id: (points[id], counts[id][0], -counts[id][2]) for id in ids}
        order = sorted(ids, key=lambda id: keys[id], reverse=True)
        places = shared_places(order, keys)
    elif kind == "knockout":
        points = points_of(ids, tournament.scores())
        reached = {id: rounds_survived(tournament, id) for id in ids}
        order = sorted(ids, key=lambda id: reached[id], reverse=True)
        places = shared_places(order, reached)
    else:
        lines = standings(ids, tournament.scores())
        order = [line.id for line in lines]
        places = {line.id: line.place for line in lines}
        points = {line.id: line.points for line in lines}
        ties = {line.id: (line.opponents_matches, line.games, line.opponents_games) for line in lines}
    return [PlacedLine(places[id], id, points[id], *counts[id], ties[id], tuple(cells[id])) for id in order]


def tally(cells: list[PlacedCell]) -> tuple[int, int, int]:
    """Return the matches won (byes included), drawn and lost."""
    results = [cell.result for cell in cells]
    return results.count("won") + results.count("bye"), results.count("drawn"), results.count("lost")


def rounds_survived(tournament: Tournament, id: str) -> int:
    """Return the last round an entrant has survived in a knock-out."""
    reached = 0
    for paired in tournament.paired:
        if id in paired.byes or id in paired.through:
            reached = paired.round
        for seat in paired.tables:
            if id in (seat.one, seat.two):
                table = tournament.tables[paired.round, seat.number]
                reached = paired.round - (0 if table.winner == id else 1)
    return reached


def cells_of(tournament: Tournament) -> dict[str, list[PlacedCell]]:
    cells: dict[str, list[PlacedCell]] = {id: [] for id in tournament.entrants}
    runs = arena_runs(cells, tournament.arena_scores()) if tournament.rules.kind == "arena" else {}
    places = dict.fromkeys(cells, 0)
    brought: dict[tuple[int, int, str], int] = {}
    if runs:
        for table in tournament.in_order():
            for id in (table.seat.one, table.seat.two):
                brought[(*table.key, id)] = runs[id][places[id]]
                places[id] += 1
    for paired in tournament.paired:
        for seat in paired.tables:
            score = tournament.tables[paired.round, seat.number].score
            for id, other in ((seat.one, seat.two), (seat.two, seat.one)):
                points = 0 if score is None else score.points(id)
                result: CellResult = "open"
                if score is not None:
                    result = "won" if points == WON else "drawn" if points == DRAWN else "lost"
                told = brought.get((paired.round, seat.number, id), 0) if runs else points
                cells[id].append(PlacedCell(paired.round, seat.number, result, other, told))
        for id in paired.byes:
            cells[id].append(PlacedCell(paired.round, 0, "bye", "", WON))
        for id in paired.through:
            cells[id].append(PlacedCell(paired.round, 0, "through", "", 0))
    return cells
