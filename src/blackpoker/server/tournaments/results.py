"""Result of a table, from its room and the records of its games; and recomputation of a tournament from those alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

from blackpoker.server.tournaments.events import AnyEvent, GameScore, TableDecided, TableReplayed
from blackpoker.server.tournaments.state import MAX_REPLAYS, Tournament, TournamentMatch, replay


class TableGame(NamedTuple):
    """A finished game according to its record: ``winner`` is p1, p2 or draw."""

    record: str
    winner: str
    reason: str


class RoomEnd(NamedTuple):
    """The end of a tournament room: the games played there, or the players who came before the deadline."""

    games: list[TableGame]
    arrived: tuple[bool, bool] = (True, True)


def score_of(games: Iterable[TableGame]) -> GameScore:
    winners = [game.winner for game in games]
    return winners.count("p1"), winners.count("p2"), winners.count("draw")


def abandoned_by_both(games: list[TableGame], score: GameScore) -> bool:
    """Return True if both players abandoned a game and the score is even."""
    return score[0] == score[1] and any(game.winner == "draw" and game.reason == "abandoned" for game in games)


def decide_table(tournament: Tournament, table: TournamentMatch, end: RoomEnd, at: float) -> TableDecided | None:
    """Return the result of a table; None if it was drawn in a knock-out and is replayed."""
    wins = tournament.announced.wins
    if not end.games:
        first, second = end.arrived
        games: GameScore = (wins, 0, 0) if first and not second else (0, wins, 0) if second and not first else (0, 0, 0)
        return TableDecided(at, *table.key, "missed", games, games == (0, 0, 0))
    score = score_of(end.games)
    records = [game.record for game in end.games]
    if abandoned_by_both(end.games, score):
        return TableDecided(at, *table.key, "played", score, True, records=records)
    if tournament.rules.kind == "knockout" and score[0] == score[1]:
        if len(table.rooms) < MAX_REPLAYS:
            return None
        lot = Random(tournament.rounds[table.round - 1].seed * 1000 + table.pairing.number)
        return TableDecided(at, *table.key, "lot", score, False, lot.choice(("one", "two")), records)
    return TableDecided(at, *table.key, "played", score, records=records)


def recount(id: str, events: Iterable[AnyEvent], ends: Mapping[str, RoomEnd]) -> Tournament:
    """Return the tournament with every result recomputed from its rooms (``ends``, by room) instead of the stored ones.
    Decisions of the host and of players who had left come from the events."""
    stored = list(events)
    tournament = replay(id, stored[:1])
    for event in stored[1:]:
        if isinstance(event, TableReplayed):
            table = tournament.tables[event.round, event.table]
            assert decide_table(tournament, table, ends[table.room], event.at) is None, "it was not drawn"
        if isinstance(event, TableDecided) and event.why not in ("host", "left"):
            table = tournament.tables[event.round, event.table]
            decision = decide_table(tournament, table, ends[table.room], event.at)
            assert decision is not None, "it was drawn"
            event = decision
        tournament.apply(event)
    return tournament
