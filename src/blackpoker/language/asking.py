"""The one place that asks a player inside an effect, and the one that takes the answer."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import ABOVE, BIT, LOW, count, last_of, total
from blackpoker.rules import atoms
from blackpoker.rules import events as ev
from blackpoker.rules.combat import take_attacker, take_blocker, unnamed_attackers
from blackpoker.rules.plan import BULWARK, MINE, Op, SOLDIER, THEIRS
from blackpoker.rules.requests import list_cards, list_targets, set_target
from blackpoker.rules.state import (
    ATTACKERS_KIND,
    CARDS_KIND,
    CARD_KIND,
    DONE,
    OPTION_KIND,
    ORDER_KIND,
    REQUEST_KIND,
    RETARGET_KIND,
    ROW_CODE,
    SIDE_CODE,
    Side,
    State,
    TRUMP_KIND,
    UNITS_KIND,
    UNIT_KIND,
    Unit,
)
from blackpoker.rules.request import PLAYER, REQUEST, Request, UNIT
from blackpoker.language import ops
from blackpoker.language.values import bind, get, player_of, target_request, value_of


def ask(s: State, request: Request, op: Op) -> bool:
    """Offer a choice; False if there is nothing to choose from (R-42)."""
    me = request.controller
    code = op.code
    options: list[int] = []
    s.options = options
    s.asked = me if op.d == ops.ME else player_of(s, request, op.d)
    if code == ops.CHOOSE_CARD:
        s.kind = CARD_KIND
        list_cards(zone_cards(s.sides[player_of(s, request, op.e)], op.a) & op.b, options)
    elif code == ops.CHOOSE_OPTION:
        s.kind = OPTION_KIND
        n: i64 = 0
        while n < op.b:
            options.append(n)
            n += 1
    elif code == ops.CHOOSE_CARDS:
        s.kind = CARDS_KIND
        return ask_cards(s, request, op)
    elif code == ops.CHOOSE_UNIT:
        s.kind = UNIT_KIND
        list_units(s, s.asked, op.a, op.b, options)
    elif code == ops.CHOOSE_UNITS:
        s.kind = UNITS_KIND
        return ask_units(s, me, op)
    elif code == ops.CHOOSE_REQUEST:
        s.kind = REQUEST_KIND
        limit = total(request.keys)
        index: i64 = 0
        for staged in s.stage:
            if staged.key_count == 2 or (staged.key_count == 1 and total(staged.keys | staged.virtual) <= limit):
                options.append(index)
            index += 1
    else:
        s.kind = TRUMP_KIND
        side = s.sides[me]
        place: i64 = 0
        for card in side.trumps:
            if side.open_trumps & BIT[card] == 0:
                options.append(me * SIDE_CODE + place)
            place += 1
    return len(options) > 0


def zone_cards(side: Side, zone: i64) -> i64:
    if zone == ev.HAND:
        return side.hand
    if zone == ev.GRAVE:
        return side.grave
    if zone == ev.PACK:
        return side.pack
    if zone == ev.ASIDE:
        return side.aside
    cards: i64 = 0
    for card in side.life:
        cards |= BIT[card]
    return cards


def ask_cards(s: State, request: Request, op: Op) -> bool:
    """Offer the next of several cards, in ascending order so that each set has one wording."""
    chosen = get(s, op.c)
    cards = zone_cards(s.sides[s.asked], op.a)
    needed = min(value_of(s, request, op.b, op.e), count(cards)) - count(chosen)
    if needed <= 0:
        return False
    if chosen != 0:
        cards &= ABOVE[LOW[last_of(chosen) % 59]]
    while needed > 1:
        cards &= ~last_of(cards)
        needed -= 1
    list_cards(cards, s.options)
    return True


def ask_units(s: State, me: i64, op: Op) -> bool:
    """Offer the next of several own soldiers, in field order, and DONE once enough are chosen."""
    options = s.options
    chosen = get(s, op.c)
    for unit in s.sides[me].soldiers:
        if chosen & BIT[unit.lead] != 0:
            options.clear()
        else:
            options.append(me * SIDE_CODE + unit.lead)
    if not options:
        return False
    if count(chosen) >= op.b:
        options.append(DONE)
    return True


def list_units(s: State, viewer: i64, whose: i64, type: i64, options: list[int]) -> None:
    owner: i64 = 0
    for side in s.sides:
        if not (whose == MINE and owner != viewer) and not (whose == THEIRS and owner == viewer):
            if type != BULWARK:
                for unit in side.soldiers:
                    options.append(owner * SIDE_CODE + unit.lead)
            if type != SOLDIER:
                place: i64 = 0
                while place < len(side.bulwarks):
                    options.append(owner * SIDE_CODE + ROW_CODE + place)
                    place += 1
        owner += 1


def ask_attackers(s: State, request: Request) -> bool:
    me = request.controller
    options = unnamed_attackers(s, me)
    if not options or (len(options) == 1 and options[0] == DONE):
        return False
    s.options = options
    s.kind = ATTACKERS_KIND
    s.asked = me
    return True


def ask_order(s: State, player: i64, cards: i64) -> bool:
    """Ask for the order of the cards, word by word; the last one needs no question. False once all are ordered."""
    left = cards
    for card in s.order:
        left &= ~BIT[card]
    if left & (left - 1) == 0:
        if left != 0:
            s.order.append(LOW[left % 59])
        return False
    options: list[int] = []
    list_cards(left, options)
    s.options = options
    s.kind = ORDER_KIND
    s.asked = player
    return True


def ask_row(s: State, player: i64) -> bool:
    """Ask for a new order of the row, bulwark by bulwark from the life side, or DONE at first to leave it. False once
    it is settled; then the opponent no longer knows which is which (R-126, R-216)."""
    side = s.sides[player]
    row = side.bulwarks
    order = s.order
    if order and order[0] == DONE:
        s.order = []
        return False
    if len(row) < 2:
        return False
    options: list[int] = []
    place: i64 = 0
    while place < len(row):
        code = player * SIDE_CODE + ROW_CODE + place
        if int(code) not in order:
            options.append(code)
        place += 1
    if len(options) > 1:
        if not order:
            options.append(DONE)
        s.options = options
        s.kind = ORDER_KIND
        s.asked = player
        return True
    order.append(options[0])
    # Ids stay with the places, else they would tell which bulwark went where. Nothing on the stage can aim at one: what
    # asks for this lies right above End.
    ids: list[int] = [unit.id for unit in row]
    new: list[Unit] = []
    for named in order:
        unit = row[named % SIDE_CODE - ROW_CODE]
        unit.id = ids[len(new)]
        new.append(unit)
        side.seen &= ~unit.cards
    side.bulwarks = new
    s.order = []
    atoms.emit(s, ev.REORDERED, player, 0, ev.EVERYBODY)
    return False


def ask_retarget(s: State, request: Request) -> bool:
    """Offer the other legal targets of the targeted request (R-164)."""
    aimed = target_request(s, request)
    if aimed is None:
        return False
    plan = s.rules.plans[aimed.action]
    options: list[int] = []
    # 対象変更 itself is off the stage by now but may be named; it is put back for the listing only.
    s.stage.append(request)
    list_targets(s, plan, aimed.controller, aimed.keys | aimed.virtual, options)
    other: list[int] = []
    for option in options:
        if aimed.target_kind == UNIT:
            unit = s.unit_by_code(option)
            if unit is not None and unit.id != aimed.target:
                other.append(option)
        elif aimed.target_kind == REQUEST:
            named = s.stage[option].id
            if named != aimed.target and named != aimed.id:
                other.append(option)
        elif aimed.target_kind == PLAYER:
            if option != aimed.target:
                other.append(option)
        elif (option // SIDE_CODE) * 64 + s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE] != aimed.target:
            other.append(option)
    s.stage.pop()
    if not other:
        return False
    s.options = other
    s.kind = RETARGET_KIND
    s.asked = request.controller
    return True


def answer(s: State, request: Request, program: list[Op], option: i64) -> None:
    """Take the answer to what the step at ``s.pc`` asked, and move on unless it asks again."""
    op = program[s.pc]
    code = op.code
    if code == ops.CHOOSE_CARD or code == ops.CHOOSE_OPTION:
        bind(s, op.c, option)
    elif code == ops.CHOOSE_UNIT:
        unit = s.unit_by_code(option)
        assert unit is not None
        bind(s, op.c, unit.id)
    elif code == ops.CHOOSE_CARDS:
        bind(s, op.c, get(s, op.c) | BIT[option])
        return  # asks again as long as more are wanted
    elif code == ops.CHOOSE_UNITS:
        if option != DONE:
            bind(s, op.c, get(s, op.c) | BIT[option % SIDE_CODE])
            return
    elif code == ops.CHOOSE_REQUEST:
        bind(s, op.c, s.stage[option].id)
    elif code == ops.CHOOSE_TRUMP:
        bind(s, op.c, s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE])
    elif code == ops.NAME_ATTACKERS:
        if option != DONE:
            take_attacker(s, request.controller, option)
            return  # asks again as long as there is somebody to name
    elif code == ops.ASSIGN_BLOCKERS:
        take_blocker(s, request.controller, option)
        return
    elif code == ops.RETARGET:
        aimed = target_request(s, request)
        assert aimed is not None
        s.stage.append(request)
        set_target(s, s.rules.plans[aimed.action], aimed, option)
        s.stage.pop()
        atoms.emit(s, ev.RETARGETED, aimed.controller, 0, ev.EVERYBODY, aimed.target_kind, aimed.target)
    else:  # an order
        s.order.append(int(option))
        return
    s.pc += 1
