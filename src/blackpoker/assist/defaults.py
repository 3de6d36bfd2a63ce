"""Default answers: proposals for a player, and the choice when a player gives no answer."""

from __future__ import annotations

from typing import Final

from blackpoker.assist.action_traits import traits_of
from blackpoker.assist.autopass import NO, sequence_usefulness
from blackpoker.engine.cards import BIT
from blackpoker.engine.combat import bulwark_matches
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.request import UNIT
from blackpoker.engine.state import (
    BULWARK_KIND,
    CARD_KIND,
    DISCARD_KIND,
    DONE,
    KEY_KIND,
    OPTION_KIND,
    SACRIFICE_KIND,
    SHOWN_KIND,
    SIDE_CODE,
    TARGET_KIND,
)
from blackpoker.engine.tables import AIM_REQUEST
from blackpoker.notation.options import kind_name, targeting_action

#: Jokers have the highest numbers, and are worth more than all keys together
FIRST_JOKER: Final = 52
JOKER_VALUE: Final = 10_000
ABOVE_KING: Final = 13


def default_option(s: Engine) -> int:
    """Return the most likely option when it hardly matters: pass, stop, the cheapest payment, the first option. It is
    never an action, except the end of the turn if passing is not allowed (R-13)."""
    options = s.options
    if s.kind == CHANCE_KIND:
        if PASS in options:
            return PASS
        return next((option for option in options if s.rules.plans[option - 1].ends_turn), options[0])
    if DONE in options:
        return DONE
    if s.kind == SHOWN_KIND:
        return options[-1]
    if s.kind == BULWARK_KIND:
        return min(options, key=lambda option: bulwark_value(s, option))
    if gives_up_card(s):
        return min(options, key=lambda option: card_value(s, option))
    if s.kind == SACRIFICE_KIND:
        return min(options, key=lambda option: unit_value(s, option))
    if s.kind == KEY_KIND:
        return default_key(s)
    if s.kind == TARGET_KIND and targeting_action(s).aim == AIM_REQUEST:
        return options[-1]  # the request that takes effect next
    if s.kind == OPTION_KIND and kind_name(s) == "state":
        return default_state(s)
    if s.kind == TARGET_KIND:
        own = traits_of(s, targeting_action(s)).strengthens
        return next((option for option in options if (option // SIDE_CODE == s.asked) is own), options[0])
    return options[0]


def gives_up_card(s: Engine) -> bool:
    """Return whether a card of the hand is given up: as a payment, or inside an effect, to set it as a bulwark or to
    lose it."""
    hand = s.sides[s.asked].hand
    return s.kind == DISCARD_KIND or (s.kind == CARD_KIND and all(hand & BIT[card] for card in s.options))


def default_key(s: Engine) -> int:
    """Return the lowest key with which a counter succeeds; for any other action the first key."""
    options = s.options
    draft = s.draft
    if draft is None or not s.stage or len(options) < 2 or not s.rules.plans[draft.action].aim_counter:
        return options[0]
    return next((key for key in options if sequence_usefulness(s, [key]) != NO), options[0])


def default_state(s: Engine) -> int:
    """Return the state of ``STATES`` that helps the asked player: own units are charged, the opponent's are driven."""
    request = s.active
    if request is None or request.target_kind != UNIT or s.unit(request.target) is None:
        return s.options[0]
    return 0 if s.owner_of(request.target) == s.asked else 1


def bulwark_value(s: Engine, option: int) -> int:
    """Return the value of a bulwark as a blocker: the number of enemy soldiers it would take along."""
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    return sum(1 for enemy in s.sides[1 - s.asked].soldiers if bulwark_matches(s, unit, enemy))


def card_value(s: Engine, card: int) -> int:
    """Return how late a card should be given up: the number of actions that would lose their last key, then its number,
    an Ace above a King. A Joker is never worth paying with."""
    if card >= FIRST_JOKER:
        return JOKER_VALUE
    hand = s.sides[s.asked].hand
    bit = BIT[card]
    last = sum(
        1
        for plan in s.rules.plans
        if plan.direct and plan.key_count and hand & plan.key_a & bit and not hand & plan.key_a & ~bit
    )
    return last * 20 + (card % 13 or ABOVE_KING)


def unit_value(s: Engine, option: int) -> int:
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    return (100 if s.rules.kinds[unit.kind].bulwark else 0) + int(unit.base)
