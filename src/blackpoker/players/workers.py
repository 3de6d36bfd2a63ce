"""Work on several cores: processes that leave Ctrl-C to the one who asked, and end when he is gone."""

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
def workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes; 0: one per core. What has not been begun is dropped at the end."""
    pool = ProcessPoolExecutor(jobs or None, initializer=_begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def as_they_come(jobs: int, call: Callable[..., T], given: Iterable[tuple[Any, ...]]) -> Iterator[T]:
    """What ``call`` gives for each of these, whoever is ready first; few are handed out ahead."""
    waiting = iter(given)
    running: set[Future[T]] = set()
    with workers(jobs) as pool:
        while True:
            while len(running) < 2 * jobs and (following := next(waiting, None)) is not None:
                running.add(pool.submit(call, *following))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    """Two signs that he is gone: another parent (forked), or the end of the pipe from him (otherwise started)."""
    parent = os.getppid()
    started_by = multiprocessing.parent_process()
    while os.getppid() == parent and (started_by is None or started_by.is_alive()):
        time.sleep(0.5)
    os._exit(1)
