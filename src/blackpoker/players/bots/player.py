"""Adapter that makes a bot a player: it requests a whole move and returns it option by option."""

from __future__ import annotations

import base64
import pickle
from typing import Final

from blackpoker import Game, IllegalMove, Regulation
from blackpoker.assist.decision import Decision, Draft, refused
from blackpoker.errors import BlackPokerError
from blackpoker.files.parser import parse_move
from blackpoker.players.bots.bot_names import Bot
from blackpoker.players.bots.process import BotProcess, dismiss, hire, let_go
from blackpoker.players.errors import Fault, PlayersError
from blackpoker.players.seat import SEAT_NAMES, Seat
from blackpoker.thinking.worlds import World
from blackpoker.wire import bots as w
from blackpoker.wire import protocol as p
from blackpoker.wire import questions
from blackpoker.words import saved_state
from blackpoker.words.sentence import Sentence
from blackpoker.words.tokens import said_words

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
        self.rest: list[int] = []  # remaining options of the current move
        self.game: Game | None = None
        self.heard: int = 0

    def attend(self, game: Game) -> None:
        """Set the game, from which the events visible to its seat are sent."""
        self.game = game
        self.heard = 0

    def choose(self, seat: Seat, decision: Decision) -> int:
        if self.rest and self.rest[0] in seat.options:
            return self.rest.pop(0)
        try:
            self.rest = self.sentence(seat, decision)
        except Fault:
            self.rest = []
            if self.process is not None:
                dismiss(self.process)
                self.process = None
            raise
        return self.rest.pop(0)

    def sentence(self, seat: Seat, decision: Decision) -> list[int]:
        """Return the options of the bot's move, without forced ones."""
        process = self.process
        if process is None:
            process = self.process = hire(self.bot)
            process.greet(hello_of(self.bot, self.regulation, self.seat, self.seed))
        ask = self.ask(seat, decision, process.detail)
        said = process.ask(ask, lambda asked: self.answer(asked, seat, decision))
        if process.detail == "class":
            return [ask.numbers[decision.words.index(said.words[0])]] if isinstance(said.words, list) else []
        return choices(seat, said)

    def ask(self, seat: Seat, decision: Decision, detail: w.BotDetail) -> w.BotAsk:
        self.seq += 1
        options = [p.OfferedWord(text) for text in decision.words]
        ask = w.BotAsk(self.seq, decision.kind, options, decision.several, said_words(seat.world))
        if self.game is not None:
            ask.events = w.heard(self.game.events(self.seat, self.heard))
            self.heard += len(ask.events)
        if detail != "lean":
            ask.view = seat.view
        if detail == "class":
            ask.numbers, ask.default = seat.options, decision.default
        return ask

    def answer(self, asked: w.BotSays, seat: Seat, decision: Decision) -> object:
        """Answer a query that the bot sends before its move."""
        if isinstance(asked, p.DraftWords):
            try:
                return drafted(seat, asked, self.seq)
            except BlackPokerError as error:
                ruling = error.ruling if isinstance(error, IllegalMove) else ""
                return p.Error(asked.id, "illegal", error.en, error.ja, ruling)
        if isinstance(asked, w.WantWorld):
            setting = b""
            if asked.first:
                setting = base64.b64encode(pickle.dumps((self.regulation, known(seat))))
            return w.BotWorld(saved_state.dump(seat.world), setting.decode())
        return reasons(seat, asked.id if isinstance(asked, p.Why) else 0)

    def over(self, winner: int | None, reason: str) -> None:
        """Report the end of the game; the process is released for another game."""
        process, self.process = self.process, None
        self.game = None
        if process is None:
            return
        try:
            process.over(w.BotOver("draw" if winner is None else SEAT_NAMES[winner], reason))
            let_go(process)
        except Fault:
            dismiss(process)

    def __del__(self) -> None:
        """Release the process when a game is abandoned; it gets a new hello for its next game."""
        process = getattr(self, "process", None)
        if process is not None:
            let_go(process)


def hello_of(bot: Bot, regulation: Regulation, seat: int, seed: int) -> w.Hello:
    hello = w.Hello(
        w.VERSION, regulation.text, SEAT_NAMES[seat], seed, w.BotTime(bot.start, bot.seconds), bot.memory
    )  # fmt: skip
    if not regulation.edition.is_standard:
        hello.edition = regulation.edition.text
    return hello


def check_start(bot: Bot, regulation: Regulation) -> None:
    """Start a bot and greet it as for a game, then release it; raise `PlayersError` if that fails."""
    process = hire(bot)
    try:
        process.greet(hello_of(bot, regulation, 0, 0))
    except Fault as fault:
        dismiss(process)
        raise PlayersError(f"{bot.name}: {fault}", f"{bot.name} を始められません：{fault}") from None
    let_go(process)


def known(seat: Seat) -> tuple[list[int], list[int], list[int], int]:
    """Return the seat's knowledge of the decks as plain values."""
    briefing = seat.briefing
    sizes = [int(size) for size in briefing.sizes]
    return [int(pool) for pool in briefing.pools], [int(pool) for pool in briefing.own_pools], sizes, int(briefing.most)


class _Said(Sentence):
    """A move builder that records the options that were not forced."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.free: list[int] = []

    def push(self, option: int) -> None:
        if len(self.engine.options) > 1:
            self.free.append(option)
        super().push(option)


def choices(seat: Seat, said: p.Act) -> list[int]:
    """Return the unforced options of a move; raise `Fault` if it is illegal."""
    sentence = _Said(seat.world)
    shown = said.text if isinstance(said.text, str) else said.words
    try:
        if isinstance(said.words, list):
            sentence.say_all(said.words)
            sentence.finish()
        elif isinstance(said.text, str):
            for option in parse_move(seat.world, said.text, seat.player).options:
                sentence.push(option)
        else:
            raise Fault("answered with neither words nor text")
    except BlackPokerError as error:
        raise Fault(f"said {shown!r}: {error.en}") from None
    return sentence.free


def reasons(seat: Seat, id: int) -> p.Reasons:
    """Return the refusals of the actions that are not offered."""
    return p.Reasons(id, questions.refusals(refused(seat.world, seat.player)))


def drafted(seat: Seat, asked: p.DraftWords, seq: int) -> p.Drafted:
    """Return the possible continuations of a draft, or the preview of the complete move."""
    draft = Draft(seat.world)
    if isinstance(asked.text, str):
        for option in parse_move(seat.world, asked.text, seat.player).options:
            draft.push(option)
    else:
        draft.say_all(asked.words)
    return questions.drafted(draft, asked.id, seq, "en", True)
