"""Process pool of workers that ignore Ctrl-C and exit when their parent is gone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def worker_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of ``jobs`` processes; 0: one per core. Tasks not started are cancelled at the end."""
    pool = ProcessPoolExecutor(jobs or None, initializer=_initialize)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def as_completed(jobs: int, call: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """Yield the results of ``call`` for each argument tuple in order of completion; only a few are submitted ahead."""
    waiting = iter(arguments)
    running: set[Future[T]] = set()
    with worker_pool(jobs) as pool:
        while True:
            while len(running) < 2 * jobs and (following := next(waiting, None)) is not None:
                running.add(pool.submit(call, *following))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


def _initialize() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent is gone: its process id changes (forked), or its sentinel closes (other start methods)."""
    parent = os.getppid()
    started_by = multiprocessing.parent_process()
    while os.getppid() == parent and (started_by is None or started_by.is_alive()):
        time.sleep(0.5)
    os._exit(1)
