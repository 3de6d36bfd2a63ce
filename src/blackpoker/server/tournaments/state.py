"""State of a tournament, computed from its events: entrants, pairings, results. Pure: no clock, no random numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import msgspec

from blackpoker.server.tournaments.events import (
    Absence,
    AnyEvent,
    DeckSubmitted,
    EntrantJoined,
    Pairing,
    Rejoined,
    RoundPaired,
    TableDecided,
    TableReplayed,
    TournamentAnnounced,
    TournamentClosed,
    TournamentRenamed,
    TournamentRules,
    Withdrew,
)

#: seconds between two pairings of an arena
ARENA_INTERVAL: Final = 4.0
NEVER: Final = math.inf
#: seconds after which a tournament abandoned by its host is closed
ABANDONED_SECONDS: Final = 14 * 86_400.0
#: a drawn table of a knock-out is played this many times before the lot decides
MAX_REPLAYS: Final = 3
#: points of a match
WON: Final = 3
DRAWN: Final = 1


class MatchScore(NamedTuple):
    """A finished match: games won by each, and drawn. Without ``two``: a bye of ``one``. ``lost``: both lost."""

    one: str
    two: str
    games: tuple[int, int, int]
    lost: bool = False

    def points(self, id: str) -> int:
        if not self.two:
            return WON
        if self.lost:
            return 0
        mine, theirs = self.games[:2] if id == self.one else (self.games[1], self.games[0])
        return WON if mine > theirs else DRAWN if mine == theirs else 0


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
    absence: Absence | Literal[""] = ""
    origin: str = ""


@dataclass
class TournamentMatch:
    """Two opponents in a room; a drawn knock-out match is replayed in another room."""

    round: int
    pairing: Pairing
    started: float
    rooms: list[str] = field(default_factory=list)
    decided: TableDecided | None = None

    @property
    def key(self) -> tuple[int, int]:
        return self.round, self.pairing.number

    @property
    def room(self) -> str:
        return self.rooms[-1]

    @property
    def score(self) -> MatchScore | None:
        decision = self.decided
        if decision is None:
            return None
        return MatchScore(self.pairing.one, self.pairing.two, decision.games, decision.lost)

    @property
    def decided_at(self) -> float:
        return 0.0 if self.decided is None else self.decided.at

    @property
    def winner(self) -> str:
        """Return the winner's id; empty if there is none."""
        decision = self.decided
        if decision is None or decision.lost:
            return ""
        first, second, _ = decision.games
        if decision.winner:
            return self.pairing.one if decision.winner == "one" else self.pairing.two
        return self.pairing.one if first > second else self.pairing.two if second > first else ""


class NextStep(NamedTuple):
    """The next automatic step and its time; ``NEVER``: it depends on the host or on players."""

    kind: Literal["pair", "close", ""]
    at: float = NEVER


class Tournament:
    def __init__(self, id: str, announced: TournamentAnnounced) -> None:
        self.id = id
        self.announced = announced
        self.rules: TournamentRules = announced.rules
        self.seq: int = 1  # events so far
        self.phase: Literal["open", "running", "over"] = "open"
        self.called_off: bool = False
        self.entrants: dict[str, Entrant] = {}
        self.tables: dict[tuple[int, int], TournamentMatch] = {}
        self.open_tables: dict[tuple[int, int], TournamentMatch] = {}  # the undecided tables
        self.rounds: list[RoundPaired] = []
        self.starters: list[str] = []  # those present at the start, in order of entry
        self.started: float = 0.0
        self.last_change: float = announced.at  # time of the last decision or pairing
        self.closed: float = 0.0
        self.ranking: tuple[int, list[Any]] = (0, [])  # the entrants in their order, for a number of events

    # -- queries -----------------------------------------------------------------------------------------------------

    @property
    def round_number(self) -> int:
        return len(self.rounds)

    @property
    def total_rounds(self) -> int:
        """Number of rounds planned; 0: not known yet, or an arena."""
        count = len(self.starters) or len(self.pairable())
        if self.rules.kind == "arena" or count < 2:
            return 0
        if self.rules.kind == "robin":
            return count - 1 + count % 2
        rounds = math.ceil(math.log2(count))
        return self.rules.rounds or rounds if self.rules.kind == "swiss" else rounds

    @property
    def brings_decks(self) -> bool:
        return self.announced.decks > 0

    @property
    def arena_ends(self) -> float:
        """End time of an arena's pairings."""
        return self.started + 60 * self.rules.minutes if self.started else NEVER

    def pairable(self) -> list[str]:
        """Return the ids the next round pairs."""
        return [
            entrant.id
            for entrant in self.entrants.values()
            if not entrant.absence and (entrant.deck or not self.brings_decks)
        ]

    def active_entrants(self) -> list[Entrant]:
        """Return the entrants who take a place: those who are not away. Nobody waits for an entrant on a break."""
        return [entrant for entrant in self.entrants.values() if not entrant.absence]

    def playing(self) -> set[str]:
        return {id for table in self.open_tables.values() for id in (table.pairing.one, table.pairing.two)}

    def find_guest(self, guest: str) -> Entrant | None:
        return next((entrant for entrant in self.entrants.values() if entrant.guest == guest), None) if guest else None

    def open_table_of(self, id: str) -> TournamentMatch | None:
        """Return the open table of an entrant, or None."""
        return next(
            (table for table in self.open_tables.values() if id in (table.pairing.one, table.pairing.two)), None
        )

    def scores(self) -> list[MatchScore]:
        """Return the scores of all decided tables, round by round, with byes."""
        scores = []
        for paired in self.rounds:
            tables = (self.tables[paired.round, table.number] for table in paired.tables)
            scores += [score for score in (table.score for table in tables) if score is not None]
            scores += [MatchScore(id, "", (0, 0, 0)) for id in paired.byes]
        return scores

    def decided_tables(self) -> list[TournamentMatch]:
        """Return the decided tables, in the order they were decided."""
        return sorted(
            (table for table in self.tables.values() if table.decided is not None), key=lambda one: one.decided_at
        )

    def arena_scores(self) -> list[MatchScore]:
        return [score for score in (table.score for table in self.decided_tables()) if score is not None]

    def survivors(self) -> list[str]:
        """Return the ids still in a knock-out, in bracket order."""
        if not self.rounds:
            return []
        last = self.rounds[-1]
        through = {*last.byes, *last.through}
        through |= {self.tables[last.round, table.number].winner for table in last.tables}
        return [id for id in self.bracket() if id in through]

    def bracket(self) -> list[str]:
        """Return a knock-out's bracket: neighbours meet; the first round's tables in their order, then its byes."""
        if not self.rounds:
            return []
        first = self.rounds[0]
        return [id for table in first.tables for id in (table.one, table.two)] + first.byes

    def next_step(self, now: float) -> NextStep:
        """Return the next automatic step."""
        rules = self.rules
        if self.phase == "over":
            return NextStep("")
        if self.phase == "open":
            return (
                NextStep("pair", rules.starts)
                if rules.starts
                else NextStep("close", self.last_change + ABANDONED_SECONDS)
            )
        if rules.kind == "arena":
            if now >= self.arena_ends:
                return NextStep("") if self.open_tables else NextStep("close", self.arena_ends)
            free = len(set(self.pairable()) - self.playing())
            return NextStep("pair", self.rounds[-1].at + ARENA_INTERVAL) if free > 1 else NextStep("")
        if self.open_tables:
            return NextStep("")
        if not self.has_more_rounds():
            return NextStep("close", self.last_change)
        if rules.by_itself:
            return NextStep("pair", self.last_change + rules.pause)
        return NextStep("close", self.last_change + ABANDONED_SECONDS)

    def has_more_rounds(self) -> bool:
        """Return True if another round follows once the tables of this one are decided."""
        if self.rules.kind == "knockout":
            return len(self.survivors()) > 1
        if self.round_number >= self.total_rounds:
            return False
        pairable = self.pairable()
        if self.rules.kind == "robin" or len(pairable) < 2:
            return self.rules.kind == "robin"
        had_bye = {id for paired in self.rounds for id in paired.byes}
        return len(pairable) % 2 == 0 or not had_bye.issuperset(pairable)  # no second byes

    # -- events ------------------------------------------------------------------------------------------------------

    def apply(self, event: AnyEvent) -> None:
        match event:
            case EntrantJoined():
                entrant = Entrant(
                    event.id, event.guest, event.name, event.player, event.crest, event.at, origin=event.origin
                )
                self.entrants[event.id] = entrant
            case DeckSubmitted():
                self.entrants[event.id].deck = event.deck
            case Withdrew():
                self.entrants[event.id].absence = event.why
            case Rejoined():
                self.entrants[event.id].absence, self.entrants[event.id].since = "", event.at
            case RoundPaired():
                self.apply_round(event)
            case TableReplayed():
                table = self.tables[event.round, event.table]
                table.started = event.at
                table.rooms.append(event.room)
            case TableDecided():
                self.apply_decision(event)
            case TournamentRenamed():
                self.rules = msgspec.structs.replace(self.rules, name=event.name)
            case TournamentClosed():
                self.phase, self.called_off, self.closed = "over", event.called_off, event.at
                self.open_tables = {}
            case TournamentAnnounced():
                raise ValueError("a tournament is announced once")
        self.seq += 1

    def apply_round(self, event: RoundPaired) -> None:
        if not self.rounds:
            self.phase, self.started = "running", event.at
            self.starters = self.pairable()
        self.rounds.append(event)
        self.last_change = event.at
        for pairing in event.tables:
            table = TournamentMatch(event.round, pairing, event.at, [pairing.room])
            self.tables[table.key] = self.open_tables[table.key] = table

    def apply_decision(self, event: TableDecided) -> None:
        """Apply a result; the first one counts unless the host corrects it."""
        table = self.tables[event.round, event.table]
        if table.decided is None or event.why == "host":
            table.decided = event
            self.open_tables.pop(table.key, None)
            self.last_change = event.at


def replay(id: str, events: Iterable[AnyEvent]) -> Tournament:
    """Return the tournament with all events applied."""
    remaining = iter(events)
    announced = next(remaining)
    assert isinstance(announced, TournamentAnnounced)
    tournament = Tournament(id, announced)
    for event in remaining:
        tournament.apply(event)
    return tournament
