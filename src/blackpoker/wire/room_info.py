"""What a room is, as it goes over the wire: how it plays, who sits there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from blackpoker.regulation import Edition, all_regulations
from blackpoker.thinking.levels import AT_TABLES


def one_of(names: Iterable[str]) -> dict[str, Any]:
    """A description only: what is really understood is checked where it is used, and refused in words."""
    return {"pattern": f"^({'|'.join(re.escape(name) for name in names)})$"}


#: by its canonical name; other spellings are understood as well
RegulationText = Annotated[
    str, Meta(max_length=120, extra_json_schema=one_of(regulation.text for regulation in all_regulations()))
]
#: who may sit at the other seat: somebody else, a client that is a program, a computer player's level
LEVELS: Final = tuple(level.id for level in AT_TABLES)
OPPONENTS: Final = ("human", "bot", *LEVELS)
Opponent = Annotated[str, Meta(max_length=20, extra_json_schema=one_of(OPPONENTS))]


class ClockRules(Struct, forbid_unknown_fields=True):
    """Seconds: a bank, what each own decision adds, the limit of a chance that is not one's own turn (it passes then),
    how long a lost connection stops the clock. A bank of 0: no clock."""

    bank: Annotated[int, Meta(ge=0, le=7200)] = 0
    each: Annotated[int, Meta(ge=0, le=300)] = 10
    chance: Annotated[int, Meta(ge=0, le=600)] = 60
    grace: Annotated[int, Meta(ge=0, le=600)] = 60


class RoomSettings(Struct, forbid_unknown_fields=True):
    """How a room plays. ``opponent``: who sits at the other seat: ``human``, ``bot`` (a client of the protocol), or
    the name of a level; ``temper``: how that likes to play, where it thinks ahead. ``window_ms``: the least time of a
    window in which somebody might answer, asked or not.
    ``listed``: everybody may find the room in the lobby; else only those who have its path do. ``quick``: somebody
    waits here for whoever wants the same; only ``/api/quick`` makes such a room, and only whom it brings gets the other
    seat of its first game. ``rated``: that game is rated; both have accounts. ``chat``: whether people may write what
    they like, or say one of a few phrases."""

    regulation: RegulationText = "lite+entry"
    opponent: Opponent = "human"
    clock: ClockRules = msgspec.field(default_factory=ClockRules)
    window_ms: Annotated[int, Meta(ge=0, le=5000)] | None = None
    spectators: bool = True
    spectator_delay: Annotated[int, Meta(ge=0, le=600)] = 0
    first: Literal["p1", "p2"] = "p1"
    listed: bool = False
    quick: bool = False
    temper: Literal["", "attacking", "patient"] = ""
    rated: bool = False
    chat: Literal["free", "phrases"] = "free"


class SeatInfo(Struct):
    """A seat as everybody may see it."""

    kind: str  # open, human, ai
    name: str
    connected: bool
    ready: bool
    level: str = ""
    seal: str = ""  # SHA-256 of the seat's salt and deck, told before any salt is opened; a computer player has none
    bot: str = ""  # the account of the bot that sits there: /api/bots/{id}
    player: str = ""  # whoever has an account and sits there
    shows: bool = False  # its hand, to casters
    who: str = ""  # whoever sits there, by a name of this room alone


class PackageInfo(Struct):
    """Local rules a room plays by."""

    id: str
    version: str
    ja: str
    en: str
    text_ja: str
    text_en: str
    authors: list[str] = []
    licence: str = ""


def packages_of(edition: Edition) -> list[PackageInfo]:
    return [
        PackageInfo(one.id, one.version, one.ja, one.en, one.text_ja, one.text_en, list(one.authors), one.licence)
        for one in edition.packages
    ]


class RoomInfo(Struct):
    id: str
    phase: Literal["waiting", "playing", "over"]
    settings: RoomSettings
    p1: SeatInfo
    p2: SeatInfo
    game: int  # of this room, counted from 1; 0 before the first
    watching: int
    commitment: str = ""  # SHA-256 of what the shuffles come from; opened when the game is over
    practice: bool = False  # rewound, or started from a position
    packages: list[PackageInfo] = []
    edition: str = ""  # of the rules, with the hash of its definitions
    start: str = ""  # ``deal``, or the hash of the position it starts from
    tournament: str = ""  # of which it is a table
