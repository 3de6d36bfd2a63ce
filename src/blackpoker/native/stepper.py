"""A native game stepped option by option, with every shuffle decided by the caller (``envs/spiel.py``)."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import DRAW
from blackpoker.native import library as door
from blackpoker.native.layout import Outgrown, Packed

#: values of ``player`` for a chance node and a finished game, numbered as in OpenSpiel
A_SHUFFLE: Final = -1
OVER: Final = -4
_TOO_LARGE: Final = -1


class NativeStart:
    """An initial position for native games, with the library functions that play them."""

    def __init__(self, packed: Packed, game: Engine, forced: bool) -> None:
        library = door.native_library()
        self.start = packed.pack(game)
        self.forced = int(forced)
        self.size = int(library.blackpoker_walk_size())
        self.begin = self._call(library.blackpoker_walk_begin, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        self.choose = self._call(library.blackpoker_walk_choose, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        self.order = self._call(
            library.blackpoker_walk_order, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64
        )
        self.observe = self._call(library.blackpoker_walk_observe, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)

    @staticmethod
    def _call(function: Any, *given: Any) -> Any:
        function.argtypes = given
        function.restype = ctypes.c_int64
        return function


def native_start(game: Engine, forced: bool) -> NativeStart | None:
    """Return the native start of a game; None if Python must play it."""
    if not door.available():
        return None
    try:
        return NativeStart(door.packed_tables(game.rules), game, forced)
    except Outgrown:
        return None


class TooLarge(Exception):
    """The game exceeds the native memory. It is unchanged since before the option; Python must continue it."""


class NativeGame:
    """A game. ``player`` must choose one of ``offered``; if it is A_SHUFFLE, they are a pile to be put in order; if
    OVER, ``winner`` has won (2: draw). ``begun``: the cards are dealt."""

    __slots__ = ("_address", "_start", "_memory", "dealt", "offered", "player", "winner")

    def __init__(self, start: NativeStart) -> None:
        self._start = start
        self._attach_memory(bytearray(start.size))
        self.dealt = False
        self._apply_result(start.begin(self._address, ctypes.addressof(start.start), start.forced))

    def _attach_memory(self, memory: bytearray) -> None:
        self._memory = memory
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(memory))

    def copy_to(self, new: NativeGame) -> None:
        new._start = self._start
        new._attach_memory(bytearray(self._memory))
        new.dealt, new.player, new.winner, new.offered = self.dealt, self.player, self.winner, self.offered[:]

    def choose(self, option: int) -> None:
        start = self._start
        self._apply_result(start.choose(self._address, option, start.forced))

    def order(self, cards: list[int]) -> None:
        """Set the order of the pile, from the top."""
        start = self._start
        self._apply_result(start.order(self._address, bytes(cards), len(cards), start.forced))

    def observe(self, seat: int, out: int) -> None:
        """Write the observation of the seat, as 32-bit floats, to this address."""
        self._start.observe(self._address, seat, out)

    def _apply_result(self, found: int) -> None:
        self.winner = DRAW
        if found < _TOO_LARGE:
            self.player = A_SHUFFLE
            self.offered = list(self._memory[:-found])
        elif found == _TOO_LARGE:
            raise TooLarge
        elif n := found & 255:
            self.player = found >> 8
            self.offered = list(self._memory[:n])
            self.dealt = True
        else:
            self.player, self.winner, self.offered, self.dealt = OVER, found >> 8, [], True
