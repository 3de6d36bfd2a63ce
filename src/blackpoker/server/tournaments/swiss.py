"""Swiss pairing: a matching of maximum weight (``rustworkx``).

A round avoids, in this order: a second bye, a repeated pair, a difference of points. The lot decides between equal
rounds. All entrants are paired; with an odd number one has a bye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

#: weight range of the lot per pair, and weight of one point of difference, which exceeds the lot of all pairs
LOT_RANGE: Final = 1 << 10
POINT_WEIGHT: Final = 1 << 20


class SwissEntrant(NamedTuple):
    """An entrant of the next round. ``met``: number of games by opponent."""

    id: str
    points: int
    opponents: Mapping[str, int]
    byes: int


class SwissRound(NamedTuple):
    """``bye``: the entrant without an opponent; empty if there is none."""

    pairs: list[tuple[str, str]]
    bye: str


def swiss_round(entrants: Sequence[SwissEntrant], rng: Random) -> SwissRound:
    """Return the next round; deterministic for the same entrants in the same order and the same lot. Raise `ValueError`
    for a duplicate entrant."""
    from rustworkx import PyGraph, max_weight_matching  # imported on use: slow to load

    if len({first.id for first in entrants}) != len(entrants):
        raise ValueError("somebody is entered twice")
    costs = pair_costs(entrants, rng)
    max_cost = max(costs.values(), default=0) + 1
    graph: PyGraph[int, int] = PyGraph()
    graph.add_nodes_from(range(len(entrants) + len(entrants) % 2))
    graph.add_edges_from([(first, second, max_cost - cost) for (first, second), cost in costs.items()])
    pairs: list[tuple[str, str]] = []
    bye = ""
    for first, second in sorted(
        tuple(sorted(pair)) for pair in max_weight_matching(graph, True, lambda weight: weight)
    ):
        if second == len(entrants):
            bye = entrants[first].id
        else:
            pairs.append((entrants[first].id, entrants[second].id))
    return SwissRound(pairs, bye)


def pair_costs(entrants: Sequence[SwissEntrant], rng: Random) -> dict[tuple[int, int], int]:
    """Return the cost of each pair, by index; with an odd number the index after the last is the bye."""
    points = [first.points for first in entrants]
    least = min(points, default=0)
    max_difference = (max(points, default=0) - least) ** 2
    repeat_cost = (len(entrants) * (max_difference + 1) + 1) * POINT_WEIGHT  # more than all differences together
    bye_cost = repeat_cost * (
        1 + sum(sum(first.opponents.values()) for first in entrants)
    )  # more than all repeated pairs
    costs = {}
    for second, entrant2 in enumerate(entrants):
        for first in range(second):
            entrant1 = entrants[first]
            difference = (entrant1.points - entrant2.points) ** 2
            costs[first, second] = (
                repeat_cost * entrant1.opponents.get(entrant2.id, 0)
                + POINT_WEIGHT * difference
                + rng.randrange(LOT_RANGE)
            )
    if len(entrants) % 2:
        for first, entrant1 in enumerate(entrants):
            difference = (entrant1.points - least) ** 2  # the entrant with the fewest points gets it
            costs[first, len(entrants)] = (
                bye_cost * entrant1.byes + POINT_WEIGHT * difference + rng.randrange(LOT_RANGE)
            )
    return costs
