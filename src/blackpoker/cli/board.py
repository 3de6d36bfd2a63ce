"""The board in the terminal: the text board with coloured cards."""

from __future__ import annotations

import re
from typing import Final

from rich.text import Text

from blackpoker.assist.text_board import DIVIDER, TextBoard, signs, truncate

__all__ = ["TextBoard", "coloured", "drawn", "signs", "truncate"]

#: a four-colour deck; the suit signs suffice without colour
COLOURS: Final = {"♠": "bold", "♡": "red", "♢": "bright_blue", "♣": "green", "Joker": "magenta"}
_CARD = re.compile(r"(♠|♡|♢|♣)(?:10|[2-9AJQK])|Joker")


def coloured(text: str, style: str = "") -> Text:
    """Return text with coloured cards."""
    out = Text(text, style=style)
    for match in _CARD.finditer(text):
        out.stylize(COLOURS[match.group(1) or "Joker"], *match.span())
    return out


def drawn(lines: list[str]) -> list[Text]:
    """Return the lines of a board: bold head, dim rules between its parts, coloured cards."""
    return [
        Text(line, style="bold" if place == 0 else "dim") if place == 0 or line.startswith(DIVIDER) else coloured(line)
        for place, line in enumerate(lines)
    ]
