"""Rows: insertion on both databases, rows changed since a time, and conversion in the order of the tables' columns:
rooms (id, phase, data, updated), entries of their games, records of finished games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from blackpoker.server.rooms.seats import FinishedGame, GameEntry

if TYPE_CHECKING:  # a page without a server has no database library
    from sqlalchemy import Column, Connection, Table

Row = tuple[object, ...]
T = TypeVar("T")

#: overlap of two polls in seconds: rows of several processes do not become visible in the order of their times
POLL_OVERLAP: Final = 120.0


def upsert(connection: Connection, table: Table) -> Any:
    """Return an insert statement of the database's dialect, which has ``on_conflict_do_nothing`` and ``…_update``."""
    from sqlalchemy.dialects import postgresql, sqlite

    return (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)


def rows_changed_since(
    connection: Connection, table: Table, column: Column[float], since: float, make: Callable[..., T]
) -> list[T]:
    """Return the rows whose ``column`` is later than ``since``, less the overlap of two polls."""
    from sqlalchemy import select

    return [make(*row) for row in connection.execute(select(table).where(column > since - POLL_OVERLAP))]


def room_row(room: str, row: dict[str, Any]) -> Row:
    """Return a room's row. A game against the computer waits for its player, so phase ``alone`` excludes it from the
    rooms loaded at a start."""
    phase = row["phase"]
    if phase == "playing" and any(seat["kind"] == "ai" for seat in row["seats"]):
        phase = "alone"
    return room, phase, msgspec.json.encode(row).decode(), row["since"]


def entry_row(room: str, entry: GameEntry) -> Row:
    options = " ".join(map(str, entry.options))
    left1, left2 = entry.left
    return (room, entry.game, entry.seq, entry.kind, entry.seat, options, entry.at, left1, left2, entry.why, entry.stop)


def record_row(room: str, game: FinishedGame, now: float) -> Row:
    return game.record_id, room, game.game, game.part, game.record, msgspec.json.encode(game.meta).decode(), now


def entry_of_row(row: Any) -> GameEntry:
    _, game, seq, kind, seat, options, at, left1, left2, why, stop = row
    return GameEntry(game, seq, kind, seat, [int(one) for one in options.split()], at, (left1, left2), why, stop)
