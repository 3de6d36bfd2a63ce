"""The role of an action: its score for every kind of decision in which it matters.

``action_roles.py`` derives the role from the effect of the action. A role is constant: its fields are set at
creation, and everything variable comes from the position summary and the game.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.ai.heuristics.position_summary import KEEP, PositionSummary
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import Request
from blackpoker.engine.state import SIDE_CODE
from blackpoker.engine.tables import CompiledAction

#: storage in the native build, see ``engine.request``: one C++ class with the fields of all roles and a tag
STORAGE: Final = {
    "Role": {
        "worth": "absent",
        "mills": "bool",
        "score": "i16",
        "turn_score": "i16",
        "answer_score": "i16",
        "threat_score": "i16",
        "limit": "i16",
        "price": "i16",
        "aims": "u8",
        "aimed_part": "u8",
        "value": "i16",
        "by_key": "bool",
        "hurts": "bool",
        "hurt": "i16",
        "suffered": "i16",
        "buries": "bool",
        "sweeps": "bool",
        "strengthens": "bool",
        "weakens": "bool",
        "for_all": "bool",
        "bonus": "i16",
        "drives": "bool",
        "returns": "bool",
        "readies": "bool",
        "negates": "bool",
        "soldiers": "i16",
        "enters_chosen": "bool",
        "walls": "i16",
        "drawn": "i16",
        "stripped": "i16",
    },
}
#: most objects alive at once in the native build, see ``engine.request``
AT_ONCE: Final = {"Role": 128}


class Role:
    """The default role. ``worth``: value for its owner of a trump that allows or raises the action."""

    def __init__(self, worth: i64 = 0) -> None:
        self.worth: i64 = worth
        self.mills: bool = False  # turns over its controller's life until a wanted card comes

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        """Score requesting it in one's own turn over an empty stage; return NEVER if it must not be requested."""
        return -5

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        """Score requesting it as a response, or on an empty stage in the opponent's turn."""
        return -20

    def threat(self, here: PositionSummary, request: Request) -> i64:
        """Return the value of negating a request of it."""
        return 15

    def kills(self, s: Engine, request: Request, number: i64) -> bool:
        """Return whether a request of it would remove its target if the target has this number."""
        return False

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        """Score using this card as a key; by default the card least worth keeping scores best."""
        return 20 - 2 * KEEP[option]

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        """Score this target."""
        if s.unit_by_code(option) is None or option // SIDE_CODE == here.me:
            return 0
        return 5

    def card(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        """Score choosing this card while the action takes effect."""
        return 2 * KEEP[option]

    def choice(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        """Score choosing this option while the action takes effect."""
        return 0
