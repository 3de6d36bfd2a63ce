"""Conversion of values to rows and back, in the order of the tables' columns: rooms (id, phase, data, updated), entries
of their games, records of finished games. Imports no database library: the static page has none."""

from __future__ import annotations

from typing import Any

import msgspec

from blackpoker.server.rooms.seats import FinishedGame, GameEntry

Row = tuple[object, ...]


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
