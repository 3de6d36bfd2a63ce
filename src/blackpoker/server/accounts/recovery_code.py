"""The recovery code: twelve cards of a shuffled deck of 53, one Joker among them, in their order. That is 66.8 bits.

It is shown once. The database has only a slow, salted hash of it (scrypt).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import Final

from blackpoker.card import Card
from blackpoker.errors import UnreadableText

CODE_CARDS: Final = 12
DECK_CARDS: Final = 53
#: scrypt parameters: 16 MiB and some 50 ms a guess
SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**14, 8, 1
SALT_BYTES: Final = 16


def new_code() -> list[str]:
    """Return twelve random cards."""
    deck = [str(Card(number)) for number in range(DECK_CARDS)]
    secrets.SystemRandom().shuffle(deck)
    return deck[:CODE_CARDS]


def parse_code(text: str) -> list[str]:
    """Return the cards typed as ``S7 HK …``, also with signs and dashes; raise `UnreadableText` if they are not
    valid."""
    plain = unicodedata.normalize("NFKC", text).upper().replace("\ufe0f", "")
    parts = re.findall(r"[^\s,;・\-–—]+", plain.replace("JOKER", "JK"))
    cards = [str(Card(part)) for part in parts]
    if len(cards) != CODE_CARDS or len(set(cards)) != CODE_CARDS:
        raise UnreadableText("the code is twelve different cards", "合鍵は、異なる12枚のカードです")
    return cards


def hash_with_salt(code: list[str], salt: bytes) -> bytes:
    return hashlib.scrypt("-".join(code).encode(), salt=salt, n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P, dklen=32)


def hash_code(code: list[str]) -> str:
    """Return the hash of a code together with the parameters needed to compare with it later."""
    salt = secrets.token_bytes(SALT_BYTES)
    parts = (base64.b64encode(part).decode() for part in (salt, hash_with_salt(code, salt)))
    return f"scrypt:{SCRYPT_N}:{SCRYPT_R}:{SCRYPT_P}:" + ":".join(parts)


def empty_hash() -> str:
    """Return a hash in the stored form that no code matches."""
    parts = (base64.b64encode(bytes(count)).decode() for count in (SALT_BYTES, 32))
    return f"scrypt:{SCRYPT_N}:{SCRYPT_R}:{SCRYPT_P}:" + ":".join(parts)


def matches_hash(code: list[str], stored: str) -> bool:
    scheme, cost, block, lanes, salt, hash = stored.split(":")
    assert scheme == "scrypt"
    computed = hashlib.scrypt(
        "-".join(code).encode(), salt=base64.b64decode(salt), n=int(cost), r=int(block), p=int(lanes), dklen=32
    )
    return hmac.compare_digest(computed, base64.b64decode(hash))
