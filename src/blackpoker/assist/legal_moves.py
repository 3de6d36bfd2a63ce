"""The legal moves of a decision."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from operator import index
from typing import Any, Final

from blackpoker.assist.frozen import Frozen, frozen, same_state, thawed
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import NOTHING
from blackpoker.errors import BlackPokerError
from blackpoker.notation.move import Move, count_moves, legal_moves
from blackpoker.notation.move_builder import MoveBuilder

#: number of moves shown in ``repr``
SHOWN: Final = 6
#: number of moves printed
PRINTED: Final = 1000


class LegalMoves:
    """The whole moves that can be pushed now: iterate, test with ``in`` (a Move or text), or count them with ``len()``.

    In a large fight there are more moves than can be listed. ``count``, ``in``, ``repr`` and ``bool`` do not list them
    and always return at once. Iteration is lazy and can be stopped at any move; printing ends after a thousand.

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> game.legal_moves
    <LegalMoves: pass, set_bulwark, summon_ace SA, summon_ace DA, summon_ace CA, end, …>
    >>> len(game.legal_moves), "end" in game.legal_moves
    (13, True)
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __iter__(self) -> Iterator[Move]:
        return iter(legal_moves(self._engine))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move):
            if move.player is not None and index(move.player) != self._engine.asked:
                return False
            if move.options:
                return is_legal(self._engine, move)
            move = move.text
        if isinstance(move, str):
            from blackpoker.notation.parser import parse_move

            try:
                parse_move(self._engine, move)
            except BlackPokerError:
                return False
            return True
        return False

    def count(self) -> int:
        """Return the exact number of moves without creating them."""
        return count_moves(self._engine)

    def __len__(self) -> int:
        """Return the number of moves, like ``count()``; raise `OverflowError` above ``sys.maxsize``, as Python does."""
        return self.count()

    def __str__(self) -> str:
        """Return the moves, one per line: the first thousand, and the number of the others."""
        lines = [move.text for move in islice(self, PRINTED)]
        if len(lines) == PRINTED:
            more = self.count() - PRINTED
            lines += [f"… and {more} more"] if more else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        first = [move.text for move in islice(self, SHOWN + 1)]
        more = ["…"] if len(first) > SHOWN else []
        return f"<LegalMoves: {', '.join(first[:SHOWN] + more)}>"

    def __copy__(self) -> LegalMoves:
        return LegalMoves(self._engine.copy())

    def __deepcopy__(self, memo: object) -> LegalMoves:
        return LegalMoves(self._engine.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return _legal_again, (frozen(self._engine),)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the moves of the same state."""
        return isinstance(other, LegalMoves) and same_state(self._engine, other._engine)

    def __hash__(self) -> int:
        return hash((LegalMoves, int(self._engine.asked), tuple(self._engine.options)))

    def __bool__(self) -> bool:
        return self._engine.kind != NOTHING


def _legal_again(state: Frozen) -> LegalMoves:
    return LegalMoves(thawed(state))


def is_legal(engine: Engine, move: Move) -> bool:
    """Return whether the move can be pushed here as a whole: one move, or several of one effect."""
    builder = MoveBuilder(engine)
    for option in move.options:
        if option not in builder._engine.options:
            return False
        builder.push(option)
    return builder.complete
