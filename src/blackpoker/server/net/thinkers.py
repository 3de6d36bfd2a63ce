"""Work that takes long, in processes of its own: searching opponents, turning points, scenarios.

Quick levels answer at once. Those that search think elsewhere, so that no room waits for another's opponent; the
position goes there as text and is looked at through the seat's eyes only. Whoever waits for a process has his turn by
address, then by guest: somebody with many rooms waits for himself.
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
#: jobs that may wait in all
MOST_WAITING: Final = 2_000


class TurnOwner(NamedTuple):
    """Whom a job is for."""

    network: str
    guest: str


#: jobs for everybody
SERVER: Final = TurnOwner("", "")


class Busy(Exception):
    """Too many jobs wait already."""


def quick(level: str) -> bool:
    """Whether it answers without searching."""
    found = LEVELS.get(level.partition(":")[0])
    return found is None or found.playouts == 0


def sentence(level: str, engine: World, regulation: Regulation) -> list[int]:
    """A whole sentence for whoever is asked."""
    player = int(engine.asked)
    known = briefing_of(regulation)
    chooser = Contained(make_player(level, regulation, player, secrets.randbits(62), known), level)
    said = Sentence(engine)
    while not said.complete:
        seat = Seat(said.engine, player, known)
        said.push(chooser.choose(seat, seat.decision))
    return said.options


def sentence_by_chance(game: Game) -> list[int]:
    """The same without any player: where the one who should choose cannot."""
    said = Sentence(game.engine)
    while not said.complete:
        said.push(secrets.choice(said.engine.options))
    return said.options


def sentence_of_saved(level: str, text: str) -> list[int]:
    """The same in another process."""
    game = Game.from_json(text)
    return sentence(level, game.engine, game.regulation)


def hint_of_saved(text: str, lang: p.Lang, move: bool) -> p.Told:
    """A thought about the choice in a saved game, or what to do, for whoever is asked there."""
    found = hint(Game.from_json(text))
    return questions.text_of(found.move(lang)) if move else p.Told(found.thought(lang))


def within(seconds: float, job: Callable[..., T], *given: Any) -> T:
    """Do a job of a worker process, for so long at most: TimeoutError."""

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
    """As many at a time as there are places. Among those who wait the address is next whose last turn is longest ago,
    or that had none yet, and of its guests likewise: whoever comes anew waits for what is being done, nothing else."""

    def __init__(self, places: int) -> None:
        self.free: int = places
        self.count: int = 0
        self.turns: int = 0
        self.last: dict[str, int] = {}  # of addresses, and of guests: the number of their last turn
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
            if called.done() and not called.cancelled():  # called in the same moment: the turn goes to the next
                self.free += 1
                self.next()
            raise

    def next(self) -> None:
        """Call whoever has waited longest of those whose turn it is."""
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
        """They have had a turn. Who had none for long counts as new."""
        self.turns += 1
        for name in (network, f"{network} {guest}"):
            self.last.pop(name, None)
            self.last[name] = self.turns
        while len(self.last) > MOST_WAITING:
            del self.last[next(iter(self.last))]


def begin_thinking(edition: Edition) -> None:
    """A process for thinking plays by the server's rules and leaves with it."""
    play_by(edition)
    leave_with_parent()


class Thinkers:
    """The processes, started when first needed; a core is left for the server."""

    def __init__(self) -> None:
        self.processes: int = max(1, min(MOST_THINKERS, (os.cpu_count() or 2) - 1))
        self.pool: ProcessPoolExecutor | None = None
        self.queue: FairQueue = FairQueue(self.processes)

    def warm(self, level: str) -> None:
        """A room with this level has been opened: be ready when it is to move."""
        if not quick(level) and self.pool is None:
            self.started().submit(quick, level)

    def started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.processes, context, begin_thinking, (default_edition(),))
        return self.pool

    async def elsewhere(self, owner: TurnOwner, job: Callable[..., T], *given: Any) -> T:
        """Have a job done in one of the processes, when it is this owner's turn."""
        async with self.queue.turn(owner):
            return await self.work(job, *given)

    async def work(self, job: Callable[..., T], *given: Any) -> T:
        """The same by somebody whose turn it is."""
        pool = self.started()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, job, *given)
        except BrokenExecutor:
            if self.pool is pool:
                self.pool = None  # another is started next time
            raise

    async def sentence(self, level: str, game: Game, owner: TurnOwner = SERVER) -> list[int]:
        if quick(level):
            await asyncio.sleep(0)
            return sentence(level, game.engine, game.regulation)
        try:
            return await self.elsewhere(owner, sentence_of_saved, level, game.to_json())
        except (BrokenExecutor, Busy):  # think here, without searching
            return sentence("easy", game.engine, game.regulation)

    def stop(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
