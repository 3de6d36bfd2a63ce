"""The other processes of a server: forwarded messages, and the recovery of rooms when a process has died.

A room lives in one process. When a process dies, the next process that needs one of its rooms claims it. If two
processes write, the store decides: an entry can be written only once, and the loser evicts the room.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import msgspec

from blackpoker.server.net.bus import Bus, BusError
from blackpoker.server.rooms.seats import Visitor
from blackpoker.server.store.promises import Away
from blackpoker.wire import protocol as p

if TYPE_CHECKING:
    from blackpoker.server.net.hub import Hub

log: logging.Logger = logging.getLogger("blackpoker.processes")
#: seconds between checks of the other processes. ADOPT_INTERVAL: seconds between searches for abandoned games
LOOK: Final = 2.0
ADOPT: Final = 20.0
#: rooms queried in one batch
MOST_AT_ONCE: Final = 1000
#: close code for a room that has moved: reconnect to find it (WebSocket's "service restart")
MOVED: Final = 1012


class OtherProcesses:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.bus: Bus = hub.bus
        self.joining: dict[str, list[dict[str, Any]]] = {}  # messages of a connection while its room is being loaded

    # -- messages ------------------------------------------------------------------------------------------------

    def hear(self, message: dict[str, Any]) -> None:
        """Handle a message of another process."""
        hub = self.hub
        key = message["key"]
        waiting = self.joining.get(key)
        if waiting is not None:
            waiting.append(message)
            return
        match message["op"]:
            case "out":
                line = hub.lines.get(key)
                if line is not None:
                    line.push(*message["data"])
            case "close":
                self.close(key)
            case "join":
                said = msgspec.json.decode(message["said"], type=p.Join)
                self.joining[key] = []
                hub.spawn(self.far_join(key, message["who"], said))
            case "say":
                hub.receive_here(key, message["room"], p.decode(message["said"]))
            case "leave":
                hub.leave_here(key, message["room"])
            case "move":
                who = Visitor(*message["who"])
                hub.spawn(hub.moved(key, who, message["lang"], message["detail"], message["room"]))
            case "expect":
                hub.quick.expect(message["room"], message["guest"])

    async def far_join(self, key: str, who: list[Any], said: p.Join) -> None:
        visitor = Visitor(*who)
        try:
            room = await self.hub.readied(visitor, said)
        except (BusError, Away):
            room = None
            self.close(key)
        else:
            if room is None:
                self.hub.refuse_room(key, said.id)
            else:
                self.hub.enter(room, key, visitor, said)
        for message in self.joining.pop(key):
            self.hear(message)

    def close(self, key: str) -> None:
        """Close a connection of any process; its client reconnects to find the room."""
        line = self.hub.lines.get(key)
        if line is not None:
            line.close(MOVED, "the room has moved")
        elif process_of(key) != self.bus.me:
            self.bus.tell(process_of(key), {"op": "close", "key": key})

    def cut(self) -> None:
        """Close the connections that depend on messages between processes, because some may have been lost."""
        hub = self.hub
        for key, owner in hub.owners.items():
            if owner != self.bus.me:
                hub.lines[key].close(MOVED, "the room has moved")
        self.drop_clients(
            {process_of(key) for room in hub.rooms.values() for key in room.seats.clients} - {self.bus.me}
        )

    def drop_clients(self, processes: set[str]) -> None:
        """Remove the clients of these processes from the local rooms."""
        if not processes:
            return
        for id, room in list(self.hub.rooms.items()):
            for key in [key for key in room.seats.clients if process_of(key) in processes]:
                self.hub.leave_here(key, id)

    # -- looking after each other --------------------------------------------------------------------------------

    async def look_on(self) -> None:
        """Check periodically for dead processes, for lost rooms and for abandoned games."""
        waited = 0.0
        while True:
            await asyncio.sleep(LOOK)
            waited += LOOK
            try:
                await self.let_orphans_go()
                await self.let_go_of_taken()
                if waited >= ADOPT:
                    waited = 0.0
                    taken = await self.adopt()
                    if taken:
                        log.info("games taken over", extra={"count": taken})
            except (BusError, Away) as error:
                log.warning("cannot look after the other processes", extra={"why": str(error)})

    async def let_orphans_go(self) -> None:
        """Close connections to rooms of dead processes, so that their clients reconnect, and remove the clients of dead
        processes from the local rooms."""
        hub = self.hub
        here = {process_of(key) for room in hub.rooms.values() for key in room.seats.clients}
        gone = set()
        for process in (set(hub.owners.values()) | here) - {self.bus.me}:
            if not await self.bus.alive(process):
                gone.add(process)
        for key in [key for key, owner in hub.owners.items() if owner in gone]:
            self.close(key)
        self.drop_clients(gone)

    async def let_go_of_taken(self) -> None:
        """Evict the rooms that another process has claimed because this one did not answer in time."""
        hub = self.hub
        rooms = list(hub.rooms)
        for start in range(0, len(rooms), MOST_AT_ONCE):
            part = rooms[start : start + MOST_AT_ONCE]
            for id, owner in zip(part, await self.bus.owners(part), strict=True):
                if owner != self.bus.me and id in hub.rooms and await self.bus.owner(id) != self.bus.me:
                    hub.lose(id)

    async def adopt(self) -> int:
        """Load abandoned games between people and return their number: clocks must run even if no player returns."""
        hub = self.hub
        wanted = [id for id in await hub.store.rooms_in("playing") if id not in hub.rooms]
        known: dict[str, bool] = {"": False}
        taken = 0
        for start in range(0, len(wanted), MOST_AT_ONCE):
            part = wanted[start : start + MOST_AT_ONCE]
            for id, owner in zip(part, await self.bus.owners(part), strict=True):
                if owner not in known:
                    known[owner] = await self.bus.alive(owner)
                if not known[owner] and await hub.room(id) is not None:
                    taken += 1
        return taken


def process_of(key: str) -> str:
    """Return the process of a connection: the prefix of its key."""
    return key.partition(".")[0]
