"""The table in the terminal: the plain one with its cards in colour."""

from __future__ import annotations

import re
from typing import Final

from rich.text import Text

from blackpoker.assist.board import RULE, Board, fitted, signs

__all__ = ["Board", "coloured", "drawn", "fitted", "signs"]

#: a four-colour deck; the signs themselves tell the suits apart without colour
COLOURS: Final = {"♠": "bold", "♡": "red", "♢": "bright_blue", "♣": "green", "Joker": "magenta"}
_CARD = re.compile(r"(♠|♡|♢|♣)(?:10|[2-9AJQK])|Joker")


def coloured(text: str, style: str = "") -> Text:
    """Text with its cards in colour."""
    out = Text(text, style=style)
    for match in _CARD.finditer(text):
        out.stylize(COLOURS[match.group(1) or "Joker"], *match.span())
    return out


def drawn(lines: list[str]) -> list[Text]:
    """The lines of a table: the head bold, the rules between its parts dim, cards in colour."""
    return [
        Text(line, style="bold" if place == 0 else "dim") if place == 0 or line.startswith(RULE) else coloured(line)
        for place, line in enumerate(lines)
    ]
