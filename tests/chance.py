"""Chance that is the same each time: what a process would draw from the operating system (shuffles, names of rooms, the
players' dice) comes from rows of numbers."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from random import Random


def draw_from(row: Callable[[str], Random], put: Callable[[object, str, object], None] = setattr) -> None:
    """Replace what ``secrets`` draws with. ``row``: the numbers for a kind of draw; ``put``: how a function is replaced,
    for those who want it back."""

    def octets(kind: str, size: int | None) -> bytes:
        return row(kind).randbytes(32 if size is None else size)

    put(secrets, "randbits", lambda many: row("bits").getrandbits(many))
    put(secrets, "randbelow", lambda end: row("below").randrange(end))
    put(secrets, "token_bytes", lambda size=None: octets("octets", size))
    put(secrets, "token_hex", lambda size=None: octets("octets", size).hex())
    put(
        secrets,
        "token_urlsafe",
        lambda size=None: urlsafe_b64encode(octets("names", size)).rstrip(b"=").decode("ascii"),
    )
