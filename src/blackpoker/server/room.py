"""A room: two seats, a match, everybody who looks on. Pure: no network, no database, no clock of its own.

Whoever drives a room calls ``join``, ``leave``, ``say``, ``bot_said`` and ``tick`` with the time, and takes what came
of it with ``take``: entries to be stored, then messages to be sent once they are. ``due`` says when ``tick`` is next
needed. A game is the list of its entries; playing them again gives the same state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from blackpoker.common.state import ATTACKERS_KIND
from blackpoker.core.flow import CHANCE_KIND, DRAW, PASS
from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove
from blackpoker.game import Game, read_regulation
from blackpoker.match import DeckDecision
from blackpoker.notation.saved import clean_name
from blackpoker.regulation import DeckError, DeckList, check_decks, parse_decks
from blackpoker.script.engine import Engine
from blackpoker.script.speech import Event
from blackpoker.server import asking, autopass, bots, fairness
from blackpoker.server import protocol as p
from blackpoker.server.autopass import Assist, Verdict
from blackpoker.server.clock import SeatClock, new_clock
from blackpoker.server.feed import WATCHER, Feed
from blackpoker.server.table import Table

NAMES: Final[tuple[p.SeatName, p.SeatName]] = ("p1", "p2")
#: default least time of a window between people
WINDOW: Final = 1.2
#: seconds after which a game is left for good: one player gone, everybody gone, a room nobody came to
ABANDONED: Final = 600.0
FORSAKEN: Final = 86_400.0
MOST_CLIENTS: Final = 200
MOST_CHAT: Final = 30


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
    """One line of a game's log. ``kind``: say, auto, resign, time, abandon, draw, rewind."""

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
    """What came of a call: the room's own row if it changed, entries, finished games, messages."""

    row: dict[str, Any] | None
    entries: list[Entry]
    finished: list[Finished]
    messages: list[tuple[str, p.ServerMessage]]


class Refused(Exception):
    def __init__(self, code: str, en: str, ja: str, ruling: str = "") -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja
        self.ruling = ruling


class Room:
    def __init__(self, id: str, settings: p.RoomSettings, now: float, start: str = "") -> None:
        """``start``: a saved game or a position to play on from, instead of a deal."""
        self.id = id
        self.settings = settings
        self.regulation = read_regulation(settings.regulation)
        self.start = start
        self.phase: str = "waiting"
        self.seats = [Seat(), Seat()]
        if settings.opponent not in ("human", "bot"):
            seat = self.seats[0 if settings.first == "p2" else 1]
            seat.kind, seat.level, seat.name, seat.ready = "ai", settings.opponent, settings.opponent, True
        self.clients: dict[str, Client] = {}
        self.game = 0
        self.secret = fairness.new_secret()
        self.practice = bool(start)
        self.table: Table | None = None
        self.last: Game | None = None  # the game that was over last
        self.entries: list[Entry] = []
        self.seq = 0  # sentences applied
        self.marks: list[tuple[int, int]] = []  # per seq: part of the match, length of its history before
        self.seqs: list[int] = []  # per option of the present game's history: its sentence
        self.feed = Feed()
        self.pending: Entry | None = None
        self.verdict: Verdict | None = None
        self.opened = now
        self.release = now
        self.deadline: float | None = None
        self.offers: dict[str, tuple[int, int]] = {}
        self.chat: list[p.ChatLine] = []
        self.results: list[p.Over] = []
        self.parts: list[tuple[Game, str, float]] = []  # games of the match that are over
        self.late: list[tuple[float, str, p.ServerMessage]] = []  # for watchers, with their delay
        self.now = now
        self.touched = now  # when anybody did anything
        self.changed = True
        self.fresh: list[Entry] = []
        self.done: list[Finished] = []
        self.out: list[tuple[str, p.ServerMessage]] = []

    # -- what the driver asks ------------------------------------------------------------------------------------

    def take(self) -> Outcome:
        """What has come of the calls since the last ``take``."""
        row = self.dump() if self.changed else None
        outcome = Outcome(row, self.fresh, self.done, self.out)
        self.changed = False
        self.fresh, self.done, self.out = [], [], []
        return outcome

    def due(self) -> float | None:
        """When ``tick`` is next needed."""
        times = [at for at, _, _ in self.late[:1]]
        if self.phase == "playing":
            if self.pending is not None or (self.verdict is not None and self.now < self.release):
                times.append(self.release)
            if self.deadline is not None:
                times.append(self.deadline)
            for seat in self.seats:
                end = seat.clock.runs_out() if self.settings.clock.bank else None
                if end is not None:
                    times.append(end)
                if seat.kind == "human" and seat.gone is not None:
                    times.append(seat.gone + self.patience())
        return min(times) if times else None

    def bot_wanted(self) -> tuple[int, int, str] | None:
        """Seat, seq and level of the computer player that must choose."""
        table = self.table
        if self.phase != "playing" or table is None or self.pending is not None or table.player < 0:
            return None
        seat = self.seats[table.player]
        return (table.player, self.seq, seat.level) if seat.kind == "ai" else None

    def idle_since(self) -> float:
        """Since when the room can be forgotten: nobody is there and nothing is being played."""
        return self.touched

    @property
    def between_people(self) -> bool:
        return all(seat.kind != "ai" for seat in self.seats)

    @property
    def wait(self) -> float:
        """The least time of a window."""
        if self.settings.window_ms is not None:
            return self.settings.window_ms / 1000
        return WINDOW if self.between_people and self.settings.opponent == "human" else 0.0

    def patience(self) -> float:
        return ABANDONED if self.between_people else FORSAKEN

    # -- coming and going ----------------------------------------------------------------------------------------

    def join(self, client: Client, said: p.Join, now: float) -> None:
        self.now = self.touched = now
        if len(self.clients) >= MOST_CLIENTS:
            raise Refused("full", "too many people are here", "部屋がいっぱいです")
        seat = self.find_seat(client, said.seat)
        if seat is None and not self.settings.spectators:
            raise Refused("no_watching", "nobody may watch this room", "この部屋は観戦できません")
        client.seat = seat
        client.lang = said.lang
        client.lean = said.detail == "lean"
        client.game, client.seq = said.game, said.since
        if client.game != self.game or client.seq > self.seq:
            client.game, client.seq = self.game, -1
        self.clients[client.key] = client
        if seat is not None:
            self.sit(client, seat, now)
        if not client.lean:
            table = self.table
            self.feed.begin(client.lang, table.game if table is not None else None, self.seqs)
        accepted = -1 if seat is None else self.seats[seat].accepted
        you = None if seat is None else NAMES[seat]
        self.send(client, p.Welcome(p.VERSION, self.info(), you, self.seq, accepted, said.id, bots.levels()))
        if seat is not None:
            self.send(client, self.assist_state(seat))
        for line in self.chat:
            self.send(client, line)
        if self.game:
            self.tell(client)
            if self.phase == "over":
                for result in self.results:
                    self.send_result(client, result)
        self.room_changed(but=client.key)

    def find_seat(self, client: Client, wanted: str) -> int | None:
        if wanted == "watch":
            return None
        mine = [place for place, seat in enumerate(self.seats) if seat.kind == "human" and seat.guest == client.guest]
        if wanted == "any":
            if mine:
                return mine[0]
            free = [place for place, seat in enumerate(self.seats) if seat.kind == "open"]
            return free[0] if free else None
        place = NAMES.index(wanted)
        if place in mine or self.seats[place].kind == "open":
            return place
        raise Refused("taken", "that seat is taken", "その席は空いていません")

    def sit(self, client: Client, place: int, now: float) -> None:
        seat = self.seats[place]
        if seat.kind == "open":
            seat.kind, seat.guest = "human", client.guest
            if client.lean:
                seat.assist.mode = autopass.FULL
            self.changed = True
        if client.name and seat.name != client.name:
            seat.name = clean_name(client.name)[:24]
            self.changed = True
        seat.clients += 1
        seat.gone = None
        seat.clock.connected(now)

    def leave(self, key: str, now: float) -> None:
        self.now = self.touched = now
        client = self.clients.pop(key, None)
        if client is None:
            return
        if client.seat is not None:
            seat = self.seats[client.seat]
            seat.clients -= 1
            if seat.clients == 0:
                seat.gone = now
                seat.clock.disconnected(now)
                if self.phase == "waiting" and self.game == 0 and client.seat != 0:
                    self.seats[client.seat] = Seat()  # nobody waits for a guest who only looked in
                    self.changed = True
        self.room_changed()

    # -- what a client says --------------------------------------------------------------------------------------

    def say(self, key: str, said: p.ClientMessage, now: float) -> None:
        """A message of somebody who has joined; a refusal goes to them alone and changes nothing."""
        self.now = self.touched = now
        client = self.clients[key]
        try:
            self.hear(client, said)
        except Refused as refused:
            self.send(client, p.Error(said.id, refused.code, refused.en, refused.ja, refused.ruling))
        except AmbiguousMove as error:
            self.send(client, p.Error(said.id, "ambiguous", error.en, error.ja))
        except IllegalMove as error:
            self.send(client, p.Error(said.id, "illegal", error.en, error.ja, error.ruling))
        except BlackPokerError as error:
            self.send(client, p.Error(said.id, "unreadable", error.en, error.ja))

    def hear(self, client: Client, said: p.ClientMessage) -> None:
        match said:
            case p.Ping():
                self.send(client, p.Pong(said.id))
            case p.Look():
                client.seq = -1
                self.tell(client)
            case p.Chat():
                self.on_chat(client, said)
            case p.Join():
                raise Refused("joined", "you have joined already", "すでに参加しています")
            case p.Act():
                self.on_act(client, said)
            case p.Draft():
                self.on_draft(client, said)
            case p.Ready():
                self.on_ready(client, said)
            case p.Why():
                engine = self.engine()
                seat = self.seat_of(client)
                found = [] if engine is None else asking.refusals(engine, seat)
                self.send(client, p.Reasons(said.id, found))
            case p.Assist():
                self.on_assist(client, said)
            case p.Plan():
                self.seats[self.seat_of(client)].plan = said.attackers
                self.send(client, p.Ack(said.id, self.seq))
            case p.Resign():
                self.on_resign(client, said)
            case p.Propose():
                self.on_propose(client, said)
            case p.Reply():
                self.on_reply(client, said)

    def seat_of(self, client: Client) -> int:
        if client.seat is None:
            raise Refused("watching", "you are watching", "観戦中です")
        return client.seat

    def playing(self) -> Table:
        if self.phase != "playing" or self.table is None:
            raise Refused("no_game", "no game is being played", "ゲーム中ではありません")
        return self.table

    def on_chat(self, client: Client, said: p.Chat) -> None:
        by = "watch" if client.seat is None else NAMES[client.seat]
        text = " ".join("".join(c if c.isprintable() else " " for c in said.text).split())
        if not text:
            raise Refused("empty", "there is nothing to say", "空のメッセージです")
        line = p.ChatLine(by, client.name, text)
        self.chat = [*self.chat[1 - MOST_CHAT :], line]
        for other in self.clients.values():
            self.send(other, line)

    def on_ready(self, client: Client, said: p.Ready) -> None:
        place = self.seat_of(client)
        if self.phase != "waiting":
            raise Refused("phase", "the game has begun", "ゲームはもう始まっています")
        seat = self.seats[place]
        if said.deck:
            self.read_deck(said.deck)
        seat.deck, seat.salt, seat.ready = said.deck, said.salt, True
        self.changed = True
        self.send(client, p.Ack(said.id, self.seq))
        if all(other.ready for other in self.seats):
            self.begin()
        else:
            self.room_changed()

    def read_deck(self, text: str) -> DeckList:
        try:
            decks = parse_decks(text)
            check_decks(decks.decks, self.regulation)
        except DeckError as error:
            raise Refused("deck", "; ".join(error.defects)[:600], "、".join(error.defects_ja)[:600], "R-190") from None
        return decks

    def asked(self, client: Client, seq: int) -> Table:
        """The table, if this client's seat is the one that is asked at this very moment."""
        place = self.seat_of(client)
        table = self.playing()
        if seq != self.seq:
            raise Refused(
                "late", f"that was number {seq}, the game is at {self.seq}", f"{seq}番の選択はもう終わっています"
            )
        if table.player != place:
            raise Refused("other", "the other player is the one to choose", "選ぶのは相手です", "R-17")
        if self.pending is not None or self.verdict is None:
            raise Refused("late", "that has been answered", "もう答えました")
        return table

    def on_act(self, client: Client, said: p.Act) -> None:
        table = self.asked(client, said.seq)
        game = table.game
        place = self.seat_of(client)
        if isinstance(said.words, list):
            options = self.deck_option(table, said.words) if game is None else asking.sentence(game.engine, said.words)
        elif isinstance(said.text, str):
            if game is None:
                options = self.deck_option(table, said.text.split())
            else:
                options = list(game.parse(said.text, place).options)
        else:
            raise Refused("empty", "an answer needs words or text", "言葉がありません")
        seat = self.seats[place]
        seat.accepted = self.seq
        seat.assist.hold = False
        self.send(client, p.Ack(said.id, self.seq))
        self.accept("say", place, options)
        self.go_on()

    def deck_option(self, table: Table, words: list[str]) -> list[int]:
        number = " ".join(words).split()[-1] if "".join(words).strip() else ""
        if len(number) > 1 or not number.isdecimal() or int(number) not in table.options:
            raise IllegalMove("that deck cannot be picked", "そのデッキは選べません", "R-201")
        return [int(number)]

    def on_draft(self, client: Client, said: p.Draft) -> None:
        table = self.asked(client, said.seq)
        if table.game is None:
            raise Refused("deck", "a deck is chosen with one word", "デッキは一言で選びます")
        self.send(client, asking.draft(table.game.engine, said.words, said.id, self.seq, client.lang))

    def on_assist(self, client: Client, said: p.Assist) -> None:
        place = self.seat_of(client)
        assist = self.seats[place].assist
        if isinstance(said.mode, str):
            assist.mode = said.mode
            self.changed = True
        if isinstance(said.stops, list):
            assist.stops = set(said.stops)
            self.changed = True
        if isinstance(said.arm, list):
            assist.arm = set(said.arm)
        if isinstance(said.hold, bool):
            assist.hold = said.hold
        if isinstance(said.skip, str):
            assist.skip = said.skip
        if isinstance(said.accept, bool):
            assist.accept = said.accept
        for other in self.clients.values():
            if other.seat == place:
                self.send(other, self.assist_state(place, said.id if other is client else 0))
        self.reconsider(place)

    def assist_state(self, place: int, id: int = 0) -> p.AssistState:
        assist = self.seats[place].assist
        return p.AssistState(
            assist.mode,  # type: ignore[arg-type]
            sorted(assist.stops),  # type: ignore[arg-type]
            sorted(assist.arm),
            assist.hold,
            assist.skip,  # type: ignore[arg-type]
            assist.accept,
            id,
        )

    def reconsider(self, place: int) -> None:
        """New settings of the seat that is being asked: a skip passes at once. A window that is being passed stays so,
        unless it is held: then it is taken back, since nothing has happened yet."""
        engine = self.engine()
        if engine is None or engine.asked != place or self.seats[place].kind != "human":
            return
        pending = self.pending
        if pending is None and self.verdict is not None:
            self.verdict = None
            self.go_on(reopen=False)

    def on_resign(self, client: Client, said: p.Resign) -> None:
        place = self.seat_of(client)
        if self.playing().game is None:
            raise Refused("no_game", "no game is being played", "ゲーム中ではありません", "R-223")
        self.send(client, p.Ack(said.id, self.seq))
        self.drop_pending()
        self.accept("resign", place, [])
        self.go_on()

    # -- offers --------------------------------------------------------------------------------------------------

    def on_propose(self, client: Client, said: p.Propose) -> None:
        place = self.seat_of(client)
        other = self.seats[1 - place]
        seq = 0
        if said.kind == "rematch":
            if self.phase != "over":
                raise Refused("phase", "the match is not over", "マッチはまだ終わっていません")
        else:
            self.playing()
            if self.game_in_play() is None:
                raise Refused("no_game", "no game is being played", "ゲーム中ではありません")
            if said.kind == "rewind":
                seq = self.rewind_to(place, said.seq)
        if said.kind == "draw" and other.kind == "ai":
            raise Refused("ai", "a computer player accepts no draw", "AIは引き分けに応じません")
        self.send(client, p.Ack(said.id, self.seq))
        if other.kind == "ai":
            self.settle(said.kind, place, seq)
            return
        open_ = self.offers.get(said.kind)
        if open_ is not None and open_[0] != place and said.kind != "rewind":
            self.settle(said.kind, open_[0], open_[1])  # both want it
            return
        self.offers[said.kind] = (place, seq)
        self.tell_offer(said.kind, place, "open", seq)

    def on_reply(self, client: Client, said: p.Reply) -> None:
        place = self.seat_of(client)
        offer = self.offers.get(said.kind)
        if offer is None or offer[0] == place:
            raise Refused("no_offer", "there is no such offer", "その申し出はありません")
        self.send(client, p.Ack(said.id, self.seq))
        if said.accept:
            self.settle(said.kind, *offer)
        else:
            del self.offers[said.kind]
            self.tell_offer(said.kind, offer[0], "declined", offer[1])

    def settle(self, kind: str, by: int, seq: int) -> None:
        """An offer is taken."""
        self.offers.pop(kind, None)
        self.tell_offer(kind, by, "taken", seq)
        if kind == "rematch":
            self.wait_again()
            return
        self.drop_pending()
        self.accept(kind, by, [seq] if kind == "rewind" else [])
        self.go_on()

    def tell_offer(self, kind: str, by: int, state: str, seq: int) -> None:
        for client in self.clients.values():
            self.send(client, p.Offer(kind, NAMES[by], state, seq))  # type: ignore[arg-type]

    def rewind_to(self, place: int, wanted: int) -> int:
        """The number of an own decision of the game in play."""
        part = self.marks[-1][0] if self.marks else 0
        own = [
            entry.seq
            for entry in self.entries[: self.seq]
            if entry.kind == "say" and entry.seat == place and self.marks[entry.seq][0] == part
        ]
        cut = [entry.options[0] for entry in self.entries[: self.seq] if entry.kind == "rewind"]
        own = [seq for seq in own if not any(seq >= at and seq < self.rewound_at(at) for at in cut)]
        if wanted:
            own = [seq for seq in own if seq == wanted]
        if not own or self.current_part() != part:
            raise Refused("rewind", "there is nothing to go back to", "戻れる手がありません")
        return own[-1]

    def rewound_at(self, to: int) -> int:
        return max(entry.seq for entry in self.entries[: self.seq] if entry.kind == "rewind" and entry.options[0] == to)

    def wait_again(self) -> None:
        """After a match: the same people, a new secret."""
        self.phase = "waiting"
        self.secret = fairness.new_secret()
        self.start = ""
        self.practice = False
        for seat in self.seats:
            seat.ready = seat.kind == "ai"
            seat.salt = ""
        self.changed = True
        self.room_changed()

    # -- playing -------------------------------------------------------------------------------------------------

    def engine(self) -> Engine | None:
        game = self.game_in_play()
        return None if game is None else game.engine

    def game_in_play(self) -> Game | None:
        return None if self.table is None or self.phase != "playing" else self.table.game

    def current_part(self) -> int:
        return 0 if self.table is None else len(self.table.picked)

    def begin(self) -> None:
        """Both are ready."""
        self.game += 1
        self.phase = "playing"
        self.entries = []
        self.results = []
        self.offers = {}
        for seat in self.seats:
            seat.accepted = -1
            seat.plan = []
            seat.clock = new_clock(self.settings.clock)
            if seat.kind == "human" and seat.clients == 0:
                seat.clock.lost = self.now
        for client in self.clients.values():
            client.game, client.seq = self.game, -1
        self.changed = True
        self.lay_table()
        self.room_changed()
        self.go_on()

    def lay_table(self) -> None:
        """The table before the first sentence: a function of the room's row alone."""
        self.seq = 0
        self.marks = []
        self.seqs = []
        self.results = []
        self.parts = []
        self.pending = None
        self.verdict = None
        langs = list(self.feed.narrators)
        self.feed = Feed()
        key = fairness.key_of(self.secret, (self.seats[0].salt, self.seats[1].salt))
        decks = [parse_decks(seat.deck) if seat.deck else None for seat in self.seats]
        self.table = Table(self.regulation, key, decks, read_start(self.start) if self.start else None)
        self.table.names = [seat.name for seat in self.seats]
        for lang in langs:
            self.feed.begin(lang, None, [])
        self.game_started()

    def game_started(self) -> None:
        """Tell of the deal."""
        table = self.table
        assert table is not None
        game = table.game
        if game is not None:
            game.names = table.names[:]
            self.seqs = []
            self.feed.add(self.seq, [told.event for told in game.events_told[: game.first_events]], game.engine)

    def accept(self, kind: str, seat: int, options: list[int], why: str = "", stop: str = "") -> None:
        """A sentence is final: it will be stored, and happens now or when its window ends."""
        for other in self.seats:
            other.clock.stop(self.now)
        left = (self.seats[0].clock.left, self.seats[1].clock.left)
        entry = Entry(self.game, self.seq, kind, seat, options, self.now, left, why, stop)
        self.entries.append(entry)
        self.fresh.append(entry)
        if kind in ("say", "auto") and self.now < self.release:
            self.pending = entry
        else:
            self.apply(entry)

    def drop_pending(self) -> None:
        """An answer that waits for its window to end happens before anything else does."""
        if self.pending is not None:
            entry, self.pending = self.pending, None
            self.apply(entry)

    def apply(self, entry: Entry) -> None:
        """Let an entry happen. Everything here follows from the entries alone."""
        table = self.table
        assert table is not None
        game = table.game
        part = self.current_part()
        self.marks.append((part, 0 if game is None else len(game.history)))
        self.verdict = None
        self.deadline = None
        finished = len(table.games)
        self.seq += 1
        if entry.kind in ("say", "auto"):
            self.push(table, game, entry)
        elif entry.kind == "rewind":
            self.rewind(table, entry)
        elif game is not None and entry.kind == "draw":
            game.engine.draft = None
            game.engine.winner = DRAW
            game.engine.finish()
            table.go_on()
        else:
            table.resign(entry.seat)
        if entry.kind not in ("say", "auto", "rewind"):
            self.offers = {}
        if len(table.games) > finished and game is not None:
            self.game_ended(game, entry)
        if table.game is not None and table.game is not game:
            self.game_started()

    def push(self, table: Table, game: Game | None, entry: Entry) -> None:
        if game is None:
            table.push(entry.options[0])
            return
        engine = game.engine
        self.feed.before(engine)
        raw: list[Event] = []
        engine.log = raw
        for option in entry.options:
            table.push(option)
            self.seqs.append(self.seq)
        engine.log = None
        self.feed.add(self.seq, raw, engine)
        if entry.kind == "auto":
            self.feed.passed(self.seq, entry.seat, entry.why, entry.stop)

    def rewind(self, table: Table, entry: Entry) -> None:
        part, length = self.marks[entry.options[0]]
        game = table.game
        if game is None or part != self.current_part():
            return
        game.go_to(length)
        del self.seqs[length:]
        self.practice = True
        self.changed = True

    def game_ended(self, game: Game, entry: Entry) -> None:
        self.last = game
        table = self.table
        assert table is not None
        over = game.outcome()
        winner = None if over is None else over.winner
        reason = entry.kind if entry.kind in ("time", "draw") else "abandoned" if entry.kind == "abandon" else ""
        reason = reason or ("resigned" if over is None else over.reason)
        match = table.outcome() is not None
        result = p.Over(self.game, "draw" if winner is None else NAMES[winner], reason, match)
        if match:
            for number, earlier in enumerate([*self.results, result], 1):
                earlier.record = share_id(self.secret, self.game, number)
            result.commitment = fairness.commitment(self.secret)
            result.secret = self.secret.hex()
            result.salts = [seat.salt for seat in self.seats]
        self.results.append(result)
        self.parts.append((game, reason, entry.at))
        if match:
            for number, (played, why, at) in enumerate(self.parts, 1):
                self.keep_record(played, number, why, at)

    def keep_record(self, game: Game, part: int, reason: str, at: float) -> None:
        """Records are kept once the match is over: one tells which cards a deck has (R-201), and opens the secret."""
        over = game.outcome()
        winner = None if over is None else over.winner
        meta = {
            "room": self.id,
            "regulation": self.regulation.text,
            "names": [seat.name for seat in self.seats],
            "levels": [seat.level for seat in self.seats],
            "winner": "draw" if winner is None else NAMES[winner],
            "reason": reason,
            "turns": int(game.turn_number),
            "practice": self.practice,
            "at": at,
            "part": part,
        }
        share = share_id(self.secret, self.game, part)
        self.done.append(Finished(self.game, part, share, self.record_of(game, part, reason), meta))

    def record_of(self, game: Game, part: int, reason: str) -> str:
        """The record with what a verifier needs, as comments."""
        agreed = reason == "draw"
        winner = game.engine.winner
        if agreed:
            game.engine.winner = -1  # no move of the notation says it
        text = game.record()
        game.engine.winner = winner
        lines = [
            f"# commitment: {fairness.commitment(self.secret)}",
            f"# secret: {self.secret.hex()}",
            *(f"# salt {name}: {seat.salt}" for name, seat in zip(NAMES, self.seats, strict=True)),
            f"# stream: {part}",
            f"# ended: {reason}",
        ]
        head, _, rest = text.partition("\n")
        return "\n".join([head, *lines, rest])

    # -- going on ------------------------------------------------------------------------------------------------

    def go_on(self, reopen: bool = True) -> None:
        """Pass for whoever need not be asked, until somebody must choose; then tell everybody."""
        while self.phase == "playing" and self.pending is None:
            table = self.table
            assert table is not None
            if table.outcome() is not None:
                self.match_over()
                break
            place = table.player
            seat = self.seats[place]
            if reopen:
                self.opened = self.release = self.now
            if seat.kind == "ai":
                break
            verdict = self.judge(seat, table)
            if reopen and verdict.timed:
                self.release = self.now + self.wait
            reopen = True
            if verdict.option is None and not self.planned(seat, table):
                self.prompt(seat, verdict)
                break
            if verdict.option is not None:
                stop = verdict.window if verdict.window in autopass.STOPS else ""
                self.accept("auto", place, [verdict.option], verdict.why, stop)
        self.tell_all()

    def judge(self, seat: Seat, table: Table) -> Verdict:
        if table.game is None:
            return Verdict(None, "choice", "")
        return autopass.decide(table.game.engine, seat.assist)

    def planned(self, seat: Seat, table: Table) -> bool:
        """Attackers picked in advance, if they still can attack (R-60)."""
        game = table.game
        if not seat.plan or game is None or game.engine.kind != ATTACKERS_KIND:
            return False
        words, seat.plan = seat.plan, []
        try:
            options = asking.sentence(game.engine, words)
        except IllegalMove:
            return False
        self.accept("say", int(game.engine.asked), options)
        return True

    def prompt(self, seat: Seat, verdict: Verdict) -> None:
        self.verdict = verdict
        rules = self.settings.clock
        if rules.bank:
            seat.clock.start(self.release, rules.each)
        self.deadline = None
        if rules.chance and self.between_people and verdict.window not in ("main", "choice", "trigger"):
            self.deadline = self.release + rules.chance

    def match_over(self) -> None:
        self.phase = "over"
        self.offers = {}
        self.verdict = None
        self.deadline = None
        for seat in self.seats:
            seat.clock.stop(self.now)
        self.changed = True
        self.tell_all()
        self.tell_results()
        self.room_changed()

    def tell_results(self) -> None:
        for client in self.clients.values():
            for result in self.results:
                self.send_result(client, result)

    def bot_said(self, place: int, seq: int, options: list[int], now: float) -> bool:
        """A computer player has chosen; False where the game has moved on meanwhile."""
        self.now = now
        wanted = self.bot_wanted()
        if wanted is None or wanted[:2] != (place, seq):
            return False
        self.accept("say", place, options)
        self.go_on()
        return True

    def tick(self, now: float) -> None:
        """Time has passed."""
        before = self.now
        self.now = now
        while self.late and self.late[0][0] <= now:
            _, key, message = self.late.pop(0)
            self.out.append((key, message))
        if self.phase != "playing":
            return
        if self.pending is not None and now >= self.release:
            self.drop_pending()
            self.go_on()
            return
        if self.verdict is not None and before < self.release <= now and self.wait:
            self.tell_all()  # a clock runs from here on
        if self.deadline is not None and now >= self.deadline:
            self.time_out()
            return
        for place, seat in enumerate(self.seats):
            end = seat.clock.runs_out() if self.settings.clock.bank else None
            if end is not None and now >= end:
                self.drop_pending()
                self.accept("time", place, [])
                self.go_on()
                return
            if seat.kind == "human" and seat.gone is not None and now >= seat.gone + self.patience():
                self.abandon(place)
                return

    def time_out(self) -> None:
        """A chance that times out passes; it never acts."""
        engine = self.engine()
        self.deadline = None
        if engine is not None and engine.kind == CHANCE_KIND and PASS in engine.options:
            self.accept("auto", int(engine.asked), [PASS], "time")
            self.go_on()

    def abandon(self, place: int) -> None:
        """Somebody left for good. With both gone nobody has won."""
        self.drop_pending()
        table = self.table
        assert table is not None
        both = all(seat.kind != "human" or seat.gone is not None for seat in self.seats)
        while self.phase == "playing" and table.outcome() is None:
            if table.game is None:
                self.accept("auto", table.player, [table.options[0]])
            else:
                self.accept("draw" if both and self.between_people else "abandon", place, [])
        self.go_on()

    # -- telling -------------------------------------------------------------------------------------------------

    def send(self, client: Client, message: p.ServerMessage) -> None:
        self.out.append((client.key, message))

    def info(self) -> p.RoomInfo:
        def shown(seat: Seat) -> p.SeatInfo:
            connected = seat.kind == "ai" or seat.clients > 0
            return p.SeatInfo(seat.kind, seat.name, connected, seat.ready, seat.level)

        return p.RoomInfo(
            self.id,
            self.phase,  # type: ignore[arg-type]
            self.settings,
            shown(self.seats[0]),
            shown(self.seats[1]),
            self.game,
            sum(1 for client in self.clients.values() if client.seat is None),
            fairness.commitment(self.secret),
            self.practice,
        )

    def info_as(self, phase: str) -> p.RoomInfo:
        """The same of a room that has not been brought up to date."""
        info = self.info()
        info.phase = phase  # type: ignore[assignment]
        return info

    def room_changed(self, but: str = "") -> None:
        message = p.RoomState(self.info())
        for client in self.clients.values():
            if client.key != but:
                self.send(client, message)

    def tell_all(self) -> None:
        for client in self.clients.values():
            self.tell(client)

    def tell(self, client: Client) -> None:
        """Bring a client up to date."""
        audience = WATCHER if client.seat is None else client.seat
        table = self.table
        if table is None:
            return
        since = client.seq
        update = p.Update(self.game, self.seq, since, practice=self.practice)
        if self.phase == "playing" and table.player >= 0:
            update.waiting = NAMES[table.player]
        if client.seat is not None and table.player == client.seat and self.verdict is not None:
            update.ask = self.ask_for(client, table)
        update.events = self.feed.events_since(since, audience)
        if not client.lean:
            self.add_view(update, client, table)
        client.game, client.seq = self.game, self.seq
        if client.seat is None and self.settings.spectator_delay and self.phase == "playing":
            self.late.append((self.now + self.settings.spectator_delay, client.key, update))
        else:
            self.send(client, update)

    def ask_for(self, client: Client, table: Table) -> p.Ask:
        decision = table.decision if table.game is None else None
        if isinstance(decision, DeckDecision):
            return asking.ask_deck(decision, self.seq, client.lang)
        game = table.game
        verdict = self.verdict
        assert game is not None
        assert verdict is not None
        left = None if self.deadline is None else int(max(0.0, self.deadline - self.now) * 1000)
        return asking.ask(game.engine, self.seq, client.lang, client.lean, verdict.why, left)

    def add_view(self, update: p.Update, client: Client, table: Table) -> None:
        audience = WATCHER if client.seat is None else client.seat
        update.lines = self.feed.lines_since(update.since, audience, client.lang)
        game = table.game or self.last
        update.view = None if game is None else game.view(client.seat)
        if self.regulation.frame.decks > 1:
            update.match = table.view(client.seat)
            update.match["game"] = None
        if self.settings.clock.bank:
            for name, seat in zip(NAMES, self.seats, strict=True):
                shown = seat.clock.shown(self.now)
                if seat.clock.since is not None and seat.clock.since > self.now:
                    shown.running = False
                update.clocks[name] = shown

    def send_result(self, client: Client, result: p.Over) -> None:
        shown = p.Over(
            result.game, result.winner, result.reason, result.match, result.record, result.commitment, result.secret,
            result.salts,
        )  # fmt: skip
        if not client.lean and self.last is not None and result is self.results[-1]:
            shown.view = self.last.view(client.seat)
        self.send(client, shown)

    # -- keeping -------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """The room's own row: everything but the entries of its game."""
        return {
            "id": self.id,
            "settings": self.settings,
            "start": self.start,
            "phase": self.phase,
            "game": self.game,
            "secret": self.secret.hex(),
            "practice": self.practice,
            "seats": [
                {
                    "kind": seat.kind,
                    "guest": seat.guest,
                    "name": seat.name,
                    "level": seat.level,
                    "ready": seat.ready,
                    "salt": seat.salt,
                    "deck": seat.deck,
                    "mode": seat.assist.mode,
                    "stops": sorted(seat.assist.stops),
                }
                for seat in self.seats
            ],
        }

    @classmethod
    def load(cls, data: dict[str, Any], settings: p.RoomSettings, entries: list[Entry], now: float) -> Room:
        """The room as it was: every stored entry has happened, nobody is connected."""
        room = cls(data["id"], settings, now, data["start"])
        room.phase = data["phase"]
        room.game = data["game"]
        room.secret = bytes.fromhex(data["secret"])
        room.practice = data["practice"]
        for seat, kept in zip(room.seats, data["seats"], strict=True):
            for name in ("kind", "guest", "name", "level", "ready", "salt", "deck"):
                setattr(seat, name, kept[name])
            seat.assist.mode = kept["mode"]
            seat.assist.stops = set(kept["stops"])
            seat.clock = new_clock(settings.clock)
            if seat.kind == "human":
                seat.gone = now
                seat.clock.lost = now
        if room.phase == "waiting" or (room.game == 0):
            room.changed = False
            return room
        room.lay_table()
        for entry in entries:
            room.entries.append(entry)
            room.apply(entry)
            if entry.kind == "say":
                room.seats[entry.seat].accepted = entry.seq
            for place in (0, 1):
                room.seats[place].clock.left = entry.left[place]
        room.done = []
        room.changed = False
        if room.phase == "playing":
            room.go_on()
        return room


def read_start(text: str) -> Game:
    """A saved game (JSON), or a position."""
    return Game.from_json(text) if text.lstrip().startswith("{") else Game.from_position(text)


def share_id(secret: bytes, game: int, part: int) -> str:
    """The address of a record: nobody can guess it."""
    import hashlib

    return hashlib.sha256(b"blackpoker share 1\n" + secret + bytes((game % 256, part % 256))).hexdigest()[:20]
