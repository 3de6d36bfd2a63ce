"""Roles of combat actions: attack, change numbers, charge and drive, kill."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.action_role import Role
from blackpoker.ai.heuristics.fighting import attack_score
from blackpoker.ai.heuristics.position_summary import (
    KEEP,
    NEVER,
    WINS,
    PositionSummary,
    highest,
    two_highest,
    worth_of,
)
from blackpoker.ai.heuristics.threats import combat_trick, danger_now, trick_gain
from blackpoker.engine.cards import LOW, VALUE, total
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import Request
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import NO_ROLE, ROW_CODE, SIDE_CODE, Unit
from blackpoker.engine.step import ATTACK, BLOCK, JUDGEMENT
from blackpoker.engine.tables import CompiledAction


class Attack(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return attack_score(here, s)


class Up(Role):
    """Add the key to a soldier's number."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        sum = here.ready_sum + highest(s.sides[here.me].hand & plan.key_a)
        return 20 if here.blockers == 0 and here.ready > 0 and sum >= here.op_life else -30

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if here.top != JUDGEMENT:
            return -30
        return combat_trick(here, s, highest(s.sides[here.me].hand & plan.key_a), True)

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 20

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 2 * VALUE[option]

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return strengthen_score(here, s, draft, option)


class Encourage(Role):
    """A driven soldier adds its number to another."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -15

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 25 if here.top == JUDGEMENT else -30

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return strengthen_score(here, s, draft, option)


def strengthen_score(here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    owner = option // SIDE_CODE
    if owner != here.me:
        return -60
    if unit.role != NO_ROLE:
        return 40 + trick_gain(here, s, unit, owner, total(draft.keys))
    return 25 if may_attack(s, s.sides[owner], unit) else 20


class Down(Role):
    """Subtract the key from a soldier's number; a soldier at 0 dies."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return kill_by_key(here, s, highest(s.sides[here.me].hand & plan.key_a))

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        best = highest(s.sides[here.me].hand & plan.key_a)
        if here.top == JUDGEMENT:
            return combat_trick(here, s, best, False)
        if here.top == ATTACK and s.turn != here.me:
            return kill_by_key(here, s, best)
        return -30

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 20

    def kills(self, s: Engine, request: Request, number: i64) -> bool:
        return number <= total(request.keys)

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 2 * VALUE[option]

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        owner = option // SIDE_CODE
        if owner == here.me:
            return -80
        number = s.number(s.sides[owner], unit)
        key: i64 = total(draft.keys)
        if number <= key:
            return 40 + 2 * number
        if unit.role != NO_ROLE:
            return 10 + trick_gain(here, s, unit, owner, -key)
        return -10


def kill_by_key(here: PositionSummary, s: Engine, key: i64) -> i64:
    """Score the best soldier that the key kills outright."""
    theirs = s.sides[1 - here.me]
    worth: i64 = 0
    for unit in theirs.soldiers:
        number = s.number(theirs, unit)
        if number <= key and number > worth:
            worth = number
    return 4 * worth - 10 if worth >= 3 else -25


class Twist(Role):
    """Charge or drive a unit."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        # drive the only blocker, or wake an attacker
        wins = here.ready > 0 and here.blockers == 1 and here.ready_sum >= here.op_life
        return 150 if wins else -25

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        attacking = s.turn == here.me
        if here.top == ATTACK and not attacking:
            # hold back the largest attacker
            if danger_now(here, s) >= here.my_life:
                return 80
            return 3 * here.b_top - 20
        if here.top == BLOCK and attacking and here.hits >= here.op_life:
            return 30 if here.blockers == 1 else -20
        return -40

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 20

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        unit = s.unit_by_code(option)
        if unit is not None and option // SIDE_CODE == here.me:
            return 5 if unit.driven else -40
        return drive_score(here, s, option)

    def choice(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return state_score(here, s, option)


class Drive(Role):
    """A driven soldier drives another unit."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -15

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 15 if here.top == ATTACK and s.turn != here.me else -20

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        if s.unit_by_code(option) is not None and option // SIDE_CODE == here.me:
            return -30
        return drive_score(here, s, option)


def drive_score(here: PositionSummary, s: Engine, option: i64) -> i64:
    """Score driving this unit of the opponent."""
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    if unit.driven:
        return -40
    side = s.sides[option // SIDE_CODE]
    if s.turn == here.me:
        return 20 + worth_of(s, side, unit)
    return 20 + 2 * s.number(side, unit) if option % SIDE_CODE < ROW_CODE else -30


def state_score(here: PositionSummary, s: Engine, option: i64) -> i64:
    """Score a state: charge an own unit, drive an opposing one."""
    active = s.active
    if active is None or option == 2 or s.unit(active.target) is None:
        return 0
    mine = s.owner_of(active.target) == here.me
    return 15 if (option == 0) == mine else -15


class Reverse(Role):
    """Turn a soldier into a bulwark or a bulwark into a soldier."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 8 + 3 * here.b_top if here.b_top >= 8 else -10

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 25

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        owner = option // SIDE_CODE
        if owner == here.me:
            return -20
        return 3 * s.number(s.sides[owner], unit) if option % SIDE_CODE < ROW_CODE else -15

    def choice(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return state_score(here, s, option)


class Kill(Role):
    """Put a soldier into the grave."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        emptied = best_life_exhaustion(here, s)
        if emptied > 0:
            return emptied
        return 4 * here.b_top - 4 if here.b_top >= 6 else -20

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        emptied = best_life_exhaustion(here, s)
        if emptied > 0:
            return emptied
        if here.top == BLOCK or here.top == JUDGEMENT or here.top == ATTACK:
            if s.turn != here.me and here.hits >= here.my_life:
                return 90
            return 3 * here.b_top - 14 if here.b_top >= 6 else -15
        return -20

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 35

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return victim_score(here, s, option)


class Slash(Role):
    """A driven soldier kills another that is no larger."""

    def kills(self, s: Engine, request: Request, number: i64) -> bool:
        source = s.unit(request.source)
        return source is not None and number <= s.number(s.sides[request.controller], source)

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 30 if here.b_top > 0 else -30

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return victim_score(here, s, option)


class KillTogether(Role):
    """Sacrifice own soldiers to kill another."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -20

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if len(s.sides[here.me].soldiers) == 0:
            return -60
        return 10 if here.top == JUDGEMENT and here.b_top >= 8 else -30

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return victim_score(here, s, option)


def life_exhaustion_value(here: PositionSummary, s: Engine, unit: Unit) -> i64:
    """Return the value of removing this opposing unit because of the action it triggers. The opponent's life is
    turned over until a face comes (one card in three), which may exhaust a small life (R-179).
    """
    kind = s.kind_of(unit)
    life = here.op_life
    if kind.leave_action < 0 or life > 4 or (kind.leave_cards != 0 and kind.leave_cards & unit.cards == 0):
        return 0
    if not here.roles[kind.leave_action].mills:
        return 0
    if life == 1:
        return WINS
    return 290 if life == 2 else 180 if life == 3 else 110


def best_life_exhaustion(here: PositionSummary, s: Engine) -> i64:
    """Return the highest `emptying` score among the opponent's soldiers."""
    best: i64 = 0
    for unit in s.sides[1 - here.me].soldiers:
        score = life_exhaustion_value(here, s, unit)
        best = score if score > best else best
    return best


def victim_score(here: PositionSummary, s: Engine, option: i64) -> i64:
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    owner = option // SIDE_CODE
    return (
        -80 if owner == here.me else 10 + 3 * worth_of(s, s.sides[owner], unit) + life_exhaustion_value(here, s, unit)
    )


class DestroyBulwark(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if not s.sides[1 - here.me].bulwarks:
            return -40
        return 47 if here.ready >= here.blockers and here.blockers > 0 else 22

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 12

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        if option // SIDE_CODE == here.me:
            return -60
        return (15 if unit.driven else 25) + (5 if VALUE[unit.lead] > 10 else 0)


class DeathLance(Role):
    """Put a soldier with a number divisible by the second key on its owner's life; the owner takes the first key as
    damage.
    """

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        mine = s.sides[here.me]
        theirs = s.sides[1 - here.me]
        spade = highest(mine.hand & plan.key_a)
        best: i64 = -30
        for unit in theirs.soldiers:
            number = s.number(theirs, unit)
            if divides(mine.hand & plan.key_b, number):
                if spade > here.op_life:
                    return WINS
                score = 3 * number + 4 * spade - 6
                if score > best:
                    best = score
        return best

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 35

    def kills(self, s: Engine, request: Request, number: i64) -> bool:
        return divides(request.keys & ~8191, number)

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        value: i64 = VALUE[option]
        if option < 13:
            return 5 * value
        theirs = s.sides[1 - here.me]
        for unit in theirs.soldiers:
            number = s.number(theirs, unit)
            if number != 0 and number % value == 0:
                return 20 + number - KEEP[option] // 2
        return -20

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        owner = option // SIDE_CODE
        number = s.number(s.sides[owner], unit)
        divisor = highest(draft.keys & ~8191)
        hit = divisor > 0 and number != 0 and number % divisor == 0
        if owner == here.me:
            return NEVER if hit and highest(draft.keys & 8191) >= here.my_life else -60
        return 20 + 2 * number if hit else -30


def divides(cards: i64, number: i64) -> bool:
    """Return whether the number of one of these cards divides ``number``."""
    while cards != 0 and number != 0:
        low: i64 = cards & -cards
        if number % VALUE[LOW[low % 59]] == 0:
            return True
        cards ^= low
    return False


class Force(Role):
    """Add the keys to all own soldiers."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        gain = two_highest(s.sides[here.me].hand & plan.key_a) * here.ready
        if here.ready > here.blockers and here.ready_sum + gain >= here.op_life:
            return 120
        return -10 if here.ready < 2 else 5

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 2 * VALUE[option]


class BuryUpTo(Role):
    """Bury all soldiers of both sides up to a number: the sum of the keys, or ``limit``."""

    def __init__(self, limit: i64, worth: i64) -> None:
        super().__init__(worth)
        self.limit: i64 = limit

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        limit = self.limit if self.limit > 0 else two_highest(s.sides[here.me].hand & plan.key_a)
        gain: i64 = 0
        theirs = s.sides[1 - here.me]
        for unit in theirs.soldiers:
            if s.number(theirs, unit) <= limit:
                gain += worth_of(s, theirs, unit)
        mine = s.sides[here.me]
        for unit in mine.soldiers:
            if s.number(mine, unit) <= limit:
                gain -= worth_of(s, mine, unit)
        return 3 * gain - 20

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 2 * VALUE[option]


class BuryEverything(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -10 + 12 * (here.op_count - len(s.sides[here.me].soldiers))


class Sweep(Role):
    """The opponent gives up a unit of their choice."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        theirs = s.sides[1 - here.me]
        return 40 if theirs.soldiers or theirs.bulwarks else -30

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 15


class AttackAgain(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 20 if here.blockers == 0 and len(s.sides[here.me].soldiers) > 1 else -25
