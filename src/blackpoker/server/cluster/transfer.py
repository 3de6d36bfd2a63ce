"""Handover of an open socket to the process that owns the requested room, before the handshake.

The URL of the WebSocket names the room (``/ws?room=…``). A process that receives a connection for a room of another
process on the same machine passes it the socket and the head of the request. Where that is impossible (another machine,
an older client), the processes forward messages instead, which costs twice as much.
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

from blackpoker.server.cluster.bus import Bus, BusError

log: logging.Logger = logging.getLogger("blackpoker.transfer")
#: bytes of the head of a request; a longer one is not handed over
MAX_HEAD_BYTES: Final = 65_536
#: attempts to reach a busy process, and seconds between them
HANDOVER_ATTEMPTS: Final = 20
RETRY_PAUSE: Final = 0.005
#: True if this platform can pass a socket to another process
SUPPORTED: Final = hasattr(socket, "send_fds") and hasattr(socket, "AF_UNIX")


class SocketHandover:
    """The endpoint where a process takes over connections and hands them to others."""

    def __init__(self, bus: Bus, rooms: Container[str]) -> None:
        """``rooms``: those that live in this process."""
        self.bus = bus
        self.rooms = rooms
        self.folder: str = ""
        self.socket: socket.socket | None = None
        self.make_protocol: Callable[[], Any] = lambda: None
        self.adopt_tasks: set[asyncio.Task[None]] = set()

    async def open(self, make_protocol: Callable[[], Any]) -> None:
        """Start to take over connections; ``make_protocol`` creates the protocol of one."""
        if self.bus.single_process or not SUPPORTED:
            return
        self.make_protocol = make_protocol
        self.folder = tempfile.mkdtemp(prefix="blackpoker-")  # mode 0700: no access for other users
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(f"{self.folder}/door")
        asyncio.get_running_loop().add_reader(self.socket, self.receive_sockets)
        await self.bus.set_handover_address(f"{self.folder}/door")

    def close(self) -> None:
        if self.socket is not None:
            asyncio.get_running_loop().remove_reader(self.socket)
            self.socket.close()
            self.socket = None
            for path in (Path(self.folder, "door"), Path(self.folder)):
                try:
                    path.rmdir() if path.is_dir() else path.unlink()
                except OSError as error:
                    log.debug("entry not removed", extra={"error": str(error)})

    # -- to another process ------------------------------------------------------------------------------------------

    def remote_room(self, url: bytes) -> str:
        """Return the room of this URL if it might live in another process; empty otherwise."""
        room = "" if self.socket is None else requested_room(url)
        return "" if room in self.rooms else room

    async def hand_over(self, room: str, connection: int, head: bytes) -> bool:
        """Pass the connection to the process that owns the room; return False if it stays here."""
        if self.socket is None or len(head) > MAX_HEAD_BYTES:
            return False
        try:
            owner = (await self.bus.owners([room]))[0]
            address = await self.bus.handover_address_of(owner) if owner not in ("", self.bus.process_id) else ""
        except BusError:
            return False
        for _ in range(HANDOVER_ATTEMPTS if address else 0):
            try:
                # socket.send_fds ignores the address before Python 3.12
                self.socket.sendmsg(
                    [head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [connection]))], 0, address
                )
                return True
            except BlockingIOError:
                await asyncio.sleep(RETRY_PAUSE)  # its queue is full at the moment
            except OSError:
                return False  # the process is gone or on another machine
        return False

    # -- from another process ----------------------------------------------------------------------------------------

    def receive_sockets(self) -> None:
        assert self.socket is not None
        while True:
            try:
                head, files, _, _ = socket.recv_fds(self.socket, MAX_HEAD_BYTES, 1)
            except OSError:
                return  # no more connections
            for file in files:
                task = asyncio.ensure_future(self.adopt_socket(socket.socket(fileno=file), head))
                self.adopt_tasks.add(task)
                task.add_done_callback(self.adopt_tasks.discard)

    async def adopt_socket(self, connection: socket.socket, head: bytes) -> None:
        try:
            connection.setblocking(False)
            protocol = self.make_protocol()
            protocol.adopted = True
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, connection)
            protocol.data_received(head)
        except OSError as error:
            connection.close()
            log.debug("connection closed before its transfer", extra={"error": str(error)})


def requested_room(url: bytes) -> str:
    """Return the room that the URL of a WebSocket names; empty if it names none."""
    try:
        return parse_qs(urlsplit(url.decode("ascii")).query).get("room", [""])[0][:24]
    except ValueError:
        return ""
