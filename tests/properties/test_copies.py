"""Copies of games report the same history as replays of their records."""

import copy
import os

import pytest

from blackpoker import Audience, Game, Match, Player
from blackpoker.game.game import inject
from tests.properties.copies import copied_game, copied_match

LONG = bool(os.environ.get("BLACKPOKER_LONG"))
#: in all five formats together
GAMES = 2_000 if LONG else 20


@pytest.mark.parametrize("format", ["lite", "standard", "pro", "master", "extra"])
def test_copies_and_originals_have_the_events_of_their_records(format: str) -> None:
    shuffled = sum(copied_game(f"{format}+full", seed) for seed in range(GAMES // 5))
    assert shuffled or format == "lite" or not LONG


def test_matches_are_copied_with_their_games() -> None:
    for seed in range(GAMES // 10):
        copied_match("pro+randomhalf", seed)
        copied_match("extra+full", seed)


def test_a_copy_after_its_record_knows_the_shuffles() -> None:
    """Regression: shuffle, query, copy; in the copy shuffle again and pay L."""
    position = 'format = "lite"\n[p1]\nlife = "C4 SK D7 +17"\nhand = "JK JK2"'
    for seed in range(20):
        game = Game.from_position(position, seed=seed)
        game.push_text("search JK")
        game.push_text("C4")
        game.events(Player.P1)
        for copied in (copy.deepcopy(game), copy.copy(game), game.copy()):
            copied.push_text("search JK2")
            copied.push_text("SK")
            copied.push_text("set_bulwark")
            paid = [event for event in copied.events(Audience.PUBLIC) if event.event == "damaged"]
            assert paid[-1].top == copied.view(Player.P1).p1.grave.top
            assert copied.events(Audience.PUBLIC) == Game.from_record(copied.record()).events(Audience.PUBLIC)


def test_a_copied_match_is_another_match() -> None:
    match = Match("lite+full", seed=1)
    for copied in (copy.copy(match), copy.deepcopy(match), match.copy()):
        assert match.game is not None
        assert copied.game is not None
        assert copied.game is not match.game
        assert copied.game == match.game
        assert copied.regulation is match.regulation
        copied.push(copied.options[0])
        assert not match.game.history


def test_injecting_into_a_copy_leaves_the_original() -> None:
    game = Game("extra+full", seed=5)
    for _ in range(70):
        game.push(game.options[0])
    copied = game.copy()
    inject(copied, [(0, [1, 2, 3])])
    game.go_to(10)
    assert not game._engine.source.injected
    copied.go_to(10)
    assert copied._engine.source.injected
