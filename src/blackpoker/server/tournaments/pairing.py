"""Swiss pairing: a matching of maximum weight (``rustworkx``).

A round avoids, in this order: a second bye, a repeated pair, a difference of points. The lot decides between equal
rounds. All entrants are paired; with an odd number one has a bye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

#: weight range of the lot per pair, and weight of one point of difference, which exceeds the lot of all pairs
LOT: Final = 1 << 10
POINT: Final = 1 << 20


class SwissEntrant(NamedTuple):
    """An entrant of the next round. ``met``: number of games by opponent."""

    id: str
    points: int
    met: Mapping[str, int]
    byes: int


class SwissRound(NamedTuple):
    """``bye``: the entrant without an opponent; empty if there is none."""

    pairs: list[tuple[str, str]]
    bye: str


def swiss_round(entrants: Sequence[SwissEntrant], lot: Random) -> SwissRound:
    """Return the next round; deterministic for the same entrants in the same order and the same lot. Raise `ValueError`
    for a duplicate entrant."""
    from rustworkx import PyGraph, max_weight_matching  # imported on use: slow to load

    if len({one.id for one in entrants}) != len(entrants):
        raise ValueError("somebody is entered twice")
    costs = costs_of(entrants, lot)
    most = max(costs.values(), default=0) + 1
    graph: PyGraph[int, int] = PyGraph()
    graph.add_nodes_from(range(len(entrants) + len(entrants) % 2))
    graph.add_edges_from([(one, two, most - cost) for (one, two), cost in costs.items()])
    pairs: list[tuple[str, str]] = []
    bye = ""
    for one, two in sorted(tuple(sorted(pair)) for pair in max_weight_matching(graph, True, lambda weight: weight)):
        if two == len(entrants):
            bye = entrants[one].id
        else:
            pairs.append((entrants[one].id, entrants[two].id))
    return SwissRound(pairs, bye)


def costs_of(entrants: Sequence[SwissEntrant], lot: Random) -> dict[tuple[int, int], int]:
    """Return the cost of each pair, by index; with an odd number the index after the last is the bye."""
    points = [one.points for one in entrants]
    least = min(points, default=0)
    widest = (max(points, default=0) - least) ** 2
    met = (len(entrants) * (widest + 1) + 1) * POINT  # more than all differences together
    again = met * (1 + sum(sum(one.met.values()) for one in entrants))  # more than all repeated pairs
    costs = {}
    for two, other in enumerate(entrants):
        for one in range(two):
            mine = entrants[one]
            difference = (mine.points - other.points) ** 2
            costs[one, two] = met * mine.met.get(other.id, 0) + POINT * difference + lot.randrange(LOT)
    if len(entrants) % 2:
        for one, mine in enumerate(entrants):
            difference = (mine.points - least) ** 2  # the entrant with the fewest points gets it
            costs[one, len(entrants)] = again * mine.byes + POINT * difference + lot.randrange(LOT)
    return costs
