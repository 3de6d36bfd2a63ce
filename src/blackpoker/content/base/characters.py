"""The six base characters."""

from __future__ import annotations

from blackpoker.language.model import LITE, STANDARD, Ability, Character, Leaves

PREPARATION = Ability("準備：このターンに場に出たカードだけでできている間は攻撃できない。",
                      "Preparation: it cannot attack while all its cards entered this turn.")  # fmt: skip
HASTE = Ability("速攻：場に出たターンから攻撃できる。", "Haste: it can attack on the turn it enters.")
ONE_GENERATION = Ability("場から墓地に移ったとき、世代交代を1回誘発する。",
                         "When it goes from the field to the grave, Next Generation is triggered once.")  # fmt: skip

COMMON_SOLDIER = Character(
    "common_soldier", "一般兵", "Common Soldier", LITE, cards="2-10", made_by="2-10", abilities=(PREPARATION,),
    rulings=("R-80", "R-82"),
)  # fmt: skip

HERO = Character(
    "hero", "英雄", "Hero", LITE, cards="J-K", made_by="J-K", leaves=Leaves("next_generation"),
    abilities=(PREPARATION, ONE_GENERATION), rulings=("R-80", "R-82", "R-27"),
)  # fmt: skip

ACE = Character(
    "ace", "エース", "Ace", LITE, cards="A", made_by="A", haste=True, leaves=Leaves("next_generation"),
    abilities=(HASTE, ONE_GENERATION), rulings=("R-80", "R-82", "R-27"),
)  # fmt: skip

MAGICIAN = Character(
    "magician", "魔術士", "Magician", STANDARD, cards="JK", made_by="JK", haste=True, leaves=Leaves("next_generation"),
    abilities=(
        Ability("自分の速攻魔法はコストがかからない。", "Your quick magic costs nothing.", "free_quick_magic"),
        Ability("装備の対象にならない。", "Cannot be equipped.", "not_equippable"),
        HASTE, ONE_GENERATION,
    ),
    rulings=("R-35", "R-82", "R-89", "R-27"),
)  # fmt: skip

ARMED_SOLDIER = Character(
    "armed_soldier", "装備兵", "Armed Soldier", LITE, cards="同じスート2枚以上 / two or more of one suit", haste_with="A",
    leaves=Leaves("next_generation", per_card="A J-K"),
    abilities=(
        Ability("Aを含むなら速攻、含まないなら準備。", "Haste if it contains an A, else Preparation."),
        Ability("場から墓地に移ったとき、A・J・Q・K 1枚につき世代交代を1回誘発する。",
                "When it goes from the field to the grave, Next Generation is triggered once per A, J, Q, K among its cards."),
    ),
    rulings=("R-82", "R-87", "R-27"),
)  # fmt: skip

BULWARK = Character(
    "bulwark", "防壁", "Bulwark", LITE, cards="好きなカード1枚（裏向き） / any one card, face down", bulwark=True,
    leaves=Leaves("next_generation", per_card="JK A J-K"),
    abilities=(
        Ability("攻撃できない。", "Cannot attack."),
        Ability("場から墓地に移ったとき、JK・A・J・Q・K なら世代交代を1回誘発する。",
                "When it goes from the field to the grave as a Joker, A, J, Q or K, Next Generation is triggered once."),
    ),
    rulings=("R-62", "R-68", "R-83", "R-27"),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (COMMON_SOLDIER, HERO, ACE, MAGICIAN, ARMED_SOLDIER, BULWARK)
