"""Visibility (R-210…R-216): ``view`` of a state and ``seen`` of an event, for an audience. Only their results may be
shown to it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, get_args

from mypy_extensions import i64

from blackpoker.engine import events as ev
from blackpoker.engine.cards import ALL, BIT, LOW, NAMES, count
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, DRAW, OVER
from blackpoker.engine.locations import PLAYERS, location_of_target, location_of_unit
from blackpoker.engine.request import TRUMP, UNIT, Request
from blackpoker.engine.state import (
    ATTACKER,
    BLOCKER,
    CARDS_KIND,
    CLOSE_FOG,
    LIFE_COUNTED,
    SHOWN_KIND,
    Side,
    State,
    Unit,
    fog_first,
    fog_kind,
    fog_second,
    fog_target,
)
from blackpoker.engine.tables import RuleTables
from blackpoker.engine.views import (
    UNCOUNTED,
    BulwarkView,
    DecisionView,
    EventName,
    EventView,
    FogName,
    FogView,
    GraveView,
    HandView,
    LifeView,
    Location,
    PackView,
    RareView,
    RequestView,
    ResultView,
    Role,
    SideView,
    SoldierView,
    TrumpView,
    View,
    ZoneName,
)


class Audience(IntEnum):
    """A receiver of views and events. The number of a seat is its audience."""

    P1 = 0
    P2 = 1
    PUBLIC = 2  # spectators
    JUDGE = 3  # sees every card; never given to a player or a spectator


#: the audiences of a game in progress
AUDIENCES: Final = (Audience.P1, Audience.P2, Audience.PUBLIC)

#: the name of the card of a one-bit set, by the bit modulo 59 (``cards.LOW``)
_NAME_OF: Final[list[str]] = [NAMES[card] for card in LOW]
_PUBLIC: Final = 2
JUDGE: Final = 3
_ROLES: Final[list[Role | None]] = [None, "attacker", "blocker"]
EVENT_NAMES: Final[tuple[EventName, ...]] = get_args(EventName)
_ZONES: Final[tuple[ZoneName, ...]] = get_args(ZoneName)
#: by the engine's number of a fog
FOG_NAMES: Final[tuple[FogName, ...]] = get_args(FogName)
#: events with an action and a request as ``a`` and ``b``
_OF_REQUESTS: Final = frozenset(
    (
        ev.DECLARED,
        ev.RESOLVING,
        ev.FIZZLED,
        ev.NEGATED,
        ev.RAISED,
        ev.STAGED,
        ev.KEYS_SPENT,
        ev.KEYS_RETURNED,
        ev.DROPPED,
    )
)
#: events with a character and a unit as ``a`` and ``b``
_OF_UNITS: Final = frozenset(
    (ev.ENTERED, ev.ATTACHED, ev.BURIED, ev.RETURNED, ev.DROVE, ev.CHARGED, ev.TURNED, ev.ATTACKED)
)


def names(cards: i64) -> list[str]:
    out: list[str] = []
    while cards != 0:
        low: i64 = cards & -cards
        out.append(_NAME_OF[low % 59])
        cards ^= low
    return out


# -- a state -----------------------------------------------------------------------------------------------------------


def view(s: State, audience: i64, decision: DecisionView | None = None) -> View:
    """Return everything this audience may know; the notation writes the decision."""
    return View(
        PLAYERS[audience] if audience < _PUBLIC else None,
        PLAYERS[s.turn],
        PLAYERS[s.chance],
        s.turn_number,
        [PLAYERS[seat] for seat in range(2) if s.passed & (1 if seat == 0 else 2)] if s.passed != 0 else [],
        [request_view(s, request) for request in s.stage],
        None if s.active is None else request_view(s, s.active),
        decision,
        side_view(s, 0, audience),
        side_view(s, 1, audience),
        ResultView(None if s.winner == DRAW else PLAYERS[s.winner], "") if s.point == OVER else None,
        declared_views(s) if s.current is not None or s.buffer else [],
    )


def declared_views(s: State) -> list[RequestView]:
    """Return the request that is paid for, and raised ones with a card as their key, before they are on the stage: they
    have been declared, so that they are public like the stage (R-210)."""
    out: list[RequestView] = []
    current = s.current
    if current is not None:
        out.append(request_view(s, current))
    for request in s.buffer:
        if request.keys != 0:
            out.append(request_view(s, request))
    return out


def shown_kind(s: State, audience: i64) -> i64:
    """Return the kind of the current decision. To other audiences a request being built appears as the choice of a
    request, because nothing has happened before its last token."""
    kind = s.kind
    if s.asked == audience or audience == JUDGE:
        return kind
    if s.draft is not None:
        return CHANCE_KIND
    return CARDS_KIND if kind == SHOWN_KIND else kind  # the last token of a discard


def request_view(s: State, request: Request) -> RequestView:
    """Return the view of a request; a request on the stage is public (R-210)."""
    source = s.unit(request.source) if request.source >= 0 else None
    plan = s.rules.plans[request.action]
    return RequestView(
        request.id,
        plan.id,
        PLAYERS[request.controller],
        plan.cost.letters,
        names(request.keys),
        names(request.virtual),
        location_of_target(s, request.target_kind, request.target),
        None if source is None else location_of_unit(s, request.controller, source),
    )


def side_view(s: State, owner: i64, audience: i64) -> SideView:
    side = s.sides[owner]
    life: i64 = len(side.life)
    own = owner == audience or audience == JUDGE
    known: i64 = known_to(side, owner, audience)
    others: i64 = known_to_others(side, audience)
    used_turn = side.used
    used_game = side.used_game
    used: list[str] = []
    if used_turn | used_game != 0:
        used = [plan.id for plan in s.rules.plans if plan.limit & (used_game if plan.limit_game else used_turn) != 0]
    return SideView(
        life if own or life < LIFE_COUNTED else UNCOUNTED,
        life_known(side, known),
        HandView(side.hand_count, names(side.hand) if own else None, names(side.hand & others)),
        GraveView(
            count(side.grave),
            None if side.grave_top < 0 else NAMES[side.grave_top],
            names(side.grave) if own else None,
            names(side.grave & others),
        ),
        [soldier_view(s, side, own, unit) for unit in side.soldiers] if side.soldiers else [],
        [bulwark_view(side, place, own, known) for place in range(len(side.bulwarks))] if side.bulwarks else [],
        [trump_view(side, place, own, known) for place in range(len(side.trumps))] if side.trumps else [],
        pack_view(s, side, own, audience) if side.pack != 0 or side.pack_open else None,
        names(side.aside) if side.aside != 0 else [],  # turned up
        used,
        rare_view(side, own, known) if s.rules.has_rare else None,
        fog_views(s, side) if side.fogs else [],
    )


def known_to(side: Side, owner: i64, audience: i64) -> i64:
    """Return the cards of which this audience knows the exact location although the zone hides it. Of its own zones
    only life hides cards."""
    if audience == JUDGE:
        return ALL
    if owner == audience:
        return side.public | side.own_seen
    return side.public | side.seen if audience < _PUBLIC else side.public


def knows(side: Side, owner: i64, audience: i64, cards: i64) -> bool:
    """Return whether this audience knows these cards of a row of bulwarks or of the trumps."""
    return owner == audience or known_to(side, owner, audience) & cards == cards


def known_to_others(side: Side, audience: i64) -> i64:
    """Return the cards of a hand or grave known to this audience; for its own, those the opponent knows."""
    return side.public | side.seen if audience != _PUBLIC else side.public


def life_known(side: Side, known: i64) -> LifeView:
    """Return the cards at the ends of life that this audience still knows."""
    top: list[str] = []
    bottom: list[str] = []
    life = side.life
    if known != 0:
        for card in reversed(life):
            if known & BIT[card] == 0:
                break
            top.append(NAMES[card])
        if len(top) < len(life):
            for card in life:
                if known & BIT[card] == 0:
                    break
                bottom.append(NAMES[card])
    return LifeView(top, bottom)


def is_new(side: Side, own: bool, unit: Unit) -> bool | None:
    """Return whether the unit entered this turn (R-82); None if that would reveal a rearranged card (R-216)."""
    if side.mixed & unit.cards != 0 and not own:
        return None
    return unit.cards & ~side.fresh == 0


def soldier_view(s: State, side: Side, own: bool, unit: Unit) -> SoldierView:
    return SoldierView(
        NAMES[unit.lead],
        unit.id,
        names(unit.cards),
        s.number(side, unit),
        unit.base,
        unit.driven,
        is_new(side, own, unit),
        s.rules.kinds[unit.kind].id,
        _ROLES[unit.role] if unit.role in (ATTACKER, BLOCKER) else None,
        unit.blocks if unit.role == BLOCKER else None,
    )


def bulwark_view(side: Side, place: int, own: bool, known: i64) -> BulwarkView:
    unit = side.bulwarks[place]
    return BulwarkView(
        f"b{place + 1}",
        unit.id,
        NAMES[unit.lead] if own or known & unit.cards != 0 else None,
        unit.driven,
        is_new(side, own, unit),
        _ROLES[unit.role] if unit.role in (ATTACKER, BLOCKER) else None,
        unit.blocks if unit.role == BLOCKER else None,
    )


def trump_view(side: Side, place: int, own: bool, known: i64) -> TrumpView:
    card: i64 = side.trumps[place]
    bit: i64 = BIT[card]
    opened = side.open_trumps & bit != 0
    return TrumpView(f"t{place + 1}", opened, NAMES[card] if own or opened or known & bit != 0 else None)


def pack_view(s: State, side: Side, own: bool, audience: i64) -> PackView:
    """Return the view of a pack. The owner of an unopened pack knows only its size (R-198); the opponent knows whether
    it is open, and its size if the set-up of the frame determines it (N-051)."""
    looks = side.pack_open if audience != JUDGE else True
    counted = own or bool(s.rules.setup)
    return PackView(side.pack_open, count(side.pack) if counted else None, names(side.pack) if own and looks else None)


def rare_view(side: Side, own: bool, known: i64) -> RareView:
    """Return the view of the rare card zone: a face-down card that its owner knows (N-070)."""
    rare = side.rare
    shown = rare != 0 and (own or known & rare != 0)
    return RareView(count(rare), _NAME_OF[rare % 59] if shown else None)


def fog_views(s: State, side: Side) -> list[FogView]:
    """Return the fogs of a player; all of them are public (N-060)."""
    out: list[FogView] = []
    for fog in side.fogs:
        kind = fog_kind(fog)
        cards = [NAMES[fog_first(fog)]]
        if fog_second(fog) >= 0:
            cards.append(NAMES[fog_second(fog)])
        target = fog_target(fog)
        place = location_of_target(s, TRUMP if kind == CLOSE_FOG else UNIT, target) if target >= 0 else None
        out.append(FogView(FOG_NAMES[kind], cards, place))
    return out


# -- an event ----------------------------------------------------------------------------------------------------------


class Report:
    """A complete event. Its target is resolved at once, because the state may lose it later."""

    __slots__ = ("raw", "rules", "target")

    def __init__(self, raw: RawEvent, s: State) -> None:
        self.raw: RawEvent = raw
        self.rules: RuleTables = s.rules
        self.target: Location | None = location_of_target(s, raw[4], raw[5]) if raw[0] == ev.RETARGETED else None


def sees(raw: RawEvent, audience: i64) -> bool:
    """Return whether this audience sees the cards of the event."""
    seen_by: i64 = raw[3]
    return audience == JUDGE or seen_by & (1, 2, 4)[audience] != 0


def seen(report: Report, audience: i64) -> EventView:
    """Return the event as this audience may see it."""
    kind, player, cards, _, a, b = report.raw
    rules = report.rules
    out = EventView(EVENT_NAMES[kind - 1], PLAYERS[player])
    if cards != 0:
        out.count = count(cards)
        out.cards = names(cards) if sees(report.raw, audience) else None
    if kind in _OF_REQUESTS:
        out.action = rules.plans[a].id
        out.request = b
    elif kind in _OF_UNITS:
        # A bulwark is reported as a bulwark: the character of its card is its owner's secret.
        out.kind = rules.kinds[a].id if 0 <= a < len(rules.kinds) else None
        out.unit = b
    elif kind == ev.BLOCKED:
        out.attacker = a
        out.unit = b
    elif kind == ev.BONUS:
        out.amount = a
        out.unit = b if b >= 0 else None
    elif kind == ev.RETARGETED:
        out.target = report.target
    elif kind == ev.TOOK:
        out.zone = _ZONES[a]
    elif kind == ev.TURN:
        out.turn_number = a
    elif kind == ev.WON:
        out.winner = "draw" if a > 1 else "p2" if a == 1 else "p1"
    elif (kind == ev.REVEALED or kind == ev.LOOKED) and b >= 0:
        out.unit = b
    elif kind == ev.DAMAGED or kind == ev.DISCARDED:
        out.top = NAMES[b]
    elif kind == ev.FOGGED:
        out.kind = FOG_NAMES[a]
        out.unit = b if b >= 0 else None
    elif kind == ev.SET_ASIDE:
        out.zone = _ZONES[a]
    elif kind == ev.PACKED:
        out.count = a
    return out
