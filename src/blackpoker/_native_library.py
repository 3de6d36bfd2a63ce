"""The rules as machine code: location of the library, and whether it was made from these sources.

This module is always interpreted and imports nothing of the package.
"""

import os
from hashlib import sha256
from pathlib import Path

_PACKAGE = Path(__file__).parent
#: the rules as machine code, for many games at a time (``make native``)
LIBRARY = _PACKAGE / "native" / "rules.native.so"
#: written into a package that is built (setup.py), never into the working tree
MADE_FROM = _PACKAGE / "native" / "made_from.txt"


def fingerprint() -> str:
    """Return the hash of everything the native rules are made from; a library made from another source is not used. A
    built package carries the hash in a file, because it may come without its sources."""
    if MADE_FROM.exists():
        return MADE_FROM.read_text(encoding="utf-8")
    parts = [_PACKAGE / part for part in ("engine", "definitions", "definitions/steps", "ai/heuristics", "native")]
    files = sorted(file for part in parts for file in part.iterdir() if file.suffix in (".py", ".h", ".cpp", ".cu"))
    files += [
        _PACKAGE / "ai" / f"{name}.py"
        for name in ("determinization", "evaluation", "features", "net", "playout", "search")
    ]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def native() -> bool:
    """Return whether the native rules are present, made from these sources, and not switched off."""
    if os.environ.get("BLACKPOKER_NATIVE") == "0" or not LIBRARY.exists():
        return False
    return fingerprint().encode() in LIBRARY.read_bytes()
