"""Long jobs in worker processes: searching computer players, turning points, scenarios.

Levels without search answer at once. Those with search run in a worker, so that no room waits for the opponent of
another. The position is sent as text, and the player sees only the view of its seat. Waiting jobs take turns by
address, then by guest: many rooms of one player delay only that player.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any, Final, NamedTuple, TypeVar

from blackpoker.game import Game
from blackpoker.players.coach import hint
from blackpoker.players.known_before import briefing_of
from blackpoker.players.levels import LEVELS, make_player
from blackpoker.players.seat import Contained, Seat
from blackpoker.regulation import Edition, Regulation, default_edition, play_by
from blackpoker.server.net.parent import leave_with_parent
from blackpoker.thinking.worlds import World
from blackpoker.wire import protocol as p
from blackpoker.wire import questions
from blackpoker.words.sentence import Sentence

T = TypeVar("T")
MOST_THINKERS: Final = 4
#: jobs that may wait in total
MOST_WAITING: Final = 2_000


class TurnOwner(NamedTuple):
    """The network and guest that a job is charged to."""

    network: str
    guest: str


#: owner of jobs for all players
SERVER: Final = TurnOwner("", "")


class Busy(Exception):
    """The job queue is full."""


def quick(level: str) -> bool:
    """Return whether the level answers without searching."""
    found = LEVELS.get(level.partition(":")[0])
    return found is None or found.playouts == 0


def sentence(level: str, engine: World, regulation: Regulation) -> list[int]:
    """Choose a whole move for the player to move."""
    player = int(engine.asked)
    known = briefing_of(regulation)
    chooser = Contained(make_player(level, regulation, player, secrets.randbits(62), known), level)
    said = Sentence(engine)
    while not said.complete:
        seat = Seat(said.engine, player, known)
        said.push(chooser.choose(seat, seat.decision))
    return said.options


def sentence_by_chance(game: Game) -> list[int]:
    """Choose a move at random: the fallback if the computer player fails."""
    said = Sentence(game.engine)
    while not said.complete:
        said.push(secrets.choice(said.engine.options))
    return said.options


def sentence_of_saved(level: str, text: str) -> list[int]:
    """Choose a move in a saved game; runs in a worker."""
    game = Game.from_json(text)
    return sentence(level, game.engine, game.regulation)


def hint_of_saved(text: str, lang: p.Lang, move: bool) -> p.Told:
    """Return a hint for the choice in a saved game, or the recommended move."""
    found = hint(Game.from_json(text))
    return questions.text_of(found.move(lang)) if move else p.Told(found.thought(lang))


def within(seconds: float, job: Callable[..., T], *given: Any) -> T:
    """Run a job in a worker process with a time limit; raise `TimeoutError` when it is exceeded."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return job(*given)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class FairQueue:
    """Queue with a number of slots. The next turn goes to the waiting address that had its last turn longest ago, or
    none yet, and likewise among its guests. A new owner therefore waits only for the jobs that already run."""

    def __init__(self, places: int) -> None:
        self.free: int = places
        self.count: int = 0
        self.turns: int = 0
        self.last: dict[str, int] = {}  # number of the last turn of each address and guest
        self.waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    @asynccontextmanager
    async def turn(self, owner: TurnOwner) -> AsyncIterator[None]:
        if self.free and not self.count:
            self.free -= 1
            self.note(owner.network, owner.guest)
        else:
            await self.wait(owner)
        try:
            yield
        finally:
            self.free += 1
            self.next()

    async def wait(self, owner: TurnOwner) -> None:
        if self.count >= MOST_WAITING:
            raise Busy
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(owner.network, {}).setdefault(owner.guest, deque()).append(called)
        self.count += 1
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():  # called at the same moment: pass the turn on
                self.free += 1
                self.next()
            raise

    def next(self) -> None:
        """Give free slots to the waiting owners that are next."""
        while self.free and self.waiting:
            network = min(self.waiting, key=lambda name: self.last.get(name, 0))
            guests = self.waiting[network]
            guest = min(guests, key=lambda name: self.last.get(f"{network} {name}", 0))
            called = guests[guest].popleft()
            self.count -= 1
            if not guests[guest]:
                del guests[guest]
            if not guests:
                del self.waiting[network]
            if not called.done():
                self.free -= 1
                self.note(network, guest)
                called.set_result(None)

    def note(self, network: str, guest: str) -> None:
        """Record a turn of the owner. The oldest entries are dropped, so that their owners count as new."""
        self.turns += 1
        for name in (network, f"{network} {guest}"):
            self.last.pop(name, None)
            self.last[name] = self.turns
        while len(self.last) > MOST_WAITING:
            del self.last[next(iter(self.last))]


def begin_thinking(edition: Edition) -> None:
    """Initialise a worker: set the server's edition and exit with the server."""
    play_by(edition)
    leave_with_parent()


class Thinkers:
    """The worker processes, started on first use; one core is left for the server."""

    def __init__(self) -> None:
        self.processes: int = max(1, min(MOST_THINKERS, (os.cpu_count() or 2) - 1))
        self.pool: ProcessPoolExecutor | None = None
        self.queue: FairQueue = FairQueue(self.processes)

    def warm(self, level: str) -> None:
        """Start the pool if this level needs it, so that it is ready for the first move."""
        if not quick(level) and self.pool is None:
            self.started().submit(quick, level)

    def started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.processes, context, begin_thinking, (default_edition(),))
        return self.pool

    async def elsewhere(self, owner: TurnOwner, job: Callable[..., T], *given: Any) -> T:
        """Run a job in a worker when it is the owner's turn; raise `QueueFull` if too many jobs wait."""
        async with self.queue.turn(owner):
            return await self.work(job, *given)

    async def work(self, job: Callable[..., T], *given: Any) -> T:
        """Run the job in the pool; raise `BrokenExecutor` if a worker died. The caller must already hold a queue
        turn."""
        pool = self.started()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, job, *given)
        except BrokenExecutor:
            if self.pool is pool:
                self.pool = None  # the next call starts a new pool
            raise

    async def sentence(self, level: str, game: Game, owner: TurnOwner = SERVER) -> list[int]:
        if quick(level):
            await asyncio.sleep(0)
            return sentence(level, game.engine, game.regulation)
        try:
            return await self.elsewhere(owner, sentence_of_saved, level, game.to_json())
        except (BrokenExecutor, Busy):  # choose here, without search
            return sentence("easy", game.engine, game.regulation)

    def stop(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
