"""The invariants of R-225 and of our own bookkeeping, checked from outside the engine."""

from __future__ import annotations

from blackpoker.cards import BIT, count
from blackpoker.common import events as ev
from blackpoker.common.atoms import base_number
from blackpoker.common.state import NO_ROLE
from blackpoker.core.flow import CHANCE, FIRST_CHECK, LAST_CHECK, SECOND_CHECK, SETUP
from blackpoker.core.request import Request
from blackpoker.script.engine import Engine


class Broken(AssertionError):
    """An invariant does not hold."""


def must(condition: bool, what: str) -> None:
    if not condition:
        raise Broken(what)


def cards_of_player(engine: Engine, player: int) -> list[int]:
    """Every zone of the player as a set of cards, in-between places included."""
    side = engine.sides[player]
    life = 0
    for card in side.life:
        must(life & BIT[card] == 0, f"{card} lies in life twice")
        life |= BIT[card]
    zones = [life, side.hand, side.grave, side.pack, side.aside]
    zones += [unit.cards for unit in side.soldiers + side.bulwarks]
    zones += [BIT[card] for card in side.trumps]
    waiting = [*engine.stage, *engine.buffer]
    waiting += [request for request in (engine.current, engine.active) if request is not None]
    zones += [request.keys for request in waiting if request.controller == player]
    return zones


def check_cards(engine: Engine, decks: list[int]) -> None:
    """Every player's cards are constant in number and identity."""
    for player in (0, 1):
        together = 0
        for zone in cards_of_player(engine, player):
            must(together & zone == 0, f"p{player + 1} has a card in two places")
            together |= zone
        must(together == decks[player], f"p{player + 1} has gained or lost a card")


def check_sides(engine: Engine) -> None:
    rules = engine.rules
    in_combat = any(rules.plans[r.action].id in ("attack", "block", "damage_judgement") for r in busy(engine))
    for side in engine.sides:
        must(side.hand_count == count(side.hand), "hand count")
        must(side.grave_top < 0 or bool(side.grave & BIT[side.grave_top]), "public top lies in the grave")
        field = 0
        abilities = grants = 0
        for unit in side.bulwarks:
            must(count(unit.cards) == 1 and unit.cards == BIT[unit.lead], "a bulwark has one card")
            must(rules.kinds[unit.kind].bulwark and unit.bonus == 0, "a bulwark is a bulwark")
            field |= unit.cards
        for unit in side.soldiers:
            kind = rules.kinds[unit.kind]
            must(not kind.bulwark and bool(unit.cards & BIT[unit.lead]), "a soldier is a soldier")
            must(unit.base == base_number(kind, unit.cards), "base number (R-81)")
            field |= unit.cards
            abilities |= kind.abilities
            grants |= kind.grants
        for unit in side.soldiers + side.bulwarks:
            must(unit.role == NO_ROLE or in_combat, "a role outside combat (R-73)")
        must(side.fresh & ~field == 0, "only what is on the field entered this turn (R-82)")
        for card in side.trumps:
            trump = rules.trumps[card]
            if trump is not None and side.open_trumps & BIT[card]:
                abilities |= trump.abilities
                grants |= trump.grants
        must((abilities, grants) == (side.abilities, side.grants), "abilities are up to date (R-101)")


def busy(engine: Engine) -> list[Request]:
    return [*engine.stage, *engine.buffer, *([engine.active] if engine.active else [])]


def check_flow(engine: Engine) -> None:
    must(all(not request.main for request in engine.stage[1:]), "only the bottom of the stage may be a main request")
    ids = [request.id for request in engine.stage]
    must(len(set(ids)) == len(ids), "request ids differ")
    units = [unit.id for side in engine.sides for unit in side.soldiers + side.bulwarks]
    must(len(set(units)) == len(units), "unit ids differ")
    must(engine.asked in (0, 1) and len(engine.options) > 0, "somebody has something to choose")
    must(len(set(engine.options)) == len(engine.options), "no option twice")
    must(all(0 <= option <= 255 for option in engine.options), "options fit a byte")
    if engine.point == CHANCE:
        must(not engine.buffer and engine.active is None and engine.current is None, "nothing pending at a chance")
    elif engine.active is None:
        must(engine.point in (SETUP, FIRST_CHECK, SECOND_CHECK, LAST_CHECK), "a known point of the flow")


def check_judgement(engine: Engine, log: list[tuple[int, ...]]) -> None:
    """A judgement follows every resolution, and Life 0 never survives one (R-45): unless a cost was paid since."""
    resolved = False
    for event in log:
        if event[0] == ev.RESOLVING:
            resolved = True
        elif event[0] == ev.DECLARED:
            resolved = False
    if resolved and engine.active is None:
        must(all(side.life for side in engine.sides), "Life 0 survived a judgement")


def check(engine: Engine, decks: list[int], log: list[tuple[int, ...]]) -> None:
    """All of them; ``log`` are the events since the last decision."""
    check_cards(engine, decks)
    check_sides(engine)
    check_flow(engine)
    check_judgement(engine, log)


def check_over(engine: Engine, decks: list[int]) -> None:
    check_cards(engine, decks)
    must(engine.asked == -1 and not engine.options, "nobody is asked after the end")
    empty = [not side.life for side in engine.sides]
    must(any(empty) or engine.winner == 2, "somebody has lost for a reason")
    if any(empty):
        must(engine.winner == (2 if all(empty) else int(empty[0])), "the right one has won (R-45)")
