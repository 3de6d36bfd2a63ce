"""The source of randomness (R-224): shuffles, and nothing else.

The default is a small multiply-with-carry generator with one integer as its state, the same in both builds. Outcomes
can be injected (replays, scenarios) and are logged if a log is given, so that no replay needs a generator.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

_LOW32: Final = 0xFFFFFFFF
#: the largest seed used as it is
LARGEST_SEED: Final = 0xFFFFFFFFFFFFFFFF
#: a * 2**32 - 1 is a safe prime, and a * 2**32 stays below 2**63
_FACTOR: Final = 1791398085


#: as in ``request``
STORAGE: Final = {"Shuffler": {"state": "i64", "injected": "absent", "log": "absent"}}


@mypyc_attr(allow_interpreted_subclasses=True)
class Shuffler:
    """A source of shuffles. An outcome is ``(player, cards from the top)``; the player is -1 outside a game."""

    __slots__ = (
        "injected",
        "log",
        "state",
    )

    def __init__(self, state: i64) -> None:
        self.state: i64 = state
        self.injected: list[tuple[int, list[int]]] | None = None  # used first, oldest first
        self.log: list[tuple[int, list[int]]] | None = None

    def below(self, n: i64) -> i64:
        """Return a number in range(n), n at most 2**31."""
        state = self.state
        state = _FACTOR * (state & _LOW32) + (state >> 32)
        self.state = state
        return (((state ^ (state >> 32)) & _LOW32) * n) >> 32

    def shuffle(self, cards: list[int], player: int = -1) -> None:
        """Shuffle the cards in place; the top of a pile is its end."""
        if self.injected is None:
            self.mix(cards)
        else:
            self.mix_as_injected(cards, player)
        if self.log is not None:
            self.log.append((player, cards[::-1]))

    def mix_as_injected(self, cards: list[int], player: int) -> None:
        wanted = self.take_injected(player)
        if wanted is None:
            self.mix(cards)
            return
        # The generator advances anyway, so that a game replayed from its outcomes continues like the original.
        self.mix(cards[:])
        top: list[int] = []
        for card in wanted:
            if card in cards and card not in top:
                top.append(card)
        rest = [card for card in cards if card not in top]
        top.reverse()
        cards[:] = rest + top

    def mix(self, cards: list[int]) -> None:
        i: i64 = len(cards) - 1
        while i > 0:
            j = self.below(i + 1)
            card = cards[i]
            cards[i] = cards[j]
            cards[j] = card
            i -= 1

    def take_injected(self, player: int) -> list[int] | None:
        """Remove and return the oldest injected outcome for this player's pile, or return None."""
        injected = self.injected
        if injected is not None:
            index = 0
            for outcome in injected:
                if outcome[0] == player:
                    injected.pop(index)
                    return outcome[1]
                index += 1
        return None

    def copy(self) -> Shuffler:
        new = Shuffler(self.state)
        if self.injected:
            new.injected = self.injected[:]
        return new


def folded(seed: int) -> int:
    """Return a seed of 64 bits for one that has more, or is negative."""
    from hashlib import blake2b  # rare

    size = seed.bit_length() // 8 + 1
    return int.from_bytes(blake2b(seed.to_bytes(size, "big", signed=True), digest_size=8).digest(), "big")


def seeded(seed: int) -> Shuffler:
    """Return the generator of a seed, a whole number of any size; neighbouring seeds give distant states."""
    if not 0 <= seed <= LARGEST_SEED:
        seed = folded(seed)
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 31)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    mixed ^= mixed >> 29
    high = mixed % (_FACTOR - 2) + 1
    low = (mixed >> 7) & _LOW32
    return Shuffler(high << 32 | low)


class SystemShuffler(Shuffler):
    """The operating system's randomness, for games that must be unpredictable. Outcomes are logged as usual."""

    def __init__(self) -> None:
        super().__init__(0)

    def below(self, n: i64) -> i64:
        import secrets  # slow to import; most games are dealt from a seed

        return secrets.randbelow(int(n))

    def copy(self) -> Shuffler:
        new = SystemShuffler()
        if self.injected:
            new.injected = self.injected[:]
        return new
