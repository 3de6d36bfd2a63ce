"""How a game ends: by the rules, or by something outside of them."""

from __future__ import annotations

from typing import Final

from blackpoker.rules.engine import MOST_TURNS, Engine
from blackpoker.rules.flow import DRAW

#: ends that no rule brings about: the word a record has for each, and the reason it gives
ENDS: Final = ("resign", "time", "abandon", "agree", "void", "fault")  # ``draw`` is an action
END_REASONS: Final = ("resigned", "time", "abandoned", "draw", "abandoned", "fault")


class Outcome:
    """How a game ended. ``winner`` is None for a draw; ``reason`` is ``life`` (R-45, R-193), ``turns`` (R-220), or from
    outside the rules ``resigned`` (R-223), ``time``, ``abandoned``, ``draw`` (agreed), ``fault`` (of a program).

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> step = game.resign(bp.P1)
    >>> game.outcome()
    Outcome(winner=1, reason='resigned')
    """

    def __init__(self, winner: int | None, reason: str) -> None:
        self.winner = winner
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.winner == other.winner and self.reason == other.reason

    def __hash__(self) -> int:
        return hash((self.winner, self.reason))

    def __repr__(self) -> str:
        return f"Outcome(winner={self.winner!r}, reason={self.reason!r})"


def outcome_of(engine: Engine, last: int, ended: str) -> Outcome:
    """How a game that is over ended; ``last`` is the last entry of its history, ``ended`` what a saved game gives."""
    winner = None if engine.winner == DRAW else int(engine.winner)
    if last < 0:
        return Outcome(winner, reason_of(end_of(last)[0]))
    if ended:
        return Outcome(winner, ended)
    if engine.sides[0].life and engine.sides[1].life:
        return Outcome(winner, "turns" if engine.turn_number > MOST_TURNS else "resigned")
    return Outcome(winner, "life")


def push_entry(engine: Engine, option: int) -> None:
    """Push an entry of a history."""
    if option >= 0:
        engine.push(option)
        return
    how, player = end_of(option)
    engine.draft = None
    engine.winner = DRAW if how in ("agree", "void") else 1 - player
    engine.finish()


def end_code(how: str, player: int) -> int:
    """An end as an entry of a history: -1 and -2 are resignations, -3 and -4 losses on time, and so on."""
    return -1 - player - 2 * ENDS.index(how)


def end_of(code: int) -> tuple[str, int]:
    """What a negative entry of a history means: the word and the player."""
    return ENDS[(-1 - code) // 2], (-1 - code) % 2


def reason_of(how: str) -> str:
    """The reason an outcome gives for an end from outside the rules."""
    return END_REASONS[ENDS.index(how)]
