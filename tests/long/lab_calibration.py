"""Calibration of the lab: experiments without a difference, and one in which the first player draws a card less.

python -m tests.long.lab_calibration                    100 experiments of each kind (minutes)
python -m tests.long.lab_calibration --experiments 10   fewer
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from blackpoker.engine.engine import Engine
from blackpoker.engine.events import DREW
from blackpoker.lab import Arm, Experiment, Store, game_runner, run
from blackpoker.lab.metrics import ReportMetrics, compute_metrics
from blackpoker.lab.summary import summary
from blackpoker.ruleset import standard_edition

#: a package without changes: another name and object, the same definitions
SAME = standard_edition().rename("nothing changed")
PLANTED = "one card less"
REGULATION = "lite+entry"
#: seed distance between experiments, so that their deals differ
SEED_STEP = 1_000_000
deal_game = game_runner.deal_game


def one_card_less(engine: Engine) -> None:
    """Put the last card drawn in the set-up, which is the first player's, back on top of life."""
    assert engine.log is not None
    event = [event for event in engine.log if event[0] == DREW][-1]
    side = engine.sides[engine.turn]
    assert event[1] == engine.turn
    before = engine.options
    side.hand &= ~event[2]
    side.hand_count -= 1
    side.life.append(event[2].bit_length() - 1)
    engine.list_requests()
    assert set(engine.options) <= set(before), "no card more allows no action less"


def begin_planted(arm: Arm, setting: game_runner.Setting, seed: int, swapped: int) -> Engine:
    engine = deal_game(arm, setting, seed, swapped)
    if arm.name == PLANTED:
        one_card_less(engine)
    return engine


def figures(experiment: Experiment, jobs: int) -> ReportMetrics:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "truth.lab"
        run(experiment, path, jobs=jobs)
        with Store(path) as store:
            return compute_metrics(store)


def nothing_differs(seed: int, deals: int, jobs: int, player: str = "easy") -> tuple[bool, bool]:
    """Return whether no difference is found for a package without changes, and for the same game with other dice."""
    base = Arm("base", REGULATION, (player, player))
    arms = (
        base,
        Arm("package", REGULATION, (player, player), edition=SAME),
        Arm("dice", REGULATION, (player, player), dice=1),
    )
    found = figures(Experiment("A/A", arms, deals, seed), jobs)
    sentences = [en for _, en in summary(found)]
    return (
        any(line.startswith("No difference seen between package and base") for line in sentences),
        any(line.startswith("No difference seen between dice and base") for line in sentences),
    )


def planted(seed: int, deals: int, jobs: int, player: str = "heuristic") -> ReportMetrics:
    arms = (Arm("base", REGULATION, (player, player)), Arm(PLANTED, REGULATION, (player, player)))
    with (
        mock.patch.object(game_runner, "deal_game", begin_planted),
        # the planted change exists in Python only, so the players must run in Python
        mock.patch.object(game_runner, "choices_of", lambda arm, seeds, swapped: [None] * len(seeds)),
    ):
        return figures(Experiment("planted", arms, deals, seed, seats=1), jobs)


def detected(found: ReportMetrics) -> bool:
    return (
        summary(found)[0][1].startswith(f"{PLANTED} makes the first player win")
        and "less often" in summary(found)[0][1]
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--experiments", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", choices=("same", "planted"))
    args = parser.parse_args()
    n = args.experiments
    started = time.monotonic()
    ok = True
    if args.only != "planted":
        results = []
        for number in range(n):
            results.append(nothing_differs(number * SEED_STEP, 1000, args.jobs))
            print(f"\r{number + 1} of {n}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        package, dice = (sum(each[which] for each in results) for which in (0, 1))
        print(f"nothing differs, 1,000 deals: package {package} of {n}, other dice {dice} of {n}", flush=True)
        ok = min(package, dice) >= 0.9 * n
    if args.only != "same":
        pilot = planted(900 * SEED_STEP, 4000, args.jobs)
        main_shift = pilot.differences[0].main
        deals = main_shift.as_seen
        assert deals is not None
        print(f"planted: {summary(pilot)[0][1]} The report asks for {deals} deals.", flush=True)
        hits = sum(detected(planted((number + 1000) * SEED_STEP, deals, args.jobs)) for number in range(n))
        print(f"planted change found with the right sign: {hits} of {n} at {deals} deals", flush=True)
        ok = ok and hits >= 0.95 * n
    print(f"{time.monotonic() - started:.0f} s")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
