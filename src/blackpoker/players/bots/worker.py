"""The process of a bot that is a Python class: ``worker FILE CLASS``. One object of the class plays one game.

The usual data of a decision is part of the request; a whole world is fetched on first use.
"""

from __future__ import annotations

import base64
import importlib.util
import inspect
import os
import pickle
import sys
from pathlib import Path
from typing import Any, Union

import msgspec

from blackpoker import Event, EventView, Regulation, View, seeded
from blackpoker.assist.decision import Decision
from blackpoker.determinization import PriorKnowledge, World, determinize
from blackpoker.game.events import typed_event
from blackpoker.notation.state_reader import read_state
from blackpoker.players.player_view import SEAT_NAMES, PlayerView
from blackpoker.protocol import bot as w
from blackpoker.protocol import messages as p


class DecisionRequest(w.BotMessage, tag="prompt"):
    """``BotPrompt`` with lazily decoded parts."""

    seq: int
    kind: str
    options: list[p.Option]
    multiple: bool = False
    so_far: list[str] = msgspec.field(default_factory=list)
    events: msgspec.Raw = msgspec.Raw(b"[]")
    view: msgspec.Raw = msgspec.Raw()
    option_numbers: list[int] = msgspec.field(default_factory=list)
    default: int = -1


IncomingMessage = Union[w.Hello, DecisionRequest, w.SampledState, p.Error, w.BotGameOver, w.BotQuit]  # noqa: UP007 - msgspec reads it at run time


class Disconnected(Exception):
    """Raised when the connection is closed."""


class WorldUnavailable(Exception):
    """Raised when the server provides views and options but no worlds."""


class GameConnection:
    """The connection to the game: the original stdin and stdout, kept apart from what the class prints or reads."""

    def __init__(self) -> None:
        self.input: Any = os.fdopen(os.dup(0), "rb")
        self.output: int = os.dup(1)
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self.decoder: msgspec.json.Decoder[IncomingMessage] = msgspec.json.Decoder(IncomingMessage)

    def receive(self) -> IncomingMessage:
        line = self.input.readline()
        if not line:
            raise Disconnected
        return self.decoder.decode(line)

    def send(self, message: object) -> None:
        data = w.encode(message) + b"\n"
        while data:
            data = data[os.write(self.output, data) :]


class RemoteGame:
    """The current game as known to this process."""

    def __init__(self, line: GameConnection, hello: w.Hello) -> None:
        self.connection = line
        self.player: int = SEAT_NAMES.index(hello.seat)
        self.regulation: Regulation | None = None
        self.knowledge: PriorKnowledge | None = None

    def world(self) -> World:
        """Return a world consistent with the seat's knowledge."""
        self.connection.send(w.RequestSampledState(self.regulation is None))
        message = self.connection.receive()
        if isinstance(message, p.Error):
            raise WorldUnavailable(message.en)
        if not isinstance(message, w.SampledState):
            raise Disconnected
        if message.setup:
            self.regulation, known = pickle.loads(base64.b64decode(message.setup))
            self.knowledge = PriorKnowledge(*known)
        assert self.regulation is not None
        return read_state(self.regulation.rules(), message.state, seeded(0))


class RemoteView(PlayerView):
    """The view at this decision; ``world`` and everything derived from it is fetched on first use."""

    __slots__ = ("_ask", "_found", "_table")

    def __init__(self, table: RemoteGame, ask: DecisionRequest) -> None:
        self.player: int = table.player
        self._table = table
        self._ask = ask
        self._found: World | None = None

    @property
    def world(self) -> World:
        if self._found is None:
            self._found = self._table.world()
        return self._found

    @property
    def options(self) -> list[int]:
        return self._ask.option_numbers

    @property
    def view(self) -> View:
        return msgspec.json.decode(self._ask.view, type=View)

    @property
    def events(self) -> list[Event]:
        return [typed_event(event) for event in msgspec.json.decode(self._ask.events, type=list[EventView])]

    @property
    def decision(self) -> Decision:
        return RemoteDecision(self, self._ask)

    def sample_world(self, seed: int) -> World:
        world = self.world
        knowledge = self._table.knowledge
        assert knowledge is not None
        return determinize(world, self.player, knowledge, seeded(seed))


class RemoteDecision(Decision):
    """A decision made from the received data; everything else is derived from the world."""

    def __init__(self, seat: RemoteView, ask: DecisionRequest) -> None:
        self._seat = seat
        self._words: list[str] = [choice.token for choice in ask.options]
        self._default: int = ask.default
        self._options = None
        self.player = SEAT_NAMES[seat.player]
        self.kind: str = ask.kind
        self.several: bool = ask.multiple
        self.so_far: list[str] = ask.so_far

    def __getattr__(self, name: str) -> Any:
        if name == "_engine":
            self._engine = self._seat.world
            return self._engine
        raise AttributeError(name)

    @property
    def words(self) -> list[str]:
        return self._words

    @property
    def default(self) -> int:
        return self._default


def load(path: Path, name: str) -> Any:
    """Return the class of this name in a file; raise `TypeError` if it has none with a method ``choose``."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(getattr(found, "choose", None)):
        raise TypeError(f"{path.name} has no class {name} with a method choose")
    return found


def make_bot(kind: Any, hello: w.Hello) -> Any:
    """Return an instance of the class; a constructor with a parameter gets the hello of its game."""
    try:
        wants = len(inspect.signature(kind).parameters)
    except (TypeError, ValueError):
        wants = 0
    return kind(hello) if wants else kind()


def token_of(choice: object, seat: RemoteView, decision: Decision) -> str:
    """Return the token of the chosen option, given as number or token; raise `ValueError` if it is not offered."""
    if isinstance(choice, str):
        if choice in decision.words:
            return choice
        bare = [word for word in decision.words if word.removesuffix("@") == choice]
        if bare:
            return bare[0]
    elif isinstance(choice, int) and not isinstance(choice, bool) and choice in seat.options:
        return decision.words[seat.options.index(choice)]
    raise ValueError(f"{choice!r} is not offered; offered are {' '.join(decision.words)}")


def serve(connection: GameConnection, path: Path, name: str) -> None:
    kind: Any = None
    player: Any = None
    table: RemoteGame | None = None
    while True:
        message = connection.receive()
        if isinstance(message, w.Hello):
            kind = kind or load(path, name)
            player, table = make_bot(kind, message), RemoteGame(connection, message)
            connection.send(w.BotJoin("worker"))
        elif isinstance(message, DecisionRequest) and table is not None:
            seat = RemoteView(table, message)
            decision = seat.decision
            connection.send(
                p.SubmitMove(seq=message.seq, tokens=[token_of(player.choose(seat, decision), seat, decision)])
            )
        elif isinstance(message, w.BotGameOver):
            if hasattr(player, "over"):
                player.over(message.winner)
        elif isinstance(message, w.BotQuit):
            return


def error_location(error: BaseException, path: Path) -> str:
    """Return the last position of the error in the bot's own file."""
    numbers = [error.lineno] if isinstance(error, SyntaxError) and error.lineno else []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            numbers.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" ({path.name}, line {numbers[-1]})" if numbers else ""


def main() -> int:
    path, name = Path(sys.argv[1]), sys.argv[2]
    connection = GameConnection()
    try:
        serve(connection, path, name)
    except (Disconnected, KeyboardInterrupt, BrokenPipeError):
        return 0
    except BaseException as error:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        connection.send(w.WorkerFault(f"{type(error).__name__}: {text}{error_location(error, path)}"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
