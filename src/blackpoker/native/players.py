"""Games between players that think, many at a time, in machine code (``players.many`` is the door to them)."""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Sequence
from typing import Final

from blackpoker.native import door
from blackpoker.native.door import Games, Level
from blackpoker.native.layout import Outgrown
from blackpoker.native.layout import Search as SearchMemory
from blackpoker.players.search import Search
from blackpoker.regulation import Regulation

#: room for the choices of a set-up that are made before the players are asked, with their number
MADE: Final = 8


def play(
    out: Games, regulation: Regulation, seeds: Sequence[int], stream: int, levels: Sequence[Level],
    searches: Sequence[Search], made: Sequence[Sequence[int]], threads: int,
) -> Sequence[int]:  # fmt: skip
    """Play a game for each seed into ``out``; the places of those that are left for Python. ``levels`` and ``searches``
    are the players by seat, ``stream`` where their own chance comes from, ``made`` each game's choices at set-up."""
    everything = range(len(seeds))
    library = door._library()
    if library is None or not len(seeds) or any(len(each) >= MADE for each in made):
        return everything
    try:
        packed = door._tables(regulation.rules())
        starts, stride = door._starts(packed, regulation, seeds)
        players = (SearchMemory * 2)()
        for memory, search in zip(players, searches, strict=True):
            packed.fill(memory, search)
    except Outgrown:
        return everything
    results = (door._Result * len(seeds))()
    numbers = array("q", seeds)
    choices = b"".join(bytes((len(each), *each)).ljust(MADE, b"\0") for each in made)
    library.blackpoker_players(
        ctypes.byref(packed.memory), ctypes.byref(starts), ctypes.c_int64(stride), door._address(numbers),
        ctypes.c_int64(len(seeds)), ctypes.c_int64(stream), ctypes.c_int64(threads or os.cpu_count() or 1),
        (Level * 2)(*levels), players, choices, results, door._address(out.uses),
    )  # fmt: skip
    door._take(out, results)
    return [index for index, result in enumerate(results) if result.outgrown]
