"""Actions that move the turn on."""

from __future__ import annotations

from blackpoker.language.model import LITE, MAIN, TURN_CONTROL, Action, Clause, UnitType, Who, Zone
from blackpoker.language.steps import (
    CHARGE_FORBIDDEN, HAND_OVER_LIMIT, YES_NO, Choose, ChooseSome, Discard, Draw, EndTurn, If, Raise, SetState, Units,
    chosen,
    life_of,
)  # fmt: skip

CHARGE = Action(
    "charge", "チャージ", "Charge", kind=TURN_CONTROL, timing=MAIN, since=LITE, immediate=True, direct=False,
    effect=(
        Clause("ターンプレイヤーのキャラクターをすべてチャージ状態にする。",
               "All characters of the turn player become charged.",
               (If(CHARGE_FORBIDDEN.equals(0),
                   (SetState("charged", Units(type=UnitType.ANY), whose=Who.TURN_PLAYER),)),)),
        Clause("ドローアクションを起こす。", "The Draw action is raised.",
               (Raise("draw", controller=Who.TURN_PLAYER),)),
    ),
    rulings=("R-53", "R-54", "R-21"),
)  # fmt: skip

DRAW = Action(
    "draw", "ドロー", "Draw", kind=TURN_CONTROL, timing=MAIN, since=LITE, direct=False,
    effect=(
        Clause("ターンプレイヤーはライフから1枚引く。", "The turn player draws a card.", (Draw(1, Who.TURN_PLAYER),)),
        Clause("その後、もう1枚引いてもよい。", "Then they may draw one more.",
               (If(life_of(Who.TURN_PLAYER).at_least(1),
                   (Choose("more", YES_NO, by=Who.TURN_PLAYER),
                    If(chosen("more").equals(1), (Draw(1, Who.TURN_PLAYER),)))),)),
    ),
    rulings=("R-55", "R-56"),
)  # fmt: skip

END = Action(
    "end", "エンド", "End", kind=TURN_CONTROL, timing=MAIN, since=LITE, ends_turn=True,
    effect=(
        Clause("手札が7枚を超えていたら、7枚になるように捨てる。", "If you hold more than seven cards, discard down to seven.",
               (ChooseSome("cards", Zone.HAND, HAND_OVER_LIMIT), Discard("cards"))),
        Clause("自分のターンを終え、対戦相手にターンを渡す。", "Your turn ends and your opponent gets the turn.", (EndTurn(),)),
        Clause("チャージアクションを起こす。", "The Charge action is raised.",
               (Raise("charge", controller=Who.TURN_PLAYER),)),
    ),
    rulings=("R-50", "R-51", "R-52", "R-53"),
)  # fmt: skip

ACTIONS = (CHARGE, DRAW, END)
