"""A step of an effect as the engine sees it. The steps themselves stand in ``language/steps``."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.request import Request
from blackpoker.rules.state import State


class Who:
    """A player, as the effect of a request speaks of one."""

    def player(self, s: State, request: Request) -> i64:
        raise NotImplementedError


class Step:
    """One instruction of an effect: its fields are the words of the definition and never change. What must last from
    ``run`` to ``take`` stands in the state."""

    __slots__ = ()

    def run(self, s: State, request: Request) -> bool:
        """Carry it out. False: a player must choose first; then ``kind``, ``asked`` and ``options`` say what."""
        raise NotImplementedError

    def take(self, s: State, request: Request, option: i64) -> bool:
        """Take the answer to what ``run`` asked. False: ``run`` goes on asking."""
        raise NotImplementedError
