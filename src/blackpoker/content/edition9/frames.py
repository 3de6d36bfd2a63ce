"""Actions of the pack, of the rare card and of trumps (N-238…N-245)."""

from __future__ import annotations

from blackpoker.content.edition6.base import magic
from blackpoker.content.edition9.shared import again
from blackpoker.content.edition6.extra import operations
from blackpoker.definitions.literals import CARD, TRUMP
from blackpoker.definitions.model import (
    LITE, MAIN, PACK_GROUP, PACK_OPERATION, QUICK, RARE_GROUP, RARE_OPERATION, SUMMON, TRUMP_GROUP, TRUMP_OPERATION, Action,
    Clause, If, Key, Question, Target, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import OpenPack, Take, TakeRare
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseTrump
from blackpoker.definitions.steps.requests import KeysToFog, Negate
from blackpoker.definitions.steps.trumps import BuryTrump, CloseTrump, OpenTrump
from blackpoker.definitions.steps.units import Enter
from blackpoker.definitions.values import KEY, TARGET_HAS_KEY, TARGET_TRUMP_IS_KEY
from blackpoker.engine.state import CLOSE_FOG

#: from this life on the rare card may be used (N-239)
LIFE_LIMIT = 9
AN_OPEN_TRUMP = Target("表切札1枚", "one open trump", "trump", open=True)
THE_RARE_CARD = Key("one", ("A-K JK",), zone=Zone.RARE)

OPEN_PACK = again(
    magic.OPEN_PACK, "N-238", "N-071", kind=PACK_OPERATION, since=LITE, group=PACK_GROUP, per_game=False, unopened=True,
    effect=(
        Clause("自分のパックから好きなカードを1枚選び、対戦相手に見せて手札に加える。レアカードがあれば、代わりにそれを選んでもよい。",
               "Choose a card in your pack, show it, take it to your hand; if you have a rare card, you may choose that one instead.",
               (ChooseCard(CARD, Zone.PACK, also=Zone.RARE), Take(CARD, Zone.PACK)),
               asks=(Question("どのカードを手札に加えますか？", "Which card do you take to your hand?"),)),
        Clause("パックを表向きにする（開封済みとなる）。", "Turn your pack face up: it is opened.", (OpenPack(),)),
    ),
)  # fmt: skip

RARE_DRAW = Action(
    "rare_draw", "レアドロー", "Rare Draw", kind=RARE_OPERATION, timing=QUICK, since=LITE, group=RARE_GROUP, immediate=True,
    most_life=LIFE_LIMIT,
    effect=(Clause("自分のレアカードを手札に加える（見せなくてよい）。", "Your rare card goes to your hand; it need not be shown.", (TakeRare(),)),),
    rulings=("N-239", "N-414"),
)  # fmt: skip

SUMMON_RARE = Action(
    "summon_rare", "レア召喚", "Summon Rare", kind=SUMMON, timing=QUICK, since=LITE, group=RARE_GROUP, most_life=LIFE_LIMIT,
    cost="S", key=THE_RARE_CARD,
    effect=(Clause("キーカードを兵士として表向き・チャージ状態で場に出す。", "The key enters as a soldier, face up and charged.", (Enter(KEY),)),),
    rulings=("N-240", "N-416"),
)  # fmt: skip

TRAP_COUNTER = Action(
    "trap_counter", "罠カウンター", "Trap Counter", kind=RARE_OPERATION, timing=QUICK, since=LITE, group=RARE_GROUP,
    immediate=True, key=THE_RARE_CARD,
    target=Target("ステージにある、キーカードが1枚か2枚のアクション1つ", "one action on the stage with one or two keys",
                  "request", keys=(1, 2)),
    effect=(Clause("対象のキーカードのどれかがこのキーカードと同じカード（スートも数字も同じ。Joker どうしは同じ）なら、対象をステージから取り除き、"
                   "そのキーカードを墓地に移す。",
                   "If a key of the target is the same card as this key (suit and number; any two Jokers are the same), the target leaves "
                   "the stage and its keys go to the grave.",
                   (If(TARGET_HAS_KEY, (Negate(),)),)),),
    rulings=("N-241", "N-411"),
)  # fmt: skip

_OPENS = (Clause("自分の裏切札を1枚選び、表にする。", "Choose one of your face-down trumps and turn it up.",
                 (ChooseTrump(TRUMP), OpenTrump(TRUMP)),
                 (Question("どの切札を表向きにしますか？", "Which of your trumps do you turn up?"),)),)  # fmt: skip

QUICK_OPEN = Action(
    "quick_open", "クイックオープン", "Quick Open", kind=TRUMP_OPERATION, timing=QUICK, since=LITE, group=TRUMP_GROUP,
    immediate=True, cost="DD", effect=_OPENS, rulings=("N-242", "N-062", "N-083"),
)  # fmt: skip
MAIN_OPEN = Action(
    "main_open", "メインオープン", "Main Open", kind=TRUMP_OPERATION, timing=MAIN, since=LITE, group=TRUMP_GROUP,
    immediate=True, cost="BBL", effect=_OPENS, rulings=("N-243", "N-062", "N-083"),
)  # fmt: skip
CLOSE_TRUMP = Action(
    "close_trump", "クローズ", "Close", kind=TRUMP_OPERATION, timing=QUICK, since=LITE, group=TRUMP_GROUP,
    cost="D", key=Key("one", ("Q",)), target=AN_OPEN_TRUMP,
    effect=(Clause("対象を裏にする。キーカードはクローズとして自分のフォグに置き、このターンが終わるまで対象は表にならない。",
                   "The target is turned face down. The key goes to your fog as Close; until end of turn the target cannot be turned up.",
                   (CloseTrump(), KeysToFog(CLOSE_FOG))),),
    rulings=("N-244", "N-062", "N-436"),
)  # fmt: skip
DESTROY_TRUMP = again(
    operations.DESTROY_TRUMP, "N-245", kind=TRUMP_OPERATION, since=LITE, group=TRUMP_GROUP, target=AN_OPEN_TRUMP,
    effect=(Clause("対象がキーカードとスートも数字も同じなら、オーナーの墓地に移す。", "If the target equals the key in suit and number, it goes to its owner's grave.",
                   (If(TARGET_TRUMP_IS_KEY, (BuryTrump(),)),)),),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    OPEN_PACK, RARE_DRAW, SUMMON_RARE, TRAP_COUNTER, QUICK_OPEN, MAIN_OPEN, CLOSE_TRUMP, DESTROY_TRUMP,
)  # fmt: skip
