"""Reasons why a token is refused inside a move."""

from __future__ import annotations

from typing import Final

from blackpoker.engine.cards import parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.legality import blocker_obstacle, request_obstacle, unit_obstacle
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKERS_KIND,
    BULWARK_KIND,
    COST_KIND,
    DISCARD_KIND,
    KEY_KIND,
    RETARGET_KIND,
    SACRIFICE_KIND,
    SHOWN_KIND,
    SOURCE_KIND,
    TARGET_KIND,
    Unit,
)
from blackpoker.engine.tables import AIM_REQUEST, AIM_UNIT
from blackpoker.notation.options import DONE_TOKEN, MARK_SIGNS
from blackpoker.text import refusals as reasons

#: generic refusal by kind of decision, if no specific obstacle is known
_MISFITS: Final = {
    KEY_KIND: reasons.KEY_MISFIT,
    COST_KIND: reasons.COST_MISFIT,
    SOURCE_KIND: reasons.SOURCE_MISFIT,
    BULWARK_KIND: reasons.PAYMENT_MISFIT,
    DISCARD_KIND: reasons.DISCARD_MISFIT,
    SACRIFICE_KIND: reasons.PAYMENT_MISFIT,
    RETARGET_KIND: reasons.NEW_TARGET_MISFIT,
    SHOWN_KIND: reasons.SHOWN_MISFIT,
}


def refusal_of_token(s: Engine, text: str) -> reasons.Refusal:
    """Return why a token is not offered: the obstacle of the card, unit or request it names."""
    found: reasons.Refusal | None = None
    bare = text.lstrip(MARK_SIGNS)
    if s.kind == CHANCE_KIND:
        found = reasons.why_not_pass(s, s.chance) if text == "pass" else reasons.why_not(s, s.chance, text)
        return found or reasons.OPTION_MISFIT
    if s.kind == TARGET_KIND:
        return refusal_of_target(s, bare)
    if s.kind == ATTACKERS_KIND:
        return _refusal_of_attacker(s, bare)
    if s.kind == BLOCKERS_KIND:
        return _refusal_of_blocker(s, bare)
    return _MISFITS.get(int(s.kind), reasons.CHOICE_MISFIT)


def _refusal_of_attacker(s: Engine, text: str) -> reasons.Refusal:
    named = [unit for unit in s.sides[s.asked].soldiers if unit.role == ATTACKER]
    if text != DONE_TOKEN:
        unit = unit_named(s, text)
        if unit is None:
            return reasons.NO_SOLDIER
        if unit in named:
            return reasons.CHOICE_MISFIT
        named = [unit]
    return reasons.why_not_attackers(s, s.asked, named) or reasons.CHOICE_MISFIT


def _refusal_of_blocker(s: Engine, text: str) -> reasons.Refusal:
    unit = unit_named(s, text)
    if unit is None:
        return reasons.NO_BLOCKER
    bulwark = unit in s.sides[s.asked].bulwarks
    return reasons.refusal_of(blocker_obstacle(unit, bulwark, s.blocker_count)) or reasons.CHOICE_MISFIT


def refusal_of_target(start: Engine, text: str) -> reasons.Refusal:
    """Return why the named unit or request cannot be the target."""
    draft = start.draft
    if draft is None:
        return reasons.TARGET_MISFIT
    plan = start.rules.plans[draft.action]
    found: reasons.Refusal | None = None
    if plan.aim == AIM_REQUEST and text[:1] == "#":
        number = _number(text[1:])
        if 1 <= number <= len(start.stage):
            found = reasons.refusal_of(request_obstacle(start, plan, start.stage[number - 1]))
    elif plan.aim == AIM_UNIT:
        side, dot, bare = text.rpartition(".")
        card = parse_card(bare)
        for owner, player in enumerate(PLAYERS):
            for unit in start.sides[owner].soldiers:
                if (not dot or side == player) and card >= 0 and unit.cards >> card & 1 and found is None:
                    found = reasons.refusal_of(unit_obstacle(start, plan, draft.controller, draft.keys, owner, unit))
    return found if found is not None else reasons.TARGET_MISFIT


def unit_named(engine: Engine, text: str, owner: int = -1) -> Unit | None:
    """Return the unit of the asked player (or of ``owner``) that the token names; None if there is none."""
    side, dot, bare = text.rpartition(".")
    owner = int(engine.asked) if owner < 0 else owner
    if dot and side != PLAYERS[owner]:
        return None
    row = engine.sides[owner].bulwarks
    number = _number(bare[1:]) if bare[:1] == "b" else 0
    if number:
        return row[number - 1] if number <= len(row) else None
    card = parse_card(bare)
    return next((unit for unit in engine.sides[owner].soldiers if card >= 0 and unit.cards >> card & 1), None)


def _number(text: str) -> int:
    """Return the number in a bulwark row or on the stage; 0 if the text is none."""
    return int(text) if text.isdecimal() and len(text) < 4 else 0
