"""Legality: numbered obstacles to an action, a target, an attacker or a blocker, and the functions that find them.

``request_builder`` and ``combat`` list their options with these functions; ``text.refusals`` has a text and a ruling
for each number. A refusal is therefore derived from the same test as the option.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.atoms import suits_of
from blackpoker.engine.request import Request
from blackpoker.engine.state import NO_ROLE, Side, State, Unit
from blackpoker.engine.tables import (
    ANY,
    ANY_STATE,
    DRIVEN_ONLY,
    MINE,
    MUST_ATTACK,
    NOT_EQUIPPABLE,
    SOLDIER,
    UNTARGETABLE,
    CompiledAction,
    Cost,
)

NONE: Final = 0
# an action
NOT_YOUR_TURN: Final = 1
STAGE_NOT_EMPTY: Final = 2
OWN_TURN: Final = 3
TURN_LIMIT: Final = 4
GAME_LIMIT: Final = 5
NO_PERMISSION: Final = 6
DUTY: Final = 7
TOO_MANY: Final = 8
NO_SOURCE: Final = 9
NO_KEYS: Final = 10
NO_DISCARD: Final = 11
NO_BULWARK: Final = 12
NO_LIFE: Final = 13
NO_VICTIM: Final = 14
NO_TARGET: Final = 15
ABILITY_NEEDS_EMPTY_STAGE: Final = 31
TOO_MUCH_LIFE: Final = 32
PACK_OPENED: Final = 33
NO_RARE_CARD: Final = 34
# a unit as a target
NOT_YOURS: Final = 16
UNTARGETABLE_UNIT: Final = 17
WRONG_TYPE: Final = 18
NOT_EQUIPPABLE_UNIT: Final = 19
WRONG_SUIT: Final = 20
WRONG_CARD: Final = 21
WRONG_STATE: Final = 35
# a request as a target
WRONG_KEY_COUNT: Final = 22
WRONG_ACTION: Final = 23
UNCOUNTERABLE: Final = 24
WITHOUT_TARGET: Final = 25
# attackers and blockers
DRIVEN_ATTACKER: Final = 26
NEW_ATTACKER: Final = 27
DRIVEN_BLOCKER: Final = 28
BLOCKS_ANOTHER: Final = 29
MIXED_BLOCK: Final = 30


def unit_obstacle(s: State, plan: CompiledAction, controller: i64, keys: i64, owner: i64, unit: Unit) -> i64:
    """Return the obstacle between the unit and the action's target line, or NONE."""
    if plan.aim_whose == MINE and owner != controller:
        return NOT_YOURS
    kind = s.rules.kinds[unit.kind]
    if plan.aim_type != ANY and kind.bulwark == (plan.aim_type == SOLDIER):
        return WRONG_TYPE
    if kind.abilities & UNTARGETABLE != 0:
        return UNTARGETABLE_UNIT
    if plan.aim_equip and kind.abilities & NOT_EQUIPPABLE != 0:
        return NOT_EQUIPPABLE_UNIT
    if plan.aim_suit and suits_of(unit) & keys == 0:
        return WRONG_SUIT
    if plan.aim_state != ANY_STATE and unit.driven != (plan.aim_state == DRIVEN_ONLY):
        return WRONG_STATE
    return NONE if plan.aim_cards == 0 or unit.cards & plan.aim_cards != 0 else WRONG_CARD


def request_obstacle(s: State, plan: CompiledAction, request: Request) -> i64:
    """Return the obstacle between the request on the stage and the action's target line, or NONE."""
    if plan.aim_action >= 0 and request.action != plan.aim_action:
        return WRONG_ACTION
    if plan.aim_counter and not s.rules.plans[request.action].counterable:
        return UNCOUNTERABLE
    if request.key_count < plan.aim_keys_min or request.key_count > plan.aim_keys_max:
        return WRONG_KEY_COUNT
    return WITHOUT_TARGET if plan.aim_targeted and request.target_kind == 0 else NONE


def attack_obstacle(s: State, side: Side, unit: Unit) -> i64:
    """Return the obstacle to naming the unit as attacker (R-59, R-82), or NONE."""
    if unit.driven:
        return DRIVEN_ATTACKER
    if unit.cards & ~side.fresh != 0:
        return NONE
    kind = s.rules.kinds[unit.kind]
    return NONE if kind.haste or unit.cards & kind.haste_cards != 0 else NEW_ATTACKER


def blocker_obstacle(unit: Unit, bulwark: bool, others: i64) -> i64:
    """Return the obstacle to naming the unit as blocker (R-62), or NONE. ``others``: number of blockers so far."""
    if unit.driven:
        return DRIVEN_BLOCKER
    if unit.role != NO_ROLE:
        return BLOCKS_ANOTHER
    return MIXED_BLOCK if bulwark and others > 0 else NONE


def attack_duty(s: State, player: i64) -> bool:
    """Return whether a unit that must attack can do so and the turn's attack is unused (R-125)."""
    side = s.sides[player]
    if side.abilities & MUST_ATTACK == 0 or side.used & s.rules.attack_limit != 0:
        return False
    for unit in side.soldiers:
        if s.rules.kinds[unit.kind].abilities & MUST_ATTACK != 0 and attack_obstacle(s, side, unit) == NONE:
            return True
    return False


def payment_obstacle(cost: Cost, charged: i64, life: i64, spare: i64, units: i64) -> i64:
    if cost.d > spare:
        return NO_DISCARD
    if cost.b > charged:
        return NO_BULWARK
    if cost.l > life:
        return NO_LIFE
    return NO_VICTIM if cost.s > units else NONE


def charged_bulwarks(side: Side) -> i64:
    charged: i64 = 0
    for unit in side.bulwarks:
        if not unit.driven:
            charged += 1
    return charged


def cost_obstacle(plan: CompiledAction, side: Side, cost: Cost) -> i64:
    spare = side.hand_count - plan.hand_keys
    units: i64 = len(side.bulwarks) + len(side.soldiers)
    return payment_obstacle(cost, charged_bulwarks(side), len(side.life), spare, units)
