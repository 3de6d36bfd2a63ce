"""The other processes of a server: forwarded messages, and the recovery of rooms when a process has died.

A room lives in one process. When a process dies, the next process that needs one of its rooms claims it. If two
processes write, the store decides: an entry can be written only once, and the loser evicts the room.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import msgspec

from blackpoker.protocol import messages as p
from blackpoker.server.cluster.bus import Bus, BusError
from blackpoker.server.rooms.seats import ConnectionIdentity
from blackpoker.server.storage.interface import StoreUnavailable

if TYPE_CHECKING:
    from blackpoker.server.room_manager import RoomManager

log: logging.Logger = logging.getLogger("blackpoker.processes")
#: seconds between checks of the other processes. ADOPT_INTERVAL: seconds between searches for abandoned games
CHECK_INTERVAL: Final = 2.0
ADOPT_INTERVAL: Final = 20.0
#: rooms queried in one batch
BATCH: Final = 1000
#: close code for a room that has moved: reconnect to find it (WebSocket's "service restart")
ROOM_MOVED: Final = 1012


class PeerProcesses:
    def __init__(self, room_manager: RoomManager) -> None:
        self.room_manager = room_manager
        self.bus: Bus = room_manager.bus
        self.pending_joins: dict[
            str, list[dict[str, Any]]
        ] = {}  # messages of a connection while its room is being loaded

    # -- messages ------------------------------------------------------------------------------------------------

    def on_message(self, message: dict[str, Any]) -> None:
        """Handle a message of another process."""
        room_manager = self.room_manager
        key = message["key"]
        pending = self.pending_joins.get(key)
        if pending is not None:
            pending.append(message)
            return
        match message["op"]:
            case "out":
                connection = room_manager.connections.get(key)
                if connection is not None:
                    connection.send(*message["data"])
            case "close":
                self.close_connection(key)
            case "join":
                join = msgspec.json.decode(message["message"], type=p.Join)
                self.pending_joins[key] = []
                room_manager.spawn(self.remote_join(key, message["who"], join))
            case "say":
                room_manager.receive_local(key, message["room"], p.decode(message["message"]))
            case "leave":
                room_manager.leave_local(key, message["room"])
            case "move":
                identity = ConnectionIdentity(*message["who"])
                room_manager.spawn(
                    room_manager.rejoin(key, identity, message["lang"], message["detail"], message["room"])
                )
            case "expect":
                room_manager.matchmaker.expect_opponent(message["room"], message["guest"])

    async def remote_join(self, key: str, identity_fields: list[Any], join: p.Join) -> None:
        identity = ConnectionIdentity(*identity_fields)
        try:
            room = await self.room_manager.prepare_join(identity, join)
        except (BusError, StoreUnavailable):
            room = None
            self.close_connection(key)
        else:
            if room is None:
                self.room_manager.send_no_room(key, join.id)
            else:
                self.room_manager.admit(room, key, identity, join)
        for message in self.pending_joins.pop(key):
            self.on_message(message)

    def close_connection(self, key: str) -> None:
        """Close a connection of any process; its client reconnects to find the room."""
        connection = self.room_manager.connections.get(key)
        if connection is not None:
            connection.close(ROOM_MOVED, "the room has moved")
        elif process_of(key) != self.bus.process_id:
            self.bus.send(process_of(key), {"op": "close", "key": key})

    def on_loss(self) -> None:
        """Close the connections that depend on messages between processes, because some may have been lost."""
        room_manager = self.room_manager
        for key, owner in room_manager.connection_owners.items():
            if owner != self.bus.process_id:
                room_manager.connections[key].close(ROOM_MOVED, "the room has moved")
        self.drop_clients(
            {process_of(key) for room in room_manager.rooms.values() for key in room.seats.clients}
            - {self.bus.process_id}
        )

    def drop_clients(self, processes: set[str]) -> None:
        """Remove the clients of these processes from the local rooms."""
        if not processes:
            return
        for id, room in list(self.room_manager.rooms.items()):
            for key in [key for key in room.seats.clients if process_of(key) in processes]:
                self.room_manager.leave_local(key, id)

    # -- looking after each other --------------------------------------------------------------------------------

    async def run_loop(self) -> None:
        """Check periodically for dead processes, for lost rooms and for abandoned games."""
        waited = 0.0
        while True:
            await asyncio.sleep(CHECK_INTERVAL)
            waited += CHECK_INTERVAL
            try:
                await self.close_orphans()
                await self.evict_lost_rooms()
                if waited >= ADOPT_INTERVAL:
                    waited = 0.0
                    adopted = await self.adopt_games()
                    if adopted:
                        log.info("games taken over", extra={"count": adopted})
            except (BusError, StoreUnavailable) as error:
                log.warning("check of other processes failed", extra={"error": str(error)})

    async def close_orphans(self) -> None:
        """Close connections to rooms of dead processes, so that their clients reconnect, and remove the clients of dead
        processes from the local rooms."""
        room_manager = self.room_manager
        local_clients = {process_of(key) for room in room_manager.rooms.values() for key in room.seats.clients}
        dead = set()
        for process in (set(room_manager.connection_owners.values()) | local_clients) - {self.bus.process_id}:
            if not await self.bus.alive(process):
                dead.add(process)
        for key in [key for key, owner in room_manager.connection_owners.items() if owner in dead]:
            self.close_connection(key)
        self.drop_clients(dead)

    async def evict_lost_rooms(self) -> None:
        """Evict the rooms that another process has claimed because this one did not answer in time."""
        room_manager = self.room_manager
        rooms = list(room_manager.rooms)
        for start in range(0, len(rooms), BATCH):
            batch = rooms[start : start + BATCH]
            for id, owner in zip(batch, await self.bus.owners(batch), strict=True):
                if (
                    owner != self.bus.process_id
                    and id in room_manager.rooms
                    and await self.bus.resolve_owner(id) != self.bus.process_id
                ):
                    room_manager.evict(id)

    async def adopt_games(self) -> int:
        """Load abandoned games between people and return their number: clocks must run even if no player returns."""
        room_manager = self.room_manager
        wanted = [id for id in await room_manager.store.rooms_in_phase("playing") if id not in room_manager.rooms]
        known: dict[str, bool] = {"": False}
        adopted = 0
        for start in range(0, len(wanted), BATCH):
            batch = wanted[start : start + BATCH]
            for id, owner in zip(batch, await self.bus.owners(batch), strict=True):
                if owner not in known:
                    known[owner] = await self.bus.alive(owner)
                if not known[owner] and await room_manager.get_room(id) is not None:
                    adopted += 1
        return adopted


def process_of(key: str) -> str:
    """Return the process of a connection: the prefix of its key."""
    return key.partition(".")[0]
