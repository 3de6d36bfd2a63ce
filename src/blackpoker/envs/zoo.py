"""PettingZoo: both seats as agents that act in turn (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from blackpoker.envs.layout import OPTIONS
from blackpoker.envs.spaces import AGENTS, Bytes, Copyable, Mask, action_space, observation_space, version_of, views
from blackpoker.game.game import game_at
from blackpoker.game.start import GameStart
from blackpoker.native import Batch, step_many
from blackpoker.ruleset import Regulation

_SEEDS = 2**31
#: observation of an agent: ``observation`` (envs/layout.py) and ``action_mask``
AgentObservation = dict[str, Bytes | Mask]


class BlackPokerAEC(Copyable, AECEnv[str, AgentObservation, int]):
    """A game between two agents; every action is one of the engine's options. An illegal action raises
    ``ValueError`` or, with ``strict=False`` as in ``env()``, loses the game; a call before ``reset`` raises
    ``RuntimeError``.
    """

    def __init__(
        self, regulation: str = "lite+entry", forced: bool = True, render_mode: str | None = None, strict: bool = True
    ) -> None:
        super().__init__()
        self.strict = strict
        self.regulation: Regulation = Regulation.parse(regulation)
        self.render_mode = render_mode
        name = f"blackpoker_{regulation.replace('+', '_').replace(':', '_')}_v{version_of(self.regulation)}"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        space = spaces.Dict({"observation": observation_space(), "action_mask": spaces.Box(0, 1, (OPTIONS,), np.int8)})
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: action_space() for agent in AGENTS}
        self._batch = Batch(self.regulation, [0], forced=forced, restart=False)
        self._attach()
        self._nothing = np.zeros(OPTIONS, np.int8)
        self._random = np.random.default_rng()
        self._started = False

    def _attach(self) -> None:
        self._rows, self._masks = views(self._batch)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game: the first one of a seed, else the next of the same seed."""
        batch = self._batch
        if seed is not None or not self._started:
            batch.seeds = [int(self._random.integers(_SEEDS)) if seed is None else seed]
            batch.begin(0, 0)
            self._started = True
        else:
            batch.begin(0, batch.number(0) + 1)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[batch.asked[0]]

    @property
    def options(self) -> list[int]:
        """Return the options of the selected agent, in the engine's order."""
        return list(self._batch.options[: self._batch.counts[0]])

    def observe(self, agent: str) -> AgentObservation:
        batch = self._batch
        seat = 0 if agent == AGENTS[0] else 1
        if seat == batch.asked[0]:
            return {"observation": self._rows[0].copy(), "action_mask": self._masks[0].copy()}
        row = np.frombuffer(batch.observe(0, seat), np.uint8)
        return {"observation": row, "action_mask": self._nothing.copy()}

    def step(self, action: int | None) -> None:
        if not self._started:
            raise RuntimeError("the game has not begun: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        batch = self._batch
        if action is None or not 0 <= action < OPTIONS or not batch.masks[action]:
            if self.strict:
                raise ValueError(f"option {action} is not offered")
            self._over(agent, -1.0)
            return
        batch.chosen[0] = action
        step_many(batch, batch.chosen)
        self._cumulative_rewards[agent] = 0.0
        if batch.ended[0]:
            self._over(agent, batch.rewards[0])
        self.agent_selection = AGENTS[batch.asked[0]]

    def _over(self, agent: str, mine: float) -> None:
        self._cumulative_rewards[agent] = 0.0
        for each in AGENTS:
            self.rewards[each] = mine if each == agent else -mine
            self.terminations[each] = True
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the table as seen by the seat to decide."""
        if self.render_mode != "ansi":
            return None
        return game_at(self._batch.state(0), self.regulation, GameStart("state")).board(self._batch.asked[0])

    def close(self) -> None:
        pass


def env(
    regulation: str = "lite+entry", forced: bool = True, render_mode: str | None = None
) -> AECEnv[str, AgentObservation, int]:
    """Return the game with the behaviour of PettingZoo's usual wrappers, ten times as fast without them: an illegal
    action loses, calls out of order raise.
    """
    return BlackPokerAEC(regulation, forced, render_mode, strict=False)
