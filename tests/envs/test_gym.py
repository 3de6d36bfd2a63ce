"""Gymnasium: its own checks; batched games equal single games."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import blackpoker.envs as envs
from blackpoker.assist.decision import Decision
from blackpoker.envs.gym import BlackPokerEnv, BlackPokerVectorEnv
from blackpoker.players.player_view import PlayerView

REGULATIONS = ["lite+entry", "master+full", "extra+full"]


@pytest.mark.parametrize("opponent", ["random", "self", "easy"])
@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_s_own_check(regulation: str, opponent: str) -> None:
    check_env(BlackPokerEnv(regulation, opponent, render_mode="ansi"), skip_render_check=False)


@pytest.mark.parametrize("opponent", ["random", "self"])
@pytest.mark.parametrize("regulation", REGULATIONS)
def test_side_by_side_as_one_by_one(regulation: str, opponent: str) -> None:
    n = 6
    many = BlackPokerVectorEnv(n, regulation, opponent)
    single = [BlackPokerEnv(regulation, opponent) for _ in range(n)]
    dice = np.random.default_rng(4)
    rows, info = many.reset(seed=100)
    for i, env in enumerate(single):
        row, alone = env.reset(seed=100 + i)
        assert (row == rows[i]).all()
        assert (alone["action_mask"] == info["action_mask"][i]).all()
        assert alone["seat"] == info["seat"][i]
    ended = 0
    for step in range(400):
        masks = info["action_mask"]
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
        if step % 60 == 50:
            actions[step % n] = 254  # an illegal option: that game is lost, the others continue
        rows, rewards, terminated, truncated, info = many.step(actions)
        assert not truncated.any()
        for i, env in enumerate(single):
            row, reward, over, _, alone = env.step(actions[i])
            assert reward == rewards[i]
            assert over == terminated[i]
            if over:
                ended += 1
                assert (row == info["final_obs"][i]).all()
                assert info["_final_obs"][i]
                row, alone = env.reset()
            assert (row == rows[i]).all(), (step, i)
            assert (alone["action_mask"] == info["action_mask"][i]).all()
            assert alone["seat"] == info["seat"][i]
    assert ended > n


def test_ids() -> None:
    env = gymnasium.make("blackpoker/lite-entry-v0", opponent="self")
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() > 0
    many = gymnasium.make_vec("blackpoker/extra-full-v0", num_envs=3)
    assert many.reset(seed=1)[0].shape == (3, envs.SIZE)
    assert "blackpoker/extra-entry-v0" not in gymnasium.registry
    ninth = gymnasium.make("blackpoker/9-master-draft-v1", opponent="self")
    _, info = ninth.reset(seed=1)
    assert info["action_mask"].sum() == 3
    assert sum(id.endswith("-v1") for id in envs.ids()) == 24


class First:
    """A player that takes the first option."""

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        return seat.options[0]


def test_any_player_as_opponent() -> None:
    for opponent in (First(), "heuristic", lambda regulation, seat, seed: First()):
        env = BlackPokerEnv("lite+entry", opponent)
        seats = set()
        for seed in range(4):
            _, info = env.reset(seed=seed)
            over, reward = False, 0.0
            while not over:
                seats.add(info["seat"])
                assert info["seat"] == seed % 2
                _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
            assert reward in (-1.0, 0.0, 1.0)
            assert (reward == 1.0) == (info["winner"] == seed % 2)
        assert seats == {0, 1}


def test_the_requested_seat_is_given() -> None:
    env = BlackPokerEnv("lite+entry", "easy", seat=1)
    for seed in range(3):
        assert env.reset(seed=seed)[1]["seat"] == 1


def test_forced_decisions_on_request() -> None:
    env = BlackPokerEnv("lite+entry", "self", forced=False)
    _, info = env.reset(seed=3)
    fewest = 99
    over = False
    while not over:
        offered = np.flatnonzero(info["action_mask"])
        fewest = min(fewest, len(offered))
        _, _, over, _, info = env.step(offered[0])
    assert fewest == 1


def test_mistakes() -> None:
    env = BlackPokerEnv("lite+entry")
    env.reset(seed=0)
    _, reward, over, _, info = env.step(253)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(RuntimeError, match="the game is over"):
        env.step(0)
    with pytest.raises(ValueError, match="not 'easy'"):
        BlackPokerVectorEnv(2, opponent="easy")
