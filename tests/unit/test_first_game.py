"""The guided first game: its fixed deal, and the quality of the guide's advice."""

from __future__ import annotations

import os

import pytest
from tests.guide_follower import conditions, follow
from tests.newcomers import NEWCOMERS, play_first_games

import blackpoker as bp
from blackpoker.assist.autopass import NO
from blackpoker.engine.cards import members
from blackpoker.engine.locations import PLAYERS
from blackpoker.learn.lessons import first_game_position, guide_remarks, symbol_notes


def play(game: bp.Game, seat: int, seed: int) -> bool:
    """Return whether a player who follows the guide from this seat wins against the easiest level."""
    easy = bp.opponent("easy", seed=seed)
    while game.outcome() is None:
        game.push(follow(game) if game.player == PLAYERS[seat] else easy.choose(game))
    over = game.outcome()
    assert over is not None
    return over.winner == PLAYERS[seat]


def test_the_first_deal_has_whole_decks_with_the_player_first() -> None:
    game = bp.Game.from_position(first_game_position(), seed=1)
    dealt = bp.Game("lite+entry", seed=1)
    assert game.regulation.text == "lite+entry"
    assert (game.player, game._engine.turn, game.turn_number) == (bp.Player.P1, 0, 1)
    for seat in (bp.Player.P1, bp.Player.P2):
        position = game._engine.sides[seat]
        cards = sorted([*position.life, *members(position.hand), *members(position.grave)])
        fresh = dealt._engine.sides[seat]
        assert cards == sorted([*fresh.life, *members(fresh.hand), *members(fresh.grave)]), "the deck of Entry, whole"
    life = [len(side.life) for side in game._engine.sides]
    assert life[1] < 10 < life[0], "the opponent's life is shown as a number (R-210), and each attack changes it"


#: the share of the guided games that each scripted newcomer wins at least
WINS = {"random": 0.9, "greedy": 0.6, "follower": 1.0, "cautious": 0.8}
#: all 500 games in the soak
GAMES = 500 if os.environ.get("BLACKPOKER_LONG") else 40


@pytest.mark.parametrize("name", NEWCOMERS)
def test_newcomers_win_their_first_game(name: str) -> None:
    """Four scripted newcomers win the guided game against the easiest level; none is offered an action without effect.
    ``python -m tests.newcomers`` prints the figures."""
    found = play_first_games(name, GAMES)
    assert found.vain == []
    assert found.offered > GAMES
    assert found.won >= WINS[name] * found.games - (0 if name == "follower" else 2), found


def test_newcomers_really_differ() -> None:
    assert len({play_first_games(name, 12).offered for name in NEWCOMERS}) == len(NEWCOMERS)


@pytest.mark.parametrize("regulation", ["lite+entry", "lite+full"])
def test_following_the_guide_beats_easy(regulation: str) -> None:
    """200 games of Lite, each seat equally often: at least 60 of a hundred."""
    won = sum(play(bp.Game(regulation, seed=seed), seed % 2, seed) for seed in range(200))
    assert won >= 120, won


def test_the_goal_comes_first_and_remarks_are_in_both_languages() -> None:
    first = guide_remarks()[[one.id for one in guide_remarks()].index("goal")]
    assert first.text.ja.partition("。")[0] == "相手の山札＝ライフを0枚にすれば勝ちです"
    assert "you win" in first.text.en.partition(".")[0]
    fits_at_once = {"mine", "no_bulwark", "set_bulwark"}
    assert next(one.id for one in guide_remarks() if fits_at_once.issuperset(one.when)) == "goal"
    for text in (*(one.text for one in guide_remarks()), *(one.text for one in symbol_notes())):
        assert text.ja
        assert text.en


def test_proposed_discards_are_expendable() -> None:
    """Regression: setting a bulwark proposed the first card of the hand, an Ace."""
    game = bp.Game.from_position(first_game_position(), seed=1)
    game.push(game.parse("set_bulwark"))
    assert game.decision is not None
    assert game.decision.proposal == ["S2"]


EMPTY_HAND = """
regulation = "lite+entry"
turn_number = 3
[p1]
life = "S4 C5 S2 DA HA D3 H9 D7 JK HJ CK"
grave = "H10(public)"
[p2]
life = "C5 DQ H9 S4 SA CA D3 S2 CK C10 S3 D10 H8"
hand = "S5 HA H10 HJ D7 C6 JK"
grave = "DA(public)"
"""


def test_nothing_without_effect_is_recommended() -> None:
    """With an empty hand, Set Bulwark costs a card of life and sets nothing."""
    game = bp.Game.from_position(EMPTY_HAND, seed=1)
    decision = game.decision
    assert decision is not None
    (offered,) = [option for option in decision.options if option.text == "set_bulwark"]
    assert "vain" in game.draft(["set_bulwark"]).warnings
    assert offered.useful == NO
    assert not {"set_bulwark", "no_bulwark set_bulwark"} & conditions(game, decision)
    assert follow(game).text == "end"
