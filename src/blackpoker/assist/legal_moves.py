"""The legal moves of a decision."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from blackpoker.errors import BlackPokerError
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import NOTHING
from blackpoker.notation.move import Move, count_moves, legal_moves
from blackpoker.notation.move_builder import MoveBuilder

#: number of moves shown in ``repr``
SHOWN: Final = 6


class LegalMoves:
    """The whole moves that can be pushed now: iterate, test with ``in`` (a Move or text), or call ``count()``.

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> game.legal_moves
    <LegalMoves: pass, set_bulwark, summon_ace SA, summon_ace DA, summon_ace CA, end, …>
    >>> game.legal_moves.count(), "end" in game.legal_moves
    (13, True)
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __iter__(self) -> Iterator[Move]:
        return iter(legal_moves(self._engine))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move):
            if move.player not in (None, self._engine.asked):
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
        """Return the number of moves without creating them all."""
        return count_moves(self._engine)

    def __str__(self) -> str:
        """Return all moves, one per line."""
        return "\n".join(move.text for move in self)

    def __repr__(self) -> str:
        first = [move.text for move in islice(self, SHOWN + 1)]
        more = ["…"] if len(first) > SHOWN else []
        return f"<LegalMoves: {', '.join(first[:SHOWN] + more)}>"

    def __bool__(self) -> bool:
        return self._engine.kind != NOTHING


def is_legal(engine: Engine, move: Move) -> bool:
    """Return whether the move can be pushed here as a whole: one move, or several of one effect."""
    builder = MoveBuilder(engine)
    for option in move.options:
        if option not in builder.engine.options:
            return False
        builder.push(option)
    return builder.complete
