"""Net input: the list of set bits that describes a world from the point of view of one player.

Bits only, so that every build sums the same integers. Actions, kinds of units and limits have the same ids in every
format of an edition (``stable_ids``); local editions use spare ids. The hands and piles of both sides are read, so the
argument must be a determinized world (``determinization.determinize``), never the real game.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.cards import LOW, VALUE, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.request import UNIT, Request
from blackpoker.engine.setup import STEP
from blackpoker.engine.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKER,
    BLOCKERS_KIND,
    BULWARK_KIND,
    CARD_KIND,
    CARDS_KIND,
    CLOSE_FOG,
    DISCARD_KIND,
    DONE,
    GRAVE_KIND,
    KEY_KIND,
    ROW_CODE,
    SACRIFICE_KIND,
    SETUP_KIND,
    SHOWN_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_CODE,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
    Side,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)

#: incremented when the meaning of a bit changes; nets of another version are rejected
VERSION: Final = 2

#: capacity for actions, kinds of units and limits, including spare ids
ACTIONS: Final = 112
UNIT_KINDS: Final = 16
LIMITS: Final = 16
NUMBERS: Final = 26  # numbers of a soldier
DECISIONS: Final = 26  # kinds of decisions
FORMATS: Final = 8
#: sizes of a pack (N-051)
PACK_SIZES: Final = 16

# Bits of one side.
HAND: Final = 0
GRAVE: Final = HAND + 54
LIFE: Final = GRAVE + 54
HAND_COUNT: Final = LIFE + 42
SOLDIER: Final = HAND_COUNT + 16  # by number, charged and driven
ATTACKS: Final = SOLDIER + 2 * NUMBERS
BLOCKS: Final = ATTACKS + NUMBERS
FRESH: Final = BLOCKS + NUMBERS
KIND: Final = FRESH + NUMBERS  # charged and driven
LEAD: Final = KIND + 2 * UNIT_KINDS
WALL: Final = LEAD + 54
READY_WALLS: Final = WALL + 54
DRIVEN_WALLS: Final = READY_WALLS + 12
USED: Final = DRIVEN_WALLS + 12
USED_GAME: Final = USED + LIMITS
ABILITIES: Final = USED_GAME + LIMITS
OPEN: Final = ABILITIES + 16
TRUMPS: Final = OPEN + 54
SOLDIERS: Final = TRUMPS + 54
POWER: Final = SOLDIERS + 10  # sum of the soldiers' numbers
READY: Final = POWER + 40  # of those that are charged
LARGEST: Final = READY + 40
POWER_LEAD: Final = LARGEST + NUMBERS  # power minus the opponent's life
THROUGH: Final = POWER_LEAD + 41  # soldiers minus the opponent's charged units
HITS: Final = THROUGH + 13  # damage of unblocked attackers
FIGHTS: Final = HITS + 24  # blocked attackers: larger than, equal to, smaller than their blockers
PACK: Final = FIGHTS + 3
PACK_COUNT: Final = PACK + 4
OPEN_PACK: Final = PACK_COUNT + PACK_SIZES  # cards of an open pack
RARE: Final = OPEN_PACK + 54  # the rare card (N-070)
GRAVE_TOP: Final = RARE + 54  # the top of a grave with an order (N-052)
FOGS: Final = GRAVE_TOP + 54  # by kind (N-060)
FOG_CARDS: Final = FOGS + 4
LOCKED: Final = FOG_CARDS + 54  # trumps that a fog keeps closed (N-321)
SIDE: Final = LOCKED + 54

# Bits shared by both sides.
DECISION: Final = 2 * SIDE
TURN: Final = DECISION + DECISIONS
PASSED: Final = TURN + 1
STALL: Final = PASSED + 2
LIFE_LEAD: Final = STALL + 1  # own life minus the opponent's
TURN_NUMBER: Final = LIFE_LEAD + 41  # turn number
DRAFT: Final = TURN_NUMBER + 24
WORD: Final = DRAFT + ACTIONS
DRAFT_KEYS: Final = WORD + 9
DISCARDS: Final = DRAFT_KEYS + 54
PAYING: Final = DISCARDS + 54
STAGE: Final = PAYING + 5  # mine, then the opponent's
STAGE_DEPTH: Final = STAGE + 2 * ACTIONS
TOP: Final = STAGE_DEPTH + 6
TOP_TARGET: Final = TOP + 2 * ACTIONS
TOP_KEYS: Final = TOP_TARGET + 2 * NUMBERS + 2
ACTIVE: Final = TOP_KEYS + NUMBERS
BLOCKED: Final = ACTIVE + 2 * ACTIONS
BLOCKER_COUNT: Final = BLOCKED + NUMBERS
FORMAT: Final = BLOCKER_COUNT + 5
SETUP_STEP: Final = FORMAT + FORMATS  # step of a set-up that asks (``engine.setup``)
PICKED: Final = SETUP_STEP + STEP  # cards kept in a draft (N-140)
BITS: Final = PICKED + 54

# Rows of the policy: one block per kind of decision.
UNIT_ROWS: Final = 2 * (2 * NUMBERS + 2) + 2
CARD_ROWS: Final = 56
OTHER_ROWS: Final = 66
CHANCE_ROWS: Final = 2 * (ACTIONS + 1)
#: by kind of decision: type of its options; 0 other, 1 cards, 2 units, 3 requests
ROW_KIND: Final[list[int]] = [
    3
    if kind == CHANCE_KIND
    else 1
    if kind in (KEY_KIND, DISCARD_KIND, CARD_KIND, CARDS_KIND, TRUMPS_KIND, SHOWN_KIND, SETUP_KIND, GRAVE_KIND)
    else 2
    if kind
    in (SOURCE_KIND, BULWARK_KIND, SACRIFICE_KIND, TARGET_KIND, UNIT_KIND, UNITS_KIND, ATTACKERS_KIND, BLOCKERS_KIND)
    else 0
    for kind in range(DECISIONS)
]
_SIZES: Final = [(OTHER_ROWS, CARD_ROWS, UNIT_ROWS, CHANCE_ROWS)[kind] for kind in ROW_KIND]
ROW_START: Final[list[int]] = [sum(_SIZES[:kind]) for kind in range(DECISIONS)]
ROWS: Final = sum(_SIZES)
#: rows for the card that a unit option shows; the last row of a block means no card
LEAD_ROWS: Final = DECISIONS * 55

#: storage in the native build, see ``engine.request``
STORAGE: Final = {"FeatureMap": {"actions": "128 u8", "kinds": "64 u8", "limits": "31 u8", "format": "u8"}}


class FeatureMap:
    """Mapping from the indices of one set of definitions to the ids used by every net."""

    __slots__ = ("actions", "format", "kinds", "limits")

    def __init__(self, actions: list[int], kinds: list[int], limits: list[int], format: i64) -> None:
        self.actions: list[int] = actions  # by index in the rules
        self.kinds: list[int] = kinds
        self.limits: list[int] = limits  # by index of the limit's bit
        self.format: i64 = format  # by index in the edition


def clip(n: i64, most: i64) -> i64:
    """Return ``n`` clamped to 0 … ``most``."""
    if n < 0:
        return 0
    return most if n > most else n


def add_cards(first: i64, cards: i64, out: list[int]) -> None:
    while cards != 0:
        low: i64 = cards & -cards
        out.append(first + LOW[low % 59])
        cards ^= low


def extract(feature_map: FeatureMap, s: Engine, me: i64, out: list[int]) -> None:
    """Fill ``out`` with the set bits from the point of view of this player."""
    out.clear()
    mine = s.sides[me]
    theirs = s.sides[1 - me]
    extract_side(feature_map, s, mine, theirs, 0, out)
    extract_side(feature_map, s, theirs, mine, SIDE, out)
    if s.kind == TRUMPS_KIND:
        add_cards(TRUMPS, mine.picked, out)
    if s.kind == SETUP_KIND:
        out.append(SETUP_STEP + s.rules.setup[s.setup_step // 2] // STEP)
        add_cards(PICKED, mine.picked, out)
    extract_fogs(s, me, out)
    out.append(FORMAT + feature_map.format)
    out.append(DECISION + s.kind)
    if s.turn == me:
        out.append(TURN)
    if s.passed & (me + 1) != 0:
        out.append(PASSED)
    if s.passed & (2 - me) != 0:
        out.append(PASSED + 1)
    if s.stall:
        out.append(STALL)
    mine_life: i64 = len(mine.life)
    out.append(LIFE_LEAD + clip(mine_life - len(theirs.life) + 20, 40))
    out.append(TURN_NUMBER + clip(s.turn_number, 23))
    extract_stage(feature_map, s, me, out)
    draft = s.draft
    if draft is not None:
        out.append(DRAFT + feature_map.actions[draft.action])
        out.append(WORD + clip(s.token_index, 8))
        add_cards(DRAFT_KEYS, draft.keys, out)
        add_cards(DISCARDS, s.discards, out)
        out.append(PAYING + clip(len(s.paying), 4))
    active = s.active
    if active is not None:
        out.append(ACTIVE + (0 if active.controller == me else ACTIONS) + feature_map.actions[active.action])
    if s.kind == BLOCKERS_KIND and s.blocked > 0:
        side = s.sides[s.turn]
        for unit in side.soldiers:
            if unit.id == s.blocked:
                out.append(BLOCKED + clip(s.number(side, unit), NUMBERS - 1))
        out.append(BLOCKER_COUNT + clip(s.blocker_count, 4))


def extract_side(feature_map: FeatureMap, s: Engine, side: Side, other: Side, at: i64, out: list[int]) -> None:
    """Append the bits of one side; ``at``: offset of its block."""
    extract_zones(feature_map, side, at, out)
    power: i64 = 0
    ready: i64 = 0
    largest: i64 = 0
    hits: i64 = 0
    attackers: i64 = 0
    for unit in side.soldiers:
        number = s.number(side, unit)
        n: i64 = clip(number, NUMBERS - 1)
        out.append(at + SOLDIER + n + (NUMBERS if unit.driven else 0))
        out.append(at + KIND + feature_map.kinds[unit.kind] + (UNIT_KINDS if unit.driven else 0))
        out.append(at + LEAD + clip(unit.lead, 53))
        if unit.cards & ~side.fresh == 0:
            out.append(at + FRESH + n)
        power += n
        if not unit.driven:
            ready += n
        if n > largest:
            largest = n
        if unit.role == ATTACKER:
            out.append(at + ATTACKS + n)
            attackers += 1
            against: i64 = blockers_of(s, other, unit.id)
            if against < 0:
                hits += n
            else:
                out.append(at + FIGHTS + (0 if n > against else 1 if n == against else 2))
        elif unit.role == BLOCKER:
            out.append(at + BLOCKS + n)
    out.append(at + SOLDIERS + clip(len(side.soldiers), 9))
    out.append(at + POWER + clip(power, 39))
    out.append(at + READY + clip(ready, 39))
    out.append(at + LARGEST + largest)
    out.append(at + POWER_LEAD + clip(power - len(other.life) + 20, 40))
    guards: i64 = 0
    for unit in other.soldiers:
        if not unit.driven:
            guards += 1
    for unit in other.bulwarks:
        if not unit.driven:
            guards += 1
    soldiers: i64 = len(side.soldiers)
    out.append(at + THROUGH + clip(soldiers - guards + 6, 12))
    if attackers > 0:
        out.append(at + HITS + clip(hits, 23))


def extract_zones(feature_map: FeatureMap, side: Side, at: i64, out: list[int]) -> None:
    """Append the bits of cards, bulwarks, limits, abilities and trumps of one side."""
    add_cards(at + HAND, side.hand, out)
    add_cards(at + GRAVE, side.grave | side.aside, out)
    out.append(at + LIFE + clip(len(side.life), 41))
    out.append(at + HAND_COUNT + clip(side.hand_count, 15))
    walls: i64 = 0
    for unit in side.bulwarks:
        out.append(at + WALL + clip(unit.lead, 53))
        if not unit.driven:
            walls += 1
    out.append(at + READY_WALLS + clip(walls, 11))
    out.append(at + DRIVEN_WALLS + clip(len(side.bulwarks) - walls, 11))
    bit: i64 = 1
    for limit in feature_map.limits:
        if side.used & bit != 0:
            out.append(at + USED + limit)
        if side.used_game & bit != 0:
            out.append(at + USED_GAME + limit)
        bit *= 2
    abilities: i64 = side.abilities
    if abilities != 0:
        ability: i64 = 0
        while ability < 16:
            if abilities % 2 == 1:
                out.append(at + ABILITIES + ability)
            abilities = abilities // 2
            ability += 1
    add_cards(at + OPEN, side.open_trumps, out)
    for card in side.trumps:
        out.append(at + TRUMPS + card)
    if side.pack != 0:
        out.append(at + PACK + (1 if side.pack_open else 0))
        out.append(at + PACK_COUNT + clip(count(side.pack), PACK_SIZES - 1))
        if side.pack_open:
            add_cards(at + OPEN_PACK, side.pack, out)
    if side.rare != 0:
        add_cards(at + RARE, side.rare, out)


def extract_fogs(s: Engine, me: i64, out: list[int]) -> None:
    """Append the bits of the fogs of both sides and of the tops of ordered graves."""
    owner: i64 = 0
    for side in s.sides:
        at: i64 = 0 if owner == me else SIDE
        for fog in side.fogs:
            kind = fog_kind(fog)
            out.append(at + FOGS + kind)
            out.append(at + FOG_CARDS + fog_first(fog))
            if fog_second(fog) >= 0:
                out.append(at + FOG_CARDS + fog_second(fog))
            target = fog_target(fog)
            if kind == CLOSE_FOG and target >= 0:
                out.append((0 if target // TRUMP_CODE == me else SIDE) + LOCKED + target % TRUMP_CODE)
        if s.rules.grave_piles and side.grave_top >= 0:
            out.append(at + GRAVE_TOP + side.grave_top)
        owner += 1


def blockers_of(s: Engine, side: Side, attacker: i64) -> i64:
    """Return the sum of this attacker's blockers (a bulwark counts 99), or -1 if there is none."""
    sum: i64 = -1
    for unit in side.soldiers:
        if unit.blocks == attacker and unit.role == BLOCKER:
            sum = max(sum, 0) + s.number(side, unit)
    for unit in side.bulwarks:
        if unit.blocks == attacker and unit.role == BLOCKER:
            sum = max(sum, 0) + 99
    return sum


def extract_stage(feature_map: FeatureMap, s: Engine, me: i64, out: list[int]) -> None:
    depth: i64 = len(s.stage)
    out.append(STAGE_DEPTH + clip(depth, 5))
    for request in s.stage:
        out.append(STAGE + (0 if request.controller == me else ACTIONS) + feature_map.actions[request.action])
        depth -= 1
        if depth == 0:
            extract_top_request(feature_map, s, me, request, out)


def extract_top_request(feature_map: FeatureMap, s: Engine, me: i64, request: Request, out: list[int]) -> None:
    """Append the bits of the request that takes effect next: its keys and its target."""
    out.append(TOP + (0 if request.controller == me else ACTIONS) + feature_map.actions[request.action])
    sum: i64 = 0
    keys: i64 = request.keys
    while keys != 0:
        low: i64 = keys & -keys
        sum += VALUE[LOW[low % 59]]
        keys ^= low
    out.append(TOP_KEYS + clip(sum, NUMBERS - 1))
    if request.target_kind != UNIT:
        return
    owner: i64 = 0
    for side in s.sides:
        for unit in side.soldiers:
            if unit.id == request.target:
                aimed: i64 = clip(s.number(side, unit), NUMBERS - 1)
                out.append(TOP_TARGET + (0 if owner == me else NUMBERS) + aimed)
        for unit in side.bulwarks:
            if unit.id == request.target:
                out.append(TOP_TARGET + 2 * NUMBERS + (0 if owner == me else 1))
        owner += 1


def option_row(feature_map: FeatureMap, s: Engine, option: i64) -> i64:
    """Return the policy row of an option combined with the row of the card it shows: row * 2048 + card row."""
    kind = s.kind
    me = s.asked
    what: i64 = ROW_KIND[kind]
    start: i64 = ROW_START[kind]
    lead: i64 = kind * 55 + 54
    if what == 3:
        if s.turn != me or len(s.stage) > 0:
            start += ACTIONS + 1
        if option != 0:
            start += 1 + feature_map.actions[option - 1]
        return start * 2048 + lead
    if what == 1:
        place: i64 = option
        if option >= 54:
            place = 55 if option == DONE else 54
        return (start + place) * 2048 + lead
    if what == 2:
        if option == DONE:
            return (start + UNIT_ROWS - 1) * 2048 + lead
        unit = s.unit_by_code(option)
        if unit is None:
            return (start + UNIT_ROWS - 2) * 2048 + lead
        owner: i64 = option // SIDE_CODE
        if owner != me:
            start += 2 * NUMBERS + 2
        if option % SIDE_CODE >= ROW_CODE:
            start += 2 * NUMBERS
        else:
            start += 2 * clip(s.number(s.sides[owner], unit), NUMBERS - 1)
        if unit.driven:
            start += 1
        return start * 2048 + kind * 55 + clip(unit.lead, 53)
    return (start + (OTHER_ROWS - 1 if option == DONE else clip(option, OTHER_ROWS - 2))) * 2048 + lead
