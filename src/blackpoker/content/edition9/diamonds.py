"""Actions and trumps of diamonds in edition 9 (N-273…N-286, N-347…N-353)."""

from __future__ import annotations

from blackpoker.content.edition6.base import deploy
from blackpoker.content.edition9.shared import again, jack_summons, of_trump, quick_soldier, regenerate
from blackpoker.content.edition6.extra import diamonds
from blackpoker.definitions.literals import CARD, REQUEST, action
from blackpoker.definitions.model import (
    LITE, MAGIC, QUICK, SUMMON, TRIGGERED_MAGIC, TRUMP_GROUP, Ability, Action, Clause, If, Key, Question, Target, Trigger, Trump,
    UnitType, Whose, Zone,
)  # fmt: skip
from blackpoker.definitions.player_refs import ME
from blackpoker.definitions.steps.cards import Damage, Draw
from blackpoker.definitions.steps.choosing import TARGET_SUIT, ChooseCard, ChooseRequest
from blackpoker.definitions.steps.requests import Negate, Raise
from blackpoker.definitions.steps.units import Bury, LifeToBulwarks
from blackpoker.definitions.values import TARGET_EQUIPPABLE, TARGET_KEY_SUM

ADD_BULWARK = of_trump(
    diamonds.ADD_BULWARK, "N-273", "N-084", kind=MAGIC, per_turn=True,
    effect=(Clause("自分のライフの一番上から1枚を防壁として裏向き・チャージ状態で場に出す。", "The top card of your life enters as a bulwark, face down and charged.",
                   (LifeToBulwarks(1),)),),
)  # fmt: skip
QUICK_SET_BULWARK = again(
    deploy.SET_BULWARK, "N-274", "N-080", id="quick_set_bulwark", ja="クイック防壁設置", en="Quick Set Bulwark", kind=SUMMON,
    timing=QUICK, group=TRUMP_GROUP, per_turn=False, cost="DL", permission="quick_set_bulwark",
)  # fmt: skip
NEGOTIATE = of_trump(diamonds.NEGOTIATE, "N-275", cost="C")
QUICK_SOLDIER_DIAMONDS = quick_soldier("♢", "diamonds", "Diamonds", "N-276")
OFFSET = of_trump(
    diamonds.OFFSET, "N-277", "N-431", kind=MAGIC,
    effect=(
        Clause("対象のキーカードの数字の合計と同じ点数のダメージを受ける。", "You take damage equal to the sum of the target's keys.",
               (Damage(ME, TARGET_KEY_SUM),)),
        Clause("対象をステージから取り除き、そのキーカードを墓地に移す。", "The target leaves the stage and its keys go to the grave.", (Negate(),)),
    ),
)  # fmt: skip
LETHARGY = Action(
    "lethargy", "虚脱", "Lethargy", kind=MAGIC, timing=QUICK, since=LITE, group=TRUMP_GROUP, immediate=True, key=Key("one", ("♢A-K",)),
    permission="lethargy", target=Target("ドライブ状態のキャラクター1体", "one driven character", "unit", state="driven"),
    effect=(Clause("対象を墓地に移す。", "The target goes to the grave.", (Bury(),)),),
    rulings=("N-278", "N-434"),
)  # fmt: skip
REPAIR = of_trump(
    diamonds.REPAIR, "N-279", "N-435", kind=MAGIC,
    target=Target("自分の場の兵士1体", "one soldier of yours", "unit", whose=Whose.MINE, type=UnitType.SOLDIER),
    effect=(
        Clause("対象が「装備」の対象になれるなら、自分の墓地から対象と同じスートのカードを1枚選ぶ。選べたら、それをキーカードとして、対象への「装備」を"
               "コストを払わずに起こす。選べなければ、対象を墓地に移す。",
               "If the target may be equipped, choose a card of its suit in your grave. If you did, Equip is raised on the target without "
               "paying its cost, with that card as its key. If there is none, the target goes to the grave.",
               (If(TARGET_EQUIPPABLE,
                   (ChooseCard(CARD, Zone.GRAVE, limit=TARGET_SUIT),
                    If(CARD.at_least(0), (Raise(action("equip"), keep_target=True, key=CARD),), (Bury(),)))),),
               asks=(Question("墓地のどのカードを装備させますか？", "Which card of your grave becomes the equipment?"),)),
    ),
)  # fmt: skip
REST = of_trump(diamonds.REST, "N-280", kind=MAGIC)
FULFILMENT = of_trump(
    diamonds.FULFILMENT, "N-281", kind=TRIGGERED_MAGIC,
    trigger=Trigger("自分が「エンド」を起こし、自分の切札の♢9が表のとき。", "When you have requested End and your trump ♢9 is face up."),
)  # fmt: skip
_DRAWS = Clause("ライフの一番上から1枚引く。", "draw the top card of your life.", (Draw(1),))
SUMMON_TACTICIAN, QUICK_SUMMON_TACTICIAN = (
    jack_summons(id, ja, en, "♢J", "♣2-10", "tactician", "策士", "Tactician", quick, ruling, then=_DRAWS)
    for id, ja, en, quick, ruling in (
        ("summon_tactician", "策士召喚", "Summon Tactician", False, "N-282"),
        ("quick_summon_tactician", "クイック策士召喚", "Quick Summon Tactician", True, "N-283"),
    )
)  # fmt: skip
COUNTER_SUMMON_TACTICIAN = jack_summons(
    "counter_summon_tactician", "カウンター策士召喚", "Counter Summon Tactician", "♢J", "♣2-10", "tactician", "策士", "Tactician", True,
    "N-284",
    Clause("ステージにある、キーカードが2枚か、1枚でその数字がこのアクションのキーカードの数字以下のアクションを1つ選び、無効にしてステージから取り除く。",
           "choose an action on the stage with two keys, or with one key no higher than this one; it is negated and leaves the stage.",
           (ChooseRequest(REQUEST), Negate(REQUEST)),
           asks=(Question("どのアクションを無効にしますか？", "Which action do you negate?"),)),
)  # fmt: skip
FORESIGHT = of_trump(diamonds.FORESIGHT, "N-285", cost="C")
REGENERATE_TACTICIAN = regenerate(
    "tactician", "regenerate_tactician", "策士再生", "Regenerate Tactician", "♢J", "策士", "Tactician", "N-286",
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    ADD_BULWARK, QUICK_SET_BULWARK, NEGOTIATE, QUICK_SOLDIER_DIAMONDS, OFFSET, LETHARGY, REPAIR, REST, FULFILMENT,
    SUMMON_TACTICIAN, QUICK_SUMMON_TACTICIAN, COUNTER_SUMMON_TACTICIAN, FORESIGHT, REGENERATE_TACTICIAN,
)  # fmt: skip

TRUMPS: tuple[Trump, ...] = (
    Trump("♢A", "extra_bulwark", "防壁追加", "Extra Bulwark", allows=("add_bulwark", "quick_set_bulwark"), rulings=("N-347",),
          short_ja="防壁をもう1体。相手のターンにも防壁を置ける", short_en="One more bulwark; bulwarks even on their turn"),
    Trump("♢3", "negotiate", "交渉", "Negotiate", allows=("negotiate", "quick_soldier_diamonds"), rulings=("N-348",),
          short_ja="♢の兵士を横にし、1体をドライブする。♢の兵士をすぐに出せる", short_en="Drive a ♢ soldier and a character. ♢ soldiers enter at any time",
          abilities=(Ability("自分の♢の兵士は<交渉>を持つ。", "Your ♢ soldiers have the label Negotiate."),)),
    Trump("♢4", "offset", "相殺", "Offset", allows=("offset",), rulings=("N-349",),
          short_ja="ダメージを受けてアクション1つを取り除く", short_en="Take damage, remove an action"),
    Trump("♢5", "loss", "喪失", "Loss", allows=("lethargy",), rulings=("N-350", "N-362"),
          short_ja="「チャージ」でチャージできない。横の1体を墓地へ", short_en="Charge charges nobody; a driven character falls",
          abilities=(Ability("すべてのプレイヤーは、「チャージ」の効果でキャラクターをチャージ状態にできない。",
                             "No player can charge characters by the effect of Charge.", "never_charge"),)),
    Trump("♢8", "repair", "修繕", "Repair", allows=("repair",), rulings=("N-351",),
          short_ja="墓地のカードを兵士に装備する", short_en="Equip a soldier with a card of the grave"),
    Trump("♢9", "fulfilment", "充足", "Fulfilment", allows=("rest",), on="end", raises="fulfilment", rulings=("N-352",),
          short_ja="兵士すべてをチャージ。エンドで全員チャージ", short_en="Charge your soldiers; at End all of yours"),
    Trump("♢J", "tactician", "策士", "Tactician", allows=("summon_tactician", "quick_summon_tactician", "counter_summon_tactician"),
          rulings=("N-353",), short_ja="1枚引くか、アクション1つを無効にし、策士になる", short_en="Draw a card or negate an action, and a Tactician"),
)  # fmt: skip
