"""Parts shared by several definitions: target lines, notes, the form of a summons with a trump."""

from __future__ import annotations

from blackpoker.definitions.model import (
    EXTRA, MAIN, SUMMON, Ability, Action, Character, Clause, If, Key, Leaves, Question, Steps, Target,
    UnitType, Whose,
)  # fmt: skip
from blackpoker.definitions.steps.cards import Shuffle
from blackpoker.definitions.steps.trumps import BuryTrump, Find
from blackpoker.definitions.steps.units import BuryAll, EnterAs
from blackpoker.definitions.values import Ref, CharacterName, Number, OwnTrump, TrumpOpen
from blackpoker.definitions.literals import card

# Names of bindings.
FOUND = Ref("found")

A_SOLDIER = Target("兵士1体", "one soldier", "unit", type=UnitType.SOLDIER)
A_BULWARK = Target("防壁1体", "one bulwark", "unit", type=UnitType.BULWARK)
A_UNIT = Target("キャラクター1体", "one character", "unit")
MY_UNIT = Target("自分の場のキャラクター1体", "one character of yours", "unit", whose=Whose.MINE)
THE_OPPONENT = Target("対戦相手", "your opponent", "opponent")
A_TRUMP = Target("切札1枚", "one trump", "trump")
KEYED_REQUEST = Target(
    "ステージにある、キーカードのあるアクション1つ", "one action on the stage that has keys", "request", keys=(1, 99)
)

PREPARATION = Ability("準備：このターンに場に出たカードだけでできている間は、アタッカーに指定できない。",
                      "Preparation: it cannot be named as attacker while all its cards entered this turn.")  # fmt: skip
NOT_EQUIPPABLE = Ability("「装備」の対象にできない。", "Cannot be the target of Equip.", "not_equippable")
UNTARGETABLE = Ability("アクションの対象にできない。", "Cannot be the target of an action.", "untargetable")
TWO_GENERATIONS = Ability("場から墓地に移ったとき、「世代交代」を2回誘発する。",
                          "When it goes from the field to the grave, Next Generation is triggered twice.",
                          leaves=Leaves("next_generation", times=2))  # fmt: skip

PUBLIC_CARD_QUESTION = Question(
    "捨てたカードのうち、どれを見せますか？", "Which of the discarded cards is seen?"
)
#: for all six characters of two cards: they move as one and split as bulwarks (R-85)
TWO_CARDS = Ability("2枚で1体の兵士として扱い、ほかの場所に移るときは2枚一緒に移す。防壁になるときは2体の防壁になる。",
                    "Its two cards are one soldier and move together; as bulwarks they become two.")  # fmt: skip


def two_suits(first: str, second: str) -> Ability:
    return Ability(
        f"{first}の兵士としても{second}の兵士としても扱う。", f"It is a {first} soldier and a {second} soldier alike."
    )


def jack_summons(
    id: str, ja: str, en: str, jack: str, key: str, character: str, name_ja: str, name_en: str, first: Clause,
    rulings: tuple[str, ...],
) -> Action:  # fmt: skip
    """Return one of the four summons with a trump Jack: two costs (R-36), no effect unless it is face up (R-102)."""
    is_open = TrumpOpen(card(jack))
    return Action(
        id, ja, en, kind=SUMMON, timing=MAIN, since=EXTRA, permission=id,
        cost="BL", quick_cost="BD", key=Key("one", (key,)),
        effect=(
            Clause(f"切札の{jack}が表なら、{first.ja}", f"If your trump {jack} is face up: {first.en}", (If(is_open, first.steps),), first.asks),
            Clause(f"切札の{jack}が表なら、それとキーカードを合わせ、{name_ja}としてチャージ状態で場に出す。",
                   f"If your trump {jack} is face up, it and the key enter together, charged, as a {name_en}.",
                   (If(is_open, (EnterAs(CharacterName(character), card(jack)),)),)),
        ),
        rulings=("R-36", "R-102", "R-109", *rulings),
    )  # fmt: skip


def king_summons(
    id: str, ja: str, en: str, king: str, partner: str, character: str, name_ja: str, name_en: str, type: UnitType,
) -> Action:  # fmt: skip
    """Return one of the two summons with a trump King and the King of the other suit of its colour (R-120)."""
    victims_ja, victims_en = ("兵士", "soldiers") if type is UnitType.SOLDIER else ("防壁", "bulwarks")
    found: Steps = (BuryAll(type=type), EnterAs(CharacterName(character), card(king), Number(card(partner))))
    return Action(
        id, ja, en, kind=SUMMON, timing=MAIN, since=EXTRA, permission=id, cost="SS", key=Key("one", ("J-K",)),
        effect=(
            Clause(f"切札の{king}が表なら、キーカード、自分の手札・ライフ・墓地・切札の中から{partner}を探す。表でなければ何も起きない。",
                   f"If your trump {king} is face up, look for {partner} in the key, your hand, life, grave and trumps. "
                   f"If {king} is face down, nothing happens.",
                   (If(TrumpOpen(card(king)), (Find(card(partner), FOUND),)),)),
            Clause(f"見つかれば、場の{victims_ja}をすべて墓地に移し、切札の{king}と{partner}を合わせ、{name_ja}としてチャージ状態で場に出す。",
                   f"If {partner} is found, all {victims_en} on the field go to the grave, then {king} and {partner} enter together, charged, "
                   f"as the {name_en}.",
                   (If(FOUND.equals(1), found),)),
            Clause(f"見つからなければ、切札の{king}を墓地に移す。", f"If it is not found, your trump {king} goes to the grave.",
                   (If(FOUND.equals(2), (BuryTrump(OwnTrump(card(king))),)),)),
            Clause("探したなら、ライフをシャッフルする。", "If you looked, shuffle your life.",
                   (If(FOUND.at_least(1), (Shuffle(),)),)),
        ),
        rulings=("R-102", "R-109", "R-120", "R-22"),
    )  # fmt: skip


def jack_soldier(
    id: str, ja: str, en: str, jack: str, other: str, use: Ability, rulings: tuple[str, ...] = (),
) -> Character:  # fmt: skip
    return Character(
        id, ja, en, EXTRA, cards=f"{jack} + {other}", pair=(jack, other), number=11,
        abilities=(
            NOT_EQUIPPABLE, PREPARATION,
            Ability(f"場から墓地か手札に移ったとき、対象を{jack}として「切札再生」を誘発する。",
                    f"When it goes from the field to the grave or to the hand, Regenerate Trump is triggered with {jack} as its target.",
                    leaves=Leaves("regenerate_trump", to_hand=True, names=jack)),
            two_suits(jack[0], other[0]), TWO_CARDS, use,
        ),
        rulings=("R-82", "R-85", "R-86", "R-107", "R-110", *rulings),
    )  # fmt: skip
