"""Handlers of client messages. A refused message changes nothing; the error goes to its client only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.protocol import messages as p
from blackpoker.ruleset import DeckError, check_player_decks, parse_decks
from blackpoker.server.fairness import seal
from blackpoker.server.rooms.game import record_id
from blackpoker.server.rooms.sanitize import printable
from blackpoker.server.rooms.seats import (
    SEAT_NAMES,
    ChatEntry,
    HintRequest,
    MessageRefused,
    ModerationRequest,
    RoomClient,
    handle_of,
)

if TYPE_CHECKING:
    from blackpoker.server.rooms.room import Room

MAX_CHAT_LINES: Final = 30


class MessageHandlers:
    def __init__(self, room: Room) -> None:
        self.room = room

    def receive(self, client: RoomClient, message: p.AnyClientMessage) -> None:
        broadcast = self.room.broadcast
        with broadcast.queue_if_responding(client):
            if not broadcast.queue_is_full(client):  # drop it: a client that queues this many answers is probing
                self.handle(client, message)

    def handle(self, client: RoomClient, message: p.AnyClientMessage) -> None:
        try:
            self.dispatch(client, message)
        except MessageRefused as refused:
            self.refuse(client, message, refused.code, refused.en, refused.ja, refused.ruling)
        except AmbiguousMove as error:
            self.refuse(client, message, "ambiguous", error.en, error.ja)
        except IllegalMove as error:  # people do not read the notation: the reason without the text of the move
            self.refuse(client, message, "illegal", error.reason, error.reason_ja, error.ruling)
        except BlackPokerError as error:
            self.refuse(client, message, "unreadable", error.en, error.ja)

    def refuse(
        self, client: RoomClient, message: p.AnyClientMessage, code: str, en: str, ja: str, ruling: str = ""
    ) -> None:
        self.room.broadcast.send(client, p.Error(message.id, code, en, ja, ruling))

    def dispatch(self, client: RoomClient, message: p.AnyClientMessage) -> None:
        room = self.room
        match message:  # most frequent first
            case p.SubmitMove():
                self.move(client, message)
            case p.PreviewMove():
                self.preview(client, message)
            case p.Ping():
                room.broadcast.send(client, p.Pong(message.id))
            case p.RequestResync():
                room.broadcast.resync(client)
            case p.Chat():
                self.chat(client, message)
            case p.Join():
                raise MessageRefused("joined", "you have joined already", "すでに参加しています")
            case p.Ready():
                self.ready(client, message)
            case p.Reveal():
                self.reveal(client, message)
            case p.RequestRefusals():
                game = room.game_in_play()
                seat = self.seat_of(client)
                refusals = [] if game is None else Assistant(game).refused(seat)
                room.broadcast.send(client, p.Refusals(message.id, refusals))
            case p.RequestHint():
                self.hint(client, message)
            case p.SetAssist():
                self.set_assist(client, message)
            case p.PlanAttack():
                self.plan_attack(client, message)
            case p.Resign():
                self.resign(client, message)
            case p.MutePlayer():
                self.set_mute(client, message)
            case p.ReportPlayer():
                self.report(client, message)
            case p.NameCaster():
                room.casters.name(client, message.handle, message.on)
                self.acknowledge(client, message)
            case p.SignTranscript():
                self.send_signature(client, message)
            case p.MakeOffer():
                room.offers.propose(client, self.seat_of(client), message)
            case p.AnswerOffer():
                room.offers.reply(client, self.seat_of(client), message)

    def acknowledge(self, client: RoomClient, message: p.AnyClientMessage) -> None:
        self.room.broadcast.send(client, p.Ack(message.id, self.room.room_game.seq))

    def seat_of(self, client: RoomClient) -> int:
        if client.seat is None:
            raise MessageRefused("watching", "you are watching", "観戦中です")
        return client.seat

    def chat(self, client: RoomClient, message: p.Chat) -> None:
        room = self.room
        author = "watch" if client.seat is None else SEAT_NAMES[client.seat]
        text = "" if message.phrase else printable(message.text)
        if not (text or message.phrase):
            raise MessageRefused("empty", "there is nothing to say", "空のメッセージです")
        if text and room.settings.chat == "phrases":
            raise MessageRefused("phrases", "only phrases can be sent in this room", "この部屋では定型文だけが使えます")
        if client.muted:
            raise MessageRefused("muted", "an operator has muted you", "運営によりチャットが制限されています")
        room.check_rate(client)
        line = p.ChatLine(
            author, room.seats.distinct_name(client), text, handle_of(room.id, client.guest), message.phrase
        )
        delay = 0.0 if client.seat is None else room.broadcast.spectator_delay.seconds
        entry = ChatEntry(line, client.guest, room.now + delay)
        room.chat = [*room.chat[1 - MAX_CHAT_LINES :], entry]
        room.broadcast.send_chat(entry)

    # -- moderation --------------------------------------------------------------------------------------------------

    def find_person(self, client: RoomClient, handle: str) -> tuple[str, str]:
        """Return the guest with this handle and the name shown here; raise `MessageRefused` if there is none."""
        room = self.room
        names = {seat.guest: seat.name for seat in room.seats if seat.kind == "human"}
        names |= {entry.guest: entry.line.name for entry in room.chat}
        for guest, name in names.items():
            if guest and guest != client.guest and handle_of(room.id, guest) == handle:
                return guest, name
        raise MessageRefused("no_such_person", "there is no such person here", "その人はここにいません")

    def set_mute(self, client: RoomClient, message: p.MutePlayer) -> None:
        room = self.room
        guest, name = self.find_person(client, message.handle)
        room.check_rate(client)
        for own_client in room.seats.clients.values():
            if own_client.guest == client.guest:
                (own_client.muted_guests.add if message.on else own_client.muted_guests.discard)(guest)
        kind = "mute" if message.on else "unmute"
        room.moderation_requests.append(
            ModerationRequest(kind, client.guest, client.name, guest, name, network=client.network)
        )
        self.acknowledge(client, message)

    def report(self, client: RoomClient, message: p.ReportPlayer) -> None:
        room = self.room
        guest, name = self.find_person(client, message.handle)
        room.check_rate(client)
        chat = [(entry.line.seat, entry.line.name, entry.line.phrase or entry.line.text) for entry in room.chat]
        chat_json = msgspec.json.encode(chat).decode()
        record = record_id(room.secret, room.game_number, 1) if room.game_number else ""
        text = printable(message.comment)
        room.moderation_requests.append(
            ModerationRequest(
                "report",
                client.guest,
                client.name,
                guest,
                name,
                message.reason,
                text,
                record,
                chat_json,
                client.network,
            )
        )
        self.acknowledge(client, message)

    # -- before the game ---------------------------------------------------------------------------------------------

    def ready(self, client: RoomClient, message: p.Ready) -> None:
        room = self.room
        index = self.seat_of(client)
        if room.phase != "waiting":
            raise MessageRefused("phase", "the game has begun", "ゲームはもう始まっています")
        seat = room.seats[index]
        same = (message.seal, message.deck, message.key) == (seat.seal, seat.deck, seat.key)
        if seat.ready and message.seal and same:
            self.acknowledge(client, message)  # repeated: keep seal and deck, start nothing anew
            return
        if room.reserved is not None:
            room.reserved.check_deck(index, message.deck)
        elif message.deck:
            self.check_deck(message.deck)
        if room.seats[1 - index].terms:
            room.new_secret()  # the other salt is open, and a choice made now could depend on it
        seat.seal = message.seal or seal.make_seal(SEAT_NAMES[index], message.salt, message.deck)
        seat.deck, seat.ready, seat.salt_public, seat.terms = message.deck, True, not message.seal, ""
        seat.salt = message.salt if seat.salt_public else ""
        seat.key = message.key
        seat.wants_game = True
        room.row_changed = True
        self.acknowledge(client, message)
        room.begin_if_ready()

    def reveal(self, client: RoomClient, message: p.Reveal) -> None:
        room = self.room
        index = self.seat_of(client)
        seat, other = room.seats[index], room.seats[1 - index]
        if room.phase != "waiting" or not (seat.ready and other.ready):
            raise MessageRefused("phase", "a salt is opened once both are ready", "両者の準備ができてから公開します")
        terms = room.terms.hash
        if message.terms != terms:
            raise MessageRefused(
                "seal", "what the game is played under has changed; look again", "ゲームの条件が変わりました"
            )
        if seat.salt_public or seal.make_seal(SEAT_NAMES[index], message.salt, seat.deck) != seat.seal:
            raise MessageRefused("seal", "salt and deck do not fit the seal", "封印と合いません")
        if seat.terms == terms:
            # repeated: rate-limited and not broadcast, or two clients would answer each other forever
            room.check_rate(client)
            self.acknowledge(client, message)
            return
        seat.salt, seat.terms = message.salt, terms
        room.row_changed = True
        self.acknowledge(client, message)
        room.begin_if_ready()

    def check_deck(self, text: str) -> None:
        try:
            check_player_decks(parse_decks(text), self.room.regulation)
        except DeckError as error:
            raise MessageRefused(
                "deck", "; ".join(error.defects)[:600], "、".join(error.defects_ja)[:600], "R-190"
            ) from None

    # -- in the game -------------------------------------------------------------------------------------------------

    def send_signature(self, client: RoomClient, message: p.SignTranscript) -> None:
        """Send a seat's signature to the other seat. One that signs nothing new is dropped, so their number is limited
        by the number of events."""
        room = self.room
        seat = self.seat_of(client)
        last = room.broadcast.signatures.get(seat)
        if room.phase == "waiting" or (last is not None and (message.part, message.count) <= (last.part, last.count)):
            return
        if message.part > room.room_game.part or message.count > room.room_game.event_count:
            return
        room.broadcast.send_signature(seat, p.TranscriptSignature(message.count, message.signature, message.part))

    def check_asked(self, client: RoomClient, seq: int) -> int:
        """Return the client's seat; raise `MessageRefused` unless it is asked right now."""
        room = self.room
        seat = self.seat_of(client)
        room.check_playing()
        if seq != room.room_game.seq:
            raise MessageRefused(
                "late",
                f"that was number {seq}, the game is at {room.room_game.seq}",
                f"{seq}番の選択はもう終わっています",
            )
        if room.room_game.player != seat:
            raise MessageRefused("other", "the other player is the one to choose", "選ぶのは相手です", "R-17")
        if room.windows.pending_move is not None or room.windows.verdict is None:
            raise MessageRefused("late", "that has been answered", "もう答えました")
        return seat

    def move(self, client: RoomClient, message: p.SubmitMove) -> None:
        room = self.room
        player = self.check_asked(client, message.seq)
        game = room.room_game.game
        if isinstance(message.tokens, list):
            tokens = message.tokens
            options = self.deck_option(tokens) if game is None else room.room_game.move_options(tokens)
        elif isinstance(message.text, str):
            options = (
                self.deck_option(message.text.split()) if game is None else self.parse_move(game, message.text, player)
            )
        else:
            raise MessageRefused("empty", "an answer needs words or text", "言葉がありません")
        seat = room.seats[player]
        if isinstance(message.attackers, list):
            room.windows.check_plan(player, game, message.attackers)
            seat.plan = message.attackers
        seat.last_move = room.room_game.seq
        if seat.assist.hold:
            seat.assist.hold = False
            room.row_changed = True
        self.acknowledge(client, message)
        if seat.plan:
            room.broadcast.assist_states(player)
        room.submit("say", player, options)
        room.advance()

    def parse_move(self, game: Game, text: str, player: int) -> list[int]:
        return list(game.parse(text, player).options)

    def deck_option(self, tokens: list[str]) -> list[int]:
        match = self.room.room_game.match
        assert match is not None
        number = " ".join(tokens).split()[-1] if "".join(tokens).strip() else ""
        if len(number) > 1 or not number.isdecimal() or int(number) not in match.options:
            raise IllegalMove("that deck cannot be picked", "そのデッキは選べません", "R-201")
        return [int(number)]

    def preview(self, client: RoomClient, message: p.PreviewMove) -> None:
        room = self.room
        self.check_asked(client, message.seq)
        game = room.room_game.game
        if game is None:
            raise MessageRefused("deck", "a deck is chosen with one word", "デッキは一言で選びます")
        room.broadcast.send(client, room.room_game.preview(message, client.lang, client.is_program))

    def hint(self, client: RoomClient, message: p.RequestHint) -> None:
        """Queue a hint request for the present decision; the driver of the room computes the hint."""
        room = self.room
        seat = self.check_asked(client, message.seq)
        if room.seats[1 - seat].kind != "ai" or room.room_game.game is None:
            raise MessageRefused(
                "no_hint", "hints are for games against the computer", "ヒントはコンピューターとの対戦だけです"
            )
        if room.hint is not None:
            raise MessageRefused("busy", "a hint is on its way", "ヒントを考えています")
        room.hint = HintRequest(client.key, message.id, message.seq, client.lang, message.with_move)

    def plan_attack(self, client: RoomClient, message: p.PlanAttack) -> None:
        room = self.room
        seat = self.seat_of(client)
        room.windows.check_plan(seat, room.game_in_play(), message.attackers)
        room.seats[seat].plan = message.attackers
        room.broadcast.assist_states(seat, client, message.id)

    def set_assist(self, client: RoomClient, message: p.SetAssist) -> None:
        room = self.room
        seat = self.seat_of(client)
        assist = room.seats[seat].assist
        if isinstance(message.mode, str):
            assist.mode = message.mode
            room.row_changed = True
        if isinstance(message.stops, list):
            assist.stops = set(message.stops)
            room.row_changed = True
        if isinstance(message.stop_cards, list):
            assist.arm = set(message.stop_cards)
            room.row_changed = True
        if isinstance(message.stop_next, bool):
            assist.hold = message.stop_next
            room.row_changed = True
        if isinstance(message.skip_until, str):
            assist.skip = message.skip_until
        if isinstance(message.accept_combat, bool):
            assist.accept = message.accept_combat
        room.broadcast.assist_states(seat, client, message.id)
        room.apply_settings(seat)

    def resign(self, client: RoomClient, message: p.Resign) -> None:
        room = self.room
        seat = self.seat_of(client)
        room.check_playing()
        if room.room_game.game is None:
            raise MessageRefused("no_game", "no game is being played", "ゲーム中ではありません", "R-223")
        self.acknowledge(client, message)
        is_fault = message.fault and room.seats[seat].bot
        room.apply_outside("fault" if is_fault else "resign", seat, [])
