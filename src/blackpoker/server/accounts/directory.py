"""Who has an account, in memory: every cookie is looked at against it, and nothing is asked of the store for that.

Each process reads what has changed every second or two, its own changes at once. A device it does not know yet is asked
for when its cookie comes.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from blackpoker.server.looks import folded

if TYPE_CHECKING:
    from blackpoker.server.store.accounts import AccountNews


class AccountHead(NamedTuple):
    """What is known of everybody who has an account; ``muted``, ``banned``: until when."""

    player: str
    name: str
    crest: str
    muted: float
    banned: float


#: whoever had one and has deleted it
NOBODY: Final = AccountHead("", "", "", 0.0, 0.0)


def hash_of_token(token: str) -> str:
    """What is kept of what a cookie holds."""
    return hashlib.sha256(f"blackpoker device 1\n{token}".encode()).hexdigest()


class AccountDirectory:
    def __init__(self) -> None:
        self.heads: dict[str, AccountHead] = {}
        self.names: dict[str, str] = {}  # what a name looks like: whose it is, or was
        self.devices: dict[str, str] = {}  # where somebody is signed in: who
        self.ended: set[str] = set()
        self.since: float = 0.0

    def hear(self, news: AccountNews) -> list[str]:
        """What the store has; whose sockets must come back, because they are no longer what they were."""
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
        """Whether the store may know of a device of which we have not heard."""
        return bool(device) and device not in self.devices and device not in self.ended

    def signed_in(self, id: str, device: str) -> AccountHead | None:
        """Whose device this is; None where nobody is signed in there."""
        head = self.heads.get(id)
        return head if head is not None and head is not NOBODY and self.devices.get(device) == id else None

    def owned(self, name: str, id: str = "") -> bool:
        """Whether a name is, or looks like, that of somebody else."""
        return self.names.get(folded(name), id) != id


def is_until(until: float) -> bool:
    return until > time.time()
