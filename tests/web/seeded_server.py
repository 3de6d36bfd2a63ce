"""``blackpoker serve`` with randomness seeded by the test's name, read from a file in its folder.

A game in the browser is then reproducible (tests/conftest.py does this for servers inside a test). Every kind of draw
has its own generator, restarted with each test.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.randomness import draw_from

#: in the server's folder: the seed name
NAME = Path("chance")
#: searching players run in separate processes, of which the order of use is undefined
THINKER = __name__ != "__main__"
#: by kind of draw: the seed name and its generator
ROWS: dict[str, tuple[str, Random]] = {}


def row(kind: str) -> Random:
    name = NAME.read_text(encoding="utf-8")
    if THINKER or kind not in ROWS or ROWS[kind][0] != name:
        ROWS[kind] = name, Random(f"{name} {kind}")
    return ROWS[kind][1]


draw_from(row)

if __name__ == "__main__":
    from blackpoker.cli import main

    main()
