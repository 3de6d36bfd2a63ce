"""RLCard: its random agents play whole games."""

from __future__ import annotations

import random
from typing import Any

import pytest

rlcard = pytest.importorskip("rlcard")
cards = pytest.importorskip("blackpoker.envs.cards")


class Agent:
    """As RLCard's random one, whose module needs a library Python no longer has."""

    use_raw = False

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.dice.choice(list(state["legal_actions"])), {}


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full"])
def test_whole_games(regulation: str) -> None:
    env = cards.BlackPokerCards({"regulation": regulation, "seed": 3})
    env.set_agents([Agent(seat) for seat in range(env.num_players)])
    for _ in range(10):
        trajectories, payoffs = env.run()
        assert sorted(payoffs) in ([-1.0, 1.0], [0.0, 0.0])
        for seat in range(2):
            states, actions = trajectories[seat][:-1:2], trajectories[seat][1::2]
            assert all(action in state["legal_actions"] for state, action in zip(states, actions, strict=True))


def test_made_by_name_and_by_seed() -> None:
    first, second = (rlcard.make("blackpoker", {"seed": 5}) for _ in range(2))
    assert (first.reset()[0]["obs"] == second.reset()[0]["obs"]).all()
    with pytest.raises(ValueError, match="stepped back"):
        cards.BlackPokerCards({"allow_step_back": True})
