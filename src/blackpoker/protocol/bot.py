"""Messages between a game and a bot: one JSON object per line.

``protocol`` has the messages that bots share with clients of the server. Here are those of bots only: ``hello`` and
``quit``, because there is no connection that opens and closes, and prompts without texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, Final, Literal, Union

import msgspec
from msgspec import Struct

from blackpoker import EventView, View
from blackpoker.protocol.messages import Option, PreviewMove, RequestRefusals, SubmitMove

VERSION: Final = 2

#: ``bot``: the whole view and the events; ``lean``: only the events; ``worker``: our own worker
BotDetail = Literal["bot", "lean", "worker"]


class BotMessage(Struct, tag_field="type", tag=str.lower, omit_defaults=True):
    """Base of all messages."""


# -- messages to a bot -------------------------------------------------------------------------------------------------


class BotTime(Struct):
    """Limits in seconds: for the answer to ``hello``, and for a decision."""

    start: float
    decision: float


class Hello(BotMessage, tag="hello"):
    """A game begins. The same ``seed`` and the same opponent give the same game again."""

    version: int
    regulation: str
    seat: str
    seed: int
    limits: BotTime
    memory: int  # MB, as in the settings of a bot
    edition: str = ""  # name and hash, if it is not the standard one


#: an event without its empty fields: most fields are empty, and a shorter line is parsed faster
BotEvent: Final = msgspec.defstruct(
    "BotEvent",
    [(one.name, Any) if one.default is MISSING else (one.name, Any, one.default) for one in fields(EventView)],
    omit_defaults=True,
)
_FIELDS_OF: Final = attrgetter(*(one.name for one in fields(EventView)))


def compact_events(events: Iterable[EventView]) -> list[Struct]:
    return [BotEvent(*_FIELDS_OF(event)) for event in events]


class BotPrompt(BotMessage, tag="prompt"):
    """A prompt, with the tokens of the move so far (a token without an alternative is appended automatically).
    ``numbers`` (of the options) and ``default`` are for our own worker."""

    seq: int
    kind: str
    options: list[Option]
    multiple: bool = False
    so_far: list[str] = []
    events: list[Struct] = []
    view: View | None = None
    option_numbers: list[int] = []
    default: int = -1


class SampledState(BotMessage, tag="state"):
    """A sampled state that is consistent with the seat's view, for our own worker. ``setting``: the regulation and the
    known parts of the decks, once per game."""

    state: dict[str, Any]
    setup: str = ""


class BotGameOver(BotMessage, tag="game_over"):
    winner: str  # p1, p2, draw
    reason: str = ""


class BotQuit(BotMessage, tag="quit"):
    """No more games."""


# -- messages of a bot -------------------------------------------------------------------------------------------------


class BotJoin(BotMessage, tag="join"):
    """The answer to ``hello``."""

    detail: BotDetail = "bot"
    id: int = 0


class RequestSampledState(BotMessage, tag="state"):
    """Request a sampled state. ``first``: with the setting."""

    with_setup: bool = False


class WorkerFault(BotMessage, tag="fault"):
    """Our own worker reports an exception of a player class."""

    text: str


AnyBotMessage = Union[BotJoin, SubmitMove, PreviewMove, RequestRefusals, RequestSampledState, WorkerFault]  # noqa: UP007 - msgspec reads it at run time

_ENCODER: Final = msgspec.json.Encoder()
_BOT: Final[msgspec.json.Decoder[AnyBotMessage]] = msgspec.json.Decoder(AnyBotMessage)


def encode(message: object) -> bytes:
    return _ENCODER.encode(message)


def decode(line: bytes) -> AnyBotMessage:
    """Return the message of a bot; raise `msgspec.MsgspecError` or `UnicodeError` if it is none."""
    return _BOT.decode(line)
