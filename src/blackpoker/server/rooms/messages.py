"""Handlers of client messages. A refused message changes nothing; the error goes to its client only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove
from blackpoker.game import Game
from blackpoker.regulation import DeckError, check_brought, parse_decks
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.letters import visible
from blackpoker.server.rooms.seats import (
    LEAST_CAST,
    NAMES,
    Aside,
    MessageRefused,
    RoomClient,
    Spoken,
    WantedHint,
    handle_of,
)
from blackpoker.server.rooms.table import share_id
from blackpoker.wire import protocol as p
from blackpoker.wire import questions

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

MOST_CHAT: Final = 30


class Messages:
    def __init__(self, room: Room) -> None:
        self.room = room

    def receive(self, client: RoomClient, said: p.ClientMessage) -> None:
        broadcast = self.room.broadcast
        with broadcast.on_beat(client):
            if not broadcast.holds_enough(client):  # drop it: a client that queues this many answers is probing
                self.answer(client, said)

    def answer(self, client: RoomClient, said: p.ClientMessage) -> None:
        try:
            self.hear(client, said)
        except MessageRefused as refused:
            self.refuse(client, said, refused.code, refused.en, refused.ja, refused.ruling)
        except AmbiguousMove as error:
            self.refuse(client, said, "ambiguous", error.en, error.ja)
        except IllegalMove as error:
            self.refuse(client, said, "illegal", error.en, error.ja, error.ruling)
        except BlackPokerError as error:
            self.refuse(client, said, "unreadable", error.en, error.ja)

    def refuse(self, client: RoomClient, said: p.ClientMessage, code: str, en: str, ja: str, ruling: str = "") -> None:
        self.room.broadcast.send(client, p.Error(said.id, code, en, ja, ruling))

    def hear(self, client: RoomClient, said: p.ClientMessage) -> None:
        room = self.room
        match said:  # most frequent first
            case p.Act():
                self.act(client, said)
            case p.DraftWords():
                self.draft(client, said)
            case p.Ping():
                room.broadcast.send(client, p.Pong(said.id))
            case p.LookAgain():
                room.broadcast.look(client)
            case p.Chat():
                self.chat(client, said)
            case p.Join():
                raise MessageRefused("joined", "you have joined already", "すでに参加しています")
            case p.Ready():
                self.ready(client, said)
            case p.Reveal():
                self.reveal(client, said)
            case p.Why():
                game = room.game_in_play()
                seat = self.seat_of(client)
                found = [] if game is None else game.refused(seat)
                room.broadcast.send(client, p.Reasons(said.id, questions.refusals(found)))
            case p.AskHint():
                self.hint(client, said)
            case p.SetAssist():
                self.assist(client, said)
            case p.PlannedAttack():
                self.plan(client, said)
            case p.Resign():
                self.resign(client, said)
            case p.Unhear():
                self.unhear(client, said)
            case p.ReportPerson():
                self.report(client, said)
            case p.ShowHand():
                self.show_hand(client, said)
            case p.Propose():
                room.offers.propose(client, self.seat_of(client), said)
            case p.Reply():
                room.offers.reply(client, self.seat_of(client), said)

    def acknowledge(self, client: RoomClient, said: p.ClientMessage) -> None:
        self.room.broadcast.send(client, p.Ack(said.id, self.room.table.seq))

    def seat_of(self, client: RoomClient) -> int:
        if client.seat is None:
            raise MessageRefused("watching", "you are watching", "観戦中です")
        return client.seat

    def chat(self, client: RoomClient, said: p.Chat) -> None:
        room = self.room
        by = "watch" if client.seat is None else NAMES[client.seat]
        text = "" if said.phrase else visible(said.text)
        if not (text or said.phrase):
            raise MessageRefused("empty", "there is nothing to say", "空のメッセージです")
        if text and room.settings.chat == "phrases":
            raise MessageRefused("phrases", "only phrases are said in this room", "この部屋では定型文だけが使えます")
        if client.muted:
            raise MessageRefused("muted", "an operator has muted you", "運営によりチャットが制限されています")
        room.may_talk(client)
        line = p.ChatLine(by, room.seats.told_apart(client), text, handle_of(room.id, client.guest), said.phrase)
        later = 0.0 if client.seat is None else room.broadcast.delayed.seconds
        spoken = Spoken(line, client.guest, room.now + later)
        room.chat = [*room.chat[1 - MOST_CHAT :], spoken]
        room.broadcast.speak(spoken)

    # -- moderation --------------------------------------------------------------------------------------------------

    def person(self, client: RoomClient, who: str) -> tuple[str, str]:
        """Return the guest with this handle and the name shown here; raise `MessageRefused` if there is none."""
        room = self.room
        known = {seat.guest: seat.name for seat in room.seats if seat.kind == "human"}
        known |= {spoken.guest: spoken.line.name for spoken in room.chat}
        for guest, name in known.items():
            if guest and guest != client.guest and handle_of(room.id, guest) == who:
                return guest, name
        raise MessageRefused("nobody", "that is nobody here", "その人はここにいません")

    def unhear(self, client: RoomClient, said: p.Unhear) -> None:
        room = self.room
        guest, name = self.person(client, said.who)
        room.may_talk(client)
        for mine in room.seats.clients.values():
            if mine.guest == client.guest:
                (mine.unheard.add if said.on else mine.unheard.discard)(guest)
        what = "unhear" if said.on else "hear"
        room.asides.append(Aside(what, client.guest, client.name, guest, name))
        self.acknowledge(client, said)

    def report(self, client: RoomClient, said: p.ReportPerson) -> None:
        room = self.room
        guest, name = self.person(client, said.who)
        room.may_talk(client)
        chat = [(one.line.by, one.line.name, one.line.phrase or one.line.text) for one in room.chat]
        heard = msgspec.json.encode(chat).decode()
        record = share_id(room.secret, room.game, 1) if room.game else ""
        words = visible(said.words)
        room.asides.append(Aside("report", client.guest, client.name, guest, name, said.why, words, record, heard))
        self.acknowledge(client, said)

    # -- casters -----------------------------------------------------------------------------------------------------

    def check_cast(self) -> None:
        """Raise `MessageRefused` unless both players show their hands and the spectator delay is long enough."""
        room = self.room
        if room.settings.spectator_delay < LEAST_CAST:
            raise MessageRefused(
                "no_casting",
                f"both hands are shown {LEAST_CAST} seconds later at least; this room is watched sooner",
                f"両者の手札は{LEAST_CAST}秒以上遅れて見せます。この部屋の観戦は早すぎます",
            )
        if not all(seat.shows for seat in room.seats):
            raise MessageRefused(
                "no_casting", "not both players show their hands", "両方のプレイヤーの同意がありません"
            )

    def show_hand(self, client: RoomClient, said: p.ShowHand) -> None:
        room = self.room
        seat = room.seats[self.seat_of(client)]
        if said.on and room.settings.spectator_delay < LEAST_CAST:
            self.check_cast()
        if seat.shows != said.on:
            room.may_talk(client)
            seat.shows, room.changed = said.on, True
            if not said.on:
                room.broadcast.stop_casting()
            room.broadcast.room_changed()
        self.acknowledge(client, said)

    # -- before the game ---------------------------------------------------------------------------------------------

    def ready(self, client: RoomClient, said: p.Ready) -> None:
        room = self.room
        place = self.seat_of(client)
        if room.phase != "waiting":
            raise MessageRefused("phase", "the game has begun", "ゲームはもう始まっています")
        seat = room.seats[place]
        if seat.ready and said.seal and (said.seal, said.deck) == (seat.seal, seat.deck):
            self.acknowledge(client, said)  # repeated: keep seal and deck, start nothing anew
            return
        if room.held is not None:
            room.held.check_deck(place, said.deck)
        elif said.deck:
            self.check_deck(said.deck)
        if room.seats[1 - place].terms:
            room.new_secret()  # the other salt is open, and a choice made now could depend on it
        seat.seal = said.seal or fairness.seal_of(NAMES[place], said.salt, said.deck)
        seat.deck, seat.ready, seat.told, seat.terms = said.deck, True, not said.seal, ""
        seat.salt = said.salt if seat.told else ""
        seat.eager = True
        room.changed = True
        self.acknowledge(client, said)
        room.begin_if_ready()

    def reveal(self, client: RoomClient, said: p.Reveal) -> None:
        room = self.room
        place = self.seat_of(client)
        seat, other = room.seats[place], room.seats[1 - place]
        if room.phase != "waiting" or not (seat.ready and other.ready):
            raise MessageRefused("phase", "a salt is opened once both are ready", "両者の準備ができてから公開します")
        terms = room.terms.hash
        if said.terms != terms:
            raise MessageRefused(
                "seal", "what the game is played under has changed; look again", "ゲームの条件が変わりました"
            )
        if seat.told or fairness.seal_of(NAMES[place], said.salt, seat.deck) != seat.seal:
            raise MessageRefused("seal", "salt and deck do not fit the seal", "封印と合いません")
        if seat.terms == terms:
            # repeated: rate-limited and not broadcast, or two clients would answer each other forever
            room.may_talk(client)
            self.acknowledge(client, said)
            return
        seat.salt, seat.terms = said.salt, terms
        room.changed = True
        self.acknowledge(client, said)
        room.begin_if_ready()

    def check_deck(self, text: str) -> None:
        try:
            check_brought(parse_decks(text), self.room.regulation)
        except DeckError as error:
            raise MessageRefused(
                "deck", "; ".join(error.defects)[:600], "、".join(error.defects_ja)[:600], "R-190"
            ) from None

    # -- in the game -------------------------------------------------------------------------------------------------

    def asked(self, client: RoomClient, seq: int) -> int:
        """Return the client's seat; raise `MessageRefused` unless it is asked right now."""
        room = self.room
        place = self.seat_of(client)
        room.playing()
        if seq != room.table.seq:
            raise MessageRefused(
                "late", f"that was number {seq}, the game is at {room.table.seq}", f"{seq}番の選択はもう終わっています"
            )
        if room.table.player != place:
            raise MessageRefused("other", "the other player is the one to choose", "選ぶのは相手です", "R-17")
        if room.windows.pending is not None or room.windows.verdict is None:
            raise MessageRefused("late", "that has been answered", "もう答えました")
        return place

    def act(self, client: RoomClient, said: p.Act) -> None:
        room = self.room
        place = self.asked(client, said.seq)
        game = room.table.game
        if isinstance(said.words, list):
            words = said.words
            options = self.deck_option(words) if game is None else room.table.sentence(words)
        elif isinstance(said.text, str):
            options = self.deck_option(said.text.split()) if game is None else self.parsed(game, said.text, place)
        else:
            raise MessageRefused("empty", "an answer needs words or text", "言葉がありません")
        seat = room.seats[place]
        if isinstance(said.plan, list):
            room.windows.check_plan(place, game, said.plan)
            seat.plan = said.plan
        seat.accepted = room.table.seq
        if seat.assist.hold:
            seat.assist.hold = False
            room.changed = True
        self.acknowledge(client, said)
        if seat.plan:
            room.broadcast.assist_states(place)
        room.accept("say", place, options)
        room.go_on()

    def parsed(self, game: Game, text: str, place: int) -> list[int]:
        return list(game.parse(text, place).options)

    def deck_option(self, words: list[str]) -> list[int]:
        match = self.room.table.match
        assert match is not None
        number = " ".join(words).split()[-1] if "".join(words).strip() else ""
        if len(number) > 1 or not number.isdecimal() or int(number) not in match.options:
            raise IllegalMove("that deck cannot be picked", "そのデッキは選べません", "R-201")
        return [int(number)]

    def draft(self, client: RoomClient, said: p.DraftWords) -> None:
        room = self.room
        place = self.asked(client, said.seq)
        game = room.table.game
        if game is None:
            raise MessageRefused("deck", "a deck is chosen with one word", "デッキは一言で選びます")
        if said.fill and game.kind == "chance" and not isinstance(said.text, str):
            found = room.table.compose(said.words, said.picks)
            answer = questions.drafted(found.draft, said.id, room.table.seq, client.lang, client.lean, [], found.auto)
            room.broadcast.send(client, answer)
            return
        part = None if client.lean or isinstance(said.text, str) else game.gather(said.words)
        if part is not None:
            room.broadcast.send(client, questions.drafted_set(part, said.id, room.table.seq, client.lang))
            return
        words = game.parse(said.text, place) if isinstance(said.text, str) else said.words
        draft, proposal = room.table.draft(words)
        answer = questions.drafted(draft, said.id, room.table.seq, client.lang, client.lean, proposal)
        room.broadcast.send(client, answer)

    def hint(self, client: RoomClient, said: p.AskHint) -> None:
        """Queue a hint request for the present decision; the driver of the room computes the hint."""
        room = self.room
        place = self.asked(client, said.seq)
        if room.seats[1 - place].kind != "ai" or room.table.game is None:
            raise MessageRefused(
                "no_hint", "hints are for games against the computer", "ヒントはコンピューターとの対戦だけです"
            )
        if room.hint is not None:
            raise MessageRefused("busy", "a hint is on its way", "ヒントを考えています")
        room.hint = WantedHint(client.key, said.id, said.seq, client.lang, said.move)

    def plan(self, client: RoomClient, said: p.PlannedAttack) -> None:
        room = self.room
        place = self.seat_of(client)
        room.windows.check_plan(place, room.game_in_play(), said.attackers)
        room.seats[place].plan = said.attackers
        room.broadcast.assist_states(place, client, said.id)

    def assist(self, client: RoomClient, said: p.SetAssist) -> None:
        room = self.room
        place = self.seat_of(client)
        assist = room.seats[place].assist
        if isinstance(said.mode, str):
            assist.mode = said.mode
            room.changed = True
        if isinstance(said.stops, list):
            assist.stops = set(said.stops)
            room.changed = True
        if isinstance(said.arm, list):
            assist.arm = set(said.arm)
            room.changed = True
        if isinstance(said.hold, bool):
            assist.hold = said.hold
            room.changed = True
        if isinstance(said.skip, str):
            assist.skip = said.skip
        if isinstance(said.accept, bool):
            assist.accept = said.accept
        room.broadcast.assist_states(place, client, said.id)
        room.reconsider(place)

    def resign(self, client: RoomClient, said: p.Resign) -> None:
        room = self.room
        place = self.seat_of(client)
        room.playing()
        if room.table.game is None:
            raise MessageRefused("no_game", "no game is being played", "ゲーム中ではありません", "R-223")
        self.acknowledge(client, said)
        broke = said.fault and room.seats[place].bot
        room.conclude("fault" if broke else "resign", place, [])
