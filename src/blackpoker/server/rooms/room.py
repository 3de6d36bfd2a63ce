"""A room: two seats, a match, everybody who looks on. Pure: no network, no database, no clock of its own.

Whoever drives a room calls ``join``, ``leave``, ``say``, ``bot_said`` and ``tick`` with the time, and takes what came
of it with ``take``: entries to be stored, then messages to be sent once they are. ``due`` says when ``tick`` is next
needed. A game is the list of its entries; playing them again gives the same state.
"""

from __future__ import annotations

from typing import Any

from blackpoker.assist import autopass
from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove
from blackpoker.notation.saved import clean_name
from blackpoker.regulation import DeckError, DeckList, check_decks, parse_decks
from blackpoker.server import asking
from blackpoker.server import protocol as p
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.clocks import new_clock
from blackpoker.server.rooms.playing import Playing
from blackpoker.server.rooms.seats import (
    MOST_CHAT,
    MOST_CLIENTS,
    NAMES,
    TALK_BURST,
    TALK_RATE,
    Client,
    Entry,
    Outcome,
    Refused,
    Seat,
)
from blackpoker.server.rooms.table import Table


class Room(Playing):
    """Two seats and a table; see the module's text for how it is driven."""

    # -- what the driver asks ----------------------------------------------------------------------------------------

    def take(self) -> Outcome:
        """What has come of the calls since the last ``take``."""
        row = self.dump() if self.changed else None
        outcome = Outcome(row, self.fresh, self.again, self.done, self.out)
        self.changed = False
        self.fresh, self.again, self.done, self.out = [], [], [], []
        return outcome

    def due(self) -> float | None:
        """When ``tick`` is next needed."""
        times = [self.late[0][0]] if self.late else []
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

    def idle_since(self) -> float:
        """Since when the room can be forgotten: nobody is there and nothing is being played."""
        return self.touched

    # -- coming and going --------------------------------------------------------------------------------------------

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
        self.send(client, p.Welcome(p.VERSION, self.info(), you, self.seq, accepted, said.id, list(p.LEVELS)))
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

    # -- what a client says ------------------------------------------------------------------------------------------

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

    def may_talk(self, client: Client) -> None:
        """Everybody hears it, so nobody may say it too often."""
        if not client.talk.take(TALK_RATE, TALK_BURST, self.now):
            raise Refused("rate", "that is too much at once; wait a few seconds", "少し待ってから送ってください")

    def on_chat(self, client: Client, said: p.Chat) -> None:
        by = "watch" if client.seat is None else NAMES[client.seat]
        text = " ".join("".join(c if c.isprintable() else " " for c in said.text).split())
        if not text:
            raise Refused("empty", "there is nothing to say", "空のメッセージです")
        self.may_talk(client)
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
        engine = table.game.engine
        words = said.words
        if isinstance(said.text, str):
            words = asking.words_of(engine, list(table.game.parse(said.text, self.seat_of(client)).options))
        self.send(client, asking.draft(engine, words, said.id, self.seq, client.lang, client.lean))

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
        """New settings of the seat that is being asked: a skip passes at once. A pass that waits for its window to end
        is taken back if it is held now; nobody has been told of it."""
        engine = self.engine()
        if engine is None or engine.asked != place or self.seats[place].kind != "human":
            return
        if self.pending is not None and self.pending.kind == "auto":
            self.pending = None
        if self.pending is None:
            self.verdict = None
            self.go_on(reopen=False)

    def on_resign(self, client: Client, said: p.Resign) -> None:
        place = self.seat_of(client)
        if self.playing().game is None:
            raise Refused("no_game", "no game is being played", "ゲーム中ではありません", "R-223")
        self.send(client, p.Ack(said.id, self.seq))
        self.conclude("resign", place, [])

    # -- offers ------------------------------------------------------------------------------------------------------

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
        if other.kind != "ai":
            self.may_talk(client)
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
        self.conclude(kind, by, [seq] if kind == "rewind" else [])

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

    # -- keeping -----------------------------------------------------------------------------------------------------

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
