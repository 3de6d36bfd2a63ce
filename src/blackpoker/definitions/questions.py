"""Questions shared by several steps (choose a unit, the order of cards, the public card of a discard)."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.definitions.values import Ref
from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT, LOW
from blackpoker.engine.key_cards import list_cards
from blackpoker.engine.state import ORDER_KIND, ROW_CODE, SHOWN_KIND, SIDE_CODE, Side, State
from blackpoker.engine.tables import BULWARK, MINE, SOLDIER, THEIRS


def ask_or_bind_none(s: State, kind: i64, player: i64, bind: Ref) -> bool:
    """Ask the player for one of ``s.options`` and return True; if there are none, bind -1 and return False (R-42)."""
    s.kind = kind
    s.asked = player
    if s.options:
        return True
    s.bind(bind.slot, -1)
    return False


def zone_cards(side: Side, zone: i64) -> i64:
    """Return the cards of a player's zone as a set."""
    if zone == ev.HAND:
        return side.hand
    if zone == ev.GRAVE:
        return side.grave
    if zone == ev.PACK:
        return side.pack
    if zone == ev.ASIDE:
        return side.aside
    if zone == ev.RARE:
        return side.rare
    assert zone == ev.LIFE
    cards: i64 = 0
    for card in side.life:
        cards |= BIT[card]
    return cards


def list_units(s: State, viewer: i64, whose: i64, type: i64, options: list[int]) -> None:
    """Append an option for each unit of a set; ``whose`` is relative to the viewer."""
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


def ask_order(s: State, player: i64, cards: i64) -> bool:
    """Ask for the next card of an order; the last card is not asked for. Return False once all are ordered."""
    left = cards
    for card in s.order:
        left &= ~BIT[card]
    if left & (left - 1) == 0:
        if left != 0:
            s.order.append(LOW[left % 59])
        return False
    s.options = []
    list_cards(left, s.options)
    s.kind = ORDER_KIND
    s.asked = player
    return True


def ask_public_card(s: State, player: i64, cards: i64) -> bool:
    """Ask for the public one of these cards, discarded together; return False if there is no choice (R-211)."""
    if cards & (cards - 1) == 0:
        return False
    s.options = []
    list_cards(cards, s.options)
    s.kind = SHOWN_KIND
    s.asked = player
    return True
