"""Bindings of an effect, and the numbers its steps read."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.rules.cards import BIT, SUIT, SUIT_SET, count, total
from blackpoker.rules.plan import NOT_EQUIPPABLE, NO_CHARGE, UNTARGETABLE
from blackpoker.rules.state import ATTACKER, State, Unit
from blackpoker.rules.request import REQUEST, Request, TRUMP, UNIT
from blackpoker.language import ops

#: R-51
HAND_LIMIT: Final = 7


def get(s: State, slot: i64) -> i64:
    if slot == 0:
        return s.v0
    if slot == 1:
        return s.v1
    return s.v2 if slot == 2 else s.v3


def bind(s: State, slot: i64, value: i64) -> None:
    if slot == 0:
        s.v0 = value
    elif slot == 1:
        s.v1 = value
    elif slot == 2:
        s.v2 = value
    elif slot == 3:
        s.v3 = value


def player_of(s: State, request: Request, who: i64) -> i64:
    if who == ops.ME:
        return request.controller
    if who == ops.OPPONENT:
        return 1 - request.controller
    if who == ops.TARGET:
        return request.target
    return s.target_owner if who == ops.OWNER else s.turn


def target_unit(s: State, request: Request) -> Unit | None:
    return s.unit(request.target) if request.target_kind == UNIT else None


def target_request(s: State, request: Request) -> Request | None:
    return s.staged_request(request.target) if request.target_kind == REQUEST else None


def value_of(s: State, request: Request, code: i64, argument: i64) -> i64:
    if code == ops.CONST:
        return argument
    if code == ops.KEY_SUM:
        return total(request.keys) + total(request.virtual)
    if code == ops.KEY_OF:
        return total((request.keys | request.virtual) & argument)
    if code == ops.BIND:
        return get(s, argument)
    if code == ops.AMOUNT:
        return request.amount
    if code == ops.LIFE:
        return len(s.sides[player_of(s, request, argument)].life)
    if code == ops.HAND:
        return s.sides[player_of(s, request, argument)].hand_count
    if code == ops.HAND_OVER_LIMIT:
        return max(0, s.sides[request.controller].hand_count - HAND_LIMIT)
    if code == ops.BULWARKS:
        return len(s.sides[player_of(s, request, argument)].bulwarks)
    if code == ops.ATTACKERS:
        n: i64 = 0
        for unit in s.sides[request.controller].soldiers:
            if unit.role == ATTACKER:
                n += 1
        return n
    if code == ops.CHARGE_FORBIDDEN:
        return 1 if charge_forbidden(s) else 0
    if code >= ops.TWICE_AMOUNT:
        return trump_value(s, request, code, argument)
    if code == ops.SOURCE_NUMBER:
        source = s.unit(request.source)
        return s.number(s.sides[request.controller], source) if source is not None else 0
    if code == ops.TARGET_KEY_COUNT or code == ops.TARGET_KEY_SUM:
        aimed = target_request(s, request)
        if aimed is None:
            return 0
        return aimed.key_count if code == ops.TARGET_KEY_COUNT else total(aimed.keys) + total(aimed.virtual)
    aim = target_unit(s, request)
    if aim is None:
        return 0
    if code == ops.TARGET_NUMBER:
        return s.number(s.sides[s.target_owner], aim)
    if code == ops.TARGET_CHARGED:
        return 0 if aim.driven else 1
    if code == ops.TARGET_IS_SOLDIER:
        return 0 if s.rules.kinds[aim.kind].bulwark else 1
    return count(aim.cards)


def trump_value(s: State, request: Request, code: i64, argument: i64) -> i64:
    """Values only the Extra list asks for."""
    if code == ops.TWICE_AMOUNT:
        return 2 * request.amount
    if code == ops.TRUMP_OPEN:
        return 1 if s.sides[request.controller].open_trumps & BIT[argument] != 0 else 0
    if code == ops.SUM_OF:
        side = s.sides[request.controller]
        chosen = get(s, argument)
        sum: i64 = 0
        for unit in side.soldiers:
            if chosen & BIT[unit.lead] != 0:
                sum += s.number(side, unit)
        return sum
    if code == ops.TARGET_EQUIPPABLE:
        aim = target_unit(s, request)
        if aim is None:
            return 0
        kind = s.rules.kinds[aim.kind]
        return 0 if kind.bulwark or kind.abilities & (NOT_EQUIPPABLE | UNTARGETABLE) != 0 else 1
    if request.target_kind != TRUMP:
        return 0
    card = request.target % 64
    bit: i64 = BIT[card]
    if code == ops.TARGET_OPEN:
        return 1 if s.sides[request.target // 64].open_trumps & bit != 0 else 0
    if code == ops.TARGET_OF_KEY_SUIT:
        return 1 if request.keys & SUIT_SET[SUIT[card]] != 0 else 0
    return 1 if request.keys & bit != 0 else 0


def charge_forbidden(s: State) -> bool:
    """R-131"""
    for side in s.sides:
        if side.abilities & NO_CHARGE != 0:
            charged = 0
            for unit in side.bulwarks:
                if not unit.driven:
                    charged += 1
            if charged >= 2:
                return True
    return False


def holds(left: i64, test: i64, right: i64) -> bool:
    if test == ops.EQUAL:
        return left == right
    if test == ops.DIFFERENT:
        return left != right
    if test == ops.AT_MOST:
        return left <= right
    if test == ops.AT_LEAST:
        return left >= right
    return right != 0 and left % right == 0
