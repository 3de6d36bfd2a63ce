"""The same bot three times: seeded.py:Bot, exec:"python3 seeded_lines.py" and exec:"node seeded.js" say the same words.

It chooses at random, from the seed of the game: the arena's line of all three is the same.
"""

from blackpoker.assist.decision import Decision
from blackpoker.players.seat import Seat
from blackpoker.wire.bots import Hello


class Bot:
    def __init__(self, hello: Hello) -> None:
        self.state: int = hello.seed % 2**32 or 1

    def below(self, n: int) -> int:
        """Xorshift: the same in every language."""
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return x % n

    def choose(self, seat: Seat, decision: Decision) -> str:
        return decision.words[self.below(len(decision.words))]
