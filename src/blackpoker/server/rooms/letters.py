"""What people write, as others see it."""

from __future__ import annotations

import unicodedata
from typing import Final

#: accents on one letter; Vietnamese and Thai need two
MOST_MARKS: Final = 2
#: control and formatting characters, halves of characters, private and unassigned ones
UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
#: letters that show nothing
BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def visible(text: str) -> str:
    """One line, with nothing invisible, nothing that turns the line round, no towers of accents."""
    kept: list[str] = []
    marks = 0
    for letter in " ".join(text.split()):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind not in UNSEEN and letter not in BLANK and marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept).strip()
