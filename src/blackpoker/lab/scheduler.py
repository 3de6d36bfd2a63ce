"""Running an experiment: batches of its deals are played by processes or a Dask cluster and returned as rows.

The file alone records the finished deals, so an interrupted or killed run continues with the others, with any number of
processes, and the file is the same as without the interruption.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from blackpoker.lab.experiment import Experiment, LabError
from blackpoker.lab.experiment_file import Store
from blackpoker.lab.game_runner import GameRow, play_deals
from blackpoker.players.process_pool import worker_pool

T = TypeVar("T")
#: progress callback: games in the file, games in total
Progress = Callable[[int, int], None]

#: target duration of a batch
BATCH_SECONDS: Final = 1.0
MOST_BATCH: Final = 500


def run(experiment: Experiment, path: Path, *, jobs: int = 0, dask: str = "", progress: Progress | None = None) -> int:
    """Play the deals missing in the file and return the number of games played. ``jobs``: processes, 0 one per core,
    1 none but this one. ``dask``: the address of a scheduler to use instead.
    """
    checked = experiment.checked()
    with Store.make(path, checked) as store:
        done = store.done()
        left = [deal for deal in range(checked.deals) if deal not in done]
        per_deal = checked.seats * len(checked.arms)
        finished = store.count()
        before = finished
        if progress is not None:
            progress(finished, max(finished, checked.games))
        for rows in _results(checked, left, jobs or os.cpu_count() or 1, dask):
            store.add(rows)
            finished += len(rows)
            if progress is not None:
                progress(finished, before + per_deal * len(left))
        return finished - before


def _results(experiment: Experiment, deals: Sequence[int], jobs: int, dask: str) -> Iterator[list[GameRow]]:
    if not deals:
        return
    if jobs == 1 and not dask:
        shares = DealBatches(deals, 1)
        while share := shares.next():
            yield shares.completed(len(share), *timed_batch(experiment, share))
        return
    task = partial(timed_batch, experiment)
    if dask:
        with cluster(dask) as (client, cores):
            yield from run_batches(client, cores, task, DealBatches(deals, cores))
        return
    with worker_pool(jobs) as pool:
        yield from run_batches(pool, jobs, task, DealBatches(deals, jobs))


class DealBatches:
    """Splits deals into batches; the size is adapted to the measured duration."""

    def __init__(self, deals: Sequence[int], workers: int) -> None:
        self.deals = deals
        self.workers = workers
        self.at: int = 0
        self.size: float = 1.0

    def next(self) -> Sequence[int]:
        fair = (len(self.deals) - self.at) / (2 * self.workers)  # smaller near the end
        size = max(1, min(int(self.size), MOST_BATCH, round(fair)))
        share = self.deals[self.at : self.at + size]
        self.at += len(share)
        return share

    def completed(self, deals: int, rows: T, seconds: float) -> T:
        wanted = deals * BATCH_SECONDS / max(seconds, 1e-4)
        self.size = min(4 * self.size, max(1.0, wanted))
        return rows


def timed_batch(experiment: Experiment, deals: Sequence[int]) -> tuple[list[GameRow], float]:
    """Play a batch in a worker; return its rows and the seconds taken."""
    started = time.perf_counter()
    rows = play_deals(experiment, deals)
    return rows, time.perf_counter() - started


def run_batches(
    executor: Executor, cores: int, task: Callable[[Sequence[int]], tuple[T, float]], shares: DealBatches
) -> Iterator[T]:
    """Yield the result of the task for each batch in order of completion. The task also returns its duration in
    seconds.
    """
    running: dict[Future[tuple[T, float]], int] = {}
    try:
        while True:
            while len(running) < 2 * cores and (share := shares.next()):
                running[executor.submit(task, share)] = len(share)
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                deals = running.pop(future)
                yield shares.completed(deals, *future.result())
    finally:
        for future in running:
            future.cancel()


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield the executor of a Dask cluster and its number of threads; raise `LabError` if it is not reachable."""
    try:
        from distributed import Client
    except ImportError:
        raise LabError(
            "--dask needs more packages (distributed): pip install 'blackpoker[dask]'",
            "--dask には追加のパッケージ（distributed）が要ります：pip install 'blackpoker[dask]'",
        ) from None
    try:
        connect: Any = Client
        client = connect(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise LabError(
            f"no Dask scheduler answers at {address!r}: {' '.join(str(error).split())}",
            f"{address!r} のDaskスケジューラーにつながりません",
        ) from None
    with client:
        workers = sum(client.nthreads().values())
        if workers == 0:
            raise LabError(f"the Dask cluster at {address} has no workers", f"{address} のDaskに働き手がいません")
        with client.get_executor(pure=False, retries=2) as executor:
            yield executor, workers
