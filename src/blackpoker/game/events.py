"""Typed events of the Python API: one small class per shape.

``EventView`` has the same data in one flat class, as it is sent to pages and bots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args, get_type_hints

from blackpoker.engine.views import EventName, EventView, FogName, Location, Player, ZoneName


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """Something happened to a request. ``cards`` are its keys."""

    event: Literal[
        "declared",
        "resolving",
        "fizzled",
        "negated",
        "raised",
        "staged",
        "keys_spent",
        "keys_returned",
        "dropped",
    ]
    player: Player
    action: str
    request: int
    count: int = 0
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class UnitEvent:
    """Something happened to a unit. ``kind`` is its character, None for a bulwark."""

    event: Literal["entered", "attached", "buried", "returned", "drove", "charged", "turned", "attacked"]
    player: Player
    unit: int
    kind: str | None = None
    count: int = 0
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CardsEvent:
    """Cards moved, or changed in their place. ``count`` cards; ``cards`` is None if this audience may not see them."""

    event: Literal[
        "drew",
        "topped",
        "sunk",
        "shuffled",
        "milled",
        "opened",
        "closed",
        "trump_lost",
        "trump_set",
        "flipped",
        "pack_opened",
        "reordered",
        "dealt",
        "fogs_cleared",
        "uncovered",
    ]
    player: Player
    count: int = 0
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class GraveEvent:
    """Cards went to the grave, as damage or from the hand. ``top`` is the public one of them (R-211)."""

    event: Literal["damaged", "discarded"]
    player: Player
    count: int
    top: str
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ZoneEvent:
    """A card was taken from a zone to the hand, or set aside to a zone at set-up."""

    event: Literal["took", "set_aside"]
    player: Player
    zone: ZoneName
    count: int = 0
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class LookEvent:
    """Cards were shown to all, or to one player. ``unit`` is the unit they belong to, if any."""

    event: Literal["revealed", "looked"]
    player: Player
    unit: int | None = None
    count: int = 0
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class BlockEvent:
    """A unit blocks an attacker."""

    event: Literal["blocked"]
    player: Player
    attacker: int
    unit: int


@dataclass(frozen=True, slots=True)
class BonusEvent:
    """The number of a unit changed until the end of the turn; of all soldiers if ``unit`` is None."""

    event: Literal["bonus"]
    player: Player
    amount: int
    unit: int | None = None


@dataclass(frozen=True, slots=True)
class TargetEvent:
    """A request has another target."""

    event: Literal["retargeted"]
    player: Player
    target: Location | None = field(hash=False)


@dataclass(frozen=True, slots=True)
class FogEvent:
    """Keys stay as a fog (N-060). ``unit`` is what it is bound to, if anything."""

    event: Literal["fogged"]
    player: Player
    fog: FogName
    unit: int | None = None
    count: int = 0
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PackEvent:
    """The pack was laid at set-up, with ``count`` cards (N-051)."""

    event: Literal["packed"]
    player: Player
    count: int


@dataclass(frozen=True, slots=True)
class PassEvent:
    """A player passed the chance."""

    event: Literal["passed"]
    player: Player


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """A turn began."""

    event: Literal["turn"]
    player: Player
    turn_number: int


@dataclass(frozen=True, slots=True)
class WinEvent:
    """The game ended; ``winner`` is None for a draw."""

    event: Literal["won"]
    player: Player
    winner: Player | None


Event: TypeAlias = (
    RequestEvent
    | UnitEvent
    | CardsEvent
    | GraveEvent
    | ZoneEvent
    | LookEvent
    | BlockEvent
    | BonusEvent
    | TargetEvent
    | FogEvent
    | PackEvent
    | PassEvent
    | TurnEvent
    | WinEvent
)

#: the class of each event, by its name
CLASSES: Final[dict[EventName, type[Any]]] = {
    name: kind for kind in get_args(Event) for name in get_args(get_type_hints(kind)["event"])
}
_FIELDS: Final = {kind: tuple(kind.__dataclass_fields__) for kind in get_args(Event)}


def typed_event(view: EventView) -> Event:
    """Return the event of a view as an instance of its class."""
    kind = CLASSES[view.event]
    values: dict[str, object] = {name: getattr(view, name, None) for name in _FIELDS[kind]}
    if view.cards is not None:
        values["cards"] = tuple(view.cards)
    if kind is FogEvent:
        values["fog"] = view.kind
    elif kind is WinEvent:
        values["winner"] = None if view.winner in (None, "draw") else Player(view.winner)
    made: Event = kind(**values)
    return made
