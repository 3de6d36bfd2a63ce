"""A table of a tournament: its seats are held for two, who have so long to come; then the room is over unplayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from blackpoker.server.rooms.seats import MessageRefused

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: seconds everybody has to come back where a room is taken up again, if he had as many at first
COMING_BACK: Final = 30.0


class HeldTable(Struct):
    """Of which tournament, round and table; for whom, in the order of the seats, by guest and by what everybody knows
    him as there; which decks they have handed in. ``until``: when they must have begun, ``wait`` seconds from the
    pairing. ``came``: who had, once that is over."""

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

    @property
    def hidden_decks(self) -> bool:
        """Deck lists are shown when the tournament is over."""
        return any(self.decks)

    def told(self) -> dict[str, Any]:
        """What a record says of it."""
        return {
            "id": self.tournament, "round": self.round, "table": self.table,
            "entrants": list(self.entrants), "hidden": self.hidden_decks,
        }  # fmt: skip

    def taken_up(self, now: float) -> None:
        """We were away, and so could they be."""
        self.until = max(self.until, now + min(self.wait, COMING_BACK))

    def check_deck(self, place: int, deck: str) -> None:
        if deck != self.decks[place]:
            raise MessageRefused("deck", "you play the deck you handed in", "提出したデッキで対戦します", "R-190")

    def check_offer(self, kind: str) -> None:
        if kind != "draw":
            raise MessageRefused("tournament", "a tournament's game counts as it is played", "大会の対戦では使えません")


def part_unplayed(room: Room, held: HeldTable) -> None:
    """The time is over: whoever has done his part has come."""
    both = all(seat.ready for seat in room.seats)
    first, second = (seat.ready and (not both or bool(seat.told or seat.terms)) for seat in room.seats)
    held.came = (first, second)
    room.phase, room.since, room.changed = "over", room.now, True
    room.broadcast.room_changed()
