"""The messages between a game and a bot: one JSON object a line, in the words of the server (docs/protocol.md).

``hello`` and ``quit`` are its own: there is no connection to say them by. A test compares the rest with the server's.
"""

from __future__ import annotations

from typing import Any, Final, Literal, Union

import msgspec
from msgspec import UNSET, Struct, UnsetType

from blackpoker import Event, Refusal, View
from blackpoker.assist.forecast import Clash

VERSION: Final = 1

#: ``bot``: the whole view and what has happened; ``lean``: only what has happened; ``class``: our own worker
BotDetail = Literal["bot", "lean", "class"]


class Message(Struct, tag_field="type", tag=str.lower, omit_defaults=True):
    """What every message is."""


# -- what a bot is told ------------------------------------------------------------------------------------------------


class Time(Struct):
    """Seconds: until the answer to ``hello``, for a decision."""

    start: float
    decision: float


class Hello(Message, tag="hello"):
    """A game begins. The same ``seed`` and the same opponent are the same game again."""

    version: int
    regulation: str
    you: str
    seed: int
    time: Time
    memory: int  # MB


class Choice(Struct):
    """A word that may be said next."""

    word: str


class Ask(Message, tag="ask"):
    """What is asked. ``said``: words of the sentence said before (a word that leaves no choice is said for you).
    ``numbers`` (of the options) and ``default`` are for our own worker."""

    seq: int
    kind: str
    options: list[Choice]
    several: bool = False
    said: list[str] = []
    events: list[Event] = []
    view: View | None = None
    numbers: list[int] = []
    default: int = -1


class Drafted(Message, tag="drafted"):
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
    clashes: list[Clash] = []
    damage: dict[str, int] = {}
    lethal: list[str] = []


class Reason(Struct):
    action: str
    ruling: str
    ja: str
    en: str


class Reasons(Message, tag="reasons"):
    id: int
    actions: list[Reason]


class Error(Message, tag="error"):
    """A draft that cannot be said."""

    id: int
    code: str
    en: str
    ja: str
    ruling: str = ""


class World(Message, tag="world"):
    """A world that looks the same to the seat, for our own worker. ``setting``: the regulation and what is known of the
    decks, once a game."""

    state: dict[str, Any]
    setting: str = ""


class Over(Message, tag="over"):
    winner: str  # p1, p2, draw
    reason: str = ""


class Quit(Message, tag="quit"):
    """No more games."""


# -- what a bot says ---------------------------------------------------------------------------------------------------


class Join(Message, tag="join"):
    """The answer to ``hello``."""

    detail: BotDetail = "bot"
    id: int = 0


class Act(Message, tag="act"):
    """The answer to ``ask``: a whole sentence."""

    seq: int
    words: list[str] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    id: int = 0


class Draft(Message, tag="draft"):
    seq: int = 0
    words: list[str] = []
    text: str | UnsetType = UNSET
    id: int = 0


class Why(Message, tag="why"):
    id: int = 0


class WantWorld(Message, tag="world"):
    """``first``: the setting is wanted too."""

    first: bool = False


class Failed(Message, tag="fault"):
    """Our own worker tells what went wrong in a class."""

    text: str


BotMessage = Union[Join, Act, Draft, Why, WantWorld, Failed]  # noqa: UP007 - msgspec reads it at run time

_ENCODER: Final = msgspec.json.Encoder()
_BOT: Final[msgspec.json.Decoder[BotMessage]] = msgspec.json.Decoder(BotMessage)


def encode(message: object) -> bytes:
    return _ENCODER.encode(message)


def decode(line: bytes) -> BotMessage:
    """What a bot says; msgspec.MsgspecError or UnicodeError if it is no message."""
    return _BOT.decode(line)


def reasons(id: int, found: dict[str, Refusal]) -> Reasons:
    return Reasons(id, [Reason(action, why.ruling, why.ja, why.en) for action, why in found.items()])
