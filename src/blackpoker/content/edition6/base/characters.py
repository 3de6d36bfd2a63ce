"""The six base characters."""

from __future__ import annotations

from blackpoker.definitions.model import LITE, STANDARD, Ability, Character, Leaves

PREPARATION = Ability("準備：このターンに場に出たカードだけでできている間は、アタッカーに指定できない。",
                      "Preparation: it cannot be named as attacker while all its cards entered this turn.")  # fmt: skip
HASTE = Ability(
    "速攻：場に出たターンからアタッカーに指定できる。準備より優先する。",
    "Haste: it can be named as attacker from the turn it enters; this goes before Preparation.",
    haste=True,
)
ONE_GENERATION = Ability("場から墓地に移ったとき、「世代交代」を1回誘発する。",
                         "When it goes from the field to the grave, Next Generation is triggered once.",
                         leaves=Leaves("next_generation"))  # fmt: skip

COMMON_SOLDIER = Character(
    "common_soldier", "一般兵", "Common Soldier", LITE, cards="2-10", made_by="2-10", abilities=(PREPARATION,),
    rulings=("R-80", "R-82"),
)  # fmt: skip

HERO = Character(
    "hero", "英雄", "Hero", LITE, cards="J-K", made_by="J-K",
    abilities=(PREPARATION, ONE_GENERATION), rulings=("R-80", "R-82", "R-27"),
)  # fmt: skip

ACE = Character(
    "ace", "エース", "Ace", LITE, cards="A", made_by="A",
    abilities=(HASTE, ONE_GENERATION), rulings=("R-80", "R-82", "R-27"),
)  # fmt: skip

MAGICIAN = Character(
    "magician", "魔術士", "Magician", STANDARD, cards="JK", made_by="JK",
    abilities=(
        Ability("魔力増加：場にいる間、自分の速攻魔法のコストはなしになる。", "Magic surge: while it is on the field, your quick magic costs nothing.", "free_quick_magic"),
        Ability("「装備」の対象にできない。", "Cannot be the target of Equip.", "not_equippable"),
        HASTE, ONE_GENERATION,
    ),
    rulings=("R-35", "R-82", "R-89", "R-27"),
)  # fmt: skip

ARMED_SOLDIER = Character(
    "armed_soldier", "装備兵", "Armed Soldier", LITE, cards="同じスート2枚以上 / two or more of one suit",
    abilities=(
        Ability("A を含むなら速攻、含まないなら準備を持つ。", "Haste if it contains an A, else Preparation.", haste_with="A"),
        Ability("場から墓地に移ったとき、含まれる A・J・Q・K 1枚につき「世代交代」を1回誘発する。",
                "When it goes from the field to the grave, Next Generation is triggered once per A, J, Q, K among its cards.",
                leaves=Leaves("next_generation", per_card="A J-K")),
    ),
    rulings=("R-82", "R-87", "R-27"),
)  # fmt: skip

BULWARK = Character(
    "bulwark", "防壁", "Bulwark", LITE, cards="好きなカード1枚（裏向き） / any one card, face down", bulwark=True,
    abilities=(
        Ability("アタッカーに指定できない。", "Cannot be named as attacker."),
        Ability("場から墓地に移ったとき、Joker・A・J・Q・K なら「世代交代」を1回誘発する。",
                "When it goes from the field to the grave as a Joker, A, J, Q or K, Next Generation is triggered once.",
                leaves=Leaves("next_generation", per_card="JK A J-K")),
        Ability("【ダメージ判定】アタッカーをブロックしていたら、表にする。Joker か、アタッカーのカードのどれかと書かれた数字が同じなら、"
                "アタッカーを墓地に移す。その後、この防壁を墓地に移す。",
                "At Damage Judgement, if it blocks an attacker: turn it up. If it is a Joker or its printed number is that of any card "
                "of the attacker, the attacker goes to the grave. Then this bulwark goes to the grave."),
        Ability("場に出すときはライフ側に詰めて置き、左右を入れ替えない。",
                "Bulwarks lie packed towards the life side and are never swapped."),
    ),
    rulings=("R-62", "R-68", "R-83", "R-27"),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (COMMON_SOLDIER, HERO, ACE, MAGICIAN, ARMED_SOLDIER, BULWARK)
