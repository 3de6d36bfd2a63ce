"""By which names the server answers.

A page of another site must not reach a server in a home network by pointing its own name at it (DNS rebinding):
addresses, this machine's own names and those that were allowed are understood, others not.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlsplit


def own_names() -> frozenset[str]:
    name = socket.gethostname().casefold()
    return frozenset(("localhost", name, name.partition(".")[0], ""))


@dataclass(frozen=True)
class Hosts:
    """``allowed``: names besides this machine's own; ``*`` is any."""

    allowed: frozenset[str] = frozenset()
    own: frozenset[str] = field(default_factory=own_names)

    def known(self, header: str) -> bool:
        """Whether a request for this host (and port) is meant for us."""
        name = name_of(header)
        if name is None:
            return False
        if "*" in self.allowed or name in self.allowed or name in self.own:
            return True
        # an address, a name of this machine, or one only the network itself gives
        return name.endswith((".localhost", ".local")) or is_address(name)


@lru_cache(1024)
def name_of(header: str) -> str | None:
    """The host without its port; None where it is no host."""
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return None


@lru_cache(1024)
def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True
