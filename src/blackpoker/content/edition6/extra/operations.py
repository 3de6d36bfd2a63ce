"""Trump operations of every player in Extra (RULINGS 2.4)."""

from __future__ import annotations

from blackpoker.content.shared import A_TRUMP
from blackpoker.definitions.model import (
    Question, EXTRA, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, TRIGGERED, Action, Clause, If, Key, both,
)  # fmt: skip
from blackpoker.definitions.steps.choosing import ChooseTrump
from blackpoker.definitions.steps.trumps import BuryTrump, CloseTrump, OpenTrump, RestoreTrump
from blackpoker.definitions.values import TARGET_TRUMP_IS_KEY, TARGET_TRUMP_OF_KEY_SUIT, TARGET_TRUMP_OPEN
from blackpoker.definitions.literals import TRUMP

OPEN_TRUMP = Action(
    "open_trump", "オープン", "Open", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True,
    cost="BBD", quick_cost="DD",
    effect=(Clause("自分の裏向きの切札を1枚選び、表向きにする。その能力が有効になる。",
                   "Choose one of your face-down trumps and turn it up; its ability is active.",
                   (ChooseTrump(TRUMP), OpenTrump(TRUMP)),
               asks=(Question("どの切札を表向きにしますか？", "Which of your trumps do you turn up?"),)),),
    rulings=("R-36", "R-37", "R-101", "R-103"),
)  # fmt: skip

CLOSE_TRUMP = Action(
    "close_trump", "クローズ", "Close", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA, immediate=True,
    cost="L", key=Key("same_suit"), target=A_TRUMP,
    effect=(Clause("対象が表向きで、キーカードと同じスートなら、裏向きにする。その能力は無効になる。",
                   "If the target is face up and of the keys' suit, turn it face down; its ability ends.",
                   (If(both(TARGET_TRUMP_OPEN, TARGET_TRUMP_OF_KEY_SUIT), (CloseTrump(),)),)),),
    rulings=("R-101", "R-104"),
)  # fmt: skip

DESTROY_TRUMP = Action(
    "destroy_trump", "切札破壊", "Destroy Trump", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA,
    cost="B", key=Key("one", ("A-K",)), target=A_TRUMP,
    effect=(Clause("対象が表向きで、キーカードとスートも数字も同じなら、オーナーの墓地に移す。その能力は無効になる。",
                   "If the target is face up and equals the key in suit and number, it goes to its owner's grave; its ability ends.",
                   (If(both(TARGET_TRUMP_OPEN, TARGET_TRUMP_IS_KEY), (BuryTrump(),)),)),),
    rulings=("R-104", "R-111"),
)  # fmt: skip

REGENERATE_TRUMP = Action(
    "regenerate_trump", "切札再生", "Regenerate Trump", kind=TRIGGERED, timing=QUICK, since=EXTRA, immediate=True,
    direct=False,
    effect=(Clause("場を離れた兵士の J が自分の手札か墓地にあれば、自分の切札として表向きに置く。その能力が有効になる。",
                   "If the Jack of the soldier that left is in your hand or grave, put it face up among your trumps; its ability "
                   "is active.",
                   (RestoreTrump(),)),),
    rulings=("R-110",),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (OPEN_TRUMP, CLOSE_TRUMP, DESTROY_TRUMP, REGENERATE_TRUMP)
