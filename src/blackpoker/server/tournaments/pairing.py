"""Pairing of the next round, by the kind of tournament and a seeded lot. Pure: the same state and seed give the same
round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from random import Random
from typing import Final, NamedTuple

from blackpoker.server.tournaments.events import AnyEvent, Pairing, RoundPaired, TableDecided
from blackpoker.server.tournaments.standings import arena_points_by_game, match_points
from blackpoker.server.tournaments.state import Tournament
from blackpoker.server.tournaments.swiss import SwissEntrant, swiss_round

#: arena: the last opponents an entrant does not meet again while there are others
RECENT_OPPONENTS: Final = 3

Pair = tuple[str, str]


class RoundPairings(NamedTuple):
    """``pairs``: the first of each is at p1; ``forfeits``: paired entrants who have left and lose without a game."""

    pairs: list[Pair]
    byes: Sequence[str] = ()
    through: Sequence[str] = ()
    forfeits: frozenset[str] = frozenset()


def pair_round(tournament: Tournament, seed: int) -> RoundPairings:
    """Return the next round; an arena's may be empty."""
    rng = Random(seed)
    pairings = {"swiss": pair_swiss, "knockout": pair_knockout, "robin": pair_round_robin, "arena": pair_arena}[
        tournament.rules.kind
    ](tournament, rng)
    return pairings._replace(pairs=assign_seats(tournament, pairings.pairs, rng))


def round_events(tournament: Tournament, seed: int, now: float, new_room: Callable[[], str]) -> list[AnyEvent]:
    """Return the events of the next round, with the tables decided at once; empty if an arena has no pair."""
    pairings = pair_round(tournament, seed)
    number = tournament.round_number + 1
    used_numbers = {key[1] for key in tournament.open_tables}
    numbers = (table for table in count(1) if table not in used_numbers)
    tables = [Pairing(next(numbers), one, two, new_room()) for one, two in pairings.pairs]
    if not tables and not pairings.byes and not pairings.through:
        return []
    events: list[AnyEvent] = [RoundPaired(now, number, seed, tables, list(pairings.byes), list(pairings.through))]
    wins = tournament.announced.wins
    for table in tables:
        first, second = (id in pairings.forfeits for id in (table.one, table.two))
        if first or second:
            games = (0, 0, 0) if first and second else (0, wins, 0) if first else (wins, 0, 0)
            events.append(TableDecided(now, number, table.number, "left", games, first and second))
    return events


def assign_seats(tournament: Tournament, pairs: Iterable[Pair], rng: Random) -> list[Pair]:
    """Return the pairs with p1 first: the one who has been p1 less often, else by lot."""
    times_first = Counter(table.pairing.one for table in tournament.tables.values())
    out = []
    for one, two in pairs:
        difference = times_first[one] - times_first[two]
        swapped = difference > 0 or (difference == 0 and rng.random() < 0.5)
        out.append((two, one) if swapped else (one, two))
    return out


def swiss_entrants(tournament: Tournament, ids: Sequence[str]) -> list[SwissEntrant]:
    points = match_points(tournament.entrants, tournament.scores())
    met: dict[str, Counter[str]] = {id: Counter() for id in tournament.entrants}
    byes: Counter[str] = Counter(id for paired in tournament.rounds for id in paired.byes)
    for table in tournament.tables.values():
        met[table.pairing.one][table.pairing.two] += 1
        met[table.pairing.two][table.pairing.one] += 1
    return [SwissEntrant(id, points[id], met[id], byes[id]) for id in ids]


def pair_swiss(tournament: Tournament, rng: Random) -> RoundPairings:
    entrants = swiss_entrants(tournament, tournament.pairable())
    points = {entrant.id: entrant.points for entrant in entrants}
    result = swiss_round(entrants, rng)
    pairs = sorted(result.pairs, key=lambda pair: -(points[pair[0]] + points[pair[1]]))  # the best table first
    return RoundPairings(pairs, [result.bye] if result.bye else [])


def pair_knockout(tournament: Tournament, rng: Random) -> RoundPairings:
    """Return a knock-out round: a bracket by lot, byes in its first round only. If both of a table have lost, one of
    the next round advances without an opponent."""
    if not tournament.rounds:
        order = tournament.pairable()
        rng.shuffle(order)
        bracket_size = 1
        while 2 * bracket_size < len(order):
            bracket_size *= 2
        tables = len(order) - bracket_size  # each of these eliminates one; a full bracket remains
        return RoundPairings(
            list(zip(order[: 2 * tables : 2], order[1 : 2 * tables : 2], strict=True)), order[2 * tables :]
        )
    remaining = tournament.survivors()
    through: list[str] = []
    if len(remaining) % 2:
        free_rounds = Counter(id for paired in tournament.rounds for id in (*paired.byes, *paired.through))
        through = [min(reversed(remaining), key=lambda id: free_rounds[id])]
        remaining = [id for id in remaining if id not in through]
    pairs = list(zip(remaining[::2], remaining[1::2], strict=True))
    return RoundPairings(pairs, (), through, forfeits_of(tournament, pairs))


def pair_round_robin(tournament: Tournament, rng: Random) -> RoundPairings:
    """Return a round-robin round by the circle method. With an odd number one place is empty and gives its opponent a
    bye."""
    circle = tournament.starters[:] or tournament.pairable()
    (Random(tournament.rounds[0].seed) if tournament.rounds else rng).shuffle(circle)
    if len(circle) % 2:
        circle.append("")
    rotation = tournament.round_number % (len(circle) - 1)
    circle = [circle[0], *circle[1 + rotation :], *circle[1 : 1 + rotation]]
    half = len(circle) // 2
    pairs = [pair for pair in zip(circle[:half], reversed(circle[half:]), strict=True) if all(pair)]
    seats = {id for pair in pairs for id in pair}
    return RoundPairings(pairs, [id for id in circle if id and id not in seats], (), forfeits_of(tournament, pairs))


def forfeits_of(tournament: Tournament, pairs: Iterable[Pair]) -> frozenset[str]:
    present = set(tournament.pairable())
    return frozenset(id for pair in pairs for id in pair if id not in present)


def pair_arena(tournament: Tournament, rng: Random) -> RoundPairings:
    """Return the pairs of free players, by points. Of an odd number the one who has waited least is left out, and so
    are two who have just played each other, unless all are free."""
    busy = tournament.playing()
    free = [id for id in tournament.pairable() if id not in busy]
    if len(free) < 2:
        return RoundPairings([])
    points = {id: sum(run) for id, run in arena_points_by_game(tournament.entrants, tournament.arena_scores()).items()}
    opponents: dict[str, list[str]] = {id: [] for id in tournament.entrants}
    since = {id: tournament.entrants[id].since for id in free}
    for table in tournament.decided_tables():
        one, two = table.pairing.one, table.pairing.two
        opponents[one].append(two)
        opponents[two].append(one)
        since |= {id: max(since[id], table.decided_at) for id in (one, two) if id in since}
    least_waited = sorted(free, key=lambda id: (-since[id], id))
    entrants = [
        SwissEntrant(id, points[id], Counter(opponents[id][-RECENT_OPPONENTS:]), index)
        for index, id in enumerate(least_waited)
    ]
    result = swiss_round(entrants, rng)
    pairs = [(one, two) for one, two in result.pairs if not (busy and two in opponents[one][-1:])]
    return RoundPairings(pairs)
