"""Shuffles that neither the server nor a player can choose or foresee, and the proof of it.

1. Before a game the server draws 32 secret bytes and tells both seats their SHA-256: the commitment.
2. Each seat draws a salt and tells only its SHA-256: the seal.
3. Once both seals are on the table each seat tells its salt. Whoever chose last knew nothing of the others: all three
   were bound before any of them was opened.
4. The key of the shuffles is made of the secret, both salts, the room and the number of its game; the games of a match
   have a stream each, numbered by the game.
5. Every option of a game goes into a chain of hashes that begins with who plays what; the last link is told to both
   seats when the game ends. With the match the secret is opened, and whoever has the record computes everything again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from mypy_extensions import i64

from blackpoker import Shuffler

#: what is described above; 1 was a key of secret and salts alone, the salts told openly
VERSION: Final = 2
SECRET_BYTES: Final = 32
_WORDS: Final = 8  # of 32 bits in a SHA-256


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    return hashlib.sha256(b"blackpoker commitment 1\n" + secret).hexdigest()


def seal_of(salt: str) -> str:
    """What is told of a salt before it is opened."""
    return hashlib.sha256(b"blackpoker salt 1\n" + salt.encode()).hexdigest() if salt else ""


def room_tag(room: str) -> str:
    """A room in a record: its id would be the key to it."""
    return hashlib.sha256(b"blackpoker room 1\n" + room.encode()).hexdigest()[:16]


def key_of(secret: bytes, salts: tuple[str, str], room: str, game: int) -> bytes:
    """``room``: its tag."""
    return _hash("blackpoker key 2", secret.hex(), room, str(game), *map(seal_of, salts))


def key_of_1(secret: bytes, salts: tuple[str, str]) -> bytes:
    """Of games that began before version 2."""
    parts = [secret.hex(), *(hashlib.sha256(salt.encode()).hexdigest() for salt in salts)]
    return hashlib.sha256(("blackpoker key 1\n" + "\n".join(parts)).encode()).digest()


def chain_of(secret: bytes, before: str, facts: Sequence[str], options: Iterable[int], result: str) -> str:
    """The last link of a game. ``before``: that of the game before it in the match; ``facts``: who plays what. While
    the secret is closed nobody can try out what might have been chosen: the chain begins with it."""
    link = _hash("blackpoker chain 1", secret.hex(), before, *facts)
    for option in options:
        link = hashlib.sha256(link + option.to_bytes(2, "big", signed=True)).digest()
    return hashlib.sha256(link + result.encode()).hexdigest()


def _hash(*parts: str) -> bytes:
    """Of several texts, none of which can be mistaken for part of another."""
    return hashlib.sha256("\n".join(f"{len(part)}:{part}" for part in parts).encode()).digest()


class SealedChance(Shuffler):
    """The stream of a key: SHA-256 of key, stream number and a counter, eight 32-bit words at a time."""

    def __init__(self, key: bytes, stream: int, at: int = 0) -> None:
        super().__init__(0)
        self.key = key
        self.stream = stream
        self.at: int = at  # words used
        self.block: int = -1
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
