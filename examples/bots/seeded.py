"""One bot in three forms that play the same moves: seeded.py:Bot, exec:"python3 seeded_lines.py", exec:"node
seeded.js".

It chooses at random, from the seed of the game, so that all three have the same arena results.
"""

from blackpoker.assist.decision import Decision
from blackpoker.players.player_view import PlayerView
from blackpoker.protocol.bot import Hello


class Bot:
    def __init__(self, hello: Hello) -> None:
        self.state: int = hello.seed % 2**32 or 1

    def below(self, n: int) -> int:
        """Return the next number of a xorshift generator, the same in every language."""
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return x % n

    def choose(self, seat: PlayerView, decision: Decision) -> str:
        return decision.words[self.below(len(decision.words))]
