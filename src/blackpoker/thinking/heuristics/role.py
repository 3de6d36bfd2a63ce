"""What the heuristics think of one action: a role, with a score for every moment at which the action matters.

``roles.py`` finds the role of an action by what it does. A role is constant: fields are set when it is made, everything
that changes comes from the reading and the game.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.thinking.heuristics.reading import KEEP, Reading
from blackpoker.rules.engine import Engine
from blackpoker.rules.plan import Plan
from blackpoker.rules.request import Request
from blackpoker.rules.state import SIDE_CODE


#: as in ``rules.request``: the fields of all roles, which are one class there, told apart by a tag
STORAGE: Final = {
    "Role": {
        "worth": "absent", "mills": "bool", "score": "i16", "turn_score": "i16", "answer_score": "i16",
        "threat_score": "i16", "limit": "i16", "price": "i16", "aims": "u8", "aimed_part": "u8", "value": "i16",
        "by_key": "bool", "hurts": "bool", "hurt": "i16", "suffered": "i16", "buries": "bool", "sweeps": "bool",
        "strengthens": "bool", "weakens": "bool", "for_all": "bool", "bonus": "i16", "drives": "bool",
        "returns": "bool", "readies": "bool", "negates": "bool", "soldiers": "i16", "enters_chosen": "bool",
        "walls": "i16", "drawn": "i16", "stripped": "i16",
    },
}  # fmt: skip
#: as in ``rules.request``
AT_ONCE: Final = {"Role": 128}


class Role:
    """An action about which nothing is known. ``worth``: what a trump that allows or raises it does for its owner."""

    def __init__(self, worth: i64 = 0) -> None:
        self.worth: i64 = worth
        self.mills: bool = False  # it turns its controller's life over until a card it wants comes

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
