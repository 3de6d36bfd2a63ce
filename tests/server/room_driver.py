"""Rooms played by random clients without a network; a listener receives every message."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec import Raw

from blackpoker.protocol import messages as p
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import FinishedGame, GameEntry, RoomClient

Listener = Callable[[str, bytes], None]


class Driver:
    """Two random players ``a`` and ``b`` and a spectator ``w`` in one room, with their own clock."""

    def __init__(
        self,
        regulation: str = "lite+entry",
        seed: int = 0,
        listener: Listener | None = None,
        detail: p.Detail = "full",
        mode: str = "",
        **settings: object,
    ) -> None:
        settings.setdefault("window_ms", 0)
        self.room = Room("room", p.RoomSettings(regulation=regulation, **settings), 0.0)  # type: ignore[arg-type]
        self.random = random.Random(seed)
        self.room.secret = self.random.randbytes(32)  # reproducible games
        self.room.windows.random = lambda: 0.0  # reproducible times
        self.listener = listener
        self.now = 0.0
        self.asks: dict[str, p.Prompt | None] = {}
        self.errors: list[p.Error] = []
        self.results: list[p.GameOver] = []
        self.rows: list[dict[str, object]] = []
        self.entries: list[GameEntry] = []
        self.finished: list[FinishedGame] = []
        self.inbox: dict[str, list[p.AnyServerMessage]] = {}
        self.detail: p.Detail = detail
        self.mode = mode
        for key in ("a", "b", "w"):
            self.join(key)

    def join(self, key: str, **fields: object) -> None:
        """Join as the guest that the last letter of the key names."""
        guest = key[-1]
        lang: p.Lang = "ja" if guest == "b" else "en"
        seat = "watch" if guest == "w" else "any"
        message = p.Join(1, "room", seat, lang, self.detail, **fields)  # type: ignore[arg-type]
        self.room.join(RoomClient(key, f"guest-{guest}", guest.upper()), message, self.now)
        if self.mode and key != "w":
            self.room.receive(key, p.SetAssist(mode=self.mode), self.now)  # type: ignore[arg-type]
        self.collect()

    def start(self) -> None:
        for key in ("a", "b"):
            if not self.room.seats["ab".index(key)].ready:
                self.send(key, p.Ready(2, salt=f"salt {key}"))

    def collect(self) -> None:
        outcome = self.room.take()
        if outcome.row is not None:
            self.rows.append(outcome.row)
        self.entries += outcome.entries
        self.finished += outcome.finished
        for key, message in outcome.messages:
            data = p.encode(message)
            if isinstance(message, Raw):  # stored as bytes for spectators with a delay
                message = p.decode_server(data)
            if self.listener is not None:
                self.listener(key, data)
            self.inbox.setdefault(key, []).append(message)
            if isinstance(message, p.Update):
                self.asks[key] = message.prompt
            elif isinstance(message, p.Error):
                self.errors.append(message)
            elif isinstance(message, p.GameOver) and key == "a":
                self.results.append(message)

    def send(self, key: str, message: p.AnyClientMessage) -> list[p.AnyServerMessage]:
        """Send a message and return the replies to this client."""
        self.inbox[key] = []
        self.room.receive(key, message, self.now)
        self.collect()
        return self.inbox[key]

    def prompted(self) -> str:
        """Return the client that has a prompt; empty if none."""
        for key in ("a", "b"):
            ask = self.asks.get(key)
            if ask is not None and ask.seq == self.room.room_game.seq and self.room.windows.pending_move is None:
                return key
        return ""

    def random_move(self, key: str) -> list[str]:
        """Return a random complete move, built token by token."""
        ask = self.asks[key]
        assert ask is not None
        words = [self.random.choice(ask.options).token]
        while ask.kind != "deck":
            answer = self.send(key, p.PreviewMove(3, ask.seq, words))[-1]
            assert isinstance(answer, p.PreviewResult), answer
            if answer.complete:
                break
            words.append(self.random.choice(answer.options).token)
        return words

    def step(self) -> bool:
        """Play one move, or advance the clock to the next event; return False when the match is over."""
        if self.room.phase != "playing":
            return False
        key = self.prompted()
        if key:
            ask = self.asks[key]
            assert ask is not None
            words = self.random_move(key)
            self.asks[key] = None
            answers = self.send(key, p.SubmitMove(4, ask.seq, words))
            assert isinstance(answers[0], p.Ack), answers[0]
            return True
        due = self.room.due()
        assert due is not None, "nobody is asked and nothing is due"
        self.now = max(self.now, due)
        self.room.tick(self.now)
        self.collect()
        return True

    def play(self, most: int = 5000) -> None:
        self.start()
        for _ in range(most):
            if not self.step():
                return
        raise AssertionError("the match does not end")
