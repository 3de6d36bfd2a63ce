"""Atoms: with ``zone_moves`` the only functions that change zones and units.

Each atom reports its event, raises what the event triggers, and updates which players know the cards. Knowledge of a
card's location (``Side.public``, ``seen``, ``own_seen``) moves with the card. Entering a visible location makes a card
public. Knowledge is lost when several cards move in an order that is not shown, or when one leaves a hand unseen
(R-214…R-216)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT, LOW, SUIT, SUIT_SET, VALUE, count, last_of, total
from blackpoker.engine.request import Request
from blackpoker.engine.state import (
    CLOSE_FOG,
    FORCE_FOG,
    NO_ROLE,
    TRUMP_CODE,
    Side,
    State,
    Unit,
    fog_code,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)
from blackpoker.engine.tables import ON_DISCARD, ON_END, ON_OPEN, CompiledCharacter

#: bit of each player in ``seen_by``
SEAT: Final[list[int]] = [1, 2]


def emit(s: State, kind: i64, player: i64, cards: i64, seen_by: i64, a: i64 = 0, b: i64 = -1) -> None:
    """Append an event to ``s.log``. The most frequent atoms check ``s.log`` first: it is None in a simulation."""
    log = s.log
    if log is not None:
        log.append((kind, player, cards, seen_by, a, b))


# -- knowledge of cards ------------------------------------------------------------------------------------------------


def show(side: Side, cards: i64) -> None:
    """Make the location of these cards public."""
    side.public |= cards
    side.seen &= ~cards


def lose_track(side: Side, cards: i64) -> None:
    """Leave the exact location of these cards known to their owner only."""
    side.public &= ~cards
    side.seen &= ~cards


def mark_mixed(side: Side, cards: i64) -> None:
    """Mark bulwarks rearranged face down: which of them are new this turn would reveal their faces."""
    new = side.fresh & cards
    if new != 0 and new != cards:
        side.mixed |= cards


def audience_bits(side: Side, player: i64, cards: i64) -> i64:
    """Return the ``seen_by`` bits of these cards as they move; their owner always sees them."""
    if side.public & cards == cards:
        return ev.ALL_AUDIENCES
    return ev.BOTH_SEATS if (side.public | side.seen) & cards == cards else SEAT[player]


def pop_life(side: Side) -> i64:
    """Remove the top card of life and return it; it is then in no zone."""
    card: i64 = side.life.pop()
    side.own_seen &= ~BIT[card]
    side.on_top = 0
    return card


def take_from_life(side: Side, card: i64) -> None:
    """Remove a card from life; it is then in no zone."""
    side.life.remove(int(card))
    side.own_seen &= ~BIT[card]
    side.on_top = 0


# -- requests ----------------------------------------------------------------------------------------------------------


def new_request(s: State, action: i64, controller: i64) -> Request:
    plan = s.rules.plans[action]
    request = Request(s.next_id, action, controller, plan.immediate, plan.main)
    s.next_id += 1
    return request


def raise_request(s: State, action: i64, controller: i64) -> Request:
    """Add a triggered or effect-raised request to the buffer of the trigger check and return it (R-21, R-24)."""
    request = new_request(s, action, controller)
    request.raised = True
    s.buffer.append(request)
    if s.log is not None:
        emit(s, ev.RAISED, controller, 0, ev.ALL_AUDIENCES, action, request.id)
    return request


def spend_keys(s: State, request: Request) -> None:
    """Move the key cards to their owner's grave (R-43)."""
    keys = request.keys
    if keys == 0:
        return
    side = s.sides[request.controller]
    request.keys = 0
    show(side, keys)
    lay_in_grave(s, side, keys, LOW[last_of(keys) % 59])
    if s.log is not None:
        emit(s, ev.KEYS_SPENT, request.controller, keys, ev.ALL_AUDIENCES, request.action, request.id)


def return_keys(s: State, request: Request) -> None:
    """Return the key cards to the hand (R-153)."""
    side = s.sides[request.controller]
    side.hand |= request.keys
    side.hand_count += count(request.keys)
    emit(s, ev.KEYS_RETURNED, request.controller, request.keys, ev.ALL_AUDIENCES, request.action, request.id)
    request.keys = 0


def negate(s: State, request: Request) -> None:
    """Remove the request from the stage without effect and its keys to the grave (R-44)."""
    s.stage.remove(request)
    emit(s, ev.NEGATED, request.controller, request.keys, ev.ALL_AUDIENCES, request.action, request.id)
    spend_keys(s, request)


# -- life, hand, grave -------------------------------------------------------------------------------------------------


def damage(s: State, player: i64, amount: i64) -> None:
    """Move cards from the top of life to the grave (R-47); only the last card moved is shown (R-211, R-213)."""
    side = s.sides[player]
    life = side.life
    n: i64 = min(amount, len(life))
    if n <= 0:
        return
    moved: i64 = 0
    left = n
    card: i64 = 0
    while left > 0:
        card = life.pop()
        moved |= BIT[card]
        left -= 1
        if s.rules.grave_piles:
            lay_on_pile(side, card)
    side.grave |= moved
    side.grave_top = card
    show(side, BIT[card])
    side.own_seen &= ~moved
    if side.on_top != 0:
        remember_on_top(side, moved, BIT[card])
    if s.log is not None:
        emit(s, ev.DAMAGED, player, moved, SEAT[player], n, card)


def remember_on_top(side: Side, moved: i64, shown: i64) -> None:
    """Update ``on_top`` after damage: cards publicly put on top of life in an order not shown (R-216)."""
    rest = side.on_top
    side.on_top = 0
    if rest & ~moved == 0:  # all of them: their order does not matter
        show(side, rest)
    elif moved == shown:  # the top one, which was shown
        rest &= ~shown
        if rest & (rest - 1) == 0:
            show(side, rest)
        else:
            side.on_top = rest


def draw(s: State, player: i64) -> bool:
    """Move the top card of life to the hand; return False if there is none (R-46)."""
    side = s.sides[player]
    if not side.life:
        return False
    bit: i64 = BIT[pop_life(side)]
    side.hand |= bit
    side.hand_count += 1
    if s.log is not None:
        emit(s, ev.DREW, player, bit, SEAT[player])
    return True


def take_to_hand(s: State, player: i64, card: i64, zone: i64) -> None:
    """Move a card of the player's life, grave or pack to the hand, shown to both players (R-214)."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    if zone == ev.LIFE:
        take_from_life(side, card)
    elif zone == ev.GRAVE:
        remove_from_grave(s, player, bit)
    elif side.rare & bit != 0:
        side.rare = 0
        zone = ev.RARE
    else:
        side.pack &= ~bit
    side.hand |= bit
    side.hand_count += 1
    show(side, bit)
    emit(s, ev.TOOK, player, bit, ev.ALL_AUDIENCES, zone)


def take_rare(s: State, player: i64) -> None:
    """Move the rare card to the hand, unseen (N-239, N-414)."""
    side = s.sides[player]
    bit = side.rare
    if bit != 0:
        side.rare = 0
        side.hand |= bit
        side.hand_count += 1
        emit(s, ev.TOOK, player, bit, audience_bits(side, player, bit), ev.RARE)


def lay_on_pile(side: Side, card: i64) -> None:
    side.uncovered = False
    pile: list[int] = side.pile[:]
    pile.append(card)
    side.pile = pile


def lay_in_grave(s: State, side: Side, cards: i64, top: i64) -> None:
    """Put cards that are in no zone into the grave; ``top`` is the one seen (R-211, N-052)."""
    side.grave |= cards
    side.grave_top = top
    if s.rules.grave_piles:
        rest: i64 = cards & ~BIT[top]
        while rest != 0:
            low: i64 = rest & -rest
            lay_on_pile(side, LOW[low % 59])
            rest ^= low
        lay_on_pile(side, top)


def remove_from_grave(s: State, player: i64, cards: i64) -> None:
    side = s.sides[player]
    side.grave &= ~cards
    if s.rules.grave_piles:
        take_from_pile(s, side, player, cards)
    elif side.grave_top >= 0:
        top: i64 = BIT[side.grave_top]
        if cards & top != 0:
            side.grave_top = -1  # no older card is shown again


def take_from_pile(s: State, side: Side, player: i64, cards: i64) -> None:
    """Take cards off the pile; the uppermost one left is seen (N-052)."""
    pile: list[int] = []
    for card in side.pile:
        if BIT[card] & cards == 0:
            pile.append(card)
    side.pile = pile
    if not pile:
        side.grave_top = -1
        side.uncovered = False
        return
    top: i64 = pile[len(pile) - 1]
    if top != side.grave_top:
        side.grave_top = top
        side.uncovered = len(pile) > 1
        show(side, BIT[top])
        emit(s, ev.UNCOVERED, player, BIT[top], ev.ALL_AUDIENCES)


def discard(s: State, player: i64, cards: i64, top: i64) -> None:
    """Discard cards in one event (R-51, R-134). Of several cards only ``top`` (-1: the last one) is public (R-211)."""
    if cards == 0:
        return
    side = s.sides[player]
    n = count(cards)
    if n > 1 and n < side.hand_count:
        lose_track(side, side.hand)  # which of the known cards left is not shown
    side.hand &= ~cards
    side.hand_count -= n
    if top < 0:
        top = LOW[last_of(cards) % 59]
    lay_in_grave(s, side, cards, top)
    show(side, BIT[top])
    if s.log is not None:
        emit(s, ev.DISCARDED, player, cards, ev.ALL_AUDIENCES if n == 1 else SEAT[player], n, top)
    if s.rules.discard_triggers:
        fire_triggers(s, 1 - player, ON_DISCARD, n)


def show_from_hand(side: Side, cards: i64, n: i64) -> None:
    """Remove ``n`` cards from the hand, shown to all; they are then in no zone."""
    side.hand &= ~cards
    side.hand_count -= n
    show(side, cards)


def hide_from_hand(side: Side, card: i64) -> None:
    """Remove a card from the hand unseen; the opponent's knowledge of the remaining hand is lost (R-305)."""
    if side.hand_count > 1:
        lose_track(side, side.hand)
    side.hand &= ~BIT[card]
    side.hand_count -= 1


def show_hand(s: State, player: i64) -> None:
    """Show the hand to the opponent only (R-170)."""
    side = s.sides[player]
    side.seen |= side.hand & ~side.public
    emit(s, ev.LOOKED, player, side.hand, ev.BOTH_SEATS, ev.HAND)


def open_pack(s: State, player: i64) -> None:
    s.sides[player].pack_open = True
    emit(s, ev.PACK_OPENED, player, 0, ev.ALL_AUDIENCES)


def shuffle(s: State, player: i64) -> None:
    side = s.sides[player]
    for card in side.life:
        bit: i64 = BIT[card]
        lose_track(side, bit)
        side.own_seen &= ~bit
    side.on_top = 0
    s.source.shuffle(side.life, int(player))
    emit(s, ev.SHUFFLED, player, 0, ev.ALL_AUDIENCES)


def put_on_life(s: State, player: i64, order: list[int], chooser: i64) -> None:
    """Put cards that are in no zone face down on top of life, the first one highest (R-215)."""
    cards = set_of(order)
    side = s.sides[player]
    seen_by = audience_bits(side, player, cards)
    lay_face_down(side, player, cards, chooser)
    side.on_top = cards if len(order) > 1 and seen_by == ev.ALL_AUDIENCES else 0
    for card in reversed(order):
        side.life.append(card)
    emit(s, ev.TOPPED, player, cards, seen_by)


def put_under_life(s: State, player: i64, order: list[int], chooser: i64) -> None:
    """Put cards that are in no zone face down under life, the last one lowest (R-215)."""
    side = s.sides[player]
    cards = set_of(order)
    seen_by = audience_bits(side, player, cards)
    lay_face_down(side, player, cards, chooser)
    for card in order:
        side.life.insert(0, card)
    emit(s, ev.SUNK, player, cards, seen_by)


def set_of(cards: list[int]) -> i64:
    out: i64 = 0
    for card in cards:
        out |= BIT[card]
    return out


def lay_face_down(side: Side, player: i64, cards: i64, chooser: i64) -> None:
    """Update the knowledge of cards laid face down. Knowledge of a single card stays. The order of several cards is
    known only to their owner and to the player who chose it (R-216)."""
    side.own_seen |= cards
    if cards & (cards - 1) == 0:
        return
    lose_track(side, cards)
    if chooser != player:
        side.seen |= cards


# -- units -------------------------------------------------------------------------------------------------------------


def base_number(kind: CompiledCharacter, cards: i64) -> i64:
    """Return a unit's number without modifiers (R-81)."""
    if kind.fixed_number >= 0:
        return kind.fixed_number
    return total(cards)


def refresh(s: State, side: Side) -> None:
    """Recompute the abilities and permissions of the side (R-35, R-101)."""
    abilities: i64 = 0
    grants: i64 = 0
    kinds = s.rules.kinds
    for unit in side.soldiers:
        kind = kinds[unit.kind]
        abilities |= kind.abilities
        grants |= kind.grants
    for card in side.trumps:
        trump = s.rules.trumps[card]
        if trump is not None and side.open_trumps & BIT[card] != 0:
            abilities |= trump.abilities
            grants |= trump.grants
    side.abilities = abilities
    side.grants = grants


def enter(s: State, player: i64, card: i64, driven: bool) -> Unit:
    """Put a card that is in no zone onto the field as its soldier (R-80), new this turn (R-82). Return the unit."""
    side = s.sides[player]
    index: i64 = s.rules.kind_of_card[card]
    bit: i64 = BIT[card]
    unit = Unit(s.next_id, index, bit, card, VALUE[card], driven)
    s.next_id += 1
    side.soldiers.append(unit)
    side.fresh |= bit
    show(side, bit)
    kind = s.rules.kinds[index]
    if kind.abilities != 0 or kind.grants != 0:
        refresh(s, side)
    emit(s, ev.ENTERED, player, bit, ev.ALL_AUDIENCES, index, unit.id)
    return unit


def enter_as(s: State, player: i64, index: i64, cards: i64, lead: i64) -> Unit:
    """Put several cards that are in no zone onto the field as one named character (2.7). Return the unit."""
    side = s.sides[player]
    kind = s.rules.kinds[index]
    unit = Unit(s.next_id, index, cards, lead, base_number(kind, cards), False)
    s.next_id += 1
    side.soldiers.append(unit)
    side.fresh |= cards
    show(side, cards)
    refresh(s, side)
    emit(s, ev.ENTERED, player, cards, ev.ALL_AUDIENCES, index, unit.id)
    return unit


def enter_bulwark(s: State, player: i64, card: i64, driven: bool) -> Unit:
    """Put a card that is in no zone face down at the outer end of the row (R-83). Knowledge of it stays. Return the
    unit."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    unit = Unit(s.next_id, s.rules.bulwark_kind, bit, card, 0, driven)
    s.next_id += 1
    side.bulwarks.append(unit)
    side.fresh |= bit
    emit(s, ev.ENTERED, player, bit, audience_bits(side, player, bit), unit.kind, unit.id)
    return unit


def attach(s: State, player: i64, unit: Unit, card: i64) -> None:
    """Add the card to the unit, which stays the same character (装備, R-84, R-87)."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    unit.cards |= bit
    unit.kind = s.rules.armed_kind
    unit.base = base_number(s.rules.kinds[unit.kind], unit.cards)
    side.fresh |= bit
    show(side, bit)
    refresh(s, side)
    emit(s, ev.ATTACHED, player, unit.cards, ev.ALL_AUDIENCES, unit.kind, unit.id)


def take_off_field(s: State, player: i64, unit: Unit, to_grave: bool, to_hand: bool) -> None:
    """Remove the unit from the field and raise what this triggers (R-26, R-27, R-110)."""
    side = s.sides[player]
    kind = s.rules.kinds[unit.kind]
    if kind.bulwark:
        side.bulwarks.remove(unit)
    else:
        side.soldiers.remove(unit)
    side.fresh &= ~unit.cards
    side.mixed &= ~unit.cards
    unit.role = NO_ROLE
    if s.rules.grave_piles:  # no other edition has fogs
        end_fogs(s, unit.id)
    if kind.abilities != 0 or kind.grants != 0:
        refresh(s, side)
    if to_grave and s.rules.card_action >= 0:  # N-207: by card
        passed_on: i64 = count(unit.cards & s.rules.card_trigger)
        while passed_on > 0:
            raise_request(s, s.rules.card_action, player)
            passed_on -= 1
    if kind.leave_action >= 0 and (to_grave or (to_hand and kind.leave_to_hand)):
        times: i64 = kind.leave_count
        if kind.leave_cards != 0:
            times = count(unit.cards & kind.leave_cards)
        while times > 0:
            request = raise_request(s, kind.leave_action, player)
            request.amount = unit.cards & kind.leave_card
            times -= 1


def bury(s: State, player: i64, unit: Unit) -> None:
    """Move a single unit from the field to the grave, shown to all (R-214)."""
    show(s.sides[player], unit.cards)
    to_grave(s, player, unit)


def to_grave(s: State, player: i64, unit: Unit) -> None:
    side = s.sides[player]
    take_off_field(s, player, unit, True, False)
    cards = unit.cards
    lay_in_grave(s, side, cards, unit.lead)
    emit(s, ev.BURIED, player, cards, audience_bits(side, player, cards), unit.kind, unit.id)


def bury_all(s: State, player: i64, units: list[Unit]) -> None:
    """Move several units of a player to the grave, one by one; of bulwarks only the last one is shown (R-211)."""
    left: i64 = len(units)
    for unit in units:
        left -= 1
        if left == 0:
            bury(s, player, unit)
        else:
            to_grave(s, player, unit)


def return_to_hand(s: State, player: i64, unit: Unit) -> None:
    side = s.sides[player]
    take_off_field(s, player, unit, False, True)
    cards = unit.cards
    side.hand |= cards
    side.hand_count += count(cards)
    emit(s, ev.RETURNED, player, cards, audience_bits(side, player, cards), unit.kind, unit.id)


def drive(s: State, player: i64, unit: Unit) -> None:
    if not unit.driven:
        unit.driven = True
        if s.log is not None:
            emit(s, ev.DROVE, player, 0, ev.ALL_AUDIENCES, unit.kind, unit.id)


def charge(s: State, player: i64, unit: Unit) -> None:
    if unit.driven:
        unit.driven = False
        if s.log is not None:
            emit(s, ev.CHARGED, player, 0, ev.ALL_AUDIENCES, unit.kind, unit.id)


def add_bonus(s: State, player: i64, unit: Unit, amount: i64) -> None:
    unit.bonus += amount
    if s.log is not None:
        emit(s, ev.BONUS, player, 0, ev.ALL_AUDIENCES, amount, unit.id)


def add_bonus_for_all(s: State, player: i64, amount: i64) -> None:
    """Add a bonus to all soldiers of the player, including later ones (R-171)."""
    s.sides[player].bonus += amount
    emit(s, ev.BONUS, player, 0, ev.ALL_AUDIENCES, amount, -1)


def pass_turn(s: State) -> None:
    """Pass the turn to the other player; until-end-of-turn effects end, per-turn limits are reset (R-52, R-53)."""
    for side in s.sides:
        side.fresh = 0
        side.mixed = 0
        side.used = 0
        side.requests = 0
        side.bonus = 0
        for unit in side.soldiers:
            unit.bonus = 0
    s.turn = 1 - s.turn
    s.turn_number += 1
    emit(s, ev.TURN, s.turn, 0, ev.ALL_AUDIENCES, s.turn_number)


def to_soldier(s: State, player: i64, unit: Unit) -> None:
    """Turn a bulwark face up into its card's soldier; it stays the same character (R-84, R-178)."""
    side = s.sides[player]
    side.bulwarks.remove(unit)
    index: i64 = s.rules.kind_of_card[unit.lead]
    unit.kind = index
    unit.base = VALUE[unit.lead]
    unit.bonus = 0
    unit.role = NO_ROLE
    side.soldiers.append(unit)
    show(side, unit.cards)
    refresh(s, side)
    emit(s, ev.TURNED, player, unit.cards, ev.ALL_AUDIENCES, index, unit.id)


def to_bulwark(s: State, player: i64, unit: Unit, order: list[int]) -> None:
    """Turn a soldier into one bulwark per card, placed outward in this order. A soldier of one card stays the same
    character; a split makes new ones (R-84)."""
    side = s.sides[player]
    side.soldiers.remove(unit)
    unit.role = NO_ROLE
    if s.rules.grave_piles:  # no other edition has fogs
        end_fogs(s, unit.id)
    cards = unit.cards
    for card in order:
        bulwark = unit
        if len(order) > 1:
            bulwark = Unit(s.next_id, 0, BIT[card], card, 0, unit.driven)
            s.next_id += 1
        bulwark.kind = s.rules.bulwark_kind
        bulwark.base = 0
        bulwark.bonus = 0
        side.bulwarks.append(bulwark)
    if len(order) > 1:
        lose_track(side, cards)  # the faces are known, their order is known to the controller only
        mark_mixed(side, cards)
    refresh(s, side)
    emit(s, ev.TURNED, player, cards, ev.ALL_AUDIENCES, s.rules.bulwark_kind, unit.id)


# -- trumps ------------------------------------------------------------------------------------------------------------


def open_trump(s: State, player: i64, card: i64) -> None:
    if locked(s, player, card):
        return
    side = s.sides[player]
    bit: i64 = BIT[card]
    side.open_trumps |= bit
    show(side, bit)
    refresh(s, side)
    emit(s, ev.OPENED, player, bit, ev.ALL_AUDIENCES)
    trump = s.rules.trumps[card]
    if trump is not None and trump.event == ON_OPEN:
        raise_request(s, trump.action, player)


def close_trump(s: State, player: i64, card: i64) -> None:
    side = s.sides[player]
    bit: i64 = BIT[card]
    if side.open_trumps & bit != 0:
        side.open_trumps &= ~bit
        refresh(s, side)
        emit(s, ev.CLOSED, player, bit, ev.ALL_AUDIENCES)


def take_trump(s: State, player: i64, card: i64) -> None:
    """Remove the trump from its zone; it is then in no zone."""
    side = s.sides[player]
    bit: i64 = BIT[card]
    side.trumps.remove(int(card))
    side.open_trumps &= ~bit
    refresh(s, side)


def bury_trump(s: State, player: i64, card: i64) -> None:
    side = s.sides[player]
    take_trump(s, player, card)
    bit: i64 = BIT[card]
    lay_in_grave(s, side, bit, card)
    show(side, bit)
    emit(s, ev.TRUMP_LOST, player, bit, ev.ALL_AUDIENCES)


# -- fogs --------------------------------------------------------------------------------------------------------------


def keys_to_fog(s: State, request: Request, kind: i64, target: i64) -> None:
    """Leave the keys of the request in its controller's fog, bound to the target (N-060, N-061)."""
    keys = request.keys
    if keys == 0:
        return
    side = s.sides[request.controller]
    low: i64 = keys & -keys
    rest: i64 = keys ^ low
    second: i64 = -1 if rest == 0 else LOW[rest % 59]
    fogs: list[int] = side.fogs[:]
    fogs.append(fog_code(kind, LOW[low % 59], second, target))
    side.fogs = fogs
    request.keys = 0
    show(side, keys)
    emit(s, ev.FOGGED, request.controller, keys, ev.ALL_AUDIENCES, kind, -1 if kind == CLOSE_FOG else target)


def fog_cards(side: Side) -> i64:
    """Return the cards in the fog."""
    cards: i64 = 0
    for fog in side.fogs:
        cards |= BIT[fog_first(fog)]
        second = fog_second(fog)
        if second >= 0:
            cards |= BIT[second]
    return cards


def end_fogs(s: State, unit: i64) -> None:
    """Unbind the fogs of a unit that leaves the field or becomes a bulwark: they lie on without effect (N-061)."""
    for side in s.sides:
        if side.fogs:
            fogs: list[int] = []
            for fog in side.fogs:
                bound = fog_kind(fog) < FORCE_FOG and fog_target(fog) == unit
                fogs.append(fog_code(fog_kind(fog), fog_first(fog), fog_second(fog), -1) if bound else fog)
            side.fogs = fogs


def locked(s: State, player: i64, card: i64) -> bool:
    """Return whether a fog keeps the trump face down (N-062)."""
    for side in s.sides:
        for fog in side.fogs:
            if fog_kind(fog) == CLOSE_FOG and fog_target(fog) == player * TRUMP_CODE + card:
                return True
    return False


def clear_fogs(s: State) -> None:
    """Move every card of both fogs to its owner's grave, the last one laid on top (N-201, N-418)."""
    player: i64 = 0
    for side in s.sides:
        if side.fogs:
            cards = fog_cards(side)
            for fog in side.fogs:
                lay_in_grave(s, side, BIT[fog_first(fog)], fog_first(fog))
                second = fog_second(fog)
                if second >= 0:
                    lay_in_grave(s, side, BIT[second], second)
            none: list[int] = []
            side.fogs = none
            emit(s, ev.FOGS_CLEARED, player, cards, ev.ALL_AUDIENCES)
        player += 1


# -- triggers ----------------------------------------------------------------------------------------------------------


def fire_triggers(s: State, player: i64, event: i64, amount: i64) -> None:
    """Raise the requests that the player's open trumps (and, at End, characters) trigger on this event."""
    side = s.sides[player]
    for card in side.trumps:
        trump = s.rules.trumps[card]
        if trump is not None and trump.event == event and side.open_trumps & BIT[card] != 0:
            raise_request(s, trump.action, player).amount = amount
    if event == ON_END:
        for unit in side.soldiers:
            kind = s.rules.kinds[unit.kind]
            if kind.end_action >= 0:
                raise_request(s, kind.end_action, player)


def suits_of(unit: Unit) -> i64:
    """Return the set of all cards of the unit's suits (R-86)."""
    cards = unit.cards
    suits: i64 = 0
    while cards != 0:
        low: i64 = cards & -cards
        suits |= SUIT_SET[SUIT[LOW[low % 59]]]
        cards ^= low
    return suits
