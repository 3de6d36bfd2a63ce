"""Actions raised by the rules, never requested by a player."""

from __future__ import annotations

from blackpoker.definitions.model import LITE, QUICK, TRIGGERED, Action, Clause
from blackpoker.definitions.steps.cards import MillToFace

NEXT_GENERATION = Action(
    "next_generation", "世代交代", "Next Generation", kind=TRIGGERED, timing=QUICK, since=LITE, immediate=True, direct=False,
    effect=(
        Clause("自分のライフの一番上から Joker・A・J・Q・K のどれかが出るまで墓地に移し、出たカードを手札に加える。",
               "Move cards from the top of your life to the grave until a Joker, A, J, Q or K appears; that card goes to your hand.",
               (MillToFace(),)),
    ),
    rulings=("R-27", "R-28", "R-179", "R-180"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (NEXT_GENERATION,)
