"""Limits of texts from outside: their length and their characters."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from typing import Any, Final

from blackpoker.errors import UnreadableText

MOST_MOVE: Final = 2_000
MOST_FILE: Final = 4_000_000  # characters of a record or a saved game
MOST_TOML: Final = 400_000  # of a position or a scenario, written by hand
MOST_DEPTH: Final = 12
#: control characters other than line ends and tabs, and halves of surrogate pairs
_INVALID: Final = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff]")


def checked_text(text: object, max_length: int, what: str, what_ja: str) -> str:
    """Return the text itself; raise `UnreadableText` if it is no text, too long or has control characters."""
    if not isinstance(text, str):
        raise UnreadableText(f"{what} must be text", f"{what_ja}は文字列で書いてください")
    if len(text) > max_length:
        raise UnreadableText(
            f"{what} is too long: {len(text)} characters, at most {max_length}",
            f"{what_ja}が長すぎます（{max_length}文字まで）",
        )
    invalid = _INVALID.search(text)
    if invalid is not None:
        code = ord(invalid.group())
        if code >= 32:
            raise UnreadableText(f"{what} is not valid text", f"{what_ja}が正しい文字列ではありません")
        raise UnreadableText(
            f"{what} has a control character (U+{code:04X})", f"{what_ja}に制御文字があります（U+{code:04X}）"
        )
    return text


def fold(text: str) -> str:
    """Return one form for full and half width, upper and lower case."""
    return unicodedata.normalize("NFKC", text).casefold()


def read_toml(text: object, what: str, what_ja: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raise `UnreadableText` if it is too long, nested too deep or no TOML."""
    text = checked_text(text, MOST_TOML, what, what_ja)
    _check_nesting(text, what, what_ja)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, OverflowError) as error:
        raise UnreadableText(f"{what} is not TOML: {error}", f"{what_ja}がTOMLとして読めません：{error}") from error


_TABLE: Final = re.compile(r"\s*(\[\[?)\s*([\w.\s]+?)\s*\]\]?\s*(#.*)?$")
_ENTRY: Final = re.compile(r"""\s*([\w."' -]+?)\s*=\s*(.*)$""")


def toml_lines(text: str) -> dict[str, int]:
    """Return the line of every table and entry of a TOML text: ``position.p1.hand``, ``variant.2.play`` (tables of a
    list are counted from 1)."""
    out: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    closing = ""
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        header = _TABLE.match(line)
        if header is not None:
            first, _, rest = header[2].replace(" ", "").partition(".")
            table = f"{first}.{counts[first]}.{rest}" if rest and first in counts else header[2].replace(" ", "")
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = f"{table}.{counts[table]}"
            out.setdefault(table, number)
            continue
        entry = _ENTRY.match(line)
        if entry is not None:
            out.setdefault(f"{table}.{entry[1]}" if table else entry[1], number)
            for quotes in ('"""', "'''"):
                if entry[2].startswith(quotes) and quotes not in entry[2][3:]:
                    closing = quotes
    return out


def _check_nesting(text: str, what: str, what_ja: str) -> None:
    """Raise `UnreadableText` for deep nesting by dotted keys or brackets; valid files need only a few levels."""
    depth = 0
    for line in text.splitlines():
        head = line.strip()
        if head.startswith("["):
            depth = 0
        if head.partition("=")[0].count(".") > MOST_DEPTH and not head.startswith(("#", '"')):
            depth = MOST_DEPTH * 8 if "=" in head or head.startswith("[") else depth
        depth += head.count("[") + head.count("{") - head.count("]") - head.count("}")
        if depth > MOST_DEPTH * 4:
            raise UnreadableText(f"{what} is nested too deep", f"{what_ja}の入れ子が深すぎます")


def shown(text: str) -> str:
    """Return a text from outside for a message: short and on one line."""
    line = "".join(c if c.isprintable() else "?" for c in text)
    return line if len(line) <= 60 else line[:57] + "..."


def quoted(text: str) -> str:
    """Return the same in quotation marks."""
    return repr(shown(text))
