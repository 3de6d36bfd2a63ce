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

CARDS: Final = 12
DECK: Final = 53
#: scrypt parameters: 16 MiB and some 50 ms a guess
COST, BLOCK, LANES = 2**14, 8, 1
SALT: Final = 16


def new_code() -> list[str]:
    """Return twelve random cards."""
    deck = [str(Card(number)) for number in range(DECK)]
    secrets.SystemRandom().shuffle(deck)
    return deck[:CARDS]


def read_code(text: str) -> list[str]:
    """Return the cards typed as ``S7 HK …``, also with signs and dashes; raise `UnreadableText` if they are not
    valid."""
    plain = unicodedata.normalize("NFKC", text).upper().replace("\ufe0f", "")
    parts = re.findall(r"[^\s,;・\-–—]+", plain.replace("JOKER", "JK"))
    cards = [str(Card(part)) for part in parts]
    if len(cards) != CARDS or len(set(cards)) != CARDS:
        raise UnreadableText("the code is twelve different cards", "合鍵は、異なる12枚のカードです")
    return cards


def hashed(code: list[str], salt: bytes) -> bytes:
    return hashlib.scrypt("-".join(code).encode(), salt=salt, n=COST, r=BLOCK, p=LANES, dklen=32)


def seal_code(code: list[str]) -> str:
    """Return the hash of a code together with the parameters needed to compare with it later."""
    salt = secrets.token_bytes(SALT)
    parts = (base64.b64encode(part).decode() for part in (salt, hashed(code, salt)))
    return f"scrypt:{COST}:{BLOCK}:{LANES}:" + ":".join(parts)


def opens(code: list[str], kept: str) -> bool:
    kind, cost, block, lanes, salt, hash = kept.split(":")
    assert kind == "scrypt"
    found = hashlib.scrypt(
        "-".join(code).encode(), salt=base64.b64decode(salt), n=int(cost), r=int(block), p=int(lanes), dklen=32
    )
    return hmac.compare_digest(found, base64.b64decode(hash))
