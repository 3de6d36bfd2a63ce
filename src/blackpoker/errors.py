"""What may be wrong with what was asked for: text that cannot be read, a move that is not legal, text that fits several
moves; and, where they arise, a regulation the tables forbid, local rules that are faulty."""

from __future__ import annotations

from collections.abc import Sequence


class BlackPokerError(Exception):
    """What all have in common: a message in English and one in Japanese."""

    def __init__(self, en: str, ja: str = "") -> None:
        super().__init__(en)
        self.en = en
        self.ja: str = ja or en

    def __reduce__(self) -> tuple[object, ...]:
        # Out of a pool of processes too: a kind of error may be made from other things than its message.
        return _unmade, (type(self), self.args), self.__dict__


def _unmade(kind: type[BlackPokerError], args: tuple[object, ...]) -> BlackPokerError:
    return kind.__new__(kind, *args)


class UnreadableText(BlackPokerError):
    """A move, position, record, scenario or saved game that is not written as docs/notation.md says."""


class IllegalMove(BlackPokerError):
    """A move the rules do not allow now. ``ruling`` is the paragraph that says so."""

    def __init__(self, en: str, ja: str = "", ruling: str = "") -> None:
        super().__init__(f"{en} ({ruling})" if ruling else en, f"{ja}（{ruling}）" if ja and ruling else ja)
        self.reason = en
        self.reason_ja: str = ja or en
        self.ruling = ruling


class AmbiguousMove(BlackPokerError):
    """Text that fits several moves; ``candidates`` are their canonical texts (not all of them, if there are many)."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(repr(candidate) for candidate in candidates)
        super().__init__(f"{text!r} fits several moves: {shown}", f"「{text}」はいくつもの手に当てはまります：{shown}")
        self.text = text
        self.candidates: tuple[str, ...] = tuple(candidates)
