"""Record files: games with a date and comments, one or several in a file (docs/notation.md)."""

from __future__ import annotations

import dataclasses
import datetime
import re
from dataclasses import dataclass
from typing import Final

from blackpoker.errors import UnreadableText, WrongValue
from blackpoker.formats.record import HEAD, MOST_LINES, OLD_HEADS, read_record, write_record
from blackpoker.game.game import Game
from blackpoker.notation.limits import MOST_FILE, checked_text, quoted
from blackpoker.ruleset import Edition

_MOVE: Final = re.compile(r"p[12]:")
_DATE: Final = "date:"


@dataclass(slots=True, eq=False)
class Record:
    """A game with its date and comments. ``comments`` are lines of text by the number of moves before them: those of 0
    are before the first move.

    >>> import blackpoker as bp, datetime
    >>> game = bp.Game("lite+entry", seed=7, moves=["end"])
    >>> record = bp.Record(game, datetime.date(2026, 1, 31), {1: ["Too slow?"]})
    >>> again = bp.Record.read(str(record))
    >>> again.date, again.comments, again == record
    (datetime.date(2026, 1, 31), {1: ['Too slow?']}, True)
    """

    game: Game
    date: datetime.date | None = None
    comments: dict[int, list[str]] = dataclasses.field(default_factory=dict)

    @classmethod
    def read(cls, text: str, seed: int | None = None, edition: Edition | None = None) -> Record:
        """Return the only record of a text; raise `UnreadableText` if it has none, or several."""
        records = cls.read_all(text, seed, edition)
        if len(records) != 1:
            raise UnreadableText(f"the text has {len(records)} records, not one", f"棋譜が{len(records)}件あります")
        return records[0]

    @classmethod
    def read_all(cls, text: str, seed: int | None = None, edition: Edition | None = None) -> list[Record]:
        """Return all records of a text, in its order; raise `UnreadableText` if one of them cannot be read."""
        text = checked_text(text, MOST_FILE, "a file of records", "棋譜のファイル")
        lines = text.splitlines()
        if len(lines) > MOST_LINES:
            raise UnreadableText(f"records have at most {MOST_LINES} lines", f"棋譜は{MOST_LINES}行までです")
        starts = [number for number, line in enumerate(lines) if line.strip() in (HEAD, *OLD_HEADS)]
        if not starts:
            raise UnreadableText(f"a record begins with {HEAD!r}", f"棋譜は「{HEAD}」で始まります")
        starts[0] = 0  # comments may precede the first record
        stops = [*starts[1:], len(lines)]
        return [_read(lines[start:stop], seed, edition) for start, stop in zip(starts, stops, strict=True)]

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same text: the same moves, date and comments."""
        return isinstance(other, Record) and str(self) == str(other)

    def __hash__(self) -> int:
        """Raise `TypeError`: a record is mutable."""
        raise TypeError("unhashable type: 'Record'")

    def __str__(self) -> str:
        """Return the text of the record; ``read`` returns it again. The texts of several records, one after another,
        are a file for ``read_all``."""
        moves = 0
        out: list[str] = []
        started = False
        body = write_record(self.game).splitlines()
        for line in body:
            if started and _MOVE.match(line):
                moves += 1
            out.append(line)
            if line.startswith("result:") and self.date is not None:
                out.append(f"{_DATE} {self.date.isoformat()}")
            if line.startswith("start:"):
                started = True
            if started and _MOVE.match(line):
                out += self._comment_lines(moves)
        first = next((number for number, line in enumerate(out) if line.startswith("turn ")), len(out))
        out[first:first] = self._comment_lines(0)
        if unknown := [number for number in self.comments if not 0 <= number <= moves]:
            raise WrongValue(
                f"a comment follows move {unknown[0]}, the game has {moves}",
                f"{unknown[0]}手目のコメントがありますが、{moves}手までです",
            )
        return "\n".join(out) + "\n"

    def _comment_lines(self, moves: int) -> list[str]:
        return [f"# {line}" for comment in self.comments.get(moves, []) for line in comment.splitlines()]


def _read(lines: list[str], seed: int | None, edition: Edition | None) -> Record:
    record = Record(read_record("\n".join(lines), seed, edition))
    moves = 0
    started = False
    for line in lines:
        if line.startswith("#"):
            record.comments.setdefault(moves, []).append(line[1:].strip())
        elif not started and line.startswith(_DATE):
            record.date = _read_date(line[len(_DATE) :].strip())
        elif line.startswith("start:"):
            started = True
        elif started and _MOVE.match(line):
            moves += 1
    return record


def _read_date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise UnreadableText(
            f"{quoted(text)} is no date such as 2026-01-31", f"{quoted(text)} は日付ではありません（例：2026-01-31）"
        ) from None
