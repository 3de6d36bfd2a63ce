"""Refusals: a text in both languages and the ruling behind it.

The functions that list the offered options (``legality``) find the obstacle; here the obstacles are ordered, the most
helpful first. ``why_not`` returns None exactly for the offered actions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from blackpoker.engine import legality
from blackpoker.engine.flow import CHANCE_KIND, OVER
from blackpoker.engine.key_cards import has_keys
from blackpoker.engine.request_builder import (
    MAX_REQUESTS,
    condition_obstacle,
    has_target,
)
from blackpoker.engine.state import State, Unit
from blackpoker.engine.tables import AIM_NONE, AIM_REQUEST, AIM_UNIT, FREE_QUICK_MAGIC, RARE, CompiledAction
from blackpoker.engine.tables import MUST_ATTACK as MUST_ATTACK_ABILITY


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal in both languages and the ruling behind it."""

    ruling: str
    ja: str
    en: str

    def __repr__(self) -> str:
        return f"Refusal({self.ruling}: {self.en})"


NOT_HERE: Final = Refusal("R-204", "このフォーマットにないアクションです", "this format does not have that action")
NOT_DIRECT: Final = Refusal(
    "R-21", "プレイヤーが直接起こせないアクションです", "a player cannot request it; it is raised by the rules"
)
GAME_OVER: Final = Refusal("R-45", "ゲームは終わっています", "the game is over")
NO_CHANCE: Final = Refusal("R-05", "チャンスを持っていません", "you do not hold the chance")
NO_QUICK_CHANCE: Final = Refusal(
    "R-06", "クイックのアクションにもチャンスが要ります", "a quick action needs the chance, too"
)
NO_PASS: Final = Refusal("R-10", "パスできるのはチャンスを持つプレイヤーです", "only the holder of the chance passes")
OTHER_ASKED: Final = Refusal("R-17", "選ぶのは相手です", "the other player is the one to choose")
CHOICE_FIRST: Final = Refusal("R-16", "効果の中の選択が先です", "a choice inside an effect comes first")
REQUEST_PENDING: Final = Refusal(
    "R-30", "起こしかけのアクションがあります", "another request has been begun and is not complete"
)
NOT_YOUR_TURN: Final = Refusal(
    "R-05", "メインのアクションは自分のターンにしか起こせません", "a main action needs your own turn"
)
STAGE_NOT_EMPTY: Final = Refusal(
    "R-05", "メインのアクションはステージが空のときにしか起こせません", "a main action needs an empty stage"
)
ABILITY_NEEDS_EMPTY_STAGE: Final = Refusal(
    "R-119", "この能力はステージが空のときにしか使えません", "this ability needs an empty stage"
)
TOO_MUCH_LIFE: Final = Refusal(
    "N-086", "ライフが9枚以下のときしか起こせません", "only with nine cards of life or fewer"
)
PACK_OPENED: Final = Refusal("N-238", "パックはもう開封されています", "the pack is opened already")
NO_RARE_CARD: Final = Refusal("N-070", "レアカードがありません", "there is no rare card")
WRONG_STATE: Final = Refusal(
    "N-278", "その状態のキャラクターは対象にできません", "a character in that state cannot be the target"
)
OWN_TURN: Final = Refusal("R-151", "自分のターンには起こせません", "not on your own turn")
TURN_LIMIT: Final = Refusal("R-38", "このターンはもう起こしました", "it has been requested this turn already")
GAME_LIMIT: Final = Refusal("R-38", "このゲームでもう起こしました", "it has been requested this game already")
NO_PERMISSION: Final = Refusal(
    "R-101", "使うための切札かキャラクターがありません", "no active trump or character of yours allows it"
)
TOO_MANY: Final = Refusal(
    "R-221", "このターンに起こせる回数を超えました", f"you have made {MAX_REQUESTS} requests this turn"
)
DUTY: Final = Refusal("R-125", "先にアタックしなければならない兵士がいます", "a soldier of yours must attack first")
NO_SOURCE: Final = Refusal(
    "R-107", "ドライブできるチャージ状態の兵士がいません", "there is no charged soldier to drive for it"
)
NO_KEYS: Final = Refusal("R-39", "キーカードがそろいません", "the key cards are not in your hand")
NO_DISCARD: Final = Refusal(
    "R-33", "キーカードのほかに捨てる手札が足りません", "besides the keys there are not enough cards to discard"
)
NO_BULWARK: Final = Refusal("R-32", "チャージ状態の防壁が足りません", "there are not enough charged bulwarks")
NO_LIFE: Final = Refusal("R-32", "ライフが足りません", "there is not enough life")
NO_VICTIM: Final = Refusal("R-32", "墓地に移すキャラクターが足りません", "there are not enough characters to sacrifice")
NO_TARGET: Final = Refusal("R-31", "対象がありません", "there is no legal target")
UNTOUCHABLE: Final = Refusal("R-121", "対象にできないキャラクターです", "that character cannot be a target")
STALLED: Final = Refusal(
    "R-13", "続けてパスできません。アクションを起こしてください", "both have just passed; request something"
)

# Refused options of a request.
KEY_MISFIT: Final = Refusal("R-39", "そのカードはキーカードになりません", "those cards cannot be its keys")
KEY_AND_PAYMENT: Final = Refusal(
    "R-33", "1枚のカードをキーカードとコストの両方には使えません", "a card cannot be both key and payment"
)
DISCARD_MISFIT: Final = Refusal("R-33", "そのカードは捨てられません", "those cards cannot be discarded for it")
PAYMENT_MISFIT: Final = Refusal("R-32", "コストの支払いが合いません", "that does not pay its cost")
COST_MISFIT: Final = Refusal("R-36", "そのコストでは起こせません", "it cannot be requested with that cost now")
SOURCE_MISFIT: Final = Refusal("R-107", "その兵士では起こせません", "that soldier cannot be driven for it")
TARGET_MISFIT: Final = Refusal("R-31", "それは対象にできません", "that is not a legal target")
OPTION_MISFIT: Final = Refusal("R-31", "その選択はできません", "that is not among the choices")
CHOICE_MISFIT: Final = Refusal("R-16", "効果の中の選択として選べません", "the effect does not offer that choice")
SHOWN_MISFIT: Final = Refusal(
    "R-211", "見せるのは、一緒に捨てるカードのうちの1枚です", "the card to be seen is one of those discarded together"
)
UNCOUNTERABLE: Final = Refusal(
    "R-157", "そのアクションは「カウンター」で無効にできません", "that action cannot be countered"
)
COUNTER_KEYS: Final = Refusal(
    "R-157",
    "対象にできるのはキーカード1枚か2枚のアクションです",
    "only actions with one or two keys can be countered",
)
RETARGET_MISFIT: Final = Refusal(
    "R-164", "対象を指定しているアクションだけが対象になります", "only an action that has a target can be the target"
)
NEW_TARGET_MISFIT: Final = Refusal(
    "R-164",
    "新しい対象にできるのは、そのアクションの別の対象です",
    "the new target must be another one it could have",
)
NEW_ATTACKER: Final = Refusal(
    "R-82", "このターンに出た兵士はアタックできません", "a soldier that entered this turn cannot attack"
)
DRIVEN_ATTACKER: Final = Refusal("R-59", "ドライブしている兵士はアタックできません", "a driven soldier cannot attack")
NO_SOLDIER: Final = Refusal("R-59", "アタックできるのは自分の兵士だけです", "only your own soldiers attack")
MUST_ATTACK: Final = Refusal(
    "R-125", "必ずアタックする兵士がアタッカーに入っていません", "a soldier that must attack is not among the attackers"
)
MIXED_BLOCK: Final = Refusal(
    "R-62",
    "1体をブロックできるのは、防壁1体か、兵士1体以上です",
    "an attacker is blocked by one bulwark or by soldiers, never both",
)
DRIVEN_BLOCKER: Final = Refusal(
    "R-62", "ドライブしているキャラクターはブロックできません", "a driven character cannot block"
)
BLOCKS_ANOTHER: Final = Refusal("R-62", "1体がブロックできるのは1体だけです", "a character blocks one attacker only")
NO_BLOCKER: Final = Refusal("R-62", "ブロックできるのは自分の場のキャラクターです", "only your own characters block")
NO_ATTACKER: Final = Refusal("R-62", "アタックしている兵士ではありません", "that soldier does not attack")

#: the refusal for each obstacle
BY_OBSTACLE: Final[dict[int, Refusal]] = {
    legality.NOT_YOUR_TURN: NOT_YOUR_TURN,
    legality.STAGE_NOT_EMPTY: STAGE_NOT_EMPTY,
    legality.ABILITY_NEEDS_EMPTY_STAGE: ABILITY_NEEDS_EMPTY_STAGE,
    legality.OWN_TURN: OWN_TURN,
    legality.TURN_LIMIT: TURN_LIMIT,
    legality.GAME_LIMIT: GAME_LIMIT,
    legality.NO_PERMISSION: NO_PERMISSION,
    legality.DUTY: DUTY,
    legality.TOO_MANY: TOO_MANY,
    legality.NO_SOURCE: NO_SOURCE,
    legality.NO_KEYS: NO_KEYS,
    legality.NO_DISCARD: NO_DISCARD,
    legality.NO_BULWARK: NO_BULWARK,
    legality.NO_LIFE: NO_LIFE,
    legality.NO_VICTIM: NO_VICTIM,
    legality.NO_TARGET: NO_TARGET,
    legality.NOT_YOURS: TARGET_MISFIT,
    legality.UNTARGETABLE_UNIT: UNTOUCHABLE,
    legality.WRONG_TYPE: TARGET_MISFIT,
    legality.NOT_EQUIPPABLE_UNIT: TARGET_MISFIT,
    legality.WRONG_SUIT: TARGET_MISFIT,
    legality.WRONG_CARD: TARGET_MISFIT,
    legality.WRONG_KEY_COUNT: COUNTER_KEYS,
    legality.WRONG_ACTION: TARGET_MISFIT,
    legality.UNCOUNTERABLE: UNCOUNTERABLE,
    legality.WITHOUT_TARGET: RETARGET_MISFIT,
    legality.DRIVEN_ATTACKER: DRIVEN_ATTACKER,
    legality.NEW_ATTACKER: NEW_ATTACKER,
    legality.DRIVEN_BLOCKER: DRIVEN_BLOCKER,
    legality.BLOCKS_ANOTHER: BLOCKS_ANOTHER,
    legality.MIXED_BLOCK: MIXED_BLOCK,
    legality.TOO_MUCH_LIFE: TOO_MUCH_LIFE,
    legality.PACK_OPENED: PACK_OPENED,
    legality.NO_RARE_CARD: NO_RARE_CARD,
    legality.WRONG_STATE: WRONG_STATE,
}


def refusal_of(obstacle: i64) -> Refusal | None:
    return None if obstacle == legality.NONE else BY_OBSTACLE[int(obstacle)]


def why_not(s: State, player: i64, action: str) -> Refusal | None:
    """Return the reason why the player cannot request the action now, or None if the action is offered."""
    found: CompiledAction | None = None
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
    return refusal_of(action_obstacle(s, found, player))


def not_asked(s: State, player: i64, without_chance: Refusal) -> Refusal:
    if s.draft is not None and s.asked == player:
        return REQUEST_PENDING
    return without_chance if s.asked != player else CHOICE_FIRST


def action_obstacle(s: State, plan: CompiledAction, player: i64) -> i64:
    """Return the first obstacle to a request by the chance holder, the simplest reason first."""
    side = s.sides[player]
    main = player == s.turn and not s.stage
    if not main and plan.main and plan.quick_cost is None:
        return legality.NOT_YOUR_TURN if player != s.turn else legality.STAGE_NOT_EMPTY
    exhausted = side.requests >= MAX_REQUESTS
    condition = condition_obstacle(s, plan, player, legality.charged_bulwarks(side), main, exhausted)
    of_cost = legality.NO_DISCARD <= condition <= legality.NO_VICTIM
    if condition != legality.NONE and not of_cost:
        return condition
    if plan.key != RARE and (plan.key_count > side.hand_count or not has_keys(plan, side.hand)):
        return legality.NO_KEYS
    if of_cost:
        return condition
    free = plan.quick_magic and side.abilities & FREE_QUICK_MAGIC != 0
    if not free and plan.quick_cost is None:
        cost = legality.cost_obstacle(plan, side, plan.cost)
        if cost != legality.NONE:
            return cost
    if plan.aim != AIM_NONE and not has_target(s, plan, player, side.hand & plan.key_a):
        return best_target_obstacle(s, plan, player, side.hand & plan.key_a)
    return legality.NONE


def best_target_obstacle(s: State, plan: CompiledAction, player: i64, keys: i64) -> i64:
    """Return the obstacle that leaves no legal target. A ruling about one candidate is preferred to the general
    refusal."""
    if plan.aim == AIM_UNIT:
        owner: i64 = 0
        for side in s.sides:
            for unit in side.soldiers:
                if legality.unit_obstacle(s, plan, player, keys, owner, unit) == legality.UNTARGETABLE_UNIT:
                    return legality.UNTARGETABLE_UNIT
            owner += 1
    elif plan.aim == AIM_REQUEST and s.stage:
        found = legality.request_obstacle(s, plan, s.stage[len(s.stage) - 1])
        if found == legality.UNCOUNTERABLE:
            return found
    return legality.NO_TARGET


def why_not_attackers(s: State, player: i64, attackers: list[Unit]) -> Refusal | None:
    """Return why these soldiers cannot be the attackers (R-59, R-82, R-125), or None."""
    side = s.sides[player]
    for unit in attackers:
        if unit not in side.soldiers:
            return NO_SOLDIER
        found = refusal_of(legality.attack_obstacle(s, side, unit))
        if found is not None:
            return found
    for unit in side.soldiers:
        must = s.rules.kinds[unit.kind].abilities & MUST_ATTACK_ABILITY != 0
        if must and unit not in attackers and legality.attack_obstacle(s, side, unit) == legality.NONE:
            return MUST_ATTACK
    return None


def why_not_blockers(s: State, player: i64, blockers: list[list[Unit]]) -> Refusal | None:
    """Return why these characters cannot block (R-62), or None; one list per attacker."""
    side = s.sides[player]
    used: list[Unit] = []
    for units in blockers:
        bulwarks: i64 = 0
        others: i64 = 0
        for unit in units:
            bulwark = unit in side.bulwarks
            if unit in used:
                return BLOCKS_ANOTHER
            found = refusal_of(legality.blocker_obstacle(unit, bulwark or bulwarks > 0, others))
            if found is not None:
                return found
            used.append(unit)
            others += 1
            if bulwark:
                bulwarks += 1
    return None


def why_not_pass(s: State, player: i64) -> Refusal | None:
    if s.point == OVER:
        return GAME_OVER
    if s.kind != CHANCE_KIND or s.chance != player:
        return not_asked(s, player, NO_PASS)
    return STALLED if s.stall and player == s.turn else None
