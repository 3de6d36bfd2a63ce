"""Reproducible randomness: values a process would draw from the operating system (shuffles, room names, players' dice)
come from seeded generators."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from random import Random


def draw_from(row: Callable[[str], Random], put: Callable[[object, str, object], None] = setattr) -> None:
    """Replace the functions of ``secrets``. ``row`` returns the generator for a kind of draw; ``put`` replaces a
    function and may record the original."""

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
