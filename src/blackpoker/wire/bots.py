"""The messages between a game and a bot: one JSON object a line.

What a bot and a client of the server say and hear alike stands in ``protocol``. Here is what only a bot has: ``hello``
and ``quit``, for there is no connection to say them by, and the questions without texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, Final, Literal, Union

import msgspec
from msgspec import Struct

from blackpoker import Event, View
from blackpoker.wire.protocol import Act, DraftWords, OfferedWord, Why

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
    options: list[OfferedWord]
    several: bool = False
    said: list[str] = []
    events: list[Struct] = []
    view: View | None = None
    numbers: list[int] = []
    default: int = -1


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


class WantWorld(BotMessage, tag="world"):
    """``first``: the setting is wanted too."""

    first: bool = False


class Failed(BotMessage, tag="fault"):
    """Our own worker tells what went wrong in a class."""

    text: str


BotSays = Union[BotJoin, Act, DraftWords, Why, WantWorld, Failed]  # noqa: UP007 - msgspec reads it at run time

_ENCODER: Final = msgspec.json.Encoder()
_BOT: Final[msgspec.json.Decoder[BotSays]] = msgspec.json.Decoder(BotSays)


def encode(message: object) -> bytes:
    return _ENCODER.encode(message)


def decode(line: bytes) -> BotSays:
    """What a bot says; msgspec.MsgspecError or UnicodeError if it is no message."""
    return _BOT.decode(line)
