"""The native library: many games in parallel by the translated rules, or by Python with the same numbers."""

from __future__ import annotations

import ctypes
import logging
import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from blackpoker._build import PURE
from blackpoker._native_library import LIBRARY, fingerprint
from blackpoker.ai.heuristics.scorer import HeuristicScorer, noisy_option
from blackpoker.ai.random_player import action_uses, choose, play_out, play_setup
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE, UNDECIDED
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.tables import RuleTables
from blackpoker.game.game import Game
from blackpoker.native.layout import AT_ONCE, Outgrown, Packed, Reading, State, layout
from blackpoker.ruleset import Deck, Regulation, new_game
from blackpoker.seeds import CHOICE_STREAM

#: the library that ``--gpu`` builds
GPU_LIBRARY: Final = LIBRARY.with_name("rules.gpu.so")
#: default number of threads on a GPU
GPU_THREADS: Final = 67_584
#: the uses of an action by a player are at player * PLANS + action
PLANS: Final = AT_ONCE["CompiledAction"]
_COLUMNS: Final = ("winner", "first", "turns", "decisions", "forced", "outgrown", "hash")
LAYOUT_MISMATCH: Final = "the layout here and in C++ are two"
HASH_SEED: Final = 0xCBF29CE484222325
_WORD: Final = 2**64 - 1


Decks = Sequence[Deck | None]
LOG: Final = logging.getLogger("blackpoker.native")
#: less visible if plain Python was requested
FALLBACK_LOG_LEVEL: Final = logging.INFO if PURE else logging.WARNING


class NativeResult(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64 if name == "hash" else ctypes.c_int64) for name in _COLUMNS)


class SeatLevel(ctypes.Structure):
    """The level of one player of a game: random, heuristics, or a search with this number of play-outs."""

    _fields_ = tuple((name, ctypes.c_int64) for name in ("random", "noise", "overlook", "playouts", "chunk", "seated"))


def _numbers() -> array[int]:
    return array("q")


@dataclass
class Games:
    """Finished games, column by column, in the order of their seeds; ``numpy.asarray`` takes a column as it is."""

    winner: array[int] = field(default_factory=_numbers)  # 2: draw
    first: array[int] = field(default_factory=_numbers)  # turn player at the start of the game or play-out
    turns: array[int] = field(default_factory=_numbers)
    decisions: array[int] = field(default_factory=_numbers)  # after the set-up
    forced: array[int] = field(default_factory=_numbers)  # of these with one option
    hash: array[int] = field(default_factory=lambda: array("Q"))  # of every decision, on request
    uses: array[int] = field(default_factory=lambda: array("I"))  # of each action, 2 * PLANS per game, on request
    choices: list[bytes] = field(default_factory=list)  # of decisions with two or more options, on request
    times: array[int] = field(default_factory=_numbers)  # per game: nanoseconds and choices of each seat, on request
    outgrown: int = 0  # number of games too large for the translated rules; played by Python, part of all columns

    def __len__(self) -> int:
        return len(self.winner)

    def _set(self, index: int, result: Any) -> None:
        for name in ("winner", "first", "turns", "decisions", "forced", "hash"):
            getattr(self, name)[index] = getattr(result, name)


def load(library: Path) -> Any:
    """Return the translated rules, or None if they are not built or not usable; the latter is logged."""
    if not library.exists():
        return None
    try:
        found = ctypes.CDLL(str(library))
        made_from = ctypes.c_char_p.in_dll(found, "blackpoker_made_from").value
    except (OSError, ValueError) as error:
        LOG.log(FALLBACK_LOG_LEVEL, "%s cannot be loaded, Python plays instead, slower: %s", library.name, error)
        return None
    if made_from != fingerprint().encode():
        LOG.log(
            FALLBACK_LOG_LEVEL, "%s is made from other rules than these, Python plays instead, slower", library.name
        )
        return None
    sizes = (ctypes.c_int64 * 4)()
    found.blackpoker_sizes(sizes)
    expected = layout()
    assert list(sizes) == [len(expected), ctypes.sizeof(NativeResult), ctypes.sizeof(SeatLevel), PLANS], LAYOUT_MISMATCH
    placed = ctypes.POINTER(ctypes.c_int64).in_dll(found, "blackpoker_layout")
    assert placed[: len(expected)] == expected, LAYOUT_MISMATCH
    return found


@cache
def native_library() -> Any:
    return None if os.environ.get("BLACKPOKER_NATIVE") == "0" else load(LIBRARY)


@cache
def gpu_library() -> Any:
    return None if os.environ.get("BLACKPOKER_NATIVE") == "0" else load(GPU_LIBRARY)


def available(gpu: bool = False) -> bool:
    """Return whether the translated rules can be used; without them everything works more slowly."""
    return (gpu_library() if gpu else native_library()) is not None


def _select_library(gpu: bool, threads: int) -> tuple[Any, int]:
    """Return the library to use and the number of its threads."""
    if gpu and gpu_library() is not None:
        return gpu_library(), threads or GPU_THREADS
    return native_library(), threads or os.cpu_count() or 1


_packed_rules: dict[int, Packed] = {}


def packed_tables(rules: RuleTables) -> Packed:
    if id(rules) not in _packed_rules:
        _packed_rules[id(rules)] = Packed(rules)  # holds the rules, so that their id is not reused
    return _packed_rules[id(rules)]


# -- in Python ---------------------------------------------------------------------------------------------------------


def _mixed(hash: int, *numbers: int) -> int:
    for each in numbers:
        hash = (hash ^ (each & 255)) * 0x100000001B3 & _WORD
    return hash


def push_hashed(engine: Engine, option: int, result: NativeResult) -> None:
    options = engine.options
    result.hash = _mixed(result.hash, engine.kind, engine.asked, len(options), *options, option)
    engine.push(option)


def _play_in_python(
    regulation: Regulation, seed: int, hashed: bool, uses: array[int] | None, offset: int
) -> NativeResult:
    engine = new_game(regulation, seeded(seed))
    if uses is not None:
        engine.log = []
    dice = seeded(seed + CHOICE_STREAM)
    result = NativeResult(hash=HASH_SEED)
    engine.advance()
    if hashed:
        _play_hashed(engine, dice, result)
    else:
        play_setup(engine, dice)
        result.first = engine.turn
        result.decisions, result.forced = play_out(engine, dice)
    result.winner, result.turns = engine.winner, engine.turn_number
    if uses is not None:
        uses[offset : offset + 2 * PLANS] = array("I", bytes(8 * PLANS))
        for player, action in action_uses(engine):
            uses[offset + player * PLANS + action] += 1
    return result


def _play_out_by_policy(engine: Engine, policy: HeuristicScorer, noise: int, dice: Shuffler) -> tuple[int, int]:
    decisions = forced = 0
    scratch: list[int] = []
    while engine.options:
        decisions += 1
        forced += len(engine.options) == 1
        engine.push(noisy_option(policy, engine, scratch, noise, dice))
    return decisions, forced


def is_set_up(engine: Engine) -> bool:
    """Return whether the set-up is finished."""
    return engine.point >= CHANCE


def _play_hashed(engine: Engine, dice: Shuffler, result: NativeResult) -> None:
    while engine.winner == UNDECIDED and engine.point < CHANCE:  # choices of the set-up
        push_hashed(engine, choose(engine, dice), result)
    result.first = engine.turn
    while engine.options:
        only = len(engine.options) == 1
        result.decisions += 1
        result.forced += only
        push_hashed(engine, engine.options[0] if only else choose(engine, dice), result)


# -- calls of the library ----------------------------------------------------------------------------------------------


def empty_games(n: int, uses: bool) -> Games:
    winner, first, turns, decisions, forced = (array("q", bytes(8 * n)) for _ in range(5))
    counted = array("I", bytes(8 * PLANS * n if uses else 0))
    return Games(winner, first, turns, decisions, forced, array("Q", bytes(8 * n)), counted)


def address_of(numbers: array[int]) -> ctypes.c_void_p:
    return ctypes.c_void_p(numbers.buffer_info()[0] if numbers else None)


def initial_states(
    packed: Packed, regulation: Regulation, seeds: Sequence[int], decks: Decks = (None, None)
) -> tuple[Any, int]:
    """Return the initial games and their stride: 0: one for all seeds, 1: one each, if decks are dealt at random."""
    source = seeded(0)
    state = source.state
    one = packed.pack(new_game(regulation, source, decks))
    if source.state == state:
        return one, 0
    return (State * len(seeds))(*(packed.pack(new_game(regulation, seeded(seed), decks)) for seed in seeds)), 1


def games(
    regulation: str | Regulation,
    seeds: Sequence[int],
    *,
    threads: int = 0,
    hashed: bool = False,
    uses: bool = False,
    gpu: bool = False,
) -> Games:
    """Play games between random players, one per seed, and return them. ``hashed``: with a hash of every decision;
    ``uses``: with the number of uses of each action by each player. ``threads``: 0 for one per core; ``gpu``: use the
    GPU library if it is built. The numbers do not depend on either."""
    parsed = Regulation.parse(regulation) if isinstance(regulation, str) else regulation
    out = empty_games(len(seeds), uses)
    library, threads = _select_library(gpu, threads)
    left: Sequence[int] = range(len(seeds))
    if library is not None and len(seeds):
        try:
            packed = packed_tables(parsed.rules())
            starts, stride = initial_states(packed, parsed, seeds)
        except Outgrown:
            pass
        else:
            results = (NativeResult * len(seeds))()
            numbers = array("q", seeds)
            library.blackpoker_games(
                ctypes.byref(packed.memory),
                ctypes.byref(starts),
                ctypes.c_int64(stride),
                address_of(numbers),
                ctypes.c_int64(len(seeds)),
                ctypes.c_int64(CHOICE_STREAM),
                ctypes.c_int64(threads),
                ctypes.c_int64(hashed),
                results,
                address_of(out.uses),
            )
            left = take_results(out, results)
        out.outgrown = len(left)
    for index in left:
        out._set(index, _play_in_python(parsed, seeds[index], hashed, out.uses if uses else None, index * 2 * PLANS))
    return out


def take_results(out: Games, results: Any) -> list[int]:
    """Set the columns of these games; return the indices of those left for Python."""
    whole = memoryview(results).cast("B").cast("q")
    columns = {name: whole[place :: len(_COLUMNS)].tobytes() for place, name in enumerate(_COLUMNS)}
    flags = columns.pop("outgrown")
    for name, column in columns.items():
        setattr(out, name, array("Q" if name == "hash" else "q", column))
    return [index for index, flag in enumerate(memoryview(flags).cast("q")) if flag] if any(flags) else []


def playouts(
    position: Game | Engine, n: int, seed: int, *, noise: int = 0, threads: int = 0, gpu: bool = False
) -> Games:
    """Play a position to the end ``n`` times and return the games, the i-th with the generator of ``seed + i``; the
    position itself does not change. Choices are random, or by the heuristics with a random number below ``noise``
    added to every score."""
    game = position._engine if isinstance(position, Game) else position
    out = empty_games(n, False)
    library, threads = _select_library(gpu, threads)
    policy = HeuristicScorer(game.rules) if noise else None
    left: Sequence[int] = range(n)
    plain = type(game.source) is Shuffler and not game.source.injected
    if library is not None and n and plain:
        try:
            packed = packed_tables(game.rules)
            start = packed.pack(game)
        except Outgrown:
            pass
        else:
            results = (NativeResult * n)()
            library.blackpoker_playouts(
                ctypes.byref(packed.memory),
                ctypes.byref(start),
                ctypes.c_int64(n),
                ctypes.c_int64(seed),
                ctypes.c_int64(threads),
                ctypes.c_int64(noise),
                None if policy is None else ctypes.byref(packed.fill(Reading(), policy)),
                results,
            )
            left = take_results(out, results)
        out.outgrown = len(left)
    for index in left:
        copy = game.copy()
        result = NativeResult(first=game.turn)
        if policy is None:
            result.decisions, result.forced = play_out(copy, seeded(seed + index))
        else:
            result.decisions, result.forced = _play_out_by_policy(copy, policy, noise, seeded(seed + index))
        result.winner, result.turns = copy.winner, copy.turn_number
        out._set(index, result)
    return out
