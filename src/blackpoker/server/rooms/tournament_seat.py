"""A tournament table: its seats are reserved for two guests for a limited time; then the room ends unplayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from blackpoker.server.rooms.seats import MessageRefused

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: seconds both guests have to return after a restart, if they had at least as many at first
RECONNECT_SECONDS: Final = 30.0


class ReservedTable(Struct):
    """The tournament, round and table; its guests, entrants, names and submitted decks, in seat order. ``until``:
    deadline for the start, ``wait`` seconds after the pairing. ``came``: who had arrived at the deadline; None until
    then. ``host``: guest id of the host; ``casters``: handles of the casters it has named."""

    tournament: str
    round: int
    table: int
    guests: tuple[str, str]
    entrants: tuple[str, str]
    names: tuple[str, str]
    decks: tuple[str, str]
    until: float
    wait: float
    came: tuple[bool, bool] | None = None
    host: str = ""
    casters: list[str] = []

    @property
    def hidden_decks(self) -> bool:
        """True if the decks are hidden until the tournament is over."""
        return any(self.decks)

    def record_meta(self) -> dict[str, Any]:
        """Return the tournament's part of a record's metadata."""
        return {
            "id": self.tournament,
            "round": self.round,
            "table": self.table,
            "entrants": list(self.entrants),
            "hidden": self.hidden_decks,
        }

    def on_restore(self, now: float) -> None:
        """Extend the deadline after a restart: the players were disconnected, too."""
        self.until = max(self.until, now + min(self.wait, RECONNECT_SECONDS))

    def check_deck(self, seat: int, deck: str) -> None:
        if deck != self.decks[seat]:
            raise MessageRefused("deck", "you play the deck you handed in", "提出したデッキで対戦します", "R-190")

    def check_offer(self, kind: str) -> None:
        if kind != "draw":
            raise MessageRefused("tournament", "a tournament's game counts as it is played", "大会の対戦では使えません")


def end_unplayed(room: Room, reserved: ReservedTable) -> None:
    """End a room after its deadline and record which of its players were ready."""
    both = all(seat.ready for seat in room.seats)
    first, second = (seat.ready and (not both or bool(seat.salt_public or seat.terms)) for seat in room.seats)
    reserved.came = (first, second)
    room.phase, room.since, room.row_changed = "over", room.now, True
    room.broadcast.room_changed()
