"""Scores of attackers and blockers."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.position_summary import NEVER, PositionSummary
from blackpoker.ai.heuristics.threats import is_blocked
from blackpoker.engine.cards import LOW, VALUE
from blackpoker.engine.engine import Engine
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import ATTACKER, BLOCKER, DONE, ROW_CODE, SIDE_CODE, Unit


def attack_score(here: PositionSummary, s: Engine) -> i64:
    """Score an attack now; the attackers are chosen one by one later."""
    if here.ready == 0:
        return NEVER
    mine = s.sides[here.me]
    best: i64 = -40
    for unit in mine.soldiers:
        if may_attack(s, mine, unit):
            score = attacker_score(here, s, here.me * SIDE_CODE + unit.lead)
            if score > best:
                best = score
    if best <= 0:
        return -20
    # actions that improve the attack score higher than the attack, all others lower
    return 40 + best // 2 if best < 100 else best


def attacker_score(here: PositionSummary, s: Engine, option: i64) -> i64:
    """Score this soldier as an attacker."""
    if option == DONE:
        return 0
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    mine = s.sides[here.me]
    n = here.ready
    sum = here.ready_sum
    for other in mine.soldiers:
        if other.role == ATTACKER:
            n += 1
            sum += s.number(mine, other)
    if unblocked_damage(here, n, sum) >= here.op_life:
        return 150
    number = s.number(mine, unit)
    if number <= 0:
        return -20
    score: i64
    if here.blockers == 0:
        score = 20 + 3 * number
    elif here.op_best > number or (here.op_best == number and number > 4) or here.op_charged > number + 6:
        # a soldier of the opponent can beat it; more attackers than blockers still get through
        score = -20 if n <= here.blockers else 4
        if here.revolution:
            score = 10
    else:
        score = 10 + number
    return score - counterattack_penalty(here, s, unit)


def unblocked_damage(here: PositionSummary, n: i64, sum: i64) -> i64:
    """Return the approximate damage of ``n`` attackers when every blocker stops one of them."""
    if n == 0 or here.blockers == 0:
        return sum
    return sum * (n - here.blockers) // n if n > here.blockers else 0


def counterattack_penalty(here: PositionSummary, s: Engine, unit: Unit) -> i64:
    """Return the penalty for the opponent's counterattack while my attackers are driven."""
    mine = s.sides[here.me]
    guards = here.charged
    for other in mine.soldiers:
        if not other.driven and other is not unit and not may_attack(s, mine, other):
            guards += 1
    enemies: i64 = here.op_count
    if enemies > guards:
        answer = here.op_attack * (enemies - guards) // enemies
        if answer >= here.my_life:
            return 60
        if answer * 2 >= here.my_life:
            return 12
    return 0


def blocker_score(here: PositionSummary, s: Engine, option: i64) -> i64:
    """Score this unit as a blocker of the attacker ``s.blocked``."""
    attacker = s.unit(s.blocked)
    if attacker is None or option == DONE:
        return 0
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    mine = s.sides[here.me]
    number = s.number(s.sides[1 - here.me], attacker)
    already: i64 = 0
    count: i64 = 0
    for other in mine.soldiers:
        if other.role == BLOCKER and other.blocks == attacker.id:
            already += s.number(mine, other)
            count += 1
    mortal = incoming(here, s, attacker, number, count > 0) >= here.my_life
    hard: i64 = 0  # cost of a point of damage, in tenths
    if here.my_life > 0:
        hard = 10 + 60 * number // (here.my_life + 4)
    if option % SIDE_CODE >= ROW_CODE:
        return wall_score(unit, attacker, number, hard, mortal)
    strength = s.number(mine, unit) + already
    if here.revolution:
        strength = 2 * number - strength
    if count > 0:
        if already > number:
            return -40
        return 30 if strength > number else -30
    if strength > number:
        return 45 + number - (strength - number) // 2
    if strength == number:
        return 14 + (60 if mortal else 0)
    # a smaller blocker dies and only gains time
    score = number * hard // 10 * 2 - 4 * strength - 24
    if mortal:
        score += 70
    return score


def wall_score(unit: Unit, attacker: Unit, number: i64, hard: i64, mortal: bool) -> i64:
    """Score blocking with this bulwark."""
    matches = unit.lead >= 52
    value: i64 = VALUE[unit.lead]
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


def incoming(here: PositionSummary, s: Engine, attacker: Unit, number: i64, stopped: bool) -> i64:
    """Return the damage if this attacker and all undecided ones are let through; ``stopped``: this one is blocked."""
    attacking = s.sides[1 - here.me]
    mine = s.sides[here.me]
    sum: i64 = 0
    later = False
    for other in attacking.soldiers:
        if other.role != ATTACKER:
            continue
        if other.id == attacker.id:
            later = True
            if not stopped:
                sum += number
        elif not is_blocked(mine, other):
            power = s.number(attacking, other)
            if power > 0:
                sum += power if not later else power // 2
    return sum
