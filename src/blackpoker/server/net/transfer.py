"""A connection goes to the process its room lives in: the open socket itself is handed over, before anything is said.

The address of the WebSocket names the room (``/ws?room=…``). A process that is called for a room of another process on
the same machine gives it the socket and the head of the request, and has nothing more to do with it. Where that cannot
be done (another machine, an older client) the processes pass on what is said instead, which costs twice as much.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import tempfile
from array import array
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from blackpoker.server.net.bus import Bus, BusError

log: logging.Logger = logging.getLogger("blackpoker.transfer")
#: bytes of the head of a request; a longer one is not handed over
MOST_HEAD: Final = 65_536
#: tries to reach a process that is just busy, and seconds between them
TRIES: Final = 20
PAUSE: Final = 0.005
#: whether this platform can hand a socket to another process
POSSIBLE: Final = hasattr(socket, "send_fds") and hasattr(socket, "AF_UNIX")


class Transfer:
    """The place where a process takes over connections, and hands them to others."""

    def __init__(self, bus: Bus, rooms: Container[str]) -> None:
        """``rooms``: those that live in this process."""
        self.bus = bus
        self.rooms = rooms
        self.folder: str = ""
        self.socket: socket.socket | None = None
        self.make: Callable[[], Any] = lambda: None
        self.coming: set[asyncio.Task[None]] = set()

    async def open(self, make: Callable[[], Any]) -> None:
        """Begin to take connections over; ``make`` makes the protocol of one."""
        if self.bus.alone or not POSSIBLE:
            return
        self.make = make
        self.folder = tempfile.mkdtemp(prefix="blackpoker-")  # nobody else's: mode 0700
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(f"{self.folder}/door")
        asyncio.get_running_loop().add_reader(self.socket, self.take)
        await self.bus.open_door(f"{self.folder}/door")

    def close(self) -> None:
        if self.socket is not None:
            asyncio.get_running_loop().remove_reader(self.socket)
            self.socket.close()
            self.socket = None
            for path in (Path(self.folder, "door"), Path(self.folder)):
                try:
                    path.rmdir() if path.is_dir() else path.unlink()
                except OSError as error:
                    log.debug("left behind", extra={"why": str(error)})

    # -- to another process ------------------------------------------------------------------------------------------

    def wanted(self, url: bytes) -> str:
        """The room this address names, if a connection to it might belong to another process."""
        room = "" if self.socket is None else room_of(url)
        return "" if room in self.rooms else room

    async def hand_over(self, room: str, connection: int, head: bytes) -> bool:
        """Give the connection to the process this room lives in; False: it stays here."""
        if self.socket is None or len(head) > MOST_HEAD:
            return False
        try:
            owner = (await self.bus.owners([room]))[0]
            door = await self.bus.door_of(owner) if owner not in ("", self.bus.me) else ""
        except BusError:
            return False
        for _ in range(TRIES if door else 0):
            try:
                # socket.send_fds forgets the address before Python 3.12
                self.socket.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [connection]))], 0, door)
                return True
            except BlockingIOError:
                await asyncio.sleep(PAUSE)  # it has much to take over just now
            except OSError:
                return False  # it is gone, or on another machine
        return False

    # -- from another process ----------------------------------------------------------------------------------------

    def take(self) -> None:
        assert self.socket is not None
        while True:
            try:
                head, files, _, _ = socket.recv_fds(self.socket, MOST_HEAD, 1)
            except OSError:
                return  # nothing more waits
            for file in files:
                task = asyncio.ensure_future(self.adopt(socket.socket(fileno=file), head))
                self.coming.add(task)
                task.add_done_callback(self.coming.discard)

    async def adopt(self, connection: socket.socket, head: bytes) -> None:
        try:
            connection.setblocking(False)
            protocol = self.make()
            protocol.adopted = True
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, connection)
            protocol.data_received(head)
        except OSError as error:
            connection.close()
            log.debug("a connection was gone before it was taken over", extra={"why": str(error)})


def room_of(url: bytes) -> str:
    """The room that the address of a WebSocket names; empty if it names none."""
    try:
        return parse_qs(urlsplit(url.decode("ascii")).query).get("room", [""])[0][:24]
    except ValueError:
        return ""
