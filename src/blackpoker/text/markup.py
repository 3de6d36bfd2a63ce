"""Texts in which players and rules are tagged, so that clients need no parser to find them.

While a text is built, a tagged part is enclosed in control characters, which no other text contains. ``parse`` removes
them and returns the spans.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_OPEN: Final = "\x02"
_NAMED: Final = "\x03"
_CLOSE: Final = "\x04"
_FRAMED: Final = re.compile(f"{_OPEN}([^{_NAMED}]*){_NAMED}([^{_CLOSE}]*){_CLOSE}")


@dataclass(slots=True)
class TextSpan:
    """The span ``start`` to ``end`` of a text that names a player (``seat:p1``) or a rulebook entry
    (``action:counter``, ``trump:riot``, ``character:soldier``)."""

    start: int
    end: int
    ref: str


@dataclass(slots=True)
class RichText:
    """A text and its spans."""

    text: str = ""
    spans: list[TextSpan] = field(default_factory=list)


def tag(entity: str, text: str) -> str:
    """Return the text, tagged."""
    return f"{_OPEN}{entity}{_NAMED}{text}{_CLOSE}"


def parse(text: str) -> RichText:
    """Return the text without tags, and its spans."""
    if _OPEN not in text:
        return RichText(text)
    parts: list[str] = []
    spans: list[TextSpan] = []
    length = last = 0
    for found in _FRAMED.finditer(text):
        before, content = text[last : found.start()], found[2]
        at = length + len(before)
        length = at + len(content)
        spans.append(TextSpan(at, length, found[1]))
        parts += (before, content)
        last = found.end()
    return RichText("".join((*parts, text[last:])), spans)
