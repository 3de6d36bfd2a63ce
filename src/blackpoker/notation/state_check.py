"""The one check of every state that enters: a position, a saved game, the start of a record, a pickle.

The values themselves are valid; this module checks that they fit each other as in a game. ``check_state`` raises
`SaveError` with the location of the contradiction.
"""

from __future__ import annotations

from typing import Final

from blackpoker.engine.cards import BIT, JOKER, NAMES, SUIT, VALUE, count, members
from blackpoker.engine.engine import MAX_TURNS, Engine
from blackpoker.engine.flow import (
    CHANCE,
    FIRST_CHECK,
    LAST_CHECK,
    OVER,
    RESOLVE_NOW,
    RESOLVE_TOP,
    SECOND_CHECK,
    SETUP,
    UNDECIDED,
)
from blackpoker.engine.key_cards import has_keys
from blackpoker.engine.request import NO_TARGET, PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.request_builder import MAX_REQUESTS
from blackpoker.engine.setup import STEP, TO_TRUMPS
from blackpoker.engine.state import (
    ATTACKER,
    BLOCKER,
    CLOSE_FOG,
    Side,
    Unit,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)
from blackpoker.engine.step import ATTACHES, ATTACK, BLOCK, NO_PART
from blackpoker.engine.tables import (
    AIM_NONE,
    AIM_OPPONENT,
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    AIM_UNIT,
    RuleTables,
)
from blackpoker.errors import BlackPokerError

#: limits of every way in; a bonus fits the native state
MOST_BONUS: Final = 10_000
#: at the limit a player may still attack, if that is a duty, and end the turn (R-221)
MOST_COUNTED: Final = MAX_REQUESTS + 2
_CHECKS: Final = (FIRST_CHECK, SECOND_CHECK, LAST_CHECK)
_TARGET_KINDS: Final = {
    AIM_NONE: NO_TARGET,
    AIM_UNIT: UNIT,
    AIM_REQUEST: REQUEST,
    AIM_PLAYER: PLAYER,
    AIM_OPPONENT: PLAYER,
    AIM_TRUMP: TRUMP,
}


class SaveError(BlackPokerError, ValueError):
    """Raised for data that is no state of a game, with location and reason."""


def check_state(s: Engine) -> None:
    """Raise `SaveError` unless everything in the state fits together."""
    check_points(s)
    check_passes(s)
    check_cards(s)
    for player, side in enumerate(s.sides):
        where = f"sides[{player}]"
        check_units(s.rules, side, where)
        check_knowledge(side, where)
    for request, where in requests_of(s):
        check_request(s, request, where)
    check_roles(s)
    check_zones(s)
    if s.point == SETUP and s.rules.setup:
        check_program(s)
    elif s.point == SETUP:
        check_setup(s)
    elif any(side.picked or side.picked_down for side in s.sides):
        raise SaveError("setup: trumps are chosen only at set-up (R-191)")


def requests_of(s: Engine) -> list[tuple[Request, str]]:
    """Return every request under way with its location."""
    out = [(request, f"stage[{place}]") for place, request in enumerate(s.stage)]
    out += [(request, f"buffer[{place}]") for place, request in enumerate(s.buffer)]
    out += [(request, name) for request, name in ((s.current, "current"), (s.active, "active")) if request is not None]
    return out


# -- the flow ----------------------------------------------------------------------------------------------------------


def check_points(s: Engine) -> None:
    """Raise `SaveError` if the point of the flow and the registers are inconsistent."""
    active = s.active
    point = s.point
    if (point == OVER) != (s.winner != UNDECIDED):
        raise SaveError("winner: a game is won exactly when it is over")
    if point in (CHANCE, SETUP) and (active is not None or s.current is not None or s.buffer):
        raise SaveError("point: an effect or a trigger waits, and a player holds the chance")
    if point in (RESOLVE_NOW, RESOLVE_TOP) and active is None:
        raise SaveError("point: an effect is carried out, but there is none")
    if (point == FIRST_CHECK) != (s.current is not None) and point != OVER:
        raise SaveError("point: a request is paid for exactly during the first trigger check")
    if point in _CHECKS and active is None and not s.buffer:
        raise SaveError("buffer: a trigger check without triggers asks no player")
    if active is not None and point != OVER and active.immediate == (point == RESOLVE_TOP):
        raise SaveError("active: only a request of the stage is carried out last, only an immediate one at once (R-04)")
    for place, request in enumerate(s.stage):
        if request.immediate:
            raise SaveError("stage: an immediate action is never on the stage (R-04)")
        if request.main and place:
            raise SaveError(f"stage[{place}]: a main action needs an empty stage (R-05)")
        if request.main and not request.raised and request.controller != s.turn:
            raise SaveError(f"stage[{place}]: a main action is requested on the own turn (R-05)")
    late = point == OVER or active is not None
    if s.turn_number > MAX_TURNS + late:
        raise SaveError(f"turn_number: a game has {MAX_TURNS} turns (R-220)")


def check_passes(s: Engine) -> None:
    """Raise `SaveError` for passes or a stall that no game has at this point (R-07, R-12, R-13)."""
    point = s.point
    if s.stall and (s.stage or point not in (CHANCE, OVER)):
        raise SaveError("stall: both players have passed on an empty stage (R-12, R-13)")
    if point == CHANCE and s.passed & (1 if s.chance == 0 else 2):
        raise SaveError("passed: the chance holder has not passed")
    if point in (SETUP, FIRST_CHECK, RESOLVE_NOW, SECOND_CHECK) and s.passed:
        raise SaveError("passed: a request ends the passes (R-07)")
    if point in (RESOLVE_TOP, LAST_CHECK) and s.passed != 3:
        raise SaveError("passed: both players pass before the stage is resolved (R-08)")


def check_setup(s: Engine) -> None:
    """Raise `SaveError` if anything but trumps has been chosen at set-up (R-191)."""
    if s.turn_number != 1 or s.turn or s.chance or s.stage or s.forced_pass >= 0:
        raise SaveError("setup: a turn has begun")
    for player, side in enumerate(s.sides):
        where = f"sides[{player}]"
        if side.hand or side.grave or side.soldiers or side.bulwarks or side.trumps or side.used or side.used_game:
            raise SaveError(f"{where}: before the deal every card is in the deck (R-191)")
        deck = sum(BIT[card] for card in side.life)
        if side.picked & ~deck or count(side.picked) > s.rules.most_trumps:
            raise SaveError(f"setup: these are no trumps of {where}")
        if s.setup_step < player and side.picked:
            raise SaveError("setup: the other player has not chosen yet")
        if side.picked_down and count(side.picked) < 2:
            raise SaveError("setup: one trump has no order")


def check_program(s: Engine) -> None:
    """Raise `SaveError` unless this is a state within the frame's set-up (N-130)."""
    if s.turn_number != 1 or s.stage or s.forced_pass >= 0:
        raise SaveError("setup: a turn has begun")
    for player, side in enumerate(s.sides):
        if side.used or side.used_game or side.picked_down or side.picked & ~sum(BIT[card] for card in side.life):
            raise SaveError(f"sides[{player}]: not as in a set-up")


# -- cards -------------------------------------------------------------------------------------------------------------


def cards_of(s: Engine, player: int) -> int:
    """Return all cards of a player; raise `SaveError` if one is in two places (R-225)."""
    side = s.sides[player]
    found = 0
    piles = [side.hand, side.grave, side.pack, side.aside, side.rare]
    piles += fog_sets(side)
    piles += [BIT[card] for card in side.life + side.trumps]
    piles += [int(unit.cards) for unit in side.soldiers + side.bulwarks]
    piles += [int(request.keys) for request, _ in requests_of(s) if request.controller == player]
    for cards in piles:
        if found & cards:
            raise SaveError(f"sides[{player}]: {_names(found & cards)} in two places")
        found |= cards
    return found


def has_trumps(s: Engine) -> bool:
    """Return whether the format or the set-up of the frame has trumps (R-100, N-072)."""
    return s.rules.most_trumps > 0 or any(step // STEP == TO_TRUMPS for step in s.rules.setup)


def check_cards(s: Engine) -> None:
    """Raise `SaveError` unless every card of a player is in one place (R-225)."""
    for player, side in enumerate(s.sides):
        found = cards_of(s, player)
        if (side.public | side.seen) & ~found:
            raise SaveError(f"sides[{player}]: knows of cards that are not there")
        if side.trumps and not has_trumps(s):
            raise SaveError(f"sides[{player}].trumps: this format has none (R-100)")
        if side.aside and s.active is None:
            raise SaveError(f"sides[{player}].aside: no effect has turned a card up (R-123)")
        judged = (s.point == CHANCE and not s.stage) or (s.point == LAST_CHECK and s.active is None)
        if not side.life and judged:
            raise SaveError(f"sides[{player}]: no life, and yet the game goes on (R-45)")


def fog_sets(side: Side) -> list[int]:
    """Return the cards of each fog."""
    return [BIT[fog_first(fog)] | (BIT[fog_second(fog)] if fog_second(fog) >= 0 else 0) for fog in side.fogs]


def check_zones(s: Engine) -> None:
    """Raise `SaveError` for a rare card or a fog that the regulation does not have, or that is not as in a game."""
    for player, side in enumerate(s.sides):
        where = f"sides[{player}]"
        if side.rare and (not s.rules.has_rare or count(side.rare) > 1):
            raise SaveError(f"{where}.rare: at most one card, where the frame has one (N-070)")
        if side.fogs and not s.rules.grave_piles:
            raise SaveError(f"{where}.fogs: this edition has no fog")
        fogged = sum(fog_sets(side))
        if fogged & ~side.public:
            raise SaveError(f"{where}.public: {_names(fogged & ~side.public)} lies face up in the fog (N-060)")
        for fog in side.fogs:
            trump = fog_kind(fog) == CLOSE_FOG and fog_target(fog) >= 0
            if trump and (fog_target(fog) > 64 + 53 or fog_target(fog) % 64 > 53):
                raise SaveError(f"{where}.fogs: names no trump")
            if not trump and fog_target(fog) >= s.next_id:
                raise SaveError(f"{where}.fogs: there never was a soldier of that number")


def _names(cards: int) -> str:
    return " ".join(NAMES[card] for card in members(cards))


def check_knowledge(side: Side, where: str) -> None:
    """Raise `SaveError` for marks of cards that are not where such a mark is possible (R-82, R-211, R-214…R-216)."""
    field = soldiers = 0
    for unit in side.soldiers:
        soldiers |= unit.cards
    for unit in side.bulwarks:
        field |= unit.cards
    field |= soldiers
    life = sum(BIT[card] for card in side.life)
    top = sum(BIT[card] for card in side.life[-count(side.on_top) :]) if side.on_top else 0
    if side.fresh & ~field:
        raise SaveError(f"{where}.fresh: {_names(side.fresh & ~field)} is not on the field (R-82)")
    if side.mixed & ~field:
        raise SaveError(f"{where}.mixed: {_names(side.mixed & ~field)} is not on the field (R-126)")
    if side.own_seen & ~life:
        raise SaveError(f"{where}.own_seen: {_names(side.own_seen & ~life)} is not in life (R-216)")
    if side.on_top != top or (side.on_top and side.on_top & (side.on_top - 1) == 0):
        raise SaveError(f"{where}.on_top: several cards, the top ones of life (R-216)")
    if soldiers & ~side.public:
        raise SaveError(f"{where}.public: a soldier lies face up (R-210)")
    if side.open_trumps & ~side.public:
        raise SaveError(f"{where}.public: {_names(side.open_trumps & ~side.public)} lies face up (R-210)")
    if side.aside & ~side.public:
        raise SaveError(f"{where}.public: cards turned up are seen (R-123)")


# -- units -------------------------------------------------------------------------------------------------------------


def check_units(rules: RuleTables, side: Side, where: str) -> None:
    """Raise `SaveError` for a character that its cards do not make (R-80, 2.7)."""
    for place, unit in enumerate(side.soldiers):
        check_soldier(rules, unit, f"{where}.soldiers[{place}]")
    for place, unit in enumerate(side.bulwarks):
        if count(unit.cards) != 1:
            raise SaveError(f"{where}.bulwarks[{place}].cards: a bulwark is one card")
        if unit.role == ATTACKER:
            raise SaveError(f"{where}.bulwarks[{place}].role: a bulwark never attacks (R-59)")


def check_soldier(rules: RuleTables, unit: Unit, where: str) -> None:
    cards = members(unit.cards)
    kind = rules.kinds[unit.kind]
    if len(cards) == 1:
        if rules.kind_of_card[cards[0]] != kind.index or (kind.index == 0 and VALUE[cards[0]] == 0):
            raise SaveError(f"{where}.kind: {NAMES[cards[0]]} does not make a {kind.id} (R-80)")
    elif rules.kind_of_cards(cards) != kind.index:
        raise SaveError(f"{where}.kind: {_names(unit.cards)} do not make a {kind.id}")
    elif kind.pair_trump == 0 and (unit.cards >> JOKER or (_arms_by_suit(rules) and len(_suits(unit)) > 1)):
        raise SaveError(f"{where}.cards: several cards make a soldier only if they have one suit (R-87)")


def _suits(unit: Unit) -> set[int]:
    return {int(SUIT[card]) for card in members(unit.cards)}


def _arms_by_suit(rules: RuleTables) -> bool:
    """Return whether every action that attaches a card requires its suit: local rules may not."""
    for plan in rules.plans:
        if any(place.step.traits().does == ATTACHES for place in plan.program) and not (
            plan.aim_suit and plan.aim_equip
        ):
            return False
    return True


def check_roles(s: Engine) -> None:
    """Raise `SaveError` for attackers and blockers that no fight under way has (R-59…R-73)."""
    attacking = _players_of_part(s, ATTACK)
    blocked = _players_of_part(s, BLOCK)
    for player, side in enumerate(s.sides):
        for unit in side.soldiers + side.bulwarks:
            name = f"sides[{player}]: {NAMES[unit.lead]}"
            if unit.role == ATTACKER and player not in attacking:
                raise SaveError(f"{name} attacks, and there is no fight of that player (R-73)")
            if unit.role == BLOCKER and 1 - player not in blocked:
                raise SaveError(f"{name} blocks, and there is no fight of the other player (R-73)")
            if unit.role == BLOCKER and unit.blocks < 0:
                raise SaveError(f"{name} blocks no attacker")
            if unit.blocks >= s.next_id or (unit.blocks >= 0 and not blocked):
                raise SaveError(f"{name} blocks a unit that there never was")
        check_blocks(s, player)


def _players_of_part(s: Engine, part: int) -> set[int]:
    """Return the players whose fight has reached this part: it is carried out, or a later one is under way."""
    out: set[int] = set()
    for request, _ in requests_of(s):
        program = s.rules.plans[request.action].program
        reached = max((place.step.traits().fight for place in program), default=NO_PART)
        if reached > part or (reached == part and request is s.active):
            out.add(int(request.controller))
    return out


def check_blocks(s: Engine, player: int) -> None:
    """Raise `SaveError` unless the blockers of each attacker are one bulwark or some soldiers (R-62)."""
    side = s.sides[player]
    walls = [int(unit.blocks) for unit in side.bulwarks if unit.role == BLOCKER]
    others = {int(unit.blocks) for unit in side.soldiers if unit.role == BLOCKER}
    own = {int(unit.id) for unit in side.soldiers + side.bulwarks}
    if own & (others | set(walls)):
        raise SaveError(f"sides[{player}]: a unit blocks one of its own side")
    if len(set(walls)) != len(walls) or others & set(walls):
        raise SaveError(f"sides[{player}]: an attacker is blocked by one bulwark or by soldiers (R-62)")


# -- requests ----------------------------------------------------------------------------------------------------------


def check_request(s: Engine, request: Request, where: str) -> None:
    """Raise `SaveError` for keys, a target or a source that the action does not have."""
    plan = s.rules.plans[request.action]
    if not plan.direct and not request.raised:
        raise SaveError(f"{where}.raised: {plan.id} is only raised")
    paid = request is not s.active  # an effect may have moved its keys
    if paid and not request.raised and not request.virtual:
        if request.key_count != plan.key_count or count(request.keys) != plan.key_count:
            raise SaveError(f"{where}.keys: these are no keys of {plan.id}")
        if not has_keys(plan, request.keys):
            raise SaveError(f"{where}.keys: these are no keys of {plan.id}")
    if paid and request.key_count != count(request.keys) + count(request.virtual):
        raise SaveError(f"{where}.key_count: not the number of its keys")
    if request.keys & ~s.sides[request.controller].public:
        raise SaveError(f"{where}.keys: keys are seen (R-210)")
    kind = int(request.target_kind)
    if kind != _TARGET_KINDS[int(plan.aim)]:
        raise SaveError(f"{where}.target: {plan.id} has no target of that kind")
    if kind == PLAYER and plan.aim == AIM_OPPONENT and request.target != 1 - request.controller:
        raise SaveError(f"{where}.target: it is the opponent")
    if kind in (UNIT, REQUEST) and not 0 < request.target < s.next_id:
        raise SaveError(f"{where}.target: there never was a thing of that number")
    if kind == REQUEST and request.target == request.id:
        raise SaveError(f"{where}.target: a request does not aim at itself")
    if request.source >= s.next_id:
        raise SaveError(f"{where}.source: there never was a soldier of that number")
    source = s.unit(request.source) if request.source >= 0 else None
    if source is not None and s.owner_of(source.id) != request.controller:
        raise SaveError(f"{where}.source: it is the other player's")
