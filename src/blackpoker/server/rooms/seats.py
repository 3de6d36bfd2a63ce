"""The people of a room: two seats, all connected clients, and the plain data of a game's log."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from msgspec import Raw

from blackpoker import Audience, Player, View
from blackpoker.assist.autopass import FULL, AssistSettings
from blackpoker.formats.savegame import clean_name
from blackpoker.protocol import messages as p
from blackpoker.server.admission import Buckets
from blackpoker.server.confusables import look_alike
from blackpoker.server.rooms.clocks import SeatClock, new_clock

SEAT_NAMES: Final[tuple[p.SeatName, p.SeatName]] = (Player.P1, Player.P2)
#: audience of each seat
AUDIENCES: Final = (Audience.P1, Audience.P2)
#: most spectators, and most tabs of a seat's player; separate limits, so that spectators cannot keep a player out
MAX_SPECTATORS: Final = 200
MAX_TABS: Final = 20
MAX_NAME_LENGTH: Final = 24
#: seconds after which a game is abandoned: one player gone, both gone, a room no player came to
ABANDON_SECONDS: Final = 600.0
ABANDON_SECONDS_AI: Final = 86_400.0
#: rate and burst of one guest's messages to all clients: chat lines, offers
PUBLIC_RATE: Final = 0.5
PUBLIC_BURST: Final = 6


class HintRequest(NamedTuple):
    """A request for a hint: client, message, decision. ``move``: a move is wanted, not only a thought."""

    key: str
    id: int
    seq: int
    lang: p.Lang
    move: bool


def handle_of(room: str, guest: str) -> str:
    """Return a guest's public handle in a room; it reveals neither the guest id nor the handle in another room."""
    return hashlib.sha256(f"blackpoker who 1\n{room}\n{guest}".encode()).hexdigest()[:12] if guest else ""


def player_id(account: str) -> str:
    """Return an account's public id; it does not reveal the account id."""
    return hashlib.sha256(f"blackpoker player 1\n{account}".encode()).hexdigest()[:16]


@dataclass(slots=True)
class RoomClient:
    """A connection that has joined. ``seat`` is None for a spectator; ``seq`` is the last move number sent, ``view``
    the last view."""

    key: str
    guest: str
    name: str
    network: str = ""  # key for rate limits
    device: str = ""  # device token of a signed-in user
    muted: bool = False
    wants_casting: bool = False  # spectator who asks to see both hands
    caster: bool = False  # spectator who sees them
    lang: p.Lang = "en"
    detail: p.Detail = "full"
    seat: int | None = None
    game: int = 0
    seq: int = -1
    view: View | None = None
    muted_guests: set[str] = field(default_factory=set)  # muted guests

    @property
    def is_program(self) -> bool:
        """True for a program, which receives no texts."""
        return self.detail != "full"

    @property
    def gets_views(self) -> bool:
        return self.detail != "lean"

    @property
    def audience(self) -> Audience:
        if self.seat is not None:
            return AUDIENCES[self.seat]
        return Audience.JUDGE if self.caster else Audience.PUBLIC


@dataclass(slots=True)
class RoomSeat:
    kind: str = "open"  # open, human, ai
    guest: str = ""
    reserved_for: str = ""  # the guest it is reserved for
    name: str = ""
    level: str = ""
    bot: bool = False  # the player is a program
    has_account: bool = False  # the player has an account
    ready: bool = False
    wants_game: bool = False  # the player's last act was to be ready; survives a new secret
    seal: str = ""  # hash of salt and deck, sent before they are opened
    salt: str = ""
    salt_public: bool = False  # the salt was sent unsealed
    terms: str = ""  # hash of the terms the salt was opened for
    key: str = ""  # public key with which the client signs its transcript
    deck: str = ""
    back: str = ""  # the card back that the player has chosen; sent again with every join
    assist: AssistSettings = field(default_factory=AssistSettings)
    last_move: int = -1
    plan: list[str] = field(default_factory=list)
    clock: SeatClock = field(default_factory=lambda: SeatClock(0.0, 0.0))
    clients: int = 0
    absent_since: float | None = None  # time at which the last client disconnected
    casters: list[str] = field(default_factory=list)  # handles of the casters it has named

    @property
    def player_id(self) -> str:
        """Return the public id of the account of this seat's player, or an empty string."""
        return player_id(self.guest) if self.has_account and not self.bot else ""

    @property
    def owner_id(self) -> str:
        """Return the public id that this seat's player has, or would have with an account."""
        return player_id(self.guest) if self.kind == "human" and not self.bot else ""

    @property
    def bot_id(self) -> str:
        """Return the public id of the bot at this seat, or an empty string; it does not reveal the guest id."""
        return hashlib.sha256(f"blackpoker bot 1\n{self.guest}".encode()).hexdigest()[:16] if self.bot else ""


@dataclass(slots=True)
class GameEntry:
    """One entry of a game's log. ``kind``: say, auto, resign, fault, time, abandon, draw, void, rewind."""

    game: int
    seq: int
    kind: str
    seat: int
    options: list[int]
    at: float
    left: tuple[float, float] = (0.0, 0.0)
    why: str = ""
    stop: str = ""


@dataclass(slots=True)
class FinishedGame:
    """A finished game, as stored. ``owners``: the public ids that its players have, or would have with an account."""

    game: int
    part: int
    record_id: str
    record: str
    meta: dict[str, Any]
    owners: tuple[str, str] = ("", "")


@dataclass(slots=True)
class RoomChanges:
    """Results of calls: the room's own row if it changed, entries, finished games, messages. ``again``: entries already
    stored that are written once more, so that both cases take the same time."""

    row: dict[str, Any] | None
    entries: list[GameEntry]
    rewritten: list[GameEntry]
    finished: list[FinishedGame]
    messages: list[tuple[str, p.AnyServerMessage | Raw]]


class ChatEntry(NamedTuple):
    """A chat line, its author, and the time at which delayed spectators may see it."""

    line: p.ChatLine
    guest: str
    visible_at: float


class ModerationRequest(NamedTuple):
    """A client's moderation request about another guest: ``unhear``, ``hear`` or ``report``."""

    kind: str
    owner: str
    owner_name: str
    target: str
    target_name: str
    reason: str = ""
    text: str = ""
    record: str = ""
    chat_json: str = ""
    network: str = ""


class MessageRefused(Exception):
    def __init__(self, code: str, en: str, ja: str, ruling: str = "") -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja
        self.ruling = ruling


def marks_of(client: RoomClient) -> set[str]:
    """Return what identifies the person behind a client; on the server's own machine the address does not."""
    marks = {f"g {client.guest}"}
    if client.device:
        marks.add(f"d {client.device}")
    if not is_loopback(client.network):
        marks.add(f"a {client.network}")
    return marks


def same_address(first: str, second: str) -> bool:
    """Return True if two addresses are equal and may belong to one person; False on the server's own machine."""
    return first == second and not is_loopback(first)


def is_loopback(network: str) -> bool:
    try:
        return ipaddress.ip_address(network).is_loopback
    except ValueError:
        return network in ("", "?")


class ConnectionIdentity(NamedTuple):
    """Identity of a connection: the guest's id and name, the network for rate limits; for a signed-in user also the
    device token and ``muted`` by an operator."""

    guest: str
    name: str
    network: str
    device: str = ""
    muted: bool = False


class Seats:
    """The seats and clients of a room."""

    def __init__(self, settings: p.RoomSettings) -> None:
        self.settings = settings
        self.between_people: bool = settings.opponent in ("human", "bot")
        #: seconds a game waits for a disconnected player
        self.abandon_after: float = ABANDON_SECONDS if self.between_people else ABANDON_SECONDS_AI
        self.seats: list[RoomSeat] = [RoomSeat(), RoomSeat()]
        self.clients: dict[str, RoomClient] = {}
        self.player_marks: set[str] = set()  # guests, devices and addresses that have had a seat here
        #: by guest, by address, and for all spectators: reconnecting or a new guest id does not refill them
        self.rate_limits: tuple[Buckets, Buckets, Buckets] = (
            Buckets(PUBLIC_RATE, PUBLIC_BURST, 4 * MAX_SPECTATORS),
            Buckets(2 * PUBLIC_RATE, 2 * PUBLIC_BURST, 4 * MAX_SPECTATORS),
            Buckets(4 * PUBLIC_RATE, 4 * PUBLIC_BURST),
        )
        if not self.between_people:
            seat = self.seats[0 if settings.first == "p2" else 1]
            seat.kind, seat.level, seat.name, seat.ready = "ai", settings.opponent, settings.opponent, True

    def reserve(self, guests: tuple[str, str], names: tuple[str, str]) -> None:
        """Reserve each seat for one guest."""
        for seat, guest, name in zip(self.seats, guests, names, strict=True):
            seat.reserved_for, seat.name = guest, name

    def __getitem__(self, place: int) -> RoomSeat:
        return self.seats[place]

    def __iter__(self) -> Iterator[RoomSeat]:
        return iter(self.seats)

    def clients_at(self, place: int) -> list[RoomClient]:
        """Return the clients of a seat."""
        return [client for client in self.clients.values() if client.seat == place]

    @property
    def different_addresses(self) -> bool:
        """True if both seats are connected now, from different addresses."""
        return all(self.clients_at(index) for index in (0, 1)) and not any(
            same_address(client1.network, client2.network)
            for client1 in self.clients_at(0)
            for client2 in self.clients_at(1)
        )

    def find_seat(self, client: RoomClient, wanted: str, unplayed: bool, closed: bool = False) -> int | None:
        """Return the seat for a client; None: spectator. Raise `MessageRefused` if the wanted seat is taken. ``new``:
        no game has been played yet, so a seat left by its first player is free again. ``closed``: a room with one
        player admits no other."""
        if unplayed:
            self.free_unattended(client.guest)
        if wanted in ("watch", "caster"):
            return None
        occupied = [index for index, seat in enumerate(self.seats) if seat.kind == "human"]
        own = [index for index in occupied if self.seats[index].guest == client.guest]
        if closed and occupied and not own:
            return None
        if wanted == "any":
            free = [index for index in (0, 1) if self.is_free(index, client.guest)]
            return next(iter(own + free), None)
        index = SEAT_NAMES.index(wanted)
        if index in own or self.is_free(index, client.guest):
            return index
        raise MessageRefused("taken", "that seat is taken", "その席は空いていません")

    def is_free(self, place: int, guest: str) -> bool:
        seat = self.seats[place]
        return seat.kind == "open" and seat.reserved_for in ("", guest)

    def free_unattended(self, guest: str) -> None:
        """Free seats that another guest has left before the first game."""
        for index, seat in enumerate(self.seats):
            if seat.kind == "human" and not seat.clients and seat.guest != guest:
                self.free(index)

    def note_player(self, client: RoomClient) -> None:
        """Remember a player, who may not cast this room's games."""
        self.player_marks |= marks_of(client)

    def is_player(self, client: RoomClient) -> bool:
        """Return True if the client may be one of the players: by guest, account, device or address."""
        own = marks_of(client)
        return bool(own & self.player_marks) or any(f"g {seat.guest}" in own for seat in self.seats if seat.guest)

    def check_not_player(self, client: RoomClient) -> None:
        """Raise `MessageRefused` if the client may be one of the players."""
        if self.is_player(client):
            raise MessageRefused(
                "no_casting",
                "both hands are not shown to a player, nor to that player's device or address",
                "対戦者本人や、同じ端末・アドレスには両者の手札を見せません",
            )

    def is_full_for(self, client: RoomClient) -> bool:
        """Return True if the client's seat, or the group of spectators, has reached its limit."""
        count = sum(other.seat == client.seat for other in self.clients.values())
        return count >= (MAX_SPECTATORS if client.seat is None else MAX_TABS)

    def add_client(self, client: RoomClient, now: float) -> bool:
        """Add a connection. Return True if the stored row of the room changes."""
        if client.seat is None:
            self.clients[client.key] = client
            return False
        seat = self.seats[client.seat]
        self.clients[client.key] = client
        changed = False
        if seat.kind == "open":
            seat.kind, seat.guest = "human", client.guest
            if client.is_program:
                seat.assist.mode = FULL
                seat.bot = not self.settings.rated  # a rated game counts for its account, whatever program plays it
            changed = True
        if client.device and not seat.has_account:  # also a guest who created an account after joining
            seat.has_account = changed = True
        name = self.distinct_name(client)
        if name and seat.name != name:
            seat.name = name
            changed = True
        seat.clients += 1
        seat.absent_since = None
        seat.clock.connected(now)
        return changed

    def remove_client(self, key: str, now: float) -> RoomClient | None:
        client = self.clients.pop(key, None)
        if client is not None and client.seat is not None:
            seat = self.seats[client.seat]
            seat.clients -= 1
            if seat.clients == 0:
                seat.absent_since = now
                seat.clock.disconnected(now)
        return client

    def take_rate(self, client: RoomClient, now: float) -> bool:
        """Return True unless the client's messages to all others exceed the rate limits. Spectators share one limit, so
        that a crowd of them cannot crowd out the players."""
        guests, networks, spectators = self.rate_limits
        if not guests.take(client.guest, now) or not networks.take(client.network or client.guest, now):
            return False
        return client.seat is not None or spectators.take("", now)

    def distinct_name(self, client: RoomClient) -> str:
        """Return the client's name as shown in this room, changed if it looks like the name of another seat."""
        name = clean_name(client.name)[:MAX_NAME_LENGTH]
        for index, seat in enumerate(self.seats):
            if index != client.seat and seat.name and seat.guest != client.guest and look_alike(seat.name, name):
                return f"{name[: MAX_NAME_LENGTH - 4]} (2)"
        return name

    def free(self, place: int) -> None:
        self.seats[place] = RoomSeat()

    def salts_open(self, terms: str) -> bool:
        """Return True if every salt is open for these terms."""
        return all(seat.kind == "ai" or seat.salt_public or seat.terms == terms for seat in self.seats)

    def unseal(self) -> None:
        """Reset readiness, seals and salts of all seats."""
        for seat in self.seats:
            seat.ready = seat.kind == "ai"
            seat.seal = seat.salt = seat.terms = seat.key = ""
            seat.salt_public = False

    def begin_game(self, now: float) -> None:
        """Reset moves, plans and clocks for a new game."""
        for seat in self.seats:
            seat.last_move = -1
            seat.plan = []
            seat.clock = new_clock(self.settings.clock)
            if seat.kind == "human" and seat.clients == 0:
                seat.clock.disconnected_at = now

    def infos(self) -> list[p.SeatInfo]:
        return [
            p.SeatInfo(
                seat.kind,
                seat.name,
                seat.kind == "ai" or seat.clients > 0,
                seat.ready,
                seat.level,
                seat.seal,
                seat.bot_id,
                seat.player_id,
                key=seat.key,
                back=seat.back,
            )
            for seat in self.seats
        ]

    # -- storage -----------------------------------------------------------------------------------------------------

    def dump(self) -> list[dict[str, Any]]:
        return [
            {
                "kind": seat.kind,
                "guest": seat.guest,
                "name": seat.name,
                "level": seat.level,
                "bot": seat.bot,
                "signed": seat.has_account,
                "casters": seat.casters,
                "ready": seat.ready,
                "seal": seat.seal,
                "salt": seat.salt,
                "told": seat.salt_public,
                "terms": seat.terms,
                "key": seat.key,
                "deck": seat.deck,
                "mode": seat.assist.mode,
                "stops": sorted(seat.assist.stops),
                "arm": sorted(seat.assist.arm),
                "hold": seat.assist.hold,
            }
            for seat in self.seats
        ]

    def load(self, rows: list[dict[str, Any]], now: float) -> None:
        """Restore the seats from their rows; no client is connected."""
        for seat, row in zip(self.seats, rows, strict=True):
            for name in ("kind", "guest", "name", "level", "ready", "salt", "deck"):
                setattr(seat, name, row[name])
            seat.seal = row.get("seal", "")  # rows older than seals or bots have none
            seat.bot, seat.has_account = row.get("bot", False), row.get("signed", False)
            seat.salt_public, seat.terms = row.get("told", False), row.get("terms", "")
            seat.casters, seat.key = list(row.get("casters", ())), row.get("key", "")
            seat.assist.mode = row["mode"]
            seat.assist.stops = set(row["stops"])
            seat.assist.arm = set(row.get("arm", ()))
            # 止める survives a restart: no automatic pass for a player who set it
            seat.assist.hold = row.get("hold", False)
            seat.clock = new_clock(self.settings.clock)
            if seat.kind == "human":
                seat.absent_since = now
                seat.clock.disconnected_at = now
