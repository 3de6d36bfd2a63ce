"""Computer opponents behind one small face: a level's name and the sentence it says for the seat that is asked.

Quick levels answer at once. Those that search think in a process of their own, so that no room waits for another's
opponent; the position goes there as text and is looked at through the seat's eyes only.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

from blackpoker.game import Game
from blackpoker.notation.moves import goes_on, place_of
from blackpoker.players.levels import LEVELS, make_player
from blackpoker.players.seat import Contained, Seat
from blackpoker.players.setup import briefing_of
from blackpoker.regulation import Regulation
from blackpoker.rules.engine import Engine
from blackpoker.server.net.parent import leave_with_parent

MOST_THINKERS = 4


def quick(level: str) -> bool:
    """Whether it answers without searching."""
    return level not in LEVELS or LEVELS[level].playouts == 0


def sentence(level: str, engine: Engine, regulation: Regulation) -> list[int]:
    """A whole sentence for whoever is asked; the engine is a copy it may play on."""
    player = int(engine.asked)
    known = briefing_of(regulation)
    chooser = Contained(make_player(level, regulation, player, secrets.randbits(62), known), level)
    options: list[int] = []
    while True:
        before = place_of(engine)
        seat = Seat(engine, player, known)
        option = chooser.choose(seat, seat.decision)
        options.append(option)
        engine.push(option)
        if not goes_on(engine, before):
            return options


def sentence_of_saved(level: str, text: str) -> list[int]:
    """The same in another process."""
    game = Game.from_json(text)
    return sentence(level, game.engine, game.regulation)


class Thinkers:
    """The processes the searching levels think in, started when first needed; a core is left for the server."""

    def __init__(self) -> None:
        self.processes = max(1, min(MOST_THINKERS, (os.cpu_count() or 2) - 1))
        self.pool: ProcessPoolExecutor | None = None

    def warm(self, level: str) -> None:
        """A room with this level has been opened: be ready when it is to move."""
        if not quick(level) and self.pool is None:
            self.started().submit(quick, level)

    def started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.processes, context, leave_with_parent)
        return self.pool

    async def sentence(self, level: str, game: Game) -> list[int]:
        if quick(level):
            await asyncio.sleep(0)
            return sentence(level, game.engine.copy(), game.regulation)
        loop = asyncio.get_running_loop()
        text = game.to_json()
        try:
            return await loop.run_in_executor(self.started(), sentence_of_saved, level, text)
        except BrokenExecutor:  # its process died: think here, without searching, and start another next time
            self.pool = None
            return sentence("easy", game.engine.copy(), game.regulation)

    def stop(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
