"""What a player gets to see, and the one method a player has.

A ``Seat`` never holds the real game: it is made from an imagined world that looks the same to this seat, so nothing a
player does with it can reveal a hidden card.
"""

from __future__ import annotations

import logging
from typing import Protocol, cast

from blackpoker import Event, View, seeded
from blackpoker.assist.decision import Decision
from blackpoker.assist.defaults import default_option
from blackpoker.game import Game
from blackpoker.players.errors import Fault, Forfeit
from blackpoker.thinking.worlds import Briefing, World, imagine
from blackpoker.words.tokens import view_of

#: as records name them
SEAT_NAMES = ("p1", "p2")

LOG = logging.getLogger("blackpoker.players")


class Seat:
    """One player's side of the table at one decision. ``game`` may also be a state a player is thinking in."""

    __slots__ = ("_world", "briefing", "player")

    def __init__(self, game: Game | World, player: int, briefing: Briefing) -> None:
        self.player: int = player
        self.briefing: Briefing = briefing
        real = game.engine if isinstance(game, Game) else game
        self._world: World = imagine(real, player, briefing, seeded(0))  # one of many that look the same

    @property
    def world(self) -> World:
        """The state of the game as this seat may take it to be."""
        return self._world

    @property
    def options(self) -> list[int]:
        return self.world.options

    @property
    def view(self) -> View:
        """What the seat may know (R-210…R-216)."""
        return view_of(self.world, self.player)

    @property
    def events(self) -> list[Event]:
        """What has happened since the seat was asked last, as it may know it; only bots are told."""
        return []

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


class OutsidePlayer(Player, Protocol):
    """A player that comes from elsewhere: it is shown the game it plays in, and told when that is over."""

    def attend(self, game: Game) -> None: ...

    def over(self, winner: int | None, reason: str) -> None: ...


class Contained:
    """A player whose faults break nothing: a crash or an illegal choice is a line in the log, kept in ``faults``, and
    the default option instead. Where games are counted so many faults are forgiven (``forgive``) and the next one loses
    the game (Forfeit). One that may never answer is a bot, a process of its own with a limit of time; ``attend`` and
    ``over`` are for those."""

    def __init__(self, player: Player, name: str = "player", forgive: int | None = None) -> None:
        self.player = player
        self.name = name
        self.forgive = forgive
        self.faults: list[str] = []
        self.out: bool = False  # a bot that plays for nothing is started once a game

    def choose(self, seat: Seat, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        if self.out:
            return decision.default
        try:
            option = self.player.choose(seat, decision)
        except Fault as fault:
            if self.forgive is None:
                self.out = True
                self.note(seat, f"{fault}; the rest of the game is played by default")
                return decision.default
            return self.instead(seat, str(fault))
        except Exception as error:
            return self.instead(seat, f"crashed: {type(error).__name__}: {error}")
        if isinstance(option, bool) or not isinstance(option, int) or option not in seat.options:
            return self.instead(seat, f"chose {option!r}, which is not offered")
        return option

    def attend(self, game: Game) -> None:
        if hasattr(self.player, "attend"):
            cast(OutsidePlayer, self.player).attend(game)

    def over(self, winner: int | None, reason: str) -> None:
        if hasattr(self.player, "over"):
            cast(OutsidePlayer, self.player).over(winner, reason)

    def instead(self, seat: Seat, why: str) -> int:
        if self.forgive is not None and len(self.faults) >= self.forgive:
            self.note(seat, f"{why}; the game is lost")
            raise Forfeit(seat.player)
        option = default_option(seat.world)
        self.note(seat, f"{why}; option {option} instead")
        return option

    def note(self, seat: Seat, what: str) -> None:
        line = f"{self.name} ({SEAT_NAMES[seat.player]}, turn {seat.world.turn_number}) {what}"
        self.faults.append(line)
        LOG.warning("%s", line)
