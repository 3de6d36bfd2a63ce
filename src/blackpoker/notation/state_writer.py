"""A game as plain data, at every decision; ``state_reading`` reads it.

An unfinished request has changed nothing yet, so it is stored as its tokens; everything else is the state itself.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from blackpoker.engine.cards import NAMES, count, members
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, FIRST_CHECK, LAST_CHECK, OVER, SECOND_CHECK, SETUP
from blackpoker.engine.request import NO_TARGET, Request
from blackpoker.engine.state import (
    BLOCKERS_KIND,
    NO_ROLE,
    Side,
    State,
    Unit,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)
from blackpoker.engine.visibility import FOG_NAMES

VERSION: Final = 1
#: names for numbers of the state
ROLES: Final = ("", "attacker", "blocker")
POINTS: Final = (
    "setup",
    "chance",
    "first_check",
    "resolve_now",
    "second_check",
    "resolve_top",
    "last_check",
    "over",
)
TARGETS: Final = ("", "unit", "request", "player", "trump")


def cards_text(cards: int) -> str:
    return " ".join(NAMES[card] for card in members(cards))


def _pile(cards: list[int]) -> str:
    """Return the cards from the top."""
    return " ".join(NAMES[card] for card in reversed(cards))


def _request(s: State, request: Request | None) -> dict[str, Any] | None:
    if request is None:
        return None
    out: dict[str, Any] = {
        "id": int(request.id),
        "action": s.rules.plans[request.action].id,
        "controller": int(request.controller),
    }
    plan = s.rules.plans[request.action]
    if request.main != plan.main:
        out["main"] = bool(request.main)
    for name, value in (("keys", request.keys), ("virtual", request.virtual)):
        if value:
            out[name] = cards_text(value)
    for name, value in (("key_count", request.key_count), ("amount", request.amount)):
        if value:
            out[name] = int(value)
    if request.target_kind != NO_TARGET:
        out["target"] = [TARGETS[request.target_kind], int(request.target)]
    if request.source >= 0:
        out["source"] = int(request.source)
    for name, flag in (("raised", request.raised), ("passes", request.passes)):
        if flag:
            out[name] = True
    return out


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    out: dict[str, Any] = {"id": int(unit.id), "kind": s.rules.kinds[unit.kind].id, "cards": cards_text(unit.cards)}
    if count(unit.cards) > 1:
        out["lead"] = NAMES[unit.lead]
    if unit.driven:
        out["driven"] = True
    if unit.bonus:
        out["bonus"] = int(unit.bonus)
    if unit.role != NO_ROLE:
        out["role"] = ROLES[unit.role]
    if unit.blocks >= 0:
        out["blocks"] = int(unit.blocks)
    return out


def _fog(fog: int) -> list[Any]:
    """Return a fog: its kind, its cards, and the number of what it is bound to."""
    cards = [card for card in (fog_first(fog), fog_second(fog)) if card >= 0]
    return [FOG_NAMES[fog_kind(fog)], " ".join(NAMES[card] for card in cards), int(fog_target(fog))]


def _memory(side: Side) -> list[tuple[str, int]]:
    """Return what players and spectators remember: no rule reads it."""
    return [
        ("public", int(side.public)),
        ("seen", int(side.seen)),
        ("own_seen", int(side.own_seen)),
        ("on_top", int(side.on_top)),
        ("mixed", int(side.mixed)),
    ]


def _side(s: State, side: Side) -> dict[str, Any]:
    out: dict[str, Any] = {
        "life": _pile(side.life),
        "hand": cards_text(side.hand),
        "grave": cards_text(side.grave),
        "grave_top": NAMES[side.grave_top] if side.grave_top >= 0 else "",
        "soldiers": [_unit(s, unit) for unit in side.soldiers],
        "bulwarks": [_unit(s, unit) for unit in side.bulwarks],
    }
    for name, cards in (
        ("fresh", side.fresh),
        *_memory(side),
        ("aside", side.aside),
        ("pack", side.pack),
        ("open_trumps", side.open_trumps),
        ("rare", side.rare),
    ):
        if cards:
            out[name] = cards_text(cards)
    if side.trumps:
        out["trumps"] = " ".join(NAMES[card] for card in side.trumps)
    if side.pack_open:
        out["pack_open"] = True
    if side.pile:
        out["pile"] = " ".join(NAMES[card] for card in side.pile)
    if side.uncovered:
        out["uncovered"] = True
    if side.fogs:
        out["fogs"] = [_fog(fog) for fog in side.fogs]
    for name, value in (("bonus", side.bonus), ("requests", side.requests)):
        if value:
            out[name] = int(value)
    used = [p.id for p in s.rules.plans if p.limit and p.limit & (side.used_game if p.limit_game else side.used)]
    if used:
        out["used"] = used
    return out


def _values(s: State) -> list[int]:
    """Return the bindings of the effect; for blockers, the progress."""
    if s.kind == BLOCKERS_KIND:
        return [int(s.blocked), int(s.blocker_count), int(s.last_blocker), 0]
    return [int(s.bound_first), int(s.bound_second), int(s.bound_third), int(s.bound_fourth)]


def dump(engine: Engine) -> dict[str, Any]:
    """Return the state as JSON-able data; the same state gives the same data."""
    s = engine
    chosen: list[int] = []
    if s.draft is not None:
        chosen = draft_options(engine)
        s = before_draft(engine)
    out: dict[str, Any] = {
        "format": s.rules.name,
        "point": POINTS[s.point],
        "turn": int(s.turn),
        "chance": int(s.chance),
        "turn_number": int(s.turn_number),
        "next_id": int(s.next_id),
        "winner": int(s.winner),
        "sides": [_side(s, side) for side in s.sides],
    }
    if s.passed:
        out["passed"] = int(s.passed)
    if s.stall:
        out["stall"] = True
    if s.forced_pass >= 0:
        out["forced_pass"] = int(s.forced_pass)
    if s.stage:
        out["stage"] = [_request(s, request) for request in s.stage]
    if s.buffer:
        out["buffer"] = [_request(s, request) for request in s.buffer]
    if s.current is not None:
        out["current"] = _request(s, s.current)
    if s.point in (FIRST_CHECK, SECOND_CHECK, LAST_CHECK):
        out["check"] = [int(s.check_speed), int(s.check_player)]
    if s.active is not None:
        out["active"] = _request(s, s.active)
        out["effect"] = {
            "pc": int(s.pc),
            "values": _values(s),
            "order": [int(item) for item in s.order],
            **({"answered": int(s.answered)} if s.answered else {}),
            "target_owner": int(s.target_owner),
            "shielded": int(s.shielded),
        }
    if s.point == SETUP:
        first, second = s.sides
        downs = int(first.picked_down), int(second.picked_down)
        out["setup"] = [int(s.setup_step), int(first.picked), int(second.picked), *downs]
    if s.preset:
        out["preset"] = int(s.preset)
    if s.point != OVER:
        out["asked"] = [int(s.asked), int(s.kind)]
        out["options"] = [int(option) for option in s.options]
    if chosen:
        out["so_far"] = chosen
    return out


def before_draft(engine: Engine) -> Engine:
    """Return the state before the unfinished request: nothing else has changed since."""
    draft = engine.draft
    assert draft is not None
    s = engine.copy()
    s.draft = None
    s.next_id = draft.id
    s.kind = CHANCE_KIND
    s.asked = s.chance
    s.list_requests()
    return s


def draft_options(engine: Engine) -> list[int]:
    """Return the options chosen for the unfinished request, found by a search; raise `AssertionError` if there are
    none."""
    draft = engine.draft
    assert draft is not None
    s = before_draft(engine)
    s.push(draft.action + 1)
    chosen_options = [int(draft.action) + 1]
    for _ in range(64):
        current = s.draft
        assert current is not None
        if s.kind == engine.kind and s.token_index == engine.token_index and len(s.tokens) == len(engine.tokens):
            return chosen_options
        chosen = -1
        for option in s.options:
            after = s.copy()
            after.push(option)
            if after.draft is not None and _leads_to(after, engine):
                chosen = option
                s = after
                break
        if chosen < 0:
            break
        chosen_options.append(chosen)
    raise AssertionError("no options lead to the unfinished request")


def _leads_to(s: Engine, goal: Engine) -> bool:
    """Return whether the tokens so far are a prefix of the goal's."""
    draft = s.draft
    goal_draft = goal.draft
    assert draft is not None
    assert goal_draft is not None
    if draft.keys & ~goal_draft.keys or s.discards & ~goal.discards or s.paying != goal.paying[: len(s.paying)]:
        return False
    if draft.source >= 0 and draft.source != goal_draft.source:
        return False
    return s.costs == goal.costs or len(s.tokens) == 1


def canonical(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def state_hash(engine: Engine) -> str:
    """Return a name of the state, the same in every build. It excludes the generator, the memory of players, and the
    options: they follow from the rest, and their numbers depend on the list of actions."""
    data = dump(engine)
    data.pop("options", None)
    for side, shown in zip(data["sides"], engine.sides, strict=True):
        for name, _ in _memory(shown):
            side.pop(name, None)
    return hashlib.sha256(canonical(data).encode("ascii")).hexdigest()[:16]
