"""What the longer steps do."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import BIT, LOW, VALUE, count
from blackpoker.rules import atoms
from blackpoker.rules import events as ev
from blackpoker.rules.plan import BULWARK, MINE, Op, SOLDIER, THEIRS
from blackpoker.rules.state import Side, State, Unit
from blackpoker.rules.request import Request
from blackpoker.language.asking import ask_order, zone_cards
from blackpoker.language.values import bind, get, player_of, target_unit, value_of


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
            atoms.leave_hand(side, card, op.c & 3 == 1)
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
        if not (op.a == MINE and player != request.controller) and not (
            op.a == THEIRS and player == request.controller
        ):
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
