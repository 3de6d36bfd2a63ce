"""Native games between AI players, many in parallel (called by ``ai.batch_play``)."""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Sequence
from typing import Final

from blackpoker.native import door
from blackpoker.native.door import Decks, Games, SeatLevel
from blackpoker.native.layout import Outgrown, State
from blackpoker.native.layout import Search as SearchMemory
from blackpoker.thinking.search import Search
from blackpoker.regulation import Regulation
from blackpoker.rules.engine import Engine

#: bytes for the number of predetermined set-up choices and the choices themselves
MADE: Final = 8


class Choices(ctypes.Structure):
    """The options chosen in the decisions of a game that had two or more."""

    _fields_ = (("n", ctypes.c_uint16), ("at", ctypes.c_uint8 * 4094))


def play(
    out: Games, regulation: Regulation, decks: Decks, seeds: Sequence[int], dice: Sequence[int],
    levels: Sequence[SeatLevel], searches: Sequence[Search], made: Sequence[Sequence[int]], threads: int, choices: bool,
    times: bool = False, begun: Sequence[Engine] = (),
) -> Sequence[int]:  # fmt: skip
    """Play a game for each seed into ``out`` and return the indices of those left for Python. ``dice`` has two seeds
    per game, one for each player's generator; ``levels`` and ``searches`` are the players by seat; ``made`` the set-up
    choices of each game; ``begun`` the positions to continue from, if not from the start."""
    everything = range(len(seeds))
    library = door._library()
    if library is None or not len(seeds) or any(len(each) >= MADE for each in made):
        return everything
    try:
        packed = door._tables(regulation.rules())
        if begun:
            starts, stride = (State * len(begun))(*(packed.pack(each) for each in begun)), 1
        else:
            starts, stride = door._starts(packed, regulation, seeds, decks)
        players = (SearchMemory * 2)()
        for memory, search in zip(players, searches, strict=True):
            packed.fill(memory, search)
    except Outgrown:
        return everything
    results = (door._Result * len(seeds))()
    kept = (Choices * len(seeds))() if choices else None
    out.times = array("q", bytes(32 * len(seeds) if times else 0))
    numbers, rolled = array("q", seeds), array("q", dice)
    before = b"".join(bytes((len(each), *each)).ljust(MADE, b"\0") for each in made)
    library.blackpoker_players(
        ctypes.byref(packed.memory), ctypes.byref(starts), ctypes.c_int64(stride), door._address(numbers),
        door._address(rolled), ctypes.c_int64(len(seeds)), ctypes.c_int64(threads or os.cpu_count() or 1),
        (SeatLevel * 2)(*levels), players, before, results, door._address(out.uses), kept, door._address(out.times),
    )  # fmt: skip
    left = door._take(out, results)
    if kept is not None:
        out.choices = [bytes(each)[2 : 2 + each.n] for each in kept]
    return left
