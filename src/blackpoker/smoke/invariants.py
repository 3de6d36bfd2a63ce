"""Invariants of R-225 and of the internal state, checked from outside the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from blackpoker.engine import events as ev
from blackpoker.engine.atoms import base_number, fog_cards
from blackpoker.engine.cards import BIT, VALUE, card_set
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE, FIRST_CHECK, LAST_CHECK, SECOND_CHECK, SETUP
from blackpoker.engine.request import Request
from blackpoker.engine.state import (
    DOWN_FOG,
    FORCE_FOG,
    NO_ROLE,
    UP_FOG,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)
from blackpoker.engine.step import NO_PART
from blackpoker.engine.tables import RuleTables


@cache
def combat_actions(rules: RuleTables) -> frozenset[int]:
    """Return the combat actions (attack, block, judgement), independent of their names."""
    return frozenset(
        plan.index for plan in rules.plans if any(place.step.traits().fight != NO_PART for place in plan.program)
    )


class Broken(AssertionError):
    """Raised when an invariant does not hold."""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise Broken(what)


def cards_of_player(engine: Engine, player: int) -> list[int]:
    """Return every zone of the player as a set of cards, including transitional ones."""
    side = engine.sides[player]
    life = 0
    for card in side.life:
        life |= BIT[card]
    if life.bit_count() != len(side.life):
        raise Broken(f"a card lies in p{player + 1}'s life twice")
    zones = [life, side.hand, side.grave, side.pack, side.aside, side.rare, fog_cards(side)]
    zones += [unit.cards for unit in side.soldiers]
    zones += [unit.cards for unit in side.bulwarks]
    zones += [BIT[card] for card in side.trumps]
    zones += [request.keys for request in unfinished_requests(engine) if request.controller == player]
    return zones


def unfinished_requests(engine: Engine) -> list[Request]:
    """Return all unfinished requests."""
    out = [*engine.stage, *engine.buffer]
    if engine.current is not None:
        out.append(engine.current)
    if engine.active is not None:
        out.append(engine.active)
    return out


def check_cards(engine: Engine, decks: list[int]) -> None:
    """Check that each player's cards are constant; raise `Broken` otherwise."""
    for player in (0, 1):
        together = 0
        for zone in cards_of_player(engine, player):
            if together & zone:
                raise Broken(f"p{player + 1} has a card in two places")
            together |= zone
        if together != decks[player]:
            raise Broken(f"p{player + 1} has gained or lost a card")


def check_sides(engine: Engine) -> None:
    rules = engine.rules
    kinds = rules.kinds
    roles = False
    for side in engine.sides:
        require(side.hand_count == int(side.hand).bit_count(), "hand count")
        require(side.grave_top < 0 or bool(side.grave & BIT[side.grave_top]), "public top lies in the grave")
        if rules.grave_piles:
            require(card_set(side.pile) == side.grave, "the pile is the grave (N-052)")
            require((side.grave_top >= 0) == (side.grave != 0), "a grave shows its top card (N-052)")
        field = 0
        abilities = grants = 0
        for unit in side.bulwarks:
            if unit.cards != BIT[unit.lead] or not kinds[unit.kind].bulwark or unit.bonus != 0:
                raise Broken("a bulwark is one card face down, without modifiers")
            field |= unit.cards
            roles = roles or unit.role != NO_ROLE
        for unit in side.soldiers:
            kind = kinds[unit.kind]
            if kind.bulwark or not unit.cards & BIT[unit.lead]:
                raise Broken("a soldier is a soldier")
            if unit.base != base_number(kind, unit.cards):
                raise Broken("base number (R-81)")
            field |= unit.cards
            abilities |= kind.abilities
            grants |= kind.grants
            roles = roles or unit.role != NO_ROLE
        require(side.fresh & ~field == 0, "only what is on the field entered this turn (R-82)")
        for card in side.trumps:
            trump = rules.trumps[card]
            if trump is not None and side.open_trumps & BIT[card]:
                abilities |= trump.abilities
                grants |= trump.grants
        require(abilities == side.abilities and grants == side.grants, "abilities are up to date (R-101)")
    if rules.grave_piles:
        check_fogs(engine)
    if roles and not any(r.action in combat_actions(rules) for r in unfinished_requests(engine)):
        raise Broken("a role outside combat (R-73)")


def check_fogs(engine: Engine) -> None:
    """Check that the fogs account for every changed size (N-060, N-061); raise `Broken` otherwise."""
    sums: dict[int, int] = {}
    for side in engine.sides:
        for fog in side.fogs:
            if fog_kind(fog) in (UP_FOG, DOWN_FOG):
                number = VALUE[fog_first(fog)] * (1 if fog_kind(fog) == UP_FOG else -1)
                sums[fog_target(fog)] = sums.get(fog_target(fog), 0) + number
        force = sum(VALUE[fog_first(f)] + VALUE[fog_second(f)] for f in side.fogs if fog_kind(f) == FORCE_FOG)
        under_way = engine.active is not None
        require(side.bonus == force or under_way, "the sizes of all soldiers are changed by Force only")
    if engine.active is None:
        for side in engine.sides:
            for unit in side.soldiers:
                require(unit.bonus == sums.get(unit.id, 0), "a size is changed by its fogs only")


def check_flow(engine: Engine) -> None:
    require(all(not request.main for request in engine.stage[1:]), "only the bottom of the stage may be a main request")
    ids = [request.id for request in engine.stage]
    require(len(set(ids)) == len(ids), "request ids differ")
    units = [unit.id for side in engine.sides for unit in side.soldiers + side.bulwarks]
    require(len(set(units)) == len(units), "unit ids differ")
    require(engine.asked in (0, 1) and len(engine.options) > 0, "somebody has something to choose")
    require(len(set(engine.options)) == len(engine.options), "no option twice")
    require(all(0 <= option <= 255 for option in engine.options), "options fit a byte")
    if engine.point == CHANCE:
        require(not engine.buffer and engine.active is None and engine.current is None, "nothing pending at a chance")
    elif engine.active is None:
        require(engine.point in (SETUP, FIRST_CHECK, SECOND_CHECK, LAST_CHECK), "a known point of the flow")


def check_judgement(engine: Engine, log: Sequence[tuple[int, ...]]) -> None:
    """Check that a judgement follows every resolution and ends the game at Life 0 (R-45), unless a cost was paid
    since.
    """
    resolved = False
    for event in log:
        if event[0] == ev.RESOLVING:
            resolved = True
        elif event[0] == ev.DECLARED:
            resolved = False
    if resolved and engine.active is None:
        require(all(side.life for side in engine.sides), "Life 0 survived a judgement")


def check(engine: Engine, decks: list[int], log: Sequence[tuple[int, ...]]) -> None:
    """Check all invariants; ``log``: the events since the last decision. Raise `Broken` if one does not hold."""
    check_cards(engine, decks)
    check_sides(engine)
    check_flow(engine)
    check_judgement(engine, log)


def check_over(engine: Engine, decks: list[int]) -> None:
    check_cards(engine, decks)
    require(engine.asked == -1 and not engine.options, "nobody is asked after the end")
    empty = [not side.life for side in engine.sides]
    require(any(empty) or engine.winner == 2, "somebody has lost for a reason")
    if any(empty):
        both = 1 - engine.turn if engine.rules.turn_player_loses else 2  # R-45, N-091
        require(engine.winner == (both if all(empty) else int(empty[0])), "the right one has won (R-45)")
