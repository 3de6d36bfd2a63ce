"""What happens to a tournament, as it is kept: acts in their order, written once and never changed. Everything else
about a tournament follows from them (``course``)."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final, Literal, Union

import msgspec
from msgspec import Meta, Struct

from blackpoker.wire import protocol as p

MOST_ENTRANTS: Final = 256
TournamentKind = Literal["swiss", "knockout", "robin", "arena"]
#: why somebody is not paired: a break, he did not come to his table, the host sent him away
Absence = Literal["break", "missed", "host"]
#: how a table was decided: over its game, one or both did not come, the host said so, by lot, one had left before
HowDecided = Literal["played", "missed", "host", "lot", "left"]
#: games won by the first, by the second, and drawn
GameScore = tuple[int, int, int]


class TournamentRules(Struct, forbid_unknown_fields=True, frozen=True):
    """What a tournament is played under. ``rounds``: of a Swiss one, 0: as many as find one winner; ``minutes``: of an
    arena. ``starts``: when it begins by itself, in seconds since 1970; 0: when its host says so. ``by_itself``: rounds
    follow each other ``pause`` seconds after the last table; else its host pairs them. ``wait``: seconds after which
    whoever has not come to his table has lost. ``listed``: everybody may find it; else only who has its link.
    ``accounts``: only for those who have one; ``rated``: then its games can count for their ratings.
    ``spectator_delay``: seconds that whoever looks on is behind; what comes of a table counts so much later."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    kind: TournamentKind = "swiss"
    regulation: p.RegulationText = "lite+entry"
    clock: p.ClockRules = msgspec.field(default_factory=lambda: p.ClockRules(bank=600))
    rounds: Annotated[int, Meta(ge=0, le=20)] = 0
    minutes: Annotated[int, Meta(ge=1, le=720)] = 45
    most: Annotated[int, Meta(ge=2, le=MOST_ENTRANTS)] = MOST_ENTRANTS
    listed: bool = True
    accounts: bool = False
    starts: Annotated[float, Meta(ge=0, le=1e11)] = 0.0
    by_itself: bool = True
    pause: Annotated[int, Meta(ge=0, le=3600)] = 30
    wait: Annotated[int, Meta(ge=1, le=3600)] = 180
    window_ms: Annotated[int, Meta(ge=0, le=5000)] | None = None
    rated: bool = False
    spectator_delay: Annotated[int, Meta(ge=0, le=300)] = 0


class TournamentAct(
    Struct, tag_field="act", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True, frozen=True
):
    """``at``: when."""

    at: float


class Announced(TournamentAct, frozen=True):
    """``host``: the guest who holds it. ``decks``: how many a player brings, 0 where nobody brings any; ``wins``: games
    that win a match."""

    host: str
    host_name: str
    rules: TournamentRules
    decks: int = 0
    wins: int = 1


class Entered(TournamentAct, frozen=True):
    """``id``: as everybody knows him here; ``guest``: who he is; ``player``, ``crest``: where he has an account."""

    id: str
    guest: str
    name: str
    player: str = ""
    crest: str = ""


class HandedIn(TournamentAct, frozen=True):
    """A deck list. One that comes later takes the place of the one before."""

    id: str
    deck: str


class WentAway(TournamentAct, frozen=True):
    id: str
    why: Absence = "break"


class CameBack(TournamentAct, frozen=True):
    id: str


class PairedTable(Struct, frozen=True):
    """``one`` sits at p1. ``number``: of the table in its round, as it is called out."""

    number: int
    one: str
    two: str
    room: str


class RoundPaired(TournamentAct, frozen=True):
    """A round, or in an arena those who were free. ``byes``: who plays nobody and has won; ``through``: who goes on
    because nobody is left against him (knock-out)."""

    round: int
    seed: int
    tables: list[PairedTable]
    byes: list[str] = []
    through: list[str] = []


class SeatedAgain(TournamentAct, frozen=True):
    """A drawn table of a knock-out is played again."""

    round: int
    table: int
    room: str


class Decided(TournamentAct, frozen=True):
    """``lost``: by both. ``winner``: where the games do not say it. ``records``: of the games it was decided by."""

    round: int
    table: int
    why: HowDecided
    games: GameScore = (0, 0, 0)
    lost: bool = False
    winner: Literal["", "one", "two"] = ""
    records: list[str] = []


class Closed(TournamentAct, frozen=True):
    """Nothing happens after it. ``called_off``: before it was played."""

    called_off: bool = False


AnyAct = Union[  # noqa: UP007 - msgspec reads it at run time
    Announced, Entered, HandedIn, WentAway, CameBack, RoundPaired, SeatedAgain, Decided, Closed
]
_ACT: Final[msgspec.json.Decoder[AnyAct]] = msgspec.json.Decoder(AnyAct)


def write_act(act: AnyAct) -> str:
    return msgspec.json.encode(act).decode()


def read_act(text: str) -> AnyAct:
    return _ACT.decode(text)


def entrant_id(tournament: str, guest: str) -> str:
    """How somebody is known to everybody in a tournament; nobody finds the guest from it, or him in another one."""
    return hashlib.sha256(f"blackpoker entrant 1\n{tournament}\n{guest}".encode()).hexdigest()[:16]
