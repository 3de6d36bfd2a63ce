"""A room: two seats, a game, its clients. Pure: no network, no database, no clock of its own.

The driver calls ``join``, ``leave``, ``receive``, ``bot_move`` and ``tick`` with the time. It collects the results with
``take``: entries to store, then messages to send once they are stored. ``due`` returns the time of the next ``tick``. A
game is the list of its entries; replaying them gives the same state.

Parts: ``seats`` (players and clients), ``room_game`` (the game made of entries), ``windows`` (prompts, response
windows, clocks), ``broadcast`` (messages to clients), ``messages`` and ``offers`` (messages from clients). The room
connects them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from blackpoker.assist import autopass
from blackpoker.assist.autopass import Verdict
from blackpoker.errors import BlackPokerError
from blackpoker.game import Game
from blackpoker.regulation import Regulation, edition_named, parse_decks, read_regulation, standard_edition
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.broadcast import Broadcast
from blackpoker.server.rooms.held import HeldTable, part_unplayed
from blackpoker.server.rooms.match import opening_of
from blackpoker.server.rooms.messages import Messages
from blackpoker.server.rooms.offers import RoomOffers
from blackpoker.server.rooms.seats import (
    Aside,
    GameEntry,
    MessageRefused,
    RoomClient,
    RoomOutcome,
    Seats,
    Spoken,
    WantedHint,
)
from blackpoker.server.rooms.table import RoomTable, Seal, read_start
from blackpoker.server.rooms.windows import Windows
from blackpoker.wire import protocol as p


class OtherRules(BlackPokerError):
    """Raised if a stored room was played under rules of another version."""


class Room:
    """Two seats and a game; the module's docstring describes how to drive it."""

    def __init__(
        self, id: str, settings: p.RoomSettings, now: float, start: str = "", held: HeldTable | None = None
    ) -> None:
        """``start``: a saved game or a position to play on from, instead of a deal. ``held``: the tournament's
        reservation."""
        self.id = id
        self.held = held
        self.settings = settings
        edition = read_start(start).regulation.edition if start else None  # a saved game keeps its own edition
        self.regulation: Regulation = read_regulation(settings.regulation, edition)
        settings.regulation = self.regulation.text  # canonical name: it is part of the terms
        self.start: str = start
        self.begins: str = fairness.start_of(*opening_of(read_start(start))) if start else fairness.DEAL
        self.phase: str = "waiting"
        self.game: int = 0
        self.since: float = now  # time of the last public change; see `RoomSummary`
        self.secret: bytes = fairness.new_secret()
        self.fair: int = fairness.VERSION  # version of the shuffle scheme; a game keeps the version it began with
        self.seats: Seats = Seats(settings)
        if held is not None:
            self.seats.hold(held.guests, held.names)
        self.table: RoomTable = RoomTable(self.regulation)
        self.table.practice = bool(start)
        self.windows: Windows = Windows(settings, self.seats, now)
        self.broadcast: Broadcast = Broadcast(self)
        self.messages: Messages = Messages(self)
        self.offers: RoomOffers = RoomOffers(self)
        self.outside: list[tuple[str, int, list[int]]] = []  # ends and rewinds to apply after the open window
        self.chat: list[Spoken] = []
        self.asides: list[Aside] = []  # reports and mute requests of clients
        self.hint: WantedHint | None = None  # at most one
        self.invited: str = ""  # the guest matched to this room
        self.meeting: float | None = None  # deadline for two matched players to begin
        self.now: float = now
        self.touched: float = now  # time of the last call by a client
        self.changed: bool = True
        self.noticed: bool = False  # True if all clients need an update
        self.fresh: list[GameEntry] = []
        self.again: list[GameEntry] = []

    # -- driver interface --------------------------------------------------------------------------------------------

    def take(self) -> RoomOutcome:
        """Return the results of the calls since the last ``take``."""
        row = self.dump() if self.changed else None
        outcome = RoomOutcome(row, self.fresh, self.again, self.table.finished, self.broadcast.out)
        self.changed = False
        self.fresh, self.again, self.table.finished, self.broadcast.out = [], [], [], []
        return outcome

    def take_asides(self) -> list[Aside]:
        asides, self.asides = self.asides, []
        return asides

    def due(self) -> float | None:
        """Return the time at which ``tick`` is next needed, or None."""
        times = self.broadcast.due()
        if self.meeting is not None:
            times.append(self.meeting)
        if self.held is not None and self.new:
            times.append(self.held.until)
        if self.phase == "playing":
            times += self.windows.due(self.now, bool(self.outside))
        return min(times) if times else None

    def idle_since(self) -> float:
        """Return the time of the last activity; an unused room can be evicted some time after it."""
        return self.touched

    @property
    def new(self) -> bool:
        """True if no game has been played yet."""
        return self.phase == "waiting" and self.game == 0

    def info(self) -> p.RoomInfo:
        """Return the room as its clients see it."""
        return self.broadcast.info()

    def info_for(self, guest: str, now: float) -> p.RoomInfo:
        """Return the room as this guest may see it; delayed unless the guest has a seat."""
        if any(guest and seat.kind == "human" and seat.guest == guest for seat in self.seats):
            return self.broadcast.info()
        return self.broadcast.told_info(now)

    @property
    def terms(self) -> fairness.Terms:
        """Return the terms of the present game, or of the next one while waiting."""
        first, second = self.seats
        return fairness.Terms(
            fairness.room_tag(self.id),
            self.game + (self.phase == "waiting"),
            self.regulation.text,
            self.regulation.edition.text,
            self.begins,
            fairness.commitment(self.secret),
            (f"{first.kind} {first.level}".rstrip(), f"{second.kind} {second.level}".rstrip()),
            (first.seal, second.seal),
        )

    @property
    def practice(self) -> bool:
        """True if the game was rewound or started from a position."""
        return self.table.practice

    def game_in_play(self) -> Game | None:
        return self.table.game if self.phase == "playing" else None

    def playing(self) -> None:
        if self.phase != "playing":
            raise MessageRefused("no_game", "no game is being played", "ゲーム中ではありません")

    # -- joining, leaving, chat --------------------------------------------------------------------------------------

    def join(self, client: RoomClient, said: p.Join, now: float) -> None:
        self.now = self.touched = now
        client.seat = self.seats.find(
            client, said.seat, self.new and self.held is None, self.quick and client.guest != self.invited
        )
        if client.seat is None and not self.settings.spectators:
            raise MessageRefused("no_watching", "nobody may watch this room", "この部屋は観戦できません")
        if said.seat == "cast":
            self.messages.check_cast()
            client.caster = True
        if self.seats.full_for(client):
            raise MessageRefused("full", "too many people are here", "部屋がいっぱいです")
        client.lang = said.lang
        client.detail = said.detail
        client.game, client.seq = said.game, said.since
        if client.game != self.game or client.seq > self.table.seq:
            client.game, client.seq = self.game, -1
        if self.seats.enter(client, now):
            self.changed = True
            if self.phase == "waiting":
                self.since = now
        with self.broadcast.on_beat(client):
            self.broadcast.welcome(client, said.id)

    def leave(self, key: str, now: float) -> None:
        self.now = self.touched = now
        client = self.seats.leave(key, now)
        if client is None:
            return
        place = client.seat
        if place is not None and self.seats[place].clients == 0:
            if self.new and self.held is None and (self.quick or not self.seats[place].ready):
                self.free(place)
        if place is None:
            self.broadcast.delayed.left(list(self.seats.clients.values()))
            self.broadcast.stir()
            return
        with self.broadcast.on_beat(client):
            self.broadcast.room_changed()

    def free(self, place: int) -> None:
        """Free a seat that its player left before the first game."""
        self.seats.free(place)
        self.since, self.changed, self.meeting = self.now, True, None
        if any(seat.terms for seat in self.seats):
            self.new_secret()  # an open salt belongs to another game

    # -- quick matches -----------------------------------------------------------------------------------------------

    @property
    def quick(self) -> bool:
        """True while a player waits here for a matched opponent."""
        return self.settings.quick and self.new

    @property
    def waiter(self) -> int | None:
        """Return the seat of a single connected player who is ready to be matched, or None."""
        here = [place for place, seat in enumerate(self.seats) if seat.kind == "human"]
        if not self.quick or len(here) != 1:
            return None
        seat = self.seats[here[0]]
        return here[0] if seat.eager and seat.clients else None

    def part(self) -> None:
        """End a pairing if its players have not begun in time. Players who are not ready lose their seats; the other
        one keeps waiting."""
        self.meeting, self.invited = None, ""
        both = all(seat.ready for seat in self.seats)
        late = [
            place
            for place, seat in enumerate(self.seats)
            if seat.kind == "human" and not (seat.ready and (not both or seat.told or seat.terms))
        ]
        for place in late:
            gone = self.seats.at(place)
            self.free(place)
            for client in gone:
                client.seat = None
                self.broadcast.welcome(client, 0)
        self.broadcast.room_changed()

    def receive(self, key: str, said: p.ClientMessage, now: float) -> None:
        """Handle a message of a client that has joined."""
        self.now = self.touched = now
        self.messages.receive(self.seats.clients[key], said)

    def may_talk(self, client: RoomClient) -> None:
        """Raise `MessageRefused` if the client's messages to all others exceed the rate limit."""
        if not self.seats.may_talk(client, self.now):
            raise MessageRefused("rate", "that is too much at once; wait a few seconds", "少し待ってから送ってください")

    # -- playing -----------------------------------------------------------------------------------------------------

    def begin_if_ready(self) -> None:
        """Begin the game once both seats are ready and every salt is open; until then send the progress."""
        if all(seat.ready for seat in self.seats) and self.seats.opened(self.terms.hash):
            self.begin()
        else:
            self.broadcast.room_changed()

    def begin(self) -> None:
        self.phase, self.meeting = "playing", None
        self.game += 1
        self.since = self.now
        self.settings.rated = self.settings.rated and (self.held is None or self.seats.strangers)
        self.offers.clear()
        self.seats.begin(self.now)
        for client in self.seats.clients.values():
            client.game, client.seq = self.game, -1
        self.changed = True
        self.lay_table()
        self.broadcast.room_changed()
        self.go_on()

    def lay_table(self) -> None:
        """Set up the game before the first move, from the room's row alone (deterministic)."""
        first, second = self.seats
        seal = Seal(
            self.terms,
            self.secret,
            (first.salt, second.salt),
            (first.deck, second.deck),
            (first.name, second.name),
            (first.level, second.level),
            self.fair,
            (first.account, second.account),
            self.settings.quick and self.game == 1,  # only the first game is the matched one
            (first.player, second.player),
            self.settings.rated and self.game == 1,
            None if self.held is None else self.held.told(),
        )
        decks = [parse_decks(seat.deck) if seat.deck else None for seat in self.seats]
        self.table.lay(seal, decks, read_start(self.start) if self.start else None, bool(self.start))
        self.windows.pending = None
        self.windows.answered()
        self.outside = []

    def accept(self, kind: str, seat: int, options: list[int], why: str = "", stop: str = "") -> None:
        """Store a final move and apply it, now or when its window ends."""
        left = self.windows.stop_clocks(self.now)
        entry = GameEntry(self.game, self.table.seq, kind, seat, options, self.now, left, why, stop)
        waits = self.now < self.windows.release
        if kind != "auto" or not waits:  # an automatic pass is not stored before its window ends
            self.keep(entry)
        if waits:
            self.windows.pending = entry
        else:
            self.apply(entry)

    def keep(self, entry: GameEntry) -> None:
        self.table.entries.append(entry)
        self.fresh.append(entry)

    def apply(self, entry: GameEntry) -> None:
        played = len(self.table.results)
        practice = self.practice
        self.windows.answered()
        self.table.apply(entry)
        if entry.kind == "rewind":
            self.broadcast.tell_again()
        self.noticed = True
        if len(self.table.results) > played:
            self.offers.clear()
        self.changed = self.changed or practice != self.practice

    def conclude(self, kind: str, seat: int, options: list[int]) -> None:
        """Apply an event from outside the rules to the game in play, now or when the open window ends. A move that
        waits there is applied first and may end the game before it."""
        if self.now < self.windows.release:
            self.outside.append((kind, seat, options))
            return
        self.accept(kind, seat, options)
        self.go_on()

    def end_window(self) -> None:
        """Apply the waiting move, then the events from outside that arrived meanwhile."""
        entry, self.windows.pending = self.windows.pending, None
        outside, self.outside = self.outside, []
        game = self.table.game
        if entry is not None:
            # Every window ends with one row and one entry written, so that the duration of the commit shows nothing.
            self.changed = True
            if entry.kind == "say":
                self.again.append(entry)
            else:
                self.keep(entry)
            self.apply(entry)
        for kind, seat, options in outside:
            if game is not None and self.game_in_play() is game:
                self.accept(kind, seat, options)
        gone = self.windows.left_for_good(self.now)
        if gone is not None:
            self.abandon(gone)
        elif entry is not None or outside:
            self.go_on()
        elif self.windows.start_clock(self.table.player, self.now):
            self.broadcast.update_all()  # a clock starts to run here

    def go_on(self, reopen: bool = True) -> None:
        """Pass automatically until a player must choose, then send updates. If no other client may notice anything,
        only the asked seat receives one. ``reopen``: the decision is a new one."""
        while self.phase == "playing" and self.windows.pending is None:
            if self.table.over:
                self.match_over()
                return
            place = self.table.player
            seat = self.seats[place]
            self.noticed = self.noticed or reopen
            if seat.kind == "ai":
                self.windows.open(self.now)
                break
            verdict = self.windows.judge(seat, self.table.game)
            fresh, reopen = reopen, True
            if fresh:
                self.windows.open(self.now, verdict)
            if verdict.option is not None:
                stop = verdict.window if verdict.window in autopass.STOPS else ""
                self.accept("auto", place, [verdict.option], verdict.why, stop)
                if fresh and self.windows.silent:
                    self.broadcast.as_if_asked(place, verdict)
                continue
            options = self.planned(place, verdict) if fresh else None
            if options is None:
                self.windows.ask(place, verdict, self.now)
                break
            self.accept("say", place, options)
        if self.noticed:
            self.noticed = False
            self.broadcast.update_all()
        elif self.table.player >= 0:
            self.broadcast.update_seat(self.table.player)

    def planned(self, place: int, verdict: Verdict) -> list[int] | None:
        """Return the planned attack as options, or None. Notify the player that the plan is used up, and of the reason
        if the attack is impossible; the player is then asked."""
        plan = self.windows.planned(self.seats[place], self.table.game, verdict)
        if plan.used:
            self.broadcast.assist_states(place)
        if plan.refused is not None:
            told = p.Error(
                0,
                "plan",
                f"the attack as you planned it is not possible: {plan.refused.en}",
                f"決めておいたとおりには攻撃できません：{plan.refused.ja}",
                plan.refused.ruling,
            )
            for client in self.seats.at(place):
                self.broadcast.send(client, told)
        return plan.options

    def reconsider(self, place: int) -> None:
        """Apply new settings to the seat that is being asked. A skip passes at once. An automatic pass that waits for
        its window to end is withdrawn if the setting is now to hold; no client has been notified of it."""
        game = self.game_in_play()
        windows = self.windows
        if game is None or game.player != place or self.seats[place].kind != "human":
            return
        if windows.pending is not None and windows.pending.kind == "auto":
            windows.pending = None
        if windows.pending is None:
            windows.answered()
            self.go_on(reopen=False)

    def match_over(self) -> None:
        self.phase = "over"
        self.since = self.now
        self.offers.clear()
        self.windows.answered()
        self.windows.stop_clocks(self.now)
        self.changed = True
        self.noticed = False
        self.broadcast.update_all()
        self.broadcast.results_all()
        self.broadcast.room_changed()

    def wait_again(self) -> None:
        """Prepare a rematch: same players, new secret."""
        self.phase = "waiting"
        self.since = self.now
        self.new_secret()
        self.start, self.begins = "", fairness.DEAL
        self.table.practice = False
        self.broadcast.room_changed()

    def new_secret(self) -> None:
        """Draw a new secret and discard all seals."""
        self.secret = fairness.new_secret()
        self.fair = fairness.VERSION
        self.seats.unseal()
        self.changed = True

    # -- computer players --------------------------------------------------------------------------------------------

    def bot_wanted(self) -> tuple[int, int, str] | None:
        """Return seat, seq and level (with playing style) of the computer player that must choose, or None."""
        place = self.table.player
        if self.phase != "playing" or self.windows.pending is not None or place < 0:
            return None
        seat = self.seats[place]
        temper = f":temper={self.settings.temper}" if self.settings.temper else ""
        return (place, self.table.seq, seat.level + temper) if seat.kind == "ai" else None

    def bot_said(self, place: int, seq: int, options: list[int], now: float) -> bool:
        """Apply a computer player's choice. Return False if the game has moved on meanwhile."""
        self.now = now
        wanted = self.bot_wanted()
        if wanted is None or wanted[:2] != (place, seq):
            return False
        self.accept("say", place, options)
        self.go_on()
        return True

    def hinted(self, wanted: WantedHint, told: p.Told, now: float) -> None:
        """Send a computed hint, unless the decision has changed meanwhile."""
        self.now = now
        self.hint = None
        client = self.seats.clients.get(wanted.key)
        if client is not None and self.table.seq == wanted.seq:
            self.broadcast.send(client, p.Hinted(wanted.id, wanted.seq, told, wanted.move))

    # -- time --------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Process everything that is due at ``now``."""
        before, self.now = self.now, now
        self.broadcast.tick(now)
        if self.meeting is not None and now >= self.meeting:
            self.part()
        if self.phase != "playing":
            if self.held is not None and self.new and now >= self.held.until:
                part_unplayed(self, self.held)
            return
        windows = self.windows
        if windows.decoy is not None and now >= windows.decoy:
            windows.decoy = None
            self.changed = True  # write the room at the time an answer would be written
        if now >= windows.release and (windows.pending is not None or self.outside or before < windows.release):
            self.end_window()
            return
        if windows.deadline is not None and now >= windows.deadline:
            self.time_out()
            return
        place = windows.out_of_time(now)
        if place is not None:
            self.out_of_time(place)
            return
        place = windows.left_for_good(now)
        if place is not None:
            self.abandon(place)

    def time_out(self) -> None:
        """Pass for a player who let a chance time out; it never acts."""
        game = self.game_in_play()
        self.windows.deadline = None
        if game is not None and game.kind == "chance" and "pass" in game.legal_moves:
            self.accept("auto", game.player, game.draft(["pass"]).options, "time")
            self.go_on()

    def out_of_time(self, place: int) -> None:
        """End the game of a player with an empty bank as lost. Between the games of a match pick the first deck."""
        match = self.table.match
        assert match is not None
        if match.game is None:
            self.accept("auto", place, [match.options[0]], "time")
            self.go_on()
        else:
            self.conclude("time", place, [])

    def abandon(self, place: int) -> None:
        """End the match after a player left for good; with both gone no player wins."""
        match = self.table.match
        assert match is not None
        both = all(seat.kind != "human" or seat.gone is not None for seat in self.seats)
        while not self.table.over:
            if match.game is None:
                self.accept("auto", match.player, [match.options[0]])
            else:
                self.accept("void" if both and self.seats.between_people else "abandon", place, [])
        self.go_on()

    # -- storage -----------------------------------------------------------------------------------------------------

    def untie(self) -> None:
        """Remove the references of the parts to this room, so that reference counting frees all of it at once."""
        for part in (self.broadcast, self.messages, self.offers):
            del part.room

    def dump(self) -> dict[str, Any]:
        """Return the room's own row: everything but the entries of its game."""
        return {
            "id": self.id,
            "settings": self.settings,
            "edition": self.regulation.edition.text,
            "start": self.start,
            "phase": self.phase,
            "game": self.game,
            "since": self.since,
            "secret": self.secret.hex(),
            "fair": self.fair,
            "practice": self.practice,
            "seats": self.seats.dump(),
            "held": self.held,
        }

    @classmethod
    def load(cls, data: dict[str, Any], settings: p.RoomSettings, entries: list[GameEntry], now: float) -> Room:
        """Restore a stored room with its entries applied and no clients. Raise `RulesChanged` if this server plays by
        other rules than the room did."""
        named = data.get("edition", standard_edition().name)  # missing in older rooms
        edition = edition_named(named)
        if not edition.is_named(named):
            ja, en = edition.why_not_named(named)
            raise OtherRules(f"the room cannot be played on: {en}", f"この部屋は続けられません：{ja}")
        held = msgspec.convert(data["held"], HeldTable) if data.get("held") else None
        room = cls(data["id"], settings, now, data["start"], held)
        if held is not None:
            held.taken_up(now)
        room.phase = data["phase"]
        room.game = data["game"]
        room.since = data.get("since", now)  # missing in older rooms
        room.secret = bytes.fromhex(data["secret"])
        room.fair = data.get("fair", 1)
        room.seats.load(data["seats"], now)
        if room.phase != "waiting" and room.game:
            room.lay_table()
            for entry in entries:
                room.table.entries.append(entry)
                room.apply(entry)
                if entry.kind == "say":
                    room.seats[entry.seat].accepted = entry.seq
                for place in (0, 1):
                    room.seats[place].clock.left = entry.left[place]
        room.table.practice = data["practice"]
        room.table.finished = []
        room.changed = False
        if room.phase == "playing":
            room.go_on()
        return room
