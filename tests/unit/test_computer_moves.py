"""The moves of the levels without search can be computed again: another move anywhere is another version."""

from __future__ import annotations

import hashlib

from blackpoker.game.game import Game
from blackpoker.players.computer_moves import PLAYER_VERSION, choose_move, is_repeatable

#: hash of the games below, by version of the player
GAMES = {1: "72b8038c2b318cfc"}


def test_another_move_is_another_version() -> None:
    """If this fails, raise `PLAYER_VERSION` and add the new hash: verdicts on older games name the version then."""
    played = hashlib.sha256()
    for level in ("easy", "casual"):
        for seed, regulation in enumerate(("lite+entry", "standard+entry", "pro+regular", "master+full")):
            game = Game(regulation, seed=seed)
            while game.outcome() is None and len(game.history) < 300:
                for option in choose_move(level, game, 1000 * seed + len(game.history)):
                    game.push(option)
            played.update(repr(game.history).encode())
    assert played.hexdigest()[:16] == GAMES[PLAYER_VERSION]


def test_levels_with_search_are_not_computed_again() -> None:
    assert is_repeatable("easy")
    assert not is_repeatable("normal")
    assert not is_repeatable("unknown")
