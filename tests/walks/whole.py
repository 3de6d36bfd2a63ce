"""``python -m tests.walks.whole [WALK …]``, part of ``make soak``: the whole suite in a copy of the tree in which walks of
CONTRIBUTING.md were taken, and the page's gate. Without a name: all of them."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.walks.taking import NAMES, command, take

#: what a walk must be followed by
MADE = (("-m", "tests.counts", "--write"), ("-m", "blackpoker.cli.docs"), ("web/make_types.py",))
#: the page was built before, the walks are not walked again, a package is built by itself
LEFT_OUT = ("tests/web", "tests/walks", "tests/packaging")


def failed(done: subprocess.CompletedProcess[str], what: str) -> bool:
    if done.returncode:
        print(f"{what} failed\n{done.stdout[-12000:]}{done.stderr[-3000:]}")
    return done.returncode != 0


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.walks.whole")
    reader.add_argument("walks", nargs="*", help=f"of {', '.join(NAMES)}")
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--tests", nargs="*", default=["tests"], help="these only")
    asked = reader.parse_args()
    unknown = set(asked.walks) - set(NAMES)
    if unknown:
        reader.error(f"no walk is called {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        take(root, *(asked.walks or NAMES))
        wrong = [" ".join(words) for words in MADE if failed(command(root, *words), " ".join(words))]
        out = [f"--ignore={path}" for path in LEFT_OUT]
        suite = ("-m", "pytest", "-q", "-n", str(asked.jobs), "-p", "no:cacheprovider", *out, *asked.tests)
        wrong += ["the suite"] if failed(command(root, *suite), "the suite") else []
        wrong += ["the page's gate"] if failed(command(root, "web/build.py", "--gate"), "the page's gate") else []
    print(f"walks {', '.join(asked.walks or NAMES)}: " + (f"{', '.join(wrong)} failed" if wrong else "nothing breaks"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
