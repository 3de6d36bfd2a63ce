"""An exercise played in a room of its own. The room is rebuilt for every message by replaying the moves so far, so
nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Raw

from blackpoker.errors import BlackPokerError
from blackpoker.game import JUDGE, Game
from blackpoker.school.exercise import Exercise, Judgement
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import RoomClient
from blackpoker.wire import protocol as p

#: moves of the opponent between two own moves; stops a script that does not end
MOST_ANSWERS: Final = 60
#: messages accepted in an exercise after joining
HEARD: Final = (p.Act, p.DraftWords, p.Why, p.LookAgain, p.SetAssist, p.PlannedAttack, p.Ping)
SECRET: Final = bytes(32)  # all users get the same shuffles


class Practice:
    def __init__(self, exercise: Exercise, regulation: str, said: Sequence[str], mode: p.Mode) -> None:
        """Raise `BlackPokerError` if one of the moves cannot be played."""
        self.exercise = exercise
        settings = p.RoomSettings(regulation=regulation, opponent=p.LEVELS[0], window_ms=0)
        self.room: Room = Room("practice", settings, 0.0, exercise.start)
        self.room.secret = SECRET
        seat = self.room.seats[0]
        seat.kind, seat.guest, seat.ready, seat.told = "human", "me", True, True
        seat.assist.mode = mode
        self.script: list[str] = list(exercise.script)
        self.said: list[str] = []
        self.room.begin_if_ready()
        self.standing: Judgement = self.answer()
        for text in said:
            self.push_text(text)
        self.room.take()

    @property
    def game(self) -> Game:
        table = self.room.table
        game = table.game or table.last
        assert game is not None
        return game

    def push_text(self, text: str) -> None:
        """Play a move of P1, either replayed or new."""
        game = self.room.table.game
        if game is None or self.standing.state != "open":
            return
        move = game.parse(text, 0)
        self.room.seats[0].accepted = self.room.table.seq
        self.room.accept("say", 0, list(move.options))
        self.room.go_on()
        self.said.append(move.text)
        self.standing = self.answer()

    def answer(self) -> Judgement:
        """Play the opponent's moves until P1 must choose or the exercise has ended. Return its judgement."""
        room = self.room
        for _ in range(MOST_ANSWERS):
            standing = self.exercise.judge(self.game, self.said)
            wanted = room.bot_wanted()
            game = room.table.game
            if standing.state != "open" or game is None:
                return standing
            if wanted is None:
                decision = game.decision
                if decision is None or decision.words != ["pass"]:
                    return standing
                room.accept(
                    "auto", 0, [decision.options[0].option], "nothing"
                )  # no prompt if passing is the only option
                room.go_on()
                continue
            place, seq, _ = wanted
            text = self.exercise.rival_says(game, self.script)
            room.bot_said(place, seq, list(game.parse(text, place).options), 0.0)
        return self.exercise.judge(self.game, self.said)

    def join(self, said: p.Join) -> list[p.ServerMessage]:
        self.room.join(RoomClient("me", "me", ""), said, 0.0)
        return self.told()

    def hear(self, said: p.ClientMessage, lang: p.Lang, since: int) -> list[p.ServerMessage]:
        """Handle a message of a client that has everything up to ``since``. Return the messages to send."""
        if isinstance(said, p.Join):
            return self.join(msgspec.structs.replace(said, seat="p1"))  # the only seat for a user
        self.join(p.Join(room="practice", seat="p1", lang=lang, game=1, since=since))
        if not isinstance(said, HEARD):
            return [p.Error(said.id, "practice", "not in an exercise", "練習ではできません")]
        if not isinstance(said, p.Act):
            self.room.receive("me", said, 0.0)
            return self.told()
        game = self.room.table.game
        if game is None or self.standing.state != "open":
            return [p.Error(said.id, "practice", "the exercise is over; go back or go on", "この練習は終わっています")]
        text = self.text_of(game, said)
        before = self.room.seats[0].accepted
        self.room.receive("me", msgspec.structs.replace(said, plan=msgspec.UNSET), 0.0)
        if self.room.seats[0].accepted != before and text:
            self.said.append(text)
            self.standing = self.answer()
            self.attack_as(said.plan)
        return self.told()

    def attack_as(self, plan: list[str] | msgspec.UnsetType) -> None:
        """Play the attack given with a request as a move of its own, because no plans are kept here."""
        game = self.room.table.game
        if not isinstance(plan, list) or game is None or game.kind != "attackers" or self.standing.state != "open":
            return
        decision = game.decision
        assert decision is not None
        words = [word for word in decision.words if word != "done"] if plan == ["all"] else plan
        try:
            self.push_text(game.draft(words, finish=True).text)
        except BlackPokerError:
            return  # ask for the attackers if the planned ones cannot attack

    @staticmethod
    def text_of(game: Game, said: p.Act) -> str:
        """Return the move in notation; empty if it is invalid, which the room will report."""
        try:
            if isinstance(said.words, list):
                return game.draft(said.words, finish=True).text
            return game.parse(said.text, 0).text if isinstance(said.text, str) else ""
        except BlackPokerError:
            return ""

    def told(self) -> list[p.ServerMessage]:
        """Return what the room has sent, without results and records: the judgement reports the end of the exercise."""
        out: list[p.ServerMessage] = []
        for _, message in self.room.take().messages:
            if isinstance(message, p.Over | Raw):
                continue
            if self.exercise.counted and isinstance(message, p.Update) and message.view is not None:
                message.view.p2.life = self.game.view(JUDGE).p2.life
            out.append(message)
        return out
