"""Further atoms, used only by effects, combat and set-up. With ``atoms`` the only functions that change zones."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.engine import events as ev
from blackpoker.engine.atoms import (
    SEAT,
    base_number,
    drive,
    emit,
    enter,
    enter_bulwark,
    hide_from_hand,
    lay_in_grave,
    lose_track,
    mark_mixed,
    open_trump,
    pop_life,
    put_on_life,
    put_under_life,
    refresh,
    remove_from_grave,
    show,
    show_from_hand,
    take_from_life,
    take_off_field,
    take_trump,
)
from blackpoker.engine.cards import BIT, LOW, VALUE, count, last_of
from blackpoker.engine.key_cards import list_cards
from blackpoker.engine.request import Request
from blackpoker.engine.state import ATTACKER, BLOCKER, GRAVE_KIND, NO_ROLE, ROW_CODE, SIDE_CODE, Side, State, Unit

# -- from zone to zone inside an effect --------------------------------------------------------------------------------


def zone_of_card(side: Side, request: Request, bit: i64) -> i64:
    """Return the controller's zone that contains the card (the request's keys count as ``ev.STAGE``); return -1 if none
    does or the card is on the field, in the pack or the rare card."""
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


def zone_anywhere(side: Side, request: Request, bit: i64) -> i64:
    """Return the same for all zones of the controller, the field included (N-413)."""
    zone = zone_of_card(side, request, bit)
    if zone >= 0:
        return zone
    if side.rare & bit != 0:
        return ev.RARE
    if side.pack & bit != 0:
        return ev.PACK
    return -1 if unit_with(side, bit) is None else ev.FIELD


def unit_with(side: Side, bit: i64) -> Unit | None:
    """Return the unit that contains the card."""
    for unit in side.soldiers:
        if unit.cards & bit != 0:
            return unit
    for unit in side.bulwarks:
        if unit.cards & bit != 0:
            return unit
    return None


def take_from_unit(s: State, player: i64, bit: i64) -> None:
    """Take a card off the field, which triggers nothing; the rest of a unit of several cards stays as the soldier it
    makes, the same unit in the same state (N-413)."""
    side = s.sides[player]
    unit = unit_with(side, bit)
    assert unit is not None
    rest = unit.cards & ~bit
    if rest == 0:
        take_off_field(s, player, unit, False, False)
        return
    unit.cards = rest
    side.fresh &= ~bit
    side.mixed &= ~bit
    low: i64 = rest & -rest
    if unit.lead == LOW[bit % 59]:
        unit.lead = LOW[low % 59]
    if rest == low:
        unit.kind = s.rules.kind_of_card[LOW[low % 59]]
    else:
        unit.kind = s.rules.armed_kind
    unit.base = base_number(s.rules.kinds[unit.kind], rest)
    refresh(s, side)
    emit(s, ev.ATTACHED, player, rest, ev.ALL_AUDIENCES, unit.kind, unit.id)


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
        remove_from_grave(s, request.controller, bit)
    elif zone == ev.LIFE:
        take_from_life(side, card)
    elif zone == ev.ASIDE:
        side.aside &= ~bit
    elif zone == ev.RARE:
        side.rare &= ~bit
    elif zone == ev.PACK:
        side.pack &= ~bit
    elif zone == ev.FIELD:
        take_from_unit(s, request.controller, bit)
    else:
        assert zone == ev.TRUMPS
        take_trump(s, request.controller, card)


def put_keys(s: State, request: Request, n: i64) -> None:
    """Move the keys of a player's request onto the stage, shown to all (R-30): the rare card, or cards of the hand."""
    side = s.sides[request.controller]
    if n > 0 and request.keys == side.rare:
        side.rare = 0
        show(side, request.keys)
        return
    show_from_hand(side, request.keys, n)


def key_from_grave(s: State, player: i64, request: Request, card: i64) -> None:
    """Make a card of the grave the real key of a raised request (R-108)."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    remove_from_grave(s, player, bit)
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
        lay_in_grave(s, side, bit, card)
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


def turn_up_points(s: State, player: i64, most: i64) -> i64:
    """Turn up the top card of life and return its points; an A counts 1 if 11 are more than ``most`` (N-236)."""
    side = s.sides[player]
    if not side.life:
        return 0
    card: i64 = pop_life(side)
    side.aside |= BIT[card]
    show(side, BIT[card])
    emit(s, ev.REVEALED, player, BIT[card], ev.ALL_AUDIENCES)
    number: i64 = VALUE[card]
    if number == 1:
        return 11 if most >= 11 else 1
    return min(number, 10)


def aside_to_hand(s: State, player: i64) -> None:
    side = s.sides[player]
    cards = side.aside
    side.aside = 0
    side.hand |= cards
    side.hand_count += count(cards)
    emit(s, ev.TOOK, player, cards, ev.ALL_AUDIENCES, ev.LIFE)


def aside_to_grave(s: State, player: i64) -> None:
    side = s.sides[player]
    cards = side.aside
    side.aside = 0
    if cards != 0:
        lay_in_grave(s, side, cards, LOW[last_of(cards) % 59])
        emit(s, ev.MILLED, player, cards, ev.ALL_AUDIENCES)


def ask_top(s: State) -> bool:
    """Ask the owner of a grave whose top has left for the card on top of it, as the last thing of a resolution; return
    False if there is none (N-418)."""
    for turn in range(2):
        player: i64 = s.turn if turn == 0 else 1 - s.turn
        side = s.sides[player]
        if side.uncovered:
            s.options = []
            list_cards(side.grave, s.options)
            s.kind = GRAVE_KIND
            s.asked = player
            return True
    return False


def put_on_top(s: State, player: i64, card: i64) -> None:
    """Put a card of the grave on top of it, as its owner chooses (N-052)."""
    side = s.sides[player]
    side.uncovered = False
    if side.grave_top != card:
        pile: list[int] = []
        for other in side.pile:
            if other != card:
                pile.append(other)
        pile.append(int(card))
        side.pile = pile
        side.grave_top = card
        show(side, BIT[card])
        emit(s, ev.UNCOVERED, player, BIT[card], ev.ALL_AUDIENCES)


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
    take_from_life(side, card)
    side.trumps.append(int(card))
    emit(s, ev.TRUMP_SET, player, BIT[card], SEAT[player])


def restore_trump(s: State, player: i64, card_set: i64, from_hand: bool) -> None:
    """Move the named card from the grave, or from the hand, into the trump zone, open (R-110, N-257)."""
    side = s.sides[player]
    if from_hand and card_set & side.hand != 0:
        show_from_hand(side, card_set, 1)
    elif card_set & side.grave != 0:
        remove_from_grave(s, player, card_set)
    else:
        return
    card: i64 = LOW[card_set % 59]
    side.trumps.append(int(card))
    emit(s, ev.TRUMP_SET, player, card_set, ev.ALL_AUDIENCES)
    open_trump(s, player, card)


def set_aside(s: State, player: i64, card: i64, rare: bool) -> None:
    """Set a card of the deck aside, unseen: as the rare card, or into the hand (N-133, N-134)."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    take_from_life(side, card)
    if rare:
        side.rare = bit
    else:
        side.hand |= bit
        side.hand_count += 1
    emit(s, ev.SET_ASIDE, player, bit, SEAT[player], ev.RARE if rare else ev.HAND)


def lay_pack(s: State, player: i64, n: i64) -> None:
    """Make the top cards of life the pack, which its owner does not see either (N-132)."""
    side = s.sides[player]
    left = n
    while left > 0:
        side.pack |= BIT[pop_life(side)]
        left -= 1
    emit(s, ev.PACKED, player, 0, ev.ALL_AUDIENCES, n)


def look_at_life(s: State, player: i64, cards: i64) -> None:
    """Let the owner look at cards of the own life (N-140)."""
    s.sides[player].own_seen |= cards


def show_bulwark(s: State, player: i64, unit: Unit) -> None:
    """Show the card of a bulwark to both players; it then lies face down (N-401)."""
    show(s.sides[player], unit.cards)
    emit(s, ev.REVEALED, player, unit.cards, ev.ALL_AUDIENCES, 0, unit.id)


def drop_unit(s: State, player: i64, unit: Unit) -> None:
    """Move a unit to the grave at set-up, which triggers nothing (N-130)."""
    side = s.sides[player]
    take_off_field(s, player, unit, False, False)
    lay_in_grave(s, side, unit.cards, unit.lead)
    show(side, unit.cards)
    emit(s, ev.FLIPPED, player, unit.cards, ev.ALL_AUDIENCES)


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
    lay_in_grave(s, side, bit, card)
    show(side, bit)
    emit(s, ev.FLIPPED, player, bit, ev.ALL_AUDIENCES)
    return VALUE[card]
