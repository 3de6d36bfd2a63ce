"""Texts in which players and rules are tagged, so that clients need no parser to find them.

While a text is built, a tagged part is enclosed in control characters, which no other text contains. ``parse`` removes
them and returns the spans.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_OPEN: Final = "\x02"
_NAMED: Final = "\x03"
_CLOSE: Final = "\x04"
_FRAMED: Final = re.compile(f"{_OPEN}([^{_NAMED}]*){_NAMED}([^{_CLOSE}]*){_CLOSE}")


class TextMark(NamedTuple):
    """The span ``start`` to ``end`` of a text that names a player (``seat:p1``) or a rulebook entry (``action:counter``,
    ``trump:riot``, ``character:soldier``)."""

    at: int
    to: int
    what: str


class Text(NamedTuple):
    """A text and its spans."""

    text: str
    marks: list[TextMark]


def mark(what: str, text: str) -> str:
    """Return the text, tagged."""
    return f"{_OPEN}{what}{_NAMED}{text}{_CLOSE}"


def unmarked(text: str) -> Text:
    """Return the text without tags, and its spans."""
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
