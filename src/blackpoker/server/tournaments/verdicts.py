"""Result of a table, from its room and the records of its games; and recomputation of a tournament from those alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

from blackpoker.server.tournaments.acts import AnyAct, Decided, GameScore, SeatedAgain
from blackpoker.server.tournaments.course import MOST_SITTINGS, Tournament, TournamentTable, tournament_of


class TableGame(NamedTuple):
    """A finished game according to its record: ``winner`` is p1, p2 or draw."""

    record: str
    winner: str
    reason: str


class RoomEnd(NamedTuple):
    """The end of a tournament room: the games played there, or the players who came before the deadline."""

    games: list[TableGame]
    came: tuple[bool, bool] = (True, True)


def score_of(games: Iterable[TableGame]) -> GameScore:
    winners = [game.winner for game in games]
    return winners.count("p1"), winners.count("p2"), winners.count("draw")


def left_by_both(games: list[TableGame], score: GameScore) -> bool:
    """Return True if both players abandoned a game and the score is even."""
    return score[0] == score[1] and any(game.winner == "draw" and game.reason == "abandoned" for game in games)


def verdict(tournament: Tournament, table: TournamentTable, end: RoomEnd, at: float) -> Decided | None:
    """Return the result of a table; None if it was drawn in a knock-out and is replayed."""
    wins = tournament.announced.wins
    if not end.games:
        first, second = end.came
        games: GameScore = (wins, 0, 0) if first and not second else (0, wins, 0) if second and not first else (0, 0, 0)
        return Decided(at, *table.key, "missed", games, games == (0, 0, 0))
    score = score_of(end.games)
    records = [game.record for game in end.games]
    if left_by_both(end.games, score):
        return Decided(at, *table.key, "played", score, True, records=records)
    if tournament.rules.kind == "knockout" and score[0] == score[1]:
        if len(table.rooms) < MOST_SITTINGS:
            return None
        lot = Random(tournament.paired[table.round - 1].seed * 1000 + table.seat.number)
        return Decided(at, *table.key, "lot", score, False, lot.choice(("one", "two")), records)
    return Decided(at, *table.key, "played", score, records=records)


def counted_again(id: str, acts: Iterable[AnyAct], ends: Mapping[str, RoomEnd]) -> Tournament:
    """Return the tournament with every result recomputed from its rooms (``ends``, by room) instead of the stored ones.
    Decisions of the host and of players who had left come from the events."""
    kept = list(acts)
    found = tournament_of(id, kept[:1])
    for act in kept[1:]:
        if isinstance(act, SeatedAgain):
            table = found.tables[act.round, act.table]
            assert verdict(found, table, ends[table.room], act.at) is None, "it was not drawn"
        if isinstance(act, Decided) and act.why not in ("host", "left"):
            table = found.tables[act.round, act.table]
            told = verdict(found, table, ends[table.room], act.at)
            assert told is not None, "it was drawn"
            act = told
        found.apply(act)
    return found
