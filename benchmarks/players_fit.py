"""Fit the weights of ``ai/evaluation.py`` to finished games and write ``thinking/weights.py``.

    python benchmarks/players_fit.py [--games 4000] [--noise 30] [--check]

Games are played by the noisy heuristics (compiled: some thousand a second), every start of a turn is one example, its
label is the winner. The fit is a ridge logistic regression by Newton's method; needs numpy. ``--check`` prints the
likelihood on held-out games and writes nothing.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np

from blackpoker.ruleset import Regulation, new_game
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import TRUMPS_KIND
from blackpoker.ai.playout import sample_game
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.random_player import random_trumps
from blackpoker.ai.evaluation import FEATURES, Evaluator, weights_of

GROUPS = {
    "lite": ("lite+entry", "lite+full", "lite+random40"),
    "standard": ("standard+full", "standard+entry", "standard+random40+preset2"),
    "pro": ("pro+full", "pro+entry", "pro+random40"),
    "master": ("master+full", "master+entry", "master+random40"),
    "extra": ("extra+regular",),
}
TARGET = Path(__file__).parents[1] / "src/blackpoker/ai/weights.py"


def examples(text: str, games: int, noise: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    regulation = Regulation.parse(text)
    policy = HeuristicScorer(regulation.rules())
    judge = Evaluator(weights_of(regulation.rules()), policy.trump_worth)
    rows: list[list[float]] = []
    labels: list[float] = []
    for n in range(games):
        engine = new_game(regulation, seeded(seed + n))
        engine.advance()
        chance = seeded(seed + n + 2**33)
        trumps = random_trumps(engine, chance)
        while engine.kind == TRUMPS_KIND:
            engine.push(trumps.pop(0))
        seen: list[tuple[int, list[float]]] = []
        sample_game(engine, policy, judge, noise, chance, seen)
        if engine.winner in (0, 1):
            for turn, features in seen:
                rows.append(features)
                labels.append(1.0 if turn == engine.winner else 0.0)
    return np.array(rows), np.array(labels)


def fit(x: np.ndarray, y: np.ndarray, ridge: float = 3.0) -> np.ndarray:
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (y - p) - ridge * w
        bend = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(x.shape[1])
        step = np.linalg.solve(bend, slope)
        w += step
        if np.abs(step).max() < 1e-6:
            break
    return w


def loss(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
    return float(-np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=4000, help="per regulation")
    parser.add_argument("--noise", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found: dict[str, np.ndarray] = {}
    for name, regulations in GROUPS.items():
        parts = [examples(text, options.games, options.noise, options.seed) for text in regulations]
        x = np.concatenate([part[0] for part in parts])
        y = np.concatenate([part[1] for part in parts])
        tests = [examples(text, options.games // 5, options.noise, options.seed + 10**6) for text in regulations]
        w = fit(x, y)
        found[name] = w
        for text, (tx, ty) in zip(regulations, tests, strict=True):
            right = float(np.mean(((tx @ w) > 0) == (ty > 0.5)))
            told = f"loss {loss(tx, ty, w):.4f} (coin {math.log(2):.4f}), right {right:.1%}"
            print(f"{text}: {len(ty)} held-out turns, {told}", file=sys.stderr)
    if options.check:
        return
    lines = ['"""Fitted weights of ``value.Judge`` per format, written by ``benchmarks/players_fit.py``."""', "",
             "from __future__ import annotations", "", "from typing import Final", "",
             "# fmt: off", "WEIGHTS: Final[dict[str, list[float]]] = {"]  # fmt: skip
    for name, w in found.items():
        assert len(w) == FEATURES
        numbers = [f"{value:.4f}" for value in w]
        lines.append(f'    "{name}": [')
        for start in range(0, len(numbers), 12):
            lines.append("        " + ", ".join(numbers[start : start + 12]) + ",")
        lines.append("    ],")
    lines += ["}", "# fmt: on", ""]
    TARGET.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
