"""Actions and trumps of clubs in edition 9 (N-287…N-298, N-354…N-360)."""

from __future__ import annotations

from blackpoker.content.edition9.shared import jack_summons, of_trump, quick_soldier, regenerate
from blackpoker.content.edition6.extra import clubs
from blackpoker.content.shared import PUBLIC_CARD_QUESTION
from blackpoker.definitions.literals import CARD, CARDS, UNIT, YES_NO, card
from blackpoker.definitions.model import (
    LITE, MAGIC, QUICK, TRIGGERED_MAGIC, TRUMP_GROUP, Ability, Action, Clause, If, Question, Trigger, Trump, UnitType, Whose, Zone,
)  # fmt: skip
from blackpoker.definitions.player_refs import OPPONENT
from blackpoker.definitions.steps.cards import Damage, Discard, Draw
from blackpoker.definitions.steps.choosing import SOLDIERS_ONLY, ChooseCard, ChooseCards, ChooseUnit, ChooseWord
from blackpoker.definitions.steps.trumps import BuryTrump, CloseAllTrumps
from blackpoker.definitions.steps.units import Bury, BuryAll, Enter
from blackpoker.definitions.values import HandOf, Number, OwnTrump, Ref

GIVE_UP = Ref("give_up")

SWITCH = of_trump(
    clubs.SWITCH, "N-287", "N-416", cost="C",
    effect=(
        Clause(clubs.SWITCH.effect[0].ja, clubs.SWITCH.effect[0].en,
               (ChooseCard(CARD, Zone.HAND, limit=SOLDIERS_ONLY), Enter(CARD, Zone.HAND)), clubs.SWITCH.effect[0].asks),
        clubs.SWITCH.effect[1],
    ),
)  # fmt: skip
QUICK_SOLDIER_CLUBS = quick_soldier("♣", "clubs", "Clubs", "N-288")
CIVIL_WAR = of_trump(clubs.CIVIL_WAR, "N-289", kind=MAGIC)
RIOT = of_trump(
    clubs.RIOT, "N-290", kind=TRIGGERED_MAGIC,
    trigger=Trigger("対戦相手が手札を捨て、自分の切札の♣5が表のとき。", "When your opponent has discarded from their hand and your trump ♣5 is face up."),
)  # fmt: skip
HAND_REFILL = of_trump(
    clubs.HAND_REFILL, "N-291", kind=TRIGGERED_MAGIC,
    trigger=Trigger("自分が「エンド」を起こし、自分の切札の♣7が表のとき。", "When you have requested End and your trump ♣7 is face up."),
    effect=(Clause("ライフの一番上から2枚引く。", "Draw the top two cards of your life.", (Draw(2),)),),
)  # fmt: skip
RESET = of_trump(
    clubs.RESET, "N-292", "N-430", kind=MAGIC, timing=QUICK, immediate=True, key=None,
    effect=(
        Clause("場の防壁と兵士をすべて墓地に移す。", "All bulwarks and soldiers go to the grave.", (BuryAll(type=UnitType.ANY),)),
        Clause("すべての切札を裏にする。", "All trumps of both players are turned face down.", (CloseAllTrumps(),)),
        Clause("対戦相手は手札を2枚捨ててもよい。捨てたら、自分の裏切札の♣8を墓地に移す。",
               "Your opponent may discard two cards; if they do, your face-down trump ♣8 goes to the grave.",
               (If(HandOf(OPPONENT).at_least(2),
                   (ChooseWord(GIVE_UP, YES_NO, by=OPPONENT),
                    If(GIVE_UP.equals(1),
                       (ChooseCards(CARDS, Zone.HAND, Number(2), by=OPPONENT), Discard(CARDS, OPPONENT),
                        BuryTrump(OwnTrump(card("♣8"))))))),),
               asks=(Question("手札を2枚捨てて、相手の切札の♣8を墓地に移しますか？", "Do you discard two cards to send their trump ♣8 to the grave?"),
                     Question("あなたの手札のどれを捨てますか？", "Which cards of your hand do you discard?"), PUBLIC_CARD_QUESTION)),
    ),
)  # fmt: skip
COUNTERATTACK = Action(
    "counterattack", "反撃", "Counterattack", kind=TRIGGERED_MAGIC, timing=QUICK, since=LITE, group=TRUMP_GROUP, immediate=True,
    direct=False,
    trigger=Trigger("「ダメージ判定」で自分の防壁がブロッカーとして墓地に移り、自分の切札の♣9が表のとき。防壁1体につき1回。",
                    "When a bulwark of yours went to the grave as a blocker at the Damage Judgement and your trump ♣9 is face up: once for each "
                    "bulwark."),
    effect=(Clause("アタッカーのオーナーに2点のダメージを与える。", "Deal 2 damage to the attacker's owner.", (Damage(OPPONENT, Number(2)),)),),
    rulings=("N-293", "N-415"),
)  # fmt: skip
LAST_STRUGGLE = of_trump(clubs.LAST_STRUGGLE, "N-294", kind=MAGIC)
_FIRST = Clause("対戦相手は自分の場の兵士を1体選び、墓地に移す。", "your opponent chooses a soldier of theirs, it goes to the grave.",
                (ChooseUnit(UNIT, Whose.MINE, by=OPPONENT), Bury(UNIT)),
                (Question("あなたのどの兵士を墓地に移しますか？", "Which of your soldiers goes to the grave?"),))  # fmt: skip
SUMMON_KNIGHT, QUICK_SUMMON_KNIGHT = (
    jack_summons(id, ja, en, "♣J", "♠2-10", "knight", "騎士", "Knight", quick, ruling, _FIRST)
    for id, ja, en, quick, ruling in (
        ("summon_knight", "騎士召喚", "Summon Knight", False, "N-295"),
        ("quick_summon_knight", "クイック騎士召喚", "Quick Summon Knight", True, "N-296"),
    )
)  # fmt: skip
SWEEP = of_trump(clubs.SWEEP, "N-297", cost="C")
REGENERATE_KNIGHT = regenerate(
    "knight", "regenerate_knight", "騎士再生", "Regenerate Knight", "♣J", "騎士", "Knight", "N-298",
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    SWITCH, QUICK_SOLDIER_CLUBS, CIVIL_WAR, RIOT, HAND_REFILL, RESET, COUNTERATTACK, LAST_STRUGGLE, SUMMON_KNIGHT,
    QUICK_SUMMON_KNIGHT, SWEEP, REGENERATE_KNIGHT,
)  # fmt: skip

TRUMPS: tuple[Trump, ...] = (
    Trump("♣4", "switch", "スイッチ", "Switch", allows=("switch", "quick_soldier_clubs"), rulings=("N-354",),
          short_ja="♣の兵士を横にし、手札の1枚と入れ替える。♣の兵士をすぐに出せる", short_en="Drive a ♣ soldier: swap it with a card in hand. ♣ soldiers enter at any time",
          abilities=(Ability("自分の♣の兵士は<スイッチ>を持つ。", "Your ♣ soldiers have the label Switch."),)),
    Trump("♣5", "civil_war", "内乱", "Civil War", allows=("civil_war",), on="discard", raises="riot", rulings=("N-355",),
          short_ja="相手に2枚捨てさせる。捨てるたびダメージ", short_en="They discard two; discards hurt them"),
    Trump("♣7", "hand_refill", "手札補充", "Hand Refill", on="end", raises="hand_refill", rulings=("N-356",),
          short_ja="エンドで2枚引く", short_en="Draw two at End"),
    Trump("♣8", "reset", "リセット", "Reset", allows=("reset",), rulings=("N-357",),
          short_ja="場をすべて墓地へ。切札をすべて裏に", short_en="The whole field falls, all trumps close"),
    Trump("♣9", "fortress", "要塞", "Fortress", on="wall", raises="counterattack", rulings=("N-358",),
          short_ja="♠のアクションのダメージを防ぐ。防壁が倒れると反撃", short_en="Stops damage by actions with ♠; fallen bulwarks strike back",
          abilities=clubs.TRUMPS[4].abilities),
    Trump("♣10", "last_struggle", "悪あがき", "Last Struggle", allows=("last_struggle",), rulings=("N-359",),
          short_ja="アクション1つを取り除き、手札をすべて捨てる", short_en="Remove an action, discard your whole hand"),
    Trump("♣J", "knight", "騎士", "Knight", allows=("summon_knight", "quick_summon_knight"), rulings=("N-360",),
          short_ja="相手は兵士を1体失い、騎士になる", short_en="They lose a soldier, then a Knight"),
)  # fmt: skip
