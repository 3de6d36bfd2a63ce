"""PettingZoo: its own tests."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from blackpoker.envs import zoo

REGULATIONS = ["lite+entry", "master+full", "extra+full"]


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_s_own_tests(regulation: str) -> None:
    api_test(zoo.env(regulation), num_cycles=300)
    api_test(zoo.BlackPokerAEC(regulation), num_cycles=300)
    seed_test(lambda: zoo.env(regulation), num_cycles=100)


def test_a_whole_game() -> None:
    env = zoo.BlackPokerAEC("lite+entry", render_mode="ansi")
    dice = np.random.default_rng(0)
    for seed in range(20):
        env.reset(seed=seed)
        returns = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            returns[agent] += reward
            options = env.options
            assert sorted(options) == ([] if over else np.flatnonzero(seen["action_mask"]).tolist())
            env.step(None if over else int(dice.choice(options)))
        assert sum(returns.values()) == 0
    assert "P1" in (zoo.BlackPokerAEC("lite+entry", render_mode="ansi").render() or "")


def test_an_action_that_is_not_offered_loses() -> None:
    env = zoo.env("lite+entry")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(253)
    assert set(env.terminations.values()) == {True}
    assert env.rewards == {each: -1.0 if each == agent else 1.0 for each in env.possible_agents}
    assert env.last()[1:3] == (-1.0, True)


def test_reset_comes_first() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        zoo.env("lite+entry").step(0)


def test_an_action_that_is_not_offered() -> None:
    env = zoo.BlackPokerAEC("lite+entry")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="option 253 is not offered"):
        env.step(253)
