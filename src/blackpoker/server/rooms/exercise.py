"""An exercise played in a room of its own. The room is rebuilt for every message by replaying the moves so far, so
nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Raw

from blackpoker import Audience
from blackpoker.errors import BlackPokerError
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.learn.exercise import Exercise, ExerciseState
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import RoomClient

#: moves of the opponent between two own moves; stops a script that does not end
MAX_REPLIES: Final = 60
#: messages accepted in an exercise after joining
ALLOWED_MESSAGES: Final = (
    p.SubmitMove,
    p.PreviewMove,
    p.RequestRefusals,
    p.RequestResync,
    p.SetAssist,
    p.PlanAttack,
    p.Ping,
)
SECRET: Final = bytes(32)  # all users get the same shuffles


class ExerciseRoom:
    def __init__(self, exercise: Exercise, regulation: str, moves: Sequence[str], mode: p.Mode) -> None:
        """Raise `BlackPokerError` if one of the moves cannot be played."""
        self.exercise = exercise
        settings = p.RoomSettings(regulation=regulation, opponent=p.LEVELS[0], window_ms=0)
        self.room: Room = Room("practice", settings, 0.0, exercise.start)
        self.room.secret = SECRET
        seat = self.room.seats[0]
        seat.kind, seat.guest, seat.ready, seat.salt_public = "human", "me", True, True
        seat.assist.mode = mode
        self.script: list[str] = list(exercise.script)
        self.played: list[str] = []
        self.room.begin_if_ready()
        self.judgement: ExerciseState = self.play_opponent()
        for text in moves:
            self.play_move(text)
        self.room.take()

    @property
    def game(self) -> Game:
        table = self.room.room_game
        game = table.game or table.last_game
        assert game is not None
        return game

    def play_move(self, text: str) -> None:
        """Play a move of P1, either replayed or new."""
        game = self.room.room_game.game
        if game is None or self.judgement.status != "open":
            return
        move = game.parse(text, 0)
        self.room.seats[0].last_move = self.room.room_game.seq
        self.room.submit("say", 0, list(move.options))
        self.room.advance()
        self.played.append(move.text)
        self.judgement = self.play_opponent()

    def play_opponent(self) -> ExerciseState:
        """Play the opponent's moves until P1 must choose or the exercise has ended. Return its judgement."""
        room = self.room
        for _ in range(MAX_REPLIES):
            judgement = self.exercise.evaluate(self.game, self.played)
            bot_turn = room.bot_turn()
            game = room.room_game.game
            if judgement.status != "open" or game is None:
                return judgement
            if bot_turn is None:
                decision = game.decision
                if decision is None or decision.words != ["pass"]:
                    return judgement
                room.submit(
                    "auto", 0, [decision.options[0].option], "nothing"
                )  # no prompt if passing is the only option
                room.advance()
                continue
            player, seq, _ = bot_turn
            text = self.exercise.opponent_move(game, self.script)
            room.bot_move(player, seq, list(game.parse(text, player).options), 0.0)
        return self.exercise.evaluate(self.game, self.played)

    def join(self, message: p.Join) -> list[p.AnyServerMessage]:
        self.room.join(RoomClient("me", "me", ""), message, 0.0)
        return self.collect()

    def handle(self, message: p.AnyClientMessage, lang: p.Lang, since: int) -> list[p.AnyServerMessage]:
        """Handle a message of a client that has everything up to ``since``. Return the messages to send."""
        if isinstance(message, p.Join):
            return self.join(msgspec.structs.replace(message, seat="p1"))  # the only seat for a user
        self.join(p.Join(room="practice", seat="p1", lang=lang, game=1, since=since))
        if not isinstance(message, ALLOWED_MESSAGES):
            return [p.Error(message.id, "practice", "not in an exercise", "練習ではできません")]
        if not isinstance(message, p.SubmitMove):
            self.room.receive("me", message, 0.0)
            return self.collect()
        game = self.room.room_game.game
        if game is None or self.judgement.status != "open":
            return [
                p.Error(message.id, "practice", "the exercise is over; go back or go on", "この練習は終わっています")
            ]
        text = self.move_text(game, message)
        before = self.room.seats[0].last_move
        self.room.receive("me", msgspec.structs.replace(message, attackers=msgspec.UNSET), 0.0)
        if self.room.seats[0].last_move != before and text:
            self.played.append(text)
            self.judgement = self.play_opponent()
            self.play_planned_attack(message.attackers)
        return self.collect()

    def play_planned_attack(self, plan: list[str] | msgspec.UnsetType) -> None:
        """Play the attack given with a request as a move of its own, because no plans are kept here."""
        game = self.room.room_game.game
        if (
            not isinstance(plan, list)
            or game is None
            or Assistant(game).kind != "attackers"
            or self.judgement.status != "open"
        ):
            return
        decision = game.decision
        assert decision is not None
        words = [word for word in decision.words if word != "done"] if plan == ["all"] else plan
        try:
            self.play_move(game.draft(words, finish=True).text)
        except BlackPokerError:
            return  # ask for the attackers if the planned ones cannot attack

    @staticmethod
    def move_text(game: Game, message: p.SubmitMove) -> str:
        """Return the move in notation; empty if it is invalid, which the room will report."""
        try:
            if isinstance(message.tokens, list):
                return game.draft(message.tokens, finish=True).text
            return game.parse(message.text, 0).text if isinstance(message.text, str) else ""
        except BlackPokerError:
            return ""

    def collect(self) -> list[p.AnyServerMessage]:
        """Return what the room has sent, without results and records: the judgement reports the end of the exercise."""
        out: list[p.AnyServerMessage] = []
        for _, message in self.room.take().messages:
            if isinstance(message, p.GameOver | Raw):
                continue
            if self.exercise.exact_life and isinstance(message, p.Update):
                life = self.game.view(Audience.JUDGE).p2.life
                if message.view is not None:
                    message.view.p2.life = life
                elif message.view_changes is not None:
                    message.view_changes["p2.life"] = life
            out.append(message)
        return out
