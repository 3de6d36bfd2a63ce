"""Cleaning of texts that people write, before others see them."""

from __future__ import annotations

import unicodedata
from typing import Final

#: combining marks on one letter; Vietnamese and Thai need two
MAX_COMBINING: Final = 2
#: control and formatting characters, surrogates, private and unassigned characters
INVISIBLE_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
#: letters that render as blanks
BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def printable(text: str) -> str:
    """Return the text as one line without invisible characters, direction overrides and stacked accents."""
    letters: list[str] = []
    marks = 0
    for letter in " ".join(text.split()):
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith("M") else 0
        if category not in INVISIBLE_CATEGORIES and letter not in BLANK_LETTERS and marks <= MAX_COMBINING:
            letters.append(letter)
    return "".join(letters).strip()
