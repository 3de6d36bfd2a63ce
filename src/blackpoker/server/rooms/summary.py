"""Summary of a stored room: the few fields of its row that a list of rooms needs, read without loading the game."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct


class SeatSummary(Struct):
    kind: str
    guest: str
    name: str
    level: str


class ClockSummary(Struct, frozen=True):
    bank: int = 0


class SettingsSummary(Struct):
    regulation: str = "lite+entry"
    quick: bool = False
    spectator_delay: int = 0
    clock: ClockSummary = ClockSummary()


class RoomSummary(Struct):
    """``since``: time of the last public change: the game began, ended, or a player took or left a seat. The time of
    the last write is not published, because changed settings and answers in a response window are private to a seat."""

    id: str
    phase: str
    settings: SettingsSummary
    seats: list[SeatSummary]
    since: float = 0.0
    origin: str = ""

    def seat_of(self, guest: str) -> int | None:
        """Return the seat of this guest, or None."""
        for index, seat in enumerate(self.seats):
            if guest and seat.kind == "human" and seat.guest == guest:
                return index
        return None


SUMMARY_DECODER: Final = msgspec.json.Decoder(RoomSummary)


def summary_of_stored(row: str, updated: float) -> RoomSummary:
    """Return the summary of a stored row. Older rows have no ``since``; the time of their last write is used
    instead."""
    summary = SUMMARY_DECODER.decode(row)
    summary.since = summary.since or updated
    return summary


def summary_of_row(row: dict[str, Any]) -> RoomSummary:
    """Return the summary of a row that a room is about to store."""
    return msgspec.convert(row, RoomSummary, from_attributes=True)
