"""Actions that bring characters onto the field."""

from __future__ import annotations

from blackpoker.definitions.model import (
    Question, LITE, MAIN, PRO, QUICK, STANDARD, SUMMON, Action, Clause, If, Key, Target, UnitType, Whose, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseWord
from blackpoker.definitions.steps.requests import KeysToHand
from blackpoker.definitions.steps.units import Attach, Enter, ReturnTarget
from blackpoker.definitions.values import Ref, KEY, TARGET_CHARGED
from blackpoker.definitions.literals import CARD, FORMS

# Names of bindings.
FORM = Ref("form")

SET_BULWARK = Action(
    "set_bulwark", "防壁設置", "Set Bulwark", kind=SUMMON, timing=MAIN, since=LITE, immediate=True, per_turn=True,
    cost="L",
    effect=(
        Clause("手札からカードを1枚選び、防壁として裏向き・チャージ状態で場に出す。", "Choose a card in your hand; it enters as a bulwark, face down and charged.",
               (ChooseCard(CARD, Zone.HAND), Enter(CARD, Zone.HAND, bulwark=True)),
               asks=(Question("どの手札を防壁にしますか？", "Which card of your hand becomes the bulwark?"),)),
    ),
    rulings=("R-150", "R-37", "R-38"),
)  # fmt: skip

SUMMON_SOLDIER = Action(
    "summon_soldier", "兵士召喚", "Summon Soldier", kind=SUMMON, timing=MAIN, since=LITE,
    cost="BL", key=Key("one", ("2-10",)),
    effect=(Clause("キーカードを一般兵として表向き・チャージ状態で場に出す。", "The key enters as a common soldier, face up and charged.", (Enter(KEY),)),),
    rulings=("R-80",),
)  # fmt: skip

SUMMON_HERO = Action(
    "summon_hero", "英雄召喚", "Summon Hero", kind=SUMMON, timing=MAIN, since=LITE,
    cost="BBL", key=Key("one", ("J-K",)),
    effect=(Clause("キーカードを英雄として表向き・チャージ状態で場に出す。", "The key enters as a hero, face up and charged.", (Enter(KEY),)),),
    rulings=("R-80",),
)  # fmt: skip

SUMMON_ACE = Action(
    "summon_ace", "エース召喚", "Summon Ace", kind=SUMMON, timing=MAIN, since=LITE,
    cost="L", key=Key("one", ("A",)),
    effect=(Clause("キーカードをエースとして表向き・チャージ状態で場に出す。", "The key enters as an ace, face up and charged.", (Enter(KEY),)),),
    rulings=("R-80",),
)  # fmt: skip

QUICK_SUMMON = Action(
    "quick_summon", "クイック召喚", "Quick Summon", kind=SUMMON, timing=QUICK, since=PRO, opponent_turn_only=True,
    cost="D", key=Key("one", ("A",)),
    effect=(
        Clause("キーカードを、エースとして表向き・チャージ状態で、または防壁として裏向き・チャージ状態で場に出す。",
               "The key enters charged: face up as an ace or face down as a bulwark, as you choose.",
               (ChooseWord(FORM, FORMS),
                If(FORM.equals(0), (Enter(KEY),), (Enter(KEY, bulwark=True),))),
               asks=(Question("エースとして出しますか、防壁として出しますか？", "Does it enter as an ace or as a bulwark?"),)),
    ),
    rulings=("R-151",),
)  # fmt: skip

SUMMON_MAGICIAN = Action(
    "summon_magician", "魔術士召喚", "Summon Magician", kind=SUMMON, timing=MAIN, since=STANDARD,
    cost="BD", key=Key("one", ("JK",)),
    effect=(Clause("キーカードを魔術士として表向き・チャージ状態で場に出す。", "The key enters as a magician, face up and charged.", (Enter(KEY),)),),
    rulings=("R-80", "R-35"),
)  # fmt: skip

EQUIP = Action(
    "equip", "装備", "Equip", kind=SUMMON, timing=MAIN, since=LITE,
    cost="BL", key=Key("one", ("A-K",)),
    target=Target("自分の場にいる、キーカードと同じスートの兵士1体（魔術士を除く）",
                  "one soldier of yours of the key's suit (not a magician)",
                  "unit", whose=Whose.MINE, type=UnitType.SOLDIER, key_suit=True, equippable=True),
    effect=(Clause("対象の上にキーカードを重ね、装備兵にする。", "Put the key on the target; it becomes an armed soldier.",
                   (Attach(),)),),
    rulings=("R-152", "R-84", "R-87"),
)  # fmt: skip

RECALL = Action(
    "recall", "帰還", "Recall", kind=SUMMON, timing=QUICK, since=STANDARD,
    cost="B", key=Key("same_suit"),
    target=Target("自分の場のキャラクター1体", "one character of yours", "unit", whose=Whose.MINE),
    effect=(
        Clause("対象がチャージ状態なら、手札に戻す。",
               "If the target is charged, its cards return to your hand.",
               (If(TARGET_CHARGED, (ReturnTarget(),)),)),
        Clause("キーカードを手札に戻す。", "The keys return to your hand.", (KeysToHand(),)),
    ),
    rulings=("R-153", "R-34"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    SET_BULWARK, SUMMON_SOLDIER, SUMMON_HERO, SUMMON_ACE, QUICK_SUMMON, SUMMON_MAGICIAN, EQUIP, RECALL,
)  # fmt: skip
