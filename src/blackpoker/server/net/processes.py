"""The other processes of a server: what their clients say to rooms here, and what happens when one of them is gone.

A room lives in one process. One that dies loses its rooms to whoever wants them next; the store decides who was first,
because an entry can be written only once, and the other lets go.
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
#: seconds between looks at the others, and between looks for games nobody plays on
LOOK: Final = 2.0
ADOPT: Final = 20.0
#: rooms asked for in one go
MOST_AT_ONCE: Final = 1000
#: the close code of a room that has moved: come back and find it elsewhere (WebSocket's "service restart")
MOVED: Final = 1012


class OtherProcesses:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.bus: Bus = hub.bus
        self.joining: dict[str, list[dict[str, Any]]] = {}  # what a connection says while its room is being fetched

    # -- messages ------------------------------------------------------------------------------------------------

    def hear(self, message: dict[str, Any]) -> None:
        """Another process passes something on."""
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
        """A connection, here or there, must come back to find its room."""
        line = self.hub.lines.get(key)
        if line is not None:
            line.close(MOVED, "the room has moved")
        elif process_of(key) != self.bus.me:
            self.bus.tell(process_of(key), {"op": "close", "key": key})

    def cut(self) -> None:
        """Messages between the processes may have been lost: whoever depended on them comes back."""
        hub = self.hub
        for key, owner in hub.owners.items():
            if owner != self.bus.me:
                hub.lines[key].close(MOVED, "the room has moved")
        self.drop_clients(
            {process_of(key) for room in hub.rooms.values() for key in room.seats.clients} - {self.bus.me}
        )

    def drop_clients(self, processes: set[str]) -> None:
        """Connections of these processes are no longer here."""
        if not processes:
            return
        for id, room in list(self.hub.rooms.items()):
            for key in [key for key in room.seats.clients if process_of(key) in processes]:
                self.hub.leave_here(key, id)

    # -- looking after each other --------------------------------------------------------------------------------

    async def look_on(self) -> None:
        """Again and again: who is gone, what has been taken from us, what has nobody."""
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
        """Connections here whose room lived in a process that is gone come back and find it elsewhere; connections of
        such a process to rooms here are gone as well."""
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
        """Rooms that another process has claimed, because we did not answer in time, are no longer ours."""
        hub = self.hub
        rooms = list(hub.rooms)
        for start in range(0, len(rooms), MOST_AT_ONCE):
            part = rooms[start : start + MOST_AT_ONCE]
            for id, owner in zip(part, await self.bus.owners(part), strict=True):
                if owner != self.bus.me and id in hub.rooms and await self.bus.owner(id) != self.bus.me:
                    hub.lose(id)

    async def adopt(self) -> int:
        """Games between people go on even if nobody comes back to them: clocks run, abandoned ones end."""
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
    """The process a connection belongs to: its name begins with it."""
    return key.partition(".")[0]
