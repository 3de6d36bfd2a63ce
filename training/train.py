"""Train a net from records of games.

    python -m training.train OUT.bpnet RECORDS… [--from LEARNT.pt] [--steps 2000] [--batch 4096]

The value target is the result mixed with the search's estimate; the policy target is the share of visits of each
option. A tenth of the games is held out. Uses a GPU if there is one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from blackpoker.ai import features as f
from blackpoker.ai.net import Net
from training.model import Learner
from training.selfplay import MIXTURES, RECORD

#: weight of the search's estimate in the value target
OPINION = 0.35
#: weight decay of unused rows
DECAY = 2e-5
#: one in this many games is held out
HELD_OUT = 10
#: searches with fewer visits are ignored
LEAST_VISITS = 16


class Pool:
    """Records on the device, oldest first; the oldest are dropped above the limit."""

    def __init__(self, device: str, most: int) -> None:
        self.device = device
        self.most = most
        self.parts: dict[bool, list[dict[str, Tensor]]] = {False: [], True: []}
        self.whole: dict[bool, dict[str, Tensor]] = {}

    def add(self, records: np.ndarray) -> None:
        usable = (records["policy"] == 0) | (records["visited"] >= LEAST_VISITS)
        for policy in (False, True):
            part = records[usable & (records["policy"] == policy)]
            self.parts[policy].append(self.moved(part, policy))
            while sum(len(each["won"]) for each in self.parts[policy][1:]) > self.most:
                self.parts[policy].pop(0)
            first = self.parts[policy][0]
            self.whole[policy] = {name: torch.cat([each[name] for each in self.parts[policy]]) for name in first}

    def moved(self, part: np.ndarray, policy: bool) -> dict[str, Tensor]:
        bits = part["bits"].astype(np.int16)
        bits[np.arange(bits.shape[1])[None, :] >= part["bits_on"][:, None]] = f.BITS
        numbers = {
            "bits": bits,
            "won": part["won"].astype(np.float32) / 2,
            "mean": part["mean"].astype(np.float32) / 65536,
            "starts": part["starts"],
            "regulation": part["regulation"],
        }
        if policy:
            visits = part["visits"].astype(np.float32)
            numbers |= {
                "rows": part["rows"].astype(np.int16),
                "shown": part["shown"].astype(np.int16),
                "scores": part["scores"].copy(),
                "options": part["options"],
                "kind": part["kind"],
                "share": (visits / visits.sum(1, keepdims=True)).astype(np.float16),
            }
        return {name: torch.from_numpy(np.ascontiguousarray(each)).to(self.device) for name, each in numbers.items()}

    def size(self, policy: bool) -> int:
        return len(self.whole[policy]["won"]) if policy in self.whole else 0

    def draw(self, policy: bool, n: int) -> dict[str, Tensor]:
        at = torch.randint(self.size(policy), (n,), device=self.device)
        return {name: each[at] for name, each in self.whole[policy].items()}


class Trainer:
    """A model, its optimiser, and the average of its recent weights, which is the net used for play."""

    def __init__(self, device: str = "", most: int = 3_000_000, rate: float = 2e-3, drop: float = 0.1) -> None:
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.set_float32_matmul_precision("high")
        self.learner = Learner(drop).to(self.device)
        self.mean = Learner(0.0).to(self.device).eval()
        self.mean.load_state_dict(self.learner.state_dict())
        self.pool = Pool(self.device, most)
        self.held = Pool(self.device, most // HELD_OUT)
        self.optimiser = torch.optim.Adam(self.learner.parameters(), lr=rate)
        self.steps = 0

    def add(self, path: Path) -> int:
        """Add the records of a file and return their number."""
        records = np.fromfile(path, RECORD)
        held = records["game"] % HELD_OUT == 0
        self.pool.add(records[~held])
        self.held.add(records[held])
        return len(records)

    def losses(self, net: Learner, values: dict[str, Tensor], policies: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        both = torch.cat([values["bits"], policies["bits"]])
        active = net.body(both)
        logits = net.value(active[: len(values["won"])])
        target = (1 - OPINION) * values["won"] + OPINION * values["mean"]
        value = F.binary_cross_entropy_with_logits(logits, target)
        options = net.policy(active[len(values["won"]) :], policies)
        policy = -(policies["share"].float() * F.log_softmax(options, 1)).sum(1).mean()
        return value, policy

    def train_steps(self, steps: int, batch: int, rate: Callable[[float], float], seconds: float = 1e9) -> int:
        """Train for this many steps, or until the time is over; return the number of steps."""
        began = time.monotonic()
        self.learner.train()
        for step in range(steps):
            elapsed = time.monotonic() - began
            if elapsed > seconds:
                return step
            for group in self.optimiser.param_groups:
                group["lr"] = rate(max((step + 1) / steps, elapsed / seconds))
            value, policy = self.losses(self.learner, self.pool.draw(False, batch), self.pool.draw(True, batch))
            net = self.learner
            fading = net.own.square().sum() + 0.1 * net.columns.square().sum() + net.option.square().sum()
            loss = value + policy + DECAY * (fading + net.shown.square().sum())
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            self.optimiser.step()
            self.steps += 1
            keep = min(0.997, self.steps / (self.steps + 10))
            with torch.no_grad():
                for mean, now in zip(self.mean.parameters(), net.parameters(), strict=True):
                    mean.lerp_(now, 1 - keep)
        return steps

    def evaluate(self) -> dict[str, float]:
        """Return the losses on held-out games. Value loss over all decisions and at turn starts, loss of the
        search's estimate, policy loss, and top-1 accuracy of the policy and of the heuristics against the search.
        """
        net, v, p = self.mean, self.held.whole[False], self.held.whole[True]
        with torch.no_grad():
            logits = torch.cat([net.value(net.body(b)) for b in v["bits"].split(8192)])
            first = v["starts"] == 1
            parts = [{k: t[i : i + 8192] for k, t in p.items()} for i in range(0, len(p["won"]), 8192)]
            loss = hits = heuristic_hits = 0.0
            for part in parts:
                options = net.policy(net.body(part["bits"]), part)
                share = part["share"].float()
                loss -= (share * F.log_softmax(options, 1)).sum().item()
                hits += (options.argmax(1) == share.argmax(1)).sum().item()
                nothing = torch.arange(share.shape[1], device=share.device)[None] >= part["options"].long()[:, None]
                points = (-part["scores"].float() / 30).masked_fill(nothing, -1e9)
                heuristic_hits += (points.argmax(1) == share.argmax(1)).sum().item()
            cross = F.binary_cross_entropy_with_logits
            mean = F.binary_cross_entropy(v["mean"].clamp(1e-3, 1 - 1e-3), v["won"])
        n = len(p["won"])
        return {
            "value": cross(logits, v["won"]).item(),
            "value_at_turns": cross(logits[first], v["won"][first]).item(),
            "opinion": mean.item(),
            "policy": loss / n,
            "hits": hits / n,
            "thumb_hits": heuristic_hits / n,
        }

    def start_from(self, net: Net) -> None:
        """Continue from a written net, without the state of its optimiser."""
        self.learner.start_from(net)
        self.mean.load_state_dict(self.learner.state_dict())
        self.steps = 1000  # past the first steps, in which the average follows quickly

    def save(self, path: Path) -> None:
        torch.save(
            {
                "learner": self.learner.state_dict(),
                "mean": self.mean.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "steps": self.steps,
            },
            path,
        )

    def load(self, path: Path) -> None:
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.learner.load_state_dict(state["learner"])
        self.mean.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]


def falling(high: float, low: float, done: float) -> float:
    """Return the learning rate when the share ``done`` of the steps from ``high`` to ``low`` is over."""
    return high + (low - high) * done


def main() -> None:
    reader = argparse.ArgumentParser(prog="training.train")
    reader.add_argument("out", type=Path)
    reader.add_argument("records", type=Path, nargs="+")
    reader.add_argument("--from", type=Path, dest="start")
    reader.add_argument("--edition", choices=MIXTURES, default="6")
    reader.add_argument("--steps", type=int, default=2000)
    reader.add_argument("--batch", type=int, default=4096)
    reader.add_argument("--rate", type=float, default=2e-3)
    reader.add_argument("--device", default="")
    args = reader.parse_args()
    trainer = Trainer(args.device)
    if args.start:
        trainer.load(args.start)
    for path in args.records:
        trainer.add(path)
    print("before:", trainer.evaluate())
    for tenth in range(10):
        high, low = args.rate * (1 - tenth / 10), args.rate * (0.9 - tenth / 10)
        trainer.train_steps(max(1, args.steps // 10), args.batch, partial(falling, high, low))
        print(trainer.steps, {name: round(each, 4) for name, each in trainer.evaluate().items()}, flush=True)
    trainer.save(args.out.with_suffix(".pt"))
    print(trainer.mean.write(args.out, args.edition))


if __name__ == "__main__":
    main()
