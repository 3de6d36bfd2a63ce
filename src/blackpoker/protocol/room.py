"""A room in messages: its settings, its seats, its state."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from blackpoker.ai.levels import TABLE_LEVELS
from blackpoker.ruleset import Edition, all_regulations


def any_of_pattern(names: Iterable[str]) -> dict[str, Any]:
    """Return a pattern for the schema only; values are validated where they are used, with a readable refusal."""
    return {"pattern": f"^({'|'.join(re.escape(name) for name in names)})$"}


#: by its canonical name; other spellings are accepted as well
RegulationText = Annotated[
    str, Meta(max_length=120, extra_json_schema=any_of_pattern(regulation.text for regulation in all_regulations()))
]
#: kinds of opponents: a person, a client that is a program, a computer player's level
LEVELS: Final = tuple(level.id for level in TABLE_LEVELS)
OPPONENTS: Final = ("human", "bot", *LEVELS)
Opponent = Annotated[str, Meta(max_length=20, extra_json_schema=any_of_pattern(OPPONENTS))]


class ClockRules(Struct, forbid_unknown_fields=True):
    """Seconds: a bank, the increment of each own decision, the limit of a chance outside of one's own turn (it passes
    then), the time that a lost connection stops the clock. A bank of 0: no clock."""

    bank: Annotated[int, Meta(ge=0, le=7200)] = 0
    each: Annotated[int, Meta(ge=0, le=300)] = 10
    chance: Annotated[int, Meta(ge=0, le=600)] = 60
    grace: Annotated[int, Meta(ge=0, le=600)] = 60


class RoomSettings(Struct, forbid_unknown_fields=True):
    """Settings of a room. ``opponent``: the other seat: ``human``, ``bot`` (a client of the protocol), or the name of a
    level; ``temper``: the playing style of a level that searches. ``window_ms``: the least time of a window in which a
    response is possible, with or without a prompt. ``listed``: the room is in the public lobby; else only its path
    leads to it. ``quick``: it waits for another player with the same settings; only ``/api/quick`` makes such a room
    and assigns the other seat of its first game. ``rated``: that game is rated; both have accounts. ``chat``: free
    text, or a few phrases only."""

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
    """The public information of a seat."""

    kind: str  # open, human, ai
    name: str
    connected: bool
    ready: bool
    level: str = ""
    seal: str = ""  # SHA-256 of the seat's salt and deck, sent before any salt is revealed; a computer player has none
    bot: str = ""  # the account of the bot: /api/bots/{id}
    player: str = ""  # the account of the player, if there is one
    handle: str = ""  # the player, by a name of this room alone
    key: str = ""  # public key with which the client signs what it was sent
    back: str = ""  # the card back that the player has chosen


class PackageInfo(Struct):
    """Local rules of a room."""

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
        PackageInfo(
            package.id,
            package.version,
            package.ja,
            package.en,
            package.text_ja,
            package.text_en,
            list(package.authors),
            package.licence,
        )
        for package in edition.packages
    ]


class RoomInfo(Struct):
    id: str
    phase: Literal["waiting", "playing", "over"]
    settings: RoomSettings
    p1: SeatInfo
    p2: SeatInfo
    game: int  # of this room, counted from 1; 0 before the first
    spectators: int
    commitment: str = ""  # SHA-256 of the secret of the shuffles; revealed when the game is over
    practice: bool = False  # rewound, or started from a position
    packages: list[PackageInfo] = []
    edition: str = ""  # edition of the rules, with the hash of its definitions
    start_hash: str = ""  # ``deal``, or the hash of the position it starts from
    tournament: str = ""  # tournament of this table
