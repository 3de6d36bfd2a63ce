"""Messages of the WebSocket and bodies of the HTTP API.

A message is a JSON object with a ``type``. ``schema()`` returns the JSON Schema from which clients in other languages
are generated; docs/protocol.md describes a session.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Union

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from blackpoker import EventView, MatchView, Player, View
from blackpoker.assist.block_previews import BlockPreviews
from blackpoker.assist.decision import RefusedAction
from blackpoker.assist.forecast import ForecastClash, ForecastResult
from blackpoker.protocol.room import LEVELS as LEVELS
from blackpoker.protocol.room import OPPONENTS as OPPONENTS
from blackpoker.protocol.room import ClockRules as ClockRules
from blackpoker.protocol.room import Opponent as Opponent
from blackpoker.protocol.room import PackageInfo as PackageInfo
from blackpoker.protocol.room import RegulationText as RegulationText
from blackpoker.protocol.room import RoomInfo as RoomInfo
from blackpoker.protocol.room import RoomSettings as RoomSettings
from blackpoker.protocol.room import SeatInfo as SeatInfo
from blackpoker.protocol.room import packages_of as packages_of
from blackpoker.text.markup import RichText, TextSpan

VERSION: Final = 2

SeatName = Player
Lang = Literal["ja", "en"]
Mode = Literal["auto", "firm", "full"]  # おまかせ, 慎重に, 毎回止まる
Stop = Literal["summon", "magic", "attack", "block", "judgement", "end"]
Skip = Literal["", "stage", "attack", "turn"]
#: ``bot``: the whole view without texts; ``lean``: neither. Both mark a bot, for which there are no automatic passes
Detail = Literal["full", "bot", "lean"]
OfferKind = Literal["draw", "rewind", "rematch"]

Number = Annotated[int, Meta(ge=0, le=2**31)]
#: one line of ASCII, because it is part of the record
Salt = Annotated[str, Meta(max_length=40, pattern=r"^[ -~]*(?![\s\S])")]
#: SHA-256 in hexadecimal
Hash = Annotated[str, Meta(max_length=64, pattern=r"^([0-9a-f]{64})?(?![\s\S])")]
#: Ed25519, in base64url without padding
PublicKey = Annotated[str, Meta(max_length=43, pattern=r"^([A-Za-z0-9_-]{43})?(?![\s\S])")]
SignatureText = Annotated[str, Meta(max_length=86, pattern=r"^[A-Za-z0-9_-]{86}(?![\s\S])")]
TokenText = Annotated[str, Meta(max_length=40)]
TokenList = Annotated[list[TokenText], Meta(max_length=80)]
CardBack = Annotated[str, Meta(max_length=20, pattern=r"^[a-z]*(?![\s\S])")]
RoomId = Annotated[str, Meta(max_length=24, pattern=r"^[A-Za-z0-9_-]{1,24}$")]
DeckText = Annotated[str, Meta(max_length=2000)]


class Message(Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all messages."""


class ClientMessage(Message):
    """Base of a client's messages; ``id`` is repeated in the answer."""

    id: Number = 0


# -- messages of a client ----------------------------------------------------------------------------------------------


class Join(ClientMessage, tag="join"):
    """The first message. ``seat``: ``p1`` or ``p2``, ``any`` free one, ``watch``, or ``caster``: watch, and see both
    hands once both players or the host have named this client. A client that has a seat gets it back. ``since``: the
    last ``seq`` that was received of game ``game``; the events after it are sent again. ``back``: the card
    back of this player, shown to the others."""

    room: RoomId = ""
    seat: Literal["any", "p1", "p2", "watch", "caster"] = "any"
    lang: Lang = "en"
    detail: Detail = "full"
    game: Number = 0
    since: Annotated[int, Meta(ge=-1, le=2**31)] = -1
    back: CardBack = ""


class Ready(ClientMessage, tag="ready"):
    """The seat is ready for the game: its deck (a deck file's text; empty: the regulation's own) and the seal of deck
    and salt, which goes into the shuffles, so that not even the server can choose them (docs/fairness.md). A salt
    instead of a seal is used as it is. ``key``: the public key of the signatures that this client will send."""

    deck: DeckText = ""
    salt: Salt = ""
    seal: Hash = ""
    key: PublicKey = ""


class Reveal(ClientMessage, tag="reveal"):
    """The salt of the seal, once both seats are ready. ``terms``: the hash of the game's conditions as this client has
    seen them (docs/fairness.md); if it differs from the present one, nothing is revealed."""

    salt: Salt = ""
    terms: Hash = ""


class SubmitMove(ClientMessage, tag="move"):
    """The answer to the prompt at ``seq``: a whole move, as offered tokens or as text in the notation. For an attack
    ``attackers``: those of its resolution, as in ``plan_attack``."""

    seq: Number = 0
    tokens: TokenList | UnsetType = UNSET
    text: Annotated[str, Meta(max_length=400)] | UnsetType = UNSET
    attackers: TokenList | UnsetType = UNSET


class PreviewMove(ClientMessage, tag="preview"):
    """Preview of the tokens so far; nothing happens, the answer contains what can follow. ``text``: a whole move in the
    notation instead. At a chance with ``complete``: the rest is completed too, using what lies at the ``picks`` if
    possible; without any token it is the first action worth proposing that uses all picked locations, else the last of
    them, if there is one. For attackers and blockers with ``tap``: the selection after a tap on an own unit (empty:
    none). So far these are the attackers of ``tokens``, or the blockers of each attacker in ``blocks``; ``attacker``
    is the one that the unit will block (empty: the first one). A preview has the whole selection, so it can be
    requested again."""

    seq: Number = 0
    tokens: TokenList = []
    picks: TokenList = []
    complete: bool = False
    text: Annotated[str, Meta(max_length=400)] | UnsetType = UNSET
    tap: TokenText | UnsetType = UNSET
    blocks: Annotated[dict[TokenText, TokenList], Meta(max_length=80)] = {}
    attacker: TokenText = ""


class RequestRefusals(ClientMessage, tag="refusals"):
    """Request the reasons why actions are not offered."""


class RequestHint(ClientMessage, tag="hint"):
    """Against a computer player: request a comment on the choice at ``seq``; with ``move`` a recommended move."""

    seq: Number = 0
    with_move: bool = False


class RequestResync(ClientMessage, tag="resync"):
    """Request the whole view again."""


class SetAssist(ClientMessage, tag="assist_settings"):
    """Settings of auto-pass; omitted ones stay. ``stop_cards``: hand cards to stop for. ``stop_next``: 止める.
    ``skip_until``: the stage is empty, I am attacked, my turn. ``accept_combat``: 受けます (pass, do not block,
    pass)."""

    mode: Mode | UnsetType = UNSET
    stops: list[Stop] | UnsetType = UNSET
    stop_cards: TokenList | UnsetType = UNSET
    stop_next: bool | UnsetType = UNSET
    skip_until: Skip | UnsetType = UNSET
    accept_combat: bool | UnsetType = UNSET


class PlanAttack(ClientMessage, tag="plan_attack"):
    """Attackers chosen before the attack resolves, by their locations (``all``: all that may attack). They are private,
    are used if they still may attack, and are sent with the seat's own settings."""

    attackers: TokenList = []


class Resign(ClientMessage, tag="resign"):
    """Resign the game in play. ``fault``: a bot that broke, and so has lost; the ladder counts it at any time."""

    fault: bool = False


class MakeOffer(ClientMessage, tag="make_offer"):
    """Offer a draw, a rewind to just before the own decision at ``seq`` (0: the last one), or a rematch."""

    kind: OfferKind = "rematch"
    seq: Number = 0


class AnswerOffer(ClientMessage, tag="answer_offer"):
    """Accept or decline the open offer of that kind."""

    kind: OfferKind = "rematch"
    accept: bool = False


#: predefined chat messages; pages show them in their own language
Phrase = Literal["", "hello", "luck", "well_played", "thanks", "oops", "thinking", "sorry", "good_game", "again", "bye"]
Handle = Annotated[str, Meta(max_length=12)]


class Chat(ClientMessage, tag="chat"):
    """A line of text, or a phrase; some rooms allow phrases only."""

    text: Annotated[str, Meta(min_length=1, max_length=200)] = ""
    phrase: Phrase = ""


class MutePlayer(ClientMessage, tag="mute"):
    """Mute a person: their chat is no longer sent to this client, in any room, permanently; ``on`` false: unmute.
    ``handle``: the name in lines of chat and in seats."""

    handle: Handle = ""
    on: bool = True


class ReportPlayer(ClientMessage, tag="report"):
    """Report a person to an operator. The chat of the room is included, and the future location of the game's
    record."""

    handle: Handle = ""
    reason: Literal["chat", "name", "unfair", "other"] = "other"
    comment: Annotated[str, Meta(max_length=300)] = ""


class NameCaster(ClientMessage, tag="name_caster"):
    """Name a caster, or with ``on`` false withdraw it. The caster sees both hands if both players have named it, or the
    host of the tournament, delayed by at least a minute and four decisions."""

    handle: Handle = ""
    on: bool = True


class SignTranscript(ClientMessage, tag="sign"):
    """The signature of the first ``count`` events of game ``part`` of the match, as this client was sent them
    (docs/fairness.md). It is relayed to the other seat; one that signs no more events than the last is dropped."""

    count: Number = 0
    signature: SignatureText = ""
    part: Annotated[int, Meta(ge=1, le=9)] = 1


class Ping(ClientMessage, tag="ping"):
    """Request a pong."""


AnyClientMessage = Union[  # noqa: UP007 - msgspec reads it at run time
    Join,
    Ready,
    Reveal,
    SubmitMove,
    PreviewMove,
    RequestRefusals,
    RequestHint,
    RequestResync,
    SetAssist,
    PlanAttack,
    Resign,
    MakeOffer,
    AnswerOffer,
    Chat,
    MutePlayer,
    ReportPlayer,
    NameCaster,
    SignTranscript,
    Ping,
]


# -- messages of the server --------------------------------------------------------------------------------------------


class Option(Struct, omit_defaults=True):
    """A legal next token. ``location``: the location on the table of what it names (``card:p1:S5``, ``unit:p1:b1``,
    ``trump:p2:t1``, ``stage:1``, ``player:p2``). For an action: ``start_locations``, those it can begin with
    (for an attack the soldiers that may attack); ``cards_asked_later``, the cards of the hand one of which it asks for
    at once; ``price``, the letters of its present price; ``usefulness``, 0 without effect, 2 recommended before going
    on. For one of a few words: ``results``, its costs and effects."""

    token: str
    label: str = ""
    spans: list[TextSpan] = []
    location: str = ""
    action: str = ""
    start_locations: list[str] = []
    cards_asked_later: list[str] = []
    price: str = ""
    usefulness: int = 0
    results: list[ForecastResult] = []
    warnings: list[str] = []  # of an option that is a whole answer: to be confirmed by a second tap


class Prompt(Struct, omit_defaults=True):
    """A prompt. ``reason``: why a chance was not passed; ``deadline_ms``: the rest of its own limit; ``results``: those
    of the request on top of the stage without a response, as far as the seat may know them."""

    seq: int
    kind: str
    options: list[Option]
    prompt: str = ""
    spans: list[TextSpan] = []  # of the prompt
    reason: str = ""
    deadline_ms: int | None = None
    multiple: bool = False  # a choice of several elements, ended with ``done``
    proposal: list[str] = []  # a ready default for a choice
    results: list[ForecastResult] = []
    lethal_for: list[SeatName] = []  # players who would lose by these results, as far as the seat may know
    preview: PreviewResult | None = None  # of the selection before the first tap: no unit, or the proposal


class Clock(Struct, omit_defaults=True):
    """Milliseconds left in the bank; ``running``: it is running down now."""

    left_ms: int
    running: bool = False
    grace_ms: int = 0


class LogEntry(Struct, omit_defaults=True):
    """A line of the log. ``kind``: its event; ``player``: the one who caused it; ``turn``: the number of the turn that
    begins. ``automatic``: an automatic pass; ``stop``: the stop that would have prevented it."""

    text: str
    seq: int
    kind: str = ""
    player: SeatName | None = None
    turn: int = 0
    spans: list[TextSpan] = []
    automatic: bool = False
    stop: str = ""


class Welcome(Message, tag="welcome"):
    """The answer to ``join``. ``last_answered``: the last ``seq`` this seat has answered (-1: none), so that an answer
    with a lost acknowledgement is not sent again."""

    version: int
    room: RoomInfo
    seat: SeatName | None
    seq: int
    last_answered: int
    id: int = 0
    levels: list[str] = []
    deck: str = ""  # submitted for a tournament: the deck to send with ``ready``
    handle: str = ""  # the client's own, by which casters are named
    caster: bool = False  # named: the client sees both hands


class RoomState(Message, tag="room"):
    """The room has changed: its seats, its connections, its game."""

    room: RoomInfo


class Update(Message, tag="update"):
    """New events and the present prompt. ``seq`` is the number of moves in this game; events and lines are those after
    ``since``. ``view`` is whole in the first update of a connection and if ``since`` is -1; otherwise ``view_changes``
    has the fields that differ from the view before, by path (``turn_number``, ``p1.hand``). A bot gets no texts and
    every view whole, a lean one no view, and receives events with its next prompt."""

    game: int
    seq: int
    since: int
    prompt: Prompt | None = None
    waiting_for: SeatName | None = None  # player who must choose; None while a window is open or the game is over
    events: list[EventView] = []
    lines: list[LogEntry] = []
    view: View | None = None
    view_changes: dict[str, Any] | None = None
    match: MatchView | None = None
    clocks: dict[str, Clock] = {}
    practice: bool = False
    match_game: int = 1  # the number of the game in its match
    previous_events: int = 0  # number of events that belong to the previous game
    first_event: int = 0  # number of earlier events of the match, if the events do not follow those sent before


class PreviewStep(Struct, omit_defaults=True):
    """A token of a draft after its action: the kind of decision, the token, and its alternatives. ``automatic``:
    without a choice."""

    kind: str
    token: str
    text: RichText
    automatic: bool = False
    options: list[Option] = []


class PreviewResult(Message, tag="preview_result"):
    """The preview of a draft. ``text`` is the move in the notation once it is complete; ``proposal`` a way to complete
    it; ``warnings`` those to confirm by a second tap (``lose``: you would lose, ``vain``: it would do nothing). A
    request has its text, ``price`` with all raised actions, as far as it is certain, and ``steps``, its tokens. For
    attackers and blockers ``clashes`` and ``damage`` (per player, the raw sum) are the expected results of the fight;
    ``lethal_for`` the players who would lose, as far as you may know it. A selection has the ``picks`` in use and their
    names as ``title``; at a chance also the tokens of all ``actions`` possible with them and the ``refusals`` of the
    others; blockers the ``blocks``; ``refusal`` is the reason why a tap changed nothing."""

    id: int
    seq: int
    tokens: list[str]
    complete: bool
    text: str = ""
    kind: str = ""
    prompt: str = ""
    spans: list[TextSpan] = []  # of the prompt
    options: list[Option] = []
    proposal: list[str] = []
    warnings: list[str] = []
    clashes: list[ForecastClash] = []
    damage: dict[str, int] = {}
    blocks: BlockPreviews | None = None
    lethal_for: list[SeatName] = []
    results: list[ForecastResult] = []
    steps: list[PreviewStep] = []
    summary: RichText = msgspec.field(default_factory=RichText)
    price: RichText = msgspec.field(default_factory=RichText)
    picks: list[str] = []
    title: RichText = msgspec.field(default_factory=RichText)
    actions: list[str] = []
    refusals: list[RefusedAction] = []
    refusal: str = ""


class Ack(Message, tag="ack"):
    """The answer at ``seq`` is stored and will happen."""

    id: int
    seq: int


class Error(Message, tag="error"):
    """The message was refused and nothing has changed. ``code`` is for programs, the texts are for people."""

    id: int
    code: str
    en: str
    ja: str
    ruling: str = ""


class Refusals(Message, tag="refusals"):
    id: int
    refusals: list[RefusedAction]


class Hint(Message, tag="hint"):
    """The answer to ``hint``: a comment or a recommended move, from the knowledge of this seat."""

    id: int
    seq: int
    text: RichText
    with_move: bool = False


class AssistState(Message, tag="assist_settings"):
    """The seat's own settings; no other client receives them."""

    mode: Mode
    stops: list[Stop]
    stop_cards: list[str]
    stop_next: bool
    skip_until: Skip
    accept_combat: bool
    id: int = 0
    planned_attackers: list[str] = []  # attackers named in advance


class Offer(Message, tag="offer"):
    """An offer was made (``open``), accepted or declined."""

    kind: OfferKind
    player: SeatName
    state: Literal["open", "accepted", "declined"]
    seq: int = 0


class ChatLine(Message, tag="chat"):
    """A chat message. ``handle``: its author, by a name of this room alone. ``phrase``: the message has no text
    then."""

    seat: str
    name: str
    text: str
    handle: str = ""
    phrase: Phrase = ""


class GameOver(Message, tag="game_over"):
    """A game, or with ``match`` the whole match, is over. The commitment is revealed; the record can be fetched."""

    game: int
    winner: Literal["p1", "p2", "draw"]
    reason: str
    match_over: bool
    record_id: str = ""  # share id
    commitment: str = ""
    secret: str = ""
    salts: list[str] = []
    seals: list[str] = []
    decks: list[str] = []  # as they were submitted
    record_hash: str = ""  # hash of the record: keep it to prove that the record was not changed later
    view: View | None = None


class TranscriptSignature(Message, tag="signature"):
    """The signature of the client at the other seat, as it sent it."""

    count: int
    signature: str
    part: int = 1


class Caster(Struct, omit_defaults=True):
    """A person who asks to cast (``present``) or was named. ``named_by``: the players who have; ``host``: the host has.
    An absent one has no name."""

    handle: str
    name: str = ""
    present: bool = False
    named_by: list[SeatName] = []
    host: bool = False


class Casters(Message, tag="casters"):
    """The casters and those who ask to be one; sent to the players and the host of the tournament."""

    casters: list[Caster]


class Pong(Message, tag="pong"):
    id: int


class Paused(Message, tag="paused"):
    """Storage is not available: the game waits, clocks and windows stand still; ``paused`` false: it continues."""

    paused: bool
    en: str = ""
    ja: str = ""


AnyServerMessage = Union[  # noqa: UP007
    Welcome,
    RoomState,
    Update,
    PreviewResult,
    Ack,
    Error,
    Refusals,
    Hint,
    AssistState,
    Offer,
    ChatLine,
    GameOver,
    TranscriptSignature,
    Casters,
    Pong,
    Paused,
]

_ENCODER: Final = msgspec.json.Encoder()
_CLIENT: Final[msgspec.json.Decoder[AnyClientMessage]] = msgspec.json.Decoder(AnyClientMessage)
_SERVER: Final[msgspec.json.Decoder[AnyServerMessage]] = msgspec.json.Decoder(AnyServerMessage)


def encode(message: object) -> bytes:
    return _ENCODER.encode(message)


def decode(data: bytes | str) -> AnyClientMessage:
    """Return a client's message; raise `msgspec.MsgspecError` or `UnicodeError` if it is none."""
    return _CLIENT.decode(data)


def decode_server(data: bytes | str) -> AnyServerMessage:
    """Return a server's message, for clients; raise `msgspec.MsgspecError` if it is none."""
    return _SERVER.decode(data)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of both directions: ``client`` and ``server`` are unions of their messages."""
    (client, server), components = msgspec.json.schema_components(
        [AnyClientMessage, AnyServerMessage], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"BlackPoker protocol {VERSION}",
        "client": client,
        "server": server,
        "$defs": components,
    }
