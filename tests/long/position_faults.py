"""``python -m tests.long.position_faults [--jobs 2] [--from 0] [RULING …]``, part of ``make soak``: plant every fault of the rules
and print the first of the positions of its ruling from which a game differs. Fails if one is not noticed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.faults.position_faults import PositionFault
from tests.faults.position_games import EVERY, GAMES, NotRunning, copy_source, noticed

#: instead of the number of a game: the source does not run with the fault
NOT_RUNNING = -2


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.position_faults")
    reader.add_argument("rulings", nargs="*", help="these only, e.g. R-120; default all")
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--from", type=int, default=0, dest="first", help="number of the first position")
    asked = reader.parse_args()
    faults = [fault for fault in EVERY if not asked.rulings or fault.ruling in asked.rulings]
    if not faults:
        reader.error(f"no fault of {', '.join(asked.rulings)}")
    missed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.jobs):
            copies.put(copy_source(Path(folder) / str(number)))

        def planted(fault: PositionFault) -> int:
            source = copies.get()
            try:
                return noticed(fault, source, asked.first)
            except NotRunning:
                return NOT_RUNNING
            finally:
                copies.put(source)

        for fault, game in zip(faults, pool.map(planted, faults), strict=True):
            missed += game < 0
            shown = " ".join(fault.becomes.split())[:70] or "(line removed)"
            result = f"game {game + 1}" if game >= 0 else "does not run" if game == NOT_RUNNING else f"not in {GAMES}"
            print(f"{fault.ruling:6} {fault.focus:10} {result:16} {fault.file}: {shown}", flush=True)
    print(f"{len(faults)} faults, {missed} not noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
