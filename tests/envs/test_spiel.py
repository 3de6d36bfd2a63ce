"""OpenSpiel: its own test, and resampled states."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blackpoker import native
from blackpoker.engine.cards import BIT, NAMES
from blackpoker.envs.recall import LINE, MEMORY_SIZE, encode_memory
from blackpoker.native import build as native_build
from blackpoker.native import library
from tests.native.conftest import small_library

pyspiel = pytest.importorskip("pyspiel")
spiel = pytest.importorskip("blackpoker.envs.spiel")
make_observation = pytest.importorskip("open_spiel.python.observation").make_observation

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
    """500 states: the information state is equal, and the hidden cards usually differ."""
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


@pytest.mark.skipif(not native.available(), reason="the rules are not built as machine code")
@pytest.mark.parametrize("regulation", [*REGULATIONS, "master+constructed40+pack", "extra+full, forced=False"])
def test_machine_code_and_python_are_one_game(regulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes, options, observations, information states and results are equal, also for shuffles during a game; clones
    are independent."""
    text = f"python_blackpoker(regulation={regulation.replace(', ', ',')})"
    fast_game = pyspiel.load_game(text)
    monkeypatch.setattr(library, "native_library", lambda: None)
    slow_game = pyspiel.load_game(text)
    assert fast_game.start.native_start is not None
    assert slow_game.start.native_start is None
    observers = [make_observation(fast_game), make_observation(slow_game)]
    dice = random.Random(11)
    later = 0
    for number in range(6):
        states = [fast_game.new_initial_state(), slow_game.new_initial_state()]
        dealt = False
        while not states[0].is_terminal():
            assert states[0].current_player() == states[1].current_player()
            assert states[0].legal_actions() == states[1].legal_actions()
            if states[0].is_chance_node():
                assert states[0].chance_outcomes() == states[1].chance_outcomes()
                later += dealt
            dealt = dealt or not states[0].is_chance_node()
            for player in range(2):
                for observer, state in zip(observers, states, strict=True):
                    observer.set_from(state, player)
                assert (observers[0].tensor == observers[1].tensor).all()
                assert len({o.string_from(state, player) for o, state in zip(observers, states, strict=True)}) == 1
            if number == 0 and dice.random() < 0.1:
                before = states[0].clone()
                assert before.information_state_string(0) == states[1].information_state_string(0)
                go_on(states[0].clone(), dice)
            action = dice.choice(states[0].legal_actions())
            for state in states:
                state.apply_action(action)
        assert states[1].is_terminal()
        assert states[0].returns() == states[1].returns()
    assert later > 0


@pytest.mark.skipif(native_build.compiler() is None, reason="no C++ compiler")
def test_a_game_that_outgrows_its_memory_goes_on_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_library(tmp_path, 3)
    monkeypatch.setattr(library, "native_library", lambda: small)
    fast_game = load("master+full")
    monkeypatch.setattr(library, "native_library", lambda: None)
    slow_game = load("master+full")
    dice = random.Random(2)
    continued = 0
    for _ in range(4):
        states = [fast_game.new_initial_state(), slow_game.new_initial_state()]
        while not states[0].is_terminal():
            assert states[0].legal_actions() == states[1].legal_actions()
            action = dice.choice(states[0].legal_actions())
            for state in states:
                state.apply_action(action)
        assert states[0].returns() == states[1].returns()
        assert states[0].information_state_string(0) == states[1].information_state_string(0)
        continued += isinstance(states[0].at, spiel._FullPlay)
    assert continued > 0


def test_a_copied_observer_has_a_tensor_of_its_own() -> None:
    game = load("lite+entry")
    observer = make_observation(game)
    state = game.new_initial_state()
    dice = random.Random(1)
    while state.is_chance_node():
        go_on(state, dice)
    observer.set_from(state, 0)
    other = copy.deepcopy(observer)
    assert (other.tensor == observer.tensor).all()
    other.set_from(state, 1)
    assert (observer.tensor[0], other.tensor[0]) == (0, 1)


def test_perfect_recall() -> None:
    """A seat's information states never repeat within a game, and each extends the one before."""
    game = load("lite+entry")
    dice = random.Random(3)
    for _ in range(5):
        state = game.new_initial_state()
        seen: list[list[str]] = [[], []]
        while not state.is_terminal():
            if not state.is_chance_node():
                player = state.current_player()
                text = state.information_state_string(player)
                assert text not in seen[player]
                information = text.rsplit("\n", 1)[0]
                assert all(information.startswith(before.rsplit("\n", 1)[0]) for before in seen[player])
                seen[player].append(text)
            go_on(state, dice)
        assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])


def test_secret_choices_of_the_opponent_are_not_sent() -> None:
    """In the same game with other hidden cards, the seat that did not see them has the same information state."""
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


def test_information_states_as_tensors() -> None:
    """Tensors have one size and are equal exactly if the texts are; they list the latest information first."""
    game = pyspiel.load_game("python_blackpoker(regulation=lite+entry)")
    assert game.information_state_tensor_shape() == [MEMORY_SIZE]
    dice = np.random.default_rng(11)
    texts: dict[str, tuple[float, ...]] = {}
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal() and len(texts) < 600:
            player = state.current_player()
            if player >= 0:
                for seat in (0, 1):
                    tensor = tuple(state.information_state_tensor(seat))
                    assert len(tensor) == MEMORY_SIZE
                    assert texts.setdefault(state.information_state_string(seat), tensor) == tensor
            state.apply_action(int(dice.choice(state.legal_actions())))
    assert len(set(texts.values())) == len(texts)
    tensor_rows = encode_memory("\ndrew,p1,2,S3+HA\n>9\npassed,p2,0", 0)
    rows = [tensor_rows[i * LINE : (i + 1) * LINE] for i in range(4)]
    assert rows[0][1:] == bytes((2, 0, *bytes(7)))
    assert rows[1] == bytes((1, 1, 9, *bytes(7)))
    assert rows[2][1:3] == bytes((1, 2))
    assert int.from_bytes(rows[2][3:], "little") == BIT[NAMES.index("S3")] | BIT[NAMES.index("HA")]
    assert rows[3] == bytes(LINE)
