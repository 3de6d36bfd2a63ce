"""The parts of training that need no PyTorch: cluster games, rounds, curves."""

from __future__ import annotations

import importlib
import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from training.cluster import ClusterSelfPlay, DeadlineBatches
from training.plots import draw, ratings
from training.selfplay import RECORD, SelfPlay

from blackpoker import native
from blackpoker.ai.net import Net
from blackpoker.ai.net_file import SHIPPED, load_net
from blackpoker.lab import scheduler

pytestmark = pytest.mark.skipif(not native.available(), reason="self-play needs machine code")
SETTINGS = {"playouts": 12, "quick": 6}


@pytest.fixture(scope="module")
def workers() -> Iterator[tuple[Executor, int]]:
    """Yield a Dask cluster of one process on this machine."""
    distributed = pytest.importorskip("distributed")
    settings = {"processes": True, "dashboard_address": None, "silence_logs": 50}
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, **settings) as running,
        scheduler.cluster(running.scheduler_address) as found,
    ):
        yield found


def test_a_cluster_plays_the_games_of_one_machine(tmp_path: Path, workers: tuple[Executor, int]) -> None:
    alone, together = SelfPlay(5, 30), ClusterSelfPlay(workers, 5, 30)
    for name in ("shipped", ""):  # after a change of the net, the workers use the new one
        here, there = tmp_path / f"here{name}", tmp_path / f"there{name}"
        counts = []
        for school, out in ((alone, here), (together, there)):
            school.set_net(load_net(name))
            counts.append(school.play(out, 77, 600.0, 40, threads=1, **SETTINGS))
        assert counts[0] == counts[1]
        assert counts[0][0] == 40
        records = [np.fromfile(out, RECORD) for out in (here, there)]
        assert len(set(records[1]["game"])) == 40
        order = [np.argsort(each["game"], kind="stable") for each in records]  # shares arrive as they finish
        assert records[0][order[0]].tobytes() == records[1][order[1]].tobytes()


def test_late_nothing_more_is_handed_out() -> None:
    assert DeadlineBatches(1000, 2, 60.0).next() == range(1)
    assert not DeadlineBatches(1000, 2, 0.0).next()


class Mean:
    def write(self, out: Path, edition: str) -> None:
        out.write_bytes(SHIPPED[edition].read_bytes())


class Trainer:
    """A trainer that learns nothing."""

    def __init__(self, device: str, window: int) -> None:
        self.steps = 0
        self.mean = Mean()
        self.added: list[Path] = []

    def add(self, path: Path) -> int:
        self.added.append(path)
        return len(np.fromfile(path, RECORD))

    def train_steps(self, steps: int, batch: int, rate: Any, seconds: float) -> int:
        self.steps += steps
        return steps

    def start_from(self, net: Net) -> None:
        self.steps = 0

    def evaluate(self) -> dict[str, float]:
        return {"value": 0.5, "opinion": 0.5, "policy": 0.7}

    def save(self, path: Path) -> None:
        path.write_text(str(self.steps))

    def load(self, path: Path) -> None:
        self.steps = int(path.read_text())


def test_rounds_on_workers_go_on_after_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round writes a line and a plot, with gates in between; a second call continues with the next round."""
    stub = ModuleType("training.train")
    stub.__dict__["Trainer"] = Trainer
    monkeypatch.setitem(sys.modules, "training.train", stub)
    monkeypatch.delitem(sys.modules, "training.round", raising=False)
    rounds = importlib.import_module("training.round")
    args = Namespace(
        folder=tmp_path,
        edition="6",
        rollout=0,
        start="",
        keep=None,
        seconds=1e6,
        rounds=2,
        burst=60.0,
        first=60.0,
        end=0.0,
        playouts=4,
        quick=2,
        games=8,
        gate=4,
        gate_playouts=2,
        gate_every=1,
        steps=5,
        batch=16,
        rate=1e-3,
        window=1000,
        bursts=3,
        groups=20,
        seed=1,
        threads=1,
        device="",
        noise=0,
    )
    with ThreadPoolExecutor(1) as pool:
        rounds.Rounds(args, (pool, 1)).run()
        first = (tmp_path / "rounds.svg").read_text(encoding="utf-8")
        args.rounds = 3
        rounds.Rounds(args, (pool, 1)).run()
    lines = [json.loads(line) for line in (tmp_path / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["round"] for line in lines] == [0, 1, 2]
    assert all(line["games"] == 8 and line["records"] > 50 for line in lines)
    assert "gate" not in lines[0]  # there was no opponent yet
    assert lines[1]["gate_games"] >= 8
    assert (tmp_path / "rounds.svg").read_text(encoding="utf-8") != first
    monkeypatch.delitem(sys.modules, "training.round")


def test_a_best_response_is_trained_against_a_level_and_then_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = ModuleType("training.train")
    stub.__dict__["Trainer"] = Trainer
    monkeypatch.setitem(sys.modules, "training.train", stub)
    for name in ("training.round", "training.exploit"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    exploit = importlib.import_module("training.exploit")
    line = "exploit strong:playouts=2 --minutes 999 --rounds 2 --games 6 --burst 30 --gate 2 --gate-every 1 --steps 2"
    rest = f"--groups 10 --threads 1 --regulations lite+entry --match 8 --folder {tmp_path}"
    monkeypatch.setattr(sys, "argv", f"{line} {rest}".split())
    exploit.main()
    assert "lite+entry: " in (out := capsys.readouterr().out)
    assert "all: " in out
    assert "% of 8 " in out
    lines = [json.loads(each) for each in (tmp_path / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [each["match_games"] for each in lines] == [4, 4]
    monkeypatch.setattr(sys, "argv", ["exploit", "easy"])
    with pytest.raises(SystemExit, match="no net"):
        exploit.main()
    for name in ("training.round", "training.exploit"):
        monkeypatch.delitem(sys.modules, name)


def test_the_learning_net_and_the_level_change_seats(tmp_path: Path) -> None:
    from training.exploit import GamesAgainst

    fixed, learning = load_net("shipped"), Net(load_net("shipped").weights[:])
    games = GamesAgainst(3, 12, "6", 0, fixed)
    games.set_net(learning)
    own = learning.weights.buffer_info()[0]
    seats = [[memory.net.weights == own for memory in players] for players in games.searches]
    assert all(one != other for one, other in seats)
    assert len({tuple(each) for each in seats}) == 2
    assert games.play(tmp_path / "records", 5, 600.0, 6, threads=1, **SETTINGS)[0] == 6


def test_curves_of_gates(tmp_path: Path) -> None:
    loss = {"value": 0.5, "opinion": 0.52, "policy": 0.7}
    lines = [{"round": n, **loss} for n in range(6)]
    draw(lines, tmp_path / "none.svg")  # before the first gate
    for at, share, taken in ((1, 0.6401, True), (3, 0.5, False), (5, 0.6401, True)):
        lines[at] |= {"gate": share, "gate_games": 400, "taken": taken}
    draw(lines, tmp_path / "some.svg")
    found = ratings(lines)
    assert [(at, round(value)) for at, value, _, _ in found] == [(1, 100), (3, 100), (5, 200)]
    assert all(low < value < high for _, value, low, high in found)
    pictures = [(tmp_path / name).read_text(encoding="utf-8") for name in ("none.svg", "some.svg")]
    assert all("held-out" in each for each in pictures)
    assert len(pictures[1]) > len(pictures[0])
