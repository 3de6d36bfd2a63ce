"""Guests: a random id and a name in a cookie (signed by ``cookies``). The cookie of an account also names the signed-in
device; there are no passwords."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from typing import Final

from blackpoker.server.identity import Identity, default_name, display_name

COOKIE: Final = "blackpoker_guest"
COOKIE_MAX_AGE: Final = 400 * 86_400


class GuestSessions(ABC):
    """Creation and reading of guest cookies."""

    def new(self, name: str = "") -> Identity:
        return self.with_name(secrets.token_urlsafe(12), name)

    def with_name(self, id: str, name: str) -> Identity:
        """Return a guest with that name; a name without visible characters becomes a default name."""
        return Identity(id, display_name(name) or default_name(id))

    @abstractmethod
    def cookie(self, guest: Identity) -> str: ...

    @abstractmethod
    def read(self, cookie: str | None) -> Identity | None:
        """Return the guest of a cookie; None if this server did not issue it."""
