"""Native games between AI players, many in parallel (called by ``ai.batch_play``)."""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Sequence
from typing import Final

from blackpoker.ai.search import Search
from blackpoker.engine.engine import Engine
from blackpoker.native import library as door
from blackpoker.native.layout import Outgrown, State
from blackpoker.native.layout import Search as SearchMemory
from blackpoker.native.library import Decks, Games, SeatLevel
from blackpoker.ruleset import Regulation

#: bytes for the number of predetermined set-up choices and the choices themselves
SETUP_BYTES: Final = 8


class Choices(ctypes.Structure):
    """The options chosen in the decisions of a game that had two or more."""

    _fields_ = (("n", ctypes.c_uint16), ("at", ctypes.c_uint8 * 4094))


def play(
    out: Games,
    regulation: Regulation,
    decks: Decks,
    seeds: Sequence[int],
    player_seeds: Sequence[int],
    levels: Sequence[SeatLevel],
    searches: Sequence[Search],
    setup_choices: Sequence[Sequence[int]],
    threads: int,
    choices: bool,
    times: bool = False,
    positions: Sequence[Engine] = (),
) -> Sequence[int]:
    """Play a game for each seed into ``out`` and return the indices of those left for Python. ``dice`` has two seeds
    per game, one for each player's generator; ``levels`` and ``searches`` are the players by seat; ``made`` the set-up
    choices of each game; ``begun`` the positions to continue from, if not from the start."""
    everything = range(len(seeds))
    library = door.native_library()
    if library is None or not len(seeds) or any(len(each) >= SETUP_BYTES for each in setup_choices):
        return everything
    try:
        packed = door.packed_tables(regulation.rules())
        if positions:
            starts, stride = (State * len(positions))(*(packed.pack(each) for each in positions)), 1
        else:
            starts, stride = door.initial_states(packed, regulation, seeds, decks)
        players = (SearchMemory * 2)()
        for memory, search in zip(players, searches, strict=True):
            packed.fill(memory, search)
    except Outgrown:
        return everything
    results = (door.NativeResult * len(seeds))()
    choice_buffer = (Choices * len(seeds))() if choices else None
    out.times = array("q", bytes(32 * len(seeds) if times else 0))
    numbers, rolled = array("q", seeds), array("q", player_seeds)
    before = b"".join(bytes((len(each), *each)).ljust(SETUP_BYTES, b"\0") for each in setup_choices)
    library.blackpoker_players(
        ctypes.byref(packed.memory),
        ctypes.byref(starts),
        ctypes.c_int64(stride),
        door.address_of(numbers),
        door.address_of(rolled),
        ctypes.c_int64(len(seeds)),
        ctypes.c_int64(threads or os.cpu_count() or 1),
        (SeatLevel * 2)(*levels),
        players,
        before,
        results,
        door.address_of(out.uses),
        choice_buffer,
        door.address_of(out.times),
    )
    left = door.take_results(out, results)
    if choice_buffer is not None:
        out.choices = [bytes(each)[2 : 2 + each.n] for each in choice_buffer]
    return left
