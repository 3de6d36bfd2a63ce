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
from urllib.parse import urlsplit, urlunsplit

import uvicorn

from blackpoker import __version__
from blackpoker.ruleset import Edition, edition_named, set_default_edition
from blackpoker.server import log_setup
from blackpoker.server.admission import UNLIMITED, Limits
from blackpoker.server.app import create_app
from blackpoker.server.cluster.bus import BusError, RedisBus
from blackpoker.server.cluster.transfer import SocketHandover
from blackpoker.server.http.connection_limits import ConnectionGate, limited_protocol, raise_file_limit
from blackpoker.server.http.state import AppState
from blackpoker.server.http.uvicorn_parts import missing_methods
from blackpoker.server.metrics import Metrics, reset_gauges
from blackpoker.server.process_guard import exit_with_parent
from blackpoker.server.storage.database import GameStore
from blackpoker.server.storage.interface import RetentionPolicy, StoreError
from blackpoker.server.ws.frames import FrameProtocol

log: logging.Logger = logging.getLogger("blackpoker.serve")
BAD_DATABASE: Final = 3
BAD_REDIS: Final = 4
BAD_PORT: Final = 5
STORE_FAILED: Final = 6
#: a process that ends within these seconds has failed to start
EARLY_EXIT_SECONDS: Final = 3.0
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
#: ports tried after the wanted one
EXTRA_PORTS: Final = 20


class CannotServe(Exception):
    """A startup error: one line for the operator and the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass
class ServeOptions:
    """Options of a server."""

    host: str = "0.0.0.0"
    port: int = 8080
    exact_port: bool = False
    database: str = "blackpoker.db"
    redis: str = ""
    processes: int = 1
    origins: frozenset[str] = frozenset()
    unlimited: bool = False
    log_level: str = "info"
    limits: Limits = field(default_factory=Limits)
    retention: RetentionPolicy = field(default_factory=RetentionPolicy)
    hosts: frozenset[str] = frozenset()  # names besides this machine's own
    open_metrics: bool = False
    metrics_token: str = ""  # those who send it may read the metrics
    root: str = ""  # the folder under which a proxy publishes the server, as the browser sees it: "/bp"
    edition: Edition = field(default_factory=edition_named)  # chosen by the operator, never by a client
    metrics_file: Path | None = None  # metrics file of this process if there are others


def bind_port(host: str, port: int, exact_port: bool) -> socket.socket:
    """Return a listening socket on the port or the next free one; raise `CannotServe` if there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tries = 1 if exact_port or port == 0 else EXTRA_PORTS + 1
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


def lan_address() -> str:
    """Return this machine's address on its network; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


async def check_services(options: ServeOptions) -> None:
    """Open the services once, so that a wrong option is reported in one line; raise `CannotServe` if one fails."""
    try:
        store = await GameStore.open(options.database)
    except StoreError as error:
        raise CannotServe(BAD_DATABASE, str(error)) from None
    await store.close()
    if options.redis:
        try:
            bus = await RedisBus.connect(options.redis)
        except ImportError:
            raise CannotServe(BAD_REDIS, "the redis library is missing; install blackpoker[scale]") from None
        except (BusError, ValueError) as error:
            text = str(error).removeprefix("Redis: ")
            raise CannotServe(BAD_REDIS, f"cannot reach Redis: {text}; --redis is like redis://HOST:6379/0") from None
        await bus.redis.aclose()


def database_address(database: str) -> str:
    """Return the address of a database without its password and options; the path of a file as it is."""
    if "://" not in database:
        return database
    address = urlsplit(database)
    user = f"{address.username}@" if address.username else ""
    return urlunsplit((address.scheme, f"{user}{address.netloc.rpartition('@')[2]}", address.path, "", ""))


def described(options: ServeOptions) -> tuple[str, str, str, str]:
    """Return what an operator reads at the start: version, edition, database, root path."""
    return __version__, options.edition.text, database_address(options.database), options.root or "/"


def serve(options: ServeOptions, announce: Any = None) -> int:
    """Serve until stopped; return the exit code. Raise `CannotServe` for wrong options."""
    if options.processes > 1 and not options.redis:
        raise CannotServe(2, "more than one process needs --redis")
    log_setup.configure(options.log_level)
    asyncio.run(check_services(options))
    listener = bind_port(options.host, options.port, options.exact_port)
    # set by SIGTERM before the server handles signals; an exception raised here could be swallowed
    stop_requested = threading.Event()
    if in_main_thread():
        signal.signal(signal.SIGTERM, lambda *_: stop_requested.set())
    version, edition, database, root = described(options)
    place = {"address": f"{options.host}:{listener.getsockname()[1]}", "root_path": root, "database": database}
    log.info("server starts", extra={**place, "edition": edition, "version": version, "processes": options.processes})
    if announce is not None:
        announce(options, listener.getsockname()[1])
    if options.processes <= 1:
        return serve_one(options, listener, stop_requested)
    return serve_many(options, listener, stop_requested)


def in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def noting_signals(stop_requested: threading.Event) -> Generator[None, None, None]:
    """Note the signals that come before the server handles them, or when it has stopped."""
    numbers = STOP_SIGNALS if in_main_thread() else ()
    before = {number: signal.signal(number, lambda *_: stop_requested.set()) for number in numbers}
    try:
        yield
    finally:
        for number, other in before.items():
            signal.signal(number, other)


def serve_one(options: ServeOptions, listener: socket.socket, stop_requested: threading.Event) -> int:
    log_setup.configure(options.log_level)
    if missing_methods():
        print(f"blackpoker: this uvicorn is not one we know; it lacks {', '.join(missing_methods())}", file=sys.stderr)
        return 1
    set_default_edition(options.edition)
    # Our objects form no garbage cycles: rooms and connections break them when they close
    # (tests/server/test_memory.py). Collecting during play would cost a tenth of the server's time, and a full
    # collection would stall every client. RoomManager.sweep collects while no client is connected.
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(0.001)  # so that the busy event loop notices a finished commit soon
    failed: list[str] = []

    def on_start(app_state: AppState) -> None:
        room_manager = app_state.room_manager
        handover = gate.handover = SocketHandover(room_manager.bus, room_manager.rooms)
        gate.ledger = app_state.ledger
        gate.response_delay = room_manager.response_delay
        loop = asyncio.get_running_loop()

        def stop(number: int = 0) -> None:
            """Shut down; the clients' leaving is not stored. A second Ctrl+C does not wait for them."""
            handover.close()
            room_manager.stopping = True
            server.force_exit = server.should_exit and number == signal.SIGINT
            server.should_exit = True

        def on_failure(future: asyncio.Future[None]) -> None:
            if not future.cancelled() and future.exception() is not None:
                failed.append(str(future.exception()))
                stop()

        def adopted_protocol() -> asyncio.Protocol:
            return protocol(config, server.server_state, server.lifespan.state)

        room_manager.store.failed.add_done_callback(on_failure)
        room_manager.spawn(handover.open(adopted_protocol))
        if in_main_thread():  # replaces uvicorn's handlers, which end the process with the signal instead of our code
            for number in STOP_SIGNALS:
                signal.signal(number, lambda number, _: loop.call_soon_threadsafe(stop, number))
            if stop_requested.is_set():
                stop()

    limits = UNLIMITED if options.unlimited else options.limits
    max_files = raise_file_limit()
    gate = ConnectionGate(limits, max_files)
    protocol = limited_protocol(gate)
    app = create_app(
        options.database,
        options.redis,
        limits,
        options.origins,
        on_start,
        options.retention,
        options.hosts,
        options.open_metrics,
        options.metrics_file,
        options.root,
        options.metrics_token,
    )
    address = lan_address() if options.host in ("0.0.0.0", "::") else ""
    if address and not address.startswith("127."):
        app.state.network = f"http://{address}:{listener.getsockname()[1]}"
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws=FrameProtocol,
        ws_max_size=options.limits.message_bytes * 4,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        http=protocol,
        limit_concurrency=max_files,
    )
    server = uvicorn.Server(config)
    log.info("process serves", extra={"pid": os.getpid()})
    with noting_signals(stop_requested):
        server.run([listener])
    gc.freeze()  # else the interpreter scans all games once more before it exits, for seconds
    log.info("process stops", extra={"pid": os.getpid(), "reason": failed[0] if failed else "signal"})
    if failed:
        print("blackpoker: " + failed[0], file=sys.stderr)
        return STORE_FAILED
    return 0 if server.started else 1


def run_worker(options: ServeOptions, listener: socket.socket) -> None:
    log_setup.configure(options.log_level)
    exit_with_parent()
    os._exit(serve_one(options, listener, threading.Event()))


def serve_many(options: ServeOptions, listener: socket.socket, stop_requested: threading.Event) -> int:
    """Serve with several processes on one socket. A process that dies is restarted, unless it failed to start. Their
    metrics lie in a common folder."""
    with tempfile.TemporaryDirectory(prefix="blackpoker-figures-") as folder:
        return supervise(options, listener, stop_requested, Path(folder))


def supervise(options: ServeOptions, listener: socket.socket, stop_requested: threading.Event, folder: Path) -> int:
    context = mp.get_context("spawn")
    stopping = False
    early_exits = 0
    started_at: dict[int, float] = {}
    starts = [0] * options.processes  # starts of each process
    metrics = Metrics(folder / "starting")

    def start(slot: int) -> Any:
        metrics_file = folder / f"{slot}.{starts[slot]}"
        starts[slot] += 1
        process = context.Process(target=run_worker, args=(replace(options, metrics_file=metrics_file), listener))
        process.start()
        started_at[process.pid or 0] = time.monotonic()
        log.info("process started", extra={"place": slot, "pid": process.pid, "times": starts[slot]})
        return process

    def on_death(slot: int, process: Any) -> None:
        code = process.exitcode or 0
        cause = {"signal": signal.Signals(-code).name} if code < 0 else {"code": code}
        log.error("process died", extra={"place": slot, "pid": process.pid, **cause})
        reset_gauges(folder / f"{slot}.{starts[slot] - 1}")
        metrics.restarts += 1

    def stop(*_: Any) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    if stop_requested.is_set():
        return 0
    processes = [start(slot) for slot in range(options.processes)]
    code = 0
    while not stopping:
        time.sleep(0.2)
        for slot, process in enumerate(processes):
            if not process.is_alive() and not stopping:
                on_death(slot, process)
                early = time.monotonic() - started_at.pop(process.pid or 0, 0.0) < EARLY_EXIT_SECONDS
                early_exits = early_exits + 1 if early else 0
                if process.exitcode == STORE_FAILED:
                    stopping, code = True, STORE_FAILED
                elif early_exits > 2 * options.processes:
                    print("blackpoker: the processes leave as soon as they are started; see the log", file=sys.stderr)
                    stopping, code = True, 1
                else:
                    processes[slot] = start(slot)
    log.info("server stops", extra={"code": code})
    for process in processes:
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGTERM)
    for process in processes:
        process.join(10)
        if process.is_alive():
            process.kill()
    return code
