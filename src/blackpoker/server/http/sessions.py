"""Guests: a random id and a name in a cookie (signed by ``cookies``). The cookie of an account also names the signed-in
device; there are no passwords."""

from __future__ import annotations

import secrets
import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from blackpoker.formats.savegame import clean_name
from blackpoker.players.engine_players import LEVELS
from blackpoker.server.admission import cached
from blackpoker.server.confusables import skeleton
from blackpoker.server.rooms.sanitize import printable

COOKIE: Final = "blackpoker_guest"
COOKIE_MAX_AGE: Final = 400 * 86_400
MAX_NAME_LENGTH: Final = 24


@cached("names of computer players", 1)
def reserved_skeletons() -> frozenset[str]:
    """Return the skeletons of the names of computer players."""
    names = (name for level in LEVELS.values() for name in (level.id, level.ja, level.en))
    return frozenset(skeleton(variant) for name in names for variant in (name, f"AI {name}", f"{name} AI"))


@dataclass(frozen=True)
class Guest:
    """A guest or a signed-in account. ``device`` is the hash of the device token in the cookie of an account, empty for
    guests. ``banned_until`` is a time, 0 if not banned."""

    id: str
    name: str
    device: str = ""
    muted: bool = False
    banned_until: float = 0.0


class GuestSessions(ABC):
    """Creation and reading of guest cookies."""

    def new(self, name: str = "") -> Guest:
        return self.with_name(secrets.token_urlsafe(12), name)

    def with_name(self, id: str, name: str) -> Guest:
        """Return a guest with that name; a name without visible characters becomes a default name."""
        return Guest(id, display_name(name) or f"Guest {id[:4].strip('-_')}")

    @abstractmethod
    def cookie(self, guest: Guest) -> str: ...

    @abstractmethod
    def read(self, cookie: str | None) -> Guest | None:
        """Return the guest of a cookie; None if this server did not issue it."""


def display_name(name: str) -> str:
    """Return the name as it is displayed; empty if it resembles the name of a computer player."""
    cleaned = clean_name(printable(unicodedata.normalize("NFKC", name)))[:MAX_NAME_LENGTH]
    return "" if skeleton(cleaned) in reserved_skeletons() else cleaned
