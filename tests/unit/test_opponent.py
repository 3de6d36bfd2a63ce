"""``blackpoker.opponent``: one import, one call, a move for a game."""

from __future__ import annotations

import sys

import pytest

import blackpoker as bp
from blackpoker.game.assistant import Assistant
from blackpoker.players.errors import PlayersError

QUICK_SEARCH = "search:playouts=20/seconds=600"


def played(regulation: str, level: str, seed: int, most: int = 1_000) -> bp.Game:
    """Return a game with the opponent at both seats."""
    game = bp.Game(regulation, seed=seed)
    rival = bp.opponent(level, seed)
    while game.outcome() is None and len(game.history) < most:
        before = game.hash()
        move = rival.choose(game)
        assert (game.hash(), move.player) == (before, game.player), "choosing moves nothing"
        assert game.push(move).text == move.text
    return game


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full+preset2", "master+random40+pack"])
def test_it_plays_whole_games(regulation: str) -> None:
    game = played(regulation, "easy", 1)
    assert game.outcome() is not None
    assert played(regulation, "easy", 1).record() == game.record(), "the same seed chooses the same"
    assert all(step.complete for step in game.steps())


def test_one_that_searches_chooses_too() -> None:
    game = played("master+full", QUICK_SEARCH, 1, most=16)
    assert len(game.history) >= 16
    assert played("master+full", QUICK_SEARCH, 1, most=16).history == game.history


def test_one_opponent_may_sit_at_many_tables() -> None:
    rival = bp.opponent("easy", seed=3)
    games = [bp.Game("lite+entry", seed=1), bp.Game("master+full", seed=2), bp.Game("lite+entry", seed=3)]
    for _ in range(20):
        for game in games:
            if game.outcome() is None:
                game.push(rival.choose(game))
    assert all(game.history for game in games)


def test_it_finishes_a_sentence_that_was_begun() -> None:
    game = bp.Game.from_position('[p1]\nhand = "H3 C9 C8"\nfield = "S5"\n[p2]\nfield = "H6"', seed=1)
    word = next(option for option in game.options if Assistant(game).token(option) == "up")
    game.push(word)
    move = bp.opponent("easy", seed=1).choose(game)
    assert game.push(move).player == bp.Player.P1
    assert [request.action for request in game.view(bp.Player.P1).stage] == ["up"]


def test_unknown_opponents_are_refused_in_words() -> None:
    with pytest.raises(PlayersError, match="there is no player 'nobody'"):
        bp.opponent("nobody")
    with pytest.raises(PlayersError, match="is a bot"):
        bp.opponent(f'exec:"{sys.executable} bot.py"')
    game = bp.Game("lite+entry", seed=7)
    game.end("resign", bp.Player.P1)
    with pytest.raises(bp.IllegalMove, match="R-45"):
        bp.opponent("easy").choose(game)
