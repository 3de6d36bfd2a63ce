"""Shuffles nobody can choose or foresee, and the proof of it.

Before a game the server draws 32 secret bytes from the operating system and tells both players their SHA-256, the
commitment. Each seat may add a salt of its own afterwards. All shuffles come from the key made of secret and salts;
when the game is over the secret is told, and whoever has the record can compute every shuffle again.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from mypy_extensions import i64

from blackpoker.rules.shuffler import Shuffler

SECRET_BYTES: Final = 32
_WORDS: Final = 8  # of 32 bits in a SHA-256


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    return hashlib.sha256(b"blackpoker commitment 1\n" + secret).hexdigest()


def key_of(secret: bytes, salts: tuple[str, str]) -> bytes:
    parts = [secret.hex(), *(hashlib.sha256(salt.encode()).hexdigest() for salt in salts)]
    return hashlib.sha256(("blackpoker key 1\n" + "\n".join(parts)).encode()).digest()


class SealedChance(Shuffler):
    """The stream of a key: SHA-256 of key, stream number and a counter, eight 32-bit words at a time."""

    def __init__(self, key: bytes, stream: int, at: int = 0) -> None:
        super().__init__(0)
        self.key = key
        self.stream = stream
        self.at = at  # words used
        self.block = -1
        self.words: list[int] = []

    def word(self) -> int:
        block, place = divmod(self.at, _WORDS)
        if block != self.block:
            digest = hashlib.sha256(self.key + self.stream.to_bytes(4, "big") + block.to_bytes(8, "big")).digest()
            self.words = [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]
            self.block = block
        self.at += 1
        return self.words[place]

    def below(self, n: i64) -> i64:
        """Every number equally likely: words beyond the last whole multiple of n are thrown away."""
        most = 2**32 - 2**32 % int(n)
        while True:
            word = self.word()
            if word < most:
                return word % int(n)

    def copy(self) -> Shuffler:
        new = SealedChance(self.key, self.stream, self.at)
        if self.injected:
            new.injected = self.injected[:]
        return new
