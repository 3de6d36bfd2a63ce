"""Errors of the package: unreadable text, an illegal move, text that fits several moves. Errors of regulations and
local rules are defined where they are raised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn


class BlackPokerError(Exception):
    """Base of all errors: a message in English and one in Japanese."""

    def __init__(self, en: str, ja: str = "") -> None:
        super().__init__(en)
        self.en = en
        self.ja: str = ja or en

    def __reduce__(self) -> tuple[object, ...]:
        # Process pools pickle errors; a subclass may take other arguments than its message.
        return _unmade, (type(self), self.args), self.__dict__


def _unmade(kind: type[BlackPokerError], args: tuple[object, ...]) -> BlackPokerError:
    return kind.__new__(kind, *args)


class UnreadableText(BlackPokerError):
    """Raised for a move, position, record, scenario or saved game that does not follow docs/notation.md."""


class WrongValue(BlackPokerError, ValueError):
    """Raised for an argument that is out of range: a seat, an audience, a language, an end."""


class WrongType(BlackPokerError, TypeError):
    """Raised for an argument of a wrong type."""


class WrongIndex(BlackPokerError, IndexError):
    """Raised for an index outside of a game's history."""


def refuse_subclass(name: str) -> NoReturn:
    """Raise `WrongType`: a class of the compiled part has no subclasses, in every build."""
    raise WrongType(f"{name} cannot be subclassed: keep one in an attribute of your own class")


class IllegalMove(BlackPokerError):
    """Raised for a move that the rules do not allow now. ``ruling`` is the paragraph that forbids it. The message
    begins with ``move``, the text of the illegal part, if it is given; the reason does not."""

    def __init__(self, en: str, ja: str = "", ruling: str = "", move: str = "") -> None:
        self.reason: str = f"{en} ({ruling})" if ruling else en
        self.reason_ja: str = f"{ja or en}（{ruling}）" if ruling else ja or en
        named = f"{move!r}: " if move else ""
        named_ja = f"「{move}」：" if move else ""
        super().__init__(named + self.reason, named_ja + self.reason_ja)
        self.ruling = ruling


class AmbiguousMove(BlackPokerError):
    """Raised for text that fits several moves. ``candidates`` are their canonical texts, not all of them if there are
    many."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(repr(candidate) for candidate in candidates)
        super().__init__(f"{text!r} fits several moves: {shown}", f"「{text}」はいくつもの手に当てはまります：{shown}")
        self.text = text
        self.candidates: tuple[str, ...] = tuple(candidates)
