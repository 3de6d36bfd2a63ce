"""Actions and trumps of hearts in edition 9 (N-260…N-272, N-339…N-346)."""

from __future__ import annotations

from blackpoker.content.edition6.base import magic
from blackpoker.content.edition9.shared import (
    again, jack_summons, king_summons, of_trump, quick_soldier, regenerate,
)  # fmt: skip
from blackpoker.content.edition6.extra import hearts
from blackpoker.content.shared import A_SOLDIER
from blackpoker.definitions.literals import CARD, UNIT, card
from blackpoker.definitions.model import (
    LITE, MAGIC, MAIN, QUICK, SOLDIER_CAUSED, TRIGGERED_MAGIC, TRUMP_GROUP, Ability, Action, Clause, Question, Trigger, Trump,
    UnitType, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import AsideToBottom, RevealAside
from blackpoker.definitions.steps.choosing import SOLDIERS_ONLY, ChooseCard, ChooseUnit
from blackpoker.definitions.steps.trumps import CloseTrump
from blackpoker.definitions.steps.units import Bury, Enter, ReturnTarget, SourceToSoldier
from blackpoker.definitions.values import OwnTrump

REINFORCEMENTS = of_trump(
    hearts.REINFORCEMENTS, "N-260", "N-416", kind=MAGIC,
    effect=(
        Clause(hearts.REINFORCEMENTS.effect[0].ja, hearts.REINFORCEMENTS.effect[0].en,
               (RevealAside(2), ChooseCard(CARD, Zone.ASIDE, limit=SOLDIERS_ONLY), Enter(CARD, Zone.ASIDE)),
               hearts.REINFORCEMENTS.effect[0].asks),
        Clause("残りをライフの一番下に移す。", "The rest goes under your life.", (AsideToBottom(),), hearts.REINFORCEMENTS.effect[1].asks),
    ),
)  # fmt: skip
ALLURE = Action(
    "allure", "誘惑", "Allure", kind=SOLDIER_CAUSED, timing=QUICK, since=LITE, group=TRUMP_GROUP, immediate=True, cost="C",
    source="♡", permission="allure", target=A_SOLDIER,
    effect=(Clause("対象のカードをオーナーの手札に戻す。", "The target's cards go to their owner's hand.", (ReturnTarget(),)),),
    rulings=("N-261", "N-429"),
)  # fmt: skip
QUICK_SOLDIER_HEARTS = quick_soldier("♡", "hearts", "Hearts", "N-262")
ARMISTICE = of_trump(hearts.ARMISTICE, "N-263", kind=MAGIC)
PURSUIT = of_trump(
    hearts.PURSUIT, "N-264", "N-404", kind=MAGIC, cost="",
    effect=(
        *hearts.PURSUIT.effect,
        Clause("自分の切札の♡5を裏にする。", "Your trump ♡5 is turned face down.", (CloseTrump(OwnTrump(card("♡5"))),)),
    ),
)  # fmt: skip
PHANTOM_REVERSE = Action(
    "phantom_reverse", "ファントムリバース", "Phantom Reverse", kind=MAGIC, timing=MAIN, since=LITE, group=TRUMP_GROUP, cost="C",
    source="bulwark", permission="phantom_reverse",
    effect=(Clause("ドライブした防壁が場にいれば、そのカードの兵士としてチャージ状態にする。", "The driven bulwark, if it is still there, becomes the soldier its card makes, charged.",
                   (SourceToSoldier(),)),),
    rulings=("N-265", "N-416", "N-423"),
)  # fmt: skip
ILLUSION = of_trump(
    hearts.ILLUSION, "N-266", kind=TRIGGERED_MAGIC,
    trigger=Trigger("自分が「エンド」を起こし、自分の切札の♡7が表のとき。", "When you have requested End and your trump ♡7 is face up."),
)  # fmt: skip
SALVATION = of_trump(hearts.SALVATION, "N-267", kind=MAGIC, timing=QUICK, cost="")
_FIRST = Clause("防壁を1体選び、墓地に移す。", "choose a bulwark of either player, it goes to the grave.",
                (ChooseUnit(UNIT, type=UnitType.BULWARK), Bury(UNIT)),
                (Question("どの防壁を墓地に移しますか？", "Which bulwark goes to the grave?"),))  # fmt: skip
SUMMON_WALL_BREAKER, QUICK_SUMMON_WALL_BREAKER = (
    jack_summons(id, ja, en, "♡J", "♢2-10", "wall_breaker", "破砕士", "Wall Breaker", quick, ruling, _FIRST)
    for id, ja, en, quick, ruling in (
        ("summon_wall_breaker", "破砕士召喚", "Summon Wall Breaker", False, "N-268"),
        ("quick_summon_wall_breaker", "クイック破砕士召喚", "Quick Summon Wall Breaker", True, "N-269"),
    )
)  # fmt: skip
PULVERIZE = again(
    magic.DESTROY_BULWARK, "N-270", id="pulverize", ja="粉砕", en="Pulverize", kind=SOLDIER_CAUSED, timing=QUICK,
    group=TRUMP_GROUP, immediate=True, source="self", permission="pulverize", key=None, cost="C",
)  # fmt: skip
REGENERATE_WALL_BREAKER = regenerate(
    "wall_breaker", "regenerate_wall_breaker", "破砕士再生", "Regenerate Wall Breaker", "♡J", "破砕士", "Wall Breaker", "N-271",
)  # fmt: skip
SUMMON_GIANT = king_summons(
    "summon_giant", "巨人召喚", "Summon Giant", "♡K", "♢K", "giant", "巨人", "Giant", UnitType.BULWARK, "N-272",
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    REINFORCEMENTS, ALLURE, QUICK_SOLDIER_HEARTS, ARMISTICE, PURSUIT, PHANTOM_REVERSE, ILLUSION, SALVATION, SUMMON_WALL_BREAKER,
    QUICK_SUMMON_WALL_BREAKER, PULVERIZE, REGENERATE_WALL_BREAKER, SUMMON_GIANT,
)  # fmt: skip

TRUMPS: tuple[Trump, ...] = (
    Trump("♡2", "reinforcements", "援軍", "Reinforcements", allows=("reinforcements",), rulings=("N-339",),
          short_ja="ライフの上2枚から1枚を兵士として出す", short_en="One of the top two cards of life enters"),
    Trump("♡3", "allure", "誘惑", "Allure", allows=("allure", "quick_soldier_hearts"), rulings=("N-340",),
          short_ja="♡の兵士を横にし、兵士1体を手札に戻す。♡の兵士をすぐに出せる", short_en="Drive a ♡ soldier: one returns to hand. ♡ soldiers enter at any time",
          abilities=(Ability("自分の♡の兵士は<誘惑>を持つ。", "Your ♡ soldiers have the label Allure."),)),
    Trump("♡4", "armistice", "休戦", "Armistice", allows=("armistice",), rulings=("N-341",),
          short_ja="アタックを無効にし、自分は全員チャージ", short_en="Stop an attack, charge all of yours"),
    Trump("♡5", "pursuit", "追撃", "Pursuit", allows=("pursuit",), rulings=("N-342",),
          short_ja="兵士全員をチャージし、もう一度アタック", short_en="Charge your soldiers and attack again"),
    Trump("♡7", "phantom", "ファントム", "Phantom", allows=("phantom_reverse",), on="end", raises="illusion", rulings=("N-343",),
          short_ja="自分の防壁を兵士にする。エンドで兵士を防壁に", short_en="A bulwark of yours becomes a soldier; at End soldiers may become bulwarks",
          abilities=(Ability("自分の防壁は<ファントム>を持つ。", "Your bulwarks have the label Phantom."),)),
    Trump("♡8", "salvation", "救済", "Salvation", allows=("salvation",), rulings=("N-344",),
          short_ja="キーの数字以上の兵士すべてをライフの上へ", short_en="Soldiers of the key's number or more go onto life"),
    Trump("♡J", "wall_breaker", "破砕士", "Wall Breaker", allows=("summon_wall_breaker", "quick_summon_wall_breaker"), rulings=("N-345",),
          short_ja="防壁1体を墓地に移し、破砕士になる", short_en="A bulwark falls, then a Wall Breaker"),
    Trump("♡K", "giant", "巨人", "Giant", allows=("summon_giant",), rulings=("N-346",),
          short_ja="場の防壁すべてを墓地へ。♢Kと合わさる", short_en="All bulwarks fall; joins ♢K"),
)  # fmt: skip
