"""Key cards of a request: the cards of a hand that can be its keys, alone or in combination (R-39)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.cards import ABOVE, JOKERS, LOW, NUMBER_SET, SUIT, SUIT_SET, VALUE, last_of
from blackpoker.engine.tables import EACH, NO_KEY, ONE, RARE, SAME_NUMBER, SAME_SUIT, TWO, CompiledAction, OfferIndex

SUITED: Final = 2**52 - 1
FIRST_JOKER: Final = 2**52


def pairs_by_suit(hand: i64) -> i64:
    """Return the cards of the hand with a later card of their suit (R-39: Jokers have none)."""
    out: i64 = 0
    for suit in SUIT_SET:
        cards: i64 = hand & suit
        if cards & (cards - 1) != 0:
            out |= cards & ~last_of(cards)
    return out


def pairs_by_number(hand: i64) -> i64:
    """Return the cards of the hand with a later card of their number; two Jokers count (R-39)."""
    later: i64 = (hand & SUITED) >> 13
    out: i64 = hand & (later | later >> 13 | later >> 26)
    if hand & JOKERS == JOKERS:
        out |= FIRST_JOKER
    return out


def without_last(cards: i64) -> i64:
    return cards & ~last_of(cards) if cards != 0 else 0


def has_keys(plan: CompiledAction, hand: i64) -> bool:
    key = plan.key
    if key == ONE or key == RARE:
        return hand & plan.key_a != 0
    if key == EACH:
        return hand & plan.key_a != 0 and hand & plan.key_b != 0
    if key == TWO:
        cards = hand & plan.key_a
        return cards & (cards - 1) != 0
    if key == NO_KEY:
        return True
    if key == SAME_SUIT:
        for suit in SUIT_SET:
            cards = hand & suit
            if cards & (cards - 1) != 0:
                return True
        return False
    if key == SAME_NUMBER:
        return pairs_by_number(hand) != 0
    for whole in plan.key_sets:
        if hand & whole == whole:
            return True
    return False


def keyed_actions(offers: OfferIndex, hand: i64, grants: i64) -> i64:
    """Return the bits of the index's actions that the hand has keys and the player has permissions for."""
    once: i64 = 0
    twice: i64 = 0
    second: i64 = 0
    cards = hand
    while cards != 0:
        low: i64 = cards & -cards
        card: i64 = LOW[low % 59]
        cards ^= low
        here: i64 = offers.with_card[card]
        twice |= once & here
        once |= here
        if offers.each != 0:
            second |= offers.with_second_key[card]
    keyed: i64 = offers.keyless | once & (offers.simple | second | twice & offers.double)
    if offers.suited != 0 and pairs_by_suit(hand) != 0:
        keyed |= offers.suited
    if offers.numbered != 0 and pairs_by_number(hand) != 0:
        keyed |= offers.numbered
    rest: i64 = once & offers.whole
    while rest != 0:
        low = rest & -rest
        if has_keys(offers.plans[LOW[low % 59]], hand):
            keyed |= low
        rest ^= low
    allowed = offers.free
    while grants != 0:
        low = grants & -grants
        allowed |= offers.granted[LOW[low % 59]]
        grants ^= low
    return keyed & allowed


def next_keys(plan: CompiledAction, hand: i64, chosen: i64, last: i64) -> i64:
    """Return the set of cards that may be the next key."""
    key = plan.key
    if chosen == 0:
        if key == ONE or key == EACH:
            return hand & plan.key_a
        if key == TWO:
            return without_last(hand & plan.key_a)
        if key == SAME_SUIT:
            return pairs_by_suit(hand)
        if key == SAME_NUMBER:
            return pairs_by_number(hand)
        out: i64 = 0
        for whole in plan.key_sets:
            if hand & whole == whole:
                out |= whole & -whole
        return out
    if key == EACH:
        return hand & plan.key_b
    above: i64 = ABOVE[last]
    if key == TWO:
        return hand & plan.key_a & above
    if key == SAME_SUIT:
        return hand & SUIT_SET[SUIT[last]] & above
    if key == SAME_NUMBER:
        return hand & NUMBER_SET[VALUE[last]] & above
    for whole in plan.key_sets:
        if hand & whole == whole and chosen & whole == chosen:
            rest: i64 = whole & ~chosen
            return rest & -rest
    return 0


def list_cards(cards: i64, options: list[int]) -> None:
    """Append the cards of a set to ``options``, in ascending order."""
    while cards != 0:
        low: i64 = cards & -cards
        options.append(LOW[low % 59])
        cards ^= low
