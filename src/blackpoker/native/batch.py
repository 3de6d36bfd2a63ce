"""Games stepped together, as the base of environments for learning programs.

    batch = Batch("lite+entry", seeds=range(256))
    step_many(batch, options)          # one option for every game; the columns then contain the result

The columns keep their address, so that NumPy can share them (``numpy.frombuffer``). If the translated rules are built,
one call steps all games; otherwise Python does, with the same numbers.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any, Final

from blackpoker._native_library import fingerprint
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import DRAW
from blackpoker.engine.observation import SIZE, encode
from blackpoker.engine.shuffler import seeded
from blackpoker.native import library
from blackpoker.native.layout import Outgrown, Packed, State
from blackpoker.ruleset import Regulation, new_game
from blackpoker.seeds import DICE_STREAM, GAME_STREAM

#: length of every mask: options are 0 … 255
MASK: Final = 256
#: maximum number of options of a decision
MAX_OPTIONS: Final = 112
#: the opponent built into the batch
RANDOM: Final = "random"
_HISTORY: Final = 8192
_TO_START: Final = 2
_ZEROS: Final = [0] * SIZE

#: the columns of a batch
_COLUMNS: Final = (
    "observations",
    "masks",
    "options",
    "counts",
    "asked",
    "acted",
    "ended",
    "winners",
    "rewards",
    "lengths",
    "turns",
    "finals",
    "where",
    "chosen",
    "waits",
)
_BYTES: Final = (
    "observations",
    "masks",
    "options",
    "counts",
    "asked",
    "acted",
    "ended",
    "winners",
    "where",
    "finals",
)


class _Memory(ctypes.Structure):
    """The same fields as ``Batch`` in batch.h."""

    _fields_ = (
        ("tables", ctypes.c_void_p),
        ("start", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("n", "fixed", "forced", "opponent", "restart", "seat")),
        ("game_stream", ctypes.c_int64),
        ("dice_stream", ctypes.c_int64),
        ("chosen", ctypes.c_void_p),
        ("waits", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in _BYTES),
        ("rewards", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("turns", ctypes.c_void_p),
    )


class Batch:
    """Games stepped together. The i-th row plays the games of ``seeds[i]``, one after another.

    ``opponent``: if None, the caller makes the choices of both seats; if ``"random"``, the caller plays one seat of
    each game: ``seat``, or alternating seats if that is None. ``forced``: the batch plays decisions with one option.
    ``restart``: when a game ends, the next one of its row starts at once.
    """

    def __init__(
        self,
        regulation: str | Regulation,
        seeds: Sequence[int],
        *,
        opponent: str | None = None,
        seat: int | None = None,
        forced: bool = True,
        restart: bool = True,
        native: bool = True,
    ) -> None:
        if opponent not in (None, RANDOM):
            raise ValueError(f"a batch has no opponent {opponent!r}; it knows 'random'")
        self.regulation: Regulation = Regulation.parse(regulation) if isinstance(regulation, str) else regulation
        self.seeds: list[int] = list(seeds)
        self.opponent, self.seat, self.forced, self.restart = opponent, seat, forced, restart
        n = len(self.seeds)
        #: the observation of each game's seat (R-210…R-216): n rows of ``SIZE`` bytes (envs/layout.py)
        self.observations: bytearray = bytearray(n * SIZE)
        #: 1 where an option is offered: n rows of 256
        self.masks: bytearray = bytearray(n * MASK)
        #: the same as lists: n rows of ``MOST_OPTIONS``, of which the first ``counts[i]`` are valid
        self.options: bytearray = bytearray(n * MAX_OPTIONS)
        self.counts: bytearray = bytearray(n)
        #: the observing seat: the asked one, or the caller's
        self.asked: bytearray = bytearray(n)
        #: results of the last step: the seat that chose, whether the game ended, the winner (2: draw), the reward of
        #: that seat, the number of options and turns of the game, and the last observation if the next game has started
        self.acted: bytearray = bytearray(n)
        self.ended: bytearray = bytearray(n)
        self.winners: bytearray = bytearray(n)
        self.rewards: array[float] = array("f", bytes(4 * n))
        self.lengths: array[int] = array("i", bytes(4 * n))
        self.turns: array[int] = array("i", bytes(4 * n))
        self.finals: bytearray = bytearray(n * SIZE if restart else 0)
        #: not 0 if Python plays the game
        self.where: bytearray = bytearray(n)
        #: the options to be played by ``step_many``
        self.chosen: bytearray = bytearray(n)
        #: 1 if the game skips steps
        self.waits: bytearray = bytearray(n)
        #: number of games too large for the translated rules, continued in Python
        self.outgrown: int = 0
        self._rows: dict[int, _Row] = {}  # the rows played by Python
        self._native = _Native(self) if native and library.available() and n else None
        if self._native is not None and not self._native.usable:
            self._native = None
        self.reset()

    def __len__(self) -> int:
        return len(self.seeds)

    # -- support of ``copy.deepcopy`` and ``pickle``; without the same library, Python continues the games

    def __getstate__(self) -> dict[str, Any]:
        native = self._native
        settings = {name: getattr(self, name) for name in ("opponent", "seat", "forced", "restart")}
        return {
            "made": (self.regulation, self.seeds),
            "settings": {**settings, "native": native is not None},
            "columns": {name: bytes(memoryview(getattr(self, name))) for name in _COLUMNS},
            "outgrown": self.outgrown,
            "games": {i: (row.number, bytes(row.history)) for i, row in self._rows.items()},
            "memory": b"" if native is None else native.rows.raw,
            "made_from": "" if native is None else fingerprint(),
            "pasts": [] if native is None else [native.row_history(i) for i in range(len(self))],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        Batch.__init__(self, *state["made"], **state["settings"])
        native, memory = self._native, state["memory"]
        games = state["games"]
        if native is not None and state["made_from"] == fingerprint():
            ctypes.memmove(native.rows, memory, len(memory))
        else:
            self._native = None
            games = {**dict(enumerate(state["pasts"])), **games}
        for i, (number, history) in games.items():
            self._rows[i] = _Row(self, i, number, history)
        for name, column in ((name, column) for name, column in state["columns"].items() if column):
            memoryview(getattr(self, name)).cast("B")[:] = column
        self.outgrown = state["outgrown"]

    def __deepcopy__(self, memo: object) -> Batch:
        new = Batch.__new__(Batch)
        new.__setstate__(self.__getstate__())
        return new

    def reset(self, seeds: Sequence[int] | None = None) -> None:
        """Restart all rows, with the same or with new seeds; raise `ValueError` if their number differs."""
        if seeds is not None:
            if len(seeds) != len(self.seeds):
                raise ValueError(f"{len(self.seeds)} games need as many seeds, not {len(seeds)}")
            self.seeds = list(seeds)
        self._rows.clear()
        for i in range(len(self)):
            self.begin(i, 0)

    def begin(self, i: int, number: int) -> None:
        """Start the ``number``-th game of a row."""
        self._rows.pop(i, None)
        if self._native is None or not self._native.begin(i, number):
            self.outgrown += self._native is not None
            self._rows[i] = _Row(self, i, number)

    def number(self, i: int) -> int:
        """Return the number of the row's current game, from 0."""
        return self._rows[i].number if i in self._rows or self._native is None else self._native.row_history(i)[0]

    def history(self, i: int) -> bytes:
        """Return every option of the row's game since its start."""
        return (
            bytes(self._rows[i].history) if i in self._rows or self._native is None else self._native.row_history(i)[1]
        )

    def state(self, i: int) -> Engine:
        """Return the game of a row: the engine itself if Python plays it, else a copy."""
        return self._rows[i].engine if i in self._rows or self._native is None else self._native.state(i)

    def observe(self, i: int, seat: int) -> bytes:
        """Return the observation of a seat of a row, asked or not."""
        if i in self._rows or self._native is None:
            return observed(self._rows[i].engine, seat)
        return self._native.observe(i, seat)


def observed(engine: Engine, seat: int) -> bytes:
    row = _ZEROS[:]
    encode(engine, seat, row)
    return bytes(row)


def step_many(batch: Batch, options: Any, threads: int = 1) -> None:
    """Choose an option in every game (integers, or a buffer of bytes) and update the columns of the batch. Raise
    `ValueError`, with all games unchanged, if one of the options is not offered."""
    if options is not batch.chosen:
        if len(options) != len(batch.seeds):
            raise ValueError(f"{len(batch.seeds)} games need as many options, not {len(options)}")
        batch.chosen[:] = options if isinstance(options, bytes | bytearray) else bytes(int(each) for each in options)
    native = batch._native
    away = native.step(threads) if native is not None else _check_offered(batch)
    if away < 0:
        i = -1 - away
        raise ValueError(f"game {i}: option {batch.chosen[i]} is not offered")
    if away:
        for i in list(batch._rows):
            batch._rows[i].step()
        if native is not None:
            native.recover()


def _check_offered(batch: Batch) -> int:
    masks, chosen = batch.masks, batch.chosen
    for i in range(len(chosen)):
        if not masks[i * MASK + chosen[i]] and batch.counts[i] and not batch.waits[i]:
            return -1 - i
    return len(chosen)


class _Row:
    """A game of a batch, played by Python."""

    def __init__(self, batch: Batch, i: int, number: int, history: bytes = b"") -> None:
        self.batch = batch
        self.i = i
        self.number = number
        self.deal()
        if history:
            self.replay(history)
        else:
            self.settle()
            while not self.engine.options:  # over before the first decision
                self.number += 1
                self.deal()
                self.settle()
            self.show()

    def deal(self) -> None:
        batch = self.batch
        seed = batch.seeds[self.i] + self.number * GAME_STREAM
        self.seat = batch.seat if batch.seat is not None else (seed % 2) ^ (self.number % 2)
        self.engine = new_game(batch.regulation, seeded(seed))
        self.dice = seeded(seed + DICE_STREAM)
        self.history = bytearray()
        self.engine.advance()

    def replay(self, history: bytes) -> None:
        """Replay the history, up to a decision of the caller."""
        for option in history:
            options = self.engine.options
            if self.batch.opponent and self.engine.asked != self.seat and not (len(options) == 1 and self.batch.forced):
                self.dice.below(len(options))
            self.push(option)

    def push(self, option: int) -> None:
        self.engine.push(option)
        self.history.append(option)

    def settle(self) -> None:
        engine, batch = self.engine, self.batch
        while options := engine.options:
            if len(options) == 1 and batch.forced:
                self.push(options[0])
            elif batch.opponent and engine.asked != self.seat:
                self.push(options[self.dice.below(len(options))])
            else:
                return

    def show(self) -> None:
        batch, i, engine = self.batch, self.i, self.engine
        masks, options = batch.masks, engine.options
        base, first = i * MASK, i * MAX_OPTIONS
        for j in range(first, first + batch.counts[i]):
            masks[base + batch.options[j]] = 0
        for option in options:
            masks[base + option] = 1
        n = len(options)
        if n > MAX_OPTIONS:
            raise ValueError(f"{n} options at once: a batch has room for {MAX_OPTIONS}")
        batch.options[first : first + n] = bytes(options)
        batch.counts[i] = n
        seat = self.seat if batch.opponent else engine.asked if n else batch.acted[i]
        batch.asked[i] = seat
        batch.observations[i * SIZE : (i + 1) * SIZE] = observed(engine, seat)

    def step(self) -> None:
        batch, i, engine = self.batch, self.i, self.engine
        batch.ended[i] = 0
        batch.rewards[i] = 0.0
        if not engine.options or batch.waits[i]:
            return
        batch.acted[i] = engine.asked
        self.push(batch.chosen[i])
        self.settle()
        self.finish_step()

    def finish_step(self) -> None:
        batch, i, engine = self.batch, self.i, self.engine
        if not engine.options:
            acted = batch.acted[i]
            batch.ended[i] = 1
            batch.winners[i] = engine.winner
            batch.rewards[i] = 0.0 if engine.winner == DRAW else 1.0 if engine.winner == acted else -1.0
            batch.lengths[i] = len(self.history)
            batch.turns[i] = engine.turn_number
            if batch.restart:
                batch.finals[i * SIZE : (i + 1) * SIZE] = observed(engine, acted)
                batch.begin(i, self.number + 1)
                return
        self.show()


class _Native:
    """The memory of a batch in the translated rules."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.library = library.native_library()
        regulation = batch.regulation
        source = seeded(0)
        before = source.state
        try:
            self.packed: Packed = library.packed_tables(regulation.rules())
            self.start = self.packed.pack(new_game(regulation, source))
            self.usable = True
        except Outgrown:
            self.usable = False
            return
        self.fixed = source.state == before  # else Python deals the decks at random
        n = len(batch)
        self.rows = ctypes.create_string_buffer(n * self.library.blackpoker_row_size())
        memory = self.memory = _Memory(
            tables=ctypes.addressof(self.packed.memory),
            start=ctypes.addressof(self.start),
            rows=ctypes.addressof(self.rows),
            n=n,
            fixed=self.fixed,
            forced=batch.forced,
            opponent=batch.opponent is not None,
            restart=batch.restart,
            seat=-1 if batch.seat is None else batch.seat,
            game_stream=GAME_STREAM,
            dice_stream=DICE_STREAM,
        )
        self.buffers: list[Any] = []  # exported buffers: they keep the columns from being resized
        for name in ("chosen", "waits", *_BYTES, "rewards", "lengths", "turns"):
            column = getattr(batch, name)
            if len(column):
                self.buffers.append(
                    (ctypes.c_char * (len(column) * getattr(column, "itemsize", 1))).from_buffer(column)
                )
                setattr(memory, name, ctypes.addressof(self.buffers[-1]))
        self.reference = ctypes.byref(memory)
        self.run = self.library.blackpoker_step_many
        self.run.restype = ctypes.c_int64
        self.start_row = self.library.blackpoker_row_start
        self.start_row.restype = ctypes.c_int64
        self.library.blackpoker_row_state.restype = ctypes.POINTER(State)

    def begin(self, i: int, number: int) -> bool:
        """Start a game of a row here; return False if it is too large."""
        while True:
            seed = self.batch.seeds[i]
            start = self.start
            if not self.fixed:
                dealt = new_game(self.batch.regulation, seeded(seed + number * GAME_STREAM))
                start = self.packed.pack(dealt)
            where = self.start_row(
                self.reference, ctypes.c_int64(i), ctypes.c_int64(seed), ctypes.c_int64(number), ctypes.byref(start)
            )
            if where != _TO_START:
                return bool(where == 0)
            number = self.row_history(i)[0]

    def step(self, threads: int) -> int:
        return int(self.run(self.reference, ctypes.c_int64(threads)))

    def row_history(self, i: int) -> tuple[int, bytes]:
        """Return the number of a row's game and its history."""
        out = (ctypes.c_int64 * 2)()
        history = ctypes.create_string_buffer(_HISTORY)
        self.library.blackpoker_row(self.reference, ctypes.c_int64(i), out, history)
        return out[0], history.raw[: out[1]]

    def recover(self) -> None:
        """Handle the rows that cannot continue here: Python continues games that grew too large, and deals new ones."""
        batch = self.batch
        for i in [i for i, where in enumerate(batch.where) if where and i not in batch._rows]:
            number, history = self.row_history(i)
            if batch.where[i] == _TO_START:
                batch.begin(i, number)
            else:
                batch.outgrown += 1
                row = batch._rows[i] = _Row(batch, i, number, history)
                row.settle()
                row.finish_step()

    def state(self, i: int) -> Engine:
        return self.packed.unpack(self.library.blackpoker_row_state(self.reference, ctypes.c_int64(i)).contents)

    def observe(self, i: int, seat: int) -> bytes:
        out = ctypes.create_string_buffer(SIZE)
        self.library.blackpoker_row_observe(self.reference, ctypes.c_int64(i), ctypes.c_int64(seat), out)
        return out.raw
