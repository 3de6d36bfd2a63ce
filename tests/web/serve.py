"""``blackpoker serve`` with its chance drawn from the test's name, which stands in a file of its folder.

A game in the browser is then the same each time (tests/conftest.py does this for servers inside a test). Every kind of
draw has its own row of numbers, begun anew with each test.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.chance import draw_from

#: in the server's folder: whose chance it is
NAME = Path("chance")
#: players that search think in processes of their own, where nobody knows which of them is asked next
THINKER = __name__ != "__main__"
#: by the kind of draw: whose row it is, and the row
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
