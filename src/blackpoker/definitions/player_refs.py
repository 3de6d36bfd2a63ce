"""References to players in effects. A closed set of constant classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from blackpoker.engine.request import Request
from blackpoker.engine.state import State
from blackpoker.engine.step import PlayerRef


@dataclass(frozen=True)
class Me(PlayerRef):
    """The controller of the request."""

    def player(self, s: State, request: Request) -> i64:
        return request.controller


@dataclass(frozen=True)
class Opponent(PlayerRef):
    def player(self, s: State, request: Request) -> i64:
        return 1 - request.controller


@dataclass(frozen=True)
class TargetPlayer(PlayerRef):
    """The targeted player."""

    def player(self, s: State, request: Request) -> i64:
        return request.target


@dataclass(frozen=True)
class Owner(PlayerRef):
    """The owner of the targeted unit, even after it has left."""

    def player(self, s: State, request: Request) -> i64:
        return s.target_owner


@dataclass(frozen=True)
class TurnPlayer(PlayerRef):
    def player(self, s: State, request: Request) -> i64:
        return s.turn


ME: Final = Me()
OPPONENT: Final = Opponent()
TARGET_PLAYER: Final = TargetPlayer()
OWNER: Final = Owner()
TURN_PLAYER: Final = TurnPlayer()
