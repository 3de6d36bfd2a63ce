"""``blackpoker serve`` with its chance drawn from the test's name, which stands in a file of its folder.

A game in the browser is then the same each time (tests/conftest.py does this for servers inside a test). Every kind of
draw has its own row of numbers, begun anew with each test.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from pathlib import Path
from random import Random

#: in the server's folder: whose chance it is
NAME = Path("chance")
#: players that search think in processes of their own, where nobody knows which of them is asked next
THINKER = __name__ != "__main__"


class Chance:
    """One kind of draw."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = ""
        self.numbers = Random()

    def __call__(self) -> Random:
        name = NAME.read_text(encoding="utf-8")
        if name != self.name or THINKER:
            self.name, self.numbers = name, Random(f"{name} {self.kind}")
        return self.numbers


bits, below, octets, names = (Chance(kind) for kind in ("bits", "below", "octets", "names"))
secrets.randbits = lambda many: bits().getrandbits(many)
secrets.randbelow = lambda end: below().randrange(end)
secrets.token_bytes = lambda size=None: octets().randbytes(size or 32)
secrets.token_hex = lambda size=None: octets().randbytes(size or 32).hex()
secrets.token_urlsafe = lambda size=None: urlsafe_b64encode(names().randbytes(size or 32)).rstrip(b"=").decode("ascii")

if __name__ == "__main__":
    from blackpoker.cli import main

    main()
