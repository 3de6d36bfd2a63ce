"""A whole round in a minute, for `make soak`: 300 games, 200 steps, and a net that has improved.

    python -m training.small

Without PyTorch it prints a note and does nothing.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from blackpoker.ai.net_file import load_net, read_net

GAMES = 300
STEPS = 200


def main() -> int:
    if find_spec("torch") is None:
        print("· training: PyTorch is not installed (extra train), nothing was tried")
        return 0
    from training.selfplay import SelfPlay
    from training.train import Trainer

    with tempfile.TemporaryDirectory() as folder:
        records, net = Path(folder) / "games.bin", Path(folder) / "new.bpnet"
        selfplay = SelfPlay(seed=5, groups=60)
        games, record_count = selfplay.play(records, 5 * 10**8, 600.0, GAMES, playouts=60, quick=20)
        trainer = Trainer("cpu")
        trainer.add(records)
        before = trainer.evaluate()
        trainer.train_steps(STEPS, 256, lambda gone: 2e-3 * (1 - 0.9 * gone))
        after = trainer.evaluate()
        trainer.mean.write(net, "6")
        selfplay.set_net(load_net(str(net)))  # check that it can play
        again, _ = selfplay.play(Path(folder) / "more.bin", 6 * 10**8, 600.0, 20, playouts=40, quick=20)
    print(f"· training: {games} games, {record_count} records; held out {before} → {after}")
    passed = games == GAMES and again == 20 and after["value"] < before["value"] and after["policy"] < before["policy"]
    read_net.cache_clear()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
