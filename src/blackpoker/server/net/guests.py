"""Guests: a random id and a name in a signed cookie. There are no accounts and no passwords."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from itsdangerous import BadSignature, URLSafeTimedSerializer

from blackpoker.notation.saved import clean_name

COOKIE: Final = "blackpoker_guest"
LASTS: Final = 400 * 86_400
MOST_NAME: Final = 24


@dataclass(frozen=True)
class Guest:
    id: str
    name: str


class Guests:
    def __init__(self, key: bytes) -> None:
        self.signer = URLSafeTimedSerializer(key, salt="guest")

    def new(self, name: str = "") -> Guest:
        return self.named(secrets.token_urlsafe(12), name)

    def named(self, id: str, name: str) -> Guest:
        """A name nobody can see is none."""
        return Guest(id, tidy(name) or f"Guest {id[:4].strip('-_')}")

    def cookie(self, guest: Guest) -> str:
        return str(self.signer.dumps([guest.id, guest.name]))

    def read(self, cookie: str | None) -> Guest | None:
        """Whose cookie this is; None if we did not sign it."""
        if not cookie or len(cookie) > 400:
            return None
        try:
            id, name = self.signer.loads(cookie, max_age=LASTS)
        except (BadSignature, ValueError, TypeError):
            return None
        return Guest(str(id), str(name))


def tidy(name: str) -> str:
    return clean_name(name)[:MOST_NAME]
