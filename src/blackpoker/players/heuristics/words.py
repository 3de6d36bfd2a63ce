"""Scores of the words of a request: keys, payment, target."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import BIT, VALUE, total
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import ATTACKER, BLOCKER, NO_ROLE, ROW_CODE, SIDE_CODE, Unit
from blackpoker.rules.request import Request
from blackpoker.players.heuristics.answers import threat_of, top_threat
from blackpoker.players.heuristics.codes import (
    ARMISTICE, CEASEFIRE, CLOSE_TRUMP, COUNTER, DEATH_LANCE, DESTROY_BULWARK, DESTROY_TRUMP, DOWN, ENCOURAGE, EQUIP,
    FORCE, INSTANT_KILL, KEEP, KILL, LAST_STRUGGLE, NEGOTIATE, NEVER, OFFSET, PHANTOM, REANIMATE, RECALL, RECRUIT,
    RETARGET, REVERSE, ROYAL, SLASH, SUMMON_HERO, SUMMON_SOLDIER, SWORD_RAIN, THROW, TRUMP_WORTH, TWIST, UP,
)  # fmt: skip
from blackpoker.players.heuristics.reading import UNBLOCKED, Reading, blockers_of, highest, worth_of
from blackpoker.rules.engine import Engine


def key_score(here: Reading, s: Engine, draft: Request, code: i64, option: i64) -> i64:
    value: i64 = VALUE[option]
    if code == SUMMON_SOLDIER or code == SUMMON_HERO:
        return 3 * value
    if code == EQUIP:
        return 3 * value
    if code == THROW or code == DEATH_LANCE:
        if option < 13:
            return 5 * value
        if code == DEATH_LANCE:
            theirs = s.sides[1 - here.me]
            for unit in theirs.soldiers:
                number = s.number(theirs, unit)
                if number != 0 and number % value == 0:
                    return 20 + number - KEEP[option] // 2
            return -20
        return 20 - 2 * KEEP[option]
    if code == COUNTER:
        threat = top_threat(here, s)
        if threat is not None and threat.key_count == 1:
            if value < total(threat.keys):
                return -80
        return 20 - 2 * value
    if code == DOWN or code == UP:
        return 2 * value
    if code == FORCE or code == SWORD_RAIN or code == RECRUIT:
        return 2 * value
    return 20 - 2 * KEEP[option]


def payment_score(here: Reading, s: Engine, option: i64) -> i64:
    """Drive the bulwark that would make the poorest blocker: faces cost life when they fall."""
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    card: i64 = unit.lead
    if card >= 52:
        return -20
    value: i64 = VALUE[card]
    if value == 1 or value > 10:
        return 10
    theirs = s.sides[1 - here.me]
    for soldier in theirs.soldiers:
        if soldier.base == value:
            return -10
    return 0


def target_score(here: Reading, s: Engine, draft: Request, code: i64, option: i64) -> i64:
    if (
        code == COUNTER
        or code == CEASEFIRE
        or code == RETARGET
        or code == OFFSET
        or code == LAST_STRUGGLE
        or (code == ARMISTICE)
    ):
        request = s.stage[option]
        if request.controller == here.me:
            return -100
        if code == COUNTER and request.key_count == 1 and total(draft.keys) < total(request.keys):
            return -60
        return threat_of(here, s, request) + option
    if code == ROYAL:
        return NEVER if option == here.me else 100
    if code == CLOSE_TRUMP or code == DESTROY_TRUMP:
        owner: i64 = option // SIDE_CODE
        if owner == here.me:
            return -100
        side = s.sides[owner]
        card: i64 = side.trumps[option % SIDE_CODE]
        if side.open_trumps & BIT[card] == 0:
            return -80
        return 5 * TRUMP_WORTH[card]
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    owner = option // SIDE_CODE
    side = s.sides[owner]
    mine = owner == here.me
    worth = worth_of(s, side, unit)
    number = s.number(side, unit)
    key: i64 = total(draft.keys)
    if code == UP or code == ENCOURAGE:
        score: i64 = 20 if mine else -60
        if mine and unit.role != NO_ROLE:
            score += 20 + trick_gain(here, s, unit, owner, key)
        elif mine and may_attack(s, side, unit):
            score += 5
        return score
    if code == DOWN:
        if mine:
            return -80
        if number <= key:
            return 40 + 2 * number
        if unit.role != NO_ROLE:
            return 10 + trick_gain(here, s, unit, owner, -key)
        return -10
    if code == TWIST or code == NEGOTIATE:
        if mine:
            return -30 if code == NEGOTIATE else (5 if unit.driven else -40)
        if unit.driven:
            return -40
        if s.turn == here.me:
            return 20 + worth
        return 20 + 2 * number if option % SIDE_CODE < ROW_CODE else -30
    if code == EQUIP:
        ready: i64 = 15 if may_attack(s, side, unit) else 0
        return 10 + number // 2 + ready
    if code == REANIMATE or code == RECALL or code == PHANTOM:
        return 30 - 3 * worth
    if code == REVERSE:
        if mine:
            return -20
        return 3 * number if option % SIDE_CODE < ROW_CODE else -15
    if code == DEATH_LANCE:
        spade = highest(draft.keys & 8191)
        divisor = highest(draft.keys & ~8191)
        hit = divisor > 0 and number != 0 and number % divisor == 0
        if mine:
            return NEVER if hit and spade >= here.my_life else -60
        return 20 + 2 * number if hit else -30
    if code == DESTROY_BULWARK:
        if mine:
            return -60
        return (15 if unit.driven else 25) + (5 if VALUE[unit.lead] > 10 else 0)
    if code == SLASH or code == KILL or code == INSTANT_KILL:
        return -80 if mine else 10 + 3 * worth
    return 0 if mine else 5


def trick_gain(here: Reading, s: Engine, unit: Unit, owner: i64, amount: i64) -> i64:
    """Whether this change of a fighting unit's number turns its fight."""
    attacking = s.turn
    side = s.sides[attacking]
    other = s.sides[1 - attacking]
    attacker: Unit | None = None
    if unit.role == ATTACKER:
        attacker = unit
    else:
        for soldier in side.soldiers:
            if soldier.id == unit.blocks:
                attacker = soldier
    if attacker is None:
        return -10
    number = s.number(side, attacker)
    sum = blockers_of(s, other, attacker)
    if sum == UNBLOCKED:
        for wall in other.bulwarks:
            if wall.role == BLOCKER and wall.blocks == attacker.id:
                return -30
        return 15 if owner == attacking else 0
    before = number - sum
    after = before + amount if unit.role == ATTACKER else before - amount
    if attacking != here.me:
        before = -before
        after = -after
    if here.turned:
        before = -before
        after = -after
    if before <= 0 and after > 0:
        return 30 + number
    if before < 0 and after == 0:
        return 12
    return -20
