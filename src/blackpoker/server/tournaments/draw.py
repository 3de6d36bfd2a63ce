"""Pairing of the next round, by the kind of tournament and a seeded lot. Pure: the same state and seed give the same
round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from random import Random
from typing import Final, NamedTuple

from blackpoker.server.tournaments.acts import AnyAct, Decided, PairedTable, RoundPaired
from blackpoker.server.tournaments.course import Tournament
from blackpoker.server.tournaments.pairing import SwissEntrant, swiss_round
from blackpoker.server.tournaments.standings import arena_runs, points_of

#: arena: the last opponents an entrant does not meet again while there are others
RECENT: Final = 3

Pair = tuple[str, str]


class RoundDraw(NamedTuple):
    """``pairs``: the first of each is at p1; ``forfeits``: paired entrants who have left and lose without a game."""

    pairs: list[Pair]
    byes: Sequence[str] = ()
    through: Sequence[str] = ()
    forfeits: frozenset[str] = frozenset()


def draw_round(tournament: Tournament, seed: int) -> RoundDraw:
    """Return the next round; an arena's may be empty."""
    lot = Random(seed)
    draw = {"swiss": swiss, "knockout": knockout, "robin": robin, "arena": arena}[tournament.rules.kind](
        tournament, lot
    )
    return draw._replace(pairs=seated(tournament, draw.pairs, lot))


def round_acts(tournament: Tournament, seed: int, now: float, new_room: Callable[[], str]) -> list[AnyAct]:
    """Return the events of the next round, with the tables decided at once; empty if an arena has no pair."""
    draw = draw_round(tournament, seed)
    number = tournament.round + 1
    taken = {key[1] for key in tournament.open}
    free = (table for table in count(1) if table not in taken)
    tables = [PairedTable(next(free), one, two, new_room()) for one, two in draw.pairs]
    if not tables and not draw.byes and not draw.through:
        return []
    acts: list[AnyAct] = [RoundPaired(now, number, seed, tables, list(draw.byes), list(draw.through))]
    wins = tournament.announced.wins
    for table in tables:
        first, second = (id in draw.forfeits for id in (table.one, table.two))
        if first or second:
            games = (0, 0, 0) if first and second else (0, wins, 0) if first else (wins, 0, 0)
            acts.append(Decided(now, number, table.number, "left", games, first and second))
    return acts


def seated(tournament: Tournament, pairs: Iterable[Pair], lot: Random) -> list[Pair]:
    """Return the pairs with p1 first: the one who has been p1 less often, else by lot."""
    first = Counter(table.seat.one for table in tournament.tables.values())
    out = []
    for one, two in pairs:
        lean = first[one] - first[two]
        turned = lean > 0 or (lean == 0 and lot.random() < 0.5)
        out.append((two, one) if turned else (one, two))
    return out


def entrants_of(tournament: Tournament, ids: Sequence[str]) -> list[SwissEntrant]:
    points = points_of(tournament.entrants, tournament.scores())
    met: dict[str, Counter[str]] = {id: Counter() for id in tournament.entrants}
    byes: Counter[str] = Counter(id for paired in tournament.paired for id in paired.byes)
    for table in tournament.tables.values():
        met[table.seat.one][table.seat.two] += 1
        met[table.seat.two][table.seat.one] += 1
    return [SwissEntrant(id, points[id], met[id], byes[id]) for id in ids]


def swiss(tournament: Tournament, lot: Random) -> RoundDraw:
    entrants = entrants_of(tournament, tournament.present())
    points = {one.id: one.points for one in entrants}
    found = swiss_round(entrants, lot)
    pairs = sorted(found.pairs, key=lambda pair: -(points[pair[0]] + points[pair[1]]))  # the best table first
    return RoundDraw(pairs, [found.bye] if found.bye else [])


def knockout(tournament: Tournament, lot: Random) -> RoundDraw:
    """Return a knock-out round: a bracket by lot, byes in its first round only. If both of a table have lost, one of
    the next round advances without an opponent."""
    if not tournament.paired:
        order = tournament.present()
        lot.shuffle(order)
        full = 1
        while 2 * full < len(order):
            full *= 2
        tables = len(order) - full  # each of these eliminates one; a full bracket remains
        return RoundDraw(
            list(zip(order[: 2 * tables : 2], order[1 : 2 * tables : 2], strict=True)), order[2 * tables :]
        )
    left = tournament.survivors()
    through: list[str] = []
    if len(left) % 2:
        lucky = Counter(id for paired in tournament.paired for id in (*paired.byes, *paired.through))
        through = [min(reversed(left), key=lambda id: lucky[id])]
        left = [id for id in left if id not in through]
    pairs = list(zip(left[::2], left[1::2], strict=True))
    return RoundDraw(pairs, (), through, gone_of(tournament, pairs))


def robin(tournament: Tournament, lot: Random) -> RoundDraw:
    """Return a round-robin round by the circle method. With an odd number one place is empty and gives its opponent a
    bye."""
    circle = tournament.field[:] or tournament.present()
    (Random(tournament.paired[0].seed) if tournament.paired else lot).shuffle(circle)
    if len(circle) % 2:
        circle.append("")
    turns = tournament.round % (len(circle) - 1)
    circle = [circle[0], *circle[1 + turns :], *circle[1 : 1 + turns]]
    half = len(circle) // 2
    pairs = [pair for pair in zip(circle[:half], reversed(circle[half:]), strict=True) if all(pair)]
    seats = {id for pair in pairs for id in pair}
    return RoundDraw(pairs, [id for id in circle if id and id not in seats], (), gone_of(tournament, pairs))


def gone_of(tournament: Tournament, pairs: Iterable[Pair]) -> frozenset[str]:
    here = set(tournament.present())
    return frozenset(id for pair in pairs for id in pair if id not in here)


def arena(tournament: Tournament, lot: Random) -> RoundDraw:
    """Return the pairs of free players, by points. Of an odd number the one who has waited least is left out, and so
    are two who have just played each other, unless all are free."""
    busy = tournament.playing()
    free = [id for id in tournament.present() if id not in busy]
    if len(free) < 2:
        return RoundDraw([])
    points = {id: sum(run) for id, run in arena_runs(tournament.entrants, tournament.arena_scores()).items()}
    last: dict[str, list[str]] = {id: [] for id in tournament.entrants}
    since = {id: tournament.entrants[id].since for id in free}
    for table in tournament.in_order():
        one, two = table.seat.one, table.seat.two
        last[one].append(two)
        last[two].append(one)
        since |= {id: max(since[id], table.decided_at) for id in (one, two) if id in since}
    youngest = sorted(free, key=lambda id: (-since[id], id))
    entrants = [SwissEntrant(id, points[id], Counter(last[id][-RECENT:]), place) for place, id in enumerate(youngest)]
    found = swiss_round(entrants, lot)
    pairs = [(one, two) for one, two in found.pairs if not (busy and two in last[one][-1:])]
    return RoundDraw(pairs)
