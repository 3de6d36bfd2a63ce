"""By which names the server answers.

A page of another site must not reach a server in a home network by pointing its own name at it (DNS rebinding):
addresses, this machine's own names and those that were allowed are understood, others not.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field
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
        try:
            name = (urlsplit(f"//{header}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if "*" in self.allowed or name in self.allowed or name in self.own:
            return True
        if name.endswith((".localhost", ".local")):  # a name of this machine, or one only the network itself gives
            return True
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True
