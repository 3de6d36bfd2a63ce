"""Views and events as plain data.

Only ``visibility`` creates them. This module is never compiled: encoders read the fields of plain dataclasses, and the
types of the page and of the protocol are generated from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

Role = Literal["attacker", "blocker"]
LocationKind = Literal["card", "unit", "trump", "request", "player", "word"]
#: value of a life that is not counted (R-210)
Uncounted = Literal["10+"]
UNCOUNTED: Uncounted = "10+"
FogName = Literal["up", "down", "force", "close"]
ZoneName = Literal["hand", "life", "grave", "field", "stage", "trumps", "pack", "aside", "rare", "fog"]
#: zones of one player that can be pointed at
SIDE_ZONES: tuple[str, ...] = tuple(zone for zone in get_args(ZoneName) if zone not in ("stage", "aside"))
EventName = Literal[
    "declared",
    "passed",
    "resolving",
    "fizzled",
    "negated",
    "raised",
    "staged",
    "damaged",
    "drew",
    "discarded",
    "took",
    "entered",
    "attached",
    "buried",
    "returned",
    "topped",
    "sunk",
    "drove",
    "charged",
    "turned",
    "bonus",
    "shuffled",
    "revealed",
    "milled",
    "keys_spent",
    "keys_returned",
    "attacked",
    "blocked",
    "turn",
    "opened",
    "closed",
    "trump_lost",
    "trump_set",
    "retargeted",
    "flipped",
    "won",
    "looked",
    "pack_opened",
    "reordered",
    "dealt",
    "dropped",
    "fogged",
    "fogs_cleared",
    "set_aside",
    "packed",
    "uncovered",
]


class Player(StrEnum):
    """A player, in every result and argument. As an index it is 0 or 1; as text ``p1`` or ``p2``.

    >>> from blackpoker import Player
    >>> Player.P1.opponent, ["first", "second"][Player.P2], f"{Player.P1} moves"
    (Player.P2, 'second', 'p1 moves')
    """

    P1 = "p1"
    P2 = "p2"

    @property
    def opponent(self) -> Player:
        return Player.P2 if self is Player.P1 else Player.P1

    def __index__(self) -> int:
        return 0 if self is Player.P1 else 1

    def __repr__(self) -> str:
        return f"Player.{self.name}"


@dataclass(slots=True)
class Location:
    """A location on the table that a token refers to. ``text`` is the token in the notation; ``player`` is the owner;
    ``name`` is a card (``S5``), a position (``b1``, ``t2``), or the number of a request on the stage (``1``)."""

    text: str
    kind: LocationKind
    player: Player | None
    name: str


@dataclass(slots=True)
class RequestView:
    """A request, public on the stage (R-210). ``cost`` is the printed one."""

    id: int
    action: str
    controller: Player
    cost: str
    keys: list[str]
    virtual_keys: list[str]
    target: Location | None
    source: Location | None


@dataclass(slots=True)
class SoldierView:
    """A soldier. ``name`` is the engine's name of the unit: its first card. ``base`` is the number without modifiers
    (R-81); ``new`` is None if only its player knows."""

    name: str
    id: int
    cards: list[str]
    number: int
    base: int
    driven: bool
    new: bool | None
    kind: str
    role: Role | None
    blocks: int | None


@dataclass(slots=True)
class BulwarkView:
    """A bulwark. ``name`` is the engine's name of the unit: its position from the life side. ``card`` and ``new`` are
    None if this audience does not know."""

    name: str
    id: int
    card: str | None
    driven: bool
    new: bool | None
    role: Role | None
    blocks: int | None


@dataclass(slots=True)
class TrumpView:
    name: str
    open: bool
    card: str | None


@dataclass(slots=True)
class LifeView:
    """Cards known at the ends of life, each list starting at its end."""

    top: list[str]
    bottom: list[str]


@dataclass(slots=True)
class HandView:
    """A hand. ``cards``: all of them, or None if hidden. ``known``: the cards another player has seen there."""

    count: int
    cards: list[str] | None
    known: list[str]


@dataclass(slots=True)
class GraveView:
    """A grave. ``top`` is the one public card (R-211)."""

    count: int
    top: str | None
    cards: list[str] | None
    known: list[str]


@dataclass(slots=True)
class PackView:
    """A pack. In edition 6 its size is known to its owner only (R-198), in edition 9 to all (N-051)."""

    opened: bool
    count: int | None
    cards: list[str] | None


@dataclass(slots=True)
class RareView:
    """The rare card zone (N-070). ``card`` is None if there is none, or if this audience does not know it."""

    count: int
    card: str | None


@dataclass(slots=True)
class FogView:
    """A fog: its cards, and what it is bound to, if it still works (N-060, N-061)."""

    fog: FogName
    cards: list[str]
    target: Location | None


@dataclass(slots=True)
class SideView:
    """One player's zones. A ``life`` below ten is public (R-210); ``pack`` and ``rare`` are None if there is none."""

    life: int | Uncounted
    life_known: LifeView
    hand: HandView
    grave: GraveView
    soldiers: list[SoldierView]
    bulwarks: list[BulwarkView]
    trumps: list[TrumpView]
    pack: PackView | None
    aside: list[str]
    used: list[str]
    rare: RareView | None
    fogs: list[FogView]


@dataclass(slots=True)
class DecisionView:
    """The current decision. For the asked seat only: the options, the tokens of this move so far (``so_far``), and
    the earlier choices in the effect being resolved."""

    player: Player
    kind: str
    options: list[str]
    so_far: list[str]
    chosen: list[str]


@dataclass(slots=True)
class ResultView:
    """The result of a game or a match; ``winner`` is None for a draw."""

    winner: Player | None
    reason: str


@dataclass(slots=True)
class View:
    """Everything an audience may know about a game (R-210…R-216). ``you`` is the seat it is for. ``declared``: requests
    with keys that wait while triggers are carried out, before they are on the stage; their keys lie nowhere else."""

    you: Player | None
    turn: Player
    chance: Player
    turn_number: int
    passed: list[Player]
    stage: list[RequestView]
    resolving: RequestView | None
    decision: DecisionView | None
    p1: SideView
    p2: SideView
    over: ResultView | None
    declared: list[RequestView]

    def side(self, player: Player | int) -> SideView:
        return (self.p1, self.p2)[player]


@dataclass(slots=True)
class EventView:
    """An event as one audience may see it. ``cards`` is None if they are hidden, ``top`` is the public one of them
    (R-211). The other fields set depend on ``event``."""

    event: EventName
    player: Player
    count: int = 0
    cards: list[str] | None = None
    top: str | None = None
    action: str | None = None
    request: int | None = None
    kind: str | None = None
    unit: int | None = None
    attacker: int | None = None
    amount: int | None = None
    target: Location | None = None
    zone: ZoneName | None = None
    turn_number: int | None = None
    winner: Literal["p1", "p2", "draw"] | None = None


@dataclass(slots=True)
class DeckView:
    """A deck of a match. ``top`` is the public card of a retired deck (R-201)."""

    deck: int
    retired: bool
    top: str | None
    cards: list[str] | None


@dataclass(slots=True)
class MatchView:
    """Everything an audience may know about a match and the game in play."""

    regulation: str
    number: int
    replay: int
    score: dict[str, int]
    picks: dict[str, int | None]
    decks: dict[str, list[DeckView]]
    viewable_decks: dict[str, list[int]]
    decision: DecisionView | None
    game: View | None
    over: ResultView | None
