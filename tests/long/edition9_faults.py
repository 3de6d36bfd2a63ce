"""``python -m tests.long.edition9_faults [--scenarios] [RULING …]``, part of ``make soak``: plant every fault of edition 9
and print what detects it. Fails if nothing detects one."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.faults.edition9_faults import EDITION9_FAULTS
from tests.faults.edition9_games import caught_by
from tests.faults.position_games import NotRunning, copy_source


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.edition9_faults")
    reader.add_argument("rulings", nargs="*", help="these only, e.g. N-203; default all")
    reader.add_argument("--scenarios", action="store_true", help="without the properties")
    asked = reader.parse_args()
    faults = [fault for fault in EDITION9_FAULTS if not asked.rulings or fault.ruling in asked.rulings]
    if not faults:
        reader.error(f"no fault of {', '.join(asked.rulings)}")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        source = copy_source(Path(folder))
        for fault in faults:
            try:
                found = caught_by(fault, source, not asked.scenarios)
            except NotRunning:
                found = ""
                print(f"{fault.ruling:6} does not run", end=" ")
            missed += not found
            shown = " ".join(fault.becomes.split())[:60] or "(line removed)"
            print(f"{fault.ruling:6} {found or 'not detected':40} {fault.file}: {shown}", flush=True)
    print(f"{len(faults)} faults, {missed} not detected")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
