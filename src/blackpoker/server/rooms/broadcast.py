"""Messages to each client: the room, the game as that seat may see it, its own prompt. Spectators may be delayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Raw

from blackpoker import Audience
from blackpoker.assist.autopass import Verdict
from blackpoker.match import DeckDecision
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.beats import next_beat
from blackpoker.server.rooms.delayed import Delayed, row_for
from blackpoker.server.rooms.seats import AUDIENCES, NAMES, RoomClient, Spoken, handle_of
from blackpoker.wire import protocol as p
from blackpoker.wire import questions

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

#: seconds after which a change in the number of spectators is sent to all clients
STIR: Final = 1.0
#: log steps rendered at once for a client that joins a long game: two milliseconds
MOST_AT_ONCE: Final = 40
#: limits for delayed answers: to one connection, and to all spectators together
MOST_HELD: Final = 60
MOST_HELD_WATCHING: Final = 300
#: most moves a program receives in one update
MOST_UNTOLD: Final = 50


class Broadcast:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.out: list[tuple[str, p.ServerMessage | Raw]] = []
        self.delayed: Delayed = Delayed(room.settings.spectator_delay)
        self.stirred: float | None = None  # time at which the spectator count is sent
        self.holding: bool = False  # True: queue what is sent for the next send time
        self.held: list[tuple[float, str, p.ServerMessage | Raw]] = []

    # -- sending -----------------------------------------------------------------------------------------------------

    def on_beat(self, client: RoomClient) -> Broadcast:
        """Start queueing if another seat's response window is open; a context manager.

        What follows from the message of `client` is then sent at the next send time. Its timing must not show what the
        server does for the seat that may be asked.
        """
        room = self.room
        self.holding = room.windows.of_another(client.seat, room.table.player, room.now)
        return self

    def __enter__(self) -> None:
        """Do nothing: `queue_if_responding` has started the queueing."""

    def __exit__(self, *raised: object) -> None:
        self.holding = False

    def holds_enough(self, client: RoomClient) -> bool:
        """Return True if enough answers to this client are queued already. Answers queued for others do not count,
        except among spectators: no client can keep a player from being answered."""
        if not self.holding or len(self.held) < MOST_HELD:
            return False
        if client.seat is None and len(self.held) >= MOST_HELD_WATCHING:
            return True
        return sum(to == client.key for _, to, _ in self.held) >= MOST_HELD

    def send(self, client: RoomClient, message: p.ServerMessage | Raw) -> None:
        if self.holding:
            self.held.append((next_beat(self.room.now), client.key, message))
            return
        if self.held:
            self.let_out(client.key)  # keep the order of sending
        self.out.append((client.key, message))

    def let_out(self, key: str) -> None:
        """Send what is queued for this connection now."""
        self.out += [(to, message) for _, to, message in self.held if to == key]
        self.held = [one for one in self.held if one[1] != key]

    def to_all(self, message: p.ServerMessage) -> None:
        """Send a message to all clients; to delayed spectators after the delay."""
        for client in self.room.seats.clients.values():
            if not self.delayed.hears(client):
                self.send(client, message)
        self.delayed.add_all(message, self.room.now)

    def speak(self, spoken: Spoken) -> None:
        """Send a chat line. Lines of spectators are public, so they are not delayed for other spectators."""
        later = spoken.due > self.room.now
        for client in self.room.seats.clients.values():
            if not (later and self.delayed.hears(client)) and spoken.guest not in client.unheard:
                self.send(client, spoken.line)
        if later:
            self.delayed.add_all(spoken.line, self.room.now, spoken.guest)

    def due(self) -> list[float]:
        """Return the times at which something is to be sent."""
        times = [] if self.stirred is None else [self.stirred]
        if self.held:
            times.append(self.held[0][0])
        later = self.delayed.due
        return times if later is None else [*times, later]

    def tick(self, now: float) -> None:
        clients = self.room.seats.clients.values()
        if self.held and now >= self.held[0][0]:
            self.out += [(to, message) for _, to, message in self.held]
            self.held = []
        for row, message, by in self.delayed.release(now):
            for client in clients:
                if self.delayed.hears(client) and row_for(client) == row and by not in client.unheard:
                    self.out.append((client.key, message))
        if self.stirred is not None and now >= self.stirred:
            self.room_changed()

    def stir(self) -> None:
        """Schedule one update of the spectator count for all recent arrivals and departures."""
        if self.stirred is None:
            self.stirred = self.room.now + STIR

    # -- the room ----------------------------------------------------------------------------------------------------

    def info(self) -> p.RoomInfo:
        room = self.room
        first, second = room.seats.infos()
        first.who, second.who = (handle_of(room.id, seat.guest) for seat in room.seats)
        return p.RoomInfo(
            room.id,
            room.phase,  # type: ignore[arg-type]
            room.settings,
            first,
            second,
            room.game,
            sum(1 for client in room.seats.clients.values() if client.seat is None),
            fairness.commitment(room.secret),
            room.practice,
            p.packages_of(room.regulation.edition),
            room.regulation.edition.text,
            room.begins,
            "" if room.held is None else room.held.tournament,
        )

    def told_info(self, now: float) -> p.RoomInfo:
        """Return the room as spectators may see it: its delayed state, or an empty room if there is none yet."""
        if self.delayed.seconds <= 0:
            return self.info()
        known = self.delayed.info_at(now)
        if known is not None:
            return known
        now_is, free = self.info(), p.SeatInfo("open", "", False, False)
        return p.RoomInfo(
            now_is.id, "waiting", now_is.settings, free, free, 0, 0, packages=now_is.packages, edition=now_is.edition,
            tournament=now_is.tournament,
        )  # fmt: skip

    def room_changed(self, but: str = "") -> None:
        self.stirred = None
        message = p.RoomState(self.info())
        self.delayed.note(message.room, self.room.now)
        for client in self.room.seats.clients.values():
            if client.key != but and not self.delayed.hears(client):
                self.send(client, message)
        self.delayed.add_all(message, self.room.now)

    def welcome(self, client: RoomClient, id: int) -> None:
        """Send everything a newcomer needs; a client that has been here before receives what it missed."""
        room = self.room
        place = client.seat
        accepted = -1 if place is None else room.seats[place].accepted
        you = None if place is None else NAMES[place]
        deck = "" if room.held is None or place is None else room.held.decks[place]
        later = self.delayed.hears(client)
        info, seq = (self.told_info(room.now), self.told_seq(client)) if later else (self.info(), room.table.seq)
        self.send(client, p.Welcome(p.VERSION, info, you, seq, accepted, id, list(p.LEVELS), deck))
        if place is not None:
            self.send(client, self.assist_state(place))
            room.offers.tell_again(client)
        for spoken in room.chat:
            if (spoken.due <= room.now or not later) and spoken.guest not in client.unheard:
                self.send(client, spoken.line)
        if later:
            self.catch_up(client)
        elif room.game:
            self.update(client)
            if room.phase == "over":
                self.results(client)
        if place is None:
            self.stir()
        else:
            self.room_changed(but=client.key)

    def told_seq(self, client: RoomClient) -> int:
        """Return the number of the last move that delayed spectators have received, or -1."""
        row = self.delayed.rows.get(row_for(client))
        return -1 if row is None else row.seq

    def stop_casting(self) -> None:
        """Downgrade casters to spectators because a player no longer shows the hand."""
        for client in self.room.seats.clients.values():
            if client.caster:
                client.caster = False
                self.welcome(client, 0)
        self.delayed.left(list(self.room.seats.clients.values()))

    def word_log(self, guest: str, said: p.Join) -> bool:
        """Render a part of the log for a client that is about to join. Return True if the log is complete."""
        seats = self.room.seats
        mine = [place for place, seat in enumerate(seats) if seat.kind == "human" and seat.guest == guest]
        audience = AUDIENCES[mine[0]] if mine and said.seat not in ("watch", "cast") else Audience.PUBLIC
        return said.detail != "full" or self.room.table.feed.tell(audience, said.lang, MOST_AT_ONCE)

    def catch_up(self, client: RoomClient) -> None:
        """Bring a delayed spectator to the state of its stream: its last update, or a delayed update of the present
        state."""
        known = row_for(client) in self.delayed.rows
        row = self.delayed.row_of(client)
        if row.last:
            self.send(client, Raw(row.last))
        if known or not self.room.game:
            return
        update = self.make_update(row.listener)
        if update is not None:
            row.listener.game, row.listener.seq = update.game, update.seq
            self.delayed.add(row, update, self.room.now)
        if self.room.phase == "over":
            for shown in self.shown_results(row.listener):
                self.delayed.add(row, shown, self.room.now)

    def look(self, client: RoomClient) -> None:
        """Send the whole view again; to delayed spectators the last update of their stream."""
        if not self.delayed.hears(client):
            client.seq = -1
            self.update(client)
            return
        last = self.delayed.row_of(client).last
        if last:
            self.send(client, Raw(last))

    def assist_state(self, place: int, id: int = 0) -> p.AssistState:
        assist = self.room.seats[place].assist
        return p.AssistState(
            assist.mode,  # type: ignore[arg-type]
            sorted(assist.stops),  # type: ignore[arg-type]
            sorted(assist.arm),
            assist.hold,
            assist.skip,  # type: ignore[arg-type]
            assist.accept,
            id,
            self.room.seats[place].plan,
        )

    def assist_states(self, place: int, client: RoomClient | None = None, id: int = 0) -> None:
        """Send a seat's settings to all its clients; to `client` as the answer to its message."""
        for other in self.room.seats.at(place):
            self.send(other, self.assist_state(place, id if other is client else 0))

    # -- the game ----------------------------------------------------------------------------------------------------

    def update_all(self) -> None:
        """Send the present state to all clients. Clients with the same view and the same last move share one update."""
        told: dict[tuple[int | None, int, str, str], p.Update] = {}
        for row in self.delayed.rows.values():
            update = self.make_update(row.listener)
            if update is not None:
                row.listener.game, row.listener.seq = update.game, update.seq
                self.delayed.add(row, update, self.room.now)
        asked = self.room.table.player
        for client in self.room.seats.clients.values():
            if self.delayed.hears(client):
                continue
            if client.detail == "lean" and self.can_wait(client, asked):
                continue
            alike = (client.seat, client.seq, client.lang, client.detail)
            update = told.get(alike)
            if update is None:
                update = self.make_update(client)
                if update is None:
                    return
                told[alike] = update
            self.hand(client, update)

    def can_wait(self, client: RoomClient, asked: int) -> bool:
        """Return True if a program at a seat that is not asked can receive this update together with its next
        prompt."""
        if client.seat is None or client.seq < 0 or asked in (client.seat, -1):
            return False
        return self.room.phase == "playing" and self.room.table.seq - client.seq < MOST_UNTOLD

    def tell_again(self) -> None:
        """Resend the whole log to all clients that display it, because moves were taken back."""
        for client in self.room.seats.clients.values():
            if not client.lean:
                client.seq = -1

    def update_seat(self, place: int) -> None:
        """Send an update that concerns one seat only."""
        for client in self.room.seats.at(place):
            self.update(client)

    def update(self, client: RoomClient) -> None:
        update = self.make_update(client)
        if update is not None:
            self.hand(client, update)

    def hand(self, client: RoomClient, update: p.Update) -> None:
        client.game, client.seq = update.game, update.seq
        self.send(client, update)

    def as_if_asked(self, place: int, verdict: Verdict) -> None:
        """Build and encode the prompt as if the seat were asked, and discard it: an automatic pass must cost the same
        time."""
        windows = self.room.windows
        kept, windows.verdict = windows.verdict, verdict
        for client in self.room.seats.at(place):
            p.encode(self.make_update(client))
        windows.verdict = kept

    def make_update(self, client: RoomClient) -> p.Update | None:
        room = self.room
        table = room.table
        if table.match is None:
            return None
        update = p.Update(room.game, table.seq, client.seq, practice=room.practice, part=max(1, table.part))
        asked = table.player
        if room.phase == "playing" and asked >= 0:
            update.waiting = NAMES[asked]
        if asked == client.seat and room.windows.verdict is not None:
            update.ask = self.ask_for(client)
        update.events = table.feed.events_since(client.seq, client.audience)
        if table.part > 1:
            update.opens = max(0, len(update.events) - table.feed.fresh)
        if client.views:
            self.add_view(update, client)
        return update

    def ask_for(self, client: RoomClient) -> p.Ask:
        room = self.room
        match = room.table.match
        assert match is not None
        decision = match.decision if match.game is None else None
        if isinstance(decision, DeckDecision):
            return questions.ask_deck(decision, room.table.seq, client.lang)
        verdict, deadline = room.windows.verdict, room.windows.deadline
        assert verdict is not None
        left = None if deadline is None else int(max(0.0, deadline - room.now) * 1000)
        found = questions.ask(room.table.decision(), room.table.seq, client.lang, client.lean, verdict.why, left)
        if found.kind == "trumps" and client.seat is not None:
            meant = self.meant_trumps(client.seat, [option.word for option in found.options])
            found.proposal = [*meant, "done"] if meant else found.proposal
        return found

    def meant_trumps(self, place: int, words: list[str]) -> list[str]:
        """Return the trumps named by the deck file that can be chosen; they are proposed at set-up."""
        match = self.room.table.match
        if match is None or match.game is None or not match.decks[place]:
            return []
        deck = match.decks[place][match.series.picks[place] - 1]
        return [name for name in deck.trump_names if name in words]

    def add_view(self, update: p.Update, client: RoomClient) -> None:
        room = self.room
        table = room.table
        match = table.match
        assert match is not None
        if not client.lean:
            update.lines = table.feed.lines_since(update.since, client.audience, client.lang)
        game = match.game or table.last
        update.view = None if game is None else game.view(client.audience)
        if room.regulation.frame.decks > 1:
            update.match = match.view(client.audience)
            update.match.game = None
        if room.settings.clock.bank:
            update.clocks = {name: seat.clock.shown(room.now) for name, seat in zip(NAMES, room.seats, strict=True)}

    def results(self, client: RoomClient) -> None:
        for shown in self.shown_results(client):
            self.send(client, shown)

    def shown_results(self, client: RoomClient) -> list[p.Over]:
        table = self.room.table
        out = []
        for result in table.results:
            shown = p.Over(
                result.game, result.winner, result.reason, result.match, result.record, result.commitment,
                result.secret, result.salts, result.seals, result.decks, result.chain,
            )  # fmt: skip
            if client.views and table.last is not None and result is table.results[-1]:
                shown.view = table.last.view(client.audience)
            out.append(shown)
        return out

    def results_all(self) -> None:
        for client in self.room.seats.clients.values():
            if not self.delayed.hears(client):
                self.results(client)
        for row in self.delayed.rows.values():
            for shown in self.shown_results(row.listener):
                self.delayed.add(row, shown, self.room.now)
