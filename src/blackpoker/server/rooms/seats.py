"""The people and things of a room, plain data: connections, seats, entries of a game's log, what comes of a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from blackpoker.assist.autopass import Assist
from blackpoker.rules.visibility import Audience
from blackpoker.server import protocol as p
from blackpoker.server.net.limits import Bucket
from blackpoker.server.rooms.clocks import SeatClock

NAMES: Final[tuple[p.SeatName, p.SeatName]] = ("p1", "p2")
#: default least time of a window between people
WINDOW: Final = 1.2
#: a window may last longer by up to this share of its least time, at random: what little the server does differently
#: for an asked and for an automatic one drowns in it
BLUR: Final = 0.25
#: seconds after which a game is left for good: one player gone, everybody gone, a room nobody came to
ABANDONED: Final = 600.0
FORSAKEN: Final = 86_400.0
MOST_CLIENTS: Final = 200
MOST_CHAT: Final = 30
#: messages kept for delayed watchers
MOST_LATE: Final = 4000
#: what one client may have told to everybody: lines of chat and offers per second, and at once
TALK_RATE: Final = 0.5
TALK_BURST: Final = 6


@dataclass
class Client:
    """A connection that has joined. ``seat`` is None for somebody who watches; ``seq`` is the last one sent."""

    key: str
    guest: str
    name: str
    lang: p.Lang = "en"
    lean: bool = False
    seat: int | None = None
    game: int = 0
    seq: int = -1
    talk: Bucket = field(default_factory=lambda: Bucket(TALK_BURST, 0.0))

    @property
    def audience(self) -> Audience:
        return Audience.PUBLIC if self.seat is None else Audience(self.seat)


@dataclass
class Seat:
    kind: str = "open"  # open, human, ai
    guest: str = ""
    name: str = ""
    level: str = ""
    ready: bool = False
    salt: str = ""
    deck: str = ""
    assist: Assist = field(default_factory=Assist)
    accepted: int = -1
    plan: list[str] = field(default_factory=list)
    clock: SeatClock = field(default_factory=lambda: SeatClock(0.0, 0.0))
    clients: int = 0
    gone: float | None = None  # since when nobody is connected


@dataclass
class Entry:
    """One line of a game's log. ``kind``: say, auto, resign, time, abandon, draw, void, rewind."""

    game: int
    seq: int
    kind: str
    seat: int
    options: list[int]
    at: float
    left: tuple[float, float] = (0.0, 0.0)
    why: str = ""
    stop: str = ""


@dataclass
class Finished:
    """A game that is over, as the store keeps it."""

    game: int
    part: int
    share: str
    record: str
    meta: dict[str, Any]


@dataclass
class Outcome:
    """What came of a call: the room's own row if it changed, entries, finished games, messages. ``again``: entries that
    are written once more although they are stored, to take the same time as those that are not."""

    row: dict[str, Any] | None
    entries: list[Entry]
    again: list[Entry]
    finished: list[Finished]
    messages: list[tuple[str, p.ServerMessage]]


class Refused(Exception):
    def __init__(self, code: str, en: str, ja: str, ruling: str = "") -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja
        self.ruling = ruling
