"""Where randomness comes from (R-224): shuffles, and nothing else.

The default is a small multiply-with-carry generator whose state is one integer, the same in both builds. Outcomes
can be injected (replays, scenarios) and are logged when a log is given, so that no replay needs a generator.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

_LOW32: Final = 0xFFFFFFFF
#: a * 2**32 - 1 is a safe prime, and a * 2**32 stays below 2**63
_FACTOR: Final = 1791398085


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """A source of shuffles."""

    def __init__(self, state: i64) -> None:
        self.state: i64 = state
        self.injected: list[list[int]] | None = None  # orders to use first, oldest first
        self.log: list[list[int]] | None = None

    def below(self, n: i64) -> i64:
        """A number in range(n), n at most 2**31."""
        state = self.state
        state = _FACTOR * (state & _LOW32) + (state >> 32)
        self.state = state
        return (((state ^ (state >> 32)) & _LOW32) * n) >> 32

    def shuffle(self, cards: list[int]) -> None:
        """Put the cards in a random order, in place; the top of a pile is its end."""
        injected = self.injected
        if injected:
            wanted = injected.pop(0)
            rest = [card for card in cards if card not in wanted]
            top = [card for card in wanted if card in cards]
            top.reverse()
            cards[:] = rest + top
        else:
            i: i64 = len(cards) - 1
            while i > 0:
                j = self.below(i + 1)
                card = cards[i]
                cards[i] = cards[j]
                cards[j] = card
                i -= 1
        if self.log is not None:
            self.log.append(cards[::-1])

    def copy(self) -> Chance:
        new = Chance(self.state)
        if self.injected is not None:
            new.injected = [list(order) for order in self.injected]
        return new


def seeded(seed: int) -> Chance:
    """The generator of a seed; neighbouring seeds give states far apart."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 31)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    mixed ^= mixed >> 29
    high = mixed % (_FACTOR - 2) + 1
    low = (mixed >> 7) & _LOW32
    return Chance(high << 32 | low)
