"""Further atoms, used only by effects, combat and set-up. With ``atoms`` the only functions that change zones."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.engine import events as ev
from blackpoker.engine.atoms import (
    SEAT,
    drive,
    emit,
    enter,
    enter_bulwark,
    hide_from_hand,
    lose_track,
    mark_mixed,
    open_trump,
    pop_life,
    put_on_life,
    put_under_life,
    remove_from_grave,
    show,
    show_from_hand,
    take_from_life,
    take_off_field,
    take_trump,
)
from blackpoker.engine.cards import BIT, LOW, VALUE
from blackpoker.engine.request import Request
from blackpoker.engine.state import ATTACKER, BLOCKER, NO_ROLE, ROW_CODE, SIDE_CODE, Side, State, Unit

# -- from zone to zone inside an effect --------------------------------------------------------------------------------


def zone_of_card(side: Side, request: Request, bit: i64) -> i64:
    """Return the controller's zone that contains the card (the request's keys count as ``ev.STAGE``); return -1 if none
    does or the card is on the field."""
    if request.keys & bit != 0:
        return ev.STAGE
    if side.hand & bit != 0:
        return ev.HAND
    if side.grave & bit != 0:
        return ev.GRAVE
    for card in side.life:
        if BIT[card] == bit:
            return ev.LIFE
    for card in side.trumps:
        if BIT[card] == bit:
            return ev.TRUMPS
    return -1


def leave_zone(s: State, request: Request, zone: i64, card: i64, hidden: bool) -> None:
    """Remove a card of the controller from the zone; it is then in no zone. ``hidden``: it will lie face down.
    ``ev.STAGE`` stands for the keys of the request."""
    side = s.sides[request.controller]
    bit: i64 = BIT[card]
    if zone == ev.STAGE:
        request.keys &= ~bit
    elif zone == ev.HAND and hidden:
        hide_from_hand(side, card)
    elif zone == ev.HAND:
        show_from_hand(side, bit, 1)
    elif zone == ev.GRAVE:
        remove_from_grave(side, bit)
    elif zone == ev.LIFE:
        take_from_life(side, card)
    elif zone == ev.ASIDE:
        side.aside &= ~bit
    else:
        assert zone == ev.TRUMPS
        take_trump(s, request.controller, card)


def put_keys(s: State, request: Request, n: i64) -> None:
    """Move the keys of a player's request from the hand onto the stage, shown to all (R-30)."""
    show_from_hand(s.sides[request.controller], request.keys, n)


def key_from_grave(s: State, player: i64, request: Request, card: i64) -> None:
    """Make a card of the grave the real key of a raised request (R-108)."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    remove_from_grave(side, bit)
    show(side, bit)
    request.keys = bit
    request.key_count = 1


def report_retarget(s: State, request: Request) -> None:
    emit(s, ev.RETARGETED, request.controller, 0, ev.ALL_AUDIENCES, request.target_kind, request.target)


def reveal(s: State, player: i64, cards: i64) -> None:
    """Report that the cards are shown without being moved."""
    emit(s, ev.REVEALED, player, cards, ev.ALL_AUDIENCES)


def mill_to_face(s: State, player: i64) -> None:
    """Move cards from life to the grave until a face card appears; that one goes to the hand (R-179, R-180)."""
    side = s.sides[player]
    milled: i64 = 0
    while side.life:
        card: i64 = pop_life(side)
        bit: i64 = BIT[card]
        show(side, bit)  # turned up
        if s.rules.faces & bit != 0:
            side.hand |= bit
            side.hand_count += 1
            emit(s, ev.MILLED, player, milled, ev.ALL_AUDIENCES)
            emit(s, ev.TOOK, player, bit, ev.ALL_AUDIENCES, ev.LIFE)
            return
        milled |= bit
        side.grave |= bit
        side.grave_top = card
    emit(s, ev.MILLED, player, milled, ev.ALL_AUDIENCES)


def reveal_and_enter(s: State, player: i64, n: i64, at_most: i64) -> None:
    """Turn up the top ``n`` cards: numbers up to ``at_most`` enter driven, the others stay aside (R-123, R-173)."""
    side = s.sides[player]
    revealed: i64 = 0
    fitting: list[int] = []
    while n > 0 and side.life:
        card: i64 = pop_life(side)
        bit: i64 = BIT[card]
        revealed |= bit
        if VALUE[card] <= at_most:
            fitting.append(card)
        else:
            side.aside |= bit
        n -= 1
    show(side, revealed)
    emit(s, ev.REVEALED, player, revealed, ev.ALL_AUDIENCES)
    for fit in fitting:
        enter(s, player, fit, True)


def aside_under_life(s: State, player: i64, order: list[int]) -> None:
    """Move the cards aside under life in the player's order."""
    s.sides[player].aside = 0
    put_under_life(s, player, order, player)


def hand_to_life(s: State, player: i64, card: i64, top: bool) -> None:
    """Move a card of the hand unseen on top of life, or under it (R-133, R-215)."""
    hide_from_hand(s.sides[player], card)
    order: list[int] = [card]
    if top:
        put_on_life(s, player, order, player)
    else:
        put_under_life(s, player, order, player)


def unit_onto_life(s: State, owner: i64, unit: Unit, order: list[int], chooser: i64) -> None:
    """Move the unit's cards face down on top of life in the chooser's order (R-167)."""
    take_off_field(s, owner, unit, False, False)
    put_on_life(s, owner, order, chooser)


def unit_under_life(s: State, owner: i64, unit: Unit, order: list[int]) -> None:
    """Move the unit's cards face down under life in the owner's order (R-117)."""
    take_off_field(s, owner, unit, False, False)
    put_under_life(s, owner, order, owner)


def soldiers_onto_life(s: State, owner: i64, cards: i64, order: list[int]) -> None:
    """Move the soldiers made of these cards face down on top of life in the owner's order (R-127)."""
    leaving: list[Unit] = s.sides[owner].soldiers[:]
    for unit in leaving:
        if unit.cards & cards != 0:
            take_off_field(s, owner, unit, False, False)
    put_on_life(s, owner, order, owner)


def life_to_bulwark(s: State, player: i64, driven: bool) -> None:
    """Put the top card of life onto the field as a bulwark, unseen."""
    enter_bulwark(s, player, pop_life(s.sides[player]), driven)


def rearrange_row(s: State, player: i64, order: list[int]) -> None:
    """Rearrange the bulwarks in this order of their codes; the opponent loses track of them (R-126, R-216)."""
    side = s.sides[player]
    row = side.bulwarks
    # Ids stay with the positions, otherwise they would reveal the new order. No request on the stage can target a
    # bulwark here: the request that does this lies directly above End.
    ids: list[int] = [unit.id for unit in row]
    new: list[Unit] = []
    laid: i64 = 0
    for named in order:
        unit = row[named % SIDE_CODE - ROW_CODE]
        unit.id = ids[len(new)]
        new.append(unit)
        laid |= unit.cards
    lose_track(side, laid)
    mark_mixed(side, laid)
    side.bulwarks = new
    emit(s, ev.REORDERED, player, 0, ev.ALL_AUDIENCES)


# -- combat roles ------------------------------------------------------------------------------------------------------


def name_attacker(s: State, player: i64, unit: Unit) -> None:
    """Make the soldier an attacker and drive it (R-59)."""
    unit.role = ATTACKER
    emit(s, ev.ATTACKED, player, 0, ev.ALL_AUDIENCES, unit.kind, unit.id)
    drive(s, player, unit)


def name_blocker(s: State, player: i64, unit: Unit, attacker: i64) -> None:
    """Make the unit a blocker of the attacker with this id (R-62)."""
    unit.role = BLOCKER
    unit.blocks = attacker
    emit(s, ev.BLOCKED, player, 0, ev.ALL_AUDIENCES, attacker, unit.id)


def end_roles(s: State) -> None:
    """Clear the combat roles of all units (R-70, R-73)."""
    for side in s.sides:
        for unit in side.soldiers:
            unit.role = NO_ROLE
            unit.blocks = -1
        for unit in side.bulwarks:
            unit.role = NO_ROLE
            unit.blocks = -1


# -- set-up ------------------------------------------------------------------------------------------------------------


def set_trump(s: State, player: i64, card: i64) -> None:
    """Make a card of the deck a face-down trump (R-100)."""
    side = s.sides[player]
    side.life.remove(int(card))
    side.trumps.append(int(card))
    emit(s, ev.TRUMP_SET, player, BIT[card], SEAT[player])


def restore_trump(s: State, player: i64, card_set: i64) -> None:
    """Move the named card from hand or grave into the trump zone, open (R-110)."""
    side = s.sides[player]
    if card_set & side.hand != 0:
        show_from_hand(side, card_set, 1)
    elif card_set & side.grave != 0:
        remove_from_grave(side, card_set)
    else:
        return
    card: i64 = LOW[card_set % 59]
    side.trumps.append(int(card))
    emit(s, ev.TRUMP_SET, player, card_set, ev.ALL_AUDIENCES)
    open_trump(s, player, card)


def life_to_soldier(s: State, player: i64) -> None:
    """Put the top card of life onto the field as a soldier."""
    enter(s, player, pop_life(s.sides[player]), False)


def clear_fresh(s: State, player: i64) -> None:
    """Treat all units of the player as having entered before this turn (R-196)."""
    s.sides[player].fresh = 0


def flip(s: State, player: i64) -> i64:
    """Move the top card of life to the grave and return its number; return -1 if there is none (R-192)."""
    side = s.sides[player]
    if not side.life:
        return -1
    card: i64 = pop_life(side)
    bit: i64 = BIT[card]
    side.grave |= bit
    side.grave_top = card
    show(side, bit)
    emit(s, ev.FLIPPED, player, bit, ev.ALL_AUDIENCES)
    return VALUE[card]
