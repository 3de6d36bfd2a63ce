"""Allowed host names of the server.

A page of another site must not reach a server in a home network by pointing its own host name at it (DNS rebinding).
Allowed are addresses, this machine's own names and the configured names.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

#: characters of a host name and its port
MAX_HOST: Final = 260


def machine_names() -> frozenset[str]:
    name = socket.gethostname().casefold()
    return frozenset(("localhost", name, name.partition(".")[0], ""))


@dataclass(frozen=True)
class AllowedHosts:
    """``allowed``: names besides this machine's own; ``*`` allows any."""

    allowed: frozenset[str] = frozenset()
    own_names: frozenset[str] = field(default_factory=machine_names)

    def allows(self, header: str) -> bool:
        """Return whether requests for this host (and port) are accepted."""
        name = host_name(header)
        if name is None:
            return False
        if "*" in self.allowed or name in self.allowed or name in self.own_names:
            return True
        # an address, a name of this machine, or one that only the local network resolves
        return name.endswith((".localhost", ".local")) or is_address(name)


def host_name(header: str) -> str | None:
    """Return the host without its port; None for an invalid host."""
    if len(header) > MAX_HOST:
        return None
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return None


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True
