"""Puzzles: positions with one best choice, how hard they are, hints, and how a player fares in them.

Hand-made ones are TOML (``puzzle_data/*.toml``): ``title``, ``theme``, a ``[position]`` (docs/notation.md), optionally
``play`` (lines of a scenario that lead to the question) and ``said`` (words of the sentence already spoken), and
``best``: patterns of the answer in the notation, any of which will do. The others were made from self-played games and
proven by search (``puzzle_maker``); they stand in ``puzzle_data/made.json``.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, Final

from blackpoker.game import Game
from blackpoker.notation import scenario
from blackpoker.notation.display import display
from blackpoker.notation.position import game_from
from blackpoker.players.levels import make_player
from blackpoker.players.puzzle_maker import essence
from blackpoker.players.seat import Seat
from blackpoker.players.setup import briefing_of
from blackpoker.regulation import standard_edition


@dataclass(frozen=True)
class Puzzle:
    id: str
    title: str
    theme: str
    position: dict[str, Any]
    best: tuple[str, ...]
    play: str = ""
    said: tuple[str, ...] = field(default=())
    level: int = 0  # how deep the answer lies, 1 to 5; 0 for the hand-made ones
    line: tuple[str, ...] = ()  # "p1: …": the answer and how it may go on

    def start(self) -> Game:
        """The game at the question."""
        game = game_from(self.position, "", 0)
        player = scenario.ScriptRunner(game)
        for line in self.play.splitlines():
            player.line(line)
        return game


THEMES: Final[dict[str, tuple[str, str]]] = {
    "win": ("このターンで勝ち切る", "Win this turn"),
    "survive": ("このターンを生き残る", "Survive this turn"),
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
            entry["id"], THEMES[entry["theme"]][1], entry["theme"], entry["position"], (entry["best"],), entry["play"],
            level=entry["level"], line=tuple(entry["line"]),
        )
        for entry in entries
    )  # fmt: skip


def every() -> tuple[Puzzle, ...]:
    return (*hand_made(), *made())


def read_puzzle(id: str, text: str) -> Puzzle:
    data = tomllib.loads(text)
    return Puzzle(
        id, data["title"], data["theme"], data["position"], tuple(data["best"]), data.get("play", ""),
        tuple(data.get("said", ())),
    )  # fmt: skip


def level_of(moves: int, line: tuple[str, ...]) -> int:
    """How hard: by how many sentences of one's own the answer takes, and how many first moves there are to try."""
    own = sum(said.startswith("p1: ") and said != "p1: pass" for said in line)
    return max(1, min(5, own + (moves > 12) + (moves > 40)))


def hints(puzzle: Puzzle, lang: str) -> list[str]:
    """From a nudge to nearly the answer; for the puzzles proven by search."""
    words = puzzle.best[0].split()
    which = 0 if lang == "ja" else 1
    if words[0].endswith(":") or ":" in words[0]:
        attacker = words[0].rstrip(":")
        return [
            ("だれで、どのアタッカーを止めるかを考えます。", "It is about who stops which attacker.")[which],
            (f"{display(attacker, lang)} を止めます。", f"Stop {display(attacker, lang)}.")[which],
        ]
    actions = {action.id: action for action in standard_edition().actions}
    if words[0] not in actions:
        return [("効果の中の選択です。", "It is a choice inside an effect.")[which]]
    action = actions[words[0]]
    kind, name = (action.kind.ja, action.ja) if lang == "ja" else (action.kind.en, action.en)
    out = [(f"鍵になるのは{kind}です。", f"The key is an action of the type {kind}.")[which]]
    out.append((f"「{name}」を使います。", f"Use {name}.")[which])
    keys = [word for word in words[1:] if not word.startswith((">", "@"))]
    if keys:
        shown = display(" ".join(keys), lang)
        out.append((f"キーカードは {shown} です。", f"Its key is {shown}.")[which])
    return out


def explained(puzzle: Puzzle, lang: str) -> list[str]:
    """The answer in sentences: how it goes, and why nothing else does it."""
    which = 0 if lang == "ja" else 1
    out: list[str] = []
    for number, said in enumerate((said for said in puzzle.line if not said.endswith(": pass")), 1):
        who, _, words = said.partition(": ")
        player = (("あなた", "相手"), ("You", "They"))[which][0 if who == "p1" else 1]
        out.append(f"{number}. {player}{'：' if lang == 'ja' else ': '}{display(words, lang)}")
    if puzzle.theme == "win":
        out.append(("相手がどう応じても、このターンに勝ちます。", "Whatever they answer, you win this turn.")[which])
        out.append(("このアクションを使わずに勝つ手はありません。", "Without this action there is no win.")[which])
    else:
        out.append(
            ("相手がどう続けても、このターンは負けません。", "Whatever they do next, you do not lose this turn.")[which]
        )
        out.append(("ほかの手では、相手に勝つ手順があります。", "With anything else they have a forced win.")[which])
    return out


def answer(puzzle: Puzzle, name: str, seed: int = 1) -> str:
    """What this player says, as a sentence."""
    game = puzzle.start()
    seat = game.player
    briefing = briefing_of(game.regulation)
    player = make_player(name, game.regulation, seat, seed, briefing)
    said = game.say(puzzle.said)
    while not said.complete:
        engine = said.engine
        if len(engine.options) == 1:
            said.push(engine.options[0])
        else:
            view = Seat(engine, seat, briefing)
            said.push(player.choose(view, view.decision))
    return said.text


def solves(puzzle: Puzzle, text: str) -> bool:
    """Whether the sentence is an answer; what it is paid with does not matter where search has proven the answer."""
    if puzzle.level:
        text = essence(text)
        return text in puzzle.best
    return any(fnmatchcase(text, pattern) for pattern in puzzle.best)
