"""Learn BlackPoker by self-play: MaskablePPO against a pool of its own earlier policies.

    pip install -e '.[learn]' matplotlib
    python examples/train_ppo.py --minutes 20                 learn; the curve goes to build/ppo/curve.csv
    python examples/train_ppo.py --evaluate 400               play the last checkpoint against "easy"
    python examples/train_ppo.py --plot docs/pictures/ppo.png plot the curve

The games run in one batch of the translated rules. ``Features`` expands the rows of bytes into numbers between 0 and 1.
An action is a pair of decision kind and option, own units first (``Actions``).
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from blackpoker.envs import FIELD, OPTIONS, SIZE, BlackPokerEnv
from blackpoker.native import Batch, step_many
from blackpoker.ruleset import Regulation
from blackpoker.ruleset.decks import fixed_cards

Floats = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[Any]

SIDES = ("mine", "theirs")
#: classes of card locations, by the codes of the layout
PLACES = 12
KINDS = 23
#: number of units of each kind, and of requests, in the features
UNITS = 8
STAGE = 3
#: features of a unit: number, driven, new, attacks, blocks
OF_A_UNIT = 5
OWN_UNITS = 2  # the option type of units
UNIT_CODES = 128


def place_classes() -> Ints:
    """Return the class of each location code of a card."""
    out = np.zeros(256, np.int64)
    out[1:9] = np.arange(1, 9)
    out[64:192] = 9  # known in life
    out[192:224] = 10  # a soldier
    out[224:] = 11  # a key on the stage
    return out


class Features:
    """Convert rows of bytes into rows of numbers between 0 and 1."""

    def __init__(self, regulation: str) -> None:
        parsed = Regulation.parse(regulation)
        self.cards = np.array(sorted(fixed_cards(parsed.frame)))
        self.actions = len(parsed.rules().plans) + 1
        self.classes = place_classes()
        self.index = np.zeros(256, np.int64)  # index of each card in our deck + 1; 0: none
        self.index[self.cards + 1] = np.arange(1, len(self.cards) + 1)
        self.size = self(np.zeros((1, SIZE), np.uint8)).shape[1]

    def __call__(self, rows: Bytes) -> Floats:
        parts = [self.head(rows)]
        for side in SIDES:
            parts += self.side(rows, side)
        parts += self.requests(rows) + self.draft(rows)
        return np.concatenate([part.reshape(len(rows), -1) for part in parts], axis=1, dtype=np.float32)

    def one_of(self, values: npt.NDArray[Any], n: int) -> Floats:
        out: Floats = np.eye(n, dtype=np.float32)[np.minimum(values, n - 1)]
        return out

    def head(self, rows: Bytes) -> Floats:
        def at(name: str) -> Bytes:
            return rows[:, FIELD[name].at]

        flags = np.stack([at("turn") == 1, at("chance") == 1, at("turn_number") / 20, at("staged") / 4], axis=1)
        passed = rows[:, FIELD["passed"].at : FIELD["passed"].end]
        return np.concatenate([self.one_of(at("kind"), KINDS), self.one_of(at("noun"), 6), flags, passed], axis=1)

    def side(self, rows: Bytes, side: str) -> list[Floats]:
        n = len(rows)
        at = FIELD[f"{side}.life"].at
        counts = rows[:, [at, at + 1, at + 2, at + 6, at + 7]] / np.array([20, 8, 20, 6, 6], np.float32)
        where = rows[:, FIELD[f"{side}.cards"].at + self.cards]
        places = self.one_of(self.classes[where], PLACES)
        top = self.one_of(self.index[rows[:, at + 3]], len(self.cards) + 1)
        soldiers = np.zeros((n, len(self.cards) + 1, OF_A_UNIT), np.float32)
        field = FIELD[f"{side}.soldiers"]
        every = np.arange(n)
        for row in range(UNITS):
            of = rows[:, field.at + 6 * row : field.at + 6 * row + 6]
            state = of[:, 4]
            numbers = [np.where(of[:, 0] > 0, of[:, 1].astype(np.float32) - 64, 0) / 14]
            soldiers[every, self.index[of[:, 0]]] = np.stack(
                [*numbers, state & 2 > 0, state & 4 > 0, state & 16 > 0, state & 32 > 0], axis=1
            )
        field = FIELD[f"{side}.bulwarks"]
        of = rows[:, field.at : field.at + 3 * UNITS].reshape(n, UNITS, 3)
        state = of[:, :, 1]
        bulwarks = np.stack([state & 1 > 0, state & 2 > 0, state & 32 > 0], axis=2)
        return [counts, places, top, soldiers[:, 1:], bulwarks]

    def requests(self, rows: Bytes) -> list[Floats]:
        field = FIELD["requests"]
        of = rows[:, field.at : field.end].reshape(len(rows), field.count, field.each)
        staged = rows[:, FIELD["staged"].at].astype(np.int64)
        out: list[Floats] = []
        for depth in range(STAGE):  # from the top
            row = of[np.arange(len(rows)), np.maximum(staged - 1 - depth, 0)] * (staged > depth)[:, None]
            out += [self.one_of(row[:, 0], self.actions), self.one_of(row[:, 1], 3)]
        active = of[:, -1]
        return [*out, self.one_of(active[:, 0], self.actions), self.one_of(active[:, 1], 3)]

    def draft(self, rows: Bytes) -> list[Floats]:
        action = self.one_of(rows[:, FIELD["so_far.action"].at], self.actions)
        cards = rows[:, FIELD["so_far.cards"].at + self.cards]
        attacker = rows[:, FIELD["so_far.attacker"].at].astype(np.int64)
        leads = rows[np.arange(len(rows)), FIELD["theirs.soldiers"].at + 6 * np.maximum(attacker - 1, 0)]
        attacker_card = self.one_of(self.index[leads] * (attacker > 0), len(self.cards) + 1)
        return [action, (cards > 0).astype(np.float32), (cards & 2 > 0).astype(np.float32), attacker_card]


class Actions:
    """Maps options to actions: pairs of decision kind and option, own units first. Random games discover the pairs that
    occur."""

    def __init__(self, regulation: str, games: int = 256, steps: int = 1500) -> None:
        batch = Batch(regulation, range(games))
        rows, masks, counts, options = columns(batch)
        chosen = np.frombuffer(batch.chosen, np.uint8)
        dice = np.random.default_rng(0)
        known = np.zeros(KINDS * OPTIONS, np.bool_)
        for _ in range(steps):
            known[self.pairs(rows)[masks > 0]] = True
            chosen[:] = options[np.arange(games), (dice.random(games) * counts).astype(np.int64)]
            step_many(batch, batch.chosen)
        self.known = np.flatnonzero(known)
        self.n = len(self.known) + 1  # the last one stands for all unseen pairs
        self.place = np.full(KINDS * OPTIONS, self.n - 1)
        self.place[self.known] = np.arange(self.n - 1)

    def pairs(self, rows: Bytes) -> Ints:
        """Return the pair of every option in every row."""
        kinds = rows[:, FIELD["kind"].at].astype(np.int64)
        mirrored = (rows[:, FIELD["noun"].at] == OWN_UNITS) & (rows[:, FIELD["seat"].at] == 1)
        options = np.arange(OPTIONS)[None, :] ^ (mirrored * UNIT_CODES)[:, None]
        options[:, OPTIONS - 1] = OPTIONS - 1  # "done" is not a unit
        pairs: Ints = kinds[:, None] * OPTIONS + options
        return pairs

    def masks(self, rows: Bytes, masks: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        out = np.zeros((len(rows), self.n), np.bool_)
        row, option = np.nonzero(masks)
        out[row, self.place[self.pairs(rows)[row, option]]] = True
        return out

    def option(self, rows: Bytes, masks: npt.NDArray[Any], actions: Ints) -> Ints:
        """Return the engine's option for an action in each row."""
        fits = (self.place[self.pairs(rows)] == actions[:, None]) & (masks > 0)
        options: Ints = fits.argmax(axis=1)
        return options


def columns(batch: Batch) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    n = len(batch)
    rows = np.frombuffer(batch.observations, np.uint8).reshape(n, SIZE)
    masks = np.frombuffer(batch.masks, np.uint8).reshape(n, OPTIONS)
    options = np.frombuffer(batch.options, np.uint8).reshape(n, -1)
    return rows, masks, np.frombuffer(batch.counts, np.uint8), options


class SelfPlayEnv(VecEnv):
    """Games against earlier policies, for stable-baselines3. The learner has one seat of every game; a policy of the
    pool decides for the other seat, in one batch per policy."""

    def __init__(self, regulation: str, n: int, seed: int) -> None:
        self.batch = Batch(regulation, range(seed, seed + n))
        self.rows, self.offered, self.counts, self.options = columns(self.batch)
        self.features, self.actions = Features(regulation), Actions(regulation)
        self.render_mode = None
        super().__init__(n, spaces.Box(-8, 8, (self.features.size,), np.float32), spaces.Discrete(self.actions.n))
        self.asked = np.frombuffer(self.batch.asked, np.uint8)
        self.ended = np.frombuffer(self.batch.ended, np.uint8)
        self.winners = np.frombuffer(self.batch.winners, np.uint8)
        self.chosen = np.frombuffer(self.batch.chosen, np.uint8)
        self.waits = np.frombuffer(self.batch.waits, np.uint8)
        self.seat = np.arange(n) % 2
        self.dice = np.random.default_rng(seed)
        self.policies: list[Any] = []  # earlier policies; without any, the opponent plays at random
        self.opponent = np.zeros(n, np.int64)
        self.pending = np.zeros(n, np.int64)
        self.won = self.played = 0

    def add_policy(self, policy: Any, most: int = 8) -> None:
        """Add a policy to the pool; if the pool is full, an older one is dropped."""
        self.policies.append(policy)
        if len(self.policies) > most:
            del self.policies[int(self.dice.integers(1, most - 1))]
        self.opponent = np.minimum(self.opponent, len(self.policies) - 1)

    def sample_opponent(self) -> int:
        """Return the newest policy half of the time, else any."""
        n = len(self.policies)
        return n - 1 if n == 0 or self.dice.random() < 0.5 else int(self.dice.integers(n))

    def play_opponents(self, rewards: Floats, done: npt.NDArray[np.bool_]) -> None:
        """Decide for the opponents until every game asks the learner."""
        while True:
            theirs = np.flatnonzero(self.asked != self.seat)
            if len(theirs) == 0:
                return
            self.waits[:] = 1
            self.waits[theirs] = 0
            pick = (self.dice.random(len(theirs)) * self.counts[theirs]).astype(np.int64)
            self.chosen[theirs] = self.options[theirs, pick]
            for rung in set(self.opponent[theirs].tolist()) if self.policies else ():
                self.chosen_by(self.policies[rung], theirs[self.opponent[theirs] == rung])
            step_many(self.batch, self.batch.chosen)
            self.note_ends(rewards, done)

    def chosen_by(self, policy: Any, games: Ints) -> None:
        rows, offered = self.rows[games], self.offered[games]
        with torch.no_grad():
            masks = self.actions.masks(rows, offered)
            actions = policy.get_distribution(torch.as_tensor(self.features(rows)), masks).sample().numpy()
        self.chosen[games] = self.actions.option(rows, offered, actions)

    def note_ends(self, rewards: Floats, done: npt.NDArray[np.bool_]) -> None:
        for i in np.flatnonzero(self.ended):
            winner = self.winners[i]
            rewards[i] += 0.0 if winner == 2 else 1.0 if winner == self.seat[i] else -1.0
            done[i] = True
            self.won += winner == self.seat[i]
            self.played += 1
            self.seat[i] ^= 1
            self.opponent[i] = max(0, self.sample_opponent())

    def reset(self) -> Any:
        self.batch.reset()
        self.play_opponents(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_))
        return self.features(self.rows)

    def step_async(self, actions: Any) -> None:
        self.pending = np.asarray(actions)

    def step_wait(self) -> Any:
        rewards = np.zeros(self.num_envs, np.float32)
        done = np.zeros(self.num_envs, np.bool_)
        self.waits[:] = 0
        self.chosen[:] = self.actions.option(self.rows, self.offered, self.pending)
        step_many(self.batch, self.batch.chosen)
        self.note_ends(rewards, done)
        self.play_opponents(rewards, done)
        seen = self.features(self.rows)
        infos: list[dict[str, Any]] = [
            {"terminal_observation": seen[i]} if done[i] else {} for i in range(self.num_envs)
        ]
        return seen, rewards, done, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        return self.actions.masks(self.rows, self.offered)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return list(getattr(self, method_name)(*args, **kwargs))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        pass


def evaluate(
    policy: Any, features: Features, actions: Actions, regulation: str, opponent: str, games: int, seed: int = 10**6
) -> float:
    """Return the share of games won, seats alternating; a draw is half a win."""
    env = BlackPokerEnv(regulation, opponent)
    score = 0.0
    for game in range(games):
        row, info = env.reset(seed=seed + game)
        over, reward = False, 0.0
        while not over:
            rows, offered = row[None], info["action_mask"][None]
            with torch.no_grad():
                masks = actions.masks(rows, offered)
                action = policy.get_distribution(torch.as_tensor(features(rows)), masks).get_actions(deterministic=True)
            row, reward, over, _, info = env.step(int(actions.option(rows, offered, action.numpy())[0]))
        score += (reward + 1) / 2
    return score / games


def frozen(model: MaskablePPO) -> Any:
    """Return a copy of the policy for inference."""
    policy = type(model.policy)(**model.policy._get_constructor_parameters())
    policy.load_state_dict(model.policy.state_dict())
    policy.set_training_mode(False)
    return policy


def learn(args: argparse.Namespace) -> None:
    args.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    ladder = SelfPlayEnv(args.regulation, args.games, args.seed)
    saved = args.folder / "model.zip"
    net = {"net_arch": {"pi": [256, 256], "vf": [256, 256]}, "activation_fn": torch.nn.ReLU}
    if args.resume and saved.exists():
        model = MaskablePPO.load(saved, env=ladder)
        for rung in sorted(args.folder.glob("rung*.zip")):
            ladder.add_policy(frozen(MaskablePPO.load(rung)))
    else:
        model = MaskablePPO(
            "MlpPolicy",
            ladder,
            n_steps=args.steps,
            batch_size=2048,
            n_epochs=4,
            gamma=0.999,
            gae_lambda=0.95,
            learning_rate=3e-4,
            ent_coef=0.01,
            clip_range=0.2,
            policy_kwargs=net,
            seed=args.seed,
            device="cpu",
        )
    curve, clock = args.folder / "curve.csv", args.folder / "minutes"
    resumed = args.resume and clock.exists()
    spent = float(clock.read_text(encoding="utf-8")) if resumed else 0.0
    if not resumed:
        curve.write_text("minutes,steps,easy,ladder\n", encoding="utf-8")
    began, climbed = time.process_time(), 0.0
    measured = 0.0 if resumed else -1e9
    first_steps = model.num_timesteps
    while spent + (time.process_time() - began) / 60 < args.minutes:
        model.learn(args.steps * args.games, reset_num_timesteps=False)
        minutes = (time.process_time() - began) / 60
        model.save(saved)
        clock.write_text(f"{spent + minutes:.3f}", encoding="utf-8")
        if minutes - climbed > args.rung:
            climbed = minutes
            ladder.add_policy(frozen(model))
            model.save(args.folder / f"rung{len(ladder.policies):02}.zip")
        if minutes - measured > args.measure:
            measured = minutes
            share = evaluate(model.policy, ladder.features, ladder.actions, args.regulation, "easy", args.sample)
            rate = (model.num_timesteps - first_steps) / (60 * minutes)
            won = ladder.won / max(1, ladder.played)
            ladder.won = ladder.played = 0
            with curve.open("a", encoding="utf-8") as file:
                file.write(f"{spent + minutes:.2f},{model.num_timesteps},{share:.4f},{won:.4f}\n")
            print(
                f"{spent + minutes:6.2f} min {model.num_timesteps:>9,} steps ({rate:,.0f}/s): "
                f"{share:.1%} against easy, {won:.1%} against the ladder",
                flush=True,
            )


def plot(curve: Path, picture: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with curve.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    axes.plot([float(line["minutes"]) for line in lines], [100 * float(line["easy"]) for line in lines], marker=".")
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlabel="minutes", ylabel="% won against easy", ylim=(0, 100))
    figure.savefig(picture, dpi=110)


def main(arguments: Sequence[str] | None = None) -> None:
    reader = argparse.ArgumentParser(description="Learn BlackPoker with MaskablePPO.")
    reader.add_argument("--regulation", default="lite+entry")
    reader.add_argument(
        "--minutes", type=float, default=20, help="of processor time on one core, those before --resume counted"
    )
    reader.add_argument("--games", type=int, default=128, help="side by side")
    reader.add_argument("--steps", type=int, default=128, help="of each game between two lessons")
    reader.add_argument("--rung", type=float, default=0.5, help="minutes between two rungs of the ladder")
    reader.add_argument("--measure", type=float, default=1, help="minutes between two points of the curve")
    reader.add_argument("--sample", type=int, default=100, help="games of a point of the curve")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--folder", type=Path, default=Path("build/ppo"))
    reader.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    reader.add_argument("--evaluate", type=int, metavar="GAMES", help="play the last checkpoint against easy")
    reader.add_argument("--plot", type=Path, metavar="PICTURE", help="draw the curve")
    args = reader.parse_args(arguments)
    torch.set_num_threads(1)  # one core, so that processor time is comparable
    if args.plot:
        plot(args.folder / "curve.csv", args.plot)
    elif args.evaluate:
        model = MaskablePPO.load(args.folder / "model.zip", device="cpu")
        features, actions = Features(args.regulation), Actions(args.regulation)
        share = evaluate(model.policy, features, actions, args.regulation, "easy", args.evaluate, 2 * 10**6)
        print(f"{share:.1%} of {args.evaluate} games against easy")
    else:
        learn(args)


if __name__ == "__main__":
    main()
