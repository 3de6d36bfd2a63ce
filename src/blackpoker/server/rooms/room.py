"""A room: two seats, a game, its clients. Pure: no network, no database, no clock of its own.

The driver calls ``join``, ``leave``, ``receive``, ``bot_move`` and ``tick`` with the time. It collects the results with
``take``: entries to store, then messages to send once they are stored. ``due`` returns the time of the next ``tick``. A
game is the list of its entries; replaying them gives the same state.

Parts: ``seats`` (players and clients), ``room_game`` (the game made of entries), ``windows`` (prompts, response
windows, clocks), ``broadcast`` (messages to clients), ``messages`` and ``offers`` (messages from clients). The room
connects them.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from blackpoker.assist import autopass
from blackpoker.assist.autopass import PassDecision
from blackpoker.errors import BlackPokerError
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.protocol import messages as p
from blackpoker.ruleset import Regulation, edition_for_record, parse_decks, read_regulation
from blackpoker.server.fairness import seal as fairness
from blackpoker.server.fairness.sealed_match import start_of_game
from blackpoker.server.rooms.broadcaster import Broadcaster
from blackpoker.server.rooms.casters import Casters
from blackpoker.server.rooms.game import GameSetup, RoomGame, parse_start
from blackpoker.server.rooms.handlers import MessageHandlers
from blackpoker.server.rooms.offers import RoomOffers
from blackpoker.server.rooms.response_window import ResponseWindow
from blackpoker.server.rooms.seats import (
    SEAT_NAMES,
    ChatEntry,
    GameEntry,
    HintRequest,
    MessageRefused,
    ModerationRequest,
    RoomChanges,
    RoomClient,
    Seats,
)
from blackpoker.server.rooms.spectator_delay import CASTER_LAG
from blackpoker.server.rooms.tournament_seat import ReservedTable, end_unplayed
from blackpoker.text.markup import RichText

#: the edition of rooms stored before they named theirs
_FORMER_EDITION: Final = "act6.1+ex6.30.1"


class RulesChanged(BlackPokerError):
    """Raised if a stored room was played under rules of another version."""


class Room:
    """Two seats and a game; the module's docstring describes how to drive it."""

    def __init__(
        self, id: str, settings: p.RoomSettings, now: float, start: str = "", reserved: ReservedTable | None = None
    ) -> None:
        """``start``: a saved game or a position to play on from, instead of a deal. ``held``: the tournament's
        reservation."""
        self.id = id
        self.reserved = reserved
        self.settings = settings
        edition = parse_start(start).regulation.edition if start else None  # a saved game keeps its own edition
        self.regulation: Regulation = read_regulation(settings.regulation, edition)
        settings.regulation = self.regulation.text  # canonical name: it is part of the terms
        self.start: str = start
        begun = start_of_game(parse_start(start)) if start else None
        self.start_hash: str = fairness.DEALT if begun is None else fairness.start_hash(begun.kind, begun.text)
        self.origin: str = ""  # keyed hash of the network that opened it, for the lobby
        self.phase: str = "waiting"
        self.game_number: int = 0
        self.since: float = now  # time of the last public change; see `RoomSummary`
        self.secret: bytes = fairness.new_secret()
        self.fairness_version: int = (
            fairness.VERSION
        )  # version of the shuffle scheme; a game keeps the version it began with
        self.seats: Seats = Seats(settings)
        if reserved is not None:
            self.seats.reserve(reserved.guests, reserved.names)
        self.room_game: RoomGame = RoomGame(self.regulation)
        self.room_game.practice = bool(start)
        self.windows: ResponseWindow = ResponseWindow(settings, self.seats, now)
        self.broadcast: Broadcaster = Broadcaster(self)
        self.messages: MessageHandlers = MessageHandlers(self)
        self.offers: RoomOffers = RoomOffers(self)
        self.casters: Casters = Casters(self)
        self.outside_events: list[tuple[str, int, list[int]]] = []  # ends and rewinds to apply after the open window
        self.chat: list[ChatEntry] = []
        self.moderation_requests: list[ModerationRequest] = []  # reports and mute requests of clients
        self.hint: HintRequest | None = None  # at most one
        self.matched_guest: str = ""  # the guest matched to this room
        self.pairing_deadline: float | None = None  # deadline for two matched players to begin
        self.now: float = now
        self.last_activity: float = now  # time of the last call by a client
        self.row_changed: bool = True
        self.update_needed: bool = False  # True if all clients need an update
        self.new_entries: list[GameEntry] = []
        self.rewritten_entries: list[GameEntry] = []

    # -- driver interface --------------------------------------------------------------------------------------------

    def take(self) -> RoomChanges:
        """Return the results of the calls since the last ``take``."""
        row = self.dump() if self.row_changed else None
        outcome = RoomChanges(
            row, self.new_entries, self.rewritten_entries, self.room_game.finished_games, self.broadcast.outbox
        )
        self.row_changed = False
        self.new_entries, self.rewritten_entries, self.room_game.finished_games, self.broadcast.outbox = [], [], [], []
        return outcome

    def take_moderation_requests(self) -> list[ModerationRequest]:
        asides, self.moderation_requests = self.moderation_requests, []
        return asides

    def due(self) -> float | None:
        """Return the time at which ``tick`` is next needed, or None."""
        times = self.broadcast.due()
        times += [time for time in (self.pairing_deadline, self.casters.send_due) if time is not None]
        if self.reserved is not None and self.unplayed:
            times.append(self.reserved.until)
        if self.phase == "playing":
            times += self.windows.due(self.now, bool(self.outside_events))
        return min(times) if times else None

    def idle_since(self) -> float:
        """Return the time of the last activity; an unused room can be evicted some time after it."""
        return self.last_activity

    @property
    def unplayed(self) -> bool:
        """True if no game has been played yet."""
        return self.phase == "waiting" and self.game_number == 0

    def info(self) -> p.RoomInfo:
        """Return the room as its clients see it."""
        return self.broadcast.info()

    def info_for_guest(self, guest: str, now: float) -> p.RoomInfo:
        """Return the room as this guest may see it; delayed unless the guest has a seat."""
        if any(guest and seat.kind == "human" and seat.guest == guest for seat in self.seats):
            return self.broadcast.info()
        return self.broadcast.spectator_info(now)

    @property
    def terms(self) -> fairness.Terms:
        """Return the terms of the present game, or of the next one while waiting."""
        seat1, seat2 = self.seats
        return fairness.Terms(
            fairness.room_tag(self.id),
            self.game_number + (self.phase == "waiting"),
            self.regulation.text,
            self.regulation.edition.text,
            self.start_hash,
            fairness.commitment(self.secret),
            (f"{seat1.kind} {seat1.level}".rstrip(), f"{seat2.kind} {seat2.level}".rstrip()),
            (seat1.seal, seat2.seal),
            (seat1.key, seat2.key),
            self.fairness_version,
        )

    @property
    def practice(self) -> bool:
        """True if the game was rewound or started from a position."""
        return self.room_game.practice

    def game_in_play(self) -> Game | None:
        return self.room_game.game if self.phase == "playing" else None

    def check_playing(self) -> None:
        if self.phase != "playing":
            raise MessageRefused("no_game", "no game is being played", "ゲーム中ではありません")

    # -- joining, leaving, chat --------------------------------------------------------------------------------------

    def join(self, client: RoomClient, message: p.Join, now: float) -> None:
        self.now = self.last_activity = now
        client.seat = self.seats.find_seat(
            client,
            message.seat,
            self.unplayed and self.reserved is None,
            self.quick and client.guest != self.matched_guest,
        )
        if client.seat is None and not self.settings.spectators:
            raise MessageRefused("no_watching", "nobody may watch this room", "この部屋は観戦できません")
        if message.seat == "caster":
            self.casters.check_request(client)
            client.wants_casting = True
            client.caster = self.casters.may_cast(client)
        if self.seats.is_full_for(client):
            raise MessageRefused("full", "too many people are here", "部屋がいっぱいです")
        client.lang = message.lang
        client.detail = message.detail
        client.game, client.seq = message.game, message.since
        if client.game != self.game_number or client.seq > self.room_game.seq:
            client.game, client.seq = self.game_number, -1
        if client.seat is not None:
            self.seats.note_player(client)
            self.seats[client.seat].back = message.back
            self.casters.apply()
        if self.seats.add_client(client, now):
            self.row_changed = True
            if self.phase == "waiting":
                self.since = now
        with self.broadcast.queue_if_responding(client):
            self.broadcast.welcome(client, message.id)
            self.casters.send_to(client)
        if client.wants_casting:
            self.casters.schedule()

    def leave(self, key: str, now: float) -> None:
        self.now = self.last_activity = now
        client = self.seats.remove_client(key, now)
        if client is None:
            return
        index = client.seat
        if index is not None and self.seats[index].clients == 0:
            if self.unplayed and self.reserved is None and (self.quick or not self.seats[index].ready):
                self.free(index)
        if client.wants_casting:
            self.casters.schedule()
        if index is None:
            self.broadcast.spectator_delay.drop_unused(list(self.seats.clients.values()))
            self.broadcast.schedule_viewer_count()
            return
        with self.broadcast.queue_if_responding(client):
            self.broadcast.room_changed()

    def free(self, index: int) -> None:
        """Free a seat that its player left before the first game."""
        self.seats.free(index)
        self.since, self.row_changed, self.pairing_deadline = self.now, True, None
        if any(seat.terms for seat in self.seats):
            self.new_secret()  # an open salt belongs to another game

    # -- quick matches -----------------------------------------------------------------------------------------------

    @property
    def quick(self) -> bool:
        """True while a player waits here for a matched opponent."""
        return self.settings.quick and self.unplayed

    @property
    def waiting_seat(self) -> int | None:
        """Return the seat of a single connected player who is ready to be matched, or None."""
        occupied = [index for index, seat in enumerate(self.seats) if seat.kind == "human"]
        if not self.quick or len(occupied) != 1:
            return None
        seat = self.seats[occupied[0]]
        return occupied[0] if seat.wants_game and seat.clients else None

    def end_pairing(self) -> None:
        """End a pairing if its players have not begun in time. Players who are not ready lose their seats; the other
        one keeps waiting."""
        self.pairing_deadline, self.matched_guest = None, ""
        both = all(seat.ready for seat in self.seats)
        unready = [
            place
            for place, seat in enumerate(self.seats)
            if seat.kind == "human" and not (seat.ready and (not both or seat.salt_public or seat.terms))
        ]
        for place in unready:
            clients = self.seats.clients_at(place)
            self.free(place)
            for client in clients:
                client.seat = None
                self.broadcast.welcome(client, 0)
        self.broadcast.room_changed()

    def forget_names(self, guests: set[str]) -> bool:
        """Remove the names of these guests from seats and chat; return True if there were any."""
        seats = [seat for seat in self.seats if seat.guest in guests and seat.name]
        for seat in seats:
            seat.name = ""
        lines = [entry for entry in self.chat if entry.guest in guests]
        self.chat = [entry for entry in self.chat if entry.guest not in guests]
        if seats:
            self.row_changed = True
            self.broadcast.room_changed()
        return bool(seats or lines)

    def receive(self, key: str, message: p.AnyClientMessage, now: float) -> None:
        """Handle a message of a client that has joined."""
        self.now = self.last_activity = now
        self.messages.receive(self.seats.clients[key], message)

    def check_rate(self, client: RoomClient) -> None:
        """Raise `MessageRefused` if the client's messages to all others exceed the rate limit."""
        if not self.seats.take_rate(client, self.now):
            raise MessageRefused("rate", "that is too much at once; wait a few seconds", "少し待ってから送ってください")

    # -- playing -----------------------------------------------------------------------------------------------------

    def begin_if_ready(self) -> None:
        """Begin the game once both seats are ready and every salt is open; until then send the progress."""
        if all(seat.ready for seat in self.seats) and self.seats.salts_open(self.terms.hash):
            self.begin_game()
        else:
            self.broadcast.room_changed()

    def begin_game(self) -> None:
        self.phase, self.pairing_deadline = "playing", None
        self.game_number += 1
        self.since = self.now
        self.settings.rated = self.settings.rated and (self.reserved is None or self.seats.different_addresses)
        self.offers.clear()
        self.seats.begin_game(self.now)
        self.broadcast.signatures = {}
        for client in self.seats.clients.values():
            client.game, client.seq = self.game_number, -1
        self.row_changed = True
        self.start_game()
        self.broadcast.room_changed()
        self.advance()

    def start_game(self) -> None:
        """Set up the game before the first move, from the room's row alone (deterministic)."""
        seat1, seat2 = self.seats
        seal = GameSetup(
            self.terms,
            self.secret,
            (seat1.salt, seat2.salt),
            (seat1.deck, seat2.deck),
            (seat1.name, seat2.name),
            (seat1.level, seat2.level),
            self.fairness_version,
            (seat1.bot_id, seat2.bot_id),
            self.settings.quick and self.game_number == 1,  # only the first game is the matched one
            (seat1.player_id, seat2.player_id),
            self.settings.rated and self.game_number == 1,
            None if self.reserved is None else self.reserved.record_meta(),
            (seat1.owner_id, seat2.owner_id),
        )
        decks = [parse_decks(seat.deck) if seat.deck else None for seat in self.seats]
        self.room_game.start(seal, decks, parse_start(self.start) if self.start else None, bool(self.start))
        self.windows.pending_move = None
        self.windows.clear_prompt()
        self.outside_events = []

    def submit(self, kind: str, seat: int, options: list[int], reason: str = "", stop: str = "") -> None:
        """Store a final move and apply it, now or when its window ends."""
        remaining = self.windows.stop_clocks(self.now)
        entry = GameEntry(self.game_number, self.room_game.seq, kind, seat, options, self.now, remaining, reason, stop)
        delayed = self.now < self.windows.release_at
        if kind != "auto" or not delayed:  # an automatic pass is not stored before its window ends
            self.store_entry(entry)
        if delayed:
            self.windows.pending_move = entry
        else:
            self.apply(entry)

    def store_entry(self, entry: GameEntry) -> None:
        self.room_game.entries.append(entry)
        self.new_entries.append(entry)

    def apply(self, entry: GameEntry) -> None:
        result_count = len(self.room_game.results)
        was_practice = self.practice
        self.windows.clear_prompt()
        self.broadcast.spectator_delay.decisions += 1
        self.room_game.apply(entry)
        if entry.kind == "rewind":
            self.broadcast.resend_log()
        self.update_needed = True
        if len(self.room_game.results) > result_count:
            self.offers.clear()
        self.row_changed = self.row_changed or was_practice != self.practice

    def apply_outside(self, kind: str, seat: int, options: list[int]) -> None:
        """Apply an event from outside the rules to the game in play, now or when the open window ends. A move that
        waits there is applied first and may end the game before it."""
        if self.now < self.windows.release_at:
            self.outside_events.append((kind, seat, options))
            return
        self.submit(kind, seat, options)
        self.advance()

    def end_window(self) -> None:
        """Apply the waiting move, then the events from outside that arrived meanwhile."""
        entry, self.windows.pending_move = self.windows.pending_move, None
        outside, self.outside_events = self.outside_events, []
        game = self.room_game.game
        if entry is not None:
            # Every window ends with one row and one entry written, so that the duration of the commit shows nothing.
            self.row_changed = True
            if entry.kind == "say":
                self.rewritten_entries.append(entry)
            else:
                self.store_entry(entry)
            self.apply(entry)
        for kind, seat, options in outside:
            if game is not None and self.game_in_play() is game:
                self.submit(kind, seat, options)
        absent = self.windows.abandoned_seat(self.now)
        if absent is not None:
            self.abandon(absent)
        elif entry is not None or outside:
            self.advance()
        elif self.windows.start_clock(self.room_game.player, self.now):
            self.broadcast.update_all()  # a clock starts to run here

    def advance(self, is_new: bool = True) -> None:
        """Pass automatically until a player must choose, then send updates. If no other client may notice anything,
        only the asked seat receives one. ``reopen``: the decision is a new one."""
        while self.phase == "playing" and self.windows.pending_move is None:
            if self.room_game.is_over:
                self.end_match()
                return
            player = self.room_game.player
            seat = self.seats[player]
            self.update_needed = self.update_needed or is_new
            if seat.kind == "ai":
                self.windows.open_window(self.now)
                break
            verdict = self.windows.decide(seat, self.room_game.game)
            first, is_new = is_new, True
            if first:
                self.windows.open_window(self.now, verdict)
            if verdict.option is not None:
                stop = verdict.window if verdict.window in autopass.STOPS else ""
                self.submit("auto", player, [verdict.option], verdict.reason, stop)
                if first and self.windows.has_hidden_pass:
                    self.broadcast.simulate_prompt(player, verdict)
                continue
            options = self.planned_attack(player, verdict) if first else None
            if options is None:
                self.windows.set_prompt(player, verdict, self.now)
                break
            self.submit("say", player, options)
        if self.update_needed:
            self.update_needed = False
            self.broadcast.update_all()
        elif self.room_game.player >= 0:
            self.broadcast.update_seat(self.room_game.player)

    def planned_attack(self, player: int, verdict: PassDecision) -> list[int] | None:
        """Return the planned attack as options, or None. Notify the player that the plan is used up, and of the reason
        if the attack is impossible; the player is then asked."""
        plan = self.windows.take_plan(self.seats[player], self.room_game.game, verdict)
        if plan.used:
            self.broadcast.assist_states(player)
        if plan.error is not None:
            message = p.Error(
                0,
                "plan",
                f"the attack as you planned it is not possible: {plan.error.en}",
                f"決めておいたとおりには攻撃できません：{plan.error.ja}",
                plan.error.ruling,
            )
            for client in self.seats.clients_at(player):
                self.broadcast.send(client, message)
        return plan.options

    def apply_settings(self, player: int) -> None:
        """Apply new settings to the seat that is being asked. A skip passes at once. An automatic pass that waits for
        its window to end is withdrawn if the setting is now to hold; no client has been notified of it."""
        game = self.game_in_play()
        windows = self.windows
        if game is None or game.player != SEAT_NAMES[player] or self.seats[player].kind != "human":
            return
        if windows.pending_move is not None and windows.pending_move.kind == "auto":
            windows.pending_move = None
        if windows.pending_move is None:
            windows.clear_prompt()
            self.advance(is_new=False)

    def end_match(self) -> None:
        self.phase = "over"
        self.since = self.now
        self.broadcast.spectator_delay.decisions += CASTER_LAG  # nothing is decided any more
        self.offers.clear()
        self.windows.clear_prompt()
        self.windows.stop_clocks(self.now)
        self.row_changed = True
        self.update_needed = False
        self.broadcast.update_all()
        self.broadcast.send_results_all()
        self.broadcast.room_changed()

    def prepare_rematch(self) -> None:
        """Prepare a rematch: same players, new secret."""
        self.phase = "waiting"
        self.since = self.now
        self.new_secret()
        self.start, self.start_hash = "", fairness.DEALT
        self.room_game.practice = False
        self.broadcast.room_changed()

    def new_secret(self) -> None:
        """Draw a new secret and discard all seals."""
        self.secret = fairness.new_secret()
        self.fairness_version = fairness.VERSION
        self.seats.unseal()
        self.row_changed = True

    # -- computer players --------------------------------------------------------------------------------------------

    def bot_turn(self) -> tuple[int, int, str] | None:
        """Return seat, seq and level (with playing style) of the computer player that must choose, or None."""
        player = self.room_game.player
        if self.phase != "playing" or self.windows.pending_move is not None or player < 0:
            return None
        seat = self.seats[player]
        style = f":temper={self.settings.temper}" if self.settings.temper else ""
        return (player, self.room_game.seq, seat.level + style) if seat.kind == "ai" else None

    def bot_move(self, player: int, seq: int, options: list[int], now: float) -> bool:
        """Apply a computer player's choice. Return False if the game has moved on meanwhile."""
        self.now = now
        turn = self.bot_turn()
        if turn is None or turn[:2] != (player, seq):
            return False
        self.submit("say", player, options)
        self.advance()
        return True

    def send_hint(self, request: HintRequest, text: RichText, now: float) -> None:
        """Send a computed hint, unless the decision has changed meanwhile."""
        self.now = now
        self.hint = None
        client = self.seats.clients.get(request.key)
        if client is not None and self.room_game.seq == request.seq:
            self.broadcast.send(client, p.Hint(request.id, request.seq, text, request.move))

    # -- time --------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Process everything that is due at ``now``."""
        previous, self.now = self.now, now
        self.broadcast.tick(now)
        if self.casters.send_due is not None and now >= self.casters.send_due:
            self.casters.send_all()
        if self.pairing_deadline is not None and now >= self.pairing_deadline:
            self.end_pairing()
        if self.phase != "playing":
            if self.reserved is not None and self.unplayed and now >= self.reserved.until:
                end_unplayed(self, self.reserved)
            return
        windows = self.windows
        if windows.decoy_write_at is not None and now >= windows.decoy_write_at:
            windows.decoy_write_at = None
            self.row_changed = True  # write the room at the time an answer would be written
        if now >= windows.release_at and (
            windows.pending_move is not None or self.outside_events or previous < windows.release_at
        ):
            self.end_window()
            return
        if windows.deadline is not None and now >= windows.deadline:
            self.time_out_chance()
            return
        player = windows.seat_out_of_time(now)
        if player is not None:
            self.lose_on_time(player)
            return
        player = windows.abandoned_seat(now)
        if player is not None:
            self.abandon(player)

    def time_out_chance(self) -> None:
        """Pass for a player who let a chance time out; it never acts."""
        game = self.game_in_play()
        self.windows.deadline = None
        if game is not None and Assistant(game).kind == "chance" and "pass" in game.legal_moves:
            self.submit("auto", int(game.player), game.draft(["pass"]).options, "time")
            self.advance()

    def lose_on_time(self, player: int) -> None:
        """End the game of a player with an empty bank as lost. Between the games of a match pick the first deck."""
        match = self.room_game.match
        assert match is not None
        if match.game is None:
            self.submit("auto", player, [match.options[0]], "time")
            self.advance()
        else:
            self.apply_outside("time", player, [])

    def abandon(self, player: int) -> None:
        """End the match after a player left for good; with both gone no player wins."""
        match = self.room_game.match
        assert match is not None
        both = all(seat.kind != "human" or seat.absent_since is not None for seat in self.seats)
        while not self.room_game.is_over:
            if match.game is None:
                self.submit("auto", int(match.player), [match.options[0]])
            else:
                self.submit("void" if both and self.seats.between_people else "abandon", player, [])
        self.advance()

    # -- storage -----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Remove the references of the parts to this room, so that reference counting frees all of it at once."""
        for part in (self.broadcast, self.messages, self.offers, self.casters):
            del part.room

    def dump(self) -> dict[str, Any]:
        """Return the room's own row: everything but the entries of its game."""
        return {
            "id": self.id,
            "settings": self.settings,
            "edition": self.regulation.edition.text,
            "start": self.start,
            "phase": self.phase,
            "game": self.game_number,
            "since": self.since,
            "secret": self.secret.hex(),
            "fair": self.fairness_version,
            "practice": self.practice,
            "seats": self.seats.dump(),
            "held": self.reserved,
            "origin": self.origin,
        }

    @classmethod
    def load(cls, data: dict[str, Any], settings: p.RoomSettings, entries: list[GameEntry], now: float) -> Room:
        """Restore a stored room with its entries applied and no clients. Raise `RulesChanged` if this server plays by
        other rules than the room did."""
        edition_text = data.get("edition", _FORMER_EDITION)
        edition = edition_for_record(edition_text)
        if not edition.matches(edition_text):
            ja, en = edition.mismatch_text(edition_text)
            raise RulesChanged(f"the room cannot be played on: {en}", f"この部屋は続けられません：{ja}")
        reserved = msgspec.convert(data["held"], ReservedTable) if data.get("held") else None
        room = cls(data["id"], settings, now, data["start"], reserved)
        if reserved is not None:
            reserved.on_restore(now)
        room.origin = data.get("origin", "")
        room.phase = data["phase"]
        room.game_number = data["game"]
        room.since = data.get("since", now)  # missing in older rooms
        room.secret = bytes.fromhex(data["secret"])
        room.fairness_version = data.get("fair", 1)
        room.seats.load(data["seats"], now)
        if room.phase == "waiting" and room.fairness_version < fairness.VERSION:
            room.new_secret()  # no game has begun with the earlier version
        if room.phase != "waiting" and room.game_number:
            room.start_game()
            for entry in entries:
                room.room_game.entries.append(entry)
                room.apply(entry)
                if entry.kind == "say":
                    room.seats[entry.seat].last_move = entry.seq
                for player in (0, 1):
                    room.seats[player].clock.remaining = entry.left[player]
        room.room_game.practice = data["practice"]
        room.room_game.finished_games = []
        room.row_changed = False
        if room.phase == "playing":
            room.advance()
        return room
