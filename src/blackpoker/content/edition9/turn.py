"""The six basic actions of edition 9, and the triggered one (N-201…N-207)."""

from __future__ import annotations

from blackpoker.content.edition6.base import combat, triggered
from blackpoker.content.edition9.shared import again
from blackpoker.content.shared import PUBLIC_CARD_QUESTION
from blackpoker.definitions.literals import CARDS
from blackpoker.definitions.model import (
    BASIC, LITE, MAIN, TRIGGERED_MAGIC, Action, Clause, If, Question, Trigger, UnitType, Zone,
)  # fmt: skip
from blackpoker.definitions.player_refs import TURN_PLAYER
from blackpoker.definitions.steps.cards import Discard, Draw
from blackpoker.definitions.steps.choosing import ChooseCards
from blackpoker.definitions.steps.requests import ClearFogs, EndTurn
from blackpoker.definitions.steps.units import ChargeAll
from blackpoker.definitions.values import ATTACKERS, CHARGE_ALLOWED, HAND_OVER_LIMIT, LifeOf

END = Action(
    "end", "エンド", "End", kind=BASIC, timing=MAIN, since=LITE, ends_turn=True,
    effect=(
        Clause("手札が7枚を超えていたら、7枚になるように選んで捨てる。", "If you hold more than seven cards, discard down to seven, your choice.",
               (ChooseCards(CARDS, Zone.HAND, HAND_OVER_LIMIT), Discard(CARDS)),
               asks=(Question("手札は7枚までです。どれを捨てますか？", "You may keep seven cards. Which do you discard?"), PUBLIC_CARD_QUESTION)),
        Clause("両方のフォグのカードを、すべてオーナーの墓地に移す。", "Every card in both fogs goes to its owner's grave.", (ClearFogs(),)),
        Clause("自分のターンを終え、対戦相手にターンを渡す。", "Your turn ends and your opponent gets the turn.", (EndTurn(),)),
    ),
    rulings=("N-201", "N-040", "N-041"),
)  # fmt: skip

CHARGE = Action(
    "charge", "チャージ", "Charge", kind=BASIC, timing=MAIN, since=LITE, immediate=True, direct=False, phase="draw",
    trigger=Trigger("「エンド」が解決したとき。自分がターンプレイヤーであること。", "When End has resolved and you are the turn player.", after="end"),
    effect=(
        Clause("ターンプレイヤーのキャラクターをすべてチャージ状態にする。",
               "All characters of the turn player become charged.",
               (If(CHARGE_ALLOWED, (ChargeAll(UnitType.ANY, TURN_PLAYER),)),)),
    ),
    rulings=("N-202", "N-350", "N-362"),
)  # fmt: skip

DRAW = Action(
    "draw", "ドロー", "Draw", kind=BASIC, timing=MAIN, since=LITE, direct=False, phase="draw",
    trigger=Trigger("「チャージ」が解決したとき。自分がターンプレイヤーであること。", "When Charge has resolved and you are the turn player.", after="charge"),
    effect=(
        Clause("ターンプレイヤーは2枚引く。そのときライフが2枚以下なら、代わりに1枚引く。",
               "The turn player draws two cards, or only one if their life is then two cards or fewer.",
               (If(LifeOf(TURN_PLAYER).at_most(2), (Draw(1, TURN_PLAYER),), (Draw(2, TURN_PLAYER),)),)),
    ),
    rulings=("N-203", "N-042"),
)  # fmt: skip

ATTACK = again(combat.ATTACK, "N-204", "N-101", kind=BASIC, effect=combat.ATTACK.effect[:1])
BLOCK = again(
    combat.BLOCK, "N-205", "N-402", kind=BASIC, phase="block", effect=combat.BLOCK.effect[:1],
    trigger=Trigger("「アタック」が解決し、アタッカーが1体以上いるとき。自分がターンプレイヤーであること。",
                    "When Attack has resolved with at least one attacker and you are the turn player.",
                    after="attack", only_if=ATTACKERS.at_least(1)),
)  # fmt: skip
DAMAGE_JUDGEMENT = again(
    combat.DAMAGE_JUDGEMENT, "N-206", "N-415", kind=BASIC,
    trigger=Trigger("「ブロック」が解決したとき。自分がターンプレイヤーであること。", "When Block has resolved and you are the turn player.", after="block"),
)  # fmt: skip
NEXT_GENERATION = again(
    triggered.NEXT_GENERATION, "N-207", "N-428", kind=TRIGGERED_MAGIC,
    trigger=Trigger("自分の場の Joker・A・J・Q・K が場から墓地に移ったとき。カード1枚につき1回。",
                    "When a Joker, A, J, Q or K has gone from your field to the grave: once for each card.", cards="JK A J-K"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (END, CHARGE, DRAW, ATTACK, BLOCK, DAMAGE_JUDGEMENT, NEXT_GENERATION)
