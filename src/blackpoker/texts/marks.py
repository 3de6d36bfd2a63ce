"""Texts whose players and rules are marked, so that nobody has to read a text back to find them.

While a text is put together a marked part is framed by control characters, which no text of ours contains;
``unmarked`` takes the frames away and says where they stood.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_OPEN: Final = "\x02"
_NAMED: Final = "\x03"
_CLOSE: Final = "\x04"
_FRAMED: Final = re.compile(f"{_OPEN}([^{_NAMED}]*){_NAMED}([^{_CLOSE}]*){_CLOSE}")


class TextMark(NamedTuple):
    """From ``at`` up to ``to`` the text names a player (``seat:p1``) or an entry of the reference
    (``action:counter``, ``trump:riot``, ``character:soldier``)."""

    at: int
    to: int
    what: str


class Text(NamedTuple):
    """A text and what it names."""

    text: str
    marks: list[TextMark]


def mark(what: str, text: str) -> str:
    """The text, framed."""
    return f"{_OPEN}{what}{_NAMED}{text}{_CLOSE}"


def unmarked(text: str) -> Text:
    """The text without its frames, and where they stood."""
    if _OPEN not in text:
        return Text(text, [])
    parts: list[str] = []
    marks: list[TextMark] = []
    length = last = 0
    for found in _FRAMED.finditer(text):
        before, named = text[last : found.start()], found[2]
        at = length + len(before)
        length = at + len(named)
        marks.append(TextMark(at, length, found[1]))
        parts += (before, named)
        last = found.end()
    return Text("".join((*parts, text[last:])), marks)
