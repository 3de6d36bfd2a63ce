"""``python -m tests.server.swiss``: simulated Swiss tournaments of 5 to 256, round after round against what a round must be.

Up to ten entrants every possible round is looked at; with more, whether a round without a pair that has met exists is asked of
the graph of those pairs alone.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Iterator

from rustworkx import PyGraph, max_weight_matching

from blackpoker.server.tournaments.pairing import SwissEntrant, SwissRound, swiss_round
from blackpoker.server.tournaments.standings import MatchScore, standings

FEW = 10
Cost = tuple[int, int, int]


def every_round(ids: list[str]) -> Iterator[SwissRound]:
    """All there are."""
    if not ids:
        yield SwissRound([], "")
        return
    first, rest = ids[0], ids[1:]
    if len(ids) % 2:
        for pairs, _ in every_round(rest):
            yield SwissRound(pairs, first)
    for place, other in enumerate(rest):
        for pairs, bye in every_round(rest[:place] + rest[place + 1 :]):
            yield SwissRound([(first, other), *pairs], bye)


def cost_of(entrants: dict[str, SwissEntrant], found: SwissRound) -> Cost:
    """Second byes, meetings again, squares of the differences; counted by itself."""
    least = min(one.points for one in entrants.values())
    differences = sum((entrants[one].points - entrants[two].points) ** 2 for one, two in found.pairs)
    met = sum(entrants[one].met.get(two, 0) for one, two in found.pairs)
    if not found.bye:
        return 0, met, differences
    return entrants[found.bye].byes, met, differences + (entrants[found.bye].points - least) ** 2


def can_be_new(entrants: list[SwissEntrant]) -> bool:
    """Whether there is a round in which nobody meets anybody again, or has a second bye."""
    graph: PyGraph[int, int] = PyGraph()
    odd = len(entrants) % 2
    graph.add_nodes_from(range(len(entrants) + odd))
    graph.add_edges_from([
        (one, two, 1) for two, other in enumerate(entrants) for one in range(two) if other.id not in entrants[one].met
    ])  # fmt: skip
    if odd:
        graph.add_edges_from([(one, len(entrants), 1) for one, mine in enumerate(entrants) if not mine.byes])
    return 2 * len(max_weight_matching(graph, True, lambda _: 1)) == len(entrants) + odd


def check(entrants: list[SwissEntrant], found: SwissRound) -> None:
    known = {one.id: one for one in entrants}
    seated = [id for pair in found.pairs for id in pair] + ([found.bye] if found.bye else [])
    assert sorted(seated) == sorted(known), "everybody once"
    assert bool(found.bye) == bool(len(entrants) % 2)
    cost = cost_of(known, found)
    if len(entrants) <= FEW:
        best = min(cost_of(known, other) for other in every_round(list(known)))
        assert cost == best, (cost, best, entrants)
    elif cost[:2] != (0, 0):
        assert not can_be_new(entrants), (cost, entrants)


def tournament(size: int, rounds: int, chance: random.Random, leaves: float = 0.1) -> Counter[str]:
    """One from its first round to its last; some leave on the way, some come late."""
    names = [f"p{number}" for number in range(size)]
    late = {name: chance.randrange(1, 3) for name in names if chance.random() < leaves / 2}
    strength = {name: chance.gauss(0, 1) for name in names}
    scores: list[MatchScore] = []
    gone: set[str] = set()
    counts: Counter[str] = Counter(tournaments=1)
    for number in range(rounds):
        here = [name for name in names if name not in gone and late.get(name, 0) <= number]
        if len(here) < 2:
            break
        points = {line.id: line.points for line in standings(names, scores)}
        entrants = [
            SwissEntrant(
                name,
                points[name],
                Counter(other for one in scores if name in one[:2] and one.two for other in one[:2] if other != name),
                sum(one.one == name and not one.two for one in scores),
            )
            for name in here
        ]
        found = swiss_round(entrants, random.Random(chance.random()))
        check(entrants, found)
        known = {one.id: one for one in entrants}
        byes, met, differences = cost_of(known, found)
        counts.update(rounds=1, pairs=len(found.pairs), met_again=met, second_byes=byes, differences=differences)
        for one, two in found.pairs:
            won = chance.random() < 1 / (1 + math.exp(strength[two] - strength[one]))
            drawn = chance.random() < 0.05
            scores.append(
                MatchScore(one, two, (1, 1, 0) if drawn else (2, chance.randrange(2), 0) if won else (0, 2, 0))
            )
        if found.bye:
            scores.append(MatchScore(found.bye, "", (0, 0, 0)))
        gone |= {name for name in here if chance.random() < leaves / rounds}
    return counts


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tournaments", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    chance = random.Random(given.seed)
    total: Counter[str] = Counter()
    begun = time.monotonic()
    for number in range(given.tournaments):
        size = 256 if number == 0 else round(5 * (256 / 5) ** chance.random())
        rounds = math.ceil(math.log2(size)) + chance.randrange(3) if size > FEW else chance.randrange(3, size + 2)
        total.update(tournament(size, rounds, chance))
        if number % 100 == 99:
            print(number + 1, dict(total), f"{time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
