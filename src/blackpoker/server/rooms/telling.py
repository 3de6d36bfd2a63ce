"""What a room is made of, and what it tells: to each seat what that seat may know, and its own prompt."""

from __future__ import annotations

from collections import deque
from random import SystemRandom

from blackpoker.assist.autopass import Verdict
from blackpoker.game import Game, read_regulation
from blackpoker.match import DeckDecision
from blackpoker.server import asking
from blackpoker.server import protocol as p
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.feed import Feed
from blackpoker.server.rooms.seats import ABANDONED, FORSAKEN, MOST_LATE, NAMES, WINDOW, Client, Entry, Finished, Seat
from blackpoker.server.rooms.table import Table


class Telling:
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
        self.blur = SystemRandom().random
        self.deadline: float | None = None
        self.offers: dict[str, tuple[int, int]] = {}
        self.chat: list[p.ChatLine] = []
        self.results: list[p.Over] = []
        self.parts: list[tuple[Game, float]] = []  # games of the match that are over, and when
        # For watchers, with their delay. Where a game is too fast for it, the oldest is never told; views are whole.
        self.late: deque[tuple[float, str, p.ServerMessage]] = deque(maxlen=MOST_LATE)
        self.now = now
        self.touched = now  # when anybody did anything
        self.changed = True
        self.fresh: list[Entry] = []
        self.again: list[Entry] = []
        self.done: list[Finished] = []
        self.out: list[tuple[str, p.ServerMessage]] = []

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

    # -- telling -----------------------------------------------------------------------------------------------------

    def send(self, client: Client, message: p.ServerMessage) -> None:
        delay = self.settings.spectator_delay
        if delay and client.seat is None and isinstance(message, p.Update | p.Over | p.RoomState):
            self.late.append((self.now + delay, client.key, message))  # whoever watches hears of it later, in order
        else:
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
        """Bring everybody up to date. Watchers who have heard the same hear the same."""
        told: dict[tuple[int, str, bool], p.Update] = {}
        for client in self.clients.values():
            alike = (client.seq, client.lang, client.lean)
            if client.seat is None and alike in told:
                client.game, client.seq = self.game, self.seq
                self.send(client, told[alike])
            else:
                update = self.tell(client)
                if client.seat is None and update is not None:
                    told[alike] = update

    def tell(self, client: Client) -> p.Update | None:
        """Bring a client up to date."""
        audience = client.audience
        table = self.table
        if table is None:
            return None
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
        self.send(client, update)
        return update

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
        audience = client.audience
        update.lines = self.feed.lines_since(update.since, audience, client.lang)
        game = table.game or self.last
        update.view = None if game is None else game.view(audience)
        if self.regulation.frame.decks > 1:
            update.match = table.view(audience)
            update.match.game = None
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
            shown.view = self.last.view(client.audience)
        self.send(client, shown)

    def tell_results(self) -> None:
        for client in self.clients.values():
            for result in self.results:
                self.send_result(client, result)
