"""Starting and stopping the server: port, processes, clean shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import multiprocessing as mp
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import uvicorn

from blackpoker.regulation import Edition, play_by, standard_edition
from blackpoker.server.net import logs
from blackpoker.server.net.app import create_app
from blackpoker.server.net.bus import BusError, RedisBus
from blackpoker.server.net.frames import FrameProtocol
from blackpoker.server.net.guard import Gate, allow_files, guarded
from blackpoker.server.net.limits import UNLIMITED, Limits
from blackpoker.server.net.metrics import Metrics, gone
from blackpoker.server.net.parent import leave_with_parent
from blackpoker.server.net.running import Server
from blackpoker.server.net.transfer import Transfer
from blackpoker.server.net.uvicorn_parts import missing
from blackpoker.server.store.database import GameStore
from blackpoker.server.store.promises import Keeping, StoreError

log: logging.Logger = logging.getLogger("blackpoker.serve")
BAD_DATABASE: Final = 3
BAD_REDIS: Final = 4
BAD_PORT: Final = 5
STORE_FAILED: Final = 6
#: a process that ends within these seconds has failed to start
YOUNG: Final = 3.0
#: ports tried after the wanted one
MORE_PORTS: Final = 20


class CannotServe(Exception):
    """A startup error: one line for the operator and the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass
class ServePlan:
    """Options of a server."""

    host: str = "0.0.0.0"
    port: int = 8080
    exact: bool = False
    database: str = "blackpoker.db"
    redis: str = ""
    processes: int = 1
    origins: frozenset[str] = frozenset()
    unlimited: bool = False
    log_level: str = "info"
    limits: Limits = field(default_factory=Limits)
    keeping: Keeping = field(default_factory=Keeping)
    hosts: frozenset[str] = frozenset()  # names besides this machine's own
    open_metrics: bool = False
    root: str = ""  # the folder under which a proxy publishes the server, as the browser sees it: "/bp"
    edition: Edition = field(default_factory=standard_edition)  # chosen by the operator, never by a client
    figures: Path | None = None  # metrics file of this process if there are others


def take_port(host: str, port: int, exact: bool) -> socket.socket:
    """Return a listening socket on the port or the next free one; raise `CannotServe` if there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tries = 1 if exact or port == 0 else MORE_PORTS + 1
    for number in range(port, min(port + tries, 65536)):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
            found.listen(2048)
        except (OSError, UnicodeError) as error:
            found.close()
            code = error.errno if isinstance(error, OSError) else None
            if isinstance(error, socket.gaierror | UnicodeError) or code == errno.EADDRNOTAVAIL:
                raise CannotServe(BAD_PORT, f"{host} is no address of this machine; see --host") from None
            if code not in (errno.EADDRINUSE, errno.EACCES) or number + 1 == port + tries:
                why = os.strerror(code) if code else str(error)
                raise CannotServe(BAD_PORT, f"cannot listen on {host} port {number}: {why}") from None
            continue
        return found
    raise CannotServe(BAD_PORT, f"no free port from {port} on")


def network_address() -> str:
    """Return this machine's address on its network; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


async def check(plan: ServePlan) -> None:
    """Open the services once, so that a wrong option is reported in one line; raise `CannotServe` if one fails."""
    try:
        store = await GameStore.open(plan.database)
    except StoreError as error:
        raise CannotServe(BAD_DATABASE, str(error)) from None
    await store.close()
    if plan.redis:
        try:
            bus = await RedisBus.connect(plan.redis)
        except ImportError:
            raise CannotServe(BAD_REDIS, "the redis library is missing; install blackpoker[scale]") from None
        except (BusError, ValueError) as error:
            text = str(error).removeprefix("Redis: ")
            raise CannotServe(BAD_REDIS, f"cannot reach Redis: {text}; --redis is like redis://HOST:6379/0") from None
        await bus.redis.aclose()


def serve(plan: ServePlan, announce: Any = None) -> int:
    """Serve until stopped; return the exit code. Raise `CannotServe` for wrong options."""
    if plan.processes > 1 and not plan.redis:
        raise CannotServe(2, "more than one process needs --redis")
    logs.configure(plan.log_level)
    asyncio.run(check(plan))
    listening = take_port(plan.host, plan.port, plan.exact)
    # set by SIGTERM before the server handles signals; an exception raised here could be swallowed
    told = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: told.set())
    if announce is not None:
        announce(plan, listening.getsockname()[1])
    if plan.processes <= 1:
        return serve_one(plan, listening, told)
    return serve_many(plan, listening, told)


class PoliteServer(uvicorn.Server):
    """Server that exits with our exit code instead of the signal, and takes over connections of other processes."""

    transfer: Transfer | None = None
    running: Server | None = None

    def __init__(self, config: uvicorn.Config, told: threading.Event) -> None:
        super().__init__(config)
        self.told = told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.transfer is not None:
            await self.transfer.open(self.new_connection)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.transfer is not None:
            self.transfer.close()
        if self.running is not None:
            self.running.hub.stopping = True
        await super().shutdown(sockets)

    def new_connection(self) -> Any:
        make: Any = self.config.http_protocol_class
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        if self.told.is_set():
            self.should_exit = True
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve_one(plan: ServePlan, listening: socket.socket, told: threading.Event) -> int:
    logs.configure(plan.log_level)
    if missing():
        print(f"blackpoker: this uvicorn is not one we know; it lacks {', '.join(missing())}", file=sys.stderr)
        return 1
    play_by(plan.edition)
    # Our objects form no garbage cycles: rooms and connections break them when they close
    # (tests/server/test_memory.py). Collecting during play would cost a tenth of the server's time, and a full
    # collection would stall every client. RoomManager.sweep collects while no client is connected.
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(0.001)  # so that the busy event loop notices a finished commit soon
    failed: list[str] = []
    server: PoliteServer | None = None

    def opened(running: Server) -> None:
        def stop(future: asyncio.Future[None]) -> None:
            if not future.cancelled() and future.exception() is not None:
                failed.append(str(future.exception()))
                if server is not None:
                    server.should_exit = True

        running.hub.store.failed.add_done_callback(stop)
        assert server is not None
        server.running = running
        server.transfer = door.transfer = Transfer(running.hub.bus, running.hub.rooms)
        door.budget = running.budget
        door.until_beat = running.hub.until_beat

    limits = UNLIMITED if plan.unlimited else plan.limits
    files = allow_files()
    door = Gate(limits, files)
    app = create_app(
        plan.database, plan.redis, limits, plan.origins, opened, plan.keeping, plan.hosts, plan.open_metrics,
        plan.figures, plan.root,
    )  # fmt: skip
    address = network_address() if plan.host in ("0.0.0.0", "::") else ""
    if address and not address.startswith("127."):
        app.state.network = f"http://{address}:{listening.getsockname()[1]}"
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws=FrameProtocol,
        ws_max_size=plan.limits.message_bytes * 4,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        http=guarded(door),
        limit_concurrency=files,
    )
    server = PoliteServer(config, told)
    log.info("process serves", extra={"pid": os.getpid()})
    server.run([listening])
    gc.freeze()  # else the interpreter scans all games once more before it exits, for seconds
    log.info("process stops", extra={"pid": os.getpid(), "why": failed[0] if failed else "told to"})
    if failed:
        print("blackpoker: " + failed[0], file=sys.stderr)
        return STORE_FAILED
    return 0 if server.started else 1


def worker(plan: ServePlan, listening: socket.socket) -> None:
    logs.configure(plan.log_level)
    leave_with_parent()
    os._exit(serve_one(plan, listening, threading.Event()))


def serve_many(plan: ServePlan, listening: socket.socket, told: threading.Event) -> int:
    """Serve with several processes on one socket. A process that dies is restarted, unless it failed to start. Their
    metrics lie in a common folder."""
    with tempfile.TemporaryDirectory(prefix="blackpoker-figures-") as folder:
        return look_after(plan, listening, told, Path(folder))


def look_after(plan: ServePlan, listening: socket.socket, told: threading.Event, folder: Path) -> int:
    context = mp.get_context("spawn")
    stopping = False
    died_young = 0
    begun: dict[int, float] = {}
    times = [0] * plan.processes  # starts of each process
    counted = Metrics(folder / "starting")

    def start(place: int) -> Any:
        figures = folder / f"{place}.{times[place]}"
        times[place] += 1
        process = context.Process(target=worker, args=(replace(plan, figures=figures), listening))
        process.start()
        begun[process.pid or 0] = time.monotonic()
        log.info("process started", extra={"place": place, "pid": process.pid, "times": times[place]})
        return process

    def note(place: int, process: Any) -> None:
        code = process.exitcode or 0
        how = {"signal": signal.Signals(-code).name} if code < 0 else {"code": code}
        log.error("process died", extra={"place": place, "pid": process.pid, **how})
        gone(folder / f"{place}.{times[place] - 1}")
        counted.restarts += 1

    def stop(*_: Any) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    if told.is_set():
        return 0
    running = [start(place) for place in range(plan.processes)]
    code = 0
    while not stopping:
        time.sleep(0.2)
        for place, process in enumerate(running):
            if not process.is_alive() and not stopping:
                note(place, process)
                young = time.monotonic() - begun.pop(process.pid or 0, 0.0) < YOUNG
                died_young = died_young + 1 if young else 0
                if process.exitcode == STORE_FAILED:
                    stopping, code = True, STORE_FAILED
                elif died_young > 2 * plan.processes:
                    print("blackpoker: the processes leave as soon as they are started; see the log", file=sys.stderr)
                    stopping, code = True, 1
                else:
                    running[place] = start(place)
    log.info("server stops", extra={"code": code})
    for process in running:
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGTERM)
    for process in running:
        process.join(10)
        if process.is_alive():
            process.kill()
    return code
