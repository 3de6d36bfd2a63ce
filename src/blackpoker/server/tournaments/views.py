"""Public views of a tournament: list row, page, export."""

from __future__ import annotations

import csv
import io
from typing import Final, Literal

from msgspec import Struct

from blackpoker.server.tournaments.events import DecidedBy, TournamentKind, TournamentRules
from blackpoker.server.tournaments.standings import RankedEntrant, rank_entrants
from blackpoker.server.tournaments.state import NEVER, Tournament, TournamentMatch

#: letter of each cell in ``run``
RESULT_LETTERS: Final = {"won": "W", "drawn": "D", "lost": "L", "bye": "B", "through": "T", "open": "-"}
Outcome = Literal["", "one", "two", "draw", "lost"]


class EntrantInfo(Struct, omit_defaults=True):
    """``decked``: a deck list is submitted; ``deck``: the list, once the tournament is over."""

    id: str
    name: str
    player: str = ""
    crest: str = ""
    decked: bool = False
    deck: str = ""


class StandingRow(Struct, omit_defaults=True):
    """``run``: a letter for each round or game: W, D, L, B (bye), T (through unplayed), - (open); ``others``:
    opponents, ``brought``: points. ``ties``: tie-breaks in percent. ``away``: reason for not being paired."""

    place: int
    id: str
    points: int
    won: int
    drawn: int
    lost: int
    run: str
    others: list[str]
    brought: list[int] = []
    ties: list[float] = []
    away: str = ""


class TableInfo(Struct, omit_defaults=True):
    """``outcome``: empty while open; ``lost``: both lost. ``until``: deadline for missing players."""

    round: int
    number: int
    one: str
    two: str
    room: str
    outcome: Outcome = ""
    games: list[int] = []
    why: DecidedBy | Literal[""] = ""
    records: list[str] = []
    until: float = 0.0


class TournamentLive(Struct, omit_defaults=True):
    """The changing part of a page, sent to all followers. ``next_at``: time of the next automatic pairing, 0: none;
    ``ends``: of an arena. ``tables``: of this round, of an arena the open ones."""

    id: str
    seq: int
    phase: Literal["open", "running", "over"]
    now: float
    round: int
    total: int
    entrants: int
    lines: list[StandingRow]
    tables: list[TableInfo]
    next_at: float = 0.0
    ends: float = 0.0
    called_off: bool = False


class TournamentPage(Struct):
    """``results``: of all decided tables, with their records once these are public."""

    rules: TournamentRules
    host: str
    decks: int
    entrants: list[EntrantInfo]
    results: list[TableInfo]
    byes: list[list[str]]
    live: TournamentLive


class TournamentHead(Struct, omit_defaults=True):
    """A row of the list. ``winner``: of a finished tournament."""

    id: str
    name: str
    kind: TournamentKind
    regulation: str
    phase: Literal["open", "running", "over"]
    entrants: int
    most: int
    host: str
    starts: float = 0.0
    minutes: int = 0
    round: int = 0
    total: int = 0
    accounts: bool = False
    winner: str = ""
    called_off: bool = False


def summary_of(tournament: Tournament) -> TournamentHead:
    rules = tournament.rules
    winners = rank_entrants(tournament)[:1] if tournament.phase == "over" and tournament.tables else []
    return TournamentHead(
        tournament.id,
        rules.name,
        rules.kind,
        rules.regulation,
        tournament.phase,
        len(tournament.entrants),
        rules.most,
        tournament.announced.host_name,
        rules.starts,
        rules.minutes if rules.kind == "arena" else 0,
        tournament.round_number,
        tournament.total_rounds,
        rules.accounts,
        "".join(tournament.entrants[line.id].name for line in winners),
        tournament.called_off,
    )


def table_outcome(table: TournamentMatch) -> Outcome:
    if table.decided is None:
        return ""
    if table.decided.lost:
        return "lost"
    return "draw" if not table.winner else "one" if table.winner == table.pairing.one else "two"


def make_table_info(tournament: Tournament, table: TournamentMatch) -> TableInfo:
    decision = table.decided
    show_records = decision is not None and (tournament.phase == "over" or not tournament.brings_decks)
    return TableInfo(
        *table.key,
        table.pairing.one,
        table.pairing.two,
        table.room,
        table_outcome(table),
        [] if decision is None else list(decision.games),
        "" if decision is None else decision.why,
        decision.records if decision is not None and show_records else [],
        table.started + tournament.rules.wait if decision is None else 0.0,
    )


def make_row(tournament: Tournament, entrant: RankedEntrant) -> StandingRow:
    return StandingRow(
        entrant.rank,
        entrant.id,
        entrant.points,
        entrant.won,
        entrant.drawn,
        entrant.lost,
        "".join(RESULT_LETTERS[cell.result] for cell in entrant.cells),
        [cell.opponent for cell in entrant.cells],
        [cell.points for cell in entrant.cells] if tournament.rules.kind == "arena" else [],
        [round(float(100 * tie), 1) for tie in entrant.tie_breaks],
        tournament.entrants[entrant.id].absence,
    )


def make_live(tournament: Tournament, now: float) -> TournamentLive:
    arena = tournament.rules.kind == "arena"
    last = tournament.rounds[-1].round if tournament.rounds else 0
    shown_tables = (
        tournament.open_tables.values() if arena else (one for one in tournament.tables.values() if one.round == last)
    )
    step = tournament.next_step(now)
    return TournamentLive(
        tournament.id,
        tournament.seq,
        tournament.phase,
        now,
        0 if arena else tournament.round_number,
        tournament.total_rounds,
        len(tournament.entrants),
        [make_row(tournament, entrant) for entrant in rank_entrants(tournament)],
        [make_table_info(tournament, table) for table in shown_tables],
        0.0 if step.at == NEVER or step.kind != "pair" or (arena and tournament.rounds) else step.at,
        0.0 if tournament.arena_ends == NEVER or not arena else tournament.arena_ends,
        tournament.called_off,
    )


def make_page(tournament: Tournament, now: float) -> TournamentPage:
    over = tournament.phase == "over"
    entrants = [
        EntrantInfo(
            entrant.id, entrant.name, entrant.player, entrant.crest, bool(entrant.deck), entrant.deck if over else ""
        )
        for entrant in tournament.entrants.values()
    ]
    results = [make_table_info(tournament, table) for table in tournament.tables.values() if table.decided is not None]
    byes = [[*paired.byes, *paired.through] for paired in tournament.rounds]
    announced = tournament.announced
    return TournamentPage(
        tournament.rules, announced.host_name, announced.decks, entrants, results, byes, make_live(tournament, now)
    )


def standings_csv(tournament: Tournament) -> str:
    """Return the standings as CSV; names that look like a formula are quoted for spreadsheets."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\r\n")
    ties = ("opponents' match wins %", "game wins %", "opponents' game wins %")
    lines.writerow(("place", "name", "points", "won", "drawn", "lost", "rounds", *ties))
    for entrant in rank_entrants(tournament):
        name = tournament.entrants[entrant.id].name
        safe = f"'{name}" if name[:1] in "=+-@\t\r" else name
        row = make_row(tournament, entrant)
        rates = [f"{tie:.1f}" for tie in row.ties] or ["", "", ""]
        lines.writerow((entrant.rank, safe, entrant.points, entrant.won, entrant.drawn, entrant.lost, row.run, *rates))
    return out.getvalue()
