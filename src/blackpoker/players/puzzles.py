"""Puzzles: positions with one best choice, as files, and how a player fares in them.

A puzzle is TOML: ``title``, ``theme``, a ``[position]`` (docs/notation.md), optionally ``play`` (lines of a scenario
that lead to the question) and ``said`` (words of the sentence already spoken), and ``best``: patterns of the answer in
the notation, any of which will do.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from blackpoker.game import Game
from blackpoker.notation import scenario
from blackpoker.notation.moves import goes_on, place_of
from blackpoker.notation.position import game_from
from blackpoker.notation.tokens import marked
from blackpoker.players.levels import make_player
from blackpoker.players.seat import Seat
from blackpoker.players.setup import briefing_of


@dataclass(frozen=True)
class Puzzle:
    id: str
    title: str
    theme: str
    position: dict[str, Any]
    best: tuple[str, ...]
    play: str = ""
    said: tuple[str, ...] = field(default=())

    def start(self) -> Game:
        """The game at the question."""
        game = game_from(self.position, "", 0)
        player = scenario.ScriptRunner(game)
        for line in self.play.splitlines():
            player.line(line)
        return game


def read_puzzle(path: Path) -> Puzzle:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Puzzle(
        path.stem, data["title"], data["theme"], data["position"], tuple(data["best"]), data.get("play", ""),
        tuple(data.get("said", ())),
    )  # fmt: skip


def answer(puzzle: Puzzle, name: str, seed: int = 1) -> str:
    """What this player says, as a sentence."""
    game = puzzle.start()
    engine = game.engine.copy()
    seat = int(engine.asked)
    briefing = briefing_of(game.regulation)
    player = make_player(name, game.regulation, seat, seed, briefing)
    options: list[int] = []
    words = list(puzzle.said)
    while True:
        before = place_of(engine)
        if words:
            word = words.pop(0)
            found = [option for option in engine.options if marked(engine, option) == word]
            if not found:
                offered = " ".join(marked(engine, option) for option in engine.options)
                raise ValueError(f"{puzzle.id}: {word!r} is not offered, only {offered}")
            option = found[0]
        elif len(engine.options) == 1:
            option = engine.options[0]
        else:
            view = Seat(engine, seat, briefing)
            option = player.choose(view, view.decision)
        engine.push(option)
        options.append(option)
        if not goes_on(engine, before):
            return game.move_of(options).text


def solves(puzzle: Puzzle, text: str) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in puzzle.best)
