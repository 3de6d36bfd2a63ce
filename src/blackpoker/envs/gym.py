"""Gymnasium environments: one seat against an opponent, and a vector environment of many games.

An observation is a row of bytes (``envs/layout.py``), an action one of the engine's options 0 … 255; the legal ones are
given by ``info["action_mask"]`` and ``env.action_masks()``. An illegal action loses the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from blackpoker.envs.layout import OPTIONS, SIZE
from blackpoker.envs.spaces import SELF, Bytes, Copyable, Mask, action_space, observation_space, views
from blackpoker.game.game import game_at
from blackpoker.game.start import GameStart
from blackpoker.native import Batch, step_many
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import ComputerPlayer, PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Regulation

#: an opponent: the name of a level, a player, or a factory of players (regulation, seat, seed)
Opponent = str | ComputerPlayer | Callable[[Regulation, int, int], ComputerPlayer]
#: opponents played inside the batch
_BATCH_OPPONENTS: Final = {SELF: None, "random": "random"}
#: range of random seeds for games without a given seed
_SEEDS: Final = 2**31


class BlackPokerEnv(Copyable, gymnasium.Env[Bytes, np.int64]):
    """One seat of a game.

    ``opponent``: ``"random"``, any level (``"easy"``), a ``ComputerPlayer``, a factory of them, or ``"self"``: then the
    decisions of both seats are made by the caller, each with the observation of its seat. ``seat``: 0, 1, or None to
    alternate. ``forced``: decisions with one option are made by the environment.

    The reward is 1, 0 or -1 at the end, for the seat that chose last (against an opponent: the own one).
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium wants it

    def __init__(
        self,
        regulation: str = "lite+entry",
        opponent: Opponent = "random",
        seat: int | None = None,
        forced: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.regulation: Regulation = Regulation.parse(regulation)
        self.opponent = opponent
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._in_batch = isinstance(opponent, str) and opponent in _BATCH_OPPONENTS
        self._knowledge = prior_knowledge(self.regulation)
        self._player: SandboxedPlayer | None = None
        self._fixed = seat
        self._over = True
        within = _BATCH_OPPONENTS[opponent] if isinstance(opponent, str) and opponent in _BATCH_OPPONENTS else None
        # Players need the engine itself, so these games run in Python; all choices of the batch are then made here.
        self._batch = Batch(
            self.regulation, [0], opponent=within, seat=seat, forced=forced, restart=False, native=self._in_batch
        )
        self._number = -1
        self._attach()

    def _attach(self) -> None:
        self._rows, self._masks = views(self._batch)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the opponent if it can be recreated by name or factory."""
        state = super().__getstate__()
        del state["_knowledge"]
        return {**state, "_player": None} if isinstance(self.opponent, str) or callable(self.opponent) else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._knowledge = prior_knowledge(self.regulation)
        if not self._in_batch and self._player is None and self._number >= 0:
            self._replay_opponent()

    def _replay_opponent(self) -> None:
        """Recreate the opponent by replaying its decisions, so that its search and random numbers are the same."""
        batch, own, player = self._batch, self._own, self._make_player()
        again = Batch(self.regulation, batch.seeds, seat=batch.seat, forced=batch.forced, restart=False, native=False)
        again.begin(0, self._number)
        history = batch.history(0)
        while (done := len(again.history(0))) < len(history):
            if again.asked[0] != own:
                seat = PlayerView(again.state(0), again.asked[0], self._knowledge)
                player.choose(seat, seat.decision)
            step_many(again, history[done : done + 1])
        self._player = player

    @property
    def seat(self) -> int:
        """Return the seat to decide."""
        return self._batch.asked[0]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the mask of legal actions, as MaskablePPO expects it."""
        mask: npt.NDArray[np.bool_] = self._masks[0] != 0
        return mask

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bytes, dict[str, Any]]:
        """Start a new game: the first one of a seed, else the next of the same seed."""
        super().reset(seed=seed)
        if seed is not None or self._number < 0:
            self._batch.seeds = [int(self.np_random.integers(_SEEDS)) if seed is None else seed]
            self._number = -1
        while True:
            self._batch.begin(0, self._number + 1)
            self._number = self._batch.number(0)
            self._over = False
            if self._in_batch:
                break
            self._player = self._make_player()
            self._play_opponent()
            if self._batch.counts[0]:  # else the game ended before a decision of this seat
                break
        return self._rows[0].copy(), self._info()

    @property
    def _own(self) -> int:
        """Return the caller's seat against a player."""
        return self._fixed if self._fixed is not None else (self._batch.seeds[0] + self._number) % 2

    def _make_player(self) -> SandboxedPlayer:
        other = 1 - self._own
        seed = 2 * (self._batch.seeds[0] + self._number) + other
        opponent = self.opponent
        if isinstance(opponent, str):
            return SandboxedPlayer(make_player(opponent, self.regulation, other, seed, self._knowledge), opponent)
        if callable(opponent):
            return SandboxedPlayer(opponent(self.regulation, other, seed))
        return SandboxedPlayer(opponent)

    def _play_opponent(self) -> None:
        """Let the player make its decisions."""
        batch, own, player = self._batch, self._own, self._player
        assert player is not None
        while batch.counts[0] and batch.asked[0] != own:
            seat = PlayerView(batch.state(0), batch.asked[0], self._knowledge)
            step_many(batch, [player.choose(seat, seat.decision)])

    def step(self, action: np.int64 | int) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        batch = self._batch
        if self._over:
            raise RuntimeError("the game is over, or has not begun: call reset")
        option = int(action)
        if not (0 <= option < OPTIONS and batch.masks[option]):
            self._over = True
            return self._rows[0].copy(), -1.0, True, False, {**self._info(), "illegal": True}
        if self._in_batch:
            batch.chosen[0] = option
            step_many(batch, batch.chosen)
            reward = batch.rewards[0]
        else:
            step_many(batch, [option])
            self._play_opponent()
            winner = batch.winners[0]
            reward = 0.0 if batch.counts[0] or winner == 2 else 1.0 if winner == self._own else -1.0
        self._over = not batch.counts[0]
        row = self._rows[0].copy()
        if self._over and not self._in_batch:
            row = np.frombuffer(batch.observe(0, self._own), np.uint8)
        return row, reward, self._over, False, self._info()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._masks[0].copy(), "seat": self._batch.asked[0]}
        if self._over:
            info["winner"] = self._batch.winners[0]
        return info

    def render(self) -> str | None:
        """Return the table as seen by the seat to decide."""
        if self.render_mode != "ansi":
            return None
        game = game_at(self._batch.state(0), self.regulation, GameStart("state"))
        return game.board(self._batch.asked[0])


class BlackPokerVectorEnv(Copyable, gymnasium.vector.VectorEnv[Bytes, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many games in parallel, each like ``BlackPokerEnv`` with the same settings and its own seed, stepped in one
    call of the translated rules. A game that ends is replaced by the next in the same step; its last observation
    is in ``info["final_obs"]``. ``copy=False``: observations and masks are views of memory that the next step
    overwrites.
    """

    SHARED = ("_rows", "_masks", "_chosen", "_rewards", "_ended", "_seats", "_winners", "_finals")

    def __init__(
        self,
        num_envs: int = 1,
        regulation: str = "lite+entry",
        opponent: str = "random",
        seat: int | None = None,
        forced: bool = True,
        copy: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if opponent not in _BATCH_OPPONENTS:
            raise ValueError(f"side by side there are the opponents {', '.join(_BATCH_OPPONENTS)}, not {opponent!r}")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space()
        self.single_action_space = action_space()
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.copy = copy
        self.threads = threads
        self.regulation = Regulation.parse(regulation)
        self._batch = Batch(
            self.regulation, range(num_envs), opponent=_BATCH_OPPONENTS[opponent], seat=seat, forced=forced
        )
        self._never = np.zeros(num_envs, np.bool_)
        self._started = False
        self._attach()

    def _attach(self) -> None:
        batch = self._batch
        self._rows, self._masks = views(batch)
        self._chosen = np.frombuffer(batch.chosen, np.uint8)
        self._rewards = np.frombuffer(batch.rewards, np.float32)
        self._ended = np.frombuffer(batch.ended, np.bool_)
        self._seats = np.frombuffer(batch.asked, np.uint8)
        self._winners = np.frombuffer(batch.winners, np.uint8)
        self._finals = np.frombuffer(batch.finals, np.uint8).reshape(self.num_envs, SIZE)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        """Start new games: the first of each seed (``seed + i``, or one for each), else the next of the same seeds."""
        batch = self._batch
        if seed is None and self._started:
            for i in range(self.num_envs):
                batch.begin(i, batch.number(i) + 1)
        else:
            super().reset(seed=seed if isinstance(seed, int) else None)
            if isinstance(seed, int):
                seeds = [seed + i for i in range(self.num_envs)]
            else:
                given = [None] * self.num_envs if seed is None else list(seed)
                seeds = [int(self.np_random.integers(_SEEDS)) if each is None else each for each in given]
            batch.reset(seeds)
        self._started = True
        return self._shown(self._rows), self._info()

    def _shown(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return column.copy() if self.copy else column

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._shown(self._masks), "seat": self._shown(self._seats)}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Bytes, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        if not self._started:
            raise RuntimeError("the games have not begun: call reset")
        self._chosen[:] = actions
        try:
            step_many(self._batch, self._batch.chosen, self.threads)
        except ValueError:  # raised for an illegal option before any game is stepped
            self._step_with_losers()
        infos = self._info()
        if self._ended.any():
            infos["final_obs"] = self._shown(self._finals)
            infos["_final_obs"] = self._ended.copy()
            infos["winner"] = self._winners.copy()
            infos["_winner"] = infos["_final_obs"]
        return self._shown(self._rows), self._rewards.copy(), self._ended.copy(), self._never, infos

    def _step_with_losers(self) -> None:
        """End the games with illegal actions as losses and step the others."""
        batch = self._batch
        losers = [i for i in range(self.num_envs) if not self._masks[i, self._chosen[i]]]
        seen = self._rows[losers].copy()
        numbers = [batch.number(i) for i in losers]
        for i in losers:
            self._chosen[i] = self._masks[i].argmax()
        step_many(batch, batch.chosen, self.threads)
        for i, row, number in zip(losers, seen, numbers, strict=True):
            batch.begin(i, number + 1)
            self._ended[i], self._rewards[i], self._winners[i] = True, -1.0, 1 - batch.acted[i]
            self._finals[i] = row

    @property
    def options(self) -> tuple[Bytes, Bytes]:
        """Return the options as lists: rows of options, and the number of valid entries in each row."""
        batch = self._batch
        return np.frombuffer(batch.options, np.uint8).reshape(self.num_envs, -1), np.frombuffer(batch.counts, np.uint8)

    def action_masks(self) -> Mask:
        return self._shown(self._masks)
