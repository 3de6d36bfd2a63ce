"""``python -m tests.long.swiss``: simulated tournaments of 5 to 256 entrants of every kind, each round checked.

Up to ten entrants, every possible round is compared; with more, the existence of a round without a repeated pair is
decided on the graph of the pairs alone.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any

from rustworkx import PyGraph, max_weight_matching

from blackpoker.server.rooms.seats import MessageRefused
from blackpoker.server.tournaments.commands import close, enter, rejoin
from blackpoker.server.tournaments.events import (
    AnyEvent,
    TableReplayed,
    TournamentAnnounced,
    TournamentRules,
    Withdrew,
    decode_event,
    encode_event,
    entrant_id,
)
from blackpoker.server.tournaments.pairing import pair_round, round_events, swiss_entrants
from blackpoker.server.tournaments.results import RoomEnd, TableGame, decide_table, recount
from blackpoker.server.tournaments.standings import rank_entrants
from blackpoker.server.tournaments.state import Entrant, NextStep, TournamentMatch, replay
from blackpoker.server.tournaments.swiss import SwissEntrant, SwissRound

MAX_EXHAUSTIVE = 10
#: a round robin with more entrants takes long
MAX_ROBIN = 40
Cost = tuple[int, int, int]


def possible_rounds(ids: list[str]) -> Iterator[SwissRound]:
    """Yield all possible rounds."""
    if not ids:
        yield SwissRound([], "")
        return
    first, rest = ids[0], ids[1:]
    if len(ids) % 2:
        for pairs, _ in possible_rounds(rest):
            yield SwissRound(pairs, first)
    for place, other in enumerate(rest):
        for pairs, bye in possible_rounds(rest[:place] + rest[place + 1 :]):
            yield SwissRound([(first, other), *pairs], bye)


def cost_of(entrants: dict[str, SwissEntrant], found: SwissRound) -> Cost:
    """Return second byes, repeated pairs and squared differences, computed independently."""
    least = min(one.points for one in entrants.values())
    differences = sum((entrants[one].points - entrants[two].points) ** 2 for one, two in found.pairs)
    met = sum(entrants[one].opponents.get(two, 0) for one, two in found.pairs)
    if not found.bye:
        return 0, met, differences
    return entrants[found.bye].byes, met, differences + (entrants[found.bye].points - least) ** 2


def has_fresh_round(entrants: list[SwissEntrant]) -> bool:
    """Return whether a round without repeated pairs and second byes exists."""
    graph: PyGraph[int, int] = PyGraph()
    odd = len(entrants) % 2
    graph.add_nodes_from(range(len(entrants) + odd))
    graph.add_edges_from(
        [
            (one, two, 1)
            for two, other in enumerate(entrants)
            for one in range(two)
            if other.id not in entrants[one].opponents
        ]
    )
    if odd:
        graph.add_edges_from([(one, len(entrants), 1) for one, mine in enumerate(entrants) if not mine.byes])
    return 2 * len(max_weight_matching(graph, True, lambda _: 1)) == len(entrants) + odd


def check(entrants: list[SwissEntrant], found: SwissRound) -> None:
    known = {one.id: one for one in entrants}
    seated = [id for pair in found.pairs for id in pair] + ([found.bye] if found.bye else [])
    assert sorted(seated) == sorted(known), "everybody once"
    assert bool(found.bye) == bool(len(entrants) % 2)
    cost = cost_of(known, found)
    if len(entrants) <= MAX_EXHAUSTIVE:
        best = min(cost_of(known, other) for other in possible_rounds(list(known)))
        assert cost == best, (cost, best, entrants)
    elif cost[:2] != (0, 0):
        assert not has_fresh_round(entrants), (cost, entrants)


class Simulated:
    """A tournament of simulated entrants, driven by the events a server would write."""

    def __init__(self, size: int, chance: random.Random, leaves: float = 0.1, **rules: Any) -> None:
        self.chance = chance
        self.leaves = leaves
        self.counts: Counter[str] = Counter(tournaments=1)
        self.now = 1000.0
        self.acts: list[AnyEvent] = [TournamentAnnounced(self.now, "host", "Host", TournamentRules("T", **rules))]
        self.state = replay("t", self.acts)
        self.ends: dict[str, RoomEnd] = {}
        self.rooms: Iterator[str] = iter(())
        names = [f"p{number}" for number in range(size)]
        self.strength = {entrant_id("t", name): chance.gauss(0, 1) for name in names}
        self.late = {name: chance.randrange(1, 3) for name in names[2:] if chance.random() < leaves / 2}
        for name in names:
            if name not in self.late:
                self.enter(name)

    def apply(self, *acts: AnyEvent) -> None:
        for act in acts:
            self.acts.append(act)
            self.state.apply(act)

    def enter(self, name: str) -> None:
        self.apply(*enter(self.state, Entrant("", name, name), False, self.now))

    def play(self, most: int = 1000) -> Counter[str]:
        """Play from the first round to the last; some entrants leave, some arrive late, some return. Return the counts."""
        while self.state.round_number < most:
            step = self.state.next_step(self.now) if self.state.round_number else NextStep("pair", self.now)
            if step.kind == "close" or (
                not step.kind and not self.state.open_tables and self.state.rules.kind != "arena"
            ):
                break
            self.now = self.now + 1 if math.isinf(step.at) else max(self.now, step.at) + 1
            if step.kind == "pair":
                self.pair()
            self.decide()
            self.change_entrants()
        while self.state.open_tables:
            self.decide()
        self.apply(*close(self.state, self.now))
        self.check_end()
        return self.counts

    def pair(self) -> None:
        it = self.state
        seed = self.chance.getrandbits(40)
        before = swiss_entrants(it, it.pairable())
        draw = pair_round(it, seed)
        assert draw == pair_round(it, seed), "the same seed, the same round"
        if it.rules.kind == "swiss":
            found = SwissRound(draw.pairs, "".join(draw.byes))
            check(before, found)
            byes, met, differences = cost_of({one.id: one for one in before}, found)
            self.counts.update(met_again=met, second_byes=byes, differences=differences)
        busy = it.playing()
        assert not busy & {id for pair in draw.pairs for id in pair}, "nobody sits at two tables"
        self.counts.update(rounds=1, pairs=len(draw.pairs))
        self.rooms = (f"{it.round_number + 1}.{number}" for number in count(1))
        acts = round_events(it, seed, self.now, lambda: next(self.rooms))
        self.apply(*acts)
        assert it.rules.kind == "arena" or acts

    def decide(self) -> None:
        """End every table; in an arena only some, so that others are paired meanwhile."""
        for table in list(self.state.open_tables.values()):
            if self.state.rules.kind == "arena" and self.chance.random() < 0.4:
                continue
            while table.decided is None:
                self.now += 0.01
                self.ends[table.room] = end = self.end(table)
                decision = decide_table(self.state, table, end, self.now)
                room = f"{table.room}+"
                self.apply(TableReplayed(self.now, *table.key, room) if decision is None else decision)
                for id, came in zip((table.pairing.one, table.pairing.two), end.arrived, strict=True):
                    if not came:
                        self.apply(Withdrew(self.now, id, "missed"))

    def end(self, table: TournamentMatch) -> RoomEnd:
        one, two = table.pairing.one, table.pairing.two
        came = (self.chance.random() > self.leaves / 5, self.chance.random() > self.leaves / 5)
        if not all(came):
            return RoomEnd([], came)
        if self.chance.random() < 0.1:
            return RoomEnd([TableGame(table.room, "draw", self.chance.choice(("turns", "turns", "abandoned")))])
        won = self.chance.random() < 1 / (1 + math.exp(self.strength[two] - self.strength[one]))
        return RoomEnd([TableGame(table.room, "p1" if won else "p2", "life")])

    def change_entrants(self) -> None:
        for id, one in list(self.state.entrants.items()):
            if one.absence == "break" or (one.absence == "missed" and self.chance.random() < 0.5):
                self.apply(*rejoin(self.state, one, self.now))
            elif self.chance.random() < self.leaves / max(1, self.state.total_rounds):
                self.apply(Withdrew(self.now, id, self.chance.choice(("break", "host"))))
        for name in [name for name, number in self.late.items() if number <= self.state.round_number]:
            del self.late[name]
            with contextlib.suppress(MessageRefused):
                self.enter(name)

    def check_end(self) -> None:
        """Check what must hold at the end of any tournament."""
        it = self.state
        byes = Counter(id for paired in it.rounds for id in paired.byes)
        assert max(byes.values(), default=0) <= 1, "one bye each at most"
        again = replay("t", [decode_event(encode_event(act)) for act in self.acts])
        table = rank_entrants(it)
        assert rank_entrants(again) == table, "the acts say everything"
        assert rank_entrants(recount("t", self.acts, self.ends)) == table, "and so do the records"
        if it.rules.kind == "robin" and it.phase == "over":
            met = Counter(frozenset((one.pairing.one, one.pairing.two)) for one in it.tables.values())
            assert len(met) == len(it.starters) * (len(it.starters) - 1) / 2
            assert set(met.values()) == {1}, "everybody once against everybody"
        if it.rules.kind == "knockout":
            losses = Counter(
                id for one in it.tables.values() for id in (one.pairing.one, one.pairing.two) if id != one.winner
            )
            assert max(losses.values()) == 1, "who has lost is out"
            assert len(it.survivors()) <= 1


def tournament(size: int, rounds: int, chance: random.Random, leaves: float = 0.1) -> Counter[str]:
    """Play a Swiss tournament from its first round to its last; return the counts."""
    return Simulated(size, chance, leaves, rounds=rounds).play()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    total: Counter[str] = Counter()
    started = time.monotonic()
    for number in range(given.tournaments):
        size = 256 if number == 0 else round(5 * (256 / 5) ** chance.random())
        rounds = (
            math.ceil(math.log2(size)) + chance.randrange(3) if size > MAX_EXHAUSTIVE else chance.randrange(3, size + 2)
        )
        total.update(tournament(size, min(rounds, 20), chance))
        for kind, most in (("knockout", 1000), ("robin", 1000), ("arena", 20)):
            if kind != "robin" or size <= MAX_ROBIN:
                Simulated(size, chance, kind=kind).play(most)
                total.update({kind: 1})
        if number % 100 == 99:
            print(number + 1, dict(total), f"{time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
