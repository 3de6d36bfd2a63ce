"""Trial games in monitored processes, so that a hanging choice is detected."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, Final

from blackpoker.ruleset import Edition
from blackpoker.smoke.games import Sighting, Trial, TrialGame, TrialResult

#: time limit of one choice in seconds; the slowest machine needs a few hundredths
PATIENCE: Final = 20.0
#: time limit for the start of a process in seconds
START: Final = 5.0
#: capacity of the shared array of choices
_MAX_CHOICES: Final = 100_001
_NOT_STARTED: Final = -1


def _work(trials: Sequence[Trial], edition: Edition, choices: Any, out: Connection) -> None:
    """Play the trials in a worker process and send the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # handled by the parent
    for trial in trials:
        choices[0] = 0
        out.send(TrialGame(trial, edition, choices).play())
    out.close()


class _Worker:
    """A process and the trials left for it."""

    def __init__(self, trials: list[Trial], edition: Edition) -> None:
        context = multiprocessing.get_context()
        self.left = trials
        self.edition = edition
        self.choices = RawArray("i", _MAX_CHOICES)
        self.choices[0] = _NOT_STARTED
        self.pipe, theirs = context.Pipe(False)
        self.process = context.Process(target=_work, args=(trials, edition, self.choices, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.seen = (-1, -1)
        self.since = time.monotonic() + START  # allow for the start of the process

    def result(self) -> TrialResult | None:
        """Return the next result; None if the process has died."""
        try:
            result: TrialResult = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.left.pop(0)
        return result

    def is_stuck(self, now: float, patience: float) -> bool:
        """Return whether it has been at the same choice for longer than ``patience``."""
        here = (len(self.left), self.choices[0])
        if here != self.seen:
            self.seen, self.since = here, max(self.since, now)
        return now - self.since > patience

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def run(trials: Sequence[Trial], edition: Edition, jobs: int, patience: float = PATIENCE) -> Iterator[TrialResult]:
    """Yield the results in any order. A hanging game is killed and reported as a sighting."""
    workers = [_Worker(list(trials[place::jobs]), edition) for place in range(min(jobs, len(trials)))]
    try:
        while workers:
            ready = wait([worker.pipe for worker in workers], timeout=0.5)
            for worker in list(workers):
                if worker.pipe in ready:
                    result = worker.result()
                    if result is not None:
                        yield result
                elif worker.is_stuck(time.monotonic(), patience):
                    result = None
                else:
                    continue
                if result is None and worker.choices[0] == _NOT_STARTED:
                    raise ChildProcessError("no process can be started for the trial games")
                if result is None:  # hanging or crashed
                    yield _hung(worker)
                if result is None or not worker.left:
                    workers.remove(worker)
                    worker.stop()
                if result is None and worker.left[1:]:
                    workers.append(_Worker(worker.left[1:], edition))
    finally:
        for worker in workers:
            worker.stop()


def _hung(worker: _Worker) -> TrialResult:
    trial = worker.left[0]
    choices = tuple(worker.choices[1 : worker.choices[0] + 1])
    return TrialResult(trial, decisions=len(choices), history=choices, sightings=[Sighting("hang", "", trial, choices)])
