"""What came of a table, from its room and the records of its games; and a tournament counted again from those alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

from blackpoker.server.tournaments.acts import AnyAct, Decided, GameScore, SeatedAgain
from blackpoker.server.tournaments.course import MOST_SITTINGS, Tournament, TournamentTable, tournament_of


class TableGame(NamedTuple):
    """A finished game as its record tells it: ``winner`` is p1, p2 or draw."""

    record: str
    winner: str
    reason: str


class RoomEnd(NamedTuple):
    """How a room of a tournament ended: the games played there, or who had come until its time was over."""

    games: list[TableGame]
    came: tuple[bool, bool] = (True, True)


def score_of(games: Iterable[TableGame]) -> GameScore:
    winners = [game.winner for game in games]
    return winners.count("p1"), winners.count("p2"), winners.count("draw")


def left_by_both(games: list[TableGame], score: GameScore) -> bool:
    """Nobody was there any more."""
    return score[0] == score[1] and any(game.winner == "draw" and game.reason == "abandoned" for game in games)


def verdict(tournament: Tournament, table: TournamentTable, end: RoomEnd, at: float) -> Decided | None:
    """What a table has come to; None where a knock-out was drawn and it is played again."""
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
    """The tournament with every result taken from its rooms (``ends``, by room) and none from what was noted of them;
    what the host said, and who had left, stands in the acts alone."""
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
