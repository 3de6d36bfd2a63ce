"""OpenSpiel: its own test, and states that look the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")
spiel = pytest.importorskip("blackpoker.envs.spiel")

REGULATIONS = ["lite+entry", "master+full", "extra+full"]


def load(regulation: str) -> Any:
    return pyspiel.load_game(f"python_blackpoker(regulation={regulation})")


def go_on(state: Any, dice: random.Random) -> None:
    options = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    state.apply_action(dice.choice(options))


@pytest.mark.parametrize("regulation", [*REGULATIONS, "master+random40+pack"])
def test_openspiel_s_own_test(regulation: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(regulation), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_resampled_states_look_the_same(regulation: str) -> None:
    """500 states: the information state is the same, and the hidden cards often are not."""
    game = load(regulation)
    dice = random.Random(7)
    tried = others = 0
    while tried < 500:
        state = game.new_initial_state()
        while not state.is_terminal() and tried < 500:
            if not state.is_chance_node() and dice.random() < 0.2:
                player = dice.randrange(2)
                new = state.resample_from_infostate(player, dice.random)
                assert new.information_state_string(player) == state.information_state_string(player)
                assert new.current_player() == state.current_player()
                if state.current_player() == player:
                    assert new.legal_actions() == state.legal_actions()
                others += new.history() != state.history()
                tried += 1
            go_on(state, dice)
    assert others > 450


def test_perfect_recall() -> None:
    """A seat's information states along a game never come again, and grow only."""
    game = load("lite+entry")
    dice = random.Random(3)
    for _ in range(5):
        state = game.new_initial_state()
        said: list[list[str]] = [[], []]
        while not state.is_terminal():
            if not state.is_chance_node():
                player = state.current_player()
                text = state.information_state_string(player)
                assert text not in said[player]
                told = text.rsplit("\n", 1)[0]
                assert all(told.startswith(before.rsplit("\n", 1)[0]) for before in said[player])
                said[player].append(text)
            go_on(state, dice)
        assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])


def test_what_the_other_chooses_in_secret_is_not_told() -> None:
    """The same game with other hidden cards: the seat that did not see them is told the same."""
    game = load("master+full")
    dice = random.Random(5)
    state = game.new_initial_state()
    while not state.is_terminal() and state.move_number() < 220:
        go_on(state, dice)
    for player in range(2):
        new = state.resample_from_infostate(player, dice.random)
        assert new.history() != state.history()
        assert new.information_state_string(1 - player) != state.information_state_string(1 - player)


def test_every_order_is_equally_likely() -> None:
    state = load("lite+entry").new_initial_state()
    left = 21
    while state.is_chance_node() and left > 1:
        outcomes = state.chance_outcomes()
        assert len(outcomes) == left
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[0][0])
        left -= 1


def test_words() -> None:
    state = load("lite+entry").new_initial_state()
    dice = random.Random(1)
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 0) == "SA"
    while state.is_chance_node():
        go_on(state, dice)
    assert state.action_to_string(state.current_player(), 0) == "pass"
    assert state.clone().history() == state.history()
