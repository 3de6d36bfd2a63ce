"""Attackers, blockers and the damage judgement (R-58…R-75)."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.engine import atoms, legality, zone_moves
from blackpoker.engine import events as ev
from blackpoker.engine.cards import LOW, VALUE
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import (
    ALL_DEALT_WITH,
    ATTACKER,
    BLOCKER,
    DONE,
    NOT_BEGUN,
    ROW_CODE,
    SIDE_CODE,
    Side,
    State,
    Unit,
)
from blackpoker.engine.tables import DRAWS_UNBLOCKED, LARGER_DIES, MUST_ATTACK, ON_UNBLOCKED, ON_WALL, WALL_PROOF

# -- attackers: named in field order, so that each set has one encoding ------------------------------------------------


def list_attackers(s: State, player: i64) -> None:
    """Offer the next possible attackers, and DONE unless a soldier that must attack (R-125) is left."""
    s.options = []
    options = s.options
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
                return
        index += 1
    options.append(DONE)


def take_attacker(s: State, player: i64, option: i64) -> None:
    unit = s.unit_by_code(option)
    assert unit is not None
    zone_moves.name_attacker(s, player, unit)


# -- blockers: attacker by attacker ------------------------------------------------------------------------------------


def next_attacker(s: State, player: i64, after: i64) -> Unit | None:
    """Return the attacker after the unit with this id, or the first one if the id is negative; None if none is left."""
    found = after < 0
    for unit in s.sides[player].soldiers:
        if unit.role == ATTACKER and found:
            return unit
        if unit.id == after:
            found = True
    return None


def assign_blockers(s: State, attacking: i64) -> bool:
    """Offer the next blocker; return True once every attacker has been handled."""
    if s.blocked == ALL_DEALT_WITH:
        return True
    if s.blocked == NOT_BEGUN:
        first = next_attacker(s, attacking, -1)
        if first is None:
            return True
        s.blocked = first.id
    while True:
        list_blockers(s, 1 - attacking)
        if len(s.options) > 1:
            return False
        if not next_block(s, attacking):
            return True


def next_block(s: State, attacking: i64) -> bool:
    attacker = next_attacker(s, attacking, s.blocked)
    s.blocker_count = 0
    s.last_blocker = -1
    if attacker is None:
        s.blocked = ALL_DEALT_WITH
        return False
    s.blocked = attacker.id
    return True


def list_blockers(s: State, defending: i64) -> None:
    """Offer the blockers of R-62: none, one bulwark, or one or more soldiers; each charged and not blocking yet."""
    s.options = [DONE]
    options = s.options
    side = s.sides[defending]
    index: i64 = 0
    for unit in side.soldiers:  # in field order, so that each set has one encoding
        later = s.blocker_count == 0 or index > s.last_blocker
        if later and legality.blocker_obstacle(unit, False, s.blocker_count) == legality.NONE:
            options.append(defending * SIDE_CODE + unit.lead)
        index += 1
    place: i64 = 0
    for unit in side.bulwarks:
        if legality.blocker_obstacle(unit, True, s.blocker_count) == legality.NONE:
            options.append(defending * SIDE_CODE + ROW_CODE + place)
        place += 1


def take_blocker(s: State, attacking: i64, option: i64) -> None:
    if option != DONE:
        unit = s.unit_by_code(option)
        assert unit is not None
        zone_moves.name_blocker(s, 1 - attacking, unit, s.blocked)
        if option % SIDE_CODE < ROW_CODE:
            s.blocker_count += 1
            s.last_blocker = 0
            for other in s.sides[1 - attacking].soldiers:
                if other is unit:
                    return
                s.last_blocker += 1
    next_block(s, attacking)


# -- the judgement -----------------------------------------------------------------------------------------------------


def blocks(blocker: Unit, attacker: Unit) -> bool:
    return blocker.role == BLOCKER and blocker.blocks == attacker.id


def bulwark_against(side: Side, attacker: Unit) -> Unit | None:
    for unit in side.bulwarks:
        if blocks(unit, attacker):
            return unit
    return None


def is_blocked(side: Side, attacker: Unit) -> bool:
    """Return whether soldiers block the attacker."""
    for unit in side.soldiers:
        if blocks(unit, attacker):
            return True
    return False


def blocking_sum(s: State, side: Side, attacker: Unit) -> i64:
    sum: i64 = 0
    for unit in side.soldiers:
        if blocks(unit, attacker):
            sum += s.number(side, unit)
    return sum


def compare_combat(s: State, attacking: i64) -> None:
    """Judge every pair by the state at the start, then apply all moves in the order of the attackers (R-66, R-70)."""
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
        bulwark = bulwark_against(other, attacker)
        if bulwark is not None:
            atoms.emit(s, ev.REVEALED, 1 - attacking, bulwark.cards, ev.ALL_AUDIENCES, 0, bulwark.id)
            if bulwark_matches(s, bulwark, attacker):
                doomed.append(attacker)
                doomed_owner.append(attacking)
            doomed.append(bulwark)
            doomed_owner.append(1 - attacking)
        elif is_blocked(other, attacker):
            sum = blocking_sum(s, other, attacker)
            attacker_falls = number >= sum if larger_dies else number <= sum
            blockers_fall = number <= sum if larger_dies else number >= sum
            if attacker_falls:
                doomed.append(attacker)
                doomed_owner.append(attacking)
                if larger_dies:
                    damage_to_attacker += number - sum
            if blockers_fall:
                for blocker in other.soldiers:
                    if blocks(blocker, attacker):
                        doomed.append(blocker)
                        doomed_owner.append(1 - attacking)
                if larger_dies:
                    damage_to_defender += sum - number
        else:
            unblocked += 1
            if number > 0:
                damage_to_defender += number
    fallen: i64 = 0
    for unit in doomed:
        if s.rules.kinds[unit.kind].bulwark:
            fallen += 1
    zone_moves.end_roles(s)
    draws = side.abilities & DRAWS_UNBLOCKED != 0
    index = 0
    for unit in doomed:
        atoms.bury(s, doomed_owner[index], unit)
        index += 1
    atoms.damage(s, attacking, damage_to_attacker)
    atoms.damage(s, 1 - attacking, damage_to_defender)
    while draws and unblocked > 0:
        atoms.fire_triggers(s, attacking, ON_UNBLOCKED, 1)
        unblocked -= 1
    while fallen > 0:  # N-415
        atoms.fire_triggers(s, 1 - attacking, ON_WALL, 0)
        fallen -= 1


def bulwark_matches(s: State, bulwark: Unit, attacker: Unit) -> bool:
    """Return whether the bulwark's block also removes the attacker: printed numbers only (R-68)."""
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
