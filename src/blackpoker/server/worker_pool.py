"""Long jobs in worker processes: searching computer players, turning points, scenarios.

Levels without search answer at once. Those with search run in a worker, so that no room waits for the opponent of
another. The position is sent as text, and the player sees only the view of its seat. Waiting jobs take turns by
address, then by guest: many rooms of one player delay only that player.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any, Final, TypeVar

from blackpoker.game.game import Game
from blackpoker.learn.hints import hint
from blackpoker.players.computer_moves import choose_move, is_instant
from blackpoker.protocol import messages as p
from blackpoker.ruleset import Edition, edition_named, set_default_edition
from blackpoker.server.admission import SERVER_OWNER, Job, Ledger, Owner, processor_time
from blackpoker.server.process_guard import exit_with_parent
from blackpoker.text.markup import RichText

T = TypeVar("T")
MAX_WORKERS: Final = 4
#: jobs that may wait in total
MAX_QUEUED: Final = 2_000
#: jobs of one address that may wait for a thread. Two threads: they share the interpreter with the event loop
MAX_QUEUED_PER_ADDRESS: Final = 40
THREADS: Final = 2


class QueueFull(Exception):
    """The job queue is full."""


def choose_move_in_saved(level: str, text: str, seed: int) -> list[int]:
    """Choose a move in a saved game; runs in a worker."""
    return choose_move(level, Game.from_json(text), seed)


def hint_in_saved(text: str, lang: p.Lang, move: bool) -> RichText:
    """Return a hint for the choice in a saved game, or the recommended move."""
    hint_result = hint(Game.from_json(text))
    return hint_result.move(lang) if move else RichText(hint_result.thought(lang))


def with_time_limit(seconds: float, job: Callable[..., T], *args: Any) -> T:
    """Run a job in a worker process with a time limit; raise `TimeoutError` when it is exceeded."""

    def on_alarm(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    old_handler = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return job(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)


class FairQueue:
    """Queue with a number of slots. The next turn goes to the waiting address that had its last turn longest ago, or
    none yet, and likewise among its guests. A new owner therefore waits only for the jobs that already run."""

    def __init__(self, slots: int, most_per_network: int = MAX_QUEUED) -> None:
        self.free: int = slots
        self.most_per_network = most_per_network
        self.waiting_count: int = 0
        self.turns: int = 0
        self.last_turns: dict[str, int] = {}  # number of the last turn of each address and guest
        self.waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    @asynccontextmanager
    async def turn(self, owner: Owner) -> AsyncIterator[None]:
        if self.free and not self.waiting_count:
            self.free -= 1
            self.record_turn(owner.network, owner.guest)
        else:
            await self.wait(owner)
        try:
            yield
        finally:
            self.free += 1
            self.grant_turns()

    async def wait(self, owner: Owner) -> None:
        of_network = sum(map(len, self.waiting.get(owner.network, {}).values()))
        if self.waiting_count >= MAX_QUEUED or of_network >= self.most_per_network:
            raise QueueFull
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(owner.network, {}).setdefault(owner.guest, deque()).append(turn)
        self.waiting_count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # called at the same moment: pass the turn on
                self.free += 1
                self.grant_turns()
            raise

    def grant_turns(self) -> None:
        """Give free slots to the waiting owners that are next."""
        while self.free and self.waiting:
            network = min(self.waiting, key=lambda name: self.last_turns.get(name, 0))
            guests = self.waiting[network]
            guest = min(guests, key=lambda name: self.last_turns.get(f"{network} {name}", 0))
            turn = guests[guest].popleft()
            self.waiting_count -= 1
            if not guests[guest]:
                del guests[guest]
            if not guests:
                del self.waiting[network]
            if not turn.done():
                self.free -= 1
                self.record_turn(network, guest)
                turn.set_result(None)

    def record_turn(self, network: str, guest: str) -> None:
        """Record a turn of the owner. The oldest entries are dropped, so that their owners count as new."""
        self.turns += 1
        for name in (network, f"{network} {guest}"):
            self.last_turns.pop(name, None)
            self.last_turns[name] = self.turns
        while len(self.last_turns) > MAX_QUEUED:
            del self.last_turns[next(iter(self.last_turns))]


def init_worker(edition: Edition) -> None:
    """Initialise a worker: set the server's edition and exit with the server."""
    set_default_edition(edition)
    exit_with_parent()


class WorkerPool:
    """The worker processes, started on first use; one core is left for the server. Shorter jobs run in threads."""

    def __init__(self) -> None:
        self.size: int = max(1, min(MAX_WORKERS, (os.cpu_count() or 2) - 1))
        self.pool: ProcessPoolExecutor | None = None
        self.queue: FairQueue = FairQueue(self.size)
        self.threads: ThreadPoolExecutor = ThreadPoolExecutor(THREADS, "job")
        self.thread_queue: FairQueue = FairQueue(THREADS, MAX_QUEUED_PER_ADDRESS)

    def warm_up(self, level: str) -> None:
        """Start the pool if this level needs it, so that it is ready for the first move."""
        if not is_instant(level) and self.pool is None:
            self.get_pool().submit(is_instant, level)

    def get_pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.size, context, init_worker, (edition_named(),))
        return self.pool

    async def run(self, owner: Owner, job: Callable[..., T], *args: Any) -> T:
        """Run a job in a worker when it is the owner's turn; raise `QueueFull` if too many jobs wait."""
        async with self.queue.turn(owner):
            return await self.run_in_turn(job, *args)

    async def run_in_thread(self, owner: Owner, job: Callable[..., T], *args: Any) -> T:
        """Run a short job in a thread when it is the owner's turn; raise `QueueFull` if too many jobs wait."""
        async with self.thread_queue.turn(owner):
            return await asyncio.get_running_loop().run_in_executor(self.threads, job, *args)

    async def run_charged(self, ledger: Ledger, owner: Owner, job: Job[T], *args: Any) -> T:
        """Run a job in a thread, charged to its owner: its cost before it is queued, the rest of its CPU time
        afterwards."""

        def measured() -> tuple[T | Exception, float]:
            started = processor_time()
            try:
                return job.run(*args), processor_time() - started
            except Exception as error:
                return error, processor_time() - started

        ledger.spend(owner.guest, owner.network, job.cost.ms, time.monotonic())
        found, seconds = await self.run_in_thread(owner, measured)
        extra_ms = max(0.0, 1000 * seconds - job.cost.ms)
        ledger.spend(owner.guest, owner.network, extra_ms, time.monotonic())
        if isinstance(found, Exception):
            raise found
        return found

    async def run_in_turn(self, job: Callable[..., T], *args: Any) -> T:
        """Run the job in the pool; raise `BrokenExecutor` if a worker died. The caller must already hold a queue
        turn."""
        pool = self.get_pool()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, job, *args)
        except BrokenExecutor:
            if self.pool is pool:
                self.pool = None  # the next call starts a new pool
            raise

    async def choose_move(self, level: str, game: Game, seed: int, owner: Owner = SERVER_OWNER) -> list[int]:
        if is_instant(level):
            await asyncio.sleep(0)
            return choose_move(level, game, seed)
        try:
            return await self.run(owner, choose_move_in_saved, level, game.to_json(), seed)
        except (BrokenExecutor, QueueFull):  # choose here, without search
            return choose_move("easy", game, seed)

    def stop(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
