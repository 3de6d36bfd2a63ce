"""Index of accounts in memory, used to check every cookie without a query.

Each process reads changes every second or two, its own changes at once. An unknown device is looked up when its cookie
arrives.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from blackpoker.server.confusables import reserved_forms

if TYPE_CHECKING:
    from blackpoker.server.storage.accounts import AccountChanges


class AccountSummary(NamedTuple):
    """The public data of an account; ``muted``, ``banned``: end times."""

    player: str
    name: str
    crest: str
    muted: float
    banned: float


#: a deleted account
DELETED: Final = AccountSummary("", "", "", 0.0, 0.0)


def hash_of_token(token: str) -> str:
    """Return the stored hash of a cookie's token."""
    return hashlib.sha256(f"blackpoker device 1\n{token}".encode()).hexdigest()


class AccountIndex:
    def __init__(self) -> None:
        self.accounts: dict[str, AccountSummary] = {}
        self.names: dict[str, str] = {}  # folded form of a name: present or former owner
        self.devices: dict[str, str] = {}  # device token: account
        self.ended_devices: set[str] = set()
        self.since: float = 0.0

    def apply_changes(self, changes: AccountChanges) -> list[str]:
        """Apply changed rows. Return the accounts and devices for which connections must be renewed."""
        changed: list[str] = []
        for row in changes.accounts:
            summary = DELETED if row.gone else AccountSummary(row.player, row.name, row.crest, row.muted, row.banned)
            if self.accounts.get(row.id, summary) != summary:
                changed.append(row.id)
            self.accounts[row.id] = summary
            if row.gone:
                self.names = {looks: id for looks, id in self.names.items() if id != row.id}
        for name in changes.names:
            self.names[name.looks] = name.account
        for device in changes.devices:
            if device.ended:
                if self.devices.pop(device.token, None):
                    changed.append(device.token)
                self.ended_devices.add(device.token)
            elif device.token not in self.ended_devices:
                self.devices[device.token] = device.account
        self.since = max(self.since, changes.until)
        return changed

    def is_deleted(self, id: str) -> bool:
        return self.accounts.get(id) is DELETED

    def is_unknown_device(self, device: str) -> bool:
        """Return True if the store may know this device although it is not indexed yet."""
        return bool(device) and device not in self.devices and device not in self.ended_devices

    def signed_in(self, id: str, device: str) -> AccountSummary | None:
        """Return the account of a device; None if no session exists."""
        summary = self.accounts.get(id)
        return summary if summary is not None and summary is not DELETED and self.devices.get(device) == id else None

    def is_name_taken(self, name: str, id: str = "") -> bool:
        """Return True if a name is, or looks like, that of another account, or an operator has blocked it."""
        owners = {self.names[form] for form in reserved_forms(name) if form in self.names}
        return bool(owners) and (not id or owners != {id})


def is_active_until(until: float) -> bool:
    return until > time.time()
