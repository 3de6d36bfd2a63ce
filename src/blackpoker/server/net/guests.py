"""Guests: a random id and a name in a cookie (``cookies`` signs it). Whoever has an account is a guest whose cookie
also names the device he is signed in on; there are no passwords."""

from __future__ import annotations

import secrets
import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Final

from blackpoker.files.saved import clean_name
from blackpoker.players.levels import LEVELS
from blackpoker.server.looks import skeleton
from blackpoker.server.rooms.letters import visible

COOKIE: Final = "blackpoker_guest"
LASTS: Final = 400 * 86_400
MOST_NAME: Final = 24


@cache
def taken() -> frozenset[str]:
    """What the names of computer players look like."""
    names = (name for level in LEVELS.values() for name in (level.id, level.ja, level.en))
    return frozenset(skeleton(shown) for name in names for shown in (name, f"AI {name}", f"{name} AI"))


@dataclass(frozen=True)
class Guest:
    """``device``: the hash of what the cookie of an account holds; empty for everybody else. ``banned``: until when."""

    id: str
    name: str
    device: str = ""
    muted: bool = False
    banned: float = 0.0


class Guests(ABC):
    """Who somebody is, as the cookie tells that we gave him."""

    def new(self, name: str = "") -> Guest:
        return self.named(secrets.token_urlsafe(12), name)

    def named(self, id: str, name: str) -> Guest:
        """A name nobody can see is none."""
        return Guest(id, tidy(name) or f"Guest {id[:4].strip('-_')}")

    @abstractmethod
    def cookie(self, guest: Guest) -> str: ...

    @abstractmethod
    def read(self, cookie: str | None) -> Guest | None:
        """Whose cookie this is; None if we did not make it."""


def tidy(name: str) -> str:
    """A name as everybody sees it; empty if it looks like a computer player's."""
    found = clean_name(visible(unicodedata.normalize("NFKC", name)))[:MOST_NAME]
    return "" if skeleton(found) in taken() else found
