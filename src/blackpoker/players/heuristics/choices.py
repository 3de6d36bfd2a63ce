"""Scores of choices inside an effect, attackers and blockers among them."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import LOW, VALUE
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import ATTACKER, BLOCKER, DONE, ROW_CODE, SIDE_CODE
from blackpoker.players.heuristics.codes import (
    DRAW, EXHAUSTION, FORESIGHT, JACK_SUMMON, KEEP, NEVER, OTHER, QUICK_SUMMON, REANIMATE, REINFORCEMENTS,
    REPLENISH, REVERSE, REVIVE, SET_BULWARK, SWITCH, TWIST,
)  # fmt: skip
from blackpoker.players.heuristics.reading import Reading
from blackpoker.rules.engine import Engine


def card_score(here: Reading, s: Engine, option: i64) -> i64:
    active = s.active
    code: i64 = OTHER
    if active is not None:
        code = here.code[active.action]
    if code == SET_BULWARK:
        if option >= 52:
            return 2
        value: i64 = VALUE[option]
        score: i64 = 24 - 2 * KEEP[option]
        if value == 1 or value > 10:
            score -= 6
        theirs = s.sides[1 - here.me]
        for unit in theirs.soldiers:
            if unit.base == value:
                score += 14
        return score
    if code == REANIMATE or code == REVIVE or code == JACK_SUMMON or code == REINFORCEMENTS or code == SWITCH:
        return 4 * VALUE[option]
    if code == FORESIGHT:
        return 20 - 2 * KEEP[option]
    if code == EXHAUSTION:
        return 0
    return 2 * KEEP[option]


def option_score(here: Reading, s: Engine, option: i64) -> i64:
    active = s.active
    code: i64 = OTHER
    if active is not None:
        code = here.code[active.action]
    if code == DRAW:
        if option == 0:
            return 0
        if here.my_life <= 1:
            return NEVER
        # a card for a life, unless life is what is short
        if here.my_life <= 4 or here.my_life <= here.danger + 1:
            return -25
        return 25 if here.hand < 8 else -10
    if code == REPLENISH:
        return 0 if option == 0 else (8 if here.danger == 0 and here.my_life > 12 else -8)
    if code == QUICK_SUMMON:
        return 0 if option == 0 else 10
    if code == TWIST or code == REVERSE:
        assert active is not None
        unit = s.unit(active.target)
        if unit is None or option == 2:
            return 0
        mine = s.owner_of(active.target) == here.me
        return 15 if (option == 0) == mine else -15
    return 0


def attacker_score(here: Reading, s: Engine, option: i64) -> i64:
    """Whether this soldier should attack."""
    if option == DONE:
        return 0
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    mine = s.sides[here.me]
    theirs = s.sides[1 - here.me]
    number = s.number(mine, unit)
    named: i64 = 0
    named_sum: i64 = 0
    for other in mine.soldiers:
        if other.role == ATTACKER:
            named += 1
            named_sum += s.number(mine, other)
    n = here.ready + named
    sum = here.ready_sum + named_sum
    through = sum
    if n > 0 and here.blockers > 0:
        through = sum * (n - here.blockers) // n if n > here.blockers else 0
    if through >= here.op_life or (here.blockers == 0 and sum >= here.op_life):
        return 150
    if number <= 0:
        return -20
    score: i64
    if here.blockers == 0:
        score = 20 + 3 * number
    elif here.op_best > number or (here.op_best == number and number > 4) or here.op_charged > number + 6:
        # he can beat it with a soldier; more attackers than blockers still get through
        score = -20 if n <= here.blockers else 4
        if here.turned:
            score = 10
    else:
        score = 10 + number
    # what it leaves at home: the other's answer with my attackers driven
    guards = here.charged
    for other in mine.soldiers:
        if not other.driven and other is not unit:
            if not may_attack(s, mine, other):
                guards += 1
    enemies = len(theirs.soldiers)
    if enemies > guards:
        answer = here.op_attack * (enemies - guards) // enemies
        if answer >= here.my_life:
            score -= 60
        elif answer * 2 >= here.my_life:
            score -= 12
    return score


def blocker_score(here: Reading, s: Engine, option: i64) -> i64:
    """Blockers for the attacker ``s.blocked``."""
    attacking = s.sides[1 - here.me]
    mine = s.sides[here.me]
    attacker = s.unit(s.blocked)
    if attacker is None:
        return 0
    number = s.number(attacking, attacker)
    already: i64 = 0
    count: i64 = 0
    for unit in mine.soldiers:
        if unit.role == BLOCKER and unit.blocks == attacker.id:
            already += s.number(mine, unit)
            count += 1
    # what comes in if this one and those not yet dealt with are let through
    incoming: i64 = 0
    later = False
    for other in attacking.soldiers:
        if other.role != ATTACKER:
            continue
        if other.id == attacker.id:
            later = True
            if count == 0:
                incoming += number
            continue
        taken = False
        for unit in mine.soldiers:
            if unit.role == BLOCKER and unit.blocks == other.id:
                taken = True
        for unit in mine.bulwarks:
            if unit.role == BLOCKER and unit.blocks == other.id:
                taken = True
        if not taken:
            power = s.number(attacking, other)
            if power > 0:
                incoming += power if not later else power // 2
    mortal = incoming >= here.my_life
    hard: i64 = 0  # how much a point of damage hurts, in tenths
    if here.my_life > 0:
        hard = 10 + 60 * number // (here.my_life + 4)
    if option == DONE:
        return 0
    unit_ = s.unit_by_code(option)
    if unit_ is None:
        return 0
    if option % SIDE_CODE >= ROW_CODE:
        matches = unit_.lead >= 52
        value: i64 = VALUE[unit_.lead]
        cards = attacker.cards
        while cards != 0:
            low: i64 = cards & -cards
            if VALUE[LOW[low % 59]] == value:
                matches = True
            cards ^= low
        score = number * hard // 10 * 2 - 12
        if value == 1 or value > 10:
            score -= 10
        if matches:
            score += 40 + 2 * number
        if mortal:
            score += 80
        return score
    strength = s.number(mine, unit_) + already
    if here.turned:
        strength = 2 * number - strength
    if count > 0:
        if already > number:
            return -40
        if strength > number:
            return 30
        return -30
    if strength > number:
        return 45 + number - (strength - number) // 2
    if strength == number:
        return 14 + (60 if mortal else 0)
    # a smaller one dies for nothing but time
    score = number * hard // 10 * 2 - 4 * strength - 24
    if mortal:
        score += 70
    return score
