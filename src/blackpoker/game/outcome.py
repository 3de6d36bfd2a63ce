"""Ends of a game, by the rules or from outside of them."""

from __future__ import annotations

from typing import Any, Final

from blackpoker.engine.engine import MAX_TURNS, Engine
from blackpoker.engine.flow import DRAW
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.views import Player
from blackpoker.errors import refuse_subclass

#: ends from outside the rules: the word in a record, and the reason in the outcome
ENDS: Final = ("resign", "time", "abandon", "agree", "void", "fault")  # ``draw`` is an action
END_REASONS: Final = ("resigned", "time", "abandoned", "draw", "abandoned", "fault")


class Outcome:
    """The result of a game. ``winner`` is None for a draw; ``reason`` is ``life`` (R-45, R-193), ``turns`` (R-220), or
    from outside the rules ``resigned`` (R-223), ``time``, ``abandoned``, ``draw`` (agreed), ``fault`` (of a program).

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> step = game.end("resign", bp.Player.P1)
    >>> game.outcome()
    Outcome(winner=Player.P2, reason='resigned')
    """

    __slots__ = ("_reason", "_winner")

    def __init__(self, winner: Player | None, reason: str) -> None:
        self._winner: Player | None = winner
        self._reason: str = reason

    def __init_subclass__(cls) -> None:
        refuse_subclass("Outcome")

    @property
    def winner(self) -> Player | None:
        return self._winner

    @property
    def reason(self) -> str:
        return self._reason

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self._winner == other._winner and self._reason == other._reason

    def __hash__(self) -> int:
        return hash((self._winner, self._reason))

    def __reduce__(self) -> tuple[Any, ...]:
        return Outcome, (self._winner, self._reason)

    def __repr__(self) -> str:
        return f"Outcome(winner={self.winner!r}, reason={self.reason!r})"


def outcome_of(engine: Engine, last: int, saved_reason: str) -> Outcome:
    """Return the outcome of a finished game. ``last`` is the last entry of its history, ``ended`` the reason in a saved
    game."""
    winner = None if engine.winner == DRAW else PLAYERS[engine.winner]
    if last < 0:
        return Outcome(winner, end_reason(decode_end(last)[0]))
    if saved_reason:
        return Outcome(winner, saved_reason)
    if engine.sides[0].life and engine.sides[1].life:
        return Outcome(winner, "turns" if engine.turn_number > MAX_TURNS else "resigned")
    return Outcome(winner, "life")


def apply_entry(engine: Engine, option: int) -> None:
    """Apply an entry of a history: push an option, or end the game."""
    if option >= 0:
        engine.push(option)
        return
    how, player = decode_end(option)
    engine.draft = None
    engine.winner = DRAW if how in ("agree", "void") else 1 - player
    engine.finish()


def encode_end(how: str, player: int) -> int:
    """Return an end as an entry of a history: -1 and -2 are resignations, -3 and -4 losses on time, and so on."""
    return -1 - player - 2 * ENDS.index(how)


def decode_end(code: int) -> tuple[str, int]:
    """Return the word and the player that a negative entry of a history encodes."""
    return ENDS[(-1 - code) // 2], (-1 - code) % 2


def end_reason(how: str) -> str:
    """Return the outcome's reason for an end from outside the rules."""
    return END_REASONS[ENDS.index(how)]
