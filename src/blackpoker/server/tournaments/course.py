"""State of a tournament, computed from its events: entrants, pairings, results. Pure: no clock, no random numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from blackpoker.server.tournaments.acts import (
    Absence,
    Announced,
    AnyAct,
    CameBack,
    Closed,
    Decided,
    Entered,
    HandedIn,
    PairedTable,
    RoundPaired,
    SeatedAgain,
    TournamentRules,
    WentAway,
)
from blackpoker.server.tournaments.standings import MatchScore

#: seconds between two pairings of an arena
WAVE: Final = 4.0
NEVER: Final = math.inf
#: seconds after which a tournament abandoned by its host is closed
FORGOTTEN: Final = 14 * 86_400.0
#: a drawn table of a knock-out is played this many times before the lot decides
MOST_SITTINGS: Final = 3


@dataclass
class Entrant:
    """``away``: reason for not being paired, empty if paired. ``since``: time of entering or returning."""

    id: str
    guest: str
    name: str
    player: str = ""
    crest: str = ""
    since: float = 0.0
    deck: str = ""
    away: Absence | Literal[""] = ""


@dataclass
class TournamentTable:
    """Two opponents in a room; a drawn knock-out match is replayed in another room."""

    round: int
    seat: PairedTable
    at: float
    rooms: list[str] = field(default_factory=list)
    decided: Decided | None = None

    @property
    def key(self) -> tuple[int, int]:
        return self.round, self.seat.number

    @property
    def room(self) -> str:
        return self.rooms[-1]

    @property
    def score(self) -> MatchScore | None:
        done = self.decided
        if done is None:
            return None
        return MatchScore(self.seat.one, self.seat.two, done.games, done.lost)

    @property
    def decided_at(self) -> float:
        return 0.0 if self.decided is None else self.decided.at

    @property
    def winner(self) -> str:
        """Return the winner's id; empty if there is none."""
        done = self.decided
        if done is None or done.lost:
            return ""
        first, second, _ = done.games
        if done.winner:
            return self.seat.one if done.winner == "one" else self.seat.two
        return self.seat.one if first > second else self.seat.two if second > first else ""


class NextStep(NamedTuple):
    """The next automatic step and its time; ``NEVER``: it depends on the host or on players."""

    what: Literal["pair", "close", ""]
    at: float = NEVER


class Tournament:
    def __init__(self, id: str, announced: Announced) -> None:
        self.id = id
        self.announced = announced
        self.rules: TournamentRules = announced.rules
        self.seq: int = 1  # events so far
        self.phase: Literal["open", "running", "over"] = "open"
        self.called_off: bool = False
        self.entrants: dict[str, Entrant] = {}
        self.tables: dict[tuple[int, int], TournamentTable] = {}
        self.open: dict[tuple[int, int], TournamentTable] = {}  # the undecided tables
        self.paired: list[RoundPaired] = []
        self.field: list[str] = []  # those present at the start, in order of entry
        self.begun: float = 0.0
        self.changed: float = announced.at  # time of the last decision or pairing
        self.closed: float = 0.0

    # -- queries -----------------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        return len(self.paired)

    @property
    def total(self) -> int:
        """Number of rounds planned; 0: not known yet, or an arena."""
        count = len(self.field) or len(self.present())
        if self.rules.kind == "arena" or count < 2:
            return 0
        if self.rules.kind == "robin":
            return count - 1 + count % 2
        found = math.ceil(math.log2(count))
        return self.rules.rounds or found if self.rules.kind == "swiss" else found

    @property
    def brings_decks(self) -> bool:
        return self.announced.decks > 0

    @property
    def ends(self) -> float:
        """End time of an arena's pairings."""
        return self.begun + 60 * self.rules.minutes if self.begun else NEVER

    def present(self) -> list[str]:
        """Return the ids the next round pairs."""
        return [one.id for one in self.entrants.values() if not one.away and (one.deck or not self.brings_decks)]

    def playing(self) -> set[str]:
        return {id for table in self.open.values() for id in (table.seat.one, table.seat.two)}

    def of_guest(self, guest: str) -> Entrant | None:
        return next((one for one in self.entrants.values() if one.guest == guest), None) if guest else None

    def table_of(self, id: str) -> TournamentTable | None:
        """Return the open table of an entrant, or None."""
        return next((one for one in self.open.values() if id in (one.seat.one, one.seat.two)), None)

    def scores(self) -> list[MatchScore]:
        """Return the scores of all decided tables, round by round, with byes."""
        found = []
        for paired in self.paired:
            tables = (self.tables[paired.round, table.number] for table in paired.tables)
            found += [score for score in (table.score for table in tables) if score is not None]
            found += [MatchScore(id, "", (0, 0, 0)) for id in paired.byes]
        return found

    def in_order(self) -> list[TournamentTable]:
        """Return the decided tables, in the order they were decided."""
        return sorted(
            (table for table in self.tables.values() if table.decided is not None), key=lambda one: one.decided_at
        )

    def arena_scores(self) -> list[MatchScore]:
        return [score for score in (table.score for table in self.in_order()) if score is not None]

    def survivors(self) -> list[str]:
        """Return the ids still in a knock-out, in bracket order."""
        if not self.paired:
            return []
        last = self.paired[-1]
        through = {*last.byes, *last.through}
        through |= {self.tables[last.round, table.number].winner for table in last.tables}
        return [id for id in self.tree() if id in through]

    def tree(self) -> list[str]:
        """Return a knock-out's bracket: neighbours meet; the first round's tables in their order, then its byes."""
        if not self.paired:
            return []
        first = self.paired[0]
        return [id for table in first.tables for id in (table.one, table.two)] + first.byes

    def next_step(self, now: float) -> NextStep:
        """Return the next automatic step."""
        rules = self.rules
        if self.phase == "over":
            return NextStep("")
        if self.phase == "open":
            return NextStep("pair", rules.starts) if rules.starts else NextStep("close", self.changed + FORGOTTEN)
        if rules.kind == "arena":
            if now >= self.ends:
                return NextStep("") if self.open else NextStep("close", self.ends)
            free = len(set(self.present()) - self.playing())
            return NextStep("pair", self.paired[-1].at + WAVE) if free > 1 else NextStep("")
        if self.open:
            return NextStep("")
        if not self.more_rounds():
            return NextStep("close", self.changed)
        if rules.by_itself:
            return NextStep("pair", self.changed + rules.pause)
        return NextStep("close", self.changed + FORGOTTEN)

    def more_rounds(self) -> bool:
        """Return True if another round follows once the tables of this one are decided."""
        if self.rules.kind == "knockout":
            return len(self.survivors()) > 1
        if self.round >= self.total:
            return False
        here = self.present()
        if self.rules.kind == "robin" or len(here) < 2:
            return self.rules.kind == "robin"
        had = {id for paired in self.paired for id in paired.byes}
        return len(here) % 2 == 0 or not had.issuperset(here)  # no second byes

    # -- events ------------------------------------------------------------------------------------------------------

    def apply(self, act: AnyAct) -> None:
        match act:
            case Entered():
                entrant = Entrant(act.id, act.guest, act.name, act.player, act.crest, act.at)
                self.entrants[act.id] = entrant
            case HandedIn():
                self.entrants[act.id].deck = act.deck
            case WentAway():
                self.entrants[act.id].away = act.why
            case CameBack():
                self.entrants[act.id].away, self.entrants[act.id].since = "", act.at
            case RoundPaired():
                self.pair(act)
            case SeatedAgain():
                table = self.tables[act.round, act.table]
                table.at = act.at
                table.rooms.append(act.room)
            case Decided():
                self.decide(act)
            case Closed():
                self.phase, self.called_off, self.closed = "over", act.called_off, act.at
                self.open = {}
            case Announced():
                raise ValueError("a tournament is announced once")
        self.seq += 1

    def pair(self, act: RoundPaired) -> None:
        if not self.paired:
            self.phase, self.begun = "running", act.at
            self.field = self.present()
        self.paired.append(act)
        self.changed = act.at
        for seat in act.tables:
            table = TournamentTable(act.round, seat, act.at, [seat.room])
            self.tables[table.key] = self.open[table.key] = table

    def decide(self, act: Decided) -> None:
        """Apply a result; the first one counts unless the host corrects it."""
        table = self.tables[act.round, act.table]
        if table.decided is None or act.why == "host":
            table.decided = act
            self.open.pop(table.key, None)
            self.changed = act.at


def tournament_of(id: str, acts: Iterable[AnyAct]) -> Tournament:
    """Return the tournament with all events applied."""
    rest = iter(acts)
    announced = next(rest)
    assert isinstance(announced, Announced)
    found = Tournament(id, announced)
    for act in rest:
        found.apply(act)
    return found
