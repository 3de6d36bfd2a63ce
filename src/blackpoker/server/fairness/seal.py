"""Shuffles that neither the server nor a player can choose or foresee. docs/fairness.md lists which party knows what at
which time, and what each could try.

1. Before a game the server draws 32 secret bytes and sends both seats their hash: the commitment.
2. Each seat draws a salt and sends only its seal: a hash of its seat, the salt and the deck it brings. A computer
   player brings nothing, which is visible before the game.
3. The terms are a hash of everything else the shuffles depend on: room, number of the game, regulation, edition, start,
   seats, commitment and seals. A seat opens its salt for the terms it has computed itself.
4. The key is made of the secret, the terms and both salts; each seat has a stream for each game of a match, numbered.
5. A shuffle depends on the key, its place in the stream and which cards are shuffled, not on their previous order.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mypy_extensions import i64

from blackpoker import Shuffler

#: version of the scheme above. In version 3 both seats shared a stream, and the terms named no keys; in version 2 room
#: and game could be named afterwards; in version 1 salts were sent unsealed
VERSION: Final = 4
#: the first version with terms
TERMS_VERSION: Final = 3
SECRET_BYTES: Final = 32
#: start of a game that is dealt
DEALT: Final = "deal"
_WORDS: Final = 8  # of 32 bits in a SHA-256


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def digest(*parts: str) -> bytes:
    """Return the SHA-256 of several texts, length-prefixed so that no text can be mistaken for part of another."""
    octets = [part.encode() for part in parts]
    return hashlib.sha256(b"\n".join(b"%d:%b" % (len(part), part) for part in octets)).digest()


def commitment(secret: bytes) -> str:
    return hashlib.sha256(b"blackpoker commitment 1\n" + secret).hexdigest()


def make_seal(seat: str, salt: str, deck: str = "") -> str:
    """Return the seal of a seat's salt and deck, sent before they are opened; ``seat`` is p1 or p2."""
    return digest("blackpoker seal 3", seat, salt, deck).hex()


def room_tag(room: str) -> str:
    """Return the room's tag for records. The room id itself would give access to the room."""
    return hashlib.sha256(b"blackpoker room 1\n" + room.encode()).hexdigest()[:16]


def start_hash(kind: str, text: str) -> str:
    """Return the start of a game: "deal", or the hash of a position."""
    return (
        DEALT
        if kind == DEALT
        else digest("blackpoker start 3", kind, *(line.rstrip() for line in text.splitlines())).hex()
    )


@dataclass(frozen=True)
class Terms:
    """Conditions of a game, known to both seats before any salt is open. ``seats``: ``human``, or ``ai`` and its level;
    the seal of a computer player is empty. ``keys``: the public keys with which the clients sign their transcripts."""

    room: str  # the room's tag
    game: int
    regulation: str
    edition: str
    start: str
    commitment: str
    seats: tuple[str, str]
    seals: tuple[str, str]
    keys: tuple[str, str] = ("", "")
    version: int = VERSION

    @cached_property
    def hash(self) -> str:
        return digest(
            f"blackpoker terms {self.version}",
            self.room,
            str(self.game),
            self.regulation,
            self.edition,
            self.start,
            self.commitment,
            *self.seats,
            *self.seals,
            *(self.keys if self.version > TERMS_VERSION else ()),
        ).hex()


def make_key(secret: bytes, terms: Terms, salts: tuple[str, str]) -> bytes:
    return digest(f"blackpoker key {terms.version}", secret.hex(), terms.hash, *salts)


def computer_seed(key: bytes, part: int, decisions: int) -> int:
    """Return the seed of a computer player's move in a game of the match, after a number of decisions."""
    return int.from_bytes(digest("blackpoker computer 1", key.hex(), str(part), str(decisions))[:8], "big") >> 2


def chain_hash(secret: bytes, previous: str, terms: Terms, part: int, lines: list[str]) -> str:
    """Return the hash that both seats receive at the end of a game, which fixes its record. ``before``: the hash of the
    previous game of the match. The secret is part of it, so alternatives cannot be tried while it is closed."""
    return digest(f"blackpoker chain {terms.version}", secret.hex(), previous, terms.hash, str(part), *lines).hex()


def significant_lines(record: str) -> list[str]:
    """Return the lines of a record without empty lines and comments."""
    lines = (line.rstrip(" \t\r") for line in record.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


# -- earlier versions, for games that began with them ------------------------------------------------------------------


def make_key_2(secret: bytes, seals: tuple[str, str], room: str, game: int) -> bytes:
    return digest("blackpoker key 2", secret.hex(), room, str(game), *seals)


def make_seal_2(salt: str) -> str:
    return hashlib.sha256(b"blackpoker salt 1\n" + salt.encode()).hexdigest() if salt else ""


def make_key_1(secret: bytes, salts: tuple[str, str]) -> bytes:
    parts = [secret.hex(), *(hashlib.sha256(salt.encode()).hexdigest() for salt in salts)]
    return hashlib.sha256(("blackpoker key 1\n" + "\n".join(parts)).encode()).digest()


class KeyStream:
    """The stream of a key for a seat: SHA-256 of key, numbers of stream and seat, and a counter, eight 32-bit words
    at a time."""

    def __init__(self, prefix: bytes, position: int = 0) -> None:
        self.prefix = prefix
        self.position: int = position  # words used
        self.block: int = -1
        self.words: list[int] = []

    def next_word(self) -> int:
        block, index = divmod(self.position, _WORDS)
        if block != self.block:
            hashed = hashlib.sha256(self.prefix + block.to_bytes(8, "big")).digest()
            self.words = [int.from_bytes(hashed[i : i + 4], "big") for i in range(0, 32, 4)]
            self.block = block
        self.position += 1
        return self.words[index]


class SealedShuffler(Shuffler):
    """The shuffles of a key: a stream for each seat, before version 4 one for both. From version 3 on, cards are sorted
    before they are shuffled."""

    def __init__(self, key: bytes, stream: int, version: int = VERSION, seat: int = 0) -> None:
        """``seat``: the seat whose stream is used outside a game."""
        super().__init__(0)
        self.key = key
        self.stream = stream
        self.version = version
        self.seat = seat
        prefix = key + stream.to_bytes(4, "big")
        if version > TERMS_VERSION:
            self.streams: list[KeyStream] = [KeyStream(prefix + bytes((seat,))) for seat in (0, 1)]
        else:
            self.streams = [KeyStream(prefix)] * 2

    def shuffle(self, cards: list[int], player: i64 = -1) -> None:
        if player >= 0:
            self.seat = int(player)
        super().shuffle(cards, player)

    def below(self, n: i64) -> i64:
        """Return a uniform number below ``n``; words beyond the last whole multiple of ``n`` are rejected."""
        limit = 2**32 - 2**32 % int(n)
        stream = self.streams[self.seat]
        while True:
            word = stream.next_word()
            if word < limit:
                return word % int(n)

    def mix(self, cards: list[int]) -> None:
        if self.version >= TERMS_VERSION:
            cards.sort()
        super().mix(cards)

    def copy(self) -> Shuffler:
        new = SealedShuffler(self.key, self.stream, self.version, self.seat)
        for stream, old in zip(new.streams, self.streams, strict=True):
            stream.position = old.position
        if self.injected:
            new.injected = self.injected[:]
        return new
