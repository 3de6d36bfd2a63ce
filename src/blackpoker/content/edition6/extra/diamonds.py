"""Trumps of diamonds, their actions and characters."""

from __future__ import annotations

from blackpoker.content.shared import A_UNIT, KEYED_REQUEST, jack_soldier, jack_summons
from blackpoker.definitions.model import (
    Question, EXTRA, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, SOLDIER_CAUSED, TRIGGERED, Ability, Action, Character, Clause, If,
    Target, Trump, UnitType, Whose, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import Damage, Draw, HandToLife
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseRequest, ChooseWord
from blackpoker.definitions.steps.requests import Negate, Raise
from blackpoker.definitions.steps.trumps import CloseTrump
from blackpoker.definitions.steps.units import Bury, ChargeAll, LifeToBulwarks, SetState
from blackpoker.definitions.player_refs import ME, OPPONENT
from blackpoker.definitions.values import (
    Ref,
    TARGET_EQUIPPABLE,
    TARGET_KEY_SUM,
    BulwarksOf,
    Number,
    OwnTrump,
    TrumpOpen,
)
from blackpoker.definitions.literals import DRIVEN, CARD, CLOSE_OR_SUFFER, REQUEST, TOP_OR_BOTTOM, action, card, cards

# Names of bindings.
PLACE = Ref("place")
PRICE = Ref("price")

ADD_BULWARK = Action(
    "add_bulwark", "防壁追加", "Add Bulwark", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True,
    permission="add_bulwark", cost="L", per_turn=True,
    effect=(Clause("対戦相手の場の防壁の数が自分の場の防壁の数以上なら、自分のライフの一番上から1枚を防壁として裏向き・チャージ状態で場に出す。",
                   "If your opponent has at least as many bulwarks as you, the top card of your life enters as a bulwark, face down and charged.",
                   (If(BulwarksOf(OPPONENT).at_least(BulwarksOf(ME)), (LifeToBulwarks(1),)),)),),
    rulings=("R-129", "R-37", "R-38"),
)  # fmt: skip

NEGOTIATE = Action(
    "negotiate", "交渉", "Negotiate", kind=SOLDIER_CAUSED, timing=QUICK, since=EXTRA, immediate=True, source="♢",
    permission="negotiate", target=A_UNIT,
    effect=(Clause("対象をドライブする。", "Drive the target.", (SetState(DRIVEN),)),),
    rulings=("R-107", "R-115"),
)  # fmt: skip

OFFSET = Action(
    "offset", "相殺", "Offset", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA, immediate=True, permission="offset",
    cost="D", target=KEYED_REQUEST,
    effect=(Clause("対象のキーカードの数字の合計が5以上なら、その合計と同じ点数のダメージを受ける。次に、対象をステージから取り除き、そのキーカードを墓地に移す。",
                   "If the sum of the target's keys is at least 5, you take that much damage; then the target leaves the stage and its keys go to the grave.",
                   (If(TARGET_KEY_SUM.at_least(5), (Damage(ME, TARGET_KEY_SUM), Negate())),)),),
    rulings=("R-130", "R-44"),
)  # fmt: skip

EXHAUSTION = Action(
    "exhaustion", "疲弊", "Exhaustion", kind=TRIGGERED, timing=QUICK, since=EXTRA, direct=False,
    effect=(Clause("自分の切札の♢5が表なら、裏向きにする。裏向きにしたくなければ、2点のダメージを受ける。",
                   "If your trump ♢5 is face up, turn it face down; if you do not want to, take 2 damage.",
                   (If(TrumpOpen(card("♢5")),
                       (ChooseWord(PRICE, CLOSE_OR_SUFFER),
                        If(PRICE.equals(0), (CloseTrump(OwnTrump(card("♢5"))),), (Damage(ME, Number(2)),)))),),
               asks=(Question("♢5を裏向きにしますか、2点のダメージを受けますか？", "Do you turn ♢5 face down, or take 2 damage?"),)),),
    rulings=("R-112", "R-131"),
)  # fmt: skip

REPAIR = Action(
    "repair", "修繕", "Repair", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True, permission="repair", cost="L",
    target=Target("自分の場にいる、♢2〜10のカードを含む兵士1体", "one soldier of yours that contains one of ♢2–10", "unit", whose=Whose.MINE,
                  type=UnitType.SOLDIER, contains="♢2-10"),
    effect=(
        Clause("対象が「装備」の対象になれるなら、自分の墓地から♢J〜K を1枚選ぶ。選べたら、それをキーカードとして、対象への「装備」を"
               "コストを払わずに起こし、チャンスをパスする。選べなければ、対象を墓地に移す（パスはしない）。",
               "If the target may be equipped, choose one of ♢J–K in your grave. If you did, Equip is raised on the target without "
               "paying its cost, with that card as its key, and you pass the chance. If there is none, the target goes to the grave "
               "and you do not pass.",
               (If(TARGET_EQUIPPABLE,
                   (ChooseCard(CARD, Zone.GRAVE, among=cards("♢J-K")),
                    If(CARD.at_least(0),
                       (Raise(action("equip"), keep_target=True, key=CARD, then_pass=True),), (Bury(),)))),),
               asks=(Question("墓地のどのカードを装備させますか？", "Which card of your grave becomes the equipment?"),)),
    ),
    rulings=("R-105", "R-108", "R-132"),
)  # fmt: skip

REST = Action(
    "rest", "休息", "Rest", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="rest", cost="B",
    effect=(Clause("自分の場の兵士をすべてチャージ状態にする。", "All your soldiers become charged.",
                   (ChargeAll(UnitType.SOLDIER),)),),
)  # fmt: skip

FULFILMENT = Action(
    "fulfilment", "充足", "Fulfilment", kind=TRIGGERED, timing=QUICK, since=EXTRA, direct=False,
    effect=(Clause("自分の場のキャラクターをすべてチャージ状態にする。", "All your characters become charged.",
                   (ChargeAll(UnitType.ANY),)),),
    rulings=("R-112",),
)  # fmt: skip

SUMMON_TACTICIAN = jack_summons(
    "summon_tactician", "策士召喚", "Summon Tactician", "♢J", "♣2-10", "tactician", "策士", "Tactician",
    Clause("ステージにある、キーカードが2枚か、1枚でその数字がこのアクションのキーカードの数字以下のアクションを1つ選び、無効にして"
           "ステージから取り除く。",
           "choose an action on the stage with two keys, or with one key no higher than this one; it is negated and leaves the "
           "stage.",
           (ChooseRequest(REQUEST), Negate(REQUEST)),
               asks=(Question("どのアクションを無効にしますか？", "Which action do you negate?"),)),
    ("R-133", "R-44"),
)  # fmt: skip

FORESIGHT = Action(
    "foresight", "先読み", "Foresight", kind=SOLDIER_CAUSED, timing=QUICK, since=EXTRA, immediate=True, source="self",
    permission="foresight",
    effect=(
        Clause("ライフの一番上から2枚引く。", "Draw the top two cards of your life.", (Draw(2),)),
        Clause("手札からカードを1枚選び、ライフの一番上か一番下に移す。", "Choose a card in your hand and put it on top of or under your life.",
               (ChooseCard(CARD, Zone.HAND),
                If(CARD.at_least(0), (ChooseWord(PLACE, TOP_OR_BOTTOM), HandToLife(CARD, PLACE)))),
               asks=(Question("どの手札をライフに移しますか？", "Which card of your hand goes to your life?"), Question("ライフの一番上に移しますか、一番下に移しますか？", "Does it go on top of your life or under it?"))),
    ),
    rulings=("R-107", "R-133", "R-46"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    ADD_BULWARK, NEGOTIATE, OFFSET, EXHAUSTION, REPAIR, REST, FULFILMENT, SUMMON_TACTICIAN, FORESIGHT,
)  # fmt: skip

TACTICIAN = jack_soldier(
    "tactician", "策士", "Tactician", "♢J", "♣2-10",
    Ability("チャージ状態でチャンスを持っているとき、これをドライブして「先読み」を起こせる。", "While it is charged and you hold the chance, you may drive it to request Foresight.", allows="foresight"),
    rulings=("R-133",),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (TACTICIAN,)

TRUMPS: tuple[Trump, ...] = (
    Trump("♢A", "extra_bulwark", "防壁追加", "Extra Bulwark", allows=("add_bulwark",), rulings=("R-129",),
          short_ja="防壁が相手以下なら、ライフの上を防壁に", short_en="Not more bulwarks than they have: top card becomes one"),
    Trump("♢3", "negotiate", "交渉", "Negotiate", allows=("negotiate",), rulings=("R-107",),
          short_ja="♢の兵士を横にし、1体をドライブする", short_en="Drive a ♢ soldier to drive a character",
          abilities=(Ability("チャンスを持っているとき、自分のチャージ状態の♢の兵士をドライブして「交渉」を起こせる。", "While you hold the chance you may drive a charged ♢ soldier of yours to request Negotiate."),)),
    Trump("♢4", "offset", "相殺", "Offset", allows=("offset",), rulings=("R-130",),
          short_ja="キーの合計5以上を、同じダメージを受けて取り除く", short_en="Remove keys of 5 or more; you take as much"),
    Trump("♢5", "loss", "喪失", "Loss", on="end", raises="exhaustion", rulings=("R-131", "R-112"),
          short_ja="チャージ状態の防壁2体で、どちらもチャージなし", short_en="With two charged bulwarks, nobody charges",
          abilities=(
              Ability("自分の場にチャージ状態の防壁が2体以上いる間、どちらのプレイヤーの「チャージ」も「ドロー」を起こすだけになる。",
                      "While you have two or more charged bulwarks, the Charge action of either player does nothing but raise Draw.",
                      "no_charge"),
              Ability("自分が「エンド」を起こしたとき、「疲弊」を誘発する。", "When you request End, Exhaustion is triggered."),
          )),
    Trump("♢8", "repair", "修繕", "Repair", allows=("repair",), rulings=("R-132",),
          short_ja="墓地の♢J〜Kを、自分の兵士に装備する", short_en="Equip a soldier with ♢J–K of your grave"),
    Trump("♢9", "fulfilment", "充足", "Fulfilment", allows=("rest",), on="end", raises="fulfilment", rulings=("R-112",),
          short_ja="兵士全員をチャージする。エンドでも全員", short_en="Charge your soldiers; at End all of yours"),
    Trump("♢J", "tactician", "策士", "Tactician", allows=("summon_tactician",), rulings=("R-133", "R-109"),
          short_ja="アクション1つを無効にし、策士になる", short_en="Negate an action, then a Tactician"),
)  # fmt: skip
