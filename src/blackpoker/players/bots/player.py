"""Adapter that makes a bot a player: it requests a whole move and returns it option by option."""

from __future__ import annotations

import base64
import pickle
from typing import Final

from blackpoker import Game, IllegalMove, Regulation
from blackpoker.assist.decision import Decision, Draft, refused_actions
from blackpoker.determinization import World
from blackpoker.errors import BlackPokerError
from blackpoker.notation import state_writer
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.notation.options import tokens_so_far
from blackpoker.notation.parser import parse_move
from blackpoker.players.bots.bot_names import Bot
from blackpoker.players.bots.process import BotProcess, acquire, release, terminate
from blackpoker.players.errors import Fault, PlayersError
from blackpoker.players.player_view import SEAT_NAMES, PlayerView
from blackpoker.protocol import bot as w
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions

#: seeds are limited to the integers of JavaScript
SEEDS: Final = 2**53


class BotPlayer:
    """A bot at one seat of one game. After a fault it is stopped, and restarted at the next decision."""

    def __init__(self, bot: Bot, regulation: Regulation, seat: int, seed: int) -> None:
        self.bot = bot
        self.regulation = regulation
        self.seat = seat
        self.seed: int = seed % SEEDS
        self.process: BotProcess | None = None
        self.seq: int = 0
        self.remaining: list[int] = []  # remaining options of the current move
        self.game: Game | None = None
        self.sent_events: int = 0
        #: what the bot has written to standard error in this game
        self.output: str = ""

    def attend(self, game: Game) -> None:
        """Set the game, from which the events visible to its seat are sent."""
        self.game = game
        self.sent_events = 0

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        if self.remaining and self.remaining[0] in seat.options:
            return self.remaining.pop(0)
        try:
            self.remaining = self.request_move(seat, decision)
        except Fault:
            self.remaining = []
            if self.process is not None:
                self.output += self.process.take_output()
                terminate(self.process)
                self.process = None
            raise
        return self.remaining.pop(0)

    def request_move(self, seat: PlayerView, decision: Decision) -> list[int]:
        """Return the options of the bot's move, without forced ones."""
        process = self.process
        if process is None:
            process = self.process = acquire(self.bot)
            process.greet(hello_of(self.bot, self.regulation, self.seat, self.seed))
        ask = self.ask(seat, decision, process.detail)
        reply = process.ask(ask, lambda asked: self.answer_query(asked, seat, decision))
        if process.detail == "worker":
            return [ask.option_numbers[decision.words.index(reply.tokens[0])]] if isinstance(reply.tokens, list) else []
        return choices(seat, reply)

    def ask(self, seat: PlayerView, decision: Decision, detail: w.BotDetail) -> w.BotPrompt:
        self.seq += 1
        options = [p.Option(text) for text in decision.words]
        ask = w.BotPrompt(self.seq, decision.kind, options, decision.several, tokens_so_far(seat.world))
        if self.game is not None:
            ask.events = w.compact_events(self.game.event_views(self.seat, self.sent_events))
            self.sent_events += len(ask.events)
        if detail != "lean":
            ask.view = seat.view
        if detail == "worker":
            ask.option_numbers, ask.default = seat.options, decision.default
        return ask

    def answer_query(self, query: w.AnyBotMessage, seat: PlayerView, decision: Decision) -> object:
        """Answer a query that the bot sends before its move."""
        if isinstance(query, p.PreviewMove):
            try:
                return preview_draft(seat, query, self.seq)
            except BlackPokerError as error:
                ruling = error.ruling if isinstance(error, IllegalMove) else ""
                return p.Error(query.id, "illegal", error.en, error.ja, ruling)
        if isinstance(query, w.RequestSampledState):
            setting = b""
            if query.with_setup:
                setting = base64.b64encode(pickle.dumps((self.regulation, plain_knowledge(seat))))
            return w.SampledState(state_writer.dump(seat.world), setting.decode())
        return refusals(seat, query.id if isinstance(query, p.RequestRefusals) else 0)

    def over(self, winner: int | None, reason: str) -> None:
        """Report the end of the game; the process is released for another game."""
        process, self.process = self.process, None
        self.game = None
        if process is None:
            return
        try:
            process.over(w.BotGameOver("draw" if winner is None else SEAT_NAMES[winner], reason))
            self.output += process.take_output()
            release(process)
        except Fault:
            terminate(process)

    def __del__(self) -> None:
        """Release the process when a game is abandoned; it gets a new hello for its next game."""
        process = getattr(self, "process", None)
        if process is not None:
            release(process)


def hello_of(bot: Bot, regulation: Regulation, seat: int, seed: int) -> w.Hello:
    hello = w.Hello(w.VERSION, regulation.text, SEAT_NAMES[seat], seed, w.BotTime(bot.start, bot.seconds), bot.memory)
    if not regulation.edition.is_standard:
        hello.edition = regulation.edition.text
    return hello


def check_start(bot: Bot, regulation: Regulation) -> None:
    """Start a bot and greet it as for a game, then release it; raise `PlayersError` if that fails."""
    process = acquire(bot)
    try:
        process.greet(hello_of(bot, regulation, 0, 0))
    except Fault as fault:
        terminate(process)
        raise PlayersError(f"{bot.name}: {fault}", f"{bot.name} を始められません：{fault}") from None
    release(process)


def plain_knowledge(seat: PlayerView) -> tuple[list[int], list[int], list[int], int]:
    """Return the seat's knowledge of the decks as plain values."""
    knowledge = seat.knowledge
    sizes = [int(size) for size in knowledge.sizes]
    return (
        [int(pool) for pool in knowledge.pools],
        [int(pool) for pool in knowledge.own_pools],
        sizes,
        int(knowledge.most),
    )


class _RecordedMove(MoveBuilder):
    """A move builder that records the options that were not forced."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.free: list[int] = []

    def push(self, option: int) -> None:
        if len(self._engine.options) > 1:
            self.free.append(option)
        super().push(option)


def choices(seat: PlayerView, reply: p.SubmitMove) -> list[int]:
    """Return the unforced options of a move; raise `Fault` if it is illegal."""
    sentence = _RecordedMove(seat.world)
    shown = reply.text if isinstance(reply.text, str) else reply.tokens
    try:
        if isinstance(reply.tokens, list):
            sentence.extend(reply.tokens)
            sentence.finish()
        elif isinstance(reply.text, str):
            for option in parse_move(seat.world, reply.text, seat.player).options:
                sentence.push(option)
        else:
            raise Fault("answered with neither words nor text")
    except BlackPokerError as error:
        raise Fault(f"sent {shown!r}: {error.en}") from None
    return sentence.free


def refusals(seat: PlayerView, id: int) -> p.Refusals:
    """Return the refusals of the actions that are not offered."""
    return p.Refusals(id, refused_actions(seat.world, seat.player))


def preview_draft(seat: PlayerView, query: p.PreviewMove, seq: int) -> p.PreviewResult:
    """Return the possible continuations of a draft, or the preview of the complete move."""
    draft = Draft(seat.world)
    if isinstance(query.text, str):
        for option in parse_move(seat.world, query.text, seat.player).options:
            draft.push(option)
    else:
        draft.extend(query.tokens)
    return questions.preview_result(draft, query.id, seq, "en", True)
