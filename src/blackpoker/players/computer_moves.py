"""Whole moves of a computer player. The move of a level without search follows from the position its seat may see and a
seed, so that it can be computed again."""

from __future__ import annotations

import secrets
from typing import Final

from blackpoker.game.game import Game
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.players.engine_players import LEVELS, make_player
from blackpoker.players.player_view import PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge

#: raised when a level without search chooses another move anywhere; records name it, and moves of another version are
#: not compared (``tests/unit/test_computer_moves.py``)
PLAYER_VERSION: Final = 1


def is_instant(level: str) -> bool:
    """Return whether the level answers without searching."""
    found = LEVELS.get(level.partition(":")[0])
    return found is None or found.playouts == 0


def is_repeatable(level: str) -> bool:
    """Return whether the level's moves follow from view and seed alone: searches have a limit of time, too."""
    return level in LEVELS and is_instant(level)


def choose_move(level: str, game: Game, seed: int) -> list[int]:
    """Choose a whole move for the player to move."""
    player = int(game._engine.asked)
    knowledge = prior_knowledge(game.regulation)
    sandboxed = SandboxedPlayer(make_player(level, game.regulation, player, seed, knowledge), level)
    builder = MoveBuilder(game._engine)
    while not builder.complete:
        player_view = PlayerView(builder._engine, player, knowledge)
        builder.push(sandboxed.choose(player_view, player_view.decision))
    return builder.options


def random_move(game: Game) -> list[int]:
    """Choose a move at random: the fallback if the computer player fails."""
    builder = MoveBuilder(game._engine)
    while not builder.complete:
        builder.push(secrets.choice(builder._engine.options))
    return builder.options
