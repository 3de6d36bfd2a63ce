"""The messages between a game and a bot: one JSON object a line, in the words of the server (docs/protocol.md).

``hello`` and ``quit`` are its own: there is no connection to say them by. A test compares the rest with the server's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, Final, Literal, Union

import msgspec
from msgspec import UNSET, Struct, UnsetType

from blackpoker import Event, View

VERSION: Final = 1

#: ``bot``: the whole view and what has happened; ``lean``: only what has happened; ``class``: our own worker
BotDetail = Literal["bot", "lean", "class"]


class BotMessage(Struct, tag_field="type", tag=str.lower, omit_defaults=True):
    """What every message is."""


# -- what a bot is told ------------------------------------------------------------------------------------------------


class BotTime(Struct):
    """Seconds: until the answer to ``hello``, for a decision."""

    start: float
    decision: float


class Hello(BotMessage, tag="hello"):
    """A game begins. The same ``seed`` and the same opponent are the same game again."""

    version: int
    regulation: str
    you: str
    seed: int
    time: BotTime
    memory: int  # MB
    edition: str = ""  # name and hash, where it is not the standard one


class Choice(Struct):
    """A word that may be said next."""

    word: str


#: an event without the fields that it leaves empty: most do, and a line is read sooner without them
BotEvent: Final = msgspec.defstruct(
    "BotEvent",
    [(one.name, Any) if one.default is MISSING else (one.name, Any, one.default) for one in fields(Event)],
    omit_defaults=True,
)
_FIELDS_OF: Final = attrgetter(*(one.name for one in fields(Event)))


def heard(events: Iterable[Event]) -> list[Struct]:
    return [BotEvent(*_FIELDS_OF(event)) for event in events]


class BotAsk(BotMessage, tag="ask"):
    """What is asked. ``said``: words of the sentence said before (a word that leaves no choice is said for you).
    ``numbers`` (of the options) and ``default`` are for our own worker."""

    seq: int
    kind: str
    options: list[Choice]
    several: bool = False
    said: list[str] = []
    events: list[Struct] = []
    view: View | None = None
    numbers: list[int] = []
    default: int = -1


class BotClash(Struct, omit_defaults=True):
    attacker: str
    number: int
    blockers: list[str] = []
    total: int | None = None
    falls: bool = False
    lost: list[str] = []


class BotResult(Struct, omit_defaults=True):
    kind: str
    place: str
    number: int = 0
    was: int = 0


class BotDrafted(BotMessage, tag="drafted"):
    """What can follow the words of a draft; what the whole sentence comes to."""

    id: int
    seq: int
    words: list[str]
    complete: bool
    text: str = ""
    kind: str = ""
    options: list[Choice] = []
    proposal: list[str] = []
    warn: list[str] = []
    clashes: list[BotClash] = []
    damage: dict[str, int] = {}
    lethal: list[str] = []
    results: list[BotResult] = []


class BotReason(Struct, omit_defaults=True):
    action: str
    ruling: str
    ja: str
    en: str
    places: list[str] = []


class BotReasons(BotMessage, tag="reasons"):
    id: int
    actions: list[BotReason]


class BotError(BotMessage, tag="error"):
    """A draft that cannot be said."""

    id: int
    code: str
    en: str
    ja: str
    ruling: str = ""


class BotWorld(BotMessage, tag="world"):
    """A world that looks the same to the seat, for our own worker. ``setting``: the regulation and what is known of the
    decks, once a game."""

    state: dict[str, Any]
    setting: str = ""


class BotOver(BotMessage, tag="over"):
    winner: str  # p1, p2, draw
    reason: str = ""


class BotQuit(BotMessage, tag="quit"):
    """No more games."""


# -- what a bot says ---------------------------------------------------------------------------------------------------


class BotJoin(BotMessage, tag="join"):
    """The answer to ``hello``."""

    detail: BotDetail = "bot"
    id: int = 0


class BotAct(BotMessage, tag="act"):
    """The answer to ``ask``: a whole sentence."""

    seq: int
    words: list[str] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    id: int = 0


class BotDraft(BotMessage, tag="draft"):
    seq: int = 0
    words: list[str] = []
    text: str | UnsetType = UNSET
    id: int = 0


class BotWhy(BotMessage, tag="why"):
    id: int = 0


class WantWorld(BotMessage, tag="world"):
    """``first``: the setting is wanted too."""

    first: bool = False


class Failed(BotMessage, tag="fault"):
    """Our own worker tells what went wrong in a class."""

    text: str


BotSays = Union[BotJoin, BotAct, BotDraft, BotWhy, WantWorld, Failed]  # noqa: UP007 - msgspec reads it at run time

_ENCODER: Final = msgspec.json.Encoder()
_BOT: Final[msgspec.json.Decoder[BotSays]] = msgspec.json.Decoder(BotSays)


def encode(message: object) -> bytes:
    return _ENCODER.encode(message)


def decode(line: bytes) -> BotSays:
    """What a bot says; msgspec.MsgspecError or UnicodeError if it is no message."""
    return _BOT.decode(line)
