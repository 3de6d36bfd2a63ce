"""Who plays whom in a round of a Swiss tournament: a matching of maximum weight (``rustworkx``).

What a round avoids, the first before everything after it: a second bye, a pair that has met, a difference of points.
Between what is then equal the lot decides. Nobody is left out; with an odd number one has a bye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

#: what the lot may weigh in one pair, and what one point of difference weighs more than the lot in all pairs
LOT: Final = 1 << 10
POINT: Final = 1 << 20


class SwissEntrant(NamedTuple):
    """Somebody who plays the next round. ``met``: how often he has played whom."""

    id: str
    points: int
    met: Mapping[str, int]
    byes: int


class SwissRound(NamedTuple):
    """``bye``: who plays nobody; empty where everybody plays."""

    pairs: list[tuple[str, str]]
    bye: str


def swiss_round(entrants: Sequence[SwissEntrant], lot: Random) -> SwissRound:
    """The next round. The same entrants in the same order and the same lot give the same round."""
    from rustworkx import PyGraph, max_weight_matching  # when it is needed: it takes long to load

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
    """What each pair costs, by their places; with an odd number the place after the last is the bye."""
    points = [one.points for one in entrants]
    least = min(points, default=0)
    widest = (max(points, default=0) - least) ** 2
    met = (len(entrants) * (widest + 1) + 1) * POINT  # more than all differences together
    again = met * (1 + sum(sum(one.met.values()) for one in entrants))  # more than all pairs that have met
    costs = {}
    for two, other in enumerate(entrants):
        for one in range(two):
            mine = entrants[one]
            difference = (mine.points - other.points) ** 2
            costs[one, two] = met * mine.met.get(other.id, 0) + POINT * difference + lot.randrange(LOT)
    if len(entrants) % 2:
        for one, mine in enumerate(entrants):
            difference = (mine.points - least) ** 2  # who has least has the bye
            costs[one, len(entrants)] = again * mine.byes + POINT * difference + lot.randrange(LOT)
    return costs
