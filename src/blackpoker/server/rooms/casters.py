"""Casters: spectators who see both hands, late. Both players name a caster, or the tournament's host does; a person who
may be one of the players is never one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from blackpoker.protocol import messages as p
from blackpoker.server.rooms.seats import SEAT_NAMES, MessageRefused, RoomClient, handle_of, is_loopback

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: least spectator delay for casters
MIN_CAST_DELAY: Final = 60
#: most casters that one person names, and most requests that are shown: at all, and of one address
MAX_CASTERS: Final = 8
MAX_REQUESTS: Final = 8
MAX_REQUESTS_OF_ADDRESS: Final = 2
#: seconds after which a change of the requests is sent, once for all of them
SEND_DELAY: Final = 1.0


class Casters:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.send_due: float | None = None  # time at which the requests are sent

    def check_request(self, client: RoomClient) -> None:
        """Raise `MessageRefused` if this client can cast no game of this room."""
        self.check_delay()
        self.room.seats.check_not_player(client)

    def check_delay(self) -> None:
        if self.room.settings.spectator_delay < MIN_CAST_DELAY:
            raise MessageRefused(
                "no_casting",
                f"both hands are shown {MIN_CAST_DELAY} seconds later at least; this room is watched sooner",
                f"両者の手札は{MIN_CAST_DELAY}秒以上遅れて見せます。この部屋の観戦は早すぎます",
            )

    def is_named(self, handle: str) -> bool:
        """Return True if both players, or the host, have named this person."""
        room = self.room
        if room.reserved is not None and handle in room.reserved.casters:
            return True
        return all(handle in seat.casters for seat in room.seats)

    def may_cast(self, client: RoomClient) -> bool:
        return (
            client.wants_casting
            and client.seat is None
            and self.is_named(handle_of(self.room.id, client.guest))
            and not self.room.seats.is_player(client)
        )

    def named_by(self, client: RoomClient) -> list[str]:
        """Return the casters that this client's seat or office has named; raise `MessageRefused` if it names none."""
        room = self.room
        if client.seat is not None:
            return room.seats[client.seat].casters
        if self.is_host(client) and room.reserved is not None:
            return room.reserved.casters
        raise MessageRefused(
            "watching", "the players and the host name the casters", "実況者を選ぶのは対戦者と主催者です"
        )

    def is_host(self, client: RoomClient) -> bool:
        """Return True for the tournament's host, unless the host may be a player of this table."""
        room = self.room
        return (
            room.reserved is not None
            and bool(client.guest)
            and room.reserved.host == client.guest
            and not room.seats.is_player(client)
        )

    def name(self, client: RoomClient, handle: str, on: bool) -> None:
        """Name a caster, or withdraw it."""
        room = self.room
        named = self.named_by(client)
        if on == (handle in named):
            return
        room.check_rate(client)
        if on:
            self.check_delay()
            if handle not in self.requests():
                raise MessageRefused("no_such_person", "no such person asks to cast", "その人は実況を希望していません")
            if len(named) >= MAX_CASTERS:
                raise MessageRefused(
                    "full", f"{MAX_CASTERS} casters are named already", f"実況者は{MAX_CASTERS}人までです"
                )
            named.append(handle)
        else:
            named.remove(handle)
        room.row_changed = True
        self.apply()
        self.send_all()

    def apply(self) -> None:
        """Give both hands to those who may see them now, and to no others."""
        clients = list(self.room.seats.clients.values())
        for client in clients:
            if client.wants_casting and client.caster != self.may_cast(client):
                client.caster = not client.caster
                self.room.broadcast.welcome(client, 0)
        self.room.broadcast.spectator_delay.drop_unused(clients)

    # -- requests ----------------------------------------------------------------------------------------------------

    def requests(self) -> dict[str, str]:
        """Return names by handle of those who ask, the earliest first; few of one address."""
        found: dict[str, str] = {}
        of_address: dict[str, set[str]] = {}
        for client in self.room.seats.clients.values():
            if client.wants_casting and client.seat is None:
                handle = handle_of(self.room.id, client.guest)
                handles = of_address.setdefault(client.network, set())
                handles.add(handle)
                if len(handles) <= MAX_REQUESTS_OF_ADDRESS or is_loopback(client.network):
                    found[handle] = self.room.seats.distinct_name(client)
        return found

    def message(self) -> p.Casters:
        """Return those who are named, then those who ask."""
        room = self.room
        lists = {name: seat.casters for name, seat in zip(SEAT_NAMES, room.seats, strict=True)}
        host = [] if room.reserved is None else room.reserved.casters
        asking = self.requests()
        handles = dict.fromkeys([*lists[SEAT_NAMES[0]], *lists[SEAT_NAMES[1]], *host, *list(asking)[:MAX_REQUESTS]])
        return p.Casters(
            [
                p.Caster(
                    handle,
                    asking.get(handle, ""),
                    handle in asking,
                    [seat for seat, named in lists.items() if handle in named],
                    handle in host,
                )
                for handle in handles
            ]
        )

    def schedule(self) -> None:
        """Send the requests soon, once for all recent arrivals and departures."""
        if self.send_due is None:
            self.send_due = self.room.now + SEND_DELAY

    def send_all(self) -> None:
        self.send_due = None
        message = self.message()
        for client in self.room.seats.clients.values():
            if client.seat is not None or self.is_host(client):
                self.room.broadcast.send(client, message)

    def send_to(self, client: RoomClient) -> None:
        """Send the requests to a newcomer who decides about them, if there are any."""
        if client.seat is not None or self.is_host(client):
            message = self.message()
            if message.casters:
                self.room.broadcast.send(client, message)
