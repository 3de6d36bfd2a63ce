"""What a player gets to see, and the one method a player has.

A ``Seat`` never holds the real game: it is made from an imagined world that looks the same to this seat, so nothing a
player does with it can reveal a hidden card.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Protocol

from blackpoker import View, seeded
from blackpoker.assist.decision import Decision
from blackpoker.assist.defaults import default_option
from blackpoker.game import Game
from blackpoker.notation.tokens import view_of
from blackpoker.players.worlds import Briefing, World, imagine

#: as records name them
SEAT_NAMES = ("p1", "p2")

LOG = logging.getLogger("blackpoker.players")


class Seat:
    """One player's side of the table at one decision. ``game`` may also be a state a player is thinking in."""

    __slots__ = ("briefing", "player", "world")

    def __init__(self, game: Game | World, player: int, briefing: Briefing) -> None:
        self.player: int = player
        self.briefing: Briefing = briefing
        real = game.engine if isinstance(game, Game) else game
        self.world: World = imagine(real, player, briefing, seeded(0))  # one of many that look the same

    @property
    def options(self) -> list[int]:
        return self.world.options

    @property
    def view(self) -> View:
        """What the seat may know (R-210…R-216)."""
        return view_of(self.world, self.player)

    @property
    def decision(self) -> Decision:
        return Decision(self.world)

    def imagine(self, seed: int) -> World:
        """A world this seat thinks possible; play on in it as you like."""
        return imagine(self.world, self.player, self.briefing, seeded(seed))


class Player(Protocol):
    """Anything that chooses. ``seat.view`` is what it may know, ``decision`` what it is asked."""

    def choose(self, seat: Seat, decision: Decision) -> int:
        """One of ``seat.options``."""


class Contained:
    """A player whose faults do not stop the game: a crash, an illegal choice or a time-out becomes the default option
    and a line in the log. ``faults`` keeps these lines.

    A player that runs over ``seconds`` is left behind in its thread; it is asked again at the next decision once that
    thread has ended, until then the default is taken at once."""

    def __init__(self, player: Player, name: str = "player", seconds: float | None = None) -> None:
        self.player = player
        self.name = name
        self.seconds = seconds
        self.faults: list[str] = []
        self.busy: threading.Thread | None = None

    def choose(self, seat: Seat, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        try:
            option = self.ask(seat, decision)
        except Exception as error:
            return self.instead(seat, f"crashed: {type(error).__name__}: {error}")
        if option is None:
            return self.instead(seat, f"took longer than {self.seconds:g} s")
        if isinstance(option, bool) or not isinstance(option, int) or option not in seat.options:
            return self.instead(seat, f"chose {option!r}, which is not offered")
        return option

    def ask(self, seat: Seat, decision: Decision) -> int | None:
        """The player's answer, or None when time is up."""
        if self.seconds is None:
            return self.player.choose(seat, decision)
        if self.busy is not None and self.busy.is_alive():
            return None
        answers: list[int] = []
        errors: list[Exception] = []

        def work() -> None:
            try:
                answers.append(self.player.choose(seat, decision))
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=work, daemon=True, name=f"thinking {self.name}")
        started = time.monotonic()
        thread.start()
        thread.join(self.seconds)
        if thread.is_alive():
            self.busy = thread
            return None
        self.busy = None
        if errors:
            raise errors[0]
        if time.monotonic() - started > 2 * self.seconds:
            return None
        return answers[0]

    def instead(self, seat: Seat, why: str) -> int:
        option = default_option(seat.world)
        line = f"{self.name} ({SEAT_NAMES[seat.player]}, turn {seat.world.turn_number}) {why}; option {option} instead"
        self.faults.append(line)
        LOG.warning("%s", line)
        return option
