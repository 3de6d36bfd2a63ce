"""What a seat may know (R-210…R-216). Nothing else may be shown to it.

Two states that differ only in what a seat may not know give it the same view; ``permute_hidden`` makes such states.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from blackpoker.rules.cards import ALL, BIT, NAMES, members
from blackpoker.rules.shuffler import Shuffler
from blackpoker.rules.names import PLAYERS, target_text, unit_place
from blackpoker.rules.state import ATTACKER, BLOCKER, KEY_KIND, TARGET_KIND, Side, State, Unit
from blackpoker.rules.flow import CHANCE_KIND, DRAW, OVER, UNDECIDED
from blackpoker.rules.request import TRUMP, Request

#: R-210: from here on an opponent is told "10 or more"
LIFE_SHOWN: Final = 10
MANY: Final = "10+"

#: Who looks: a player, or somebody who sits at neither seat.
SPECTATOR: Final = -1

_ROLES: Final[list[str | None]] = [None, "attacker", "blocker"]


def names(cards: i64) -> list[str]:
    return [NAMES[card] for card in members(cards)]


def view(s: State, player: i64) -> dict[str, Any]:
    """Everything this seat may know, JSON-able; ``player`` is 0, 1 or SPECTATOR."""
    out: dict[str, Any] = {
        "you": None if player < 0 else PLAYERS[player],
        "turn": PLAYERS[s.turn],
        "chance": PLAYERS[s.chance],
        "turn_number": s.turn_number,
        "passed": [PLAYERS[seat] for seat in range(2) if s.passed & (1 if seat == 0 else 2)],
        "stage": [request_view(s, request) for request in s.stage],
        "resolving": None if s.active is None else request_view(s, s.active),
        "decision": decision_view(s, player),
        "p1": side_view(s, 0, player),
        "p2": side_view(s, 1, player),
        "over": None,
    }
    if s.point == OVER:
        out["over"] = "draw" if s.winner == DRAW else PLAYERS[s.winner]
    return out


def decision_view(s: State, player: i64) -> dict[str, Any] | None:
    """Who is asked for what. A request that is being worded looks to the others like the choice of a request: nothing
    has happened until its last word. Only the asked seat gets the options."""
    if s.asked < 0 or s.winner != UNDECIDED:
        return None
    if s.asked == player:
        return {"player": PLAYERS[s.asked], "kind": int(s.kind), "options": s.options[:]}
    kind = s.kind
    if kind >= KEY_KIND and kind <= TARGET_KIND:
        kind = CHANCE_KIND
    return {"player": PLAYERS[s.asked], "kind": int(kind)}


def request_view(s: State, request: Request) -> dict[str, Any]:
    """A request on the stage is public (R-210)."""
    source = s.unit(request.source) if request.source >= 0 else None
    return {
        "id": request.id,
        "action": s.rules.plans[request.action].id,
        "controller": PLAYERS[request.controller],
        "keys": names(request.keys),
        "virtual_keys": names(request.virtual),
        "target": target_text(s, request) or None,
        "source": None if source is None else unit_place(s, request.controller, source),
    }


def side_view(s: State, owner: i64, player: i64) -> dict[str, Any]:
    side = s.sides[owner]
    own = owner == player
    # What the opponent has learnt is his; a spectator was not told.
    known: i64 = ALL if own else (side.seen if player >= 0 else 0)
    return {
        "life": len(side.life) if own or len(side.life) < LIFE_SHOWN else MANY,
        "life_known": life_known(side, side.own_seen if own else known),
        "hand": {
            "count": side.hand_count,
            "cards": names(side.hand) if own else None,
            "known": names(side.hand & side.seen if player >= 0 else 0),
        },
        "grave": {
            "count": len(members(side.grave)),
            "top": None if side.grave_top < 0 else NAMES[side.grave_top],
            "cards": names(side.grave) if own else None,
            "known": names(side.grave & side.seen if player >= 0 else 0),
        },
        "soldiers": [soldier_view(s, side, unit) for unit in side.soldiers],
        "bulwarks": [bulwark_view(side, place, known) for place in range(len(side.bulwarks))],
        "trumps": [trump_view(side, place, own, known) for place in range(len(side.trumps))],
        "pack": {
            "count": len(members(side.pack)),
            "opened": side.pack_open,
            "cards": names(side.pack) if own and side.pack_open else None,
        },
        "aside": names(side.aside),  # turned up
        "used": [plan.id for plan in s.rules.plans if plan.limit != 0 and plan.limit & used(plan.limit_game, side)],
    }


def used(in_game: bool, side: Side) -> i64:
    return side.used_game if in_game else side.used


def life_known(side: Side, known: i64) -> dict[str, Any]:
    """Cards that went face down onto or under life before the eyes of this seat, as far as it can still tell."""
    top: list[str] = []
    bottom: list[str] = []
    life = side.life
    for card in reversed(life):
        if known & BIT[card] == 0:
            break
        top.append(NAMES[card])
    if len(top) < len(life):
        for card in life:
            if known & BIT[card] == 0:
                break
            bottom.append(NAMES[card])
    return {"top": top, "bottom": bottom}


def soldier_view(s: State, side: Side, unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "cards": names(unit.cards),
        "number": s.number(side, unit),
        "driven": unit.driven,
        "new": unit.cards & ~side.fresh == 0,
        "kind": s.rules.kinds[unit.kind].id,
        "role": _ROLES[unit.role] if unit.role in (ATTACKER, BLOCKER) else None,
        "blocks": unit.blocks if unit.role == BLOCKER else None,
    }


def bulwark_view(side: Side, place: int, known: i64) -> dict[str, Any]:
    unit = side.bulwarks[place]
    return {
        "place": f"b{place + 1}",
        "id": unit.id,
        "card": NAMES[unit.lead] if known & unit.cards != 0 else None,
        "driven": unit.driven,
        "new": unit.cards & ~side.fresh == 0,
        "role": _ROLES[unit.role] if unit.role in (ATTACKER, BLOCKER) else None,
        "blocks": unit.blocks if unit.role == BLOCKER else None,
    }


def trump_view(side: Side, place: int, own: bool, known: i64) -> dict[str, Any]:
    card: i64 = side.trumps[place]
    bit: i64 = BIT[card]
    opened = side.open_trumps & bit != 0
    return {
        "place": f"t{place + 1}",
        "open": opened,
        "card": NAMES[card] if own or opened or known & bit != 0 else None,
    }


# -- the same to that seat ---------------------------------------------------------------------------------------------


def hidden_cards(s: State, owner: i64, player: i64) -> i64:
    """The owner's cards whose place this seat does not know."""
    side = s.sides[owner]
    cards: i64 = 0
    for card in side.life:
        cards |= BIT[card]
    if owner == player:
        cards &= ~side.own_seen
        return cards if side.pack_open else cards | side.pack
    cards |= side.hand | side.grave | side.pack
    for unit in side.bulwarks:
        cards |= unit.cards
    for card in side.trumps:
        if side.open_trumps & BIT[card] == 0:
            cards |= BIT[card]
    if player >= 0:
        cards &= ~side.seen
    if side.grave_top >= 0:
        cards &= ~BIT[side.grave_top]
    return cards


def permute_hidden(s: State, player: i64, source: Shuffler) -> None:
    """Exchange at random, in place, all cards this seat cannot tell apart: whoever sits there sees no difference.

    The state afterwards is good for looking at, not for playing on: what is being worded, chosen or offered there
    still names the old cards."""
    for owner in range(2):
        hidden = hidden_cards(s, owner, player)
        if owner == player and s.asked == player:
            # He may just be looking through these: their order is hidden, not which ones they are.
            hidden &= ~s.sides[owner].pack
        before = members(hidden)
        after = before[:]
        source.mix(after)
        exchange = list(range(54))
        for place in range(len(before)):
            exchange[before[place]] = after[place]
        named = face_down_targets(s, owner)
        exchange_cards(s.sides[owner], exchange, owner == player)
        if owner != player:
            for request in named:
                request.target = owner * 64 + exchange[request.target % 64]


def face_down_targets(s: State, owner: i64) -> list[Request]:
    """Requests that target a face-down trump of this player: they mean its place, whatever card lies there."""
    out: list[Request] = []
    opened = s.sides[owner].open_trumps
    for request in [*s.stage, *s.buffer]:
        if request.target_kind == TRUMP and request.target // 64 == owner and opened & BIT[request.target % 64] == 0:
            out.append(request)
    return out


def exchange_set(cards: i64, exchange: list[int]) -> i64:
    out: i64 = 0
    for card in members(cards):
        out |= BIT[exchange[card]]
    return out


def exchange_cards(side: Side, exchange: list[int], own: bool) -> None:
    side.life = [exchange[card] for card in side.life]
    side.pack = exchange_set(side.pack, exchange)
    side.own_seen = exchange_set(side.own_seen, exchange)
    if own:
        return
    side.hand = exchange_set(side.hand, exchange)
    side.grave = exchange_set(side.grave, exchange)
    fresh: i64 = 0
    for unit in side.soldiers:
        fresh |= unit.cards & side.fresh
    for unit in side.bulwarks:
        new = unit.cards & side.fresh != 0
        unit.cards = exchange_set(unit.cards, exchange)
        unit.lead = exchange[unit.lead]
        if new:
            fresh |= unit.cards
    side.fresh = fresh
    opened = side.open_trumps
    side.trumps = [card if opened & BIT[card] != 0 else exchange[card] for card in side.trumps]
