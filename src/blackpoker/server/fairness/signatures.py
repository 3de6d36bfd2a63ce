"""Signatures of transcripts, with Ed25519. Keys and signatures are base64url without padding, as in the page."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import TYPE_CHECKING, Final

from blackpoker.server.fairness import ed25519
from blackpoker.server.fairness.seal import digest

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

#: code on the end screen: hashes computed for it, so that records cannot be tried until two codes agree
CODE_ROUNDS: Final = 50_000
CODE_LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed_text(terms: str, seat: str, part: int, count: int, transcript: str) -> bytes:
    """Return what a client signs: the first ``count`` events that it was sent of a game of the match."""
    return digest("blackpoker signature 1", terms, seat, str(part), str(count), transcript)


class SigningKey:
    """A key of one client for one room."""

    def __init__(self, private: bytes | None = None) -> None:
        """``private``: 32 bytes; None: new ones."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self.private: Ed25519PrivateKey = (
            Ed25519PrivateKey.generate() if private is None else Ed25519PrivateKey.from_private_bytes(private)
        )

    @property
    def public(self) -> str:
        return encode(self.private.public_key().public_bytes_raw())

    def sign(self, data: bytes) -> str:
        return encode(self.private.sign(data))


def is_signed(public: str, data: bytes, signature: str) -> bool:
    """Return True if the signature of the data is by this key."""
    try:
        return ed25519.is_valid(decode(public), data, decode(signature))
    except (ValueError, binascii.Error):
        return False


def comparison_code(terms: str, chains: list[str]) -> str:
    """Return six letters that are equal for both players if they played under the same terms and were sent the same
    hashes of the records."""
    hashed = digest("blackpoker code 1", terms, *chains)
    for _ in range(CODE_ROUNDS):
        hashed = hashlib.sha256(hashed).digest()
    number = int.from_bytes(hashed[:4], "big")
    return "".join(CODE_LETTERS[number >> 5 * place & 31] for place in range(6))
