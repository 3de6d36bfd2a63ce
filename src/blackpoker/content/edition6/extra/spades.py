"""Trumps of spades, their actions and characters."""

from __future__ import annotations

from blackpoker.content.shared import (
    A_SOLDIER, PREPARATION, THE_OPPONENT, TWO_CARDS, TWO_GENERATIONS, UNTARGETABLE, jack_soldier, jack_summons,
    king_summons, two_suits,
)  # fmt: skip
from blackpoker.definitions.model import (
    Question, EXTRA, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, SOLDIER_CAUSED, TRIGGERED, Ability, Action, Character, Clause,
    Drives, If, Trump, UnitType, Whose, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import Damage, Draw
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseUnit, ChooseUnits
from blackpoker.definitions.steps.units import Bury, BuryAll, BuryUnits, Enter, ToLifeBottom
from blackpoker.definitions.player_refs import TARGET_PLAYER
from blackpoker.definitions.values import Ref, SOURCE_NUMBER, TARGET_NUMBER, Number, SumOf
from blackpoker.definitions.literals import CARD, UNIT, UNITS, cards

# Names of bindings.
MOVED = Ref("moved")

REVOLUTION_DRAW = Action(
    "revolution_draw", "革命ドロー", "Revolution Draw", kind=TRIGGERED, timing=QUICK, since=EXTRA, immediate=True, direct=False,
    effect=(Clause("ライフの一番上から1枚引く。", "Draw the top card of your life.", (Draw(1),)),),
    rulings=("R-114",),
)  # fmt: skip

SLASH = Action(
    "slash", "スラッシュ", "Slash", kind=SOLDIER_CAUSED, timing=MAIN, since=EXTRA, immediate=True, source="♠",
    empty_stage=True, permission="slash", target=A_SOLDIER,
    effect=(Clause("対象の数字がドライブした兵士の数字以下なら、対象を墓地に移す。",
                   "If the target's number is at most the driven soldier's number, the target goes to the grave.",
                   (If(TARGET_NUMBER.at_most(SOURCE_NUMBER), (Bury(),)),)),),
    rulings=("R-107", "R-115", "R-119"),
)  # fmt: skip

DRAIN = Action(
    "drain", "ドレイン", "Drain", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="drain", target=THE_OPPONENT,
    effect=(
        Clause("自分の場のキャラクターを1体選び、自分のライフの一番下に裏向きで移す（複数枚なら好きな順）。",
               "Choose one of your characters; its cards go face down under your life in any order.",
               (ChooseUnit(UNIT, Whose.MINE, UnitType.ANY), ToLifeBottom(UNIT, MOVED)),
               asks=(Question("あなたのどのキャラクターをライフの一番下に移しますか？", "Which of your characters goes under your life?"), Question("カードをどの順でライフの一番下に移しますか？", "In which order do its cards go under your life?"))),
        Clause("移せたら、対象に2点のダメージを与える。", "If they did, deal 2 damage to the target.",
               (If(MOVED.equals(1), (Damage(TARGET_PLAYER, Number(2)),)),)),
    ),
    rulings=("R-117", "R-102"),
)  # fmt: skip

INTIMIDATE = Action(
    "intimidate", "威圧", "Intimidate", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="intimidate", cost="L",
    effect=(Clause("数字が10以下の兵士をすべて墓地に移す。", "Every soldier whose number is at most 10 goes to the grave.",
                   (BuryAll(at_most=Number(10)),)),),
    rulings=("R-81", "R-48"),
)  # fmt: skip

REVIVE = Action(
    "revive", "蘇生", "Revive", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="revive", cost="BL",
    effect=(Clause("自分の墓地から♠2〜10のカードを1枚選び、兵士としてチャージ状態で場に出す。",
                   "Choose one of ♠2–10 in your grave; it enters as a charged soldier.",
                   (ChooseCard(CARD, Zone.GRAVE, among=cards("♠2-10")), Enter(CARD, Zone.GRAVE)),
               asks=(Question("墓地のどのカードを兵士として出しますか？", "Which card of your grave enters as a soldier?"),)),),
    rulings=("R-80", "R-42"),
)  # fmt: skip

INSTANT_KILL = Action(
    "instant_kill", "瞬殺", "Instant Kill", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA, immediate=True,
    permission="instant_kill", target=A_SOLDIER,
    effect=(
        Clause("自分の場の兵士を1体以上選び、墓地に移す。その数字の合計が対象の数字以上なら、対象も墓地に移す。",
               "Choose one or more of your soldiers; they go to the grave. If the sum of their numbers is at least the target's "
               "number, the target goes with them.",
               (ChooseUnits(UNITS, least=1),
                If(UNITS.differs(0),
                   (If(SumOf(UNITS).at_least(TARGET_NUMBER),
                       (BuryUnits(UNITS, and_target=True),), (BuryUnits(UNITS),)),))),
               asks=(Question("あなたのどの兵士を墓地に移しますか？", "Which of your soldiers go to the grave?"),)),
    ),
    rulings=("R-118",),
)  # fmt: skip

SUMMON_REANIMATOR = jack_summons(
    "summon_reanimator", "リアニメーター召喚", "Summon Reanimator", "♠J", "♡2-10", "reanimator", "リアニメーター", "Reanimator",
    Clause("自分の墓地からカードを1枚選び、兵士として表向き・チャージ状態で場に出す。", "choose a card in your grave, it enters as a soldier, face up and charged.",
           (ChooseCard(CARD, Zone.GRAVE), Enter(CARD, Zone.GRAVE)),
               asks=(Question("墓地のどのカードを兵士として出しますか？", "Which card of your grave enters as a soldier?"),)),
    ("R-119",),
)  # fmt: skip

SUMMON_DEMON_LORD = king_summons(
    "summon_demon_lord", "魔王召喚", "Summon Demon Lord", "♠K", "♣K", "demon_lord", "魔王", "Demon Lord", UnitType.SOLDIER,
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    REVOLUTION_DRAW, SLASH, DRAIN, INTIMIDATE, REVIVE, INSTANT_KILL, SUMMON_REANIMATOR, SUMMON_DEMON_LORD,
)  # fmt: skip

REANIMATOR = jack_soldier(
    "reanimator", "リアニメーター", "Reanimator", "♠J", "♡2-10",
    Ability("チャージ状態で、自分のターンにステージが空でチャンスを持っているとき、これをドライブして「リアニメイト」をコストを払わずに起こせる。"
            "対象は自由に指定し、キーカードは仮想的に♠Jと♡Jとする。起こしたあと、チャンスをパスする。",
            "While it is charged, on your turn with the stage empty and the chance yours, you may drive it to request Reanimate "
            "without paying its cost; name the target freely, its keys are virtually ♠J and ♡J. Then you pass the chance.",
            drives=Drives("reanimate", "♠J ♡J")),
    rulings=("R-105", "R-106", "R-119"),
)  # fmt: skip

DEMON_LORD = Character(
    "demon_lord", "魔王", "Demon Lord", EXTRA, cards="♠K + ♣K", pair=("♠K", "♣K"), number=26,
    abilities=(
        UNTARGETABLE, PREPARATION, TWO_GENERATIONS, two_suits("♠", "♣"), TWO_CARDS,
        Ability("自分が「エンド」を起こしたとき、「世代交代」を1回誘発する。",
                "When you request End, Next Generation is triggered once.", at_end="next_generation"),
    ),
    rulings=("R-85", "R-86", "R-121", "R-122", "R-112", "R-27"),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (
    REANIMATOR, DEMON_LORD,
)  # fmt: skip

TRUMPS: tuple[Trump, ...] = (
    Trump("♠A", "revolution", "革命", "Revolution", on="unblocked", raises="revolution_draw",
          short_ja="数字の大きい兵士が倒れる", short_en="The larger soldier falls",
          abilities=(
              Ability("すべての「ダメージ判定」で、兵士どうしの比較は、数字の大きい側を墓地に移す（同じなら両方）。"
                      "大きい側の兵士を失ったプレイヤーは、差の分のダメージを受ける。ブロッカーが複数なら、その合計と比べる。",
                      "In every Damage Judgement, soldier against soldier: the larger side goes to the grave (both if equal) and "
                      "the player who lost it takes the difference as damage. Several blockers count together.", "larger_dies"),
              Ability("自分のアタッカーが「ダメージ判定」でブロックされていなければ、1体につき「革命ドロー」を1回誘発する。",
                      "Each of your attackers that is unblocked at the Damage Judgement triggers Revolution Draw.",
                      "draws_unblocked"),
          ),
          rulings=("R-113", "R-114")),
    Trump("♠2", "slash", "スラッシュ", "Slash", allows=("slash",), rulings=("R-107",),
          short_ja="♠の兵士を横にし、その数字以下の兵士1体を墓地へ", short_en="Drive a ♠ soldier: a soldier of no higher number falls",
          abilities=(Ability("自分のターンにステージが空でチャンスを持っているとき、自分のチャージ状態の♠の兵士をドライブして「スラッシュ」を起こせる。",
                             "On your turn with the stage empty and the chance yours, you may drive a charged ♠ soldier of yours to request Slash."),)),
    Trump("♠3", "drain", "ドレイン", "Drain", allows=("drain",), rulings=("R-117",),
          short_ja="自分の1体をライフの底へ。相手に2ダメージ", short_en="One of yours goes under your life: 2 damage"),
    Trump("♠4", "intimidate", "威圧", "Intimidate", allows=("intimidate",),
          short_ja="数字10以下の兵士すべてを墓地へ", short_en="Every soldier of 10 or less falls"),
    Trump("♠5", "revive", "蘇生", "Revive", allows=("revive",),
          short_ja="墓地の♠2〜10を1枚、兵士として出す", short_en="A ♠2–10 of your grave enters as a soldier"),
    Trump("♠7", "instant_kill", "瞬殺", "Instant Kill", allows=("instant_kill",), rulings=("R-118",),
          short_ja="自分の兵士を墓地へ、合計以下の1体も墓地へ", short_en="Lose soldiers to take one no larger than their sum"),
    Trump("♠J", "reanimator", "リアニメーター", "Reanimator", allows=("summon_reanimator",), rulings=("R-119", "R-109"),
          short_ja="墓地の1枚を場に出し、リアニメーターになる", short_en="Field a card of your grave, then a Reanimator"),
    Trump("♠K", "demon_lord", "魔王", "Demon Lord", allows=("summon_demon_lord",), rulings=("R-120", "R-109"),
          short_ja="♣Kと合わさる。場の兵士すべてを墓地へ", short_en="Joins ♣K; all soldiers fall"),
)  # fmt: skip
