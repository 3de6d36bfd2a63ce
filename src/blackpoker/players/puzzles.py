"""Puzzles: positions with one best choice, how hard they are, hints, and how a player fares in them.

Hand-made ones are TOML (``puzzle_data/*.toml``): ``title_ja``, ``title_en``, ``theme``, a ``[position]``
(docs/notation.md), optionally ``play`` (lines of a scenario that lead to the question) and ``said`` (words of the
sentence already spoken),
``best``: patterns of the answer in the notation, any of which will do, and ``task``, ``margin``, ``level``, ``line`` as
below. The others were made from self-played games (``puzzle_maker``); they stand in ``puzzle_data/made.json``. All are
proven (``puzzle_proof``).
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, get_args

from blackpoker.files import scenario
from blackpoker.files.position import game_from
from blackpoker.game import Game
from blackpoker.players.known_before import briefing_of
from blackpoker.players.levels import make_player
from blackpoker.players.puzzle_maker import essence
from blackpoker.players.seat import Seat
from blackpoker.texts.data import Pair, pair

#: ``win`` this turn, ``survive`` it, or choose what is ``best`` in the long run
Task = Literal["win", "survive", "best"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)


@dataclass(frozen=True)
class Puzzle:
    id: str
    title: Pair  # a name of its own, of those made by hand; else its theme
    theme: str
    position: dict[str, Any]
    best: tuple[str, ...]
    play: str = ""
    said: tuple[str, ...] = field(default=())
    task: Task = "best"
    margin: float = 0.0  # of ``best``: by how much it wins more often than any other choice
    level: int = 1  # how deep the answer lies, 1 to 5
    line: tuple[str, ...] = ()  # "p1: …": the answer and how it may go on
    made: bool = False  # by search

    def start(self) -> Game:
        """The game at the question."""
        return self.begin(self.position)

    def begin(self, position: dict[str, Any]) -> Game:
        """The same lines played from another position."""
        game = game_from(position, "", 0)
        player = scenario.ScriptRunner(game)
        for line in self.play.splitlines():
            player.line(line)
        return game


THEMES: Final[dict[str, Pair]] = {
    "win": Pair("このターンで勝つ", "Win this turn"),
    "survive": Pair("このターンを生き残る", "Survive this turn"),
}
_DATA: Final = resources.files("blackpoker.players") / "puzzle_data"


@cache
def hand_made() -> tuple[Puzzle, ...]:
    files = sorted((entry.name, entry) for entry in _DATA.iterdir() if entry.name.endswith(".toml"))
    return tuple(read_puzzle(name.removesuffix(".toml"), entry.read_text(encoding="utf-8")) for name, entry in files)


@cache
def made() -> tuple[Puzzle, ...]:
    """Those proven by search, the easier first."""
    entries = json.loads((_DATA / "made.json").read_text(encoding="utf-8"))
    return tuple(
        Puzzle(
            entry["id"], THEMES[entry["theme"]], entry["theme"], entry["position"], (entry["best"],), entry["play"],
            task=entry["theme"], level=entry["level"], line=tuple(entry["line"]), made=True,
        )
        for entry in entries
    )  # fmt: skip


def every() -> tuple[Puzzle, ...]:
    return (*hand_made(), *made())


@cache
def by_id() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in every()}


def read_puzzle(id: str, text: str) -> Puzzle:
    data = tomllib.loads(text)
    return Puzzle(
        id, pair(data, "title"), data["theme"], data["position"], tuple(data["best"]), data.get("play", ""),
        tuple(data.get("said", ())), data["task"], data.get("margin", 0.0), data["level"], tuple(data.get("line", ())),
    )  # fmt: skip


def level_of(moves: int, line: tuple[str, ...]) -> int:
    """How hard: by how many sentences of one's own the answer takes, and how many first moves there are to try."""
    own = sum(said.startswith("p1: ") and said != "p1: pass" for said in line)
    return max(1, min(5, own + (moves > 12) + (moves > 40)))


def answer(puzzle: Puzzle, name: str, seed: int = 1) -> str:
    """What this player says, as a sentence."""
    game = puzzle.start()
    seat = game.player
    briefing = briefing_of(game.regulation)
    player = make_player(name, game.regulation, seat, seed, briefing)
    said = game.draft(puzzle.said)
    while not said.complete:
        engine = said.engine
        if len(engine.options) == 1:
            said.push(engine.options[0])
        else:
            view = Seat(engine, seat, briefing)
            said.push(player.choose(view, view.decision))
    return said.text


def solves(puzzle: Puzzle, text: str) -> bool:
    """Whether the sentence is an answer; what it is paid with matters only where the puzzle was made by hand."""
    if puzzle.made:
        text = essence(text)
        return text in puzzle.best
    return any(fnmatchcase(text, pattern) for pattern in puzzle.best)
