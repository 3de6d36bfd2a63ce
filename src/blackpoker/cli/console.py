"""Shared code of the sub-commands: language, errors, terminal, files."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from typing import TYPE_CHECKING, Final, TextIO

from blackpoker.text.resources import in_lang

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from blackpoker.cli.commands import TextPair
    from blackpoker.ruleset import Edition
    from blackpoker.text.resources import Lang

NOTICE = "Unofficial and fan-made (非公式・ファンメイド), non-profit. BlackPoker and its rules belong to their authors."
MAX_BYTES: Final = 10_000_000
#: the exit code after Ctrl-C
STOPPED: Final = 130

UNREADABLE: Final = ("{0} を読めません：{1}", "cannot read {0}: {1}")
TOO_LARGE: Final = ("大きすぎます", "the file is too large")
NO_TEXT: Final = ("テキストではありません", "not a text file")
CANNOT_WRITE: Final = ("出力できません：{0}", "cannot write the output: {0}")
#: messages for system errors
REASONS: Final[dict[int, TextPair]] = {
    errno.ENOENT: ("そのようなファイルはありません", "there is no such file"),
    errno.EEXIST: ("同じ名前のファイルがあります", "there is a file of that name"),
    errno.EISDIR: ("フォルダーです", "it is a folder"),
    errno.ENOTDIR: ("途中の名前がフォルダーではありません", "a part of the name is no folder"),
    errno.EACCES: ("許可がありません", "not permitted"),
    errno.EPERM: ("許可がありません", "not permitted"),
    errno.EROFS: ("書き込めない場所です", "the place is read-only"),
    errno.ENOSPC: ("ディスクがいっぱいです", "the disk is full"),
    errno.ENAMETOOLONG: ("名前が長すぎます", "the name is too long"),
    errno.ELOOP: ("リンクが循環しています", "the links go round in a circle"),
}
OTHER_REASON: Final = ("システムに断られました", "the system refused")

#: replacements for characters that the terminal cannot encode
PLAIN: Final = {
    "♠": "S",
    "♡": "H",
    "♢": "D",
    "♣": "C",
    "♥": "H",
    "♦": "D",
    "→": "->",
    "–": "-",
    "—": "-",
    "−": "-",
    "─": "-",
    "…": "...",
    "·": "-",
    "•": "*",
    "■": "#",
    "↷": "~",
    "※": "*",
    "±": "+-",
    "’": "'",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
}


class UsageError(Exception):
    """A user's error: reported in one line, exit code 2. The texts are Japanese and English."""

    def __init__(self, text: TextPair | str, *values: object) -> None:
        self.pair: tuple[str, str] = (text, text) if isinstance(text, str) else text
        self.values = values
        super().__init__(self.text("en"))

    def text(self, lang: Lang) -> str:
        return in_lang(self.pair, lang, *self.values)


def language(requested: str | None = None) -> Lang:
    """Return the requested language, else that of the environment if the terminal can show it."""
    if requested is not None:
        return "ja" if requested == "ja" else "en"
    for name in ("BLACKPOKER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "ja" if value.lower().startswith("ja") and shows_japanese(sys.stdout) else "en"
    return "en"


def shows_japanese(stream: TextIO) -> bool:
    try:
        "日本語".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return False
    return True


def print_error(message: str, code: int) -> int:
    """Print one line on standard error; return the exit code."""
    try:
        print("blackpoker: " + " ".join(message.split()), file=sys.stderr, flush=True)
    except OSError:
        pass  # standard error is closed
    return code


def os_error_text(error: OSError, lang: Lang) -> str:
    """Return the message for a system error."""
    return in_lang(REASONS.get(error.errno or 0, OTHER_REASON), lang)


def read_text(path: Path, lang: Lang) -> str:
    """Return the text of a file; raise `UsageError` if it cannot be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(UNREADABLE, path, in_lang(TOO_LARGE, lang))
        return path.read_text(encoding="utf-8-sig")  # utf-8-sig: some editors write a byte order mark
    except OSError as error:
        raise UsageError(UNREADABLE, path, os_error_text(error, lang)) from None
    except ValueError:  # not UTF-8, or a NUL in the name
        raise UsageError(UNREADABLE, path, in_lang(NO_TEXT, lang)) from None


def load_edition(packages: Sequence[Path] | None) -> Edition:
    """Return the edition of these local rules, by default the standard one; raise `UsageError` if they cannot be
    loaded."""
    from blackpoker.ruleset import edition_named

    if not packages:
        return edition_named()
    from blackpoker.ruleset.packages import PackageError, load

    try:
        return load(packages)
    except PackageError as error:
        raise UsageError((error.ja, error.en)) from None


# -- the terminal ------------------------------------------------------------------------------------------------------


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    return "".join(PLAIN.get(sign, "?") for sign in signs), error.end


def prepare_output() -> None:
    """Make output safe: characters that the terminal lacks are replaced, and missing streams become null devices."""
    codecs.register_error("blackpoker", _plain)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="blackpoker")
