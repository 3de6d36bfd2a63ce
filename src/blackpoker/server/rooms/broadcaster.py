"""Messages to each client: the room, the game as that seat may see it, its own prompt. Spectators may be delayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Raw

from blackpoker import Audience, View
from blackpoker.assist.autopass import PassDecision
from blackpoker.game.match import DeckDecision
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions
from blackpoker.protocol.view_changes import changed_fields
from blackpoker.server.fairness import seal
from blackpoker.server.rooms.game_log import MAX_EVENTS
from blackpoker.server.rooms.seats import AUDIENCES, SEAT_NAMES, ChatEntry, RoomClient, handle_of
from blackpoker.server.rooms.spectator_delay import SpectatorDelay, stream_key
from blackpoker.server.rooms.timing import next_room_tick

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: seconds after which a change in the number of spectators is sent to all clients
VIEWER_COUNT_DELAY: Final = 1.0
#: log steps rendered at once for a client that joins a long game: two milliseconds
MAX_RENDERED_STEPS: Final = 40
#: limits for delayed answers: to one connection, and to all spectators together
MAX_QUEUED: Final = 60
MAX_QUEUED_SPECTATORS: Final = 300
#: most moves a program receives in one update
MAX_BATCHED_MOVES: Final = 50


class ClientUpdate(NamedTuple):
    """An update as it is sent, and the whole view that the client then has."""

    update: p.Update
    view: View | None


class Broadcaster:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.outbox: list[tuple[str, p.AnyServerMessage | Raw]] = []
        self.spectator_delay: SpectatorDelay = SpectatorDelay(room.settings.spectator_delay)
        self.viewer_count_due: float | None = None  # time at which the spectator count is sent
        self.queueing: bool = False  # True: queue what is sent for the next send time
        self.queued: list[tuple[float, str, p.AnyServerMessage | Raw]] = []
        self.signatures: dict[int, p.TranscriptSignature] = {}  # the last one of each seat, of the present match

    # -- sending -----------------------------------------------------------------------------------------------------

    def queue_if_responding(self, client: RoomClient) -> Broadcaster:
        """Start queueing if another seat's response window is open; a context manager.

        What follows from the message of `client` is then sent at the next send time. Its timing must not show what the
        server does for the seat that may be asked.
        """
        room = self.room
        self.queueing = room.windows.is_open_for_other(client.seat, room.room_game.player, room.now)
        return self

    def __enter__(self) -> None:
        """Do nothing: `queue_if_responding` has started the queueing."""

    def __exit__(self, *raised: object) -> None:
        self.queueing = False

    def queue_is_full(self, client: RoomClient) -> bool:
        """Return True if enough answers to this client are queued already. Answers queued for others do not count,
        except among spectators: no client can keep a player from being answered."""
        if not self.queueing or len(self.queued) < MAX_QUEUED:
            return False
        if client.seat is None and len(self.queued) >= MAX_QUEUED_SPECTATORS:
            return True
        return sum(to == client.key for _, to, _ in self.queued) >= MAX_QUEUED

    def send(self, client: RoomClient, message: p.AnyServerMessage | Raw) -> None:
        if self.queueing:
            self.queued.append((next_room_tick(self.room.now), client.key, message))
            return
        if self.queued:
            self.flush(client.key)  # keep the order of sending
        self.outbox.append((client.key, message))

    def flush(self, key: str) -> None:
        """Send what is queued for this connection now."""
        self.outbox += [(to, message) for _, to, message in self.queued if to == key]
        self.queued = [queued for queued in self.queued if queued[1] != key]

    def to_all(self, message: p.AnyServerMessage) -> None:
        """Send a message to all clients; to delayed spectators after the delay."""
        for client in self.room.seats.clients.values():
            if not self.spectator_delay.applies_to(client):
                self.send(client, message)
        self.spectator_delay.add_all(message, self.room.now)

    def send_chat(self, entry: ChatEntry) -> None:
        """Send a chat line. Lines of spectators are public, so they are not delayed for other spectators."""
        delayed = entry.visible_at > self.room.now
        for client in self.room.seats.clients.values():
            if not (delayed and self.spectator_delay.applies_to(client)) and entry.guest not in client.muted_guests:
                self.send(client, entry.line)
        if delayed:
            self.spectator_delay.add_all(entry.line, self.room.now, entry.guest)

    def due(self) -> list[float]:
        """Return the times at which something is to be sent."""
        times = [] if self.viewer_count_due is None else [self.viewer_count_due]
        if self.queued:
            times.append(self.queued[0][0])
        delayed_due = self.spectator_delay.due
        return times if delayed_due is None else [*times, delayed_due]

    def tick(self, now: float) -> None:
        clients = self.room.seats.clients.values()
        if self.queued and now >= self.queued[0][0]:
            self.outbox += [(to, message) for _, to, message in self.queued]
            self.queued = []
        for stream, message, author in self.spectator_delay.release(now):
            for client in clients:
                if (
                    self.spectator_delay.applies_to(client)
                    and stream_key(client) == stream
                    and author not in client.muted_guests
                ):
                    self.outbox.append((client.key, message))
        if self.viewer_count_due is not None and now >= self.viewer_count_due:
            self.room_changed()

    def schedule_viewer_count(self) -> None:
        """Schedule one update of the spectator count for all recent arrivals and departures."""
        if self.viewer_count_due is None:
            self.viewer_count_due = self.room.now + VIEWER_COUNT_DELAY

    # -- the room ----------------------------------------------------------------------------------------------------

    def info(self) -> p.RoomInfo:
        room = self.room
        info1, info2 = room.seats.infos()
        info1.handle, info2.handle = (handle_of(room.id, seat.guest) for seat in room.seats)
        return p.RoomInfo(
            room.id,
            room.phase,  # type: ignore[arg-type]
            room.settings,
            info1,
            info2,
            room.game_number,
            sum(1 for client in room.seats.clients.values() if client.seat is None),
            seal.commitment(room.secret),
            room.practice,
            p.packages_of(room.regulation.edition),
            room.regulation.edition.text,
            room.start_hash,
            "" if room.reserved is None else room.reserved.tournament,
        )

    def spectator_info(self, now: float) -> p.RoomInfo:
        """Return the room as spectators may see it: its delayed state, or an empty room if there is none yet."""
        if self.spectator_delay.seconds <= 0:
            return self.info()
        delayed = self.spectator_delay.info_at(now)
        if delayed is not None:
            return delayed
        present, open_seat = self.info(), p.SeatInfo("open", "", False, False)
        return p.RoomInfo(
            present.id,
            "waiting",
            present.settings,
            open_seat,
            open_seat,
            0,
            0,
            packages=present.packages,
            edition=present.edition,
            tournament=present.tournament,
        )

    def room_changed(self, except_key: str = "") -> None:
        self.viewer_count_due = None
        message = p.RoomState(self.info())
        self.spectator_delay.record_info(message.room, self.room.now)
        for client in self.room.seats.clients.values():
            if client.key != except_key and not self.spectator_delay.applies_to(client):
                self.send(client, message)
        self.spectator_delay.add_all(message, self.room.now)

    def welcome(self, client: RoomClient, id: int) -> None:
        """Send everything a newcomer needs; a client that has been here before receives what it missed."""
        room = self.room
        seat = client.seat
        accepted = -1 if seat is None else room.seats[seat].last_move
        you = None if seat is None else SEAT_NAMES[seat]
        deck = "" if room.reserved is None or seat is None else room.reserved.decks[seat]
        delayed = self.spectator_delay.applies_to(client)
        info, seq = (
            (self.spectator_info(room.now), self.spectator_seq(client))
            if delayed
            else (self.info(), room.room_game.seq)
        )
        handle = handle_of(room.id, client.guest)
        self.send(
            client, p.Welcome(p.VERSION, info, you, seq, accepted, id, list(p.LEVELS), deck, handle, client.caster)
        )
        if seat is not None:
            self.send(client, self.assist_state(seat))
            room.offers.resend(client)
        for entry in room.chat:
            if (entry.visible_at <= room.now or not delayed) and entry.guest not in client.muted_guests:
                self.send(client, entry.line)
        if delayed:
            self.catch_up(client)
        elif room.game_number:
            self.update(client)
            if room.phase == "over":
                self.send_results(client)
            if seat is not None and 1 - seat in self.signatures:
                self.send(client, self.signatures[1 - seat])
        if seat is None:
            self.schedule_viewer_count()
        else:
            self.room_changed(except_key=client.key)

    def spectator_seq(self, client: RoomClient) -> int:
        """Return the number of the last move that delayed spectators have received, or -1."""
        stream = self.spectator_delay.streams.get(stream_key(client))
        return -1 if stream is None else stream.seq

    def render_log(self, guest: str, join: p.Join) -> bool:
        """Render a part of the log for a client that is about to join. Return True if the log is complete."""
        seats = self.room.seats
        own_seats = [index for index, seat in enumerate(seats) if seat.kind == "human" and seat.guest == guest]
        audience = AUDIENCES[own_seats[0]] if own_seats and join.seat not in ("watch", "caster") else Audience.PUBLIC
        return join.detail != "full" or self.room.room_game.log.render(audience, join.lang, MAX_RENDERED_STEPS)

    def catch_up(self, client: RoomClient) -> None:
        """Bring a delayed spectator to the state of its stream: its last update, or a delayed update of the present
        state."""
        existed = stream_key(client) in self.spectator_delay.streams
        stream = self.spectator_delay.stream_of(client)
        if stream.last_update:
            self.send(client, Raw(stream.last_update))
        if existed or not self.room.game_number:
            return
        update = self.make_update(stream.listener)
        if update is not None:
            stream.listener.game, stream.listener.seq = update.game, update.seq
            self.spectator_delay.add(stream, update, self.room.now)
        if self.room.phase == "over":
            for shown in self.make_results(stream.listener):
                self.spectator_delay.add(stream, shown, self.room.now)

    def resync(self, client: RoomClient) -> None:
        """Send the whole view again; to delayed spectators the last update of their stream."""
        if not self.spectator_delay.applies_to(client):
            client.seq = -1
            self.update(client)
            return
        last = self.spectator_delay.stream_of(client).last_update
        if last:
            self.send(client, Raw(last))

    def assist_state(self, seat: int, id: int = 0) -> p.AssistState:
        assist = self.room.seats[seat].assist
        return p.AssistState(
            assist.mode,  # type: ignore[arg-type]
            sorted(assist.stops),  # type: ignore[arg-type]
            sorted(assist.arm),
            assist.hold,
            assist.skip,  # type: ignore[arg-type]
            assist.accept,
            id,
            self.room.seats[seat].plan,
        )

    def assist_states(self, seat: int, client: RoomClient | None = None, id: int = 0) -> None:
        """Send a seat's settings to all its clients; to `client` as the answer to its message."""
        for other in self.room.seats.clients_at(seat):
            self.send(other, self.assist_state(seat, id if other is client else 0))

    def send_signature(self, seat: int, signature: p.TranscriptSignature) -> None:
        self.signatures[seat] = signature
        for client in self.room.seats.clients_at(1 - seat):
            self.send(client, signature)

    # -- the game ----------------------------------------------------------------------------------------------------

    def update_all(self) -> None:
        """Send the present state to all clients. Clients that received the same update before share the next one."""
        shared: dict[tuple[int | None, int, int, str, str], ClientUpdate] = {}
        for stream in self.spectator_delay.streams.values():
            update = self.make_update(stream.listener)
            if update is not None:
                stream.listener.game, stream.listener.seq = update.game, update.seq
                self.spectator_delay.add(stream, update, self.room.now)
        player = self.room.room_game.player
        for client in self.room.seats.clients.values():
            if self.spectator_delay.applies_to(client):
                continue
            if client.detail == "lean" and self.can_wait(client, player):
                continue
            key = (client.seat, client.seq, id(client.view), client.lang, client.detail)
            next_update = shared.get(key)
            if next_update is None:
                next_update = self.next_update(client)
                if next_update is None:
                    return
                shared[key] = next_update
            self.send_update(client, next_update)

    def can_wait(self, client: RoomClient, player: int) -> bool:
        """Return True if a program at a seat that is not asked can receive this update together with its next
        prompt."""
        if client.seat is None or client.seq < 0 or player in (client.seat, -1):
            return False
        return self.room.phase == "playing" and self.room.room_game.seq - client.seq < MAX_BATCHED_MOVES

    def resend_log(self) -> None:
        """Resend the whole log to all clients that display it, because moves were taken back."""
        for client in self.room.seats.clients.values():
            if not client.is_program:
                client.seq = -1

    def update_seat(self, seat: int) -> None:
        """Send an update that concerns one seat only."""
        for client in self.room.seats.clients_at(seat):
            self.update(client)

    def update(self, client: RoomClient) -> None:
        next_update = self.next_update(client)
        if next_update is not None:
            self.send_update(client, next_update)

    def send_update(self, client: RoomClient, next_update: ClientUpdate) -> None:
        update, client.view = next_update
        client.game, client.seq = update.game, update.seq
        self.send(client, update)

    def next_update(self, client: RoomClient) -> ClientUpdate | None:
        """Return the next update of a client, without what the view before contained."""
        update = self.make_update(client)
        if update is None:
            return None
        view = update.view
        if view is not None and client.view is not None and update.since >= 0 and not client.is_program:
            update.view, update.view_changes = None, changed_fields(client.view, view)
        return ClientUpdate(update, view)

    def simulate_prompt(self, seat: int, verdict: PassDecision) -> None:
        """Build and encode the prompt as if the seat were asked, and discard it: an automatic pass must cost the same
        time."""
        windows = self.room.windows
        saved, windows.verdict = windows.verdict, verdict
        for client in self.room.seats.clients_at(seat):
            simulated = self.next_update(client)
            if simulated is not None:
                p.encode(simulated.update)
        windows.verdict = saved

    def make_update(self, client: RoomClient) -> p.Update | None:
        room = self.room
        table = room.room_game
        if table.match is None:
            return None
        update = p.Update(
            room.game_number, table.seq, client.seq, practice=room.practice, match_game=max(1, table.part)
        )
        player = table.player
        if room.phase == "playing" and player >= 0:
            update.waiting_for = SEAT_NAMES[player]
        if player == client.seat and room.windows.verdict is not None:
            update.prompt = self.make_prompt(client)
        update.events = table.log.events_since(client.seq, client.audience)
        if client.seq < 0 or len(update.events) >= MAX_EVENTS:
            update.first_event = table.event_count - len(update.events)
        if table.part > 1:
            update.previous_events = max(0, len(update.events) - table.log.current_game_events)
        if client.gets_views:
            self.add_view(update, client)
        return update

    def make_prompt(self, client: RoomClient) -> p.Prompt:
        room = self.room
        match = room.room_game.match
        assert match is not None
        decision = match.decision if match.game is None else None
        if isinstance(decision, DeckDecision):
            return questions.deck_prompt_message(decision, room.room_game.seq, client.lang)
        verdict, deadline = room.windows.verdict, room.windows.deadline
        assert verdict is not None
        remaining_ms = None if deadline is None else int(max(0.0, deadline - room.now) * 1000)
        prompt = questions.prompt_message(
            room.room_game.decision(), room.room_game.seq, client.lang, client.is_program, verdict.reason, remaining_ms
        )
        if prompt.kind == "trumps" and client.seat is not None:
            proposed = self.proposed_trumps(client.seat, [option.token for option in prompt.options])
            prompt.proposal = [*proposed, "done"] if proposed else prompt.proposal
        if not client.is_program:
            prompt.preview = room.room_game.first_preview(prompt, client.lang)
        return prompt

    def proposed_trumps(self, seat: int, words: list[str]) -> list[str]:
        """Return the trumps named by the deck file that can be chosen; they are proposed at set-up."""
        match = self.room.room_game.match
        if match is None or match.game is None or not match.decks[seat]:
            return []
        deck = match.decks[seat][match.series.picks[seat] - 1]
        return [name for name in deck.trump_names if name in words]

    def add_view(self, update: p.Update, client: RoomClient) -> None:
        room = self.room
        table = room.room_game
        match = table.match
        assert match is not None
        if not client.is_program:
            update.lines = table.log.lines_since(update.since, client.audience, client.lang)
        game = match.game or table.last_game
        update.view = None if game is None else game.view(client.audience)
        if room.regulation.frame.decks > 1:
            update.match = match.view(client.audience)
            update.match.game = None
        if room.settings.clock.bank:
            update.clocks = {
                name: seat.clock.to_wire(room.now) for name, seat in zip(SEAT_NAMES, room.seats, strict=True)
            }

    def send_results(self, client: RoomClient) -> None:
        for shown in self.make_results(client):
            self.send(client, shown)

    def make_results(self, client: RoomClient) -> list[p.GameOver]:
        table = self.room.room_game
        out = []
        for result in table.results:
            shown = p.GameOver(
                result.game,
                result.winner,
                result.reason,
                result.match_over,
                result.record_id,
                result.commitment,
                result.secret,
                result.salts,
                result.seals,
                result.decks,
                result.record_hash,
            )
            if client.gets_views and table.last_game is not None and result is table.results[-1]:
                shown.view = table.last_game.view(client.audience)
            out.append(shown)
        return out

    def send_results_all(self) -> None:
        for client in self.room.seats.clients.values():
            if not self.spectator_delay.applies_to(client):
                self.send_results(client)
        for stream in self.spectator_delay.streams.values():
            for shown in self.make_results(stream.listener):
                self.spectator_delay.add(stream, shown, self.room.now)
