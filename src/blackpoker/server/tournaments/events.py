"""Events of a tournament, as stored: in order, written once and never changed. The state of a tournament follows from
them (``state``)."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final, Literal, Union

import msgspec
from msgspec import Meta, Struct

from blackpoker.protocol import messages as p

MAX_ENTRANTS: Final = 256
TournamentKind = Literal["swiss", "knockout", "robin", "arena"]
#: reason for not being paired: a break, a missed table, removed by the host
Absence = Literal["break", "missed", "host"]
#: decision of a table: its game, missing players, the host, by lot, a player who had left before
DecidedBy = Literal["played", "missed", "host", "lot", "left"]
#: games won by the first, by the second, and drawn
GameScore = tuple[int, int, int]


class TournamentRules(Struct, forbid_unknown_fields=True, frozen=True):
    """Rules of a tournament.

    - ``rounds``: of a Swiss tournament, 0: as many as determine one winner. ``minutes``: of an arena.
    - ``starts``: start time in seconds since 1970; 0: the host starts it.
    - ``by_itself``: rounds follow ``pause`` seconds after the last table; otherwise the host pairs them.
    - ``wait``: seconds after which a player missing at a table has lost.
    - ``listed``: public; otherwise only those with the link can find it.
    - ``accounts``: only for players with an account. ``rated``: its games can count for ratings.
    - ``per_address``: entrants of one address, so that strangers cannot fill all places.
    - ``spectator_delay``: seconds by which spectators are delayed, and results with them.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    kind: TournamentKind = "swiss"
    regulation: p.RegulationText = "lite+entry"
    clock: p.ClockRules = msgspec.field(default_factory=lambda: p.ClockRules(bank=600))
    rounds: Annotated[int, Meta(ge=0, le=20)] = 0
    minutes: Annotated[int, Meta(ge=1, le=720)] = 45
    most: Annotated[int, Meta(ge=2, le=MAX_ENTRANTS)] = MAX_ENTRANTS
    listed: bool = True
    accounts: bool = False
    starts: Annotated[float, Meta(ge=0, le=1e11)] = 0.0
    by_itself: bool = True
    pause: Annotated[int, Meta(ge=0, le=3600)] = 30
    wait: Annotated[int, Meta(ge=1, le=3600)] = 180
    window_ms: Annotated[int, Meta(ge=0, le=5000)] | None = None
    rated: bool = False
    spectator_delay: Annotated[int, Meta(ge=0, le=300)] = 0
    per_address: Annotated[int, Meta(ge=1, le=MAX_ENTRANTS)] = 8


class TournamentEvent(Struct, tag_field="act", forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """``at``: time of the event. The tags are stored; they must not change."""

    at: float


class TournamentAnnounced(TournamentEvent, frozen=True, tag="announced"):
    """``host``: guest id of the host. ``decks``: decks per player, 0: none are submitted; ``wins``: games that win a
    match."""

    host: str
    host_name: str
    rules: TournamentRules
    decks: int = 0
    wins: int = 1


class EntrantJoined(TournamentEvent, frozen=True, tag="entered"):
    """``id``: public id in this tournament; ``guest``: guest id; ``player``, ``crest``: of an account, else empty.
    ``origin``: keyed hash of the network, never sent."""

    id: str
    guest: str
    name: str
    player: str = ""
    crest: str = ""
    origin: str = ""


class DeckSubmitted(TournamentEvent, frozen=True, tag="handedin"):
    """A deck list; replaces an earlier one."""

    id: str
    deck: str


class Withdrew(TournamentEvent, frozen=True, tag="wentaway"):
    id: str
    why: Absence = "break"


class Rejoined(TournamentEvent, frozen=True, tag="cameback"):
    id: str


class Pairing(Struct, frozen=True):
    """``one`` is at p1. ``number``: of the table in its round."""

    number: int
    one: str
    two: str
    room: str


class RoundPaired(TournamentEvent, frozen=True, tag="roundpaired"):
    """A round, or in an arena one pairing of the free players. ``byes``: unpaired players, who win; ``through``:
    players who advance without an opponent (knock-out)."""

    round: int
    seed: int
    tables: list[Pairing]
    byes: list[str] = []
    through: list[str] = []


class TableReplayed(TournamentEvent, frozen=True, tag="seatedagain"):
    """A drawn table of a knock-out is replayed."""

    round: int
    table: int
    room: str


class TableDecided(TournamentEvent, frozen=True, tag="decided"):
    """The result of a table. ``lost``: both lost. ``winner``: if the games do not decide it. ``records``: of its
    games."""

    round: int
    table: int
    why: DecidedBy
    games: GameScore = (0, 0, 0)
    lost: bool = False
    winner: Literal["", "one", "two"] = ""
    records: list[str] = []


class TournamentRenamed(TournamentEvent, frozen=True, tag="renamed"):
    """An operator has given the tournament another name."""

    name: str


class TournamentClosed(TournamentEvent, frozen=True, tag="closed"):
    """The last event. ``called_off``: before the first round."""

    called_off: bool = False


AnyEvent = Union[  # noqa: UP007 - msgspec reads it at run time
    TournamentAnnounced,
    EntrantJoined,
    DeckSubmitted,
    Withdrew,
    Rejoined,
    RoundPaired,
    TableReplayed,
    TableDecided,
    TournamentRenamed,
    TournamentClosed,
]
_EVENT: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)


def encode_event(event: AnyEvent) -> str:
    return msgspec.json.encode(event).decode()


def decode_event(text: str) -> AnyEvent:
    return _EVENT.decode(text)


def entrant_id(tournament: str, guest: str) -> str:
    """Return the public id of a guest in a tournament; it reveals neither the guest id nor the id in another
    tournament."""
    return hashlib.sha256(f"blackpoker entrant 1\n{tournament}\n{guest}".encode()).hexdigest()[:16]
