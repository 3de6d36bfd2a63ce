"""Pairs of states that differ only in what an audience cannot know; ``permute_hidden`` creates the second."""

from __future__ import annotations

from blackpoker.engine.cards import BIT, members
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import TRUMP, Request
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import Side, State
from blackpoker.engine.visibility import known_to
from blackpoker.notation.options import view_of


def hidden_cards(s: State, owner: int, player: int) -> int:
    """Return the owner's cards of which this seat does not know the location."""
    side = s.sides[owner]
    cards: int = 0
    for card in side.life:
        cards |= BIT[card]
    if owner == player:
        cards &= ~(side.public | side.own_seen | side.on_top)
        return cards if side.pack_open else cards | side.pack
    cards |= side.hand | side.grave | side.pack | side.rare
    for unit in side.bulwarks:
        cards |= unit.cards
    for card in side.trumps:
        if side.open_trumps & BIT[card] == 0:
            cards |= BIT[card]
    cards &= ~(known_to(side, owner, player) | side.on_top)
    if side.grave_top >= 0:
        cards &= ~BIT[side.grave_top]
    return cards


def permute_hidden(s: State, player: int, source: Shuffler) -> None:
    """Exchange at random, in place, all cards this seat cannot tell apart; its view stays the same.

    The resulting state is for inspection only, not for playing on: the move in progress and its options still name the
    old cards.
    """
    for owner in range(2):
        hidden = hidden_cards(s, owner, player)
        if owner == player and s.asked == player:
            # The player may be looking through these: their order is hidden, not their identity.
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


def face_down_targets(s: State, owner: int) -> list[Request]:
    """Return the requests that target a face-down trump of this player; they refer to its position, not to the card."""
    out: list[Request] = []
    opened = s.sides[owner].open_trumps
    for request in [*s.stage, *s.buffer]:
        if request.target_kind == TRUMP and request.target // 64 == owner and opened & BIT[request.target % 64] == 0:
            out.append(request)
    return out


def exchange_set(cards: int, exchange: list[int]) -> int:
    out: int = 0
    for card in members(cards):
        out |= BIT[exchange[card]]
    return out


def exchange_cards(side: Side, exchange: list[int], own: bool) -> None:
    side.life = [exchange[card] for card in side.life]
    side.pack = exchange_set(side.pack, exchange)
    side.own_seen = exchange_set(side.own_seen, exchange)
    side.seen = exchange_set(side.seen, exchange)
    if own:
        return
    side.picked = exchange_set(side.picked, exchange)
    side.hand = exchange_set(side.hand, exchange)
    side.grave = exchange_set(side.grave, exchange)
    side.pile = [exchange[card] for card in side.pile]
    side.rare = exchange_set(side.rare, exchange)
    fresh: int = 0
    mixed: int = 0
    for unit in side.soldiers:
        fresh |= unit.cards & side.fresh
        mixed |= unit.cards & side.mixed
    for unit in side.bulwarks:
        new = unit.cards & side.fresh != 0
        covered = unit.cards & side.mixed != 0
        unit.cards = exchange_set(unit.cards, exchange)
        unit.lead = exchange[unit.lead]
        if new:
            fresh |= unit.cards
        if covered:
            mixed |= unit.cards
    side.fresh = fresh
    side.mixed = mixed
    opened = side.open_trumps
    side.trumps = [card if opened & BIT[card] != 0 else exchange[card] for card in side.trumps]


def same_view(s: Engine, other: Engine, player: int) -> bool:
    """Return whether this seat sees no difference; a request that targets a hidden trump may cause one."""
    return view_of(s, player) == view_of(other, player)
