"""Cleaning of texts that people write, before others see them."""

from __future__ import annotations

import unicodedata
from typing import Final

#: combining marks on one letter; Vietnamese and Thai need two
MOST_MARKS: Final = 2
#: control and formatting characters, surrogates, private and unassigned characters
UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
#: letters that render as blanks
BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def visible(text: str) -> str:
    """Return the text as one line without invisible characters, direction overrides and stacked accents."""
    kept: list[str] = []
    marks = 0
    for letter in " ".join(text.split()):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind not in UNSEEN and letter not in BLANK and marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept).strip()
