"""Self-play by the workers of a Dask cluster, with the batches of the lab: each worker gets the net and a batch of
games and returns their records. The games are the same as on one machine, independent of the worker.
"""

from __future__ import annotations

import tempfile
import threading
import time
import zlib
from array import array
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np

from blackpoker.ai.net import Net
from blackpoker.lab.scheduler import DealBatches, run_batches
from training.selfplay import RECORD, SelfPlay

_local = threading.local()  # a SelfPlay object per worker thread, as its searches hold the net
_making = threading.Lock()  # the rule tables are packed once for all threads


def play_batch(
    setup: tuple[int, int, str, int], weights: bytes, seed: int, how: dict[str, int], games: Sequence[int]
) -> tuple[tuple[int, bytes], float]:
    """Play these games in a worker; return their number, the compressed records, and the duration. ``setup``: the
    fields of `SelfPlay`.
    """
    began = time.perf_counter()
    if getattr(_local, "begins", None) != setup:
        with _making:
            _local.school, _local.start_hash = SelfPlay(*setup), setup
    mine: SelfPlay = _local.school
    mine.set_net(Net(array("h", zlib.decompress(weights))))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "records"
        played, _ = mine.play(out, seed, 1e6, len(games), first=games[0], **{**how, "threads": 1})
        records = np.fromfile(out, RECORD)
    records["game"] += games[0]
    return (played, zlib.compress(records.tobytes(), 1)), time.perf_counter() - began


class DeadlineBatches(DealBatches):
    """Batches until a deadline; batches already submitted are still awaited."""

    def __init__(self, games: int, workers: int, seconds: float) -> None:
        super().__init__(range(games), workers)
        self.end = time.monotonic() + seconds

    def next(self) -> Sequence[int]:
        return super().next() if time.monotonic() < self.end else ()


class ClusterSelfPlay:
    """Drop-in for `SelfPlay` that uses all workers of a cluster."""

    def __init__(
        self, workers: tuple[Executor, int], seed: int = 1, groups: int = 400, edition: str = "6", rollout: int = 0
    ) -> None:
        self.workers, self.cores = workers
        self.setup = (seed, groups, edition, rollout)
        self.weights = b""

    def set_net(self, net: Net) -> None:
        self.weights = zlib.compress(net.weights.tobytes())

    def play(self, out: Path, seed: int, seconds: float, games: int = 10**6, **how: int) -> tuple[int, int]:
        task = partial(play_batch, self.setup, self.weights, seed, how)
        played = size = 0
        with out.open("ab") as file:
            for number, records in run_batches(
                self.workers, self.cores, task, DeadlineBatches(games, self.cores, seconds)
            ):
                played += number
                size += file.write(zlib.decompress(records))
        return played, size // RECORD.itemsize
