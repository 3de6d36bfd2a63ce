"""Environments are values: a copy made in the middle of a game continues identically and independently."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

from blackpoker.envs import BlackPokerVectorEnv, spiel, zoo
from blackpoker.native import Batch, step_many
from blackpoker.players.engine_players import make_player

Copy = Callable[[Any], Any]
COPIES = pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "pickle"]
)


def made_by_hand(regulation: Any, seat: int, seed: int) -> Any:
    return make_player("heuristic", regulation, seat, seed)


@COPIES
@pytest.mark.parametrize("opponent", ["self", "random", "easy", made_by_hand])
def test_gymnasium(copied: Copy, opponent: Any) -> None:
    env = gymnasium.make("blackpoker/lite-entry-v0", opponent=opponent)
    env.reset(seed=3)
    for seed in (3, 8):  # also in the next game of the seed
        env.reset()
        for _ in range(seed):
            env.step(np.flatnonzero(env.unwrapped.action_masks())[-1])  # type: ignore[attr-defined]
        other = copied(env)
        assert np.array_equal(env.unwrapped.action_masks(), other.unwrapped.action_masks())  # type: ignore[attr-defined]
        over = False
        while not over:
            offered = np.flatnonzero(env.unwrapped.action_masks())  # type: ignore[attr-defined]
            mine = env.step(offered[len(offered) // 2])
            yours = other.step(offered[len(offered) // 2])
            assert np.array_equal(mine[0], yours[0])
            assert mine[1:4] == yours[1:4]
            over = mine[2]
        assert np.array_equal(env.reset()[0], other.reset()[0])


@COPIES
@pytest.mark.parametrize("native", [True, False])
def test_many_games(copied: Copy, native: bool) -> None:
    env = BlackPokerVectorEnv(6, "lite+entry", "random")
    if not native:
        env._batch = Batch(env.regulation, range(6), opponent="random", native=False)
        env._attach()
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(np.zeros(6, np.uint8))
    env.reset(seed=5)
    for _ in range(40):
        env.step(env._masks.argmax(1))
    other = copied(env)
    for _ in range(60):
        chosen = env._masks.argmax(1)
        mine, yours = env.step(chosen), other.step(chosen)
        assert all(np.array_equal(a, b) for a, b in zip(mine[:4], yours[:4], strict=True))
    env.step(env._masks.argmax(1))
    assert not np.array_equal(env._rows, other._rows), "they share nothing"


def test_without_machine_code_python_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch("lite+entry", range(4))
    for _ in range(30):
        step_many(batch, [batch.options[i * 112] for i in range(4)])
    pickled = pickle.dumps(batch)
    monkeypatch.setattr("blackpoker.native.library.available", lambda gpu=False: False)
    other = pickle.loads(pickled)
    assert other._native is None
    for _ in range(40):
        chosen = bytes(batch.options[i * 112] for i in range(4))
        step_many(batch, chosen)
        step_many(other, chosen)
        assert batch.observations == other.observations


@COPIES
def test_pettingzoo(copied: Copy) -> None:
    env = zoo.env("lite+entry")
    env.reset(seed=2)
    for _ in range(20):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
    other = copied(env)
    while env.agents:
        seen, reward, over, _, _ = env.last()
        again = other.last()
        assert np.array_equal(seen["observation"], again[0]["observation"])
        assert (reward, over, env.agent_selection) == (again[1], again[2], other.agent_selection)
        action = None if over else int(np.flatnonzero(seen["action_mask"])[0])
        env.step(action)
        if env.agents:
            other.step(action)
    assert other.agents


@COPIES
def test_openspiel(copied: Copy) -> None:
    assert spiel.GAME_TYPE.provides_information_state_tensor
    game = pyspiel.load_game("python_blackpoker(regulation=lite+entry)")
    state = game.new_initial_state()
    dice = np.random.default_rng(7)
    while len(state.history()) < 60 or state.is_chance_node():  # after the deal and a few moves
        state.apply_action(int(dice.choice(state.legal_actions())))
    other = copied(state)
    while not state.is_terminal():
        assert state.legal_actions() == other.legal_actions()
        player = state.current_player()
        if player >= 0:
            assert state.information_state_tensor(player) == other.information_state_tensor(player)
        action = state.legal_actions()[0]
        state.apply_action(action)
        other.apply_action(action)
    assert state.returns() == other.returns()
