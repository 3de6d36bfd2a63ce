"""Carrying out compiled effects: one loop over the steps."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import BIT, LOW
from blackpoker.rules import atoms
from blackpoker.rules import events as ev
from blackpoker.rules.combat import assign_blockers, compare_combat
from blackpoker.rules.plan import Op
from blackpoker.rules.state import BLOCKERS_KIND, State
from blackpoker.rules.request import Request, TRUMP
from blackpoker.language import ops
from blackpoker.language.asking import ask, ask_attackers, ask_order, ask_retarget, ask_row
from blackpoker.language.effects import (
    bury_all,
    bury_units,
    end_roles_if_judgement,
    enter,
    enter_as,
    gathered,
    gathered_to_life_top,
    holder,
    hurt,
    mill_to_face,
    raise_action,
    restore_trump,
    reveal_and_enter,
    state_all,
    to_life_top,
    units_to_bulwarks,
)
from blackpoker.language.values import bind, get, holds, player_of, target_request, target_unit, value_of


def run(s: State, request: Request, program: list[Op]) -> bool:
    """Carry out steps from ``s.pc`` on; False when a player must choose first. The busiest steps are tried first."""
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
        elif code == ops.RAISE:
            raise_action(s, request, op)
        elif code == ops.DRAW:
            n = op.b
            while n > 0:
                atoms.draw(s, player_of(s, request, op.a))
                n -= 1
        elif code == ops.DISCARD:
            who = player_of(s, request, op.b)
            if op.a < 0:
                atoms.discard(s, who, s.sides[who].hand)
            elif op.c == 0:
                atoms.discard(s, who, get(s, op.a))
            elif get(s, op.a) >= 0:
                atoms.discard(s, who, BIT[get(s, op.a)])
        elif code == ops.STATE_ALL:
            state_all(s, player_of(s, request, op.b), op.a, op.c)
        elif code == ops.END_TURN:
            atoms.pass_turn(s)
        elif code == ops.ENTER:
            enter(s, request, side, op)
        elif code == ops.NAME_ATTACKERS:
            if ask_attackers(s, request):
                return False
        elif code == ops.ASSIGN_BLOCKERS:
            if not assign_blockers(s, me):
                s.kind = BLOCKERS_KIND
                s.asked = 1 - me
                return False
        elif code == ops.STATE_TARGET:
            target = target_unit(s, request)
            state = op.a if op.a < 2 else get(s, op.b)
            if target is not None and state == 0:
                atoms.charge(s, s.target_owner, target)
            elif target is not None and state == 1:
                atoms.drive(s, s.target_owner, target)
        elif code == ops.BONUS:
            target = target_unit(s, request)
            if target is not None:
                atoms.add_bonus(s, s.target_owner, target, op.c * value_of(s, request, op.a, op.b))
        elif code == ops.COMPARE_COMBAT:
            compare_combat(s, me)
        elif code == ops.TAKE:
            if get(s, op.b) >= 0:
                atoms.take_to_hand(s, me, get(s, op.b), op.a)
        elif code == ops.KEYS_TO_HAND:
            atoms.return_keys(s, request)
        elif code == ops.BURY_TARGET:
            target = target_unit(s, request)
            if target is not None:
                atoms.bury(s, s.target_owner, target)
            bind(s, op.c, 0 if target is None else 1)
        elif code == ops.DAMAGE:
            hurt(s, player_of(s, request, op.a), value_of(s, request, op.b, op.c))
        elif code == ops.NEGATE_TARGET:
            aimed = target_request(s, request)
            if aimed is not None:
                atoms.negate(s, aimed)
                end_roles_if_judgement(s, aimed)
        elif code == ops.MILL_TO_FACE:
            mill_to_face(s, me)
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
            atoms.add_bonus_for_all(s, me, value_of(s, request, op.a, op.b))
        elif code == ops.LOOK:
            atoms.show_hand(s, 1 - me)
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
            atoms.open_pack(s, me)
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
            atoms.leave_hand(side, card, True)
            if get(s, op.b) == 0:
                atoms.to_top(s, me, card, False)
            else:
                atoms.to_bottom(s, me, card, False)
    elif code == ops.RETURN_SOURCE:
        source = s.unit(request.source)
        if source is not None:
            atoms.return_to_hand(s, me, source)
    return True
