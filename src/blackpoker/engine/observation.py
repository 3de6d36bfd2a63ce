"""The observation of a seat (R-210…R-216) as a row of bytes: the content of ``visibility.view``, for learning programs.

A hot module: interpreted, compiled and translated code write the same row. ``envs/layout.py`` documents the layout
field by field and decodes rows; ``VERSION`` changes with it. Rows of edition 9 have codes of their own in the same
fields, for fogs, the rare card and the pack; ``VERSION_9`` is their version. All fields are relative to the seat: its
own side comes first, 1 is the seat itself and 2 the other. A row must be zero before it is written.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.cards import BIT, LOW, count
from blackpoker.engine.flow import CHANCE_KIND, DRAW, OVER, TRIGGER_KIND, UNDECIDED
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.state import (
    BLOCKER,
    BLOCKERS_KIND,
    CARDS_KIND,
    CLOSE_FOG,
    FORCE_FOG,
    LIFE_COUNTED,
    OPTION_KIND,
    ORDER_KIND,
    RETARGET_KIND,
    ROW_CODE,
    SETUP_KIND,
    SHOWN_KIND,
    SIDE_CODE,
    TARGET_KIND,
    TRUMP_CODE,
    TRUMPS_KIND,
    UNITS_KIND,
    Side,
    State,
    Unit,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)
from blackpoker.engine.tables import (
    A_REQUEST,
    A_SET,
    A_UNIT,
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    NO_CHOICE,
    Instruction,
)

VERSION: Final = 0
VERSION_9: Final = 1
#: bytes of a row
SIZE: Final = 614

# Offsets of the parts: the two sides, the requests, and the partial move of the asked seat.
SIDES: Final = 14
SIDE_SIZE: Final = 219
REQUESTS: Final = 452
REQUEST_SIZE: Final = 8
PARTIAL_MOVE: Final = 524
# Inside a side.
CARDS: Final = 13
SOLDIERS: Final = 67
BULWARKS: Final = 163
TRUMPS: Final = 211
# Inside the partial move.
PAYING: Final = 6
CHOSEN: Final = 12
ORDER: Final = 20
PICKED_CARDS: Final = 36

#: number of rows for soldiers, bulwarks and ordered items; further ones are only counted. ``STAGE_ROWS``: for requests
ROWS: Final = 16
STAGE_ROWS: Final = 8
TRUMP_ROWS: Final = 4
#: numbers are written with this added, so that small negative ones fit a byte
ZERO: Final = 64

# Location of a card as known to the seat; 0: unknown.
IN_HAND: Final = 1
IN_HAND_SEEN: Final = 2  # own card: the opponent knows it is there
IN_GRAVE: Final = 3
IN_GRAVE_SEEN: Final = 4
IN_BULWARK: Final = 5
IN_TRUMPS: Final = 6
IN_ASIDE: Final = 7
IN_PACK: Final = 8
IN_RARE: Final = 9
IN_FOG: Final = 10  # a fog that has lost what it was bound to
IN_FORCE: Final = 11  # + the number of the fog: it is bound to nothing
IN_FOG_OF: Final = 16  # + the row of the soldier it is bound to, + ROWS for those of the other side
IN_FOG_OF_TRUMP: Final = 48  # + the place of the trump it is bound to, + TRUMP_ROWS for those of the other side
IN_LIFE_TOP: Final = 64  # + distance from the top
IN_LIFE_BOTTOM: Final = 128  # + distance from the bottom
IN_SOLDIER: Final = 192  # + its row
IN_REQUEST: Final = 224  # + its row; a key

# A unit's state, one bit each.
IS_THERE: Final = 1
IS_DRIVEN: Final = 2
IS_NEW: Final = 4
IS_UNCLEAR: Final = 8  # only its player knows whether it is new
IS_ATTACKER: Final = 16
IS_BLOCKER: Final = 32
#: by role: nothing, IS_ATTACKER, IS_BLOCKER
ROLE_STATE: Final[list[int]] = [0, 16, 32]
#: of a trump
IS_OPEN: Final = 2
#: added to the state of a pack: there is a rare card
HAS_RARE: Final = 4

# Role of a card in the partial move, one bit each.
PICKED_KEY: Final = 1
PICKED_DISCARD: Final = 2
PICKED_TRUMP: Final = 4
PICKED_NOW: Final = 8  # chosen in the current decision
PICKED_BEFORE: Final = 16  # chosen in an earlier decision of this effect

# Types of the options of a decision.
A_WORD: Final = 0
CARD: Final = 1
A_UNIT_CODE: Final = 2
A_STAGED: Final = 3
A_PLAYER: Final = 4
A_TRUMP: Final = 5
#: type by kind of decision; targets and orders depend on more (``option_type``)
OPTION_TYPES: Final[list[int]] = [0, 0, 0, 1, 0, 2, 2, 1, 2, 0, 1, 1, 2, 2, 0, 2, 2, 3, 0, 0, 5, 1, 1, 1, 1]


def encode(s: State, seat: i64, out: list[int]) -> None:
    """Write the observation of this seat into a row of zeros."""
    head(s, seat, out)
    side_row(s, seat, seat, SIDES, out)
    side_row(s, 1 - seat, seat, SIDES + SIDE_SIZE, out)
    row: i64 = 0
    for request in s.stage:
        if row < STAGE_ROWS:
            request_row(s, seat, request, row, out)
        row += 1
    active = s.active
    if active is not None:
        request_row(s, seat, active, STAGE_ROWS, out)
    if s.asked == seat and s.kind != CHANCE_KIND:
        partial_move(s, seat, out)


def shown_kind(s: State, seat: i64) -> i64:
    """Return the same as ``visibility.shown_kind``."""
    kind = s.kind
    if s.asked == seat:
        return kind
    if s.draft is not None:
        return CHANCE_KIND
    return CARDS_KIND if kind == SHOWN_KIND else kind


def head(s: State, seat: i64, out: list[int]) -> None:
    out[0] = seat
    if s.asked >= 0 and s.winner == UNDECIDED:
        kind = shown_kind(s, seat)
        out[1] = 1 if s.asked == seat else 2
        out[2] = kind
        if s.asked == seat:
            out[3] = option_type(s)
            out[13] = len(s.options)
        if kind == OPTION_KIND or (s.asked == seat and s.draft is None and s.active is not None):
            out[4] = s.pc + 1
    out[5] = 1 if s.turn == seat else 2
    out[6] = 1 if s.chance == seat else 2
    out[7] = s.turn_number & 255
    out[8] = s.turn_number >> 8
    out[9] = 1 if s.passed & (1 + seat) != 0 else 0
    out[10] = 1 if s.passed & (2 - seat) != 0 else 0
    if s.point == OVER:
        out[11] = 3 if s.winner == DRAW else (1 if s.winner == seat else 2)
    out[12] = len(s.stage)


def option_type(s: State) -> i64:
    """Return the type of the current options."""
    kind = s.kind
    if kind == ORDER_KIND:  # of cards, or of bulwarks in their row
        return CARD if s.options[0] < 54 else A_UNIT_CODE
    if kind != TARGET_KIND and kind != RETARGET_KIND:
        return OPTION_TYPES[kind]
    request = s.draft
    if kind == RETARGET_KIND:
        active = s.active
        assert active is not None
        request = s.staged_request(active.target)
    if request is None:
        return A_WORD
    aim = s.rules.plans[request.action].aim
    if aim == AIM_REQUEST:
        return A_STAGED
    if aim == AIM_PLAYER:
        return A_PLAYER
    return A_TRUMP if aim == AIM_TRUMP else A_UNIT_CODE


# -- a side ------------------------------------------------------------------------------------------------------------


def side_row(s: State, owner: i64, seat: i64, start: i64, out: list[int]) -> None:
    side = s.sides[owner]
    own = owner == seat
    others: i64 = side.public | side.seen  # known to the opponent of the owner
    known: i64 = side.public | side.own_seen if own else others
    life: i64 = len(side.life)
    out[start] = life if own else min(life, LIFE_COUNTED)
    out[start + 1] = side.hand_count
    out[start + 2] = count(side.grave)
    out[start + 3] = side.grave_top + 1
    rare_there: i64 = HAS_RARE if side.rare != 0 else 0
    out[start + 4] = rare_there + (2 if side.pack_open else (1 if side.pack != 0 else 0))
    if s.rules.setup:  # the size of a pack is public there (N-051)
        out[start + 5] = count(side.pack)
    out[start + 6] = len(side.soldiers)
    out[start + 7] = len(side.bulwarks)
    out[start + 8] = len(side.trumps)
    out[start + 9] = side.used & 255
    out[start + 10] = side.used >> 8 & 255
    out[start + 11] = side.used_game & 255
    out[start + 12] = side.used_game >> 8 & 255
    cards = start + CARDS
    if own:
        mark(side.hand & ~others, cards, IN_HAND, out)
        mark(side.grave & ~others, cards, IN_GRAVE, out)
        if side.pack != 0:
            out[start + 5] = count(side.pack)
            if side.pack_open:
                mark(side.pack, cards, IN_PACK, out)
    rare: i64 = side.rare if own else side.rare & known
    mark(rare, cards, IN_RARE, out)
    if side.fogs:
        fog_marks(s, side, seat, cards, out)
    mark(side.hand & others, cards, IN_HAND_SEEN, out)
    mark(side.grave & others, cards, IN_GRAVE_SEEN, out)
    mark(side.aside, cards, IN_ASIDE, out)
    if known != 0:
        life_row(side, known, cards, out)
    soldier_rows(s, owner, own, start, out)
    bulwark_rows(s, owner, own, known, start, out)
    trump_rows(side, own, known, start, out)


def mark(cards: i64, start: i64, where: i64, out: list[int]) -> None:
    while cards != 0:
        low: i64 = cards & -cards
        out[start + LOW[low % 59]] = where
        cards ^= low


def fog_marks(s: State, side: Side, seat: i64, start: i64, out: list[int]) -> None:
    """Write what each fog is bound to (N-061) at its cards; two cards of one number are one Force."""
    forces: i64 = 0
    for fog in side.fogs:
        kind = fog_kind(fog)
        where: i64 = IN_FOG
        if kind == FORCE_FOG:
            where = IN_FORCE + forces
            forces += 1
        elif kind == CLOSE_FOG:
            where = trump_fog(s, seat, fog_target(fog))
        else:
            where = soldier_fog(s, seat, fog_target(fog))
        out[start + fog_first(fog)] = where
        second = fog_second(fog)
        if second >= 0:
            out[start + second] = where


def soldier_fog(s: State, seat: i64, id: i64) -> i64:
    """Return the code of a fog bound to this unit."""
    for owner in range(2):
        row = row_of_soldier(s, owner, id)
        if row > 0 and row <= ROWS:
            return IN_FOG_OF + row - 1 if owner == seat else IN_FOG_OF + ROWS + row - 1
    return IN_FOG


def trump_fog(s: State, seat: i64, target: i64) -> i64:
    """Return the code of a fog bound to this trump: its owner and its card."""
    owner = target // TRUMP_CODE
    code: i64 = IN_FOG_OF_TRUMP if owner == seat else IN_FOG_OF_TRUMP + TRUMP_ROWS
    for card in s.sides[owner].trumps:
        if card == target % TRUMP_CODE:
            return code
        code += 1
    return IN_FOG


def life_row(side: Side, known: i64, start: i64, out: list[int]) -> None:
    """Write the cards known at the ends of life."""
    far: i64 = 0
    for card in reversed(side.life):
        if known & BIT[card] == 0:
            break
        out[start + card] = IN_LIFE_TOP + far
        far += 1
    if far < len(side.life):
        far = 0
        for card in side.life:
            if known & BIT[card] == 0:
                break
            out[start + card] = IN_LIFE_BOTTOM + far
            far += 1


def state_of(side: Side, own: bool, unit: Unit) -> i64:
    """Return the state bits of a unit; computed by sums, because branches would be mispredicted."""
    new: i64 = IS_NEW if unit.cards & ~side.fresh == 0 else 0
    unclear = side.mixed & unit.cards != 0 and not own
    driven: i64 = IS_DRIVEN if unit.driven else 0
    return IS_THERE + driven + (IS_UNCLEAR if unclear else new) + ROLE_STATE[unit.role]


def byte_of(number: i64) -> i64:
    return max(0, min(255, number + ZERO))


def row_of_soldier(s: State, owner: i64, id: i64) -> i64:
    """Return the row of a soldier, from 1; return 0 if it is not there."""
    row: i64 = 1
    for unit in s.sides[owner].soldiers:
        if unit.id == id:
            return row
        row += 1
    return 0


def soldier_rows(s: State, owner: i64, own: bool, start: i64, out: list[int]) -> None:
    side = s.sides[owner]
    row: i64 = 0
    place = start + SOLDIERS
    for unit in side.soldiers:
        if row == ROWS:
            break
        out[place] = unit.lead + 1
        out[place + 1] = byte_of(s.number(side, unit))
        out[place + 2] = byte_of(unit.base)
        out[place + 3] = unit.kind + 1
        out[place + 4] = state_of(side, own, unit)
        if unit.role == BLOCKER:
            out[place + 5] = row_of_soldier(s, 1 - owner, unit.blocks)
        mark(unit.cards, start + CARDS, IN_SOLDIER + row, out)
        place += 6
        row += 1


def bulwark_rows(s: State, owner: i64, own: bool, known: i64, start: i64, out: list[int]) -> None:
    side = s.sides[owner]
    row: i64 = 0
    place = start + BULWARKS
    for unit in side.bulwarks:
        if row == ROWS:
            break
        shown: i64 = unit.cards if own else known & unit.cards
        out[place] = unit.lead + 1 if shown != 0 else 0
        mark(shown, start + CARDS, IN_BULWARK, out)
        out[place + 1] = state_of(side, own, unit)
        if unit.role == BLOCKER:
            out[place + 2] = row_of_soldier(s, 1 - owner, unit.blocks)
        place += 3
        row += 1


def trump_rows(side: Side, own: bool, known: i64, start: i64, out: list[int]) -> None:
    place = start + TRUMPS
    for card in side.trumps:
        bit: i64 = BIT[card]
        opened = side.open_trumps & bit != 0
        if own or opened or known & bit != 0:
            out[place] = card + 1
            out[start + CARDS + card] = IN_TRUMPS
        out[place + 1] = IS_THERE + IS_OPEN if opened else IS_THERE
        place += 2


# -- requests ----------------------------------------------------------------------------------------------------------


def unit_code(s: State, seat: i64, id: i64) -> i64:
    """Return the option code of a unit plus 1, with the seat's own side first; return 0 if it is gone."""
    owner: i64 = 0
    for side in s.sides:
        first: i64 = 1 if owner == seat else 1 + SIDE_CODE
        for unit in side.soldiers:
            if unit.id == id:
                return first + unit.lead
        place: i64 = 0
        for unit in side.bulwarks:
            if unit.id == id:
                return first + ROW_CODE + place
            place += 1
        owner += 1
    return 0


def staged_place(s: State, id: i64) -> i64:
    """Return the position of a request on the stage, from 1; return 0 if it is gone."""
    place: i64 = 1
    for request in s.stage:
        if request.id == id:
            return place
        place += 1
    return 0


def target_code(s: State, seat: i64, request: Request) -> i64:
    """Return the code of a request's target plus 1; return 0 if it has none or the target is gone."""
    kind = request.target_kind
    if kind == UNIT:
        return unit_code(s, seat, request.target)
    if kind == REQUEST:
        return staged_place(s, request.target)
    if kind == PLAYER:
        return 1 if request.target == seat else 2
    if kind == TRUMP:
        owner = request.target // TRUMP_CODE
        code: i64 = 1 if owner == seat else 1 + SIDE_CODE
        for card in s.sides[owner].trumps:
            if card == request.target % TRUMP_CODE:
                return code
            code += 1
    return 0


def request_row(s: State, seat: i64, request: Request, row: i64, out: list[int]) -> None:
    start = REQUESTS + row * REQUEST_SIZE
    mine = request.controller == seat
    out[start] = request.action + 1
    out[start + 1] = 1 if mine else 2
    out[start + 2] = request.target_kind
    out[start + 3] = target_code(s, seat, request)
    if request.source >= 0:
        out[start + 4] = unit_code(s, seat, request.source)
    virtual = request.virtual
    if virtual != 0:
        low: i64 = virtual & -virtual
        out[start + 5] = LOW[low % 59] + 1
        virtual ^= low
        if virtual != 0:
            low = virtual & -virtual
            out[start + 6] = LOW[low % 59] + 1
    out[start + 7] = count(request.keys)
    mark(request.keys, SIDES + CARDS if mine else SIDES + SIDE_SIZE + CARDS, IN_REQUEST + row, out)


# -- the partial move of the asked seat --------------------------------------------------------------------------------


def partial_move(s: State, seat: i64, out: list[int]) -> None:
    """Write the asked seat's partial move and its earlier choices in this effect."""
    draft = s.draft
    kind = s.kind
    if draft is not None:
        out[PARTIAL_MOVE] = draft.action + 1
        out[PARTIAL_MOVE + 1] = s.costs
        out[PARTIAL_MOVE + 2] = s.token_index
        if draft.source >= 0:
            out[PARTIAL_MOVE + 3] = unit_code(s, seat, draft.source)
        out[PARTIAL_MOVE + 4] = draft.target_kind
        out[PARTIAL_MOVE + 5] = target_code(s, seat, draft)
        place: i64 = PARTIAL_MOVE + PAYING
        for id in s.paying:
            if place < PARTIAL_MOVE + PAYING + 4:
                out[place] = unit_code(s, seat, id)
            place += 1
        mark_picked(draft.keys, PICKED_KEY, out)
        mark_picked(s.discards, PICKED_DISCARD, out)
    elif kind == TRUMPS_KIND:
        side = s.sides[seat]
        mark_picked(side.picked, PICKED_TRUMP, out)
        if side.picked_down:
            out[PARTIAL_MOVE + 11] = 1
    elif kind == SETUP_KIND:
        mark_picked(s.sides[seat].picked, PICKED_TRUMP, out)
    elif kind == BLOCKERS_KIND:
        out[PARTIAL_MOVE + 10] = row_of_soldier(s, 1 - seat, s.blocked)
    elif kind == ORDER_KIND:
        step: i64 = 0
        for item in s.order:
            if step < ROWS:
                out[PARTIAL_MOVE + ORDER + step] = item + 1
            step += 1
    elif kind == TRIGGER_KIND:
        for option in s.options:
            if option < ROWS:
                out[PARTIAL_MOVE + ORDER + option] = s.buffer[option].action + 1
    active = s.active
    if draft is None and active is not None:
        chosen(s, seat, active, out)


def mark_picked(cards: i64, what: i64, out: list[int]) -> None:
    while cards != 0:
        low: i64 = cards & -cards
        place: i64 = PARTIAL_MOVE + PICKED_CARDS + LOW[low % 59]
        out[place] = what
        cards ^= low


def chooser(s: State, place: Instruction, request: Request) -> i64:
    """Return the player who chooses at this instruction of an effect."""
    by = place.by
    if by is None:
        return request.controller
    return by.player(s, request)


def chosen(s: State, seat: i64, active: Request, out: list[int]) -> None:
    """Write the seat's earlier choices in the effect being resolved."""
    program = s.rules.plans[active.action].program
    if s.kind == CARDS_KIND or s.kind == UNITS_KIND:
        mark_picked(s.bound(program[s.pc].slot), PICKED_NOW, out)
    start: i64 = PARTIAL_MOVE + CHOSEN
    left = s.answered & ~BIT[s.pc]
    while left != 0 and start < PARTIAL_MOVE + ORDER:
        low: i64 = left & -left
        left ^= low
        place = program[LOW[low % 59]]
        if place.chooses != NO_CHOICE and chooser(s, place, active) == seat:
            value = s.bound(place.slot)
            out[start] = place.chooses
            if place.chooses == A_SET:
                mark_picked(value, PICKED_BEFORE, out)
            elif place.chooses == A_UNIT:
                out[start + 1] = unit_code(s, seat, value)
            elif place.chooses == A_REQUEST:
                out[start + 1] = staged_place(s, value)
            else:
                out[start + 1] = value + 1
            start += 2
