"""Threats on the stage, and the effect of number changes on fights."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.position_summary import UNBLOCKED, WINS, PositionSummary, blockers_of
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import Request
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import ATTACKER, BLOCKER, NO_ROLE, Side, Unit
from blackpoker.engine.step import NO_PART


def is_blocked(side: Side, attacker: Unit) -> bool:
    """Return whether a unit of this side blocks it."""
    for unit in side.soldiers:
        if unit.role == BLOCKER and unit.blocks == attacker.id:
            return True
    return has_wall(side, attacker)


def has_wall(side: Side, attacker: Unit) -> bool:
    for unit in side.bulwarks:
        if unit.role == BLOCKER and unit.blocks == attacker.id:
            return True
    return False


def read_stage(here: PositionSummary, s: Engine) -> None:
    """Set ``here.top`` and ``here.hits``: the part of a fight that comes next, and the damage about to come through."""
    stage = s.stage
    here.top = here.parts[stage[-1].action] if stage else NO_PART
    here.hits = 0
    side = s.sides[s.turn]
    other = s.sides[1 - s.turn]
    for unit in side.soldiers:
        if unit.role == ATTACKER and not is_blocked(other, unit):
            number = s.number(side, unit)
            if number > 0:
                here.hits += number


def top_threat(here: PositionSummary, s: Engine) -> Request | None:
    """Return the opponent's newest request, or None."""
    i: i64 = len(s.stage) - 1
    while i >= 0:
        if s.stage[i].controller != here.me:
            return s.stage[i]
        i -= 1
    return None


def threat_of(here: PositionSummary, request: Request) -> i64:
    """Return the value of negating this request."""
    return here.roles[request.action].threat(here, request)


def own_request_on_top(here: PositionSummary, s: Engine) -> bool:
    """Return whether the newest request is mine."""
    return s.stage[-1].controller == here.me


def danger_now(here: PositionSummary, s: Engine) -> i64:
    """Return the expected damage of the attack on the stage after my best blocks, by count."""
    side = s.sides[1 - here.me]
    sum: i64 = 0
    n: i64 = 0
    for unit in side.soldiers:
        if unit.role == ATTACKER or (unit.role == NO_ROLE and may_attack(s, side, unit)):
            number = s.number(side, unit)
            if number > 0:
                sum += number
                n += 1
    guards = here.charged
    for unit in s.sides[here.me].soldiers:
        if not unit.driven:
            guards += 1
    if n <= guards or n == 0:
        return 0
    return sum * (n - guards) // n


def combat_trick(here: PositionSummary, s: Engine, key: i64, up: bool) -> i64:
    """Score adding to or subtracting from a number during the judgement: return WINS if it decides the game."""
    mine_attacks = s.turn == here.me
    best: i64 = -25
    if mine_attacks == up and here.hits > 0:
        # damage that comes through counts more at low life
        life = here.op_life if mine_attacks else here.my_life
        if mine_attacks and here.hits + key >= life and here.hits < life:
            return WINS
        if not mine_attacks and here.hits >= life and here.hits - key < life:
            return 200
        best = 40 * key // (life + 2) + key - 22
    side = s.sides[s.turn]
    other = s.sides[1 - s.turn]
    for unit in side.soldiers:
        if unit.role == ATTACKER:
            score = fight_trick(here, s, s.number(side, unit), blockers_of(s, other, unit), key, up)
            if score > best:
                best = score
    return best


def fight_trick(here: PositionSummary, s: Engine, number: i64, blockers: i64, key: i64, up: bool) -> i64:
    """Return the `combat_trick` score of one attacker and the sum of its blockers."""
    mine_attacks = s.turn == here.me
    if blockers == UNBLOCKED:
        dies = not mine_attacks and not up and number <= key
        return 4 * number - 10 if dies else UNBLOCKED
    gap = number - blockers if mine_attacks else blockers - number  # > 0: I win the fight
    if here.revolution:
        gap = -gap
        if not up:
            return UNBLOCKED
    if gap > 0 or gap + key < 0:
        return UNBLOCKED
    saved = 2 * (number if mine_attacks else blockers)
    beaten = 2 * (blockers if mine_attacks else number)
    if gap + key > 0 and gap != 0:
        saved += beaten
    return saved - 12


def trick_gain(here: PositionSummary, s: Engine, unit: Unit, owner: i64, amount: i64) -> i64:
    """Score this change of a fighting unit's number by its effect on that fight."""
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
        if has_wall(other, attacker):
            return -30
        return 15 if owner == attacking else 0
    before = number - sum
    after = before + amount if unit.role == ATTACKER else before - amount
    if attacking != here.me:
        before = -before
        after = -after
    if here.revolution:
        before = -before
        after = -after
    if before <= 0 and after > 0:
        return 30 + number
    if before < 0 and after == 0:
        return 12
    return -20
