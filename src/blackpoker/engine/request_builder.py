"""Request builder: list the possible requests, build one token by token, and submit it (R-30…R-39).

A token is offered only if the request can be completed (R-31). Nothing changes before the last token; then cost, keys
and target are applied in the order of R-30.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine import events as ev
from blackpoker.engine import legality
from blackpoker.engine.atoms import bury, damage, discard, drive, emit, new_request, suits_of
from blackpoker.engine.cards import ABOVE, BIT, LOW
from blackpoker.engine.flow import PASS
from blackpoker.engine.key_cards import keyed_actions, list_cards, next_keys, without_last
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.state import (
    BULWARK_KIND,
    COST_KIND,
    DISCARD_KIND,
    KEY_KIND,
    ROW_CODE,
    SACRIFICE_KIND,
    SHOWN_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_CODE,
    Side,
    State,
    Unit,
)
from blackpoker.engine.tables import (
    AIM_OPPONENT,
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    AIM_UNIT,
    BULWARK,
    FREE_QUICK_MAGIC,
    MUST_ATTACK,
    MY_BULWARKS,
    MY_SOLDIERS,
    NO_LIFE_LIMIT,
    NOT_EQUIPPABLE,
    RARE,
    REQUESTS,
    SOLDIER,
    THEIR_BULWARKS,
    THEIR_SOLDIERS,
    TOKEN_BULWARK,
    TOKEN_COST,
    TOKEN_DISCARD,
    TOKEN_KEY,
    TOKEN_LIFE,
    TOKEN_SACRIFICE,
    TOKEN_SHOWN,
    TOKEN_SOURCE,
    UNTARGETABLE,
    CompiledAction,
    Cost,
    OfferIndex,
)
from blackpoker.engine.zone_moves import put_keys

#: default options of a chance; lists of options are replaced, never changed in place
ONLY_PASS: Final[list[int]] = [PASS]

#: R-221
MAX_REQUESTS: Final = 100

PRINTED: Final = 0
QUICK: Final = 1
FREE: Final = 2

# -- targets -----------------------------------------------------------------------------------------------------------


def fits_unit(s: State, plan: CompiledAction, controller: i64, keys: i64, owner: i64, unit: Unit) -> bool:
    """Return whether the unit meets the action's target line."""
    return legality.unit_obstacle(s, plan, controller, keys, owner, unit) == legality.NONE


def fits_request(s: State, plan: CompiledAction, request: Request) -> bool:
    """Return whether the request on the stage meets the action's target line."""
    return legality.request_obstacle(s, plan, request) == legality.NONE


def has_target(s: State, plan: CompiledAction, player: i64, keys: i64) -> bool:
    aim = plan.aim
    if aim == AIM_UNIT:
        owner: i64 = 0
        for side in s.sides:
            if plan.aim_type != BULWARK:
                for unit in side.soldiers:
                    if fits_unit(s, plan, player, keys, owner, unit):
                        return True
            if plan.aim_type != SOLDIER:
                for unit in side.bulwarks:
                    if fits_unit(s, plan, player, keys, owner, unit):
                        return True
            owner += 1
        return False
    if aim == AIM_REQUEST:
        for request in s.stage:
            if fits_request(s, plan, request):
                return True
        return False
    if aim == AIM_TRUMP:
        if plan.aim_open:
            return s.sides[0].open_trumps | s.sides[1].open_trumps != 0
        return bool(s.sides[0].trumps) or bool(s.sides[1].trumps)
    return True


def list_targets(s: State, plan: CompiledAction, player: i64, keys: i64, out: list[int]) -> None:
    """Append an option for every legal target."""
    aim = plan.aim
    if aim == AIM_UNIT:
        owner: i64 = 0
        for side in s.sides:
            if plan.aim_type != BULWARK:
                for unit in side.soldiers:
                    if fits_unit(s, plan, player, keys, owner, unit):
                        out.append(owner * SIDE_CODE + unit.lead)
            if plan.aim_type != SOLDIER:
                place: i64 = 0
                for unit in side.bulwarks:
                    if fits_unit(s, plan, player, keys, owner, unit):
                        out.append(owner * SIDE_CODE + ROW_CODE + place)
                    place += 1
            owner += 1
    elif aim == AIM_REQUEST:
        index: i64 = 0
        for request in s.stage:
            if fits_request(s, plan, request):
                out.append(index)
            index += 1
    elif aim == AIM_PLAYER:
        out.append(0)
        out.append(1)
    elif aim == AIM_TRUMP:
        owner = 0
        for side in s.sides:
            place = 0
            while place < len(side.trumps):
                if not plan.aim_open or side.open_trumps & BIT[side.trumps[place]] != 0:
                    out.append(owner * SIDE_CODE + place)
                place += 1
            owner += 1


def set_target(s: State, plan: CompiledAction, request: Request, option: i64) -> None:
    """Set the request's target to the option."""
    aim = plan.aim
    if aim == AIM_UNIT:
        unit = s.unit_by_code(option)
        assert unit is not None
        request.target_kind = UNIT
        request.target = unit.id
    elif aim == AIM_REQUEST:
        request.target_kind = REQUEST
        request.target = s.stage[option].id
    elif aim == AIM_TRUMP:
        side = s.sides[option // SIDE_CODE]
        request.target_kind = TRUMP
        request.target = (option // SIDE_CODE) * TRUMP_CODE + side.trumps[option % SIDE_CODE]
    else:
        request.target_kind = PLAYER
        request.target = option


# -- possible requests -------------------------------------------------------------------------------------------------


def may_attack(s: State, side: Side, unit: Unit) -> bool:
    return legality.attack_obstacle(s, side, unit) == legality.NONE


def find_keyed(side: Side, offers: OfferIndex, main: bool) -> i64:
    """Return the bits of the actions of the first index that the player has permission and keys for; recomputed when
    hand or permissions change."""
    hand = side.hand
    grants = side.grants
    if main:
        if side.keyed_main_hand != hand or side.keyed_main_grants != grants:
            side.keyed_main_hand = hand
            side.keyed_main_grants = grants
            side.keyed_main = keyed_actions(offers, hand, grants)
        return side.keyed_main
    if side.keyed_quick_hand != hand or side.keyed_quick_grants != grants:
        side.keyed_quick_hand = hand
        side.keyed_quick_grants = grants
        side.keyed_quick = keyed_actions(offers, hand, grants)
    return side.keyed_quick


def present_targets(s: State, side: Side, other: Side) -> i64:
    """Return the bits of the possible targets present."""
    there: i64 = 0
    if side.soldiers:
        there |= MY_SOLDIERS
    if side.bulwarks:
        there |= MY_BULWARKS
    if other.soldiers:
        there |= THEIR_SOLDIERS
    if other.bulwarks:
        there |= THEIR_BULWARKS
    if s.stage:
        there |= REQUESTS
    return there


def list_requests(s: State) -> None:
    """Set the options of the chance holder: pass, and every action that can be completed."""
    side = s.sides[s.chance]
    s.options = ONLY_PASS  # the most frequent case
    main = s.chance == s.turn and not s.stage
    offers = s.rules.main_offers if main else s.rules.quick_offers
    keyed = find_keyed(side, offers, main)
    found = keyed != 0 and list_offers(s, side, offers, keyed, main, False)
    more = offers.more
    while more is not None:
        keyed = keyed_actions(more, side.hand, side.grants)
        if keyed != 0:
            found = list_offers(s, side, more, keyed, main, found)
        more = more.more


def list_offers(s: State, side: Side, offers: OfferIndex, keyed: i64, main: bool, found: bool) -> bool:
    """Offer the actions of this index that can be completed; return whether any was found, here or before
    (``found``)."""
    player = s.chance
    offered: i64 = keyed & offers.aims[present_targets(s, side, s.sides[1 - player])]
    free: i64 = offered & offers.quick_magic if side.abilities & FREE_QUICK_MAGIC != 0 else 0
    charged = legality.charged_bulwarks(side)
    units: i64 = len(side.bulwarks) + len(side.soldiers)
    offered &= offers.bulwarks[min(charged, len(offers.bulwarks) - 1)] & offers.units[min(units, len(offers.units) - 1)]
    if side.hand_count < len(offers.cards):
        offered &= offers.cards[side.hand_count]
    if len(side.life) < len(offers.life):
        offered &= offers.life[len(side.life)]
    offered |= free
    exhausted = side.requests >= MAX_REQUESTS
    bound = exhausted or side.abilities & MUST_ATTACK != 0
    doubtful: i64 = offered if bound else offered & offers.doubtful
    while doubtful != 0:
        low: i64 = doubtful & -doubtful
        plan = offers.plans[LOW[low % 59]]
        if not plan.target_certain and not has_target(s, plan, player, side.hand & plan.key_a):
            offered ^= low
        elif (plan.special or bound) and condition_obstacle(s, plan, player, charged, main, exhausted) != 0:
            offered ^= low
        doubtful ^= low
    if offered == 0:
        return found
    if not found:
        s.options = []
        if not (s.stall and player == s.turn):
            s.options.append(PASS)
    while offered != 0:
        low = offered & -offered
        s.options.append(offers.options[LOW[low % 59]])
        offered ^= low
    return True


def condition_obstacle(s: State, plan: CompiledAction, player: i64, charged: i64, main: bool, exhausted: bool) -> i64:
    """Return the first obstacle among the conditions of some actions only, or NONE: turn, limit, permission, duty,
    source, choice of costs."""
    side = s.sides[player]
    if plan.opponent_turn_only and player == s.turn:
        return legality.OWN_TURN
    if plan.limit != 0 and plan.limit & (side.used_game if plan.limit_game else side.used) != 0:
        return legality.GAME_LIMIT if plan.limit_game else legality.TURN_LIMIT
    if plan.needs != 0 and plan.needs & side.grants == 0:
        return legality.NO_PERMISSION
    obliged = duty_obstacle(s, plan, player, main, exhausted)
    if obliged != legality.NONE:
        return obliged
    if plan.empty_stage and s.stage:
        return legality.ABILITY_NEEDS_EMPTY_STAGE
    if plan.most_life != NO_LIFE_LIMIT and len(side.life) > plan.most_life:  # N-086
        return legality.TOO_MUCH_LIFE
    if plan.unopened and side.pack_open:  # N-238
        return legality.PACK_OPENED
    if plan.key == RARE and side.rare & plan.key_a == 0:
        return legality.NO_RARE_CARD
    if plan.sourced and not has_source(s, plan, side):
        return legality.NO_SOURCE
    return legality.NONE if plan.quick_cost is None else either_cost_obstacle(s, plan, side, charged, main)


def duty_obstacle(s: State, plan: CompiledAction, player: i64, main: bool, exhausted: bool) -> i64:
    """Return the obstacle of a duty, or NONE: a player who must attack may not end the turn (R-125), a player at the
    request limit may only end it (R-221)."""
    duty = s.sides[player].abilities & MUST_ATTACK != 0 and main and legality.attack_duty(s, player)
    if duty and plan.ends_turn:
        return legality.DUTY
    if exhausted and not plan.ends_turn and not (duty and plan.is_attack):
        return legality.TOO_MANY
    return legality.NONE


def either_cost_obstacle(s: State, plan: CompiledAction, side: Side, charged: i64, main: bool) -> i64:
    """Return NONE if the quick cost, or at main timing the printed one, can be paid (R-36); else the obstacle."""
    quick_cost = plan.quick_cost
    assert quick_cost is not None
    spare = side.hand_count - plan.hand_keys
    life: i64 = len(side.life)
    units: i64 = len(side.bulwarks) + len(side.soldiers)
    quick = legality.payment_obstacle(quick_cost, charged, life, spare, units)
    if quick == legality.NONE or not main:
        return quick
    return legality.payment_obstacle(plan.cost, charged, life, spare, units)


def can_pay(plan: CompiledAction, side: Side, cost: Cost) -> bool:
    return legality.cost_obstacle(plan, side, cost) == legality.NONE


def is_source(s: State, plan: CompiledAction, unit: Unit) -> bool:
    """Return whether the unit is a charged soldier of the suit, or the one that has the ability itself (R-107); any
    charged bulwark, if the action drives one (N-265)."""
    if unit.driven:
        return False
    if plan.source_type == BULWARK:
        return True
    if plan.suits == 0:
        return s.rules.kinds[unit.kind].grants & plan.needs != 0
    return suits_of(unit) & plan.suits != 0


def has_source(s: State, plan: CompiledAction, side: Side) -> bool:
    for unit in side.bulwarks if plan.source_type == BULWARK else side.soldiers:
        if is_source(s, plan, unit):
            return True
    return False


# -- building a request ------------------------------------------------------------------------------------------------


def start_request(s: State, action: i64) -> None:
    """Start a request of the chance holder with its first token, the action."""
    plan = s.rules.plans[action]
    player = s.chance
    side = s.sides[player]
    s.draft = new_request(s, action, player)
    s.token_index = 0
    s.paying = []
    s.discards = 0
    s.shown = -1
    s.last = -1
    s.costs = PRINTED
    if plan.quick_magic and side.abilities & FREE_QUICK_MAGIC != 0:
        s.costs = FREE
        s.tokens = plan.free_tokens
    elif plan.quick_cost is not None and not (player == s.turn and not s.stage and can_pay(plan, side, plan.cost)):
        s.costs = QUICK
        s.tokens = plan.quick_tokens
    elif plan.quick_cost is not None and not can_pay(plan, side, plan.quick_cost):
        s.tokens = plan.tokens
    elif plan.quick_cost is not None:
        s.tokens = [TOKEN_COST]
    else:
        s.tokens = plan.tokens
    ask_token(s)


def ask_token(s: State) -> None:
    """Offer the next token, or submit the request if it is complete."""
    tokens = s.tokens
    if s.token_index >= len(tokens):
        submit(s)
        return
    draft = s.draft
    assert draft is not None
    token: i64 = tokens[s.token_index]
    player = draft.controller
    plan = s.rules.plans[draft.action]
    side = s.sides[player]
    s.options = []
    options = s.options
    s.asked = player
    cards: i64 = 0
    if token == TOKEN_KEY:
        s.kind = KEY_KIND
        cards = side.rare & plan.key_a if plan.key == RARE else next_keys(plan, side.hand, draft.keys, s.last)
        if plan.aim_suit:
            cards &= suits_with_target(s, plan, player)
        list_cards(cards, options)
    elif token == TOKEN_BULWARK:
        s.kind = BULWARK_KIND
        list_bulwarks(s, side, player, same_tokens_left(s, token), options)
    elif token == TOKEN_DISCARD:
        s.kind = DISCARD_KIND
        cards = side.hand & ~draft.keys & ~s.discards
        if s.last >= 0:
            cards &= ABOVE[s.last]
        for _ in range(same_tokens_left(s, token) - 1):
            cards = without_last(cards)
        list_cards(cards, options)
    elif token == TOKEN_SACRIFICE:
        s.kind = SACRIFICE_KIND
        list_victims(s, side, player, same_tokens_left(s, token), options)
    elif token == TOKEN_COST:
        s.kind = COST_KIND
        options.append(PRINTED)
        options.append(QUICK)
    elif token == TOKEN_SOURCE:
        s.kind = SOURCE_KIND
        place: i64 = ROW_CODE
        for unit in side.bulwarks:
            if plan.source_type == BULWARK and is_source(s, plan, unit):
                options.append(player * SIDE_CODE + place)
            place += 1
        for unit in side.soldiers:
            if plan.source_type != BULWARK and is_source(s, plan, unit):
                options.append(player * SIDE_CODE + unit.lead)
    elif token == TOKEN_SHOWN:
        s.kind = SHOWN_KIND
        list_cards(s.discards, options)
    else:
        s.kind = TARGET_KIND
        list_targets(s, plan, player, draft.keys, options)


def same_tokens_left(s: State, token: i64) -> i64:
    """Return the number of remaining tokens of this group, including this one."""
    n: i64 = 0
    index = s.token_index
    tokens = s.tokens
    while index < len(tokens) and tokens[index] == token:
        n += 1
        index += 1
    return n


def suits_with_target(s: State, plan: CompiledAction, player: i64) -> i64:
    """Return the cards for which there is a target of their suit (装備)."""
    suits: i64 = 0
    for unit in s.sides[player].soldiers:
        kind = s.rules.kinds[unit.kind]
        if kind.abilities & (UNTARGETABLE | NOT_EQUIPPABLE) == 0:
            suits |= suits_of(unit)
    return suits


def list_bulwarks(s: State, side: Side, player: i64, needed: i64, options: list[int]) -> None:
    """Append the charged bulwarks after the last one chosen, leaving enough for the remaining tokens."""
    place: i64 = 0
    for unit in side.bulwarks:
        if place > s.last and not unit.driven:
            options.append(player * SIDE_CODE + ROW_CODE + place)
        place += 1
    while needed > 1:
        options.pop()
        needed -= 1


def list_victims(s: State, side: Side, player: i64, needed: i64, options: list[int]) -> None:
    """Append the player's units after the last one chosen, soldiers before bulwarks (R-34), leaving enough for the
    remaining tokens."""
    index: i64 = 0
    for unit in side.soldiers:
        if index > s.last:
            options.append(player * SIDE_CODE + unit.lead)
        index += 1
    place: i64 = 0
    while place < len(side.bulwarks):
        if index > s.last:
            options.append(player * SIDE_CODE + ROW_CODE + place)
        index += 1
        place += 1
    while needed > 1:
        options.pop()
        needed -= 1


def choose_token(s: State, option: i64) -> None:
    """Apply a chosen token and continue with the next one."""
    draft = s.draft
    assert draft is not None
    tokens = s.tokens
    token: i64 = tokens[s.token_index]
    plan = s.rules.plans[draft.action]
    side = s.sides[draft.controller]
    if token == TOKEN_KEY:
        draft.keys |= BIT[option]
        s.last = option
    elif token == TOKEN_BULWARK:
        s.last = option % SIDE_CODE - ROW_CODE
        s.paying.append(side.bulwarks[s.last].id)
    elif token == TOKEN_DISCARD:
        s.discards |= BIT[option]
        s.last = option
    elif token == TOKEN_SACRIFICE:
        unit = s.unit_by_code(option)
        assert unit is not None
        s.paying.append(unit.id)
        place = option % SIDE_CODE
        if place >= ROW_CODE:
            s.last = len(side.soldiers) + place - ROW_CODE
        else:
            s.last = 0
            for other in side.soldiers:
                if other is unit:
                    break
                s.last += 1
    elif token == TOKEN_COST:
        s.costs = option
        s.tokens = plan.tokens if option == PRINTED else plan.quick_tokens
        s.token_index = -1
    elif token == TOKEN_SOURCE:
        unit = s.unit_by_code(option)
        assert unit is not None
        draft.source = unit.id
    elif token == TOKEN_SHOWN:
        s.shown = option
    else:
        set_target(s, plan, draft, option)
    s.token_index += 1
    if s.token_index >= len(s.tokens):
        submit(s)
    else:
        if s.tokens[s.token_index] != token:
            s.last = -1
        ask_token(s)


def submit(s: State) -> None:
    """Submit the complete request: pay, put the keys, set the target, and enter the flow (R-30)."""
    request = s.draft
    assert request is not None
    s.draft = None
    player = request.controller
    side = s.sides[player]
    plan = s.rules.plans[request.action]
    if plan.stands_for >= 0:
        request.action = plan.stands_for
        request.virtual = plan.virtual
    if s.log is not None:
        emit(s, ev.DECLARED, player, request.keys, ev.ALL_AUDIENCES, request.action, request.id)
    if plan.limit != 0:  # counted at the request
        if plan.limit_game:
            side.used_game |= plan.limit
        else:
            side.used |= plan.limit
    side.requests += 1
    if request.source >= 0:
        source = s.unit(request.source)
        assert source is not None
        drive(s, player, source)
    if s.costs != FREE:
        pay(s, player, plan.cost if s.costs == PRINTED or plan.quick_cost is None else plan.quick_cost)
    if s.costs == QUICK and not (player == s.turn and not s.stage):
        request.main = False
    put_keys(s, request, plan.key_count)
    request.key_count = plan.key_count + plan.virtual_count
    if plan.passes_after:
        s.forced_pass = player
    if plan.aim == AIM_OPPONENT:
        request.target_kind = PLAYER
        request.target = 1 - player
    s.request(request)


def pay(s: State, player: i64, cost: Cost) -> None:
    """Pay the whole cost, in printed order (R-34)."""
    if cost.b + cost.l + cost.d + cost.s == 0:
        return
    next_unit: i64 = 0
    paid_discards = False
    for payment in cost.payments:
        if payment == TOKEN_LIFE:
            damage(s, player, 1)
        elif payment == TOKEN_DISCARD:
            if not paid_discards:
                discard(s, player, s.discards, s.shown)
                paid_discards = True
        else:
            unit = s.unit(s.paying[next_unit])
            assert unit is not None
            next_unit += 1
            if payment == TOKEN_BULWARK:
                drive(s, player, unit)
            else:
                bury(s, player, unit)
