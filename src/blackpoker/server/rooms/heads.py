"""Summary of a stored room: the few fields of its row that a list of rooms needs, read without loading the game."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct


class SeatHead(Struct):
    kind: str
    guest: str
    name: str
    level: str


class ClockHead(Struct, frozen=True):
    bank: int = 0


class SettingsHead(Struct):
    regulation: str = "lite+entry"
    quick: bool = False
    spectator_delay: int = 0
    clock: ClockHead = ClockHead()


class RoomHead(Struct):
    """``since``: time of the last public change: the game began, ended, or a player took or left a seat. The time of
    the last write is not published, because changed settings and answers in a response window are private to a seat."""

    id: str
    phase: str
    settings: SettingsHead
    seats: list[SeatHead]
    since: float = 0.0

    def seat_of(self, guest: str) -> int | None:
        """Return the seat of this guest, or None."""
        for place, seat in enumerate(self.seats):
            if guest and seat.kind == "human" and seat.guest == guest:
                return place
        return None


STORED: Final = msgspec.json.Decoder(RoomHead)


def stored_head(row: str, updated: float) -> RoomHead:
    """Return the summary of a stored row. Older rows have no ``since``; the time of their last write is used
    instead."""
    head = STORED.decode(row)
    head.since = head.since or updated
    return head


def head_of(row: dict[str, Any]) -> RoomHead:
    """Return the summary of a row that a room is about to store."""
    return msgspec.convert(row, RoomHead, from_attributes=True)
