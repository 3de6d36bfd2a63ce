"""What goes over the wire: every message of the WebSocket and every body of the HTTP API.

A message is a JSON object with a ``type``. ``schema()`` is the JSON Schema that clients in other languages are
generated from; docs/protocol.md tells the story of a session.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Union

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from blackpoker import Event, MatchView, View
from blackpoker.wire.room_info import LEVELS as LEVELS
from blackpoker.wire.room_info import OPPONENTS as OPPONENTS
from blackpoker.wire.room_info import ClockRules as ClockRules
from blackpoker.wire.room_info import Opponent as Opponent
from blackpoker.wire.room_info import PackageInfo as PackageInfo
from blackpoker.wire.room_info import RegulationText as RegulationText
from blackpoker.wire.room_info import RoomInfo as RoomInfo
from blackpoker.wire.room_info import RoomSettings as RoomSettings
from blackpoker.wire.room_info import SeatInfo as SeatInfo
from blackpoker.wire.room_info import packages_of as packages_of

VERSION: Final = 1

SeatName = Literal["p1", "p2"]
Lang = Literal["ja", "en"]
Mode = Literal["auto", "firm", "full"]  # おまかせ, 慎重に, 毎回止まる
Stop = Literal["summon", "magic", "attack", "block", "judgement", "end"]
Skip = Literal["", "stage", "attack", "turn"]
#: ``bot``: the whole view without texts; ``lean``: neither. Whoever says one of the two is a bot and never passed for
Detail = Literal["full", "bot", "lean"]
OfferKind = Literal["draw", "rewind", "rematch"]

Number = Annotated[int, Meta(ge=0, le=2**31)]
#: one line of ASCII: it stands in the record
Salt = Annotated[str, Meta(max_length=40, pattern=r"^[ -~]*(?![\s\S])")]
#: SHA-256 in hexadecimal
Hash = Annotated[str, Meta(max_length=64, pattern=r"^([0-9a-f]{64})?(?![\s\S])")]
Word = Annotated[str, Meta(max_length=40)]
Words = Annotated[list[Word], Meta(max_length=80)]
RoomId = Annotated[str, Meta(max_length=24, pattern=r"^[A-Za-z0-9_-]{1,24}$")]
DeckText = Annotated[str, Meta(max_length=2000)]


class Message(Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True):
    """What every message is."""


class Said(Message):
    """A message of a client; ``id`` comes back in the answer."""

    id: Number = 0


# -- what a client says ------------------------------------------------------------------------------------------------


class Join(Said, tag="join"):
    """The first message. ``seat``: one to take, ``any`` free one, ``watch``, or ``cast``: watch with both hands in
    sight, where both players show theirs; somebody who has a seat gets it back.
    ``since``: the last ``seq`` that was seen of game ``game``, so that the events after it are told again."""

    room: RoomId = ""
    seat: Literal["any", "p1", "p2", "watch", "cast"] = "any"
    lang: Lang = "en"
    detail: Detail = "full"
    game: Number = 0
    since: Annotated[int, Meta(ge=-1, le=2**31)] = -1


class Ready(Said, tag="ready"):
    """The seat is ready for the game: its deck (a deck file's text; empty: the regulation's own) and the seal of deck
    and salt, which goes into the shuffles, so that not even the server can choose them (docs/fairness.md). A salt
    instead of a seal is taken as told openly."""

    deck: DeckText = ""
    salt: Salt = ""
    seal: Hash = ""


class Reveal(Said, tag="reveal"):
    """The salt of the seal, once both seats are ready. ``terms``: the hash of what the game will be played
    under as this client has seen it (docs/fairness.md); if that is another by now, nothing is opened."""

    salt: Salt = ""
    terms: Hash = ""


class Act(Said, tag="act"):
    """The answer to the prompt at ``seq``: a whole sentence, as offered words or as text in the notation. With an
    attack ``plan``: who attacks when it resolves, as in a message of that name."""

    seq: Number = 0
    words: Words | UnsetType = UNSET
    text: Annotated[str, Meta(max_length=400)] | UnsetType = UNSET
    plan: Words | UnsetType = UNSET


class DraftWords(Said, tag="draft"):
    """The words said so far; nothing happens, the answer says what can follow. ``text``: a whole sentence in the
    notation instead (blockers of all attackers at once). At a chance with ``fill``: the rest is put together too, with
    what lies at the ``picks`` where that can be said; without any word the first action worth proposing that begins
    with what was picked, and none where none is."""

    seq: Number = 0
    words: Words = []
    picks: Words = []
    fill: bool = False
    text: Annotated[str, Meta(max_length=400)] | UnsetType = UNSET


class Why(Said, tag="why"):
    """Why the actions that are not offered are not."""


class AskHint(Said, tag="hint"):
    """Against a computer player: a thought about the choice at ``seq``; with ``move`` what to do."""

    seq: Number = 0
    move: bool = False


class LookAgain(Said, tag="look"):
    """Send the whole view again."""


class SetAssist(Said, tag="assist"):
    """Settings of auto-pass; what is left out stays. ``arm``: hand cards to stop for. ``hold``: 止める. ``skip``: until
    the stage is empty, until I am attacked, until my turn; ``accept``: 受けます (pass, do not block, pass)."""

    mode: Mode | UnsetType = UNSET
    stops: list[Stop] | UnsetType = UNSET
    arm: Words | UnsetType = UNSET
    hold: bool | UnsetType = UNSET
    skip: Skip | UnsetType = UNSET
    accept: bool | UnsetType = UNSET


class PlannedAttack(Said, tag="plan"):
    """Attackers picked before the attack resolves, by their places (``all``: whoever may): private, used when it does
    if they still may, and told with the seat's own settings."""

    attackers: Words = []


class Resign(Said, tag="resign"):
    """Give up the game in play. ``fault``: a bot that broke, and so has lost; in the ladder that counts whenever it
    happens."""

    fault: bool = False


class Propose(Said, tag="propose"):
    """Offer a draw, a rewind to just before the own decision at ``seq`` (0: the last one), or a rematch."""

    kind: OfferKind = "rematch"
    seq: Number = 0


class Reply(Said, tag="reply"):
    """Answer the open offer of that kind."""

    kind: OfferKind = "rematch"
    accept: bool = False


#: what can be said without writing; pages have words for them in their own language
Phrase = Literal["", "hello", "luck", "well_played", "thanks", "oops", "thinking", "sorry", "good_game", "again", "bye"]
Handle = Annotated[str, Meta(max_length=12)]


class Chat(Said, tag="chat"):
    """A line of one's own, or a phrase; there are rooms in which nothing else is said."""

    text: Annotated[str, Meta(min_length=1, max_length=200)] = ""
    phrase: Phrase = ""


class Unhear(Said, tag="unhear"):
    """What somebody says in a chat is no longer told here, in any room, for ever; ``on`` false: it is again. ``who``:
    as lines of chat and seats name them."""

    who: Handle = ""
    on: bool = True


class ReportPerson(Said, tag="report"):
    """Tell an operator of somebody. What was said in the room goes along, and where the game's record will be."""

    who: Handle = ""
    why: Literal["chat", "name", "unfair", "other"] = "other"
    words: Annotated[str, Meta(max_length=300)] = ""


class ShowHand(Said, tag="show_hand"):
    """The seat lets casters see its hand, or no longer. They see it where both do, and a minute later at least."""

    on: bool = True


class Ping(Said, tag="ping"):
    """Answered with a pong."""


ClientMessage = Union[  # noqa: UP007 - msgspec reads it at run time
    Join,
    Ready,
    Reveal,
    Act,
    DraftWords,
    Why,
    AskHint,
    LookAgain,
    SetAssist,
    PlannedAttack,
    Resign,
    Propose,
    Reply,
    Chat,
    Unhear,
    ReportPerson,
    ShowHand,
    Ping,
]


# -- what the server says ----------------------------------------------------------------------------------------------


class Mark(Struct):
    """From ``at`` up to ``to`` a text names a player (``seat:p1``) or an entry of the reference (``action:counter``,
    ``trump:civil_war``, ``character:soldier``)."""

    at: int
    to: int
    what: str


class Told(Struct, omit_defaults=True):
    """A text for the one who is asked, and whom and what it names."""

    text: str = ""
    marks: list[Mark] = []


class Result(Struct, omit_defaults=True):
    """What a request does if nobody answers: a request is ``negated``, a unit ``falls``, its ``number`` changes, a
    player takes ``damage`` or may ``draw``. ``told``: the same in words."""

    kind: Literal["negated", "falls", "number", "damage", "draw"]
    place: str
    number: int = 0
    was: int = 0
    told: Told = msgspec.field(default_factory=Told)


class OfferedWord(Struct, omit_defaults=True):
    """A word that may be said next. ``place``: where on the table the thing it names lies (``card:p1:S5``,
    ``unit:p1:b1``, ``trump:p2:t1``, ``stage:1``, ``player:p2``). Of an action: ``starts``, the places it can begin with
    (of an attack the soldiers that may attack); ``takes``, the cards of the hand one of which it asks for at once;
    ``price``, the letters it is paid with now; ``useful``, 0 where it would change nothing, 2 where most would do it
    before they go on. Of one of few words: ``results``, what it costs and brings."""

    word: str
    label: str = ""
    marks: list[Mark] = []
    place: str = ""
    action: str = ""
    starts: list[str] = []
    takes: list[str] = []
    price: str = ""
    useful: int = 0
    results: list[Result] = []
    warn: list[str] = []  # of a word that is a whole answer: what a second tap should be asked for


class Ask(Struct, omit_defaults=True):
    """A prompt. ``window`` says why a chance was not passed; ``deadline_ms`` is what is left of its own limit;
    ``results`` what the request on top of the stage does if nobody answers, as far as the seat may know."""

    seq: int
    kind: str
    options: list[OfferedWord]
    prompt: str = ""
    marks: list[Mark] = []  # of the prompt
    window: str = ""
    deadline_ms: int | None = None
    several: bool = False  # a choice of several things, ended with ``done``
    proposal: list[str] = []  # a ready default for a choice
    results: list[Result] = []
    lethal: list[SeatName] = []  # who would lose by that, as far as the seat may know


class Clock(Struct, omit_defaults=True):
    """Milliseconds left in the bank; ``running``: whether it is being used up now."""

    left_ms: int
    running: bool = False
    grace_ms: int = 0


class Line(Struct, omit_defaults=True):
    """A line of the log. ``kind``: the event it tells of; ``by``: whose doing it is; ``turn``: the number of the turn
    that begins. ``auto``: written for an automatic pass; the stop that would have asked stands with it."""

    text: str
    seq: int
    kind: str = ""
    by: SeatName | None = None
    turn: int = 0
    marks: list[Mark] = []
    auto: bool = False
    stop: str = ""


class Welcome(Message, tag="welcome"):
    """The answer to ``join``. ``accepted``: the last ``seq`` this seat has answered (-1: none), so that an answer whose
    acknowledgement was lost is not sent again."""

    version: int
    room: RoomInfo
    you: SeatName | None
    seq: int
    accepted: int
    id: int = 0
    levels: list[str] = []
    deck: str = ""  # handed in for a tournament: it is the one to be ready with


class RoomState(Message, tag="room"):
    """Something about the room has changed: who sits there, who is connected, which game it is."""

    room: RoomInfo


class Update(Message, tag="update"):
    """What has happened and what is asked now. ``seq`` is the number of sentences said in this game; the view is whole,
    the events and lines are those after ``since``. A bot gets no texts, a lean one no view either, and hears of what
    has happened when it is asked next."""

    game: int
    seq: int
    since: int
    ask: Ask | None = None
    waiting: SeatName | None = None  # who is to choose; None while a window is open or the game is over
    events: list[Event] = []
    lines: list[Line] = []
    view: View | None = None
    match: MatchView | None = None
    clocks: dict[str, Clock] = {}
    practice: bool = False
    part: int = 1  # the number of the game in its match
    opens: int = 0  # so many of the events are of the game before it


class Clash(Struct, omit_defaults=True):
    """An attacker, who blocks it and what comes of it if nobody adds anything. ``total``: the sum of soldiers' numbers;
    ``falls``: it goes to the grave; ``lost``: the blockers that do."""

    attacker: str
    number: int
    blockers: list[str] = []
    total: int | None = None
    falls: bool = False
    lost: list[str] = []


class DraftStep(Struct, omit_defaults=True):
    """A word of a draft behind its action: what was asked for, what stands there, and what could stand there instead.
    ``auto``: nobody has said or tapped it."""

    kind: str
    word: str
    told: Told
    auto: bool = False
    options: list[OfferedWord] = []


class Drafted(Message, tag="drafted"):
    """What can follow the words of a draft. ``text`` is the sentence in the notation once it is complete; ``proposal``
    a way to complete it; ``warn`` what a second tap should be asked for (``lose``: you would lose, ``vain``: it would
    do nothing). Of a request ``says`` is what it says, ``price`` what it certainly costs with all that raises, and
    ``steps`` its words. Of attackers and blockers ``clashes`` and ``damage`` (per player, the raw sum) say what the
    fight will come to; ``lethal`` who would lose, as far as you may know it."""

    id: int
    seq: int
    words: list[str]
    complete: bool
    text: str = ""
    kind: str = ""
    prompt: str = ""
    marks: list[Mark] = []  # of the prompt
    options: list[OfferedWord] = []
    proposal: list[str] = []
    warn: list[str] = []
    clashes: list[Clash] = []
    damage: dict[str, int] = {}
    lethal: list[SeatName] = []
    results: list[Result] = []
    steps: list[DraftStep] = []
    says: Told = msgspec.field(default_factory=Told)
    price: Told = msgspec.field(default_factory=Told)


class Ack(Message, tag="ack"):
    """The answer at ``seq`` is stored and will happen."""

    id: int
    seq: int


class Error(Message, tag="error"):
    """Nothing has changed. ``code`` is for programs, the texts are for people."""

    id: int
    code: str
    en: str
    ja: str
    ruling: str = ""


class Reason(Struct, omit_defaults=True):
    """An action that is not offered, or not to these ``places``, and why."""

    action: str
    ruling: str
    ja: str
    en: str
    places: list[str] = []


class Reasons(Message, tag="reasons"):
    id: int
    actions: list[Reason]


class Hinted(Message, tag="hinted"):
    """The answer to ``hint``: a thought, or what to do, with what this seat knows."""

    id: int
    seq: int
    told: Told
    move: bool = False


class AssistState(Message, tag="assist_state"):
    """The seat's own settings; nobody else is told."""

    mode: Mode
    stops: list[Stop]
    arm: list[str]
    hold: bool
    skip: Skip
    accept: bool
    id: int = 0
    plan: list[str] = []  # attackers named in advance


class Offer(Message, tag="offer"):
    """An offer was made (``open``), taken or turned down."""

    kind: OfferKind
    by: SeatName
    state: Literal["open", "taken", "declined"]
    seq: int = 0


class ChatLine(Message, tag="chat_line"):
    """``who``: whoever says it, by a name of this room alone. ``phrase``: it has no text then."""

    by: str
    name: str
    text: str
    who: str = ""
    phrase: Phrase = ""


class Over(Message, tag="over"):
    """A game, or with ``match`` the whole match, is over. The commitment is opened; the record can be fetched."""

    game: int
    winner: Literal["p1", "p2", "draw"]
    reason: str
    match: bool
    record: str = ""  # share id
    commitment: str = ""
    secret: str = ""
    salts: list[str] = []
    seals: list[str] = []
    decks: list[str] = []  # as they were brought
    chain: str = ""  # the hash of the record: keep it, it cannot be another record afterwards
    view: View | None = None


class Pong(Message, tag="pong"):
    id: int


class Paused(Message, tag="paused"):
    """Nothing can be stored at the moment: the game waits, clocks and windows stand; or it goes on again."""

    on: bool
    en: str = ""
    ja: str = ""


ServerMessage = Union[  # noqa: UP007
    Welcome, RoomState, Update, Drafted, Ack, Error, Reasons, Hinted, AssistState, Offer, ChatLine, Over, Pong, Paused
]

_ENCODER: Final = msgspec.json.Encoder()
_CLIENT: Final[msgspec.json.Decoder[ClientMessage]] = msgspec.json.Decoder(ClientMessage)
_SERVER: Final[msgspec.json.Decoder[ServerMessage]] = msgspec.json.Decoder(ServerMessage)


def encode(message: object) -> bytes:
    return _ENCODER.encode(message)


def decode(data: bytes | str) -> ClientMessage:
    """A client's message; msgspec.MsgspecError or UnicodeError if it is none."""
    return _CLIENT.decode(data)


def decode_answer(data: bytes | str) -> ServerMessage:
    """A server's message, for clients."""
    return _SERVER.decode(data)


def schema() -> dict[str, Any]:
    """JSON Schema of both directions: ``client`` and ``server`` are unions of what may be said."""
    (client, server), components = msgspec.json.schema_components(
        [ClientMessage, ServerMessage], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"BlackPoker protocol {VERSION}",
        "client": client,
        "server": server,
        "$defs": components,
    }
