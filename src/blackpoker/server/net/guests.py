"""Guests: a random id and a name in a signed cookie. There are no accounts and no passwords."""

from __future__ import annotations

import secrets
import time
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

from itsdangerous import BadSignature, URLSafeTimedSerializer

from blackpoker.files.saved import clean_name
from blackpoker.players.levels import LEVELS
from blackpoker.server.looks import skeleton
from blackpoker.server.net.traces import forget_way
from blackpoker.server.rooms.letters import visible

COOKIE: Final = "blackpoker_guest"
LASTS: Final = 400 * 86_400
MOST_NAME: Final = 24
#: cookies that need not be checked again
MOST_KNOWN: Final = 10_000


@cache
def taken() -> frozenset[str]:
    """What the names of computer players look like."""
    names = (name for level in LEVELS.values() for name in (level.id, level.ja, level.en))
    return frozenset(skeleton(shown) for name in names for shown in (name, f"AI {name}", f"{name} AI"))


@dataclass(frozen=True)
class Guest:
    id: str
    name: str


class Guests:
    def __init__(self, key: bytes) -> None:
        self.signer: URLSafeTimedSerializer = URLSafeTimedSerializer(key, salt="guest")
        self.known: dict[
            str, tuple[Guest, float]
        ] = {}  # cookies of ours that were read lately, and until when they last

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
        found = self.known.get(cookie)
        if found is None:
            try:
                (id, name), signed = self.signer.loads(cookie, return_timestamp=True)
            except (BadSignature, ValueError, TypeError) as error:
                forget_way(error)
                return None
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[cookie] = (Guest(str(id), str(name)), signed.timestamp() + LASTS)
        guest, until = found
        return guest if time.time() < until else None


def tidy(name: str) -> str:
    """A name as everybody sees it; empty if it looks like a computer player's."""
    found = clean_name(visible(unicodedata.normalize("NFKC", name)))[:MOST_NAME]
    return "" if skeleton(found) in taken() else found
