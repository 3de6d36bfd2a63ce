"""The list of hot modules, and the library of native rules: its location, and whether it was made from these sources.

This module is always interpreted and imports nothing of the package.
"""

import os
from hashlib import sha256
from pathlib import Path

_PACKAGE = Path(__file__).parent
#: the list of hot modules and their marks
HOT_MODULES = _PACKAGE / "engine" / "hot_modules.txt"
#: the rules as machine code, for many games at a time (``make native``)
LIBRARY = _PACKAGE / "native" / "rules.native.so"
#: written into a package that is built (setup.py), never into the working tree
MADE_FROM = _PACKAGE / "native" / "made_from.txt"


def hot_modules(mark: str, root: Path = _PACKAGE) -> list[str]:
    """Return the modules with a mark of ``engine/hot_modules.txt``, as paths below ``root``, in the order of the list.

    Raise `FileNotFoundError` if a line names no module.
    """
    found: dict[str, None] = {}
    for line in HOT_MODULES.read_text(encoding="utf-8").splitlines():
        pattern, *marks = line.partition("#")[0].split() or [""]
        if mark in marks:
            paths = sorted(path for path in root.glob(pattern) if path.name != "__init__.py")
            if not paths:
                raise FileNotFoundError(f"{pattern} of {HOT_MODULES.name} names no module in {root}")
            found.update(dict.fromkeys(path.relative_to(root).as_posix() for path in paths))
    return list(found)


def fingerprint() -> str:
    """Return the hash of everything the native rules are made from; a library made from another source is not used. A
    built package carries the hash in a file, because it may come without its sources."""
    if MADE_FROM.exists():
        return MADE_FROM.read_text(encoding="utf-8")
    translator = (path for path in (_PACKAGE / "native").iterdir() if path.suffix in (".py", ".h", ".cpp", ".cu"))
    files = [HOT_MODULES, *sorted(translator), *(_PACKAGE / name for name in hot_modules("native"))]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def native() -> bool:
    """Return whether the native rules are present, made from these sources, and not switched off."""
    if os.environ.get("BLACKPOKER_NATIVE") == "0" or not LIBRARY.exists():
        return False
    return fingerprint().encode() in LIBRARY.read_bytes()
