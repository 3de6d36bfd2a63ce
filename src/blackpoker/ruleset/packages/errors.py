"""The error of a package: one line with file and line number."""

from __future__ import annotations

from pathlib import Path

from blackpoker.errors import BlackPokerError


class PackageError(BlackPokerError):
    """A package that cannot be played: ``file:line: what is wrong; what would be right``."""

    def __init__(self, file: Path, line: int, en: str, ja: str = "") -> None:
        super().__init__(f"{file}:{line}: {_one_line(en)}", f"{file}:{line}: {_one_line(ja or en)}")
        self.file = file
        self.line = line


def _one_line(text: str) -> str:
    return " ".join(text.split())
