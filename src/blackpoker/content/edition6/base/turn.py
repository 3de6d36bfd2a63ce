"""Actions that advance the turn."""

from __future__ import annotations

from blackpoker.content.shared import PUBLIC_CARD_QUESTION
from blackpoker.definitions.model import LITE, MAIN, TURN_CONTROL, Action, Clause, If, UnitType, Zone, Question
from blackpoker.definitions.steps.cards import Discard, Draw
from blackpoker.definitions.steps.choosing import ChooseCards, ChooseWord
from blackpoker.definitions.steps.requests import EndTurn, Raise
from blackpoker.definitions.steps.units import ChargeAll
from blackpoker.definitions.player_refs import TURN_PLAYER
from blackpoker.definitions.values import Ref, CHARGE_ALLOWED, HAND_OVER_LIMIT, LifeOf
from blackpoker.definitions.literals import CARDS, YES_NO, action

# Names of bindings.
MORE = Ref("more")

CHARGE = Action(
    "charge", "チャージ", "Charge", kind=TURN_CONTROL, timing=MAIN, since=LITE, immediate=True, direct=False,
    effect=(
        Clause("ターンプレイヤーのキャラクターをすべてチャージ状態にする。",
               "All characters of the turn player become charged.",
               (If(CHARGE_ALLOWED,
                   (ChargeAll(UnitType.ANY, TURN_PLAYER),)),)),
        Clause("「ドロー」を起こす。", "The Draw action is raised.",
               (Raise(action("draw"), controller=TURN_PLAYER),)),
    ),
    rulings=("R-53", "R-54", "R-21"),
)  # fmt: skip

DRAW = Action(
    "draw", "ドロー", "Draw", kind=TURN_CONTROL, timing=MAIN, since=LITE, direct=False,
    effect=(
        Clause("ターンプレイヤーはライフの一番上から1枚引く。", "The turn player draws the top card of their life.", (Draw(1, TURN_PLAYER),)),
        Clause("その後、もう1枚引いてもよい。", "Then they may draw one more.",
               (If(LifeOf(TURN_PLAYER).at_least(1),
                   (ChooseWord(MORE, YES_NO, by=TURN_PLAYER),
                    If(MORE.equals(1), (Draw(1, TURN_PLAYER),)))),),
               asks=(Question("もう1枚引きますか？", "Do you draw one more card?"),)),
    ),
    rulings=("R-55", "R-56"),
)  # fmt: skip

END = Action(
    "end", "エンド", "End", kind=TURN_CONTROL, timing=MAIN, since=LITE, ends_turn=True,
    effect=(
        Clause("手札が7枚を超えていたら、7枚になるように選んで捨てる。", "If you hold more than seven cards, discard down to seven, your choice.",
               (ChooseCards(CARDS, Zone.HAND, HAND_OVER_LIMIT), Discard(CARDS)),
               asks=(Question("手札は7枚までです。どれを捨てますか？", "You may keep seven cards. Which do you discard?"), PUBLIC_CARD_QUESTION)),
        Clause("自分のターンを終え、対戦相手にターンを渡す。", "Your turn ends and your opponent gets the turn.", (EndTurn(),)),
        Clause("「チャージ」を起こす。", "The Charge action is raised.",
               (Raise(action("charge"), controller=TURN_PLAYER),)),
    ),
    rulings=("R-50", "R-51", "R-52", "R-53"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (CHARGE, DRAW, END)
