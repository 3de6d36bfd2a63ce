"""Training rounds: the cores play with the newest net while the GPU (or a core) trains the next one.

    python -m training.round FOLDER [--edition 6] [--seconds 3600] [--rounds 100] [--burst 20] [--playouts 300]
        [--rollout 0] [--from NET] [--dask tcp://scheduler:8786]

FOLDER contains everything: records of the latest bursts, the learner (``learner.pt``), the newest net
(``newest.bpnet``), the best one that passed its gate (``best.bpnet``), ``rounds.jsonl`` with a line per round,
``rounds.svg`` with the plots. Called again, it resumes. Each burst is played with the net trained during the burst
before: on the cores of this machine, or by the workers of a Dask cluster.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import threading
import time
from concurrent.futures import Executor
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from blackpoker.ai.net_file import SHIPPED, load_net
from blackpoker.lab.experiment import LabError
from blackpoker.lab.scheduler import cluster
from blackpoker.players.engine_players import Level
from training.cluster import ClusterSelfPlay
from training.gate import REGULATIONS, elo, gate
from training.selfplay import MIXTURES, CannotPlay, SelfPlay
from training.train import Trainer

#: distinct seeds of gates and of training games
GATE_SEEDS = 700_000_000
GAME_SEEDS = 10**12
#: average number of times a record is used
REUSE = 8


def net_level(net: Path, playouts: int) -> Level:
    return Level(net.stem, "", "", "", "", playouts=playouts, net=str(net))


class Rounds:
    """The training loop. ``workers``: executor and size of a cluster; else this machine plays. ``games``: instead of
    self-play.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        workers: tuple[Executor, int] | None = None,
        games: SelfPlay | None = None,
    ) -> None:
        self.args = args
        self.folder: Path = args.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.keep: Path | None = args.keep
        self.began = time.monotonic()
        setup = (args.seed, args.groups, args.edition, args.rollout)
        if workers is not None:
            self.selfplay: SelfPlay | ClusterSelfPlay = ClusterSelfPlay(workers, *setup)
        else:
            self.selfplay = games or SelfPlay(*setup)
        self.trainer = Trainer(args.device, args.window)
        self.lines: list[dict[str, Any]] = []
        log = self.folder / "rounds.jsonl"
        if log.exists():
            self.lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        if (self.folder / "learner.pt").exists():
            self.trainer.load(self.folder / "learner.pt")
        elif args.start:
            self.trainer.start_from(load_net(args.start, args.edition))
        for old in sorted(self.folder.glob("burst-*.bin"))[-args.bursts :]:
            self.trainer.add(old)
        self.number = 1 + max((line["round"] for line in self.lines), default=-1)
        self.newest = self.folder / "newest.bpnet"
        self.best = self.folder / "best.bpnet"
        if args.start and not self.newest.exists():
            source = SHIPPED[args.edition] if args.start == "shipped" else Path(args.start)
            shutil.copy(source, self.newest)
            shutil.copy(source, self.best)

    @property
    def left(self) -> float:
        seconds: float = self.args.seconds
        return seconds - (time.monotonic() - self.began)

    def play(self, number: int, seconds: float) -> Path:
        """Play a burst with the newest net, or without one, and return its file."""
        out = self.folder / f"burst-{number:04}.bin"
        out.unlink(missing_ok=True)
        first = not self.newest.exists()
        net = "" if first else str(shutil.copy(self.newest, self.folder / f"net-{number:04}.bpnet"))
        self.selfplay.set_net(load_net(net, self.args.edition))
        began = time.monotonic()
        games, records = self.selfplay.play(
            out,
            GAME_SEEDS + number * 10**7,
            seconds,
            playouts=120 if first else self.args.playouts,
            quick=60 if first else self.args.quick,
            games=self.args.games,
            threads=self.args.threads,
            noise=self.args.noise,
        )
        self.played = {"games": games, "records": records, "play_s": round(time.monotonic() - began, 1)}
        for old in sorted(self.folder.glob("burst-*.bin"))[: -self.args.bursts]:
            old.unlink()
        return out

    def train(self, new: int, last: bool = False) -> None:
        """Train as many steps as the new records allow; the learning rate falls at the end."""
        batch, trainer = self.args.batch, self.trainer
        steps = max(20, min(self.args.steps, REUSE * new // (2 * batch)))
        if last:
            steps *= 4
        rate = self.args.rate * (1.0 if trainer.steps > 500 else 1.5)
        low = 0.02 if last else 0.5
        began = time.monotonic()
        done = trainer.train_steps(steps, batch, lambda gone: rate * (1 - (1 - low) * gone), max(5.0, self.left - 20))
        self.trained = {"steps": done, "teach_s": round(time.monotonic() - began, 1)}
        written = self.folder / "new.bpnet"
        trainer.mean.write(written, self.args.edition)
        written.replace(self.newest)  # atomic: it may be in the middle of a copy for the next burst
        trainer.save(self.folder / "learner.pt")

    def compare(self, number: int) -> dict[str, Any]:
        """Play the newest net against the best so far and return the result."""
        if not self.best.exists():
            shutil.copy(self.newest, self.best)
            return {}
        mine = self.folder / f"gate-{number:04}.bpnet"  # nets are cached by path: each needs its own file
        theirs = self.folder / f"held-{number:04}.bpnet"
        shutil.copy(self.newest, mine)
        shutil.copy(self.best, theirs)
        pairs, budget = self.args.gate, self.args.gate_playouts
        began = time.monotonic()
        scores = gate(
            net_level(mine, budget),
            net_level(theirs, budget),
            pairs,
            GATE_SEEDS + number * 10**6,
            REGULATIONS[self.args.edition],
            threads=self.args.threads,
        )
        if scores["all"].passes:
            shutil.copy(self.newest, self.best)
        mine.unlink()
        theirs.unlink()
        whole = scores["all"]
        return {
            "gate": round(whole.share, 4),
            "gate_games": whole.games,
            "gate_elo": round(elo(whole.share)),
            "taken": whole.passes,
            "gate_s": round(time.monotonic() - began, 1),
            "each": {name: [round(score.share, 3), score.games] for name, score in scores.items()},
        }

    def log_round(self, number: int, more: dict[str, Any]) -> None:
        line = {
            "round": number,
            **self.played,
            **self.trained,
            **{name: round(each, 4) for name, each in self.trainer.evaluate().items()},
            **more,
            "seconds": round(time.monotonic() - self.began),
        }
        self.lines.append(line)
        with (self.folder / "rounds.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        print(json.dumps({k: v for k, v in line.items() if k != "each"}), flush=True)
        if find_spec("matplotlib") is not None:  # training also runs without it
            from training.plots import draw

            draw(self.lines, self.folder / "rounds.svg")
        if self.keep is not None:
            for name in ("newest.bpnet", "best.bpnet", "learner.pt", "rounds.jsonl", "rounds.svg"):
                if (self.folder / name).exists():
                    shutil.copy(self.folder / name, self.keep / name)

    def run(self) -> None:
        args = self.args
        burst = args.burst
        ready: Path | None = None
        if not self.newest.exists():
            ready = self.play(self.number, args.first)
        else:
            ready = self.play(self.number, burst)
        while self.number < args.rounds:
            last = self.left < 2.5 * burst + args.end
            played = dict(self.played) if ready is not None else {}
            made: list[Path] = []
            helper = threading.Thread(target=lambda out=made: out.append(self.play(self.number + 1, burst)))
            overlap = not last and self.newest.exists()
            if overlap:
                helper.start()
            self.train(self.trainer.add(ready) if ready is not None else 0, last)
            if overlap:
                helper.join()
            self.played, playing = played, dict(self.played)
            gate_due = self.number % args.gate_every == 0 or last
            self.log_round(self.number, self.compare(self.number) if gate_due else {})
            self.played = playing
            self.number += 1
            if last:
                return
            ready = made[0] if made else self.play(self.number, burst)


def add_options(reader: argparse.ArgumentParser) -> None:
    """Add the options of training in rounds."""
    for name, kind, default in (
        ("seconds", float, 3600.0),
        ("rounds", int, 10**6),
        ("burst", float, 20.0),
        ("first", float, 40.0),
        ("end", float, 25.0),
        ("playouts", int, 300),
        ("quick", int, 80),
        ("games", int, 10**6),
        ("gate", int, 300),
        ("gate-playouts", int, 100),
        ("gate-every", int, 3),
        ("steps", int, 10**6),
        ("batch", int, 4096),
        ("rate", float, 1.5e-3),
        ("window", int, 1_500_000),
        ("bursts", int, 30),
        ("groups", int, 1200),
        ("seed", int, 1),
        ("threads", int, 0),
        ("device", str, ""),
        ("noise", int, 200),
        ("rollout", int, 0),
    ):
        reader.add_argument(f"--{name}", type=kind, default=default)
    reader.add_argument("--edition", choices=MIXTURES, default="6")
    reader.add_argument("--from", dest="start", default="", metavar="NET", help="shipped, or a file: continue from it")
    reader.add_argument("--keep", type=Path, help="copy nets and log there after every round")


def main() -> None:
    reader = argparse.ArgumentParser(prog="training.round")
    reader.add_argument("folder", type=Path)
    reader.add_argument("--dask", default="", metavar="ADDRESS", help="of a scheduler whose workers play the games")
    add_options(reader)
    args = reader.parse_args()
    args.threads = args.threads or os.cpu_count() or 1
    try:
        with cluster(args.dask) if args.dask else nullcontext() as workers:
            Rounds(args, workers).run()
    except (LabError, CannotPlay) as why:
        raise SystemExit(str(why)) from None


if __name__ == "__main__":
    main()
