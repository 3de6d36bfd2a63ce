"""The interface of AI players and the view of the game they receive.

A `PlayerView` never holds the real game: it is made from a determinized world that looks the same to this seat, so
nothing a player does with it can reveal a hidden card.
"""

from __future__ import annotations

import logging
from typing import Protocol, cast

from blackpoker import Event, Player, View, seeded
from blackpoker.assist.decision import Decision
from blackpoker.assist.defaults import default_option
from blackpoker.determinization import PriorKnowledge, World, determinize
from blackpoker.game.game import Game
from blackpoker.notation.options import view_of
from blackpoker.players.errors import Fault, Forfeit

#: seat names as in records
SEAT_NAMES = (Player.P1, Player.P2)

LOG = logging.getLogger("blackpoker.players")


class PlayerView:
    """One player's view of the game at one decision. ``game`` may also be a world of a search."""

    __slots__ = ("_world", "knowledge", "player")

    def __init__(self, game: Game | World, player: int, knowledge: PriorKnowledge) -> None:
        self.player: int = player
        self.knowledge: PriorKnowledge = knowledge
        real = game._engine if isinstance(game, Game) else game
        self._world: World = determinize(real, player, knowledge, seeded(0))  # one of many worlds that look the same

    @property
    def world(self) -> World:
        """Return a game state consistent with what this seat knows."""
        return self._world

    @property
    def options(self) -> list[int]:
        return self.world.options

    @property
    def view(self) -> View:
        """Return what the seat may know (R-210…R-216)."""
        return view_of(self.world, self.player)

    @property
    def events(self) -> list[Event]:
        """Return the visible events since the seat's last decision; filled for bots only."""
        return []

    @property
    def decision(self) -> Decision:
        return Decision(self.world)

    def sample_world(self, seed: int) -> World:
        """Return a world consistent with the seat's knowledge; it may be modified."""
        return determinize(self.world, self.player, self.knowledge, seeded(seed))


class ComputerPlayer(Protocol):
    """The interface of all players. ``seat.view``: what the player may know; ``decision``: the decision to make."""

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        """Return one of ``seat.options``."""


class ExternalPlayer(ComputerPlayer, Protocol):
    """An external player: it is notified of the game it plays in and of its end."""

    def attend(self, game: Game) -> None: ...

    def over(self, winner: int | None, reason: str) -> None: ...


class SandboxedPlayer:
    """Wrapper that keeps faults of a player from affecting the game: a crash or an illegal choice is logged, added to
    ``faults`` and replaced with the default option.

    With ``forgive``, that number of faults is tolerated and the next one raises `Forfeit`. A player that may hang must
    be a bot, which has its own process and a time limit; ``attend`` and ``over`` are for those.
    """

    def __init__(self, player: ComputerPlayer, name: str = "player", forgive: int | None = None) -> None:
        self.player = player
        self.name = name
        self.forgive = forgive
        self.faults: list[str] = []
        self.failed: bool = False  # a bot that failed without stakes is not restarted in this game

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        if self.failed:
            return decision.default
        try:
            option = self.player.choose(seat, decision)
        except Fault as fault:
            if self.forgive is None:
                self.failed = True
                self.log_fault(seat, f"{fault}; the rest of the game is played by default")
                return decision.default
            return self.use_default(seat, str(fault))
        except Exception as error:
            return self.use_default(seat, f"crashed: {type(error).__name__}: {error}")
        if isinstance(option, bool) or not isinstance(option, int) or option not in seat.options:
            return self.use_default(seat, f"chose {option!r}, which is not offered")
        return option

    def attend(self, game: Game) -> None:
        if hasattr(self.player, "attend"):
            cast(ExternalPlayer, self.player).attend(game)

    def over(self, winner: int | None, reason: str) -> None:
        if hasattr(self.player, "over"):
            cast(ExternalPlayer, self.player).over(winner, reason)

    @property
    def output(self) -> str:
        """Return what a bot has written to standard error in this game."""
        return str(getattr(self.player, "output", ""))

    def use_default(self, seat: PlayerView, reason: str) -> int:
        if self.forgive is not None and len(self.faults) >= self.forgive:
            self.log_fault(seat, f"{reason}; the game is lost")
            raise Forfeit(seat.player)
        option = default_option(seat.world)
        self.log_fault(seat, f"{reason}; option {option} instead")
        return option

    def log_fault(self, seat: PlayerView, text: str) -> None:
        line = f"{self.name} ({SEAT_NAMES[seat.player]}, turn {seat.world.turn_number}) {text}"
        self.faults.append(line)
        LOG.warning("%s", line)
