"""RLCard: ``rlcard.make("blackpoker")`` after this module is imported, or ``BlackPokerCards({"regulation": …})``."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from rlcard.envs import Env
from rlcard.envs.registration import registry

from blackpoker.envs.layout import OPTIONS, SIZE
from blackpoker.native import Batch, step_many
from blackpoker.regulation import Regulation

_SEEDS = 2**31


class _Game:
    """One game, as RLCard asks for it. A state is the seat it is of."""

    def __init__(self, regulation: Regulation) -> None:
        self.batch = Batch(regulation, [0], restart=False)
        self.allow_step_back = False
        self.np_random = np.random.default_rng()

    def init_game(self) -> tuple[int, int]:
        self.batch.seeds = [int(self.np_random.random() * _SEEDS)]
        self.batch.begin(0, 0)
        return self.batch.asked[0], self.batch.asked[0]

    def step(self, action: int) -> tuple[int, int]:
        step_many(self.batch, [action])
        return self.batch.asked[0], self.batch.asked[0]

    def get_num_players(self) -> int:
        return 2

    def get_num_actions(self) -> int:
        return OPTIONS

    def get_player_id(self) -> int:
        return self.batch.asked[0]

    def get_state(self, player_id: int) -> int:
        return player_id

    def is_over(self) -> bool:
        return not self.batch.counts[0]


class BlackPokerCards(Env):
    """A game of BlackPoker for RLCard's agents; ``config["regulation"]`` says which. The observation is that of
    ``envs/layout.py``, an action one of the engine's options."""

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        given = {"allow_step_back": False, "seed": None, "regulation": "lite+entry", **(config or {})}
        self.name = "blackpoker"
        self.game = _Game(Regulation.parse(given["regulation"]))
        super().__init__(given)
        if given["allow_step_back"]:
            raise ValueError("a game of BlackPoker cannot be stepped back here")
        self.state_shape = [[SIZE], [SIZE]]
        self.action_shape = [None, None]

    def _extract_state(self, state: int) -> dict[str, Any]:
        options = self._get_legal_actions() if state == self.game.get_player_id() else []
        row = np.frombuffer(self.game.batch.observe(0, state), np.uint8).astype(np.float32) / 255
        return {
            "obs": row,
            "legal_actions": OrderedDict.fromkeys(options),
            "raw_obs": row,
            "raw_legal_actions": options,
            "action_record": self.action_recorder,
        }

    def _decode_action(self, action_id: int) -> int:
        return int(action_id)

    def _get_legal_actions(self) -> list[int]:
        batch = self.game.batch
        return list(batch.options[: batch.counts[0]])

    def get_payoffs(self) -> Any:
        winner = self.game.batch.winners[0]
        return np.array([0.0, 0.0] if winner == 2 else [1.0, -1.0] if winner == 0 else [-1.0, 1.0])


if "blackpoker" not in registry.env_specs:
    registry.register("blackpoker", "blackpoker.envs.cards:BlackPokerCards")
