"""Guests: a random id and a name in a cookie (signed by ``cookies``). The cookie of an account also names the signed-in
device; there are no passwords."""

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
    """Return the skeletons of the names of computer players."""
    names = (name for level in LEVELS.values() for name in (level.id, level.ja, level.en))
    return frozenset(skeleton(shown) for name in names for shown in (name, f"AI {name}", f"{name} AI"))


@dataclass(frozen=True)
class Guest:
    """A guest or a signed-in account. ``device`` is the hash of the device token in the cookie of an account, empty for
    guests. ``banned_until`` is a time, 0 if not banned."""

    id: str
    name: str
    device: str = ""
    muted: bool = False
    banned: float = 0.0


class Guests(ABC):
    """Creation and reading of guest cookies."""

    def new(self, name: str = "") -> Guest:
        return self.named(secrets.token_urlsafe(12), name)

    def named(self, id: str, name: str) -> Guest:
        """Return a guest with that name; a name without visible characters becomes a default name."""
        return Guest(id, tidy(name) or f"Guest {id[:4].strip('-_')}")

    @abstractmethod
    def cookie(self, guest: Guest) -> str: ...

    @abstractmethod
    def read(self, cookie: str | None) -> Guest | None:
        """Return the guest of a cookie; None if this server did not issue it."""


def tidy(name: str) -> str:
    """Return the name as it is displayed; empty if it resembles the name of a computer player."""
    found = clean_name(visible(unicodedata.normalize("NFKC", name)))[:MOST_NAME]
    return "" if skeleton(found) in taken() else found
