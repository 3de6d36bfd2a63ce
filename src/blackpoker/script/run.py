"""Carrying out compiled effects: one loop over the steps, one place that asks, one that takes the answer."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.cards import ABOVE, BIT, LOW, SUIT, SUIT_SET, VALUE, count, last_of, total
from blackpoker.common import atoms
from blackpoker.common import events as ev
from blackpoker.common.combat import assign_blockers, compare_combat, take_attacker, take_blocker, unnamed_attackers
from blackpoker.common.plan import BULWARK, MINE, NO_CHARGE, NOT_EQUIPPABLE, SOLDIER, THEIRS, UNTARGETABLE, Op
from blackpoker.common.requesting import list_cards, list_targets, set_target
from blackpoker.common.state import (
    ATTACKER, ATTACKERS_KIND, BLOCKERS_KIND, CARD_KIND, CARDS_KIND, DONE, OPTION_KIND, ORDER_KIND, REQUEST_KIND,
    RETARGET_KIND, ROW_CODE, SIDE_CODE, TRUMP_KIND, UNIT_KIND, UNITS_KIND, Side, State, Unit,
)  # fmt: skip
from blackpoker.core.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.script import ops

#: R-51
HAND_LIMIT: Final = 7

# -- bindings and values -----------------------------------------------------------------------------------------------


def get(s: State, slot: i64) -> i64:
    if slot == 0:
        return s.v0
    if slot == 1:
        return s.v1
    return s.v2 if slot == 2 else s.v3


def bind(s: State, slot: i64, value: i64) -> None:
    if slot == 0:
        s.v0 = value
    elif slot == 1:
        s.v1 = value
    elif slot == 2:
        s.v2 = value
    elif slot == 3:
        s.v3 = value


def player_of(s: State, request: Request, who: i64) -> i64:
    if who == ops.ME:
        return request.controller
    if who == ops.OPPONENT:
        return 1 - request.controller
    if who == ops.TARGET:
        return request.target
    return s.target_owner if who == ops.OWNER else s.turn


def target_unit(s: State, request: Request) -> Unit | None:
    return s.unit(request.target) if request.target_kind == UNIT else None


def target_request(s: State, request: Request) -> Request | None:
    return s.staged_request(request.target) if request.target_kind == REQUEST else None


def value_of(s: State, request: Request, code: i64, argument: i64) -> i64:
    if code == ops.CONST:
        return argument
    if code == ops.KEY_SUM:
        return total(request.keys) + total(request.virtual)
    if code == ops.KEY_OF:
        return total((request.keys | request.virtual) & argument)
    if code == ops.BIND:
        return get(s, argument)
    if code == ops.AMOUNT:
        return request.amount
    if code == ops.LIFE:
        return len(s.sides[player_of(s, request, argument)].life)
    if code == ops.HAND:
        return s.sides[player_of(s, request, argument)].hand_count
    if code == ops.HAND_OVER_LIMIT:
        return max(0, s.sides[request.controller].hand_count - HAND_LIMIT)
    if code == ops.BULWARKS:
        return len(s.sides[player_of(s, request, argument)].bulwarks)
    if code == ops.ATTACKERS:
        n: i64 = 0
        for unit in s.sides[request.controller].soldiers:
            if unit.role == ATTACKER:
                n += 1
        return n
    if code == ops.CHARGE_FORBIDDEN:
        return 1 if charge_forbidden(s) else 0
    if code >= ops.TWICE_AMOUNT:
        return trump_value(s, request, code, argument)
    if code == ops.SOURCE_NUMBER:
        source = s.unit(request.source)
        return s.number(s.sides[request.controller], source) if source is not None else 0
    if code == ops.TARGET_KEY_COUNT or code == ops.TARGET_KEY_SUM:
        aimed = target_request(s, request)
        if aimed is None:
            return 0
        return aimed.key_count if code == ops.TARGET_KEY_COUNT else total(aimed.keys) + total(aimed.virtual)
    aim = target_unit(s, request)
    if aim is None:
        return 0
    if code == ops.TARGET_NUMBER:
        return s.number(s.sides[s.target_owner], aim)
    if code == ops.TARGET_CHARGED:
        return 0 if aim.driven else 1
    if code == ops.TARGET_IS_SOLDIER:
        return 0 if s.rules.kinds[aim.kind].bulwark else 1
    return count(aim.cards)


def trump_value(s: State, request: Request, code: i64, argument: i64) -> i64:
    """Values only the Extra list asks for."""
    if code == ops.TWICE_AMOUNT:
        return 2 * request.amount
    if code == ops.TRUMP_OPEN:
        return 1 if s.sides[request.controller].open_trumps & BIT[argument] != 0 else 0
    if code == ops.SUM_OF:
        side = s.sides[request.controller]
        chosen = get(s, argument)
        sum: i64 = 0
        for unit in side.soldiers:
            if chosen & BIT[unit.lead] != 0:
                sum += s.number(side, unit)
        return sum
    if code == ops.TARGET_EQUIPPABLE:
        aim = target_unit(s, request)
        if aim is None:
            return 0
        kind = s.rules.kinds[aim.kind]
        return 0 if kind.bulwark or kind.abilities & (NOT_EQUIPPABLE | UNTARGETABLE) != 0 else 1
    if request.target_kind != TRUMP:
        return 0
    card = request.target % 64
    bit: i64 = BIT[card]
    if code == ops.TARGET_OPEN:
        return 1 if s.sides[request.target // 64].open_trumps & bit != 0 else 0
    if code == ops.TARGET_OF_KEY_SUIT:
        return 1 if request.keys & SUIT_SET[SUIT[card]] != 0 else 0
    return 1 if request.keys & bit != 0 else 0


def charge_forbidden(s: State) -> bool:
    """R-131"""
    for side in s.sides:
        if side.abilities & NO_CHARGE != 0:
            charged = 0
            for unit in side.bulwarks:
                if not unit.driven:
                    charged += 1
            if charged >= 2:
                return True
    return False


def holds(left: i64, test: i64, right: i64) -> bool:
    if test == ops.EQUAL:
        return left == right
    if test == ops.DIFFERENT:
        return left != right
    if test == ops.AT_MOST:
        return left <= right
    if test == ops.AT_LEAST:
        return left >= right
    return right != 0 and left % right == 0


# -- the loop ----------------------------------------------------------------------------------------------------------


def run(s: State, request: Request, program: list[Op]) -> bool:
    """Carry out steps from ``s.pc`` on; False when a player must choose first."""
    me = request.controller
    side = s.sides[me]
    end: i64 = len(program)
    trace = s.trace
    while s.pc < end:
        op = program[s.pc]
        code = op.code
        if trace is not None:
            trace.append(int(request.action * 256 + s.pc))
        if code == ops.UNLESS or code == ops.IF:
            left = value_of(s, request, op.a, op.b)
            right = value_of(s, request, op.d, op.e)
            if holds(left, op.c, right) == (code == ops.IF):
                s.pc = op.jump
                continue
        elif code == ops.JUMP:
            s.pc = op.jump
            continue
        elif code <= ops.CHOOSE_TRUMP:
            if ask(s, request, op):
                return False
            if code != ops.CHOOSE_CARDS and code != ops.CHOOSE_UNITS:  # these have bound what was chosen
                bind(s, op.c, -1)
        elif code == ops.ENTER:
            enter(s, request, side, op)
        elif code == ops.BURY_TARGET:
            target = target_unit(s, request)
            if target is not None:
                atoms.bury(s, s.target_owner, target)
            bind(s, op.c, 0 if target is None else 1)
        elif code == ops.BONUS:
            target = target_unit(s, request)
            if target is not None:
                atoms.add_bonus(s, s.target_owner, target, op.c * value_of(s, request, op.a, op.b))
        elif code == ops.DAMAGE:
            hurt(s, player_of(s, request, op.a), value_of(s, request, op.b, op.c))
        elif code == ops.DRAW:
            n = op.b
            while n > 0:
                atoms.draw(s, player_of(s, request, op.a))
                n -= 1
        elif code == ops.RAISE:
            raise_action(s, request, op)
        elif code == ops.NAME_ATTACKERS:
            if ask_attackers(s, request):
                return False
        elif code == ops.ASSIGN_BLOCKERS:
            if not assign_blockers(s, me):
                s.kind = BLOCKERS_KIND
                s.asked = 1 - me
                return False
        elif code == ops.COMPARE_COMBAT:
            compare_combat(s, me)
        elif code == ops.STATE_ALL:
            state_all(s, player_of(s, request, op.b), op.a, op.c)
        elif code == ops.STATE_TARGET:
            target = target_unit(s, request)
            state = op.a if op.a < 2 else get(s, op.b)
            if target is not None and state == 0:
                atoms.charge(s, s.target_owner, target)
            elif target is not None and state == 1:
                atoms.drive(s, s.target_owner, target)
        elif code == ops.END_TURN:
            end_turn(s)
        elif code == ops.DISCARD:
            who = player_of(s, request, op.b)
            if op.a < 0:
                atoms.discard(s, who, s.sides[who].hand)
            elif op.c == 0:
                atoms.discard(s, who, get(s, op.a))
            elif get(s, op.a) >= 0:
                atoms.discard(s, who, BIT[get(s, op.a)])
        elif code == ops.NEGATE_TARGET:
            aimed = target_request(s, request)
            if aimed is not None:
                atoms.negate(s, aimed)
                end_roles_if_judgement(s, aimed)
        elif code == ops.MILL_TO_FACE:
            mill_to_face(s, me)
        elif code == ops.TAKE:
            if get(s, op.b) >= 0:
                atoms.take_to_hand(s, me, get(s, op.b), op.a)
        elif code == ops.SHUFFLE:
            atoms.shuffle(s, me)
        elif code == ops.BURY_ALL:
            bury_all(s, request, op)
        elif code == ops.LIFE_TO_BULWARKS:
            n = op.a
            while n > 0 and side.life:
                atoms.enter_bulwark(s, me, side.life.pop(), op.b != 0, False)
                n -= 1
        elif code == ops.ATTACH:
            target = target_unit(s, request)
            if target is not None and request.keys != 0:
                card: i64 = LOW[request.keys % 59]
                request.keys = 0
                atoms.attach(s, me, target, card)
        elif code == ops.RETURN_TARGET:
            target = target_unit(s, request)
            if target is not None:
                atoms.return_to_hand(s, s.target_owner, target)
        elif code == ops.KEYS_TO_HAND:
            side.hand |= request.keys
            side.hand_count += count(request.keys)
            atoms.emit(s, ev.KEYS_RETURNED, me, request.keys, ev.EVERYBODY, request.action, request.id)
            request.keys = 0
        elif code == ops.TARGET_TO_LIFE_TOP:
            target = target_unit(s, request)
            if target is not None:
                if ask_order(s, me, target.cards):
                    return False
                to_life_top(s, s.target_owner, target)
        elif code == ops.TURN_OVER:
            target = target_unit(s, request)
            if target is not None:
                if s.rules.kinds[target.kind].bulwark:
                    atoms.to_soldier(s, s.target_owner, target)
                else:
                    if ask_order(s, s.target_owner, target.cards):  # who controls the new bulwarks
                        return False
                    atoms.to_bulwark(s, s.target_owner, target, s.order)
                    s.order = []
        elif code == ops.BULWARKS_TO_SOLDIERS:
            for unit in side.bulwarks[:]:
                atoms.to_soldier(s, me, unit)
        elif code == ops.RETARGET:
            if ask_retarget(s, request):
                return False
        elif code == ops.BONUS_FOR_ALL:
            amount = value_of(s, request, op.a, op.b)
            side.bonus += amount
            atoms.emit(s, ev.BONUS, me, 0, ev.EVERYBODY, amount, -1)
        elif code == ops.LOOK:
            other = s.sides[1 - me]
            other.seen |= other.hand
            atoms.emit(s, ev.LOOKED, 1 - me, other.hand, 1 if me == 0 else 2)
        elif code == ops.REVEAL_AND_ENTER:
            reveal_and_enter(s, me, op.a, value_of(s, request, op.b, op.c))
        elif code == ops.ASIDE_TO_BOTTOM:
            if ask_order(s, me, side.aside):
                return False
            for put in s.order:
                # Both saw the cards; the order is the owner's secret unless it is a single card.
                side.aside &= ~BIT[put]
                atoms.to_bottom(s, me, put, len(s.order) == 1)
            s.order = []
        elif code == ops.OPEN_PACK:
            side.pack_open = True
            atoms.emit(s, ev.PACK_OPENED, me, 0, ev.EVERYBODY)
        elif code == ops.BURY_CHOSEN:
            chosen = s.unit(get(s, op.a))
            if chosen is not None:
                atoms.bury(s, s.owner_of(chosen.id), chosen)
            bind(s, op.c, 0 if chosen is None else 1)
        elif code == ops.NEGATE_CHOSEN:
            aimed = s.staged_request(get(s, op.a))
            if aimed is not None:
                atoms.negate(s, aimed)
                end_roles_if_judgement(s, aimed)
        elif not run_trump_step(s, request, op, code):
            return False
        s.pc += 1
    return True


def run_trump_step(s: State, request: Request, op: Op, code: i64) -> bool:
    """Steps only the Extra list uses; False when a player must choose first."""
    me = request.controller
    side = s.sides[me]
    if code == ops.OPEN_TRUMP:
        if get(s, op.a) >= 0:
            atoms.open_trump(s, me, get(s, op.a))
    elif code == ops.CLOSE_TRUMP:
        if op.a >= 0:
            atoms.close_trump(s, me, op.a)
        elif request.target_kind == TRUMP:
            atoms.close_trump(s, request.target // 64, request.target % 64)
    elif code == ops.BURY_TRUMP:
        if op.a >= 0:
            if int(op.a) in side.trumps:
                atoms.bury_trump(s, me, op.a)
        elif request.target_kind == TRUMP:
            atoms.bury_trump(s, request.target // 64, request.target % 64)
    elif code == ops.CLOSE_ALL_TRUMPS:
        player: i64 = 0
        while player < 2:
            for trump in s.sides[player].trumps:
                atoms.close_trump(s, player, trump)
            player += 1
    elif code == ops.RESTORE_TRUMP:
        restore_trump(s, me, request.amount)
    elif code == ops.FIND:
        bit: i64 = BIT[op.a]
        found = holder(side, request, bit) >= 0
        if found:
            atoms.emit(s, ev.REVEALED, me, bit, ev.EVERYBODY)
        bind(s, op.c, 1 if found else 2)
    elif code == ops.ENTER_AS:
        enter_as(s, request, side, op)
    elif code == ops.BURY_UNITS:
        bury_units(s, request, get(s, op.a), op.b != 0)
    elif code == ops.TO_LIFE_BOTTOM:
        unit = s.unit(get(s, op.a))
        if unit is not None:
            if ask_order(s, me, unit.cards):
                return False
            # A bulwark goes unseen, and of several cards the order is the owner's secret.
            known = len(s.order) == 1 and side.seen & unit.cards != 0
            atoms.take_off_field(s, me, unit, False, False)
            for put in s.order:
                atoms.to_bottom(s, me, put, known)
            s.order = []
        bind(s, op.c, 0 if unit is None else 1)
    elif code == ops.GATHER:
        least = value_of(s, request, op.c, op.d)
        bind(s, op.a, gathered(s, me, least))
        bind(s, op.b, gathered(s, 1 - me, least))
    elif code == ops.GATHERED_TO_LIFE_TOP:
        player = player_of(s, request, op.b)
        cards = get(s, op.a)
        if cards != 0:
            if ask_order(s, player, cards):
                return False
            gathered_to_life_top(s, player, cards)
    elif code == ops.REVEAL_ASIDE:
        reveal_and_enter(s, me, op.a, -1)
    elif code == ops.UNITS_TO_BULWARKS:
        return units_to_bulwarks(s, me, op.a)
    elif code == ops.REARRANGE_ROW:
        return not ask_row(s, me)
    elif code == ops.HAND_TO_LIFE:
        card = get(s, op.a)
        if card >= 0:
            atoms.forget_hand(side)
            side.hand &= ~BIT[card]
            side.hand_count -= 1
            if get(s, op.b) == 0:
                atoms.to_top(s, me, card, False)
            else:
                atoms.to_bottom(s, me, card, False)
    elif code == ops.RETURN_SOURCE:
        source = s.unit(request.source)
        if source is not None:
            atoms.return_to_hand(s, me, source)
    return True


def hurt(s: State, player: i64, amount: i64) -> None:
    """Damage dealt by an effect (R-137 may forbid it)."""
    if s.shielded & (1 if player == 0 else 2) == 0:
        atoms.damage(s, player, amount)


def enter(s: State, request: Request, side: Side, op: Op) -> None:
    """The key, or a bound card of a zone, enters the field."""
    me = request.controller
    card: i64
    if op.b < 0:
        if request.keys == 0:
            return
        card = LOW[request.keys % 59]
        request.keys = 0
    else:
        card = get(s, op.b)
        if card < 0:
            return
        bit: i64 = BIT[card]
        if op.a == ev.GRAVE:
            atoms.remove_from_grave(side, bit)
        elif op.a == ev.HAND:
            if op.c & 3 == 1:
                atoms.forget_hand(side)
            side.hand &= ~bit
            side.hand_count -= 1
        elif op.a == ev.LIFE:
            side.life.remove(int(card))
        elif op.a == ev.ASIDE:
            side.aside &= ~bit
    if op.c & 1 != 0:
        atoms.enter_bulwark(s, me, card, op.c & 4 != 0, op.c & 2 != 0)
    else:
        atoms.enter(s, me, card, op.c & 4 != 0)


def raise_action(s: State, request: Request, op: Op) -> None:
    raised = atoms.raise_request(s, op.a, player_of(s, request, op.b))
    if op.c & 1 != 0:
        raised.target_kind = request.target_kind
        raised.target = request.target
    if op.c & 2 != 0:
        s.forced_pass = request.controller
    if op.d != 0:
        raised.virtual = op.d
        raised.key_count = count(op.d)
    if op.e >= 0:
        side = s.sides[request.controller]
        bit: i64 = BIT[get(s, op.e)]
        atoms.remove_from_grave(side, bit)
        side.seen |= bit
        raised.keys = bit
        raised.key_count = 1


def restore_trump(s: State, player: i64, card_set: i64) -> None:
    """The named card from hand or grave into the trump zone, open (R-110)."""
    side = s.sides[player]
    if card_set & side.hand != 0:
        side.hand &= ~card_set
        side.hand_count -= 1
    elif card_set & side.grave != 0:
        atoms.remove_from_grave(side, card_set)
    else:
        return
    card: i64 = LOW[card_set % 59]
    side.trumps.append(int(card))
    atoms.emit(s, ev.TRUMP_SET, player, card_set, ev.EVERYBODY)
    atoms.open_trump(s, player, card)


def holder(side: Side, request: Request, bit: i64) -> i64:
    """The zone of the controller that holds the card, the keys of the request among them; -1: none, or the field."""
    if request.keys & bit != 0:
        return ev.STAGE
    if side.hand & bit != 0:
        return ev.HAND
    if side.grave & bit != 0:
        return ev.GRAVE
    if zone_cards(side, ev.LIFE) & bit != 0:
        return ev.LIFE
    for card in side.trumps:
        if BIT[card] == bit:
            return ev.TRUMPS
    return -1


def enter_as(s: State, request: Request, side: Side, op: Op) -> None:
    """The open trump and its partner enter as one character (R-109, R-120)."""
    me = request.controller
    trump = op.b
    if side.open_trumps & BIT[trump] == 0:
        return
    partner = op.c
    if partner < 0:
        if request.keys == 0:
            return
        partner = LOW[request.keys % 59]
    bit: i64 = BIT[partner]
    zone = holder(side, request, bit)
    if zone == ev.STAGE:
        request.keys &= ~bit
    elif zone == ev.HAND:
        side.hand &= ~bit
        side.hand_count -= 1
    elif zone == ev.GRAVE:
        atoms.remove_from_grave(side, bit)
    elif zone == ev.LIFE:
        side.life.remove(int(partner))
        side.own_seen &= ~bit
    elif zone == ev.TRUMPS:
        atoms.take_trump(s, me, partner)
    else:
        return
    atoms.take_trump(s, me, trump)
    atoms.enter_as(s, me, op.a, bit | BIT[trump], trump)


def bury_units(s: State, request: Request, leads: i64, and_target: bool) -> None:
    """Chosen own soldiers, and the target if wanted, at once (R-118)."""
    me = request.controller
    doomed: list[Unit] = []
    for unit in s.sides[me].soldiers:
        if leads & BIT[unit.lead] != 0:
            doomed.append(unit)
    target = target_unit(s, request) if and_target else None
    atoms.bury_all(s, me, doomed)
    if target is not None:
        for unit in doomed:
            if unit is target:
                return
        atoms.bury(s, s.target_owner, target)


def gathered(s: State, player: i64, least: i64) -> i64:
    """The cards of the player's soldiers with at least this number."""
    side = s.sides[player]
    cards: i64 = 0
    for unit in side.soldiers:
        if s.number(side, unit) >= least:
            cards |= unit.cards
    return cards


def gathered_to_life_top(s: State, player: i64, cards: i64) -> None:
    """These soldiers leave the field; the first card of ``s.order`` ends up highest."""
    for unit in s.sides[player].soldiers[:]:
        if unit.cards & cards != 0:
            atoms.take_off_field(s, player, unit, False, False)
    for card in reversed(s.order):
        atoms.to_top(s, player, card, len(s.order) == 1)
    s.order = []


def units_to_bulwarks(s: State, player: i64, slot: i64) -> bool:
    """The chosen soldiers one after another, in field order; False while an order must be chosen (R-126)."""
    for unit in s.sides[player].soldiers[:]:
        bit: i64 = BIT[unit.lead]
        chosen = get(s, slot)
        if chosen & bit != 0:
            atoms.charge(s, player, unit)
            if ask_order(s, player, unit.cards):
                return False
            atoms.to_bulwark(s, player, unit, s.order)
            s.order = []
            bind(s, slot, chosen & ~bit)
    return True


def state_all(s: State, player: i64, state: i64, type: i64) -> None:
    side = s.sides[player]
    if type != BULWARK:
        for unit in side.soldiers:
            if state == 0:
                atoms.charge(s, player, unit)
            else:
                atoms.drive(s, player, unit)
    if type != SOLDIER:
        for unit in side.bulwarks:
            if state == 0:
                atoms.charge(s, player, unit)
            else:
                atoms.drive(s, player, unit)


def bury_all(s: State, request: Request, op: Op) -> None:
    """All units of a set at once, numbers read before anything moves (R-48). ``op.d``: 0 any number, 1 at most,
    2 at least the value that ``op.e`` and ``op.jump`` name."""
    limit = value_of(s, request, op.e, op.jump) if op.d != 0 else 0
    moved = 0
    doomed: list[list[Unit]] = [[], []]
    player: i64 = 0
    for side in s.sides:
        if not (op.a == MINE and player != request.controller) and not (op.a == THEIRS and player == request.controller):
            if op.b != BULWARK:
                for unit in side.soldiers:
                    number = s.number(side, unit)
                    if op.d == 0 or (op.d == 1 and number <= limit) or (op.d == 2 and number >= limit):
                        doomed[player].append(unit)
            if op.b != SOLDIER:
                doomed[player].extend(side.bulwarks)
        player += 1
    player = 0
    for units in doomed:
        moved += len(units)
        atoms.bury_all(s, player, units)
        player += 1
    bind(s, op.c, moved)


def end_turn(s: State) -> None:
    """エンド step 2 (R-52, R-53)."""
    for side in s.sides:
        side.fresh = 0
        side.used = 0
        side.requests = 0
        side.bonus = 0
        for unit in side.soldiers:
            unit.bonus = 0
    s.turn = 1 - s.turn
    s.turn_number += 1
    atoms.emit(s, ev.TURN, s.turn, 0, ev.EVERYBODY, s.turn_number)


def mill_to_face(s: State, player: i64) -> None:
    side = s.sides[player]
    milled: i64 = 0
    while side.life:
        card: i64 = side.life.pop()
        bit: i64 = BIT[card]
        side.own_seen &= ~bit
        side.seen |= bit  # turned up
        if s.rules.faces & bit != 0:
            side.hand |= bit
            side.hand_count += 1
            atoms.emit(s, ev.MILLED, player, milled, ev.EVERYBODY)
            atoms.emit(s, ev.TOOK, player, bit, ev.EVERYBODY, ev.LIFE)
            return
        milled |= bit
        side.grave |= bit
        side.grave_top = card
    atoms.emit(s, ev.MILLED, player, milled, ev.EVERYBODY)


def reveal_and_enter(s: State, player: i64, n: i64, at_most: i64) -> None:
    """Turn up the top cards: those that fit enter driven, the others stay aside (R-173)."""
    side = s.sides[player]
    revealed: i64 = 0
    fitting: list[int] = []
    while n > 0 and side.life:
        card: i64 = side.life.pop()
        bit: i64 = BIT[card]
        revealed |= bit
        side.own_seen &= ~bit
        if VALUE[card] <= at_most:
            fitting.append(card)
        else:
            side.aside |= bit
        n -= 1
    side.seen |= revealed
    atoms.emit(s, ev.REVEALED, player, revealed, ev.EVERYBODY)
    for fit in fitting:
        atoms.enter(s, player, fit, True)


def to_life_top(s: State, owner: i64, unit: Unit) -> None:
    """The unit's cards on top of life; the first of ``s.order`` ends up highest."""
    atoms.take_off_field(s, owner, unit, False, False)
    for card in reversed(s.order):
        atoms.to_top(s, owner, card, len(s.order) == 1)
    s.order = []


def end_roles_if_judgement(s: State, request: Request) -> None:
    """R-73: roles end when the judgement is removed."""
    if s.rules.plans[request.action].judges:
        end_roles(s)


def end_roles(s: State) -> None:
    for side in s.sides:
        for unit in side.soldiers:
            unit.role = 0
            unit.blocks = -1
        for unit in side.bulwarks:
            unit.role = 0
            unit.blocks = -1


# -- asking ------------------------------------------------------------------------------------------------------------


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


# -- answering ---------------------------------------------------------------------------------------------------------


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
