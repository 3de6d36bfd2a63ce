"""Why something cannot be requested, with the ruling that says so.

``why_not`` looks at the same facts as ``requesting.list_requests``, in the order a player wants to hear them: it is
None exactly for the actions that are offered.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.rules.plan import AIM_NONE, AIM_UNIT, ANY, FREE_QUICK_MAGIC, MINE, SOLDIER, UNTARGETABLE, Cost, Plan
from blackpoker.rules.requests import (
    MOST_REQUESTS, attack_duty, fits_unit, has_keys, has_source, has_target,
)  # fmt: skip
from blackpoker.rules.state import Side, State, Unit
from blackpoker.rules.flow import CHANCE_KIND, OVER


class Reason:
    """A refusal in both languages and the ruling it rests on."""

    __slots__ = ("en", "ja", "ruling")

    def __init__(self, ruling: str, ja: str, en: str) -> None:
        self.ruling = ruling
        self.ja = ja
        self.en = en

    def __repr__(self) -> str:
        return f"Reason({self.ruling}: {self.en})"


NOT_HERE: Final = Reason("R-204", "このフォーマットにないアクションです", "this format does not have that action")
NOT_DIRECT: Final = Reason(
    "R-21", "プレイヤーが直接起こせないアクションです", "a player cannot request it; it is raised by the rules"
)
GAME_OVER: Final = Reason("R-45", "ゲームは終わっています", "the game is over")
NO_CHANCE: Final = Reason("R-05", "チャンスを持っていません", "you do not hold the chance")
NO_QUICK_CHANCE: Final = Reason(
    "R-06", "クイックのアクションにもチャンスが要ります", "a quick action needs the chance, too"
)
NO_PASS: Final = Reason("R-10", "パスできるのはチャンスを持つプレイヤーです", "only the holder of the chance passes")
OTHER_ASKED: Final = Reason("R-17", "選ぶのは相手です", "the other player is the one to choose")
CHOICE_FIRST: Final = Reason("R-16", "効果の中の選択が先です", "a choice inside an effect comes first")
SENTENCE_FIRST: Final = Reason(
    "R-30", "起こしかけのアクションがあります", "another request has been begun and is not complete"
)
NOT_YOUR_TURN: Final = Reason(
    "R-05", "メインのアクションは自分のターンにしか起こせません", "a main action needs your own turn"
)
STAGE_NOT_EMPTY: Final = Reason(
    "R-05", "メインのアクションはステージが空のときにしか起こせません", "a main action needs an empty stage"
)
OWN_TURN: Final = Reason("R-151", "自分のターンには起こせません", "not on your own turn")
TURN_LIMIT: Final = Reason("R-38", "このターンはもう起こしました", "it has been requested this turn already")
GAME_LIMIT: Final = Reason("R-38", "このゲームでもう起こしました", "it has been requested this game already")
NO_PERMISSION: Final = Reason(
    "R-101", "使うための切札かキャラクターがありません", "no active trump or character of yours allows it"
)
TOO_MANY: Final = Reason(
    "R-221", "このターンに起こせる回数を超えました", f"you have made {MOST_REQUESTS} requests this turn"
)
DUTY: Final = Reason("R-125", "先にアタックしなければならない兵士がいます", "a soldier of yours must attack first")
NO_SOURCE: Final = Reason(
    "R-107", "ドライブできるチャージ状態の兵士がいません", "there is no charged soldier to drive for it"
)
NO_KEYS: Final = Reason("R-39", "キーカードがそろいません", "the key cards are not in your hand")
NO_DISCARD: Final = Reason(
    "R-33", "キーカードのほかに捨てる手札が足りません", "besides the keys there are not enough cards to discard"
)
NO_BULWARK: Final = Reason("R-32", "チャージ状態の防壁が足りません", "there are not enough charged bulwarks")
NO_LIFE: Final = Reason("R-32", "ライフが足りません", "there is not enough life")
NO_VICTIM: Final = Reason("R-32", "犠牲にするキャラクターが足りません", "there are not enough characters to sacrifice")
NO_TARGET: Final = Reason("R-31", "対象がありません", "there is no legal target")
UNTOUCHABLE: Final = Reason("R-121", "対象にできないキャラクターです", "that character cannot be a target")
STALLED: Final = Reason(
    "R-13", "続けてパスできません。アクションを起こしてください", "both have just passed; request something"
)

# Words of a sentence that was refused.
KEY_MISFIT: Final = Reason("R-39", "そのカードはキーカードになりません", "those cards cannot be its keys")
KEY_AND_PAYMENT: Final = Reason(
    "R-33", "1枚のカードをキーカードとコストの両方には使えません", "a card cannot be both key and payment"
)
DISCARD_MISFIT: Final = Reason("R-33", "そのカードは捨てられません", "those cards cannot be discarded for it")
PAYMENT_MISFIT: Final = Reason("R-32", "コストの支払いが合いません", "that does not pay its cost")
COST_MISFIT: Final = Reason("R-36", "そのコストでは起こせません", "it cannot be requested with that cost now")
SOURCE_MISFIT: Final = Reason("R-107", "その兵士では起こせません", "that soldier cannot be driven for it")
TARGET_MISFIT: Final = Reason("R-31", "それは対象にできません", "that is not a legal target")
WORD_MISFIT: Final = Reason("R-31", "その選択はできません", "that is not among the choices")


def missing_cost(cost: Cost, side: Side, key_count: i64) -> Reason | None:
    """What is missing to pay this cost."""
    if cost.d > side.hand_count - key_count:
        return NO_DISCARD
    charged: i64 = 0
    for unit in side.bulwarks:
        if not unit.driven:
            charged += 1
    if cost.b > charged:
        return NO_BULWARK
    if cost.l > len(side.life):
        return NO_LIFE
    if cost.s > len(side.bulwarks) + len(side.soldiers):
        return NO_VICTIM
    return None


def cost_reason(s: State, plan: Plan, side: Side, main: bool) -> Reason | None:
    if plan.quick_magic and side.abilities & FREE_QUICK_MAGIC != 0:
        return None
    printed = missing_cost(plan.cost, side, plan.key_count)
    quick_cost = plan.quick_cost
    if quick_cost is None:
        return printed
    quick = missing_cost(quick_cost, side, plan.key_count)
    if quick is None or (main and printed is None):
        return None
    return printed if main else quick


def why_not(s: State, player: i64, action: str) -> Reason | None:
    """Why the player cannot request the action now; None if he can."""
    found: Plan | None = None
    for plan in s.rules.plans:
        if plan.id == action:
            found = plan
    if found is None:
        return NOT_HERE
    if not found.direct:
        return NOT_DIRECT
    if s.point == OVER:
        return GAME_OVER
    if s.kind != CHANCE_KIND or s.chance != player:
        main = found.main and found.quick_cost is None
        return not_asked(s, player, NO_CHANCE if main else NO_QUICK_CHANCE)
    return plan_reason(s, player, found)


def not_asked(s: State, player: i64, without_chance: Reason) -> Reason:
    if s.draft is not None and s.asked == player:
        return SENTENCE_FIRST
    return without_chance if s.asked != player else CHOICE_FIRST


def plan_reason(s: State, player: i64, plan: Plan) -> Reason | None:
    """Why the chance holder cannot request an action of this format."""
    side = s.sides[player]
    main = player == s.turn and not s.stage
    if not main and plan.main and plan.quick_cost is None:
        return NOT_YOUR_TURN if player != s.turn else STAGE_NOT_EMPTY
    if plan.opponent_turn_only and player == s.turn:
        return OWN_TURN
    if plan.limit != 0 and plan.limit & (side.used_game if plan.limit_game else side.used) != 0:
        return GAME_LIMIT if plan.limit_game else TURN_LIMIT
    if plan.needs != 0 and plan.needs & side.grants == 0:
        return NO_PERMISSION
    duty = main and attack_duty(s, player)
    if duty and plan.ends_turn:
        return DUTY
    if side.requests >= MOST_REQUESTS and not plan.ends_turn and not (duty and plan.is_attack):
        return TOO_MANY
    if plan.sourced and not has_source(s, plan, side):
        return NO_SOURCE
    if plan.key_count > side.hand_count or not has_keys(plan, side.hand):
        return NO_KEYS
    cost = cost_reason(s, plan, side, main)
    if cost is not None:
        return cost
    if plan.aim != AIM_NONE and not has_target(s, plan, player, side.hand & plan.key_a):
        return UNTOUCHABLE if only_untouchable(s, plan, player) else NO_TARGET
    return None


def only_untouchable(s: State, plan: Plan, player: i64) -> bool:
    """Whether there would be a target if it could be one (R-121)."""
    if plan.aim != AIM_UNIT:
        return False
    owner: i64 = 0
    for side in s.sides:
        for unit in side.soldiers:
            if s.rules.kinds[unit.kind].abilities & UNTARGETABLE != 0 and plan.aim_type in (ANY, SOLDIER):
                if plan.aim_whose != MINE or owner == player:
                    return True
        owner += 1
    return False


def target_reason(s: State, plan: Plan, player: i64, keys: i64, owner: i64, unit: Unit) -> Reason | None:
    """Why this unit cannot be the target; None if it can."""
    if fits_unit(s, plan, player, keys, owner, unit):
        return None
    if s.rules.kinds[unit.kind].abilities & UNTARGETABLE != 0 and plan.aim_type in (ANY, SOLDIER):
        return UNTOUCHABLE
    return TARGET_MISFIT


def why_not_pass(s: State, player: i64) -> Reason | None:
    if s.point == OVER:
        return GAME_OVER
    if s.kind != CHANCE_KIND or s.chance != player:
        return not_asked(s, player, NO_PASS)
    return STALLED if s.stall and player == s.turn else None
