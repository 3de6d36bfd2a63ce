"""Index of accounts in memory, used to check every cookie without a query.

Each process reads changes every second or two, its own changes at once. An unknown device is looked up when its cookie
arrives.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from blackpoker.server.looks import folded

if TYPE_CHECKING:
    from blackpoker.server.store.accounts import AccountNews


class AccountHead(NamedTuple):
    """The public data of an account; ``muted``, ``banned``: end times."""

    player: str
    name: str
    crest: str
    muted: float
    banned: float


#: a deleted account
NOBODY: Final = AccountHead("", "", "", 0.0, 0.0)


def hash_of_token(token: str) -> str:
    """Return the stored hash of a cookie's token."""
    return hashlib.sha256(f"blackpoker device 1\n{token}".encode()).hexdigest()


class AccountDirectory:
    def __init__(self) -> None:
        self.heads: dict[str, AccountHead] = {}
        self.names: dict[str, str] = {}  # folded form of a name: present or former owner
        self.devices: dict[str, str] = {}  # device token: account
        self.ended: set[str] = set()
        self.since: float = 0.0

    def hear(self, news: AccountNews) -> list[str]:
        """Apply changed rows. Return the accounts and devices for which connections must be renewed."""
        changed: list[str] = []
        for row in news.accounts:
            head = NOBODY if row.gone else AccountHead(row.player, row.name, row.crest, row.muted, row.banned)
            if self.heads.get(row.id, head) != head:
                changed.append(row.id)
            self.heads[row.id] = head
            self.since = max(self.since, row.changed)
            if row.gone:
                self.names = {looks: id for looks, id in self.names.items() if id != row.id}
        for looks, account, _, since in news.names:
            self.names[looks] = account
            self.since = max(self.since, since)
        for device in news.devices:
            self.since = max(self.since, device.changed)
            if device.ended:
                if self.devices.pop(device.token, None):
                    changed.append(device.token)
                self.ended.add(device.token)
            elif device.token not in self.ended:
                self.devices[device.token] = device.account
        return changed

    def unknown(self, device: str) -> bool:
        """Return True if the store may know this device although it is not indexed yet."""
        return bool(device) and device not in self.devices and device not in self.ended

    def signed_in(self, id: str, device: str) -> AccountHead | None:
        """Return the account of a device; None if no session exists."""
        head = self.heads.get(id)
        return head if head is not None and head is not NOBODY and self.devices.get(device) == id else None

    def owned(self, name: str, id: str = "") -> bool:
        """Return True if a name is, or looks like, that of another account."""
        return self.names.get(folded(name), id) != id


def is_until(until: float) -> bool:
    return until > time.time()
