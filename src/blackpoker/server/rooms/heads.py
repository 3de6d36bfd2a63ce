"""What is known of a room without taking its game up: the few fields of its row that a list of rooms needs."""

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
    """``since``: when it became what everybody sees: its game began, ended, or somebody took or left a seat. When its
    row was written is told to nobody: that a seat changes its settings is between it and us, and so is what it does in
    a window."""

    id: str
    phase: str
    settings: SettingsHead
    seats: list[SeatHead]
    since: float = 0.0

    def seat_of(self, guest: str) -> int | None:
        """The seat somebody has here."""
        for place, seat in enumerate(self.seats):
            if guest and seat.kind == "human" and seat.guest == guest:
                return place
        return None


STORED: Final = msgspec.json.Decoder(RoomHead)


def stored_head(row: str, updated: float) -> RoomHead:
    """Of a row as the store has it; rows of before it was kept there do not say since when, but when they were
    written."""
    head = STORED.decode(row)
    head.since = head.since or updated
    return head


def head_of(row: dict[str, Any]) -> RoomHead:
    """Of a row as a room gives it to be stored."""
    return msgspec.convert(row, RoomHead, from_attributes=True)
