"""The people of a room: two seats, all connected clients, and the plain data of a game's log."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from msgspec import Raw

from blackpoker import Audience
from blackpoker.assist.autopass import FULL, Assist
from blackpoker.files.saved import clean_name
from blackpoker.server.buckets import Buckets
from blackpoker.server.looks import alike
from blackpoker.server.rooms.clocks import SeatClock, new_clock
from blackpoker.wire import protocol as p

NAMES: Final[tuple[p.SeatName, p.SeatName]] = ("p1", "p2")
#: audience of each seat
AUDIENCES: Final = (Audience.P1, Audience.P2)
#: most spectators, and most tabs of a seat's player; separate limits, so that spectators cannot keep a player out
MOST_WATCHING: Final = 200
MOST_TABS: Final = 20
MOST_NAME: Final = 24
#: seconds after which a game is abandoned: one player gone, both gone, a room no player came to
ABANDONED: Final = 600.0
#: least spectator delay for casters, who see both hands
LEAST_CAST: Final = 60
FORSAKEN: Final = 86_400.0
#: rate and burst of one guest's messages to all clients: chat lines, offers
TALK_RATE: Final = 0.5
TALK_BURST: Final = 6


class WantedHint(NamedTuple):
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
    """A connection that has joined. ``seat`` is None for a spectator; ``seq`` is the last move number sent."""

    key: str
    guest: str
    name: str
    network: str = ""  # key for rate limits
    device: str = ""  # device token of a signed-in user
    muted: bool = False
    caster: bool = False  # spectator who sees both hands
    lang: p.Lang = "en"
    detail: p.Detail = "full"
    seat: int | None = None
    game: int = 0
    seq: int = -1
    unheard: set[str] = field(default_factory=set)  # muted guests

    @property
    def lean(self) -> bool:
        """True for a program, which receives no texts."""
        return self.detail != "full"

    @property
    def views(self) -> bool:
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
    held: str = ""  # the guest it is reserved for
    name: str = ""
    level: str = ""
    bot: bool = False  # the player is a program
    signed: bool = False  # the player has an account
    ready: bool = False
    eager: bool = False  # the player's last act was to be ready; survives a new secret
    seal: str = ""  # hash of salt and deck, sent before they are opened
    salt: str = ""
    told: bool = False  # the salt was sent unsealed
    terms: str = ""  # hash of the terms the salt was opened for
    deck: str = ""
    assist: Assist = field(default_factory=Assist)
    accepted: int = -1
    plan: list[str] = field(default_factory=list)
    clock: SeatClock = field(default_factory=lambda: SeatClock(0.0, 0.0))
    clients: int = 0
    gone: float | None = None  # time at which the last client disconnected
    shows: bool = False  # shows its hand to casters

    @property
    def player(self) -> str:
        """Return the public id of the account of this seat's player, or an empty string."""
        return player_id(self.guest) if self.signed and not self.bot else ""

    @property
    def account(self) -> str:
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
class Finished:
    """A finished game, as stored."""

    game: int
    part: int
    share: str
    record: str
    meta: dict[str, Any]


@dataclass(slots=True)
class RoomOutcome:
    """Results of calls: the room's own row if it changed, entries, finished games, messages. ``again``: entries already
    stored that are written once more, so that both cases take the same time."""

    row: dict[str, Any] | None
    entries: list[GameEntry]
    again: list[GameEntry]
    finished: list[Finished]
    messages: list[tuple[str, p.ServerMessage | Raw]]


class Spoken(NamedTuple):
    """A chat line, its author, and the time at which delayed spectators may see it."""

    line: p.ChatLine
    guest: str
    due: float


class Aside(NamedTuple):
    """A client's moderation request about another guest: ``unhear``, ``hear`` or ``report``."""

    what: str
    owner: str
    owner_name: str
    whom: str
    whom_name: str
    why: str = ""
    words: str = ""
    record: str = ""
    heard: str = ""


class MessageRefused(Exception):
    def __init__(self, code: str, en: str, ja: str, ruling: str = "") -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja
        self.ruling = ruling


def one_address(one: str, two: str) -> bool:
    """Return True if two addresses are equal and may belong to one person; False on the server's own machine."""
    return one == two and not own_machine(one)


def own_machine(network: str) -> bool:
    try:
        return ipaddress.ip_address(network).is_loopback
    except ValueError:
        return network in ("", "?")


class Visitor(NamedTuple):
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
        self.patience: float = ABANDONED if self.between_people else FORSAKEN
        self.places: list[RoomSeat] = [RoomSeat(), RoomSeat()]
        self.clients: dict[str, RoomClient] = {}
        #: by guest, by address, and for all spectators: reconnecting or a new guest id does not refill them
        self.talk: tuple[Buckets, Buckets, Buckets] = (
            Buckets(TALK_RATE, TALK_BURST, 4 * MOST_WATCHING),
            Buckets(2 * TALK_RATE, 2 * TALK_BURST, 4 * MOST_WATCHING),
            Buckets(4 * TALK_RATE, 4 * TALK_BURST),
        )
        if not self.between_people:
            seat = self.places[0 if settings.first == "p2" else 1]
            seat.kind, seat.level, seat.name, seat.ready = "ai", settings.opponent, settings.opponent, True

    def hold(self, guests: tuple[str, str], names: tuple[str, str]) -> None:
        """Reserve each seat for one guest."""
        for seat, guest, name in zip(self.places, guests, names, strict=True):
            seat.held, seat.name = guest, name

    def __getitem__(self, place: int) -> RoomSeat:
        return self.places[place]

    def __iter__(self) -> Iterator[RoomSeat]:
        return iter(self.places)

    def at(self, place: int) -> list[RoomClient]:
        """Return the clients of a seat."""
        return [client for client in self.clients.values() if client.seat == place]

    @property
    def strangers(self) -> bool:
        """True if both seats are connected now, from different addresses."""
        return all(self.at(place) for place in (0, 1)) and not any(
            one_address(one.network, two.network) for one in self.at(0) for two in self.at(1)
        )

    def find(self, client: RoomClient, wanted: str, new: bool, closed: bool = False) -> int | None:
        """Return the seat for a client; None: spectator. Raise `MessageRefused` if the wanted seat is taken. ``new``:
        no game has been played yet, so a seat left by its first player is free again. ``closed``: a room with one
        player admits no other."""
        if new:
            self.free_left(client.guest)
        if wanted in ("watch", "cast"):
            return None
        people = [place for place, seat in enumerate(self.places) if seat.kind == "human"]
        mine = [place for place in people if self.places[place].guest == client.guest]
        if closed and people and not mine:
            return None
        if wanted == "any":
            free = [place for place in (0, 1) if self.is_free(place, client.guest)]
            return next(iter(mine + free), None)
        place = NAMES.index(wanted)
        if place in mine or self.is_free(place, client.guest):
            return place
        raise MessageRefused("taken", "that seat is taken", "その席は空いていません")

    def is_free(self, place: int, guest: str) -> bool:
        seat = self.places[place]
        return seat.kind == "open" and seat.held in ("", guest)

    def free_left(self, guest: str) -> None:
        """Free seats that another guest has left before the first game."""
        for place, seat in enumerate(self.places):
            if seat.kind == "human" and not seat.clients and seat.guest != guest:
                self.free(place)

    def full_for(self, client: RoomClient) -> bool:
        """Return True if the client's seat, or the group of spectators, has reached its limit."""
        here = sum(other.seat == client.seat for other in self.clients.values())
        return here >= (MOST_WATCHING if client.seat is None else MOST_TABS)

    def enter(self, client: RoomClient, now: float) -> bool:
        """Add a connection. Return True if the stored row of the room changes."""
        if client.seat is None:
            self.clients[client.key] = client
            return False
        seat = self.places[client.seat]
        self.clients[client.key] = client
        changed = False
        if seat.kind == "open":
            seat.kind, seat.guest = "human", client.guest
            if client.lean:
                seat.assist.mode, seat.bot = FULL, True
            changed = True
        if client.device and not seat.signed:  # also a guest who created an account after joining
            seat.signed = changed = True
        name = self.told_apart(client)
        if name and seat.name != name:
            seat.name = name
            changed = True
        seat.clients += 1
        seat.gone = None
        seat.clock.connected(now)
        return changed

    def leave(self, key: str, now: float) -> RoomClient | None:
        client = self.clients.pop(key, None)
        if client is not None and client.seat is not None:
            seat = self.places[client.seat]
            seat.clients -= 1
            if seat.clients == 0:
                seat.gone = now
                seat.clock.disconnected(now)
        return client

    def may_talk(self, client: RoomClient, now: float) -> bool:
        """Return True unless the client's messages to all others exceed the rate limits. Spectators share one limit, so
        that a crowd of them cannot crowd out the players."""
        guests, networks, watchers = self.talk
        if not guests.take(client.guest, now) or not networks.take(client.network or client.guest, now):
            return False
        return client.seat is not None or watchers.take("", now)

    def told_apart(self, client: RoomClient) -> str:
        """Return the client's name as shown in this room, changed if it looks like the name of another seat."""
        name = clean_name(client.name)[:MOST_NAME]
        for place, seat in enumerate(self.places):
            if place != client.seat and seat.name and seat.guest != client.guest and alike(seat.name, name):
                return f"{name[: MOST_NAME - 4]} (2)"
        return name

    def free(self, place: int) -> None:
        self.places[place] = RoomSeat()

    def opened(self, terms: str) -> bool:
        """Return True if every salt is open for these terms."""
        return all(seat.kind == "ai" or seat.told or seat.terms == terms for seat in self.places)

    def unseal(self) -> None:
        """Reset readiness, seals and salts of all seats."""
        for seat in self.places:
            seat.ready = seat.kind == "ai"
            seat.seal = seat.salt = seat.terms = ""
            seat.told = False

    def begin(self, now: float) -> None:
        """Reset moves, plans and clocks for a new game."""
        for seat in self.places:
            seat.accepted = -1
            seat.plan = []
            seat.clock = new_clock(self.settings.clock)
            if seat.kind == "human" and seat.clients == 0:
                seat.clock.lost = now

    def infos(self) -> list[p.SeatInfo]:
        return [
            p.SeatInfo(
                seat.kind,
                seat.name,
                seat.kind == "ai" or seat.clients > 0,
                seat.ready,
                seat.level,
                seat.seal,
                seat.account,
                seat.player,
                seat.shows,
            )
            for seat in self.places
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
                "signed": seat.signed,
                "shows": seat.shows,
                "ready": seat.ready,
                "seal": seat.seal,
                "salt": seat.salt,
                "told": seat.told,
                "terms": seat.terms,
                "deck": seat.deck,
                "mode": seat.assist.mode,
                "stops": sorted(seat.assist.stops),
                "arm": sorted(seat.assist.arm),
                "hold": seat.assist.hold,
            }
            for seat in self.places
        ]

    def load(self, kept: list[dict[str, Any]], now: float) -> None:
        """Restore the seats from their rows; no client is connected."""
        for seat, row in zip(self.places, kept, strict=True):
            for name in ("kind", "guest", "name", "level", "ready", "salt", "deck"):
                setattr(seat, name, row[name])
            seat.seal = row.get("seal", "")  # rows older than seals or bots have none
            seat.bot, seat.signed = row.get("bot", False), row.get("signed", False)
            seat.told, seat.terms = row.get("told", False), row.get("terms", "")
            seat.shows = row.get("shows", False)
            seat.assist.mode = row["mode"]
            seat.assist.stops = set(row["stops"])
            seat.assist.arm = set(row.get("arm", ()))
            # 止める survives a restart: no automatic pass for a player who set it
            seat.assist.hold = row.get("hold", False)
            seat.clock = new_clock(self.settings.clock)
            if seat.kind == "human":
                seat.gone = now
                seat.clock.lost = now
