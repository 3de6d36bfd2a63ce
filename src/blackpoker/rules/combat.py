"""Attackers, blockers and the damage judgement (R-58…R-75)."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import LOW, VALUE
from blackpoker.rules import atoms
from blackpoker.rules import events as ev
from blackpoker.rules.plan import DRAWS_UNBLOCKED, LARGER_DIES, MUST_ATTACK, ON_UNBLOCKED, WALL_PROOF
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import ATTACKER, BLOCKER, DONE, NO_ROLE, ROW_CODE, SIDE_CODE, State, Unit

# -- attackers: named in field order, so that each set has one wording -------------------------------------------------


def unnamed_attackers(s: State, player: i64) -> list[int]:
    """Who may be named next, and DONE unless one that must attack (R-125) is left."""
    options: list[int] = []
    side = s.sides[player]
    last: i64 = -1
    index: i64 = 0
    for unit in side.soldiers:
        if unit.role == ATTACKER:
            last = index
        index += 1
    index = 0
    for unit in side.soldiers:
        if index > last and may_attack(s, side, unit):
            options.append(player * SIDE_CODE + unit.lead)
            if side.abilities & MUST_ATTACK != 0 and s.rules.kinds[unit.kind].abilities & MUST_ATTACK != 0:
                return options
        index += 1
    options.append(DONE)
    return options


def take_attacker(s: State, player: i64, option: i64) -> None:
    unit = s.unit_by_code(option)
    assert unit is not None
    unit.role = ATTACKER
    atoms.emit(s, ev.ATTACKED, player, 0, ev.EVERYBODY, unit.kind, unit.id)
    atoms.drive(s, player, unit)


# -- blockers: attacker by attacker. s.v0 is the attacker asked about, s.v1 how many soldiers block it, s.v2 the place
#    of the last of them -----------------------------------------------------------------------------------------------


def next_attacker(s: State, player: i64, after: i64) -> Unit | None:
    """The first attacker, or the one after the unit with this id."""
    found = after < 0
    for unit in s.sides[player].soldiers:
        if unit.role == ATTACKER and found:
            return unit
        if unit.id == after:
            found = True
    return None


def assign_blockers(s: State, attacking: i64) -> bool:
    """Offer the next blocker; True once every attacker has been dealt with."""
    if s.v0 < 0:
        return True
    if s.v0 == 0:
        first = next_attacker(s, attacking, -1)
        if first is None:
            return True
        s.v0 = first.id
    while True:
        options = blocker_options(s, 1 - attacking)
        if len(options) > 1:
            s.options = options
            return False
        if not next_block(s, attacking):
            return True


def next_block(s: State, attacking: i64) -> bool:
    attacker = next_attacker(s, attacking, s.v0)
    s.v1 = 0
    s.v2 = -1
    if attacker is None:
        s.v0 = -1
        return False
    s.v0 = attacker.id
    return True


def blocker_options(s: State, defending: i64) -> list[int]:
    """R-62: nothing, or one bulwark, or one or more soldiers; each charged and blocking nobody else."""
    options: list[int] = [DONE]
    if s.v0 < 0:
        return options
    side = s.sides[defending]
    index: i64 = 0
    for unit in side.soldiers:
        if not unit.driven and unit.role == NO_ROLE and (s.v1 == 0 or index > s.v2):
            options.append(defending * SIDE_CODE + unit.lead)
        index += 1
    if s.v1 == 0:
        place: i64 = 0
        for unit in side.bulwarks:
            if not unit.driven and unit.role == NO_ROLE:
                options.append(defending * SIDE_CODE + ROW_CODE + place)
            place += 1
    return options


def take_blocker(s: State, attacking: i64, option: i64) -> None:
    if option != DONE:
        unit = s.unit_by_code(option)
        assert unit is not None
        unit.role = BLOCKER
        unit.blocks = s.v0
        atoms.emit(s, ev.BLOCKED, 1 - attacking, 0, ev.EVERYBODY, s.v0, unit.id)
        if option % SIDE_CODE < ROW_CODE:
            s.v1 += 1
            s.v2 = 0
            for other in s.sides[1 - attacking].soldiers:
                if other is unit:
                    return
                s.v2 += 1
    next_block(s, attacking)


# -- the judgement -----------------------------------------------------------------------------------------------------


def compare_combat(s: State, attacking: i64) -> None:
    """Every pair by the state at the start, all moves afterwards in the order of the attackers (R-66, R-70)."""
    side = s.sides[attacking]
    other = s.sides[1 - attacking]
    larger_dies = (side.abilities | other.abilities) & LARGER_DIES != 0
    doomed: list[Unit] = []
    doomed_owner: list[int] = []
    damage_to_attacker: i64 = 0
    damage_to_defender: i64 = 0
    unblocked: i64 = 0
    for attacker in side.soldiers:
        if attacker.role != ATTACKER:
            continue
        number = s.number(side, attacker)
        sum: i64 = 0
        blocked = False
        for blocker in other.soldiers:
            if blocker.role == BLOCKER and blocker.blocks == attacker.id:
                blocked = True
                sum += s.number(other, blocker)
        bulwark: Unit | None = None
        for wall in other.bulwarks:
            if wall.role == BLOCKER and wall.blocks == attacker.id:
                bulwark = wall
        if bulwark is not None:
            atoms.emit(s, ev.REVEALED, 1 - attacking, bulwark.cards, ev.EVERYBODY, 0, bulwark.id)
            if wall_matches(s, bulwark, attacker):
                doomed.append(attacker)
                doomed_owner.append(attacking)
            doomed.append(bulwark)
            doomed_owner.append(1 - attacking)
        elif blocked:
            attacker_falls = number >= sum if larger_dies else number <= sum
            blockers_fall = number <= sum if larger_dies else number >= sum
            if attacker_falls:
                doomed.append(attacker)
                doomed_owner.append(attacking)
                if larger_dies:
                    damage_to_attacker += number - sum
            if blockers_fall:
                for blocker in other.soldiers:
                    if blocker.role == BLOCKER and blocker.blocks == attacker.id:
                        doomed.append(blocker)
                        doomed_owner.append(1 - attacking)
                if larger_dies:
                    damage_to_defender += sum - number
        else:
            unblocked += 1
            if number > 0:
                damage_to_defender += number
    for unit in side.soldiers:
        unit.role = NO_ROLE
    for unit in other.soldiers:
        unit.role = NO_ROLE
        unit.blocks = -1
    for unit in other.bulwarks:
        unit.role = NO_ROLE
        unit.blocks = -1
    draws = side.abilities & DRAWS_UNBLOCKED != 0
    index = 0
    for unit in doomed:
        atoms.bury(s, doomed_owner[index], unit)
        index += 1
    atoms.damage(s, attacking, damage_to_attacker)
    atoms.damage(s, 1 - attacking, damage_to_defender)
    while draws and unblocked > 0:
        atoms.hear(s, attacking, ON_UNBLOCKED, 1)
        unblocked -= 1


def wall_matches(s: State, bulwark: Unit, attacker: Unit) -> bool:
    """Whether the bulwark's block takes the attacker with it: printed numbers only (R-68)."""
    if s.rules.kinds[attacker.kind].abilities & WALL_PROOF != 0:
        return False
    number: i64 = VALUE[bulwark.lead]
    if number == 0:
        return True
    cards = attacker.cards
    while cards != 0:
        low: i64 = cards & -cards
        if VALUE[LOW[low % 59]] == number:
            return True
        cards ^= low
    return False
