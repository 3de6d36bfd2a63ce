"""``python -m tests.long.walks [WALK …]``, part of ``make soak``: run the whole suite and the page's checks in a copy
of the tree with walks of examples/extend applied. Without a name: all of them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.walks.apply_walks import NAMES, apply_walks, command

#: commands that must follow a walk
MADE = (("-m", "tests.document_counts", "--write"), ("-m", "blackpoker.cli.docs"), ("web/make_types.py",))
#: the page is built already, the walks do not run recursively, packages have their own test
LEFT_OUT = ("tests/web", "tests/walks", "tests/packaging")
#: games in progress are stored as numbers of actions: they fail if the edition changes
BOUND = ("tests/server/test_retention.py::test_a_database_of_before_is_played_on",)


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.walks")
    reader.add_argument("walks", nargs="*", help=f"of {', '.join(NAMES)}")
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--tests", nargs="*", default=["tests"], help="these only")
    reader.add_argument(
        "--interpreted", action="store_true", help="do not compile the copy (takes three times as long)"
    )
    args = reader.parse_args()
    unknown = set(args.walks) - set(NAMES)
    if unknown:
        reader.error(f"no walk is called {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    compiled = not args.interpreted
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        apply_walks(root, *(args.walks or NAMES))

        def must(what: str, *words: str) -> None:
            print(f"· {what}", flush=True)
            if command(root, *words, compiled=compiled, shown=True).returncode:
                wrong.append(what)

        for words in MADE:
            must(" ".join(words), *words)
        if compiled:
            must("compiling", "setup.py", "-q", "build_ext", "--inplace", "--parallel", str(args.jobs))
        out = [*(f"--ignore={path}" for path in LEFT_OUT), *(f"--deselect={test}" for test in BOUND)]
        must("the suite", "-m", "pytest", "-q", "-n", str(args.jobs), "-p", "no:cacheprovider", *out, *args.tests)
        must("the page's gate", "web/build.py", "--gate")
    print(f"walks {', '.join(args.walks or NAMES)}: " + (f"{', '.join(wrong)} failed" if wrong else "nothing breaks"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
