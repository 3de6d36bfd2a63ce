"""How a room plays: entries happen, windows pass or ask, clocks run, games end. Everything follows from the entries."""

from __future__ import annotations

import hashlib
from typing import Literal

from blackpoker.errors import IllegalMove
from blackpoker.game import Game, Outcome
from blackpoker.regulation import parse_decks
from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND, PASS
from blackpoker.rules.state import ATTACKERS_KIND
from blackpoker.server import asking, autopass, fairness
from blackpoker.server import protocol as p
from blackpoker.server.autopass import Verdict
from blackpoker.server.clock import new_clock
from blackpoker.server.feed import Feed
from blackpoker.server.seats import BLUR, NAMES, Entry, Finished, Seat
from blackpoker.server.table import Table
from blackpoker.server.telling import Telling
from blackpoker.texts.prompts import Event


class Playing(Telling):
    """A room's game."""

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
        waits = kind in ("say", "auto") and self.now < self.release
        if kind != "auto" or not waits:  # a pass made for somebody can be held back until its window ends
            self.keep(entry)
        if waits:
            self.pending = entry
        else:
            self.apply(entry)

    def keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.fresh.append(entry)

    def drop_pending(self) -> None:
        """An answer that waits for its window to end happens before anything else does."""
        if self.pending is not None:
            entry, self.pending = self.pending, None
            if entry.kind == "auto":
                self.keep(entry)
            self.apply(entry)

    def conclude(self, kind: str, seat: int, options: list[int]) -> None:
        """Something from outside the rules happens to the game in play, unless an answer that waits ends it first."""
        game = self.game_in_play()
        self.drop_pending()
        if game is not None and self.game_in_play() is game:
            self.accept(kind, seat, options)
        self.go_on()

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
        elif entry.kind == "draw":
            table.end("agree", 1 - entry.seat)  # the entry has who offered it
        else:
            table.end(entry.kind, entry.seat)
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
        self.offers = {}
        table = self.table
        assert table is not None
        over = game.outcome()
        assert over is not None
        match = table.outcome() is not None
        result = p.Over(self.game, winner_name(over), over.reason, match)
        if match:
            for number, earlier in enumerate([*self.results, result], 1):
                earlier.record = share_id(self.secret, self.game, number)
            result.commitment = fairness.commitment(self.secret)
            result.secret = self.secret.hex()
            result.salts = [seat.salt for seat in self.seats]
        self.results.append(result)
        self.parts.append((game, entry.at))
        if match:
            for number, (played, at) in enumerate(self.parts, 1):
                self.keep_record(played, number, at)

    def keep_record(self, game: Game, part: int, at: float) -> None:
        """Records are kept once the match is over: one tells which cards a deck has (R-201), and opens the secret."""
        over = game.outcome()
        assert over is not None
        meta = {
            "room": self.id,
            "regulation": self.regulation.text,
            "names": [seat.name for seat in self.seats],
            "levels": [seat.level for seat in self.seats],
            "winner": winner_name(over),
            "reason": over.reason,
            "turns": int(game.turn_number),
            "practice": self.practice,
            "at": at,
            "part": part,
        }
        share = share_id(self.secret, self.game, part)
        self.done.append(Finished(self.game, part, share, self.record_of(game, part), meta))

    def record_of(self, game: Game, part: int) -> str:
        """The record with what a verifier needs, as comments."""
        lines = [
            f"# commitment: {fairness.commitment(self.secret)}",
            f"# secret: {self.secret.hex()}",
            *(f"# salt {name}: {seat.salt}" for name, seat in zip(NAMES, self.seats, strict=True)),
            f"# stream: {part}",
        ]
        head, _, rest = game.record().partition("\n")
        return "\n".join([head, *lines, rest])

    # -- going on ----------------------------------------------------------------------------------------------------

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
                self.release = self.now + self.wait * (1 + BLUR * self.blur())
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

    def bot_wanted(self) -> tuple[int, int, str] | None:
        """Seat, seq and level of the computer player that must choose."""
        table = self.table
        if self.phase != "playing" or table is None or self.pending is not None or table.player < 0:
            return None
        seat = self.seats[table.player]
        return (table.player, self.seq, seat.level) if seat.kind == "ai" else None

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
            _, key, message = self.late.popleft()
            self.out.append((key, message))
        if self.phase != "playing":
            return
        if self.pending is not None and now >= self.release:
            # Every window ends with a commit of the room and one entry, so that the store's time tells nothing either.
            self.changed = True
            if self.pending.kind == "say":
                self.again.append(self.pending)
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
                self.out_of_time(place)
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

    def out_of_time(self, place: int) -> None:
        """The bank is empty: the game is lost. Between the games of a match the first deck is picked."""
        table = self.table
        assert table is not None
        if table.game is None:
            self.accept("auto", place, [table.options[0]], "time")
            self.go_on()
        else:
            self.conclude("time", place, [])

    def abandon(self, place: int) -> None:
        """Somebody left for good. With both gone nobody has won."""
        self.drop_pending()
        self.release = self.now  # nothing waits any more
        table = self.table
        assert table is not None
        both = all(seat.kind != "human" or seat.gone is not None for seat in self.seats)
        while self.phase == "playing" and table.outcome() is None:
            if table.game is None:
                self.accept("auto", table.player, [table.options[0]])
            else:
                self.accept("void" if both and self.between_people else "abandon", place, [])
        self.go_on()


def read_start(text: str) -> Game:
    """A saved game (JSON), or a position."""
    return Game.from_json(text) if text.lstrip().startswith("{") else Game.from_position(text)


def winner_name(over: Outcome) -> Literal["p1", "p2", "draw"]:
    return "draw" if over.winner is None else NAMES[over.winner]


def share_id(secret: bytes, game: int, part: int) -> str:
    """The address of a record: nobody can guess it."""
    return hashlib.sha256(b"blackpoker share 1\n" + secret + bytes((game % 256, part % 256))).hexdigest()[:20]
