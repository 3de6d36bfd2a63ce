"""What the heuristics think of one action: a role, with a score for every moment at which the action matters.

``roles.py`` finds the role of an action by what it does. A role is constant: fields are set when it is made, everything
that changes comes from the reading and the game.
"""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.players.heuristics.reading import KEEP, Reading
from blackpoker.rules.engine import Engine
from blackpoker.rules.plan import Plan
from blackpoker.rules.request import Request
from blackpoker.rules.state import SIDE_CODE


class Role:
    """An action about which nothing is known. ``worth``: what a trump that allows or raises it does for its owner."""

    def __init__(self, worth: i64 = 0) -> None:
        self.worth: i64 = worth

    def turn(self, here: Reading, s: Engine, plan: Plan) -> i64:
        """Requesting it in one's own turn over an empty stage; NEVER if it must not be."""
        return -5

    def answer(self, here: Reading, s: Engine, plan: Plan) -> i64:
        """Requesting it at any other chance."""
        return -20

    def threat(self, here: Reading, request: Request) -> i64:
        """What negating a request of it is worth."""
        return 15

    def kills(self, s: Engine, request: Request, number: i64) -> bool:
        """Whether a request of it takes its target off the field if that has this number."""
        return False

    def key(self, here: Reading, s: Engine, draft: Request, option: i64) -> i64:
        """Using this card as a key: by default the one that is missed least."""
        return 20 - 2 * KEEP[option]

    def target(self, here: Reading, s: Engine, draft: Request, option: i64) -> i64:
        """Aiming it at this target."""
        if s.unit_by_code(option) is None or option // SIDE_CODE == here.me:
            return 0
        return 5

    def card(self, here: Reading, s: Engine, option: i64) -> i64:
        """Choosing this card while it takes effect."""
        return 2 * KEEP[option]

    def word(self, here: Reading, s: Engine, option: i64) -> i64:
        """Choosing this word while it takes effect."""
        return 0
