"""Summons and magic of edition 9 (N-208…N-237)."""

from __future__ import annotations

from blackpoker.content.edition6.base import deploy, magic
from blackpoker.content.edition9.shared import again
from blackpoker.definitions.literals import HIT_OR_STAND
from blackpoker.definitions.model import (
    MAGIC, MASTER, PRO, QUICK, Action, Clause, If, Key, Question,
)  # fmt: skip
from blackpoker.definitions.steps.cards import AsideToGrave, AsideToHand, TurnUpPoints
from blackpoker.definitions.steps.choosing import ChooseWord
from blackpoker.definitions.steps.control import StartOver
from blackpoker.definitions.steps.requests import KeysToFog
from blackpoker.definitions.steps.units import Bonus, BonusForAll, Bury
from blackpoker.definitions.values import KEY_SUM, TARGET_NUMBER, LifeOf, Ref
from blackpoker.engine.state import DOWN_FOG, FORCE_FOG, UP_FOG

# Names of bindings.
MORE = Ref("more")
POINTS = Ref("points")
#: more points than this are too many (N-236)
MOST_POINTS = 21


def magic_again(action: Action, *rulings: str, **changes: object) -> Action:
    return again(action, *rulings, **{"kind": MAGIC, **changes})


SET_BULWARK = again(deploy.SET_BULWARK, "N-208", "N-084")
SUMMON_SOLDIER = again(deploy.SUMMON_SOLDIER, "N-209", "N-100")
SUMMON_HERO = again(deploy.SUMMON_HERO, "N-210", "N-100")
SUMMON_ACE = again(deploy.SUMMON_ACE, "N-211", "N-100")
QUICK_SUMMON = again(deploy.QUICK_SUMMON, "N-212")
SUMMON_MAGICIAN = again(deploy.SUMMON_MAGICIAN, "N-213", "N-304")
EQUIP = again(deploy.EQUIP, "N-214")

UP = magic_again(
    magic.UP, "N-215", "N-060", "N-061",
    effect=(Clause("このターンが終わるまで、対象のサイズにキーカードの数字を足す。キーカードはアップとして自分のフォグに置く。",
                   "Until end of turn, add the key's number to the target's size. The key goes to your fog as Up.",
                   (Bonus(KEY_SUM), KeysToFog(UP_FOG))),),
)  # fmt: skip
DOWN = magic_again(
    magic.DOWN, "N-216", "N-060", "N-061",
    effect=(
        Clause("このターンが終わるまで、対象のサイズからキーカードの数字を引く。",
               "Until end of turn, subtract the key's number from the target's size.", (Bonus(KEY_SUM, negative=True),)),
        Clause("対象のサイズが0以下なら、対象を墓地に移す。そうでなければ、キーカードをダウンとして自分のフォグに置く。",
               "If the target's size is now 0 or less, it goes to the grave; if not, the key goes to your fog as Down.",
               (If(TARGET_NUMBER.at_most(0), (Bury(),), (KeysToFog(DOWN_FOG),)),)),
    ),
)  # fmt: skip
TWIST = magic_again(magic.TWIST, "N-217")
COUNTER = magic_again(magic.COUNTER, "N-218", "N-081")

DESTROY_BULWARK = magic_again(magic.DESTROY_BULWARK, "N-219")
THROW = magic_again(magic.THROW, "N-220")
DEATH_LANCE = magic_again(magic.DEATH_LANCE, "N-221", "N-405")
REPLENISH_BULWARK = magic_again(magic.REPLENISH_BULWARK, "N-222")
REANIMATE = magic_again(magic.REANIMATE, "N-223")
HAND_DESTRUCTION = magic_again(magic.HAND_DESTRUCTION, "N-224")
KILL = magic_again(magic.KILL, "N-225")
REUNION = magic_again(magic.REUNION, "N-226", "N-060")
CEASEFIRE = magic_again(magic.CEASEFIRE, "N-227")
RETARGET = magic_again(magic.RETARGET, "N-228", "N-031")
SEARCH = magic_again(magic.SEARCH, "N-229")
REVERSE = magic_again(magic.REVERSE, "N-230", "N-102", timing=QUICK, since=PRO)
RECALL = magic_again(deploy.RECALL, "N-231")

SWORD_RAIN = magic_again(magic.SWORD_RAIN, "N-232")
FORCE = magic_again(
    magic.FORCE, "N-233", "N-061",
    effect=(Clause("このターンが終わるまで、自分の兵士すべてのサイズにキーカードの合計を足す。キーカード2枚はフォースとして自分のフォグに置く。",
                   "Until end of turn, add the sum of the keys to the sizes of all your soldiers. Both keys go to your fog as Force.",
                   (BonusForAll(KEY_SUM), KeysToFog(FORCE_FOG))),),
)  # fmt: skip
RECRUIT = magic_again(magic.RECRUIT, "N-234")
SURPRISE_ATTACK = magic_again(magic.SURPRISE_ATTACK, "N-235")
BLACK_JACK = Action(
    "black_jack", "B・J", "Black Jack", kind=MAGIC, timing=QUICK, since=MASTER, key=Key("each", ("A", "J")),
    effect=(
        Clause("自分のライフの一番上を1枚めくり、点数を合計に足す。Aは11点（合計が22点以上になるなら1点）、J・Q・Kは10点、Jokerは0点、ほかは数字のとおり。",
               "Turn up the top card of your life and add its points to the total: an A counts 11, or 1 where 11 would bring the total to 22 "
               "or more; J, Q, K 10; a Joker 0; any other card its number.",
               (TurnUpPoints(POINTS, MOST_POINTS),)),
        Clause("合計が22点以上なら、めくったカードをすべて墓地に移して終わる。21点以下なら、ヒット（もう1枚めくる）かスタンドを選ぶ。"
               "スタンドなら、めくったカードをすべて手札に加えて終わる。",
               "With 22 or more, all cards turned up go to the grave. With 21 or less choose: hit (turn up another one) or stand. If you stand, "
               "all cards turned up go to your hand.",
               (If(POINTS.at_least(MOST_POINTS + 1), (AsideToGrave(),),
                   (If(LifeOf().at_least(1), (ChooseWord(MORE, HIT_OR_STAND), If(MORE.equals(1), (StartOver(),)))), AsideToHand())),),
               asks=(Question("もう1枚めくりますか？", "Do you turn up another card?"),)),
    ),
    rulings=("N-236", "N-410"),
)  # fmt: skip
ROYAL_STRAIGHT_FLUSH = magic_again(magic.ROYAL_STRAIGHT_FLUSH, "N-237", timing=QUICK, counterable=True)

ACTIONS: tuple[Action, ...] = (
    SET_BULWARK, SUMMON_SOLDIER, SUMMON_HERO, SUMMON_ACE, QUICK_SUMMON, SUMMON_MAGICIAN, EQUIP, UP, DOWN, TWIST, COUNTER,
    DESTROY_BULWARK, THROW, DEATH_LANCE, REPLENISH_BULWARK, REANIMATE, HAND_DESTRUCTION, KILL, REUNION, CEASEFIRE, RETARGET,
    SEARCH, REVERSE, RECALL, SWORD_RAIN, FORCE, RECRUIT, SURPRISE_ATTACK, BLACK_JACK, ROYAL_STRAIGHT_FLUSH,
)  # fmt: skip
