"""Records of games between the strongest players, so that there is always a game to watch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from blackpoker.game.game import Game

#: level of both players
LEVEL = "master"


@dataclass(frozen=True)
class SampleGame:
    id: str
    text: str
    regulation: str
    level: str
    turns: int
    winner: str
    reason: str


@cache
def sample_games() -> tuple[SampleGame, ...]:
    """Return the games in order of their names."""
    folder = resources.files(__name__)
    return tuple(
        read(entry.name.removesuffix(".txt"), entry.read_text(encoding="utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".txt")
    )


def read(name: str, text: str) -> SampleGame:
    game = Game.from_record(text)
    over = game.outcome()
    assert over is not None
    winner = over.winner or "draw"
    return SampleGame(f"shown-{name}", text, game.regulation.text, LEVEL, int(game.turn_number), winner, over.reason)
